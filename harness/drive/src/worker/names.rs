//! What session files are called in scenarios.

use std::io;

use forkproof_oracle::Family;

use crate::launch::Place;
use crate::{claude, codex};

/// How the project folder of the working folder is called in scenarios; on a disk its name tells
/// where that lies.
const WORK: &str = "projects/work/";

/// The names of session files below one home, in scenarios and on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Names {
    /// The folders that hold sessions.
    pub(super) folders: &'static [&'static str],
    /// What stands for [`WORK`] on the disk.
    work: Option<String>,
}

impl Names {
    /// Those of `place`.
    pub(crate) fn new(place: &Place) -> io::Result<Names> {
        Ok(match place.family {
            Family::Claude => {
                let folder = claude::slug(&place.work().canonicalize()?);
                let work = Some(format!("projects/{folder}/"));
                Names { folders: claude::FOLDERS, work }
            }
            Family::Codex => Names { folders: codex::FOLDERS, work: None },
        })
    }

    /// Where `path` of a scenario lies.
    pub(crate) fn on_disk(&self, path: &str) -> String {
        match (&self.work, path.strip_prefix(WORK)) {
            (Some(work), Some(rest)) => format!("{work}{rest}"),
            _ => path.to_owned(),
        }
    }

    /// How a scenario calls the file at `path`.
    pub(super) fn in_scenario(&self, path: &str) -> String {
        match self.work.as_deref().and_then(|work| path.strip_prefix(work)) {
            Some(rest) => format!("{WORK}{rest}"),
            None => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::Family;

    use super::Names;
    use crate::launch::Place;

    #[test]
    fn the_project_of_the_working_folder_has_one_name_in_all_scenarios() {
        let folder = tempfile::tempdir().expect("folder");
        let place = Place::create(folder.path(), Family::Claude).expect("a place");
        let names = Names::new(&place).expect("names");
        let there = names.on_disk("projects/work/a.jsonl");
        let slug = there.strip_prefix("projects/").and_then(|rest| rest.strip_suffix("/a.jsonl"));
        assert!(slug.is_some_and(|slug| slug.ends_with("-work") && !slug.contains('/')), "{there}");
        assert_eq!(names.in_scenario(&there), "projects/work/a.jsonl");
        for other in ["projects/-elsewhere/a.jsonl", "projects/work", "projects/works/a"] {
            assert_eq!(names.on_disk(other), other);
            assert_eq!(names.in_scenario(other), other);
        }
    }
}
