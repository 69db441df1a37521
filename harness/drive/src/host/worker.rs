//! A worker, as the command line sees it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::stage::{Event, Stage};
use crate::protocol::{Report, Request, send};
use crate::{Case, Ending, Executable, Options, StartError, Usage};

/// Time for a worker to be ready, beside what teaching may take.
const PATIENCE: Duration = Duration::from_secs(25);

/// How often a wait looks whether it should go on.
const TICK: Duration = Duration::from_millis(100);

/// A sandbox with the program under test in it. Dropping it ends all of it.
#[derive(Debug)]
pub struct Worker {
    stage: Stage,
    version: String,
    summary_prefix: Option<String>,
    pending: BTreeSet<u64>,
    ended: Option<String>,
}

impl Worker {
    /// Starts one for `program`, and waits until it is ready.
    ///
    /// # Errors
    ///
    /// There is no such program, it is another one, no sandbox can be made, or we fail.
    pub fn start(program: &Executable, options: &Options) -> Result<Worker, StartError> {
        Worker::start_unless(program, options, &AtomicBool::new(false))
    }

    /// Starts one as [`Worker::start`] does, and gives up when `stop` is set.
    ///
    /// # Errors
    ///
    /// As for [`Worker::start`].
    pub fn start_unless(
        program: &Executable,
        options: &Options,
        stop: &AtomicBool,
    ) -> Result<Worker, StartError> {
        let stage = Stage::start(program, options)?;
        let (version, summary_prefix) = ready(&stage, options, stop)?;
        Ok(Worker { stage, version, summary_prefix, pending: BTreeSet::new(), ended: None })
    }

    /// The version that the program tells of itself, such as `0.171.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the program puts before the summary of a compacted thread, without the line break
    /// after it; only with [`Options::teach`].
    pub fn summary_prefix(&self) -> Option<&str> {
        self.summary_prefix.as_deref()
    }

    /// Adds a case to the queue. Its id must not be in use.
    pub fn submit(&mut self, case: Case) {
        self.pending.insert(case.id);
        if let Some(input) = self.stage.input() {
            // A worker that does not read has ended; `wait` says so.
            let _ = send(input, &Request::Case(case));
        }
    }

    /// Waits for the ending of any case, at most for `time`; `None` if none came. When the worker
    /// ends before its time, every case that it had ends by our fault.
    pub fn wait(&mut self, time: Duration) -> Option<(u64, Ending)> {
        let end = Instant::now() + time;
        while !self.pending.is_empty() && self.ended.is_none() {
            match self.stage.next_within(end.saturating_duration_since(Instant::now()))? {
                Event::Report(Report::Done { id, ending }) if self.pending.remove(&id) => {
                    return Some((id, ending));
                }
                Event::Report(_) => {}
                Event::Ended(how) => self.ended = Some(how),
            }
        }
        let how = self.ended.clone()?;
        Some((self.pending.pop_first()?, Ending::HarnessFault(how)))
    }

    /// Ends it, with whatever still runs; what it has used, as far as it still could tell.
    pub fn finish(mut self) -> Usage {
        let reports = self.stage.stop();
        let usage = reports.into_iter().find_map(|report| match report {
            Report::Stopped(usage) => Some(usage),
            _ => None,
        });
        usage.unwrap_or_default()
    }
}

/// Waits for the first report: version and summary prefix.
pub(super) fn ready(
    stage: &Stage,
    options: &Options,
    stop: &AtomicBool,
) -> Result<(String, Option<String>), StartError> {
    let time = PATIENCE + if options.teach { options.deadline } else { Duration::ZERO };
    let end = Instant::now() + time;
    let event = loop {
        match stage.next_within(TICK) {
            Some(event) => break Some(event),
            None if stop.load(Ordering::Relaxed) => return Err(StartError::Interrupted),
            None if Instant::now() >= end => break None,
            None => {}
        }
    };
    match event {
        Some(Event::Report(Report::Ready { version, summary_prefix })) => {
            Ok((version, summary_prefix))
        }
        Some(Event::Report(Report::Refused(error))) => Err(error),
        Some(Event::Report(report)) => {
            Err(StartError::Harness(format!("the first report is {report:?}")))
        }
        Some(Event::Ended(how)) => Err(StartError::Harness(how)),
        None => Err(StartError::Harness(format!("not ready within {} s", time.as_secs()))),
    }
}
