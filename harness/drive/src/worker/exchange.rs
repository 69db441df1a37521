//! What is said to the program, step by step.

use std::path::Path;

use forkproof_oracle::{Entry, Json, PROBE, Reply};

use super::plant;
use crate::codex::Process;
use crate::fault::{Deadline, Fault};

/// Resumes `thread`.
pub(super) async fn resume(
    process: &mut Process,
    thread: &str,
    entry: &Entry,
    root: &Path,
    deadline: Deadline,
) -> Result<Reply, Fault> {
    let mut params = vec![("threadId".to_owned(), Json::string(thread))];
    match entry {
        Entry::Id => {}
        Entry::Path(path) => {
            plant::check(path)?;
            let path = root.join(path).to_string_lossy().into_owned();
            params.push(("path".to_owned(), Json::String(path)));
        }
        Entry::Title(_) | Entry::Latest | Entry::New => {
            return Err(Fault::Harness("codex resumes by id or by path only".to_owned()));
        }
    }
    process.call("thread/resume", Json::Object(params), deadline).await
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
