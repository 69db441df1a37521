//! Puts the files of a case into a home.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use forkproof_oracle::Home;

use super::Names;
use crate::fault::Fault;

/// Writes `files` below `root`, where `names` says, never through a symbolic link and never over a file.
pub(super) fn plant(root: &Path, names: &Names, files: &Home) -> Result<(), Fault> {
    // Without times of their own, one is newer than the other by its path, and that by far: which
    // file is the newest decides what some operations are on.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    for (age, (path, file)) in (0..files.len()).rev().zip(files) {
        check(path)?;
        let fault = |error| Fault::ours(format!("plant `{path}`"), error);
        let place = names.on_disk(path);
        if let Some((folders, _)) = place.rsplit_once('/') {
            enter(root, folders).map_err(fault)?;
        }
        // A new file only: that follows no link either.
        let mut planted = File::create_new(root.join(place)).map_err(fault)?;
        planted.write_all(&file.content.0).map_err(fault)?;
        let age = Duration::from_secs(u64::try_from(age).unwrap_or(u64::MAX));
        let modified = match file.modified {
            0 => now.saturating_sub(age),
            modified => Duration::from_nanos(modified),
        };
        planted.set_modified(UNIX_EPOCH + modified).map_err(fault)?;
    }
    Ok(())
}

/// Whether `path` stays below the folder that it is joined to.
pub(super) fn check(path: &str) -> Result<(), Fault> {
    let fine = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0');
    if path.split('/').all(fine) {
        return Ok(());
    }
    let text = format!("`{path}` is not a path inside a home: give a relative one without `..`");
    Err(Fault::Harness(text))
}

fn enter(root: &Path, folders: &str) -> io::Result<()> {
    let mut folder = root.to_owned();
    for part in folders.split('/') {
        folder.push(part);
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        if !fs::symlink_metadata(&folder)?.is_dir() {
            let text = format!("{} is no folder", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotADirectory, text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, symlink};
    use std::path::Path;

    use forkproof_oracle::{Family, File, Home};

    use super::check;
    use crate::fault::Fault;
    use crate::launch::Place;
    use crate::worker::Names;

    fn plant(root: &Path, files: &Home) -> Result<(), Fault> {
        let place = Place::create(root, Family::Codex).expect("a place");
        super::plant(root, &Names::new(&place).expect("names"), files)
    }

    #[test]
    fn only_paths_inside_are_accepted() {
        for path in ["a", "sessions/2026/x.jsonl", "..a/b..", ".hidden"] {
            assert!(check(path).is_ok(), "{path:?}");
        }
        for path in ["", "/a", "a/", "a//b", "..", "a/../b", "./a", "a/.", "a\0b"] {
            assert!(check(path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn files_are_planted_with_their_time() {
        let root = tempfile::tempdir().expect("folder");
        let file = File { modified: 1_700_000_000_123_456_789, ..File::new("text") };
        plant(root.path(), &Home::from([("a/b".to_owned(), file)])).expect("planted");
        let metadata = fs::metadata(root.path().join("a/b")).expect("there");
        assert_eq!((metadata.mtime(), metadata.mtime_nsec()), (1_700_000_000, 123_456_789));
        assert_eq!(metadata.len(), 4);
    }

    #[test]
    fn no_link_is_followed_and_no_file_replaced() {
        let root = tempfile::tempdir().expect("folder");
        let outside = tempfile::tempdir().expect("folder");
        symlink(outside.path(), root.path().join("folder")).expect("link");
        symlink(outside.path().join("new"), root.path().join("file")).expect("link");
        fs::write(root.path().join("old"), "old").expect("written");
        for path in ["folder/x", "file", "old", "old/x"] {
            let home = Home::from([(path.to_owned(), File::new("new"))]);
            assert!(plant(root.path(), &home).is_err(), "{path}");
        }
        assert_eq!(fs::read_dir(outside.path()).expect("folder").count(), 0);
        assert_eq!(fs::read_to_string(root.path().join("old")).expect("there"), "old");
    }
}
