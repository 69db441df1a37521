//! Golden values: what a real program did, beside the scenario.

use std::path::{Path, PathBuf};
use std::{fs, io};

use forkproof_generators::FileError;
use forkproof_oracle::Outcome;
use serde::{Deserialize, Serialize};

/// `expect/EDITION.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Version of the format: 1.
    pub schema: u32,
    /// The program that it was recorded from, such as `codex`.
    pub target: String,
    /// Its version.
    pub version: String,
    /// The canonical outcome of each operation.
    pub outcomes: Vec<Outcome>,
}

impl Expected {
    /// Version of the format.
    pub const SCHEMA: u32 = 1;

    /// Where the values of `edition` for the scenario in `folder` lie.
    pub fn path(folder: &Path, edition: &str) -> PathBuf {
        folder.join("expect").join(format!("{edition}.json"))
    }

    /// Reads them; `None` if nothing was recorded for `edition`.
    pub fn read(folder: &Path, edition: &str) -> Result<Option<Expected>, FileError> {
        let path = Expected::path(folder, edition);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(FileError::Io { path, source }),
        };
        match serde_json::from_str::<Expected>(&text) {
            Ok(expected) if expected.schema == Expected::SCHEMA => Ok(Some(expected)),
            Ok(expected) => {
                let why = format!("schema {} is unknown, this version reads 1", expected.schema);
                Err(FileError::Malformed { path, why })
            }
            Err(error) => Err(FileError::Malformed { path, why: error.to_string() }),
        }
    }

    /// Writes them.
    pub fn write(&self, folder: &Path, edition: &str) -> Result<PathBuf, FileError> {
        let path = Expected::path(folder, edition);
        let text = serde_json::to_string_pretty(self).expect("an outcome is plain data") + "\n";
        let at = |source| FileError::Io { path: path.clone(), source };
        fs::create_dir_all(folder.join("expect")).map_err(at)?;
        fs::write(&path, text).map_err(at)?;
        Ok(path)
    }
}
