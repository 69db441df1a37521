//! One folder that can be written, and nothing else.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sys::statvfs::{FsFlags, statvfs};

use crate::StartError;

/// Makes everything but `root` read-only; an error if one of `protected` could still be written.
pub(super) fn seal(root: &Path, protected: &[PathBuf]) -> Result<(), StartError> {
    change(None, Path::new("/"), MsFlags::MS_REC | MsFlags::MS_PRIVATE)
        .map_err(|error| refused("making the mounts private", error))?;
    change(Some(root), root, MsFlags::MS_BIND)
        .map_err(|error| refused("mounting the sandbox folder", error))?;
    let table = fs::read("/proc/self/mountinfo").map_err(|error| {
        StartError::NoNamespace(format!("reading the mounts was refused ({error})"))
    })?;
    for (point, kept) in table.split(|&byte| byte == b'\n').filter_map(parse) {
        if point != root {
            // Some cannot be reached or changed; those that matter are looked at below.
            let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | kept;
            let _ = change(None, &point, flags);
        }
    }
    for path in protected {
        let writable = match statvfs(path) {
            Ok(found) => !found.flags().contains(FsFlags::ST_RDONLY),
            // What cannot be reached cannot be written.
            Err(error) => !matches!(error, Errno::ENOENT | Errno::EACCES),
        };
        if writable {
            let text = format!("making {} read-only was refused", path.display());
            return Err(StartError::NoNamespace(text));
        }
    }
    Ok(())
}

/// Mounts a view of the new process namespace alone. Where that is not permitted the old view
/// stays, read-only: it shows more, but gives no more rights.
pub(super) fn own_proc() {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    let _ = mount(Some("proc"), "/proc", Some("proc"), flags, None::<&str>);
}

fn change(source: Option<&Path>, target: &Path, flags: MsFlags) -> Result<(), Errno> {
    mount(source, target, None::<&str>, flags, None::<&str>)
}

fn refused(what: &str, error: Errno) -> StartError {
    StartError::NoNamespace(format!("{what} was refused ({})", error.desc()))
}

/// A line of `mountinfo`: the mount point, and the flags that a remount has to repeat because
/// they may be locked. The kernel keeps the flags for access times by itself.
fn parse(line: &[u8]) -> Option<(PathBuf, MsFlags)> {
    let mut fields = line.split(|&byte| byte == b' ').skip(4);
    let point = PathBuf::from(OsString::from_vec(unescape(fields.next()?)));
    let options = fields.next()?.split(|&byte| byte == b',');
    let flags = options.map(|option| match option {
        b"nosuid" => MsFlags::MS_NOSUID,
        b"nodev" => MsFlags::MS_NODEV,
        b"noexec" => MsFlags::MS_NOEXEC,
        // MS_NOSYMFOLLOW has no name here.
        b"nosymfollow" => MsFlags::from_bits_retain(256),
        _ => MsFlags::empty(),
    });
    Some((point, flags.collect()))
}

/// Resolves `\040` and the like.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((&byte, tail)) = rest.split_first() {
        let octal = tail.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(escaped) if byte == b'\\' => {
                bytes.push(escaped);
                rest = &tail[3..];
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use nix::mount::MsFlags;

    use super::parse;

    #[test]
    fn a_mount_keeps_what_may_be_locked() {
        let line = br"30 25 0:27 / /mnt/a\040b\134 rw,nosuid,noexec,relatime shared:1 - tmpfs t rw";
        let (point, flags) = parse(line).expect("parsed");
        assert_eq!(point, Path::new(r"/mnt/a b\"));
        assert_eq!(flags, MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC);
        assert!(parse(b"").is_none());
    }
}
