//! What the model server answers.

use std::time::Duration;

use forkproof_oracle::Json;

/// One answer: server-sent events in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stream(pub Vec<Step>);

/// One step of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Send an event.
    Event {
        /// Its name, and the `type` in its data.
        name: String,
        /// Its data.
        data: Json,
    },
    /// Send nothing for this long.
    Pause(Duration),
    /// Send nothing more and do not close; a program leaves it by interrupting.
    Hang,
}

impl Stream {
    /// One assistant message and usage numbers.
    pub fn answer(text: &str) -> Stream {
        let number = |digits: &str| Json::Number(digits.to_owned());
        let content =
            Json::object([("type", Json::string("output_text")), ("text", Json::string(text))]);
        let item = Json::object([
            ("type", Json::string("message")),
            ("role", Json::string("assistant")),
            ("id", Json::string("m1")),
            ("content", Json::Array(vec![content])),
        ]);
        let usage = Json::object([
            ("input_tokens", number("1")),
            ("input_tokens_details", Json::Null),
            ("output_tokens", number("1")),
            ("output_tokens_details", Json::Null),
            ("total_tokens", number("2")),
        ]);
        let id = || Json::string("r1");
        let started = Json::object([("id", id())]);
        let completed = Json::object([("id", id()), ("usage", usage)]);
        Stream(vec![
            event("response.created", "response", started),
            event("response.output_item.done", "item", item),
            event("response.completed", "response", completed),
        ])
    }

    /// The whole text, if nothing in it takes time.
    pub(super) fn text(&self) -> Option<String> {
        self.0.iter().map(Step::text).collect()
    }
}

impl Step {
    /// The text of an event; `None` for what takes time.
    pub(super) fn text(&self) -> Option<String> {
        let Step::Event { name, data } = self else { return None };
        Some(format!("event: {name}\ndata: {data}\n\n"))
    }
}

fn event(name: &str, key: &str, value: Json) -> Step {
    let data = Json::object([("type", Json::string(name)), (key, value)]);
    Step::Event { name: name.to_owned(), data }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Step, Stream};

    #[test]
    fn an_answer_is_three_events() {
        let text = Stream::answer("a\nb").text().expect("takes no time");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9);
        assert_eq!(lines[0], "event: response.created");
        assert_eq!(lines[1], r#"data: {"type":"response.created","response":{"id":"r1"}}"#);
        assert_eq!(lines[2], "");
        assert!(lines[4].contains(r#""text":"a\nb""#), "{}", lines[4]);
        assert_eq!(lines[6], "event: response.completed");
    }

    #[test]
    fn what_takes_time_has_no_text() {
        assert_eq!(Stream(vec![Step::Pause(Duration::ZERO)]).text(), None);
        assert_eq!(Stream(vec![Step::Hang]).text(), None);
        assert_eq!(Stream(Vec::new()).text().as_deref(), Some(""));
    }
}
