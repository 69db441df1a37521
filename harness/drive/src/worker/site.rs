//! A home with what runs on it, and all that either knows already.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use forkproof_oracle::Family;

use super::Names;
use super::engine::Engine;
use super::snapshot::Mirror;
use crate::launch::Place;
use crate::{Case, codex};

/// A home and its engine.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) place: Place,
    pub(super) names: Names,
    pub(super) mirror: Mirror,
    pub(super) engine: Engine,
    threads: BTreeSet<String>,
    paths: BTreeSet<String>,
    cases: usize,
}

impl Site {
    /// A fresh home; a process is started when it is first needed.
    pub(super) fn create(path: &Path, family: Family) -> io::Result<Site> {
        let place = Place::create(path, family)?;
        Ok(Site {
            names: Names::new(&place)?,
            place,
            mirror: Mirror::default(),
            engine: Engine::new(family),
            threads: BTreeSet::new(),
            paths: BTreeSet::new(),
            cases: 0,
        })
    }

    /// Whether nothing that is here can disturb `case`.
    pub(super) fn accepts(&self, case: &Case, most: usize) -> bool {
        self.cases < most
            && !case.alone
            && self.threads.is_disjoint(&codex::of_case(case))
            && !case.files.keys().any(|path| self.paths.contains(path))
    }

    /// Notes what `case` brings.
    pub(super) fn admit(&mut self, case: &Case) {
        self.threads.extend(codex::of_case(case));
        self.paths.extend(case.files.keys().cloned());
        self.cases += 1;
    }

    /// Ends what runs and removes the home.
    pub(super) async fn remove(self) {
        self.engine.kill().await;
        // What stays goes with the sandbox.
        let _ = fs::remove_dir_all(&self.place.folder);
    }
}
