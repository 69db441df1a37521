//! A started target.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use base16ct::lower::encode_string;
use forkproof_generators::Scenario;
use forkproof_judge::Expect;
use forkproof_oracle::{Edition, Family, File, Home, Markers};
use sha2::{Digest, Sha256};

use super::{Failure, Target};
use crate::host::on_path;
use crate::selfcheck::selfcheck;
use crate::{Case, Ending, Executable, Options, Tripwire, Usage, Worker, install};

/// Which target, and how to run it.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The project's folder.
    pub root: PathBuf,
    /// The target.
    pub target: Target,
    /// An executable to use instead of an installed release.
    pub bin: Option<PathBuf>,
    /// Judge by this edition instead of that of the target's version.
    pub edition: Option<String>,
    /// Judge by what the edition does, or by what it should do.
    pub expect: Expect,
    /// Processes at once, and so on.
    pub options: Options,
}

impl Choice {
    /// The family that the target follows: which scenarios it can be given.
    ///
    /// # Errors
    ///
    /// The edition is unknown, or of another family than the target.
    pub fn family(&self) -> Result<Family, Failure> {
        let (target, edition) = (family_of(&self.target), self.edition()?);
        match (target, edition) {
            (Some(family), Some(edition)) if family != edition.family => {
                Err(Failure::Usage(format!(
                    "{} is an edition of {}, the target {} is none",
                    edition.name,
                    edition.family.name(),
                    self.target
                )))
            }
            (Some(family), _) => Ok(family),
            (None, Some(edition)) => Ok(edition.family),
            (None, None) => Ok(newest()?.family),
        }
    }

    /// An error if the target cannot be given `scenario`.
    pub fn takes(&self, scenario: &Scenario) -> Result<(), Failure> {
        let family = self.family()?;
        if scenario.family == family {
            return Ok(());
        }
        let text = format!(
            "{} is a scenario of {}, the target {} is judged by {}",
            scenario.name,
            scenario.family.name(),
            self.target,
            family.name()
        );
        Err(Failure::Usage(text))
    }

    /// The edition that is named.
    fn edition(&self) -> Result<Option<&'static Edition>, Failure> {
        let Some(name) = &self.edition else { return Ok(None) };
        let unknown = || {
            Failure::Usage(format!(
                "edition {name} is unknown, `cargo xtask list editions` names all"
            ))
        };
        Edition::named(name).map(Some).ok_or_else(unknown)
    }
}

/// The family of a target that can only be of one.
fn family_of(target: &Target) -> Option<Family> {
    match target {
        Target::Real { family, .. } => Some(*family),
        Target::Oracle => None,
        Target::Tripwire { over, .. } => family_of(over),
    }
}

/// The edition of an oracle that is not told which.
fn newest() -> Result<&'static Edition, Failure> {
    forkproof_oracle::EDITIONS.last().copied().ok_or_else(no_edition)
}

/// A started target, and what it is judged by.
#[derive(Debug)]
pub struct Session {
    /// Its version.
    pub version: String,
    /// Whether it is the pinned release.
    pub pinned: bool,
    /// What it is judged by.
    pub edition: &'static Edition,
    /// Whether the edition is proven on another release only.
    pub extrapolated: bool,
    /// Which of its outcomes count.
    pub expect: Expect,
    /// Product texts, as the target taught them.
    pub markers: Markers,
    engine: Engine,
    tripwire: Option<Tripwire>,
}

#[derive(Debug)]
enum Engine {
    Real(Worker),
    SelfCheck(VecDeque<(u64, Ending)>),
}

impl Session {
    /// Installs what is missing and starts the target, unless `stop` is set.
    pub fn start(choice: &Choice, stop: &AtomicBool) -> Result<Session, Failure> {
        choice.family()?;
        start(&choice.target, choice.edition()?, choice, stop)
    }

    /// Gives it a scenario; `alone` means with a home and a process of its own.
    pub fn submit(&mut self, id: u64, scenario: &Scenario, alone: bool) {
        let files = filled(&scenario.home, &self.markers);
        let operations = scenario.operations.clone();
        match &mut self.engine {
            Engine::Real(worker) => worker.submit(Case { id, files, operations, alone }),
            Engine::SelfCheck(done) => {
                let seen = selfcheck(&files, &operations, self.edition, &self.markers);
                done.push_back((id, Ending::Observed(seen)));
            }
        }
    }

    /// The next ending, if one comes in `time`.
    pub fn wait(&mut self, time: Duration) -> Option<(u64, Ending)> {
        let (id, mut ending) = match &mut self.engine {
            Engine::Real(worker) => worker.wait(time)?,
            Engine::SelfCheck(done) => done.pop_front()?,
        };
        if let (Some(tripwire), Ending::Observed(seen)) = (self.tripwire, &mut ending) {
            seen.iter_mut().for_each(|observed| tripwire.apply(observed));
        }
        Some((id, ending))
    }

    /// Whether it is wrong on purpose.
    pub fn is_tripwire(&self) -> bool {
        self.tripwire.is_some()
    }

    /// Another executable of a real target's name that a shell would run: what people use may not
    /// be what is tested.
    pub(super) fn other_on_path(&self) -> Option<String> {
        let Engine::Real(_) = self.engine else { return None };
        on_path(self.edition.family.name()).map(|path| path.display().to_string())
    }

    /// Ends it.
    pub fn finish(self) -> Usage {
        match self.engine {
            Engine::Real(worker) => worker.finish(),
            Engine::SelfCheck(_) => Usage::default(),
        }
    }
}

fn start(
    target: &Target,
    named: Option<&'static Edition>,
    choice: &Choice,
    stop: &AtomicBool,
) -> Result<Session, Failure> {
    match target {
        Target::Tripwire { tripwire, over } => {
            let session = start(over, named, choice, stop)?;
            let family = session.edition.family;
            if !tripwire.is_for(family) {
                let (name, family) = (tripwire.name(), family.name());
                let text = format!("tripwire:{name} changes what {family} does not show");
                return Err(Failure::Usage(text));
            }
            Ok(Session { tripwire: Some(*tripwire), ..session })
        }
        Target::Oracle => {
            let edition = match named {
                Some(edition) => edition,
                None => newest()?,
            };
            Ok(Session {
                version: edition.release.to_owned(),
                pinned: true,
                edition,
                extrapolated: false,
                expect: choice.expect,
                markers: Markers::stand_in(),
                engine: Engine::SelfCheck(VecDeque::new()),
                tripwire: None,
            })
        }
        Target::Real { family, version } => real(*family, version.as_deref(), named, choice, stop),
    }
}

fn real(
    family: Family,
    version: Option<&str>,
    named: Option<&'static Edition>,
    choice: &Choice,
    stop: &AtomicBool,
) -> Result<Session, Failure> {
    let (program, pinned) = program(choice, family, version)?;
    let options = Options { teach: family == Family::Codex, ..choice.options.clone() };
    let worker = Worker::start_unless(&program, &options, stop)?;
    let asked = version;
    let version = worker.version().to_owned();
    if let Some(asked) = asked.filter(|asked| *asked != version) {
        let (place, name) = (program.path.display(), family.name());
        return Err(Failure::NoTarget(format!("{place} is {name} {version}, not {asked}")));
    }
    let (edition, extrapolated) = match named {
        Some(edition) => (edition, edition.release != version),
        None => Edition::of_release(family, &version).ok_or_else(no_edition)?,
    };
    let markers = match worker.summary_prefix() {
        Some(prefix) => Markers { summary_prefix: prefix.to_owned() },
        // Nothing that it would have to teach.
        None => Markers::stand_in(),
    };
    let hash = encode_string(&Sha256::digest(markers.summary_prefix.as_bytes()));
    if options.teach && hash != Markers::SUMMARY_PREFIX_SHA256 && !extrapolated {
        return Err(Failure::NoTarget(format!(
            "{} {version} puts another text before summaries than the proven release \
             (SHA-256 {hash}), it is not that release",
            family.name()
        )));
    }
    Ok(Session {
        version,
        pinned,
        edition,
        extrapolated,
        expect: choice.expect,
        markers,
        engine: Engine::Real(worker),
        tripwire: None,
    })
}

/// The executable of a real target, and whether it is the pinned release.
pub(super) fn program(
    choice: &Choice,
    family: Family,
    version: Option<&str>,
) -> Result<(Executable, bool), Failure> {
    match &choice.bin {
        Some(path) => Ok((Executable { family, path: path.clone() }, false)),
        None => {
            let release = install(&choice.root, family, version)?;
            Ok((release.program, release.pinned))
        }
    }
}

fn no_edition() -> Failure {
    Failure::Usage("the oracle has no edition for this target".to_owned())
}

/// Session files with tokens replaced by texts.
pub(super) fn filled(home: &Home, markers: &Markers) -> Home {
    let fill = |file: &File| File {
        content: forkproof_oracle::Bytes(markers.fill(&file.content.0)),
        ..*file
    };
    home.iter().map(|(path, file)| (path.clone(), fill(file))).collect()
}
