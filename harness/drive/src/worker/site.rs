//! A home with the process on it, and all that either knows already.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::ids;
use super::snapshot::Mirror;
use crate::Case;
use crate::codex::{Launch, Place, Process};
use crate::fault::{Deadline, Fault};

/// A home and its process.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) place: Place,
    pub(super) mirror: Mirror,
    process: Option<Process>,
    loaded: BTreeSet<String>,
    threads: BTreeSet<String>,
    paths: BTreeSet<String>,
    cases: usize,
}

impl Site {
    /// A fresh home; its process is started when it is first needed.
    pub(super) fn create(path: &Path) -> io::Result<Site> {
        Ok(Site {
            place: Place::create(path)?,
            mirror: Mirror::default(),
            process: None,
            loaded: BTreeSet::new(),
            threads: BTreeSet::new(),
            paths: BTreeSet::new(),
            cases: 0,
        })
    }

    /// Whether nothing that is here can disturb `case`.
    pub(super) fn accepts(&self, case: &Case, most: usize) -> bool {
        self.cases < most
            && !case.alone
            && self.threads.is_disjoint(&ids::of_case(case))
            && !case.files.keys().any(|path| self.paths.contains(path))
    }

    /// Notes what `case` brings.
    pub(super) fn admit(&mut self, case: &Case) {
        self.threads.extend(ids::of_case(case));
        self.paths.extend(case.files.keys().cloned());
        self.cases += 1;
    }

    /// The running process, started if there is none.
    pub(super) async fn process(
        &mut self,
        launch: &Launch,
        port: u16,
        deadline: Deadline,
    ) -> Result<&mut Process, Fault> {
        if self.process.is_none() {
            let process = Process::start(launch, &self.place, port, deadline).await?;
            self.process = Some(process);
        }
        self.process.as_mut().ok_or_else(|| Fault::Harness("no process".to_owned()))
    }

    /// Makes sure that the process has loaded none of `threads`: ends it if it has.
    pub(super) async fn unload(&mut self, threads: &[String]) {
        if threads.iter().any(|thread| self.loaded.contains(thread))
            && let Some(process) = self.process.take()
        {
            process.close().await;
            self.loaded.clear();
        }
    }

    /// Notes that the process has loaded `thread`.
    pub(super) fn loaded(&mut self, thread: &str) {
        self.loaded.insert(ids::key(thread));
    }

    /// Ends the process and removes the home.
    pub(super) async fn remove(self) {
        if let Some(process) = self.process {
            process.kill().await;
        }
        // What stays goes with the sandbox.
        let _ = fs::remove_dir_all(&self.place.0);
    }
}
