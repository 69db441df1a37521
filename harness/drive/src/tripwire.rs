//! Targets that are wrong on purpose.
//!
//! A tripwire changes an observation between target and judge. A suite in which one of them comes
//! out conformant checks nothing: normalisation is where checks die.

use forkproof_oracle::{Family, File, Json, Observed, PROBE, Reply};

/// One way to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tripwire {
    /// A message of the history is sent twice.
    DoubledMessage,
    /// A message of the history is not sent.
    DroppedMessage,
    /// Two messages of the history change places.
    MovedMessage,
    /// A message that the program adds by itself is missing.
    MissingInjected,
    /// A record is written twice.
    ExtraLine,
    /// A record is not written.
    MissingLine,
    /// A record names another turn, or hangs on another entry.
    OtherTurn,
    /// A new turn takes the id of an old one.
    ReusedId,
    /// A byte that was there before is another one.
    TouchedBytes,
    /// A file that nobody asked for has a new time of change.
    TouchedTime,
    /// Another turn is shown.
    ExtraTurn,
    /// The thread has another id.
    OtherThread,
}

impl Tripwire {
    /// All of them.
    pub const ALL: [Tripwire; 12] = [
        Tripwire::DoubledMessage,
        Tripwire::DroppedMessage,
        Tripwire::MovedMessage,
        Tripwire::MissingInjected,
        Tripwire::ExtraLine,
        Tripwire::MissingLine,
        Tripwire::OtherTurn,
        Tripwire::ReusedId,
        Tripwire::TouchedBytes,
        Tripwire::TouchedTime,
        Tripwire::ExtraTurn,
        Tripwire::OtherThread,
    ];

    /// Its name in `tripwire:NAME`.
    pub fn name(self) -> &'static str {
        match self {
            Tripwire::DoubledMessage => "doubled-message",
            Tripwire::DroppedMessage => "dropped-message",
            Tripwire::MovedMessage => "moved-message",
            Tripwire::MissingInjected => "missing-injected",
            Tripwire::ExtraLine => "extra-line",
            Tripwire::MissingLine => "missing-line",
            Tripwire::OtherTurn => "other-turn",
            Tripwire::ReusedId => "reused-id",
            Tripwire::TouchedBytes => "touched-bytes",
            Tripwire::TouchedTime => "touched-time",
            Tripwire::ExtraTurn => "extra-turn",
            Tripwire::OtherThread => "other-thread",
        }
    }

    /// Whether a program of this family shows what it changes.
    pub fn is_for(self, family: Family) -> bool {
        !(self == Tripwire::ExtraTurn && family == Family::Claude)
    }

    /// The tripwire of this name.
    pub fn named(name: &str) -> Option<Tripwire> {
        Tripwire::ALL.into_iter().find(|tripwire| tripwire.name() == name)
    }

    /// Changes `observed`, where there is something to change.
    pub fn apply(self, observed: &mut Observed) {
        match self {
            Tripwire::DoubledMessage => {
                input(observed, |input, history| {
                    input.insert(history.start, input[history.start].clone())
                });
            }
            Tripwire::DroppedMessage => {
                input(observed, |input, history| drop(input.remove(history.start)));
            }
            Tripwire::MovedMessage => input(observed, |input, history| {
                let first = history.start;
                if let Some(other) = history.clone().find(|at| input[*at] != input[first]) {
                    input.swap(first, other);
                }
            }),
            Tripwire::MissingInjected => {
                if let Some(input) = request_input(observed)
                    && input.len() > 1
                {
                    let last = input.len() - 2;
                    input.remove(last);
                }
            }
            Tripwire::ExtraLine => appended(observed, |lines| {
                lines.extend(lines.last().cloned());
            }),
            Tripwire::MissingLine => appended(observed, |lines| drop(lines.pop())),
            Tripwire::OtherTurn => {
                appended(observed, |lines| {
                    let hung = lines.iter_mut().rev().any(|it| rename_parent(it, "no-such-entry"));
                    if !hung && let Some(line) = lines.last_mut() {
                        rename_turn(line, "no-such-turn");
                    }
                });
            }
            Tripwire::ReusedId => {
                let old = first_id(observed);
                appended(observed, |lines| {
                    lines.iter_mut().for_each(|line| rename_turn(line, &old));
                });
            }
            Tripwire::TouchedBytes => {
                if let Some(file) = observed.after.values_mut().next()
                    && let Some(byte) = file.content.0.first_mut()
                {
                    *byte ^= 1;
                }
            }
            Tripwire::TouchedTime => {
                let same = |path: &String, file: &File| observed.before.get(path) == Some(file);
                let file = observed.after.iter_mut().find(|(path, file)| same(path, file));
                if let Some((_, file)) = file {
                    file.modified += 1;
                }
            }
            Tripwire::ExtraTurn => {
                if let Some(Json::Array(turns)) = thread(observed, "turns") {
                    turns.push(Json::object([
                        ("id", Json::string("no-such-turn")),
                        ("status", Json::string("completed")),
                        ("items", Json::Array(Vec::new())),
                    ]));
                }
            }
            Tripwire::OtherThread => {
                if let Some(id) = thread(observed, "id") {
                    *id = Json::string("no-such-thread");
                }
            }
        }
    }
}

/// Changes the input of the request, if it holds a history; `history` is where that lies.
fn input(observed: &mut Observed, change: impl FnOnce(&mut Vec<Json>, std::ops::Range<usize>)) {
    let Some(input) = request_input(observed) else { return };
    // The instructions come first, the prompt and what is injected before it last.
    let is_said = |item: &Json| {
        let role = item.get("role").and_then(Json::as_str);
        !matches!(role, Some("developer" | "system"))
            && !item.to_string().contains(&format!("\"{PROBE}\""))
    };
    let start = input.iter().position(is_said);
    let end = input.iter().position(|item| {
        item.to_string().contains("<permissions instructions>")
            || item.to_string().contains(&format!("\"{PROBE}\""))
    });
    if let (Some(start), Some(end)) = (start, end)
        && start < end
    {
        change(input, start..end);
    }
}

fn request_input(observed: &mut Observed) -> Option<&mut Vec<Json>> {
    let request = observed.request.as_mut()?;
    let name = if request.get("messages").is_some() { "messages" } else { "input" };
    match member(request, name)? {
        Json::Array(input) => Some(input),
        _ => None,
    }
}

fn thread<'o>(observed: &'o mut Observed, key: &str) -> Option<&'o mut Json> {
    match &mut observed.reply {
        Reply::Result(result) => match result.get("session_id") {
            Some(_) if key == "id" => member(result, "session_id"),
            _ => member(member(result, "thread")?, key),
        },
        Reply::Error { .. } => None,
    }
}

fn member<'j>(json: &'j mut Json, key: &str) -> Option<&'j mut Json> {
    let Json::Object(pairs) = json else { return None };
    pairs.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Changes the lines that the operation appended, if it did.
fn appended(observed: &mut Observed, change: impl FnOnce(&mut Vec<Vec<u8>>)) {
    for (path, file) in &mut observed.after {
        let Some(old) = observed.before.get(path) else { continue };
        let Some(new) = file.content.0.strip_prefix(old.content.0.as_slice()) else { continue };
        if new.is_empty() {
            continue;
        }
        let mut lines: Vec<Vec<u8>> =
            new.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
        change(&mut lines);
        file.content.0 = [old.content.0.clone(), lines.concat()].concat();
        return;
    }
}

fn rename_turn(line: &mut Vec<u8>, name: &str) {
    let Some(mut json) = std::str::from_utf8(line).ok().and_then(Json::parse) else { return };
    let turn = match json.get("payload") {
        Some(_) => member(&mut json, "payload").and_then(|it| member(it, "turn_id")),
        // Where entries hang on each other there are no turns.
        None => member(&mut json, "uuid"),
    };
    if let Some(turn) = turn {
        *turn = Json::string(name);
        *line = format!("{json}\n").into_bytes();
    }
}

/// Hangs an entry on another; whether it is one that hangs on something.
fn rename_parent(line: &mut Vec<u8>, name: &str) -> bool {
    let json = std::str::from_utf8(line).ok().and_then(Json::parse);
    let Some(mut json) = json.filter(|json| json.get("uuid").is_some()) else { return false };
    let Some(parent) = member(&mut json, "parentUuid").filter(|it| it.as_str().is_some()) else {
        return false;
    };
    *parent = Json::string(name);
    *line = format!("{json}\n").into_bytes();
    true
}

/// An id that the session held.
fn first_id(observed: &Observed) -> String {
    let mut lines = observed.before.values().flat_map(|file| file.content.0.split(|b| *b == b'\n'));
    let id = lines.find_map(|line| {
        let json = Json::parse(std::str::from_utf8(line).ok()?)?;
        Some(json.get("payload")?.get("id")?.as_str()?.to_owned())
    });
    id.unwrap_or_default()
}
