//! Lines that a reader passes over, and one that makes a file large.

use forkproof_oracle::Json;

use super::line::Line;
use super::message::from_user;
use super::transcript::Transcript;
use crate::claude::{Content, Stray};
use crate::json::text;

/// One byte more than what a small file holds.
const LARGE: usize = 5 * 1024 * 1024 + 1;

impl Transcript<'_> {
    pub(super) fn stray(&mut self, stray: Stray, inside: bool) {
        let tip = self.tip.clone();
        match stray {
            Stray::Type => self.user(Content::Text).set("type", text("future_type")),
            Stray::Upper => self.user(Content::Text).set("type", text("USER")),
            Stray::Untyped => self.user(Content::Text).remove("type"),
            Stray::Garbage => self.user(Content::Text).before = "garbage ",
            Stray::Two => {
                self.user(Content::Text).glued = true;
                let first = self.tip.clone();
                self.user(Content::Text);
                if !inside {
                    self.tip = first;
                }
                return;
            }
            Stray::Null => self.lines.push(Line::Text("null".to_owned())),
            Stray::Number => self.lines.push(Line::Text("7".to_owned())),
            Stray::Word => self.lines.push(Line::Text("\"user\"".to_owned())),
            Stray::List => self.lines.push(Line::Text("[{\"type\":\"user\"}]".to_owned())),
            Stray::Empty => self.lines.push(Line::Text("{}".to_owned())),
        }
        if !inside {
            self.tip = tip;
        }
    }

    /// A user line whose size stands where the model does not see it.
    pub(super) fn pad(&mut self) {
        if std::mem::replace(&mut self.padded, true) {
            return;
        }
        let said = self.said("u");
        let output = Json::object([("stdout", text(&"x".repeat(LARGE)))]);
        let body = vec![("message", from_user(text(&said))), ("toolUseResult", output)];
        self.entry("user", body);
    }
}
