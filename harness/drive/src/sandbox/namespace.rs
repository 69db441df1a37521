//! Namespaces of our own: users, network, mounts, processes, System V objects.

use std::fs;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{Gid, Uid, getegid, geteuid};

use crate::StartError;

/// Moves this process, which must have one thread only, into namespaces of its own; its children
/// are in the new process namespace.
pub(super) fn enter() -> Result<(), StartError> {
    let (user, group) = (geteuid(), getegid());
    let others = CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC;
    match unshare(others | CloneFlags::CLONE_NEWUSER) {
        Ok(()) => map(user, group),
        // The real root needs no user namespace, and may be refused one.
        Err(_) if user.is_root() => unshare(others)
            .map_err(|error| refused("unshare of network, mounts and processes", error)),
        Err(error) => Err(refused("unshare of users, network, mounts and processes", error)),
    }
}

/// To root: mounting and the network need its rights, inside, across an `exec`.
fn map(user: Uid, group: Gid) -> Result<(), StartError> {
    let lines = [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("0 {user} 1")),
        ("gid_map", format!("0 {group} 1")),
    ];
    for (name, line) in lines {
        let path = format!("/proc/self/{name}");
        fs::write(&path, line).map_err(|error| {
            StartError::NoNamespace(format!("writing {path} was refused ({error})"))
        })?;
    }
    Ok(())
}

fn refused(what: &str, error: Errno) -> StartError {
    StartError::NoNamespace(format!("{what} was refused ({})", error.desc()))
}
