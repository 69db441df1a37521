//! One operation, seen from all sides.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use forkproof_oracle::{Json, Observed, Operation, Reply};

use super::exchange::{probe, resume, thread_of};
use super::ids;
use super::site::Site;
use crate::codex::Launch;
use crate::fault::{Deadline, Fault};
use crate::model::Model;

/// What an operation runs with.
pub(super) struct Context<'a> {
    pub(super) launch: &'a Launch,
    pub(super) model: &'a Model,
    pub(super) deadline: Deadline,
}

/// Carries out `operation`. `own` are the files of the case; new ones are added.
pub(super) async fn perform(
    site: &mut Site,
    context: &Context<'_>,
    operation: &Operation,
    own: &mut BTreeSet<String>,
) -> Result<Observed, Fault> {
    site.unload(&ids::of_operation(operation)).await;
    let root = site.place.codex();
    let look = |error| Fault::ours("read the session files", error);
    // The program writes at its start too; that is not the operation's doing.
    site.process(context.launch, context.model.port(), context.deadline).await?;
    site.mirror.refresh(&root, own).map_err(look)?;
    let mut before = site.mirror.pick(&*own);

    let (reply, request) = exchange(site, context, operation, &root).await?;

    let changes = site.mirror.refresh(&root, own).map_err(look)?;
    let seen: BTreeSet<String> = own.iter().chain(changes.keys()).cloned().collect();
    let after = site.mirror.pick(&seen);
    for (path, file) in changes {
        match file {
            Some(file) => {
                before.entry(path).or_insert(file);
            }
            None => {
                own.insert(path);
            }
        }
    }
    let root = root.to_string_lossy().into_owned();
    Ok(Observed { root, before, after, reply, request })
}

async fn exchange(
    site: &mut Site,
    context: &Context<'_>,
    operation: &Operation,
    root: &Path,
) -> Result<(Reply, Option<Json>), Fault> {
    let Context { launch, model, deadline } = *context;
    let Operation::Resume { thread, entry, .. } = operation;
    let process = site.process(launch, model.port(), deadline).await?;
    process.forget();
    let reply = resume(process, thread, entry, root, deadline).await?;
    let Reply::Result(result) = &reply else { return Ok((reply, None)) };
    let thread = thread_of(result)?.to_owned();
    model.arm(&thread, None);
    probe(process, &thread, deadline).await?;
    let request = model.take(&thread);
    let file = result.get("thread").and_then(|thread| thread.get("path")).and_then(Json::as_str);
    if let Some(file) = file {
        settle(Path::new(file)).await;
    }
    site.loaded(&thread);
    Ok((reply, request))
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
