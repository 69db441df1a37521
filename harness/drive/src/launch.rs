//! How a program is started, and the folders that it gets.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use forkproof_oracle::Family;
use serde::{Deserialize, Serialize};
use tokio::process::Command;

use crate::protocol::Setup;
use crate::{claude, codex};

/// What is run, and which semantics it follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executable {
    /// The family.
    pub family: Family,
    /// The file; one whose name ends in `.js` is run by the `node` on the search path.
    pub path: PathBuf,
}

/// What to start, and how.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program.
    pub(crate) program: Executable,
    /// Where `node` lies, if it is there.
    node: Option<PathBuf>,
    /// Whether nothing but loopback can be reached anyway.
    namespace: bool,
}

impl Launch {
    /// As `setup` says.
    pub(crate) fn new(setup: &Setup) -> Launch {
        let Setup { program, node, namespace, .. } = setup;
        Launch { program: program.clone(), node: node.clone(), namespace: *namespace }
    }

    /// A command with nothing of our own environment.
    pub(crate) fn command(&self, place: &Place) -> Command {
        let node = self.node.as_ref().filter(|_| is_script(&self.program.path));
        let mut command = Command::new(node.unwrap_or(&self.program.path));
        if node.is_some() {
            command.arg(&self.program.path);
        }
        command
            .env_clear()
            .env("HOME", place.home())
            .env("TMPDIR", place.temp())
            .env("PATH", self.search_path())
            .current_dir(place.work())
            .kill_on_drop(true);
        match place.family {
            Family::Claude => command.envs(claude::ENVIRONMENT),
            Family::Codex => command.envs(codex::ENVIRONMENT),
        };
        command.env(home_variable(place.family), place.root());
        if place.family == Family::Claude {
            // Older releases put the output of tools below `/tmp` otherwise, which they cannot write.
            command.env("CLAUDE_CODE_TMPDIR", place.temp());
        }
        if !self.namespace {
            // Nobody listens on the discard port: what does not go to loopback fails at once.
            for name in ["http_proxy", "https_proxy", "all_proxy"] {
                command.env(name, "http://127.0.0.1:9");
                command.env(name.to_uppercase(), "http://127.0.0.1:9");
            }
            command.env("no_proxy", "127.0.0.1,localhost");
            command.env("NO_PROXY", "127.0.0.1,localhost");
        }
        command
    }

    /// The system's folders, behind that of `node` for a program that lives on it.
    fn search_path(&self) -> OsString {
        let folder = self.node.as_deref().and_then(Path::parent);
        let folder = folder.filter(|_| self.program.family == Family::Claude);
        let mut path = folder.map(|folder| folder.as_os_str().to_owned()).unwrap_or_default();
        if !path.is_empty() {
            path.push(":");
        }
        path.push("/usr/bin:/bin");
        path
    }
}

/// Whether `path` is run by `node`.
pub(crate) fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "js")
}

/// The folder of one process and its homes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// All of it.
    pub(crate) folder: PathBuf,
    pub(crate) family: Family,
}

impl Place {
    /// Makes the folders in it.
    pub(crate) fn create(folder: &Path, family: Family) -> io::Result<Place> {
        let place = Place { folder: folder.to_owned(), family };
        for folder in [place.root(), place.home(), place.temp(), place.work()] {
            fs::create_dir_all(folder)?;
        }
        Ok(place)
    }

    /// The program's home, in which it keeps its sessions.
    pub(crate) fn root(&self) -> PathBuf {
        self.folder.join(self.family.name())
    }

    /// Where it runs.
    pub(crate) fn work(&self) -> PathBuf {
        match self.family {
            Family::Claude => self.folder.join("work"),
            Family::Codex => self.folder.clone(),
        }
    }

    fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    fn temp(&self) -> PathBuf {
        self.folder.join("tmp")
    }
}

/// The variable that names [`Place::root`].
fn home_variable(family: Family) -> &'static str {
    match family {
        Family::Claude => "CLAUDE_CONFIG_DIR",
        Family::Codex => "CODEX_HOME",
    }
}
