//! The prediction of a resume.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::appended::{Read, appended};
use super::attachment::added;
use super::canonical::{canonical, ids};
use super::chain::chain;
use super::choices::{Choices, Injection, Nulls, Reader};
use super::fates::fates;
use super::flaw::{Failure, INTERNAL_ERROR, ends_resume, ends_search, ends_turn};
use super::leaf::leaf;
use super::load::Graph;
use super::read::{Value, values};
use super::recover::{Recovered, recover};
use super::request::messages;
use super::said::Conversation;
use super::session::{Destination, NEW_ID, Source, source};
use crate::{
    Answer, Effect, Entry, Home, Id, Identity, Json, Operation, Outcome, Prediction, Terms,
};

/// Reads a home for the predictions that `ask` wants of `operation`.
pub(crate) fn read<T>(
    planted: &Home,
    home: &Home,
    operation: &Operation,
    ask: impl FnOnce(&dyn Fn(crate::Choices) -> Prediction) -> T,
) -> T {
    let known = ids(home).collect();
    let files = Files::default();
    ask(&|choices| match choices {
        crate::Choices::Claude(choices) => {
            let prediction = predict(planted, home, operation, &files, &choices);
            Prediction { outcome: canonical(prediction.outcome, home, &known), ..prediction }
        }
        crate::Choices::Codex(_) => Prediction::default(),
    })
}

/// Files as they were read, each once a way.
#[derive(Default)]
struct Files(RefCell<HashMap<Way, Rc<Vec<Value>>>>);

/// A file, and how it is read.
type Way = (String, Reader, Nulls);

impl Files {
    fn values(&self, path: &str, bytes: &[u8], choices: &Choices) -> Rc<Vec<Value>> {
        let key = (path.to_owned(), choices.reader, choices.nulls);
        let mut read = self.0.borrow_mut();
        Rc::clone(read.entry(key).or_insert_with(|| Rc::new(values(bytes, choices))))
    }
}

fn predict(
    planted: &Home,
    home: &Home,
    operation: &Operation,
    files: &Files,
    choices: &Choices,
) -> Prediction {
    let Operation::Resume { entry, terms, .. } = operation;
    let source = match source(home, operation, choices) {
        Ok(source) => source,
        Err(message) => return refused(home, message),
    };
    let path = match source {
        Source::File(path) => path,
        Source::Nothing => return begun(planted, home, terms, choices),
    };
    let bytes = &home[path].content.0;
    let by_path = matches!(entry, Entry::Path(_));
    let values = files.values(path, bytes, choices);
    let graph = Graph::of(&values, bytes.len(), choices);
    let internal = || refused(home, format!("Failed to resume session: {INTERNAL_ERROR}"));
    let is_null = |value: &Value| value.json == Json::Null;
    if choices.nulls == Nulls::EndResume && values.iter().any(is_null) {
        return internal();
    }
    let walked = match (leaf(&graph, by_path, choices), entry) {
        (Some(leaf), _) => chain(&graph, leaf, choices),
        (None, Entry::Latest) => Vec::new(),
        (None, _) => {
            let id = if by_path { NEW_ID } else { stem(path) };
            return refused(home, format!("No conversation found with session ID: {id}"));
        }
    };
    let recovered = recover(&graph, &walked, choices);
    if ends_search(&graph, &walked, choices) || ends_resume(&graph, &recovered.entries, choices) {
        return internal();
    }
    let conversation = match &terms.at {
        None => Conversation::of(&graph, &recovered, true, choices),
        Some(at) => match cut_behind(&graph, recovered.clone(), at) {
            Some(cut) => Conversation::of(&graph, &cut, false, choices),
            None => {
                let message = format!("No message found with message.uuid of: {at}");
                return refused(home, message);
            }
        },
    };
    let last = recovered.entries.last().map(|at| &graph.entries[*at].json);
    let id = last.and_then(|json| json.get("sessionId")?.as_str());
    let destination = Destination::of_file(path, by_path, id, choices);
    let fates = fates(bytes, &values, &graph, &walked, &recovered.entries, &conversation);
    let read = Read { bytes, values: &values, graph: &graph, conversation: &conversation };
    let outcome = outcome(planted, home, &read, &destination, (by_path, terms.unsaved), choices);
    Prediction { outcome, should: None, fates }
}

/// A session that begins, with nothing before it.
fn begun(planted: &Home, home: &Home, terms: &Terms, choices: &Choices) -> Prediction {
    let graph = Graph::default();
    let conversation = Conversation::of(&graph, &Recovered::default(), false, choices);
    let destination = Destination::of_new(terms.id.as_deref());
    let read = Read { bytes: b"", values: &[], graph: &graph, conversation: &conversation };
    let outcome = outcome(planted, home, &read, &destination, (false, terms.unsaved), choices);
    Prediction { outcome, ..Prediction::default() }
}

/// What the turn shows that follows on what was read.
fn outcome(
    planted: &Home,
    home: &Home,
    read: &Read<'_>,
    destination: &Destination,
    (by_path, unsaved): (bool, bool),
    choices: &Choices,
) -> Outcome {
    let added = match choices.injection {
        Injection::Prompt => added(read.graph, read.conversation, planted),
        Injection::Start => Vec::new(),
    };
    let sent = messages(read.conversation, &added, choices);
    let failure = ends_turn(read.conversation, choices);
    let mut disk = untouched(home);
    // CC-ID-12.
    if !unsaved {
        let effect = appended(read, &added, &sent, destination, by_path, failure, choices);
        disk.insert(destination.path.clone(), effect);
    }
    if let Some(failure) = failure {
        let message = if failure == Failure::Told { INTERNAL_ERROR } else { "" };
        let answer = Some(Answer::Refused { code: 1, message: message.to_owned() });
        return Outcome { answer, disk: Some(disk), ..Outcome::default() };
    }
    Outcome {
        answer: Some(Answer::Ok),
        context: Some(sent),
        identity: Some(Identity {
            thread: Id::Known(destination.thread.clone()),
            forked_from: None,
            mode: None,
            file: None,
            preview: None,
        }),
        disk: Some(disk),
        ..Outcome::default()
    }
}

/// The chain up to the message of this id (CC-ID-11).
fn cut_behind(graph: &Graph, mut chain: Recovered, id: &str) -> Option<Recovered> {
    let is_it = |at: &usize| graph.entries[*at].key.text() == Some(id);
    let end = chain.entries.iter().position(is_it)?;
    chain.entries.truncate(end + 1);
    Some(chain)
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".jsonl").unwrap_or(name)
}

fn refused(home: &Home, message: String) -> Prediction {
    let answer = Some(Answer::Refused { code: 1, message });
    let outcome = Outcome { answer, disk: Some(untouched(home)), ..Outcome::default() };
    Prediction { outcome, ..Prediction::default() }
}

fn untouched(home: &Home) -> BTreeMap<String, Effect> {
    home.keys().map(|path| (path.clone(), Effect::Untouched)).collect()
}
