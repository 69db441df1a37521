//! The prediction of a resume.

use std::collections::BTreeMap;

use super::appended::appended;
use super::attachment::added;
use super::canonical::canonical;
use super::chain::chain;
use super::choices::{Choices, Injection, Nulls};
use super::fates::fates;
use super::flaw::{Failure, INTERNAL_ERROR, ends_load, ends_resume, ends_turn};
use super::leaf::leaf;
use super::load::Graph;
use super::read::{Value, values};
use super::recover::recover;
use super::request::messages;
use super::said::Conversation;
use crate::{Answer, Effect, Entry, Home, Id, Identity, Json, Operation, Outcome, Prediction};

/// Reads a home for the predictions that `ask` wants of `operation`.
pub(crate) fn read<T>(
    planted: &Home,
    home: &Home,
    operation: &Operation,
    ask: impl FnOnce(&dyn Fn(crate::Choices) -> Prediction) -> T,
) -> T {
    ask(&|choices| match choices {
        crate::Choices::Claude(choices) => {
            let prediction = predict(planted, home, operation, &choices);
            Prediction { outcome: canonical(prediction.outcome, home), ..prediction }
        }
        crate::Choices::Codex(_) => Prediction::default(),
    })
}

fn predict(planted: &Home, home: &Home, operation: &Operation, choices: &Choices) -> Prediction {
    let Operation::Resume { thread, entry, .. } = operation;
    let missing = || format!("No conversation found with session ID: {thread}");
    let Some(path) = find(home, thread, entry) else { return refused(home, 1, missing()) };
    let bytes = &home[path].content.0;
    let by_path = matches!(entry, Entry::Path(_));
    let values = values(bytes, choices);
    let graph = Graph::of(&values, choices);
    let internal = || refused(home, 1, format!("Failed to resume session: {INTERNAL_ERROR}"));
    let is_null = |value: &Value| value.json == Json::Null;
    if choices.nulls == Nulls::EndResume && values.iter().any(is_null) || ends_load(&graph, choices)
    {
        return internal();
    }
    let Some(leaf) = leaf(&graph, by_path, choices) else { return refused(home, 1, missing()) };
    let walked = chain(&graph, leaf, by_path, choices);
    let recovered = recover(&graph, &walked, choices);
    if ends_resume(&graph, &recovered.entries, choices) {
        return internal();
    }
    let conversation = Conversation::of(&graph, &recovered, choices);
    let added = match choices.injection {
        Injection::Prompt => added(&graph, &conversation, planted),
        Injection::Start => Vec::new(),
    };
    let failure = ends_turn(&conversation, choices);
    let mut disk = untouched(home);
    disk.insert(
        path.clone(),
        appended(bytes, &values, &graph, &conversation, &added, thread, by_path, failure, choices),
    );
    let fates = fates(&values, &graph, &walked, &recovered.entries, &conversation);
    if let Some(failure) = failure {
        let message = if failure == Failure::Told { INTERNAL_ERROR } else { "" };
        let answer = Some(Answer::Refused { code: 1, message: message.to_owned() });
        let outcome = Outcome { answer, disk: Some(disk), ..Outcome::default() };
        return Prediction { outcome, should: None, fates };
    }
    let outcome = Outcome {
        answer: Some(Answer::Ok),
        context: Some(messages(&conversation, &added, choices)),
        identity: Some(Identity {
            thread: Id::Known(thread.clone()),
            forked_from: None,
            mode: None,
            file: None,
            preview: None,
        }),
        disk: Some(disk),
        ..Outcome::default()
    };
    Prediction { outcome, should: None, fates }
}

/// The file of a session (CC-FILE-01).
fn find<'h>(home: &'h Home, thread: &str, entry: &Entry) -> Option<&'h String> {
    let path = match entry {
        Entry::Path(path) => path.clone(),
        _ => format!("projects/work/{thread}.jsonl"),
    };
    home.get_key_value(&path).map(|(path, _)| path)
}

fn refused(home: &Home, code: i64, message: String) -> Prediction {
    let answer = Some(Answer::Refused { code, message });
    let outcome = Outcome { answer, disk: Some(untouched(home)), ..Outcome::default() };
    Prediction { outcome, ..Prediction::default() }
}

fn untouched(home: &Home) -> BTreeMap<String, Effect> {
    home.keys().map(|path| (path.clone(), Effect::Untouched)).collect()
}
