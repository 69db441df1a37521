//! The two further lives of the executable: one makes the sandbox, one works in it.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};

use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::getppid;

use super::{mounts, namespace, network, reaper};
use crate::StartError;
use crate::protocol::Report;
use crate::worker::{self, report};

/// This executable, also after its file has been replaced.
pub(crate) const EXECUTABLE: &str = "/proc/self/exe";

const OUTER: &str = "sandbox-worker";
const INNER: &str = "sandbox-inner";

/// What the process that makes the sandbox needs to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Process id of whoever starts it.
    pub(crate) parent: u32,
    /// Whether to make namespaces.
    pub(crate) namespace: bool,
    /// The folder that can be written, absolute.
    pub(crate) root: PathBuf,
    /// Folders that must not be writable, whatever else is.
    pub(crate) protected: Vec<PathBuf>,
}

impl Plan {
    /// As arguments of [`EXECUTABLE`].
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mode = if self.namespace { "namespace" } else { "open" };
        let mut arguments = vec![OUTER.into(), self.parent.to_string().into(), mode.into()];
        arguments.push(self.root.clone().into());
        arguments.extend(self.protected.iter().map(|path| path.clone().into()));
        arguments
    }

    fn parse(mut arguments: impl Iterator<Item = OsString>) -> Option<Plan> {
        let parent = arguments.next()?.to_str()?.parse().ok()?;
        let namespace = arguments.next()? == "namespace";
        let root = arguments.next()?.into();
        Some(Plan { parent, namespace, root, protected: arguments.map(PathBuf::from).collect() })
    }
}

/// Runs this process as a worker if it was started as one, and returns its exit code. Call it
/// first in `main`, before any thread.
pub fn worker_main() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let role = arguments.next()?;
    let result = if role == OUTER {
        let plan = Plan::parse(arguments);
        plan.ok_or_else(|| harness("read the arguments", "some are missing")).and_then(|p| make(&p))
    } else if role == INNER {
        enter(arguments.next().is_some_and(|mode| mode == "namespace"))
    } else {
        return None;
    };
    Some(result.unwrap_or_else(|refusal| {
        report(&Report::Refused(refusal));
        ExitCode::FAILURE
    }))
}

/// Makes the sandbox, starts the worker in it and waits for its end.
fn make(plan: &Plan) -> Result<ExitCode, StartError> {
    if plan.namespace {
        die_with(plan.parent)?;
        namespace::enter()?;
        mounts::seal(&plan.root, &plan.protected)?;
        // New credentials can forget it.
        die_with(plan.parent)?;
    } else {
        prctl::set_child_subreaper(true).map_err(|error| harness("adopt orphans", error))?;
    }
    let mode = if plan.namespace { "namespace" } else { "open" };
    let mut worker = Command::new(EXECUTABLE)
        .args([INNER, mode])
        .current_dir(&plan.root)
        .spawn()
        .map_err(|error| harness("start the worker", error))?;
    let status = worker.wait().map_err(|error| harness("wait for the worker", error))?;
    if !plan.namespace {
        reaper::end_children();
    }
    Ok(exit_code(status))
}

/// Goes on inside the sandbox.
fn enter(namespace: bool) -> Result<ExitCode, StartError> {
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|error| harness("tie my life", error))?;
    prctl::set_no_new_privs().map_err(|error| harness("give up privileges", error))?;
    // A process of the program holds two descriptors a thread. Not fatal if it may not be raised.
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
    }
    if namespace {
        mounts::own_proc();
        network::loopback_up()?;
    }
    Ok(worker::run())
}

/// Asks to be killed when the parent ends, which may have happened already.
fn die_with(parent: u32) -> Result<(), StartError> {
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|error| harness("tie my life", error))?;
    if getppid().as_raw().unsigned_abs() != parent {
        return Err(StartError::Harness("the starting process is gone".to_owned()));
    }
    Ok(())
}

fn exit_code(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal() {
        eprintln!("the inner worker was ended by signal {signal}");
    }
    match status.code() {
        Some(0) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn harness(what: &str, error: impl std::fmt::Display) -> StartError {
    StartError::Harness(format!("cannot {what}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::Plan;

    #[test]
    fn a_plan_survives_as_arguments() {
        let plan = Plan {
            parent: 7,
            namespace: true,
            root: "/a b".into(),
            protected: vec!["/".into(), "/home/u".into()],
        };
        assert_eq!(Plan::parse(plan.arguments().into_iter().skip(1)), Some(plan));
        assert_eq!(Plan::parse(std::iter::once("7".into())), None);
    }
}
