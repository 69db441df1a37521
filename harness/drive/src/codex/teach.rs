//! Learns a product text from the program itself.

use std::fs;

use forkproof_oracle::{Family, Json, Reply};

use super::Engine;
use super::exchange::{probe, thread_of};
use crate::fault::{Deadline, Fault};
use crate::launch::{Launch, Place};
use crate::model::Model;
use crate::protocol::Setup;
use crate::worker::{Call, Names};

/// What the program puts before the summary of a compacted thread, without the line break after
/// it: compacts a throw-away thread and reads what it has written.
pub(crate) async fn summary_prefix(setup: &Setup) -> Result<String, Fault> {
    let place = Place::create(&setup.root.join("teach"), Family::Codex)
        .map_err(|error| Fault::ours("make a home", error))?;
    let model = Model::start().await.map_err(|error| Fault::ours("start a model server", error))?;
    let launch = Launch::new(setup);
    let names = Names::new(&place).map_err(|error| Fault::ours("name a home", error))?;
    let deadline = Deadline::after(setup.deadline);
    let call = Call { launch: &launch, place: &place, names: &names, model: &model, deadline };
    let mut engine = Engine::default();
    let taught = compact(&mut engine, &call).await;
    engine.kill().await;
    // What stays goes with the sandbox.
    let _ = fs::remove_dir_all(&place.folder);
    taught
}

async fn compact(engine: &mut Engine, call: &Call<'_>) -> Result<String, Fault> {
    let deadline = call.deadline;
    let folder = call.place.folder.to_string_lossy().into_owned();
    let process = engine.process(call).await?;
    let params = Json::object([("cwd", Json::string(folder))]);
    let started = result("thread/start", process.call("thread/start", params, deadline).await?)?;
    let thread = thread_of(&started)?;
    probe(process, thread, deadline).await?;
    process.forget();
    let params = Json::object([("threadId", Json::string(thread))]);
    let method = "thread/compact/start";
    result(method, process.call(method, params, deadline).await?)?;
    process.wait_for("turn/completed", thread, deadline).await?;
    let path = started.get("thread").and_then(|thread| thread.get("path"));
    let path = path.and_then(Json::as_str).unwrap_or_default();
    let text = fs::read_to_string(path)
        .map_err(|error| Fault::Target(format!("no rollout of a new thread: {error}")))?;
    text.lines().filter_map(Json::parse).find_map(|record| prefix(&record)).ok_or_else(|| {
        Fault::Target("no `compacted` record with a message after a compaction".to_owned())
    })
}

fn result(method: &str, reply: Reply) -> Result<Json, Fault> {
    match reply {
        Reply::Result(result) => Ok(result),
        Reply::Error { message, .. } => {
            Err(Fault::Target(format!("{method} was refused: {message}")))
        }
    }
}

fn prefix(record: &Json) -> Option<String> {
    if record.get("type")?.as_str()? != "compacted" {
        return None;
    }
    let message = record.get("payload")?.get("message")?.as_str()?;
    Some(message.rsplit_once('\n')?.0.to_owned())
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::Json;

    use super::prefix;

    #[test]
    fn the_prefix_ends_at_the_last_line_break() {
        let of = |text| prefix(&Json::parse(text).expect("json"));
        let record = r#"{"type":"compacted","payload":{"message":"a\nb\nANSWER"}}"#;
        assert_eq!(of(record).as_deref(), Some("a\nb"));
        assert_eq!(of(r#"{"type":"event_msg","payload":{"message":"a\nb"}}"#), None);
        assert_eq!(of(r#"{"type":"compacted","payload":{}}"#), None);
    }
}
