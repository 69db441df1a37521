//! Ends what is left, where no process namespace does it.

use std::fs;
use std::process;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

/// Kills all children of this process, and what they leave to it, until none is left. It waits a
/// few seconds at most, for children that the kernel does not let go.
pub(super) fn end_children() {
    for _ in 0..500 {
        for child in children() {
            // It may be gone already.
            let _ = kill(child, Signal::SIGKILL);
        }
        while matches!(reap(), Ok(true)) {}
        if reap() == Err(Errno::ECHILD) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Takes the status of one ended child, if there is one.
fn reap() -> Result<bool, Errno> {
    waitpid(None::<Pid>, Some(WaitPidFlag::WNOHANG)).map(|status| status.pid().is_some())
}

fn children() -> Vec<Pid> {
    let path = format!("/proc/self/task/{}/children", process::id());
    let list = fs::read_to_string(path).unwrap_or_default();
    list.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw).collect()
}
