//! Predictions as people read them: in `replay`, and in the snapshots of a change.

use std::fmt::Write as _;

use forkproof_oracle::{
    Answer, Effect, End, Fate, Id, Injected, Item, Json, Outcome, Time, Written,
};

/// The most of one text that is shown, in characters.
const SHOWN: usize = 60;

/// An outcome, a line for each thing that it shows.
pub fn readable(outcome: &Outcome) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}");
    };
    match &outcome.answer {
        Some(Answer::Ok) => line("answer: ok".to_owned()),
        Some(Answer::Refused { code, message }) => {
            line(format!("answer: refused {code}"));
            line(format!("  {}", message.escape_debug()));
        }
        None => line("answer: not seen".to_owned()),
    }
    if let Some(context) = &outcome.context {
        line("context:".to_owned());
        context.iter().for_each(|item| line(format!("  {}", item_text(item))));
    }
    if let Some(turns) = &outcome.turns {
        line("turns:".to_owned());
        for turn in turns {
            line(format!("  {} {}", id_text(&turn.id), turn.status));
            for item in &turn.items {
                let text = item.text.as_deref().map(short).unwrap_or_default();
                line(format!("    {} {text}", item.kind).trim_end().to_owned());
            }
        }
    }
    if let Some(it) = &outcome.identity {
        let forked = it.forked_from.as_ref().map(|id| format!(", forked from {}", id_text(id)));
        let mode = it.mode.as_ref().map(|mode| format!(", {mode}"));
        let more = [mode, forked].into_iter().flatten().collect::<String>();
        line(format!("thread: {}{more}", id_text(&it.thread)));
    }
    if let Some(settings) = &outcome.settings {
        let forkproof_oracle::Settings { model, provider, cwd } = settings;
        line(format!("settings: {model} by {provider} in {cwd}"));
    }
    for (path, effect) in outcome.disk.iter().flatten() {
        line(format!("file {path}: {}", effect_text(effect)));
        if let Effect::Appended { records, .. } | Effect::Created { records } = effect {
            records.iter().for_each(|record| line(format!("  {}", record_text(record))));
        }
    }
    out
}

/// Fates as runs of lines with the same end, a line each.
pub fn readable_fates(fates: &[Fate]) -> String {
    let same = |a: &Fate, b: &Fate| (a.end, &a.rule, a.cause) == (b.end, &b.rule, b.cause);
    let mut out = String::new();
    for run in fates.chunk_by(same) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let lines = match run.len() {
            1 => format!("line {}", first.line),
            _ => format!("lines {} to {}", first.line, last.line),
        };
        let end = match first.end {
            End::Kept => "kept",
            End::Moved => "moved",
            End::Replaced => "replaced",
            End::Dropped => "dropped",
        };
        let cause = first.cause.map(|line| format!(" by line {line}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{lines} {end}{cause} ({})", first.rule);
    }
    out
}

fn item_text(item: &Item) -> String {
    match item {
        Item::Prompt => "prompt".to_owned(),
        Item::Answer => "answer".to_owned(),
        Item::Injected(Injected::Instructions) => "injected instructions".to_owned(),
        Item::Injected(Injected::InstructionsField) => "injected instructions (field)".to_owned(),
        Item::Injected(Injected::Developer(parts)) => format!("injected {}", parts.join(" + ")),
        Item::Injected(Injected::AgentsRevoked) => "injected end of AGENTS.md".to_owned(),
        Item::Injected(Injected::Environment { cwd: Some(cwd) }) => {
            format!("injected environment {cwd}")
        }
        Item::Injected(Injected::Environment { cwd: None }) => {
            "injected environment (update)".to_owned()
        }
        Item::Injected(Injected::Reminder(kind)) => format!("injected {kind}"),
        Item::Recorded(json) => recorded_text(json),
        Item::Message { role, parts } => {
            let parts: Vec<String> = parts.iter().map(item_text).collect();
            format!("{role}: {}", parts.join(" | "))
        }
    }
}

fn recorded_text(json: &Json) -> String {
    let text = |key: &str| json.get(key).and_then(Json::as_str).unwrap_or_default();
    match text("type") {
        "message" => {
            let parts = json.get("content").map_or(&[][..], Json::elements);
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Json::as_str));
            format!("{} {}", text("role"), texts.map(short).collect::<Vec<_>>().join(" "))
        }
        "text" => short(text("text")),
        "tool_use" => format!("call {} {}", text("id"), text("name")),
        "tool_result" => {
            let content = json.get("content").map(Json::to_string).unwrap_or_default();
            format!("result {} {}", text("tool_use_id"), short(&content))
        }
        kind if json.get("call_id").is_some() => {
            let shown = ["output", "arguments", "input"].into_iter().find_map(|key| json.get(key));
            let shown = shown.map_or_else(String::new, |it| match it {
                Json::String(text) => short(text),
                other => short(&other.to_string()),
            });
            format!("{kind} {} {shown}", text("call_id"))
        }
        _ => short(&json.to_string()),
    }
}

fn effect_text(effect: &Effect) -> &'static str {
    match effect {
        Effect::Untouched => "untouched",
        Effect::Touched => "touched",
        Effect::Appended { newline_first: false, .. } => "appended",
        Effect::Appended { newline_first: true, .. } => "appended after a newline",
        Effect::Created { .. } => "created",
        Effect::Rewritten => "rewritten",
        Effect::Removed => "removed",
    }
}

fn record_text(record: &Written) -> String {
    let ordinal = record.ordinal.map(|ordinal| format!("{ordinal} ")).unwrap_or_default();
    let named = |word: &str, id: &Option<Id>| match id {
        Some(id) => format!(" {word} {}", id_text(id)),
        None => String::new(),
    };
    let ids = [
        named("as", &record.id),
        named("after", &record.parent),
        named("in", &record.thread),
        named("of", &record.turn),
    ];
    let ids = ids.concat();
    let item = record.item.as_ref().map(|item| format!(": {}", item_text(item)));
    let time = match &record.time {
        Time::Absent | Time::New => String::new(),
        Time::Other(time) => format!(" at {}", short(time)),
    };
    format!("{ordinal}{}{ids}{time}{}", record.kind, item.unwrap_or_default())
}

fn id_text(id: &Id) -> String {
    match id {
        Id::Known(id) => id.escape_debug().to_string(),
        Id::Fresh(n) => format!("new id {n}"),
        Id::Earlier(n) => format!("earlier new id {n}"),
    }
}

/// A text in quotes, without control characters; a long one by its beginning and its length.
fn short(text: &str) -> String {
    let count = text.chars().count();
    if count <= SHOWN {
        return format!("{text:?}");
    }
    let head: String = text.chars().take(SHOWN).collect();
    format!("{head:?}… ({count} characters)")
}
