//! The graph of a program's transcript.

use forkproof_oracle::Json;

use super::line::{Entry, Line};
use super::transcript::Transcript;
use crate::claude::{Op, Program};

/// An entry in the graph. Ids are JSON texts.
pub(crate) struct Node {
    pub(crate) uuid: String,
    pub(crate) parent: Option<String>,
    pub(crate) progress: bool,
}

/// The entries of a program's transcript in the order of the file, before any damage.
pub(crate) fn nodes(program: &Program) -> Vec<Node> {
    let mut transcript = Transcript::new(program, "c1a0de00-0000-4000-8000-000000000000");
    // A large line has a place in the graph as any other.
    let small =
        |op: &Op| if *op == Op::Pad { Op::User { content: Default::default() } } else { *op };
    program.ops.iter().for_each(|op| transcript.play(&small(op)));
    let entry = |line: &Line| match line {
        Line::Entry(entry) => Some(node(entry)),
        Line::Text(_) => None,
    };
    transcript.lines.iter().filter_map(entry).collect()
}

fn node(entry: &Entry) -> Node {
    let parent = entry.get("parentUuid").filter(|parent| !is_root(parent));
    Node {
        uuid: entry.get("uuid").map(Json::to_string).unwrap_or_default(),
        parent: parent.map(Json::to_string),
        progress: entry.get("type").and_then(Json::as_str) == Some("progress"),
    }
}

fn is_root(parent: &Json) -> bool {
    let zero = matches!(parent, Json::Number(number) if number == "0");
    *parent == Json::Null || parent.as_str() == Some("") || zero
}
