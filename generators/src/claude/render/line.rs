//! One line as it is made.

use forkproof_oracle::Json;

use crate::claude::Style;

/// One line of the file.
pub(super) enum Line {
    /// What has an id and a parent.
    Entry(Entry),
    /// Anything else, without the newline at its end.
    Text(String),
}

/// What has an id and a parent.
#[derive(Clone)]
pub(super) struct Entry {
    /// Its time, whatever it says.
    pub(super) at: i64,
    /// Its members, in order.
    pub(super) members: Vec<(String, Json)>,
    /// How it is written, if not as the program does.
    pub(super) style: Option<Style>,
    /// What stands before it in its line.
    pub(super) before: &'static str,
    /// Whether the next line is behind it in the same one.
    pub(super) glued: bool,
}

impl Entry {
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Its id; null if it has none.
    pub(super) fn uuid(&self) -> Json {
        self.get("uuid").cloned().unwrap_or(Json::Null)
    }

    pub(super) fn set(&mut self, key: &str, value: Json) {
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value,
            None => self.members.push((key.to_owned(), value)),
        }
    }

    pub(super) fn remove(&mut self, key: &str) {
        self.members.retain(|(name, _)| name != key);
    }

    /// Changes members of its message, if that is an object.
    pub(super) fn message(&mut self, change: impl FnOnce(&mut Vec<(String, Json)>)) {
        let message = self.members.iter_mut().find(|(name, _)| name == "message");
        if let Some((_, Json::Object(members))) = message {
            change(members);
        }
    }
}

impl Line {
    /// Its bytes, with what ends it.
    pub(super) fn text(&self) -> String {
        match self {
            Line::Entry(entry) => {
                let end = if entry.glued { "" } else { "\n" };
                format!("{}{}{end}", entry.before, written(entry))
            }
            Line::Text(text) => format!("{text}\n"),
        }
    }
}

fn written(entry: &Entry) -> String {
    let plain = || Json::Object(entry.members.clone()).to_string();
    let with = |more: Vec<(&str, Json)>| {
        let more = more.into_iter().map(|(key, value)| (key.to_owned(), value));
        Json::Object(more.chain(entry.members.iter().cloned()).collect()).to_string()
    };
    match entry.style {
        None => plain(),
        Some(Style::Spaced) => format!("  \t{} \t", plain()),
        Some(Style::Pretty) => {
            let member = |(key, value): &(String, Json)| {
                format!("  {}: {value}", Json::string(key.as_str()))
            };
            let members: Vec<String> = entry.members.iter().map(member).collect();
            format!("{{\n{}\n}}", members.join(",\n"))
        }
        Some(Style::Repeated) => with(vec![
            ("type", Json::string("progress")),
            ("uuid", Json::string("other")),
            ("parentUuid", Json::string("other")),
            ("isSidechain", Json::Bool(true)),
        ]),
        Some(Style::Surrogate) => surrogate(plain()),
        Some(Style::Trailing) => format!("{} , {{\"type\":\"user\"}} text", plain()),
        Some(Style::Deep) => {
            let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
            with(vec![("deep", Json::Opaque(deep))])
        }
    }
}

/// With half of a surrogate pair at the start of its first text.
fn surrogate(line: String) -> String {
    for key in ["\"text\":\"", "\"content\":\""] {
        if line.contains(key) {
            return line.replacen(key, &format!("{key}\\ud800 "), 1);
        }
    }
    line.replacen('{', "{\"half\":\"\\udc00\",", 1)
}
