//! The sandbox folder, which goes with the worker.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

const PREFIX: &str = "forkproof-";
/// Held as long as the folder is in use.
const LOCK: &str = "in-use.lock";
/// A younger folder may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A folder of our own; it is removed with this value.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Removes what is left if we cannot wait.
    _guard: TempDir,
    _lock: File,
}

impl Folder {
    /// Makes one, and removes those that a killed process has left.
    pub(super) fn create() -> io::Result<Folder> {
        let parent = std::env::temp_dir().canonicalize()?;
        sweep(&parent);
        let guard = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent)?;
        let lock = File::create_new(guard.path().join(LOCK))?;
        lock.lock()?;
        Ok(Folder { path: guard.path().to_owned(), _guard: guard, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A process that was killed just now may still be writing.
        for _ in 0..100 {
            match fs::remove_dir_all(&self.path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    thread::sleep(Duration::from_millis(20));
                }
                _ => break,
            }
        }
    }
}

fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if ours && abandoned(&entry.path()).unwrap_or(false) {
            // Someone else's may not be ours to remove.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn abandoned(folder: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(folder)?;
    let age = SystemTime::now().duration_since(metadata.modified()?).unwrap_or_default();
    Ok(metadata.is_dir() && age > YOUNG && File::open(folder.join(LOCK))?.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::{Folder, abandoned};

    #[test]
    fn a_folder_is_removed_with_its_value_and_not_before() {
        let folder = Folder::create().expect("made");
        let path = folder.path().to_owned();
        assert!(path.is_dir());
        assert!(!abandoned(&path).expect("readable"));
        drop(folder);
        assert!(!path.exists());
    }
}
