//! One canonical form for predictions and observations.

use std::collections::{BTreeMap, BTreeSet};

use super::fragment::is_agents;
use super::known::{Known, drawn, holds};
use crate::{
    ANSWER, Effect, Home, Id, Injected, Item, Json, Markers, Outcome, PROBE, Time, Written,
};

/// Members that carry no meaning for the model.
const NOISE: &[&str] = &["id", "internal_chat_message_metadata_passthrough"];

/// The role under which the field `instructions` of a request stands in a context; no message has it.
pub(super) const INSTRUCTIONS: &str = "(instructions)";

/// Brings an outcome into the form in which outcomes are compared.
///
/// `known` is what was there before the operation: it decides what is new. The function is
/// idempotent, and the same for both sides.
pub(super) fn canonical(mut outcome: Outcome, known: &Known<'_>, markers: &Markers) -> Outcome {
    let mut symbols = Symbols { known: &known.ids, fresh: BTreeMap::new() };
    if let Some(identity) = &mut outcome.identity {
        symbols.bind(&mut identity.thread);
        if let Some(source) = &mut identity.forked_from {
            symbols.bind(source);
        }
        identity.preview = identity.preview.take().map(|preview| markers.strip(&preview));
    }
    for turn in outcome.turns.iter_mut().flatten() {
        symbols.bind(&mut turn.id);
        for item in &mut turn.items {
            item.text = item.text.take().map(|text| markers.strip(&text));
        }
    }
    if let Some(context) = &mut outcome.context {
        name_tail(context, known);
        name_head(context, known.base.as_deref());
        for item in context {
            tidy(item, markers);
        }
    }
    for effect in outcome.disk.iter_mut().flat_map(BTreeMap::values_mut) {
        let records = match effect {
            Effect::Appended { records, .. } | Effect::Created { records } => records,
            _ => continue,
        };
        for record in records {
            name_record(record, &mut symbols, markers);
        }
    }
    outcome
}

/// Names what earlier operations of a scenario made, which differs from run to run: ids, and
/// messages that the program injected. They stand in the session files `before` the operation and
/// not in those that were `planted` before the first one.
pub(crate) fn name_earlier(outcome: &mut Outcome, planted: &Home, before: &Home) {
    outcome.name_drawn(&drawn(planted, before));
    for item in outcome.context.iter_mut().flatten() {
        if let Some(injected) = injected(item)
            && let Item::Recorded(json) = item
            && !holds(planted, json)
        {
            *item = Item::Injected(injected);
        }
    }
}

/// The message of the program that an item has the form of.
fn injected(item: &Item) -> Option<Injected> {
    let agents = || text_of(item, "user").filter(|text| is_agents(text));
    developer(item)
        .map(Injected::Developer)
        .or_else(|| environment(item))
        .or_else(|| agents().map(|_| Injected::AgentsRevoked))
}

/// Ids that the session held, and names for the others.
struct Symbols<'a> {
    known: &'a BTreeSet<String>,
    fresh: BTreeMap<String, usize>,
}

impl Symbols<'_> {
    fn bind(&mut self, id: &mut Id) {
        let Id::Known(text) = id else { return };
        // Ids of turns that no record opened are made from the file, not drawn.
        if self.known.contains(text) || text.starts_with("rollout-") {
            return;
        }
        let next = self.fresh.len();
        *id = Id::Fresh(*self.fresh.entry(text.clone()).or_insert(next));
    }
}

/// The end of a context is what the program injected before the prompt, and the prompt: there,
/// and only there, messages of its own become symbols.
fn name_tail(context: &mut [Item], known: &Known<'_>) {
    let Some((last, rest)) = context.split_last_mut() else { return };
    if text_of(last, "user") != Some(PROBE) {
        return;
    }
    *last = Item::Prompt;
    for item in rest.iter_mut().rev() {
        match injected(item) {
            Some(injected) if !is_held(item, known) => *item = Item::Injected(injected),
            _ => break,
        }
    }
}

/// Whether the session holds a message of this text: then it is not the program's, or not new.
fn is_held(item: &Item, known: &Known<'_>) -> bool {
    matches!(item, Item::Recorded(json) if known.holds(json))
}

/// The base instructions come first: those that the file records, else those of the program, which
/// are known by their place alone.
fn name_head(context: &mut [Item], base: Option<&str>) {
    let Some(first) = context.first_mut() else { return };
    let is_base = |text: &str| base.is_none_or(|base| base == text);
    if text_of(first, "developer").is_some_and(is_base) {
        *first = Item::Injected(Injected::Instructions);
    } else if text_of(first, INSTRUCTIONS).is_some_and(is_base) {
        *first = Item::Injected(Injected::InstructionsField);
    }
}

fn name_record(record: &mut Written, symbols: &mut Symbols<'_>, markers: &Markers) {
    if let Some(turn) = &mut record.turn {
        symbols.bind(turn);
    }
    if let Time::Other(text) = &record.time
        && is_time(text)
    {
        record.time = Time::New;
    }
    let Some(item) = &mut record.item else { return };
    if text_of(item, "user") == Some(PROBE) {
        *item = Item::Prompt;
    } else if text_of(item, "assistant") == Some(ANSWER) {
        *item = Item::Answer;
    } else if let Some(injected) = injected(item) {
        *item = Item::Injected(injected);
    }
    tidy(item, markers);
}

/// The text of a message of one part, if it is of `role`.
fn text_of<'i>(item: &'i Item, role: &str) -> Option<&'i str> {
    let Item::Recorded(json) = item else { return None };
    let [part] = json.get("content")?.elements() else { return None };
    (json.get("role")?.as_str()? == role).then(|| part.get("text")?.as_str())?
}

/// The names of the parts of a developer message of the program: tags enclose each part.
fn developer(item: &Item) -> Option<Vec<String>> {
    let Item::Recorded(json) = item else { return None };
    if json.get("role")?.as_str()? != "developer" {
        return None;
    }
    let name = |part: &Json| {
        let (name, rest) = part.get("text")?.as_str()?.strip_prefix('<')?.split_once('>')?;
        rest.ends_with(&format!("</{name}>")).then(|| name.to_owned())
    };
    let names: Option<Vec<String>> = json.get("content")?.elements().iter().map(name).collect();
    names.filter(|names| !names.is_empty())
}

/// The working folder that an environment message of the program names, if it does. A message that
/// only looks like one has not its lines.
fn environment(item: &Item) -> Option<Injected> {
    let lines: Vec<&str> = text_of(item, "user")?.lines().map(str::trim).collect();
    let ["<environment_context>", inner @ .., "</environment_context>"] = &lines[..] else {
        return None;
    };
    match inner {
        [cwd, shell, date, ..] if tagged(shell, "shell").is_some() => {
            tagged(date, "current_date")?;
            Some(Injected::Environment { cwd: Some(tagged(cwd, "cwd")?.to_owned()) })
        }
        [date, zone, ..] => {
            tagged(date, "current_date").and(tagged(zone, "timezone"))?;
            Some(Injected::Environment { cwd: None })
        }
        _ => None,
    }
}

fn tagged<'l>(line: &'l str, tag: &str) -> Option<&'l str> {
    line.strip_prefix(&format!("<{tag}>"))?.strip_suffix(&format!("</{tag}>"))
}

/// RFC 3339 in UTC with milliseconds, as the program writes it.
fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00.000Z"
}

fn tidy(item: &mut Item, markers: &Markers) {
    if let Item::Recorded(json) = item {
        *json = tidy_item(std::mem::replace(json, Json::Null), markers);
    }
}

/// An item without ids and nulls, keys sorted, product texts as tokens.
fn tidy_item(json: Json, markers: &Markers) -> Json {
    let Json::Object(pairs) = json else { return plain(json, markers) };
    let keep = |(key, _): &(String, Json)| !NOISE.contains(&key.as_str());
    plain(Json::Object(pairs.into_iter().filter(keep).collect()), markers)
}

fn plain(json: Json, markers: &Markers) -> Json {
    match json {
        Json::Object(pairs) => {
            let mut pairs: Vec<_> = pairs
                .into_iter()
                .filter(|(_, value)| *value != Json::Null)
                .map(|(key, value)| (key, plain(value, markers)))
                .collect();
            pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
            Json::Object(pairs)
        }
        Json::Array(elements) => {
            Json::Array(elements.into_iter().map(|element| plain(element, markers)).collect())
        }
        Json::String(text) => Json::String(markers.strip(&text)),
        other => other,
    }
}
