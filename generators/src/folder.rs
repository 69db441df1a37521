//! Scenarios as readable folders.
//!
//! ```text
//! case.toml            what it shows, its rules, source, licence, operations
//! home/…               the session files, raw bytes
//! expect/EDITION.json  what the real program did (see the judge)
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use forkproof_oracle::{Family, File, Home, Operation};
use serde::{Deserialize, Serialize};

use crate::{About, Program, Scenario};

/// Version of the format of `case.toml`.
const SCHEMA: u32 = 1;

/// A file that is not what it should be, or that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The content is not what it should be.
    #[error("{path}: {why}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, in one line.
        why: String,
    },
}

/// `case.toml`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    schema: u32,
    family: Family,
    title: String,
    rules: Vec<String>,
    source: String,
    licence: String,
    operations: Vec<Operation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<Program>,
}

/// Reads the scenario in `folder`, which is called `name`.
pub fn read(folder: &Path, name: &str) -> Result<Scenario, FileError> {
    let path = folder.join("case.toml");
    let malformed = |why: String| FileError::Malformed { path: path.clone(), why };
    let text = fs::read_to_string(&path).map_err(at(&path))?;
    let case: CaseFile = toml::from_str(&text).map_err(|error| malformed(one_line(&error)))?;
    if case.schema != SCHEMA {
        return Err(malformed(format!("schema {} is unknown, this version reads 1", case.schema)));
    }
    if case.operations.is_empty() {
        return Err(malformed("operations is empty, name at least one".to_owned()));
    }
    let mut home = Home::new();
    collect(&folder.join("home"), "", &mut home)?;
    if home.is_empty() {
        return Err(malformed("the folder home beside it holds no file".to_owned()));
    }
    let CaseFile { title, rules, source, licence, program, .. } = case;
    Ok(Scenario {
        name: name.to_owned(),
        family: case.family,
        home,
        operations: case.operations,
        about: About { title, rules, source, licence, program },
    })
}

/// Writes `scenario` into `folder`, which must not hold one yet.
pub fn write(scenario: &Scenario, folder: &Path) -> Result<(), FileError> {
    let About { title, rules, source, licence, program } = scenario.about.clone();
    let case = CaseFile {
        schema: SCHEMA,
        family: scenario.family,
        title,
        rules,
        source,
        licence,
        operations: scenario.operations.clone(),
        program,
    };
    let text = toml::to_string(&case).expect("a case is plain data");
    let path = folder.join("case.toml");
    fs::create_dir_all(folder).map_err(at(folder))?;
    if path.exists() {
        let why = "a case is there already, remove its folder first".to_owned();
        return Err(FileError::Malformed { path, why });
    }
    for (name, file) in &scenario.home {
        let path = folder.join("home").join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(at(parent))?;
        fs::write(&path, &file.content.0).map_err(at(&path))?;
    }
    fs::write(&path, text).map_err(at(&path))
}

fn collect(folder: &Path, prefix: &str, home: &mut Home) -> Result<(), FileError> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        let path = entry.path();
        let name = entry.file_name().into_string().map_err(|_| FileError::Malformed {
            path: path.clone(),
            why: "the name is not UTF-8".to_owned(),
        })?;
        let kind = entry.file_type().map_err(at(&path))?;
        let name = format!("{prefix}{name}");
        if kind.is_dir() {
            collect(&path, &format!("{name}/"), home)?;
        } else if kind.is_file() {
            home.insert(name, File::new(fs::read(&path).map_err(at(&path))?));
        } else {
            let why = "neither file nor folder, a case holds no links".to_owned();
            return Err(FileError::Malformed { path, why });
        }
    }
    Ok(())
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FileError {
    move |source| FileError::Io { path: path.to_owned(), source }
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().lines().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codex::sample;

    #[test]
    fn a_scenario_survives_a_round_trip() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (index, program) in sample(7, 20).into_iter().enumerate() {
            let scenario = Scenario::generated(program);
            let folder = folder.path().join(index.to_string());
            write(&scenario, &folder).expect("writes");
            assert_eq!(read(&folder, &scenario.name).expect("reads"), scenario);
        }
    }

    #[test]
    fn an_existing_case_is_never_overwritten() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let scenario = Scenario::generated(sample(7, 1).remove(0));
        write(&scenario, folder.path()).expect("writes");
        assert!(write(&scenario, folder.path()).is_err());
    }

    #[test]
    fn a_malformed_case_says_in_one_line_what_is_wrong() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for text in ["schema = 2", "}", "schema = 1\nfamily = \"codex\"", ""] {
            fs::write(folder.path().join("case.toml"), text).expect("writes");
            let error = read(folder.path(), "x").expect_err("malformed").to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
