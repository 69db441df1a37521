//! What Codex would show.

use forkproof_oracle::codex::base_instructions;
use forkproof_oracle::{
    ANSWER, Answer, Home, Id, Injected, Item, Json, Observed, Operation, Outcome, PROBE, Reply,
    Time, Turn, Written,
};

use super::{after, id_json, object, text};

/// Where the home of a program that does not exist would lie.
const ROOT: &str = "/home/forkproof/.codex";

/// The raw exchange that has this outcome.
pub(super) fn show(outcome: Outcome, before: &Home, operation: &Operation) -> Observed {
    let Operation::Resume { thread, .. } = operation;
    // Instructions that a file does not record are the program's own: any text.
    let base = base_instructions(before, thread).unwrap_or_else(|| "own".to_owned());
    let after = after(&outcome, before, &|record| record_json(record, &base));
    let request = outcome.context.as_ref().map(|context| {
        let field = |item: &&Item| matches!(item, Item::Injected(Injected::InstructionsField));
        let (field, input): (Vec<&Item>, Vec<&Item>) = context.iter().partition(field);
        let input = input.into_iter().map(|item| item_json(item, &base)).collect();
        let mut members = vec![("input", Json::Array(input))];
        members.extend(field.iter().map(|_| ("instructions", text(&base))));
        object(members)
    });
    let reply = match &outcome.answer {
        Some(Answer::Refused { code, message }) => {
            Reply::Error { code: *code, message: message.replace("<CODEX_HOME>", ROOT) }
        }
        _ => Reply::Result(result(&outcome)),
    };
    Observed { root: ROOT.to_owned(), before: before.clone(), after, reply, request }
}

fn result(outcome: &Outcome) -> Json {
    let mut thread = Vec::new();
    if let Some(identity) = &outcome.identity {
        let forked = identity.forked_from.as_ref();
        thread.extend([
            ("id", id_json(&identity.thread)),
            ("forkedFromId", forked.map_or(Json::Null, id_json)),
            ("historyMode", identity.mode.as_deref().map_or(Json::Null, text)),
            ("path", text(&format!("{ROOT}/{}", identity.file.as_deref().unwrap_or_default()))),
            ("preview", text(identity.preview.as_deref().unwrap_or_default())),
        ]);
    }
    let turns = outcome.turns.iter().flatten().map(turn_json).collect();
    thread.push(("turns", Json::Array(turns)));
    let mut result = vec![("thread", object(thread))];
    if let Some(settings) = &outcome.settings {
        result.extend([
            ("model", text(&settings.model)),
            ("modelProvider", text(&settings.provider)),
            ("cwd", text(&settings.cwd)),
        ]);
    }
    object(result)
}

fn turn_json(turn: &Turn) -> Json {
    let items = turn.items.iter().map(|item| {
        let mut members = vec![("type", text(&item.kind))];
        members.extend(item.text.as_ref().map(|said| ("text", text(said))));
        object(members)
    });
    Json::object([
        ("id", id_json(&turn.id)),
        ("status", text(&turn.status)),
        ("items", Json::Array(items.collect())),
    ])
}

fn item_json(item: &Item, base: &str) -> Json {
    match item {
        Item::Recorded(json) => json.clone(),
        Item::Prompt => Json::message("user", "input_text", PROBE),
        Item::Answer => Json::message("assistant", "output_text", ANSWER),
        Item::Message { .. } | Item::Injected(Injected::Reminder(_)) => Json::Null,
        Item::Injected(Injected::Instructions | Injected::InstructionsField) => {
            Json::message("developer", "input_text", base)
        }
        Item::Injected(Injected::Developer(names)) => {
            let part = |name: &String| {
                let said = format!("<{name}>\nx\n</{name}>");
                Json::object([("type", text("input_text")), ("text", text(&said))])
            };
            Json::object([
                ("type", text("message")),
                ("role", text("developer")),
                ("content", Json::Array(names.iter().map(part).collect())),
            ])
        }
        Item::Injected(Injected::AgentsRevoked) => {
            Json::message("user", "input_text", "# AGENTS.md instructions\nx\n</INSTRUCTIONS>")
        }
        Item::Injected(Injected::Environment { cwd }) => {
            let place = cwd.as_ref().map_or_else(String::new, |cwd| {
                format!("  <cwd>{cwd}</cwd>\n  <shell>bash</shell>\n")
            });
            let said = format!(
                "<environment_context>\n{place}  <current_date>2026-01-01</current_date>\n  \
                 <timezone>Etc/UTC</timezone>\n</environment_context>"
            );
            Json::message("user", "input_text", &said)
        }
    }
}

fn record_json(record: &Written, base: &str) -> Json {
    let mut parts = record.kind.split('/');
    let kind = parts.next().unwrap_or_default();
    let payload = match &record.item {
        Some(item) => item_json(item, base),
        None => payload_json(kind, parts.next(), record.turn.as_ref()),
    };
    let time = match &record.time {
        Time::Absent | Time::New => "2026-01-01T00:00:00.000Z",
        Time::Other(time) => time,
    };
    let mut members = vec![("timestamp", text(time))];
    let ordinal = record.ordinal.map(|ordinal| Json::Number(ordinal.to_string()));
    members.extend(ordinal.map(|ordinal| ("ordinal", ordinal)));
    members.extend([("type", text(kind)), ("payload", payload)]);
    object(members)
}

/// What a record of this kind has to hold to be one.
fn payload_json(kind: &str, event: Option<&str>, turn: Option<&Id>) -> Json {
    const MEMBERS: &[(&str, &str)] = &[
        (
            "turn_context",
            r#"{"cwd":"/proj/demo","model":"mock-model","approval_policy":"never",
                "sandbox_policy":{"type":"danger-full-access"},"summary":"none"}"#,
        ),
        (
            "world_state",
            r#"{"full":true,"state":{"permissions":{},"environments":{"filesystem":""}}}"#,
        ),
        ("user_message", r#"{"message":"PROBE"}"#),
        ("agent_message", r#"{"message":"ANSWER"}"#),
    ];
    let name = event.unwrap_or(kind);
    let members = MEMBERS.iter().find(|(known, _)| *known == name);
    let mut pairs = match members.and_then(|(_, text)| Json::parse(text)) {
        Some(Json::Object(pairs)) => pairs,
        _ => Vec::new(),
    };
    let more = [event.map(|it| ("type", text(it))), turn.map(|it| ("turn_id", id_json(it)))];
    pairs.extend(more.into_iter().flatten().map(|(key, value)| (key.to_owned(), value)));
    Json::Object(pairs)
}
