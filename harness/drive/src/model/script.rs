//! What the model server answers.

use std::time::Duration;

use forkproof_oracle::{CONFIGURED_MODEL, Json};

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
    /// Send nothing until [`crate::Model::release`] has been called.
    Hold,
    /// Send nothing more and do not close; a program leaves it by interrupting.
    Hang,
}

/// One block of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Text.
    Text(String),
    /// The call of a tool.
    Call {
        /// Its id.
        id: String,
        /// The name of the tool.
        name: String,
        /// What the tool is given.
        input: Json,
    },
}

impl Stream {
    /// One assistant message and usage numbers, as the Responses API sends them.
    pub fn answer(text: &str) -> Stream {
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
            event("response.created", [("response", started)]),
            event("response.output_item.done", [("item", item)]),
            event("response.completed", [("response", completed)]),
        ])
    }

    /// One assistant message and usage numbers, as the Messages API sends them: an event at the
    /// start, three a block, two at the end.
    pub fn message(id: &str, blocks: &[Block]) -> Stream {
        let calls = blocks.iter().any(|block| matches!(block, Block::Call { .. }));
        let reason = if calls { "tool_use" } else { "end_turn" };
        let usage = Json::object([("input_tokens", number("1")), ("output_tokens", number("1"))]);
        let message = Json::object([
            ("id", Json::string(id)),
            ("type", Json::string("message")),
            ("role", Json::string("assistant")),
            ("model", Json::string(CONFIGURED_MODEL)),
            ("content", Json::Array(Vec::new())),
            ("stop_reason", Json::Null),
            ("stop_sequence", Json::Null),
            ("usage", usage),
        ]);
        let mut steps = vec![event("message_start", [("message", message)])];
        for (index, block) in blocks.iter().enumerate() {
            let index = || ("index", number(&index.to_string()));
            let (start, delta) = block.parts();
            steps.push(event("content_block_start", [index(), ("content_block", start)]));
            steps.push(event("content_block_delta", [index(), ("delta", delta)]));
            steps.push(event("content_block_stop", [index()]));
        }
        let stop =
            Json::object([("stop_reason", Json::string(reason)), ("stop_sequence", Json::Null)]);
        let usage = Json::object([("output_tokens", number("1"))]);
        steps.push(event("message_delta", [("delta", stop), ("usage", usage)]));
        steps.push(event("message_stop", []));
        Stream(steps)
    }

    /// The first `count` events, and then nothing more.
    pub fn stalled(self, count: usize) -> Stream {
        Stream(self.0.into_iter().take(count).chain([Step::Hang]).collect())
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

impl Block {
    /// The block as it starts, and all of its content as one change of it.
    fn parts(&self) -> (Json, Json) {
        let part = |kind: &str, key: &str, value: Json| {
            Json::object([("type", Json::string(kind)), (key, value)])
        };
        match self {
            Block::Text(text) => (
                part("text", "text", Json::string("")),
                part("text_delta", "text", Json::string(text.as_str())),
            ),
            Block::Call { id, name, input } => {
                let start = Json::object([
                    ("type", Json::string("tool_use")),
                    ("id", Json::string(id.as_str())),
                    ("name", Json::string(name.as_str())),
                    ("input", Json::Object(Vec::new())),
                ]);
                let input = Json::String(input.to_string());
                (start, part("input_json_delta", "partial_json", input))
            }
        }
    }
}

fn event<const N: usize>(name: &str, members: [(&str, Json); N]) -> Step {
    let kind = ("type".to_owned(), Json::string(name));
    let members = members.into_iter().map(|(key, value)| (key.to_owned(), value));
    let data = Json::Object(std::iter::once(kind).chain(members).collect());
    Step::Event { name: name.to_owned(), data }
}

fn number(digits: &str) -> Json {
    Json::Number(digits.to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use forkproof_oracle::Json;

    use super::{Block, Step, Stream};

    #[test]
    fn a_message_has_three_events_a_block() {
        let input = Json::object([("command", Json::string("true"))]);
        let call = Block::Call { id: "t1".to_owned(), name: "Bash".to_owned(), input };
        let stream = Stream::message("m1", &[Block::Text("a".to_owned()), call]);
        let text = stream.text().expect("takes no time");
        let names: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
        let block = ["content_block_start", "content_block_delta", "content_block_stop"];
        let expected = [&["message_start"][..], &block, &block, &["message_delta", "message_stop"]];
        assert_eq!(names, expected.concat());
        assert!(text.contains(r#""partial_json":"{\"command\":\"true\"}""#), "{text}");
        assert!(text.contains(r#"{"stop_reason":"tool_use","stop_sequence":null}"#), "{text}");
        assert_eq!(stream.stalled(3).0.len(), 4);
    }

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
