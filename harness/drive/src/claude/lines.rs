//! The lines of a transcript, as a reader of a table sees them.

use std::process::ExitStatus;

use forkproof_oracle::Json;

/// How the note of an interruption begins.
const MARKER: &str = "[Request interrupted by user";

/// The lines that say what became of a turn: entries but attachments, and named leaves.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<Line>);

#[derive(Debug)]
struct Line {
    /// What it is.
    kind: String,
    /// The line that it hangs on or names, by what that is.
    on: Option<String>,
    /// Whether it only names another.
    names: bool,
}

impl Lines {
    /// Those of a transcript; half a line is none.
    pub(super) fn read(bytes: &[u8]) -> Lines {
        let text = String::from_utf8_lossy(bytes);
        let records: Vec<Json> = text.lines().filter_map(Json::parse).collect();
        let shown = records.iter().filter_map(|record| {
            let kind = kind(record)?;
            let names = kind == "last-prompt";
            let on = member(record, if names { "leafUuid" } else { "parentUuid" });
            Some(Line { kind, on: on.and_then(|uuid| shown_above(&records, uuid)), names })
        });
        Lines(shown.collect())
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes away the results at the end, but not of the first `kept` lines.
    pub(super) fn drop_results(&mut self, kept: usize) {
        while self.0.len() > kept && self.0.last().is_some_and(|it| it.kind.starts_with("result")) {
            self.0.pop();
        }
    }

    /// How many of them are of a kind that begins with `kind`.
    pub(super) fn count(&self, kind: &str) -> usize {
        self.0.iter().filter(|line| line.kind.starts_with(kind)).count()
    }

    /// All of them; those from `new` on with a star. One that does not hang on the entry before it
    /// says on which.
    pub(super) fn text(&self, new: usize) -> String {
        let mut out = Vec::new();
        let mut above: Option<&String> = None;
        for (index, line) in self.0.iter().enumerate() {
            let star = if index >= new { "*" } else { "" };
            let on = match (&line.on, line.names) {
                (on, true) => format!(" ({})", on.as_deref().unwrap_or("nothing")),
                (on, false) if on.as_ref() == above => String::new(),
                (on, false) => format!(" (on {})", on.as_deref().unwrap_or("nothing")),
            };
            if !line.names {
                above = Some(&line.kind);
            }
            out.push(format!("{star}{}{on}", line.kind));
        }
        out.join("; ")
    }
}

/// How a program ended.
pub(super) fn told(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit {code}"),
        None => "killed".to_owned(),
    }
}

/// What a record is; `None` for those that say nothing of a turn.
fn kind(record: &Json) -> Option<String> {
    let kind = record.get("type").and_then(Json::as_str)?;
    match kind {
        "last-prompt" => return Some(kind.to_owned()),
        "user" | "assistant" => {}
        _ => return None,
    }
    let content = record.get("message").and_then(|message| message.get("content"))?;
    let first = content.elements().first().unwrap_or(content);
    let call = |key| member(first, key).unwrap_or_default().trim_start_matches("call-").to_owned();
    Some(match member(first, "type") {
        Some("tool_use") => format!("call {}", call("id")),
        Some("tool_result") => {
            let failed = matches!(first.get("is_error"), Some(Json::Bool(true)));
            let failed = if failed { " (error)" } else { "" };
            format!("result {}{failed}", call("tool_use_id"))
        }
        _ => match member(first, "text").or_else(|| first.as_str()) {
            Some(text) if text.starts_with(MARKER) && text.contains("tool") => {
                "tool marker".to_owned()
            }
            Some(text) if text.starts_with(MARKER) => "marker".to_owned(),
            Some(text) => format!("{kind} `{text}`"),
            None => kind.to_owned(),
        },
    })
}

/// What the entry `uuid` is, or the next above it that is shown.
fn shown_above(records: &[Json], uuid: &str) -> Option<String> {
    let mut wanted = uuid;
    // No chain is longer than the file.
    for _ in 0..records.len() {
        let record = records.iter().rfind(|record| member(record, "uuid") == Some(wanted))?;
        if let Some(kind) = kind(record) {
            return Some(kind);
        }
        wanted = member(record, "parentUuid")?;
    }
    None
}

fn member<'j>(record: &'j Json, key: &str) -> Option<&'j str> {
    record.get(key).and_then(Json::as_str)
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn a_line_says_where_it_hangs_and_whether_it_is_new() {
        let text = r#"{"type":"queue-operation"}
{"type":"user","uuid":"u","parentUuid":null,"message":{"content":"go"}}
{"type":"attachment","uuid":"x","parentUuid":"u"}
{"type":"assistant","uuid":"a","parentUuid":"x","message":{"content":[{"type":"tool_use","id":"call-1"}]}}
{"type":"last-prompt","leafUuid":"x"}
{"type":"user","uuid":"r","parentUuid":"u","message":{"content":[{"type":"tool_result","tool_use_id":"call-1","is_error":true}]}}
{"type":"us"#;
        let lines = Lines::read(text.as_bytes());
        let expected =
            "user `go`; call 1; *last-prompt (user `go`); *result 1 (error) (on user `go`)";
        assert_eq!(lines.text(2), expected);
        assert_eq!(lines.count("result"), 1);
    }
}
