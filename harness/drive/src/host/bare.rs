//! The yardstick: how fast the program is with nothing around it.

use std::sync::atomic::AtomicBool;

use super::stage::{Event, Stage};
use super::worker::ready;
use crate::protocol::{Report, Request, send};
use crate::{Case, Executable, Options, StartError};

/// Runs `cases` with the same client and as many processes as a [`crate::Worker`], but without
/// looking at files, recording requests or reporting; cases per second, the start of the processes
/// included. No two cases may share a thread or a file.
///
/// # Errors
///
/// As for [`crate::Worker::start`]; any fault ends the loop.
pub fn bare_loop(
    program: &Executable,
    cases: &[Case],
    options: &Options,
) -> Result<f64, StartError> {
    let mut stage = Stage::start(program, options)?;
    ready(&stage, options, &AtomicBool::new(false))?;
    if let Some(input) = stage.input() {
        // A worker that does not read has ended, and says so below.
        let _ = send(input, &Request::Bare(cases.to_vec()));
    }
    match stage.next() {
        Event::Report(Report::Bare(rate)) => rate.map_err(StartError::Target),
        Event::Report(report) => Err(StartError::Harness(format!("the report is {report:?}"))),
        Event::Ended(how) => Err(StartError::Harness(how)),
    }
}
