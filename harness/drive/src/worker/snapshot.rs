//! The session files of a home as they were seen last, to notice every change of any of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use forkproof_oracle::{File, Home};

use super::Names;

/// All session files of one home, as scenarios call them.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    files: BTreeMap<String, (Stamp, File)>,
}

/// What changes when a file is written, replaced or touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    size: u64,
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Mirror {
    /// Looks again. What has changed since the last look, with what was there before. Files in
    /// `own` are read in any case, others only if their stamp differs.
    pub(super) fn refresh(
        &mut self,
        root: &Path,
        names: &Names,
        own: &BTreeSet<String>,
    ) -> io::Result<BTreeMap<String, Option<File>>> {
        let mut changes = BTreeMap::new();
        let mut found = BTreeMap::new();
        for folder in names.folders {
            walk(root, (*folder).to_owned(), &mut found)?;
        }
        let found: BTreeMap<String, (String, Stamp)> = found
            .into_iter()
            .map(|(place, stamp)| (names.in_scenario(&place), (place, stamp)))
            .collect();
        for (path, (place, stamp)) in &found {
            let known = self.files.get(path);
            let same = known.is_some_and(|(before, _)| before == stamp);
            if same && !own.contains(path) {
                continue;
            }
            let Some(content) = present(fs::read(root.join(place)))? else { continue };
            if known.is_some_and(|(_, before)| same && before.content.0 == content) {
                continue;
            }
            let file = File { modified: stamp.nanoseconds(), ..File::new(content) };
            let before = self.files.insert(path.clone(), (*stamp, file));
            changes.insert(path.clone(), before.map(|(_, file)| file));
        }
        self.files.retain(|path, (_, file)| {
            let stays = found.contains_key(path);
            if !stays {
                changes.insert(path.clone(), Some(file.clone()));
            }
            stays
        });
        Ok(changes)
    }

    /// The files of `paths` that are there.
    pub(super) fn pick<'a>(&self, paths: impl IntoIterator<Item = &'a String>) -> Home {
        let file = |path: &String| Some((path.clone(), self.files.get(path)?.1.clone()));
        paths.into_iter().filter_map(file).collect()
    }
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> Stamp {
        Stamp {
            size: metadata.len(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    fn nanoseconds(self) -> u64 {
        let (seconds, nanoseconds) = self.modified;
        let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
        u64::try_from(total).unwrap_or_default()
    }
}

/// Collects the regular files below `path`; links are not followed.
fn walk(root: &Path, path: String, found: &mut BTreeMap<String, Stamp>) -> io::Result<()> {
    let mut folders = vec![path];
    while let Some(folder) = folders.pop() {
        let Some(entries) = present(fs::read_dir(root.join(&folder)))? else { continue };
        for entry in entries {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            let Some(metadata) = present(entry.metadata())? else { continue };
            if metadata.is_dir() {
                folders.push(path);
            } else if metadata.is_file() {
                found.insert(path, Stamp::of(&metadata));
            }
        }
    }
    Ok(())
}

/// What vanishes while we look was not there.
fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::time::{Duration, UNIX_EPOCH};

    use forkproof_oracle::Family;

    use super::Mirror;
    use crate::launch::Place;
    use crate::worker::Names;

    #[test]
    fn every_kind_of_change_is_noticed() {
        let root = tempfile::tempdir().expect("folder");
        let path = |name: &str| root.path().join("sessions").join(name);
        fs::create_dir(root.path().join("sessions")).expect("folder");
        let files = ["appended", "gone", "replaced", "same", "touched"];
        for name in files {
            fs::write(path(name), "text").expect("written");
        }
        let place = Place::create(root.path(), Family::Codex).expect("a place");
        let names = Names::new(&place).expect("names");
        let (mut mirror, own) = (Mirror::default(), BTreeSet::new());
        assert_eq!(mirror.refresh(root.path(), &names, &own).expect("read").len(), files.len());
        assert!(mirror.refresh(root.path(), &names, &own).expect("read").is_empty());

        fs::write(path("appended"), "text and more").expect("written");
        fs::remove_file(path("gone")).expect("removed");
        fs::write(path("other"), "text").expect("written");
        fs::rename(path("other"), path("replaced")).expect("renamed");
        let touched = fs::File::open(path("touched")).expect("opened");
        touched.set_modified(UNIX_EPOCH + Duration::from_secs(1)).expect("touched");
        fs::write(path("new"), "text").expect("written");
        fs::write(root.path().join("elsewhere"), "text").expect("written");

        let changes = mirror.refresh(root.path(), &names, &own).expect("read");
        let changed: Vec<&str> = changes.keys().map(String::as_str).collect();
        let expected = ["appended", "gone", "new", "replaced", "touched"];
        assert_eq!(changed, expected.map(|name| format!("sessions/{name}")));
        assert!(changes["sessions/new"].is_none());
        assert!(changes["sessions/gone"].as_ref().is_some_and(|file| file.content.0 == b"text"));
        let there = mirror.pick(changes.keys());
        assert_eq!(there["sessions/appended"].content.0, b"text and more");
        assert_eq!(there["sessions/touched"].modified, 1_000_000_000);
        assert!(!there.contains_key("sessions/gone"));
    }
}
