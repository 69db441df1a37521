//! One process for many operations.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use forkproof_oracle::{Json, Operation, Reply};

use super::exchange::{probe, resume, thread_of};
use super::ids;
use super::process::Process;
use crate::fault::Fault;
use crate::worker::Call;

/// The process in a home, and the threads that it has loaded.
#[derive(Debug, Default)]
pub(crate) struct Engine {
    process: Option<Process>,
    loaded: BTreeSet<String>,
}

impl Engine {
    /// Starts the process if there is none, or none that may take `operation`.
    pub(crate) async fn prepare(
        &mut self,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(), Fault> {
        self.unload(&ids::of_operation(operation)).await;
        self.process(call).await.map(|_| ())
    }

    /// Carries out `operation`: the answer to it, and the first request that followed.
    pub(crate) async fn perform(
        &mut self,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(Reply, Option<Json>), Fault> {
        let process = self.process(call).await?;
        process.forget();
        let reply = resume(process, operation, call).await?;
        let Reply::Result(result) = &reply else { return Ok((reply, None)) };
        let thread = thread_of(result)?.to_owned();
        call.model.arm(&thread, None);
        probe(process, &thread, call.deadline).await?;
        let request = call.model.take(&thread);
        let file =
            result.get("thread").and_then(|thread| thread.get("path")).and_then(Json::as_str);
        if let Some(file) = file {
            settle(Path::new(file)).await;
        }
        self.loaded.insert(ids::key(&thread));
        Ok((reply, request))
    }

    /// Carries out `operation` and looks at nothing.
    pub(crate) async fn repeat(
        &mut self,
        call: &Call<'_>,
        operation: &Operation,
    ) -> Result<(), Fault> {
        let process = self.process(call).await?;
        process.forget();
        if let Reply::Result(result) = resume(process, operation, call).await? {
            probe(process, thread_of(&result)?, call.deadline).await?;
        }
        Ok(())
    }

    /// Ends the process at once.
    pub(crate) async fn kill(self) {
        if let Some(process) = self.process {
            process.kill().await;
        }
    }

    /// The running process, started if there is none.
    pub(super) async fn process(&mut self, call: &Call<'_>) -> Result<&mut Process, Fault> {
        if self.process.is_none() {
            self.process = Some(Process::start(call).await?);
        }
        self.process.as_mut().ok_or_else(|| Fault::Harness("no process".to_owned()))
    }

    /// Makes sure that the process has loaded none of `threads`: ends it if it has.
    async fn unload(&mut self, threads: &[String]) {
        if threads.iter().any(|thread| self.loaded.contains(thread))
            && let Some(process) = self.process.take()
        {
            process.close().await;
            self.loaded.clear();
        }
    }
}

/// Waits until the last line of a file is whole. The program has written everything when it says
/// that a turn is complete; this covers a program that has not, for a moment.
async fn settle(file: &Path) {
    for _ in 0..20 {
        if whole(file).unwrap_or(true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn whole(file: &Path) -> std::io::Result<bool> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = std::fs::File::open(file)?;
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
