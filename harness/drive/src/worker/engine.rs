//! The one place where the families part: how an operation is carried out.

use forkproof_oracle::{Family, Json, Operation, Reply};

use super::Names;
use super::plant;
use crate::fault::{Deadline, Fault};
use crate::launch::{Launch, Place};
use crate::model::Model;
use crate::{claude, codex};

/// What an operation is carried out with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) launch: &'a Launch,
    pub(crate) place: &'a Place,
    pub(crate) names: &'a Names,
    pub(crate) model: &'a Model,
    pub(crate) deadline: Deadline,
}

impl Call<'_> {
    /// Where the session file `path` of a scenario lies.
    pub(crate) fn file(&self, path: &str) -> Result<String, Fault> {
        plant::check(path)?;
        let place = self.place.root().join(self.names.on_disk(path));
        Ok(place.to_string_lossy().into_owned())
    }
}

/// What runs in a home.
#[derive(Debug)]
pub(super) enum Engine {
    /// A process an operation: nothing is kept between two.
    Claude,
    /// A process for many operations.
    Codex(Box<codex::Engine>),
}

impl Engine {
    /// That of a family.
    pub(super) fn new(family: Family) -> Engine {
        match family {
            Family::Claude => Engine::Claude,
            Family::Codex => Engine::Codex(Box::default()),
        }
    }

    /// Does what comes before `operation` and is not its doing.
    pub(super) async fn prepare(
        &mut self,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(), Fault> {
        match self {
            Engine::Claude => Ok(()),
            Engine::Codex(engine) => engine.prepare(call, operation).await,
        }
    }

    /// Carries out `operation`: the answer to it, and the first model request that followed.
    pub(super) async fn perform(
        &mut self,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(Reply, Option<Json>), Fault> {
        match self {
            Engine::Claude => claude::perform(call, operation).await,
            Engine::Codex(engine) => engine.perform(call, operation).await,
        }
    }

    /// Carries out `operation` and looks at nothing.
    pub(super) async fn repeat(
        &mut self,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(), Fault> {
        match self {
            Engine::Claude => claude::repeat(call, operation).await,
            Engine::Codex(engine) => engine.repeat(call, operation).await,
        }
    }

    /// Ends it at once.
    pub(super) async fn kill(self) {
        match self {
            Engine::Claude => {}
            Engine::Codex(engine) => engine.kill().await,
        }
    }
}
