//! One process an operation.

use forkproof_oracle::{Json, Operation, Reply};

use super::MARK;
use super::arguments::arguments;
use super::process::Process;
use super::reply::reply;
use crate::fault::Fault;
use crate::worker::Call;

/// Carries out `operation`: how it ended, and the first request that it made for its turn.
pub(crate) async fn perform(
    call: &Call<'_>,
    operation: &Operation,
) -> Result<(Reply, Option<Json>), Fault> {
    let arguments = arguments(operation, call)?;
    call.model.arm(MARK, None);
    let ended = Process::start(call, &arguments)?.end(call.deadline).await?;
    Ok((reply(&ended)?, call.model.take(MARK)))
}

/// Carries out `operation` and looks at nothing.
pub(crate) async fn repeat(call: &Call<'_>, operation: &Operation) -> Result<(), Fault> {
    let arguments = arguments(operation, call)?;
    Process::start(call, &arguments)?.end(call.deadline).await.map(|_| ())
}
