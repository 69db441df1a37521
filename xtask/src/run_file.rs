//! The file that a run is written to.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use forkproof_drive::Failure;
use forkproof_judge::Event;
use jiff::Timestamp;

use crate::options::root;

/// `run.jsonl` in a folder.
pub(crate) struct RunFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// Folders that were not there before, the deepest first.
    made: Vec<PathBuf>,
}

impl RunFile {
    /// Makes it in `folder`, or in a new folder for runs; one that is there is never overwritten.
    pub(crate) fn create(folder: Option<&Path>) -> Result<RunFile, Failure> {
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => {
                let now = Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
                let name = format!("{now}-{}", std::process::id());
                root()?.join("target/forkproof/runs").join(name)
            }
        };
        let made: Vec<PathBuf> =
            folder.ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
        let path = folder.join("run.jsonl");
        let file = fs::create_dir_all(&folder).and_then(|()| File::create_new(&path));
        match file {
            Ok(file) => Ok(RunFile { path, file: BufWriter::new(file), made }),
            Err(error) => {
                remove(&made);
                Err(refused(&folder, &error))
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(&mut self, event: &Event) -> Result<(), Failure> {
        event.write(&mut self.file).map_err(|error| {
            Failure::Harness(format!("cannot write {}: {error}", self.path.display()))
        })
    }

    /// Removes it, and the folders that were made for it.
    pub(crate) fn discard(self) {
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_file(&self.path);
        remove(&self.made);
    }
}

fn remove(folders: &[PathBuf]) {
    for folder in folders {
        // One that was not made, or that somebody uses by now, stays.
        let _ = fs::remove_dir(folder);
    }
}

fn refused(folder: &Path, error: &io::Error) -> Failure {
    let folder = folder.display();
    Failure::Usage(match error.kind() {
        ErrorKind::AlreadyExists => format!("{folder} holds a run already, name another --out"),
        _ => format!("{folder} cannot be written ({error}), name another --out"),
    })
}
