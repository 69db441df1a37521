//! What is asked of a worker beside scenarios: how fast the program is with nothing around it, and
//! what interrupted turns leave.

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
    match ask(program, options, &Request::Bare(cases.to_vec()))? {
        (_, Report::Bare(rate)) => rate.map_err(StartError::Target),
        (_, report) => Err(StartError::Harness(format!("the report is {report:?}"))),
    }
}

/// Interrupts turns of `program`, which is of Claude Code, at several points in several ways; its
/// version, and what that leaves, a line each.
///
/// # Errors
///
/// As for [`crate::Worker::start`]; any fault ends it.
pub(crate) fn interruptions(
    program: &Executable,
    options: &Options,
) -> Result<(String, String), StartError> {
    match ask(program, options, &Request::Interrupt)? {
        (version, Report::Interrupted(table)) => Ok((version, table.map_err(StartError::Target)?)),
        (_, report) => Err(StartError::Harness(format!("the report is {report:?}"))),
    }
}

/// The version of a worker's program, and the first report of the worker after `request`.
fn ask(
    program: &Executable,
    options: &Options,
    request: &Request,
) -> Result<(String, Report), StartError> {
    let mut stage = Stage::start(program, options)?;
    let (version, _) = ready(&stage, options, &AtomicBool::new(false))?;
    if let Some(input) = stage.input() {
        // A worker that does not read has ended, and says so below.
        let _ = send(input, request);
    }
    match stage.next() {
        Event::Report(report) => Ok((version, report)),
        Event::Ended(how) => Err(StartError::Harness(how)),
    }
}
