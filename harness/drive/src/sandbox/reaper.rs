//! Ends what programs have left.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
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

/// Kills every process that was started for `folder`: its environment names something in it, or it
/// works there. How many were found; one that ends takes a moment.
pub(crate) fn end_all_of(folder: &Path) -> usize {
    // In a process namespace with an old view of processes its numbers are not ours.
    let own = fs::read_link("/proc/self")
        .is_ok_and(|link| link.to_str().and_then(|id| id.parse().ok()) == Some(process::id()));
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let found = ids.filter(|id| own && is_of(*id, folder));
    // It may be gone already.
    found.map(|id| kill(Pid::from_raw(id), Signal::SIGKILL)).filter(Result::is_ok).count()
}

fn is_of(id: i32, folder: &Path) -> bool {
    let works = fs::read_link(format!("/proc/{id}/cwd"));
    if works.is_ok_and(|path| path.starts_with(folder)) {
        return true;
    }
    let mut name = folder.as_os_str().as_bytes().to_vec();
    name.push(b'/');
    let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    environment.windows(name.len()).any(|window| window == name)
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
