//! What is said to the program, step by step.

use forkproof_oracle::{Entry, Json, Operation, PROBE, Reply, Terms};

use super::process::Process;
use crate::fault::{Deadline, Fault};
use crate::worker::Call;

/// Resumes the thread of `operation`.
pub(super) async fn resume(
    process: &mut Process,
    operation: &Operation,
    call: &Call<'_>,
) -> Result<Reply, Fault> {
    let Operation::Resume { thread, entry, terms } = operation;
    if *terms != Terms::default() {
        return Err(Fault::Harness("codex resumes on the usual terms only".to_owned()));
    }
    let mut params = vec![("threadId".to_owned(), Json::string(thread))];
    match entry {
        Entry::Id => {}
        Entry::Path(path) => {
            params.push(("path".to_owned(), Json::String(call.file(path)?)));
        }
        Entry::Title(_) | Entry::Latest | Entry::New => {
            return Err(Fault::Harness("codex resumes by id or by path only".to_owned()));
        }
    }
    process.call("thread/resume", Json::Object(params), call.deadline).await
}

/// Takes the one turn that shows the context, and waits for its end. A turn that is refused shows
/// nothing, which is an observation too.
pub(super) async fn probe(
    process: &mut Process,
    thread: &str,
    deadline: Deadline,
) -> Result<(), Fault> {
    process.forget();
    let text = Json::object([("type", Json::string("text")), ("text", Json::string(PROBE))]);
    let params =
        Json::object([("threadId", Json::string(thread)), ("input", Json::Array(vec![text]))]);
    if let Reply::Result(_) = process.call("turn/start", params, deadline).await? {
        process.wait_for("turn/completed", thread, deadline).await?;
    }
    Ok(())
}

/// The thread in the result of a call that loads one.
pub(super) fn thread_of(result: &Json) -> Result<&str, Fault> {
    result.get("thread").and_then(|thread| thread.get("id")).and_then(Json::as_str).ok_or_else(
        || Fault::Target("an answer without `thread.id` to a call that loads".to_owned()),
    )
}
