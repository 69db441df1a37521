//! Whole turns, interruptions and side conversations.

use forkproof_oracle::Json;

use super::tools::Tools;
use super::transcript::Transcript;
use crate::claude::{Attachment, Content, Form, Interrupt, Note, Reply};
use crate::json::text;

impl Transcript<'_> {
    pub(super) fn turn(&mut self, calls: u8, attached: u8, thinks: bool, noted: bool) {
        if noted {
            self.write_note(Note::Queue);
        }
        self.user(Content::Text);
        let attachments = [Attachment::Date, Attachment::Snapshot];
        for attachment in &attachments[..usize::from(attached % 3)] {
            self.attachment(*attachment);
        }
        if thinks {
            self.assistant(Reply::Thinking, false);
        }
        let calls = usize::from(calls % 4);
        if calls > 0 {
            self.tools(&Tools::proper(calls, thinks));
        }
        self.assistant(Reply::Text, thinks && calls == 0);
        if noted {
            let tip = self.tip.clone();
            self.last_prompt(Some(tip));
        }
    }

    pub(super) fn interrupt(&mut self, interrupt: Interrupt) {
        self.user(Content::Text);
        match interrupt {
            Interrupt::Unanswered => {}
            Interrupt::Partial => {
                self.assistant(Reply::Text, false);
                self.user(Content::Interrupted);
            }
            Interrupt::Call => {
                self.call(false, false);
            }
            Interrupt::OneOfTwo => {
                self.two_calls();
            }
            Interrupt::Tool => {
                self.call(false, false);
                self.result(0, Form::Text, true);
                self.user(Content::InterruptedTool);
            }
            Interrupt::Signal => {
                let second = self.two_calls();
                let first = self.tip.clone();
                self.last_prompt(Some(first));
                self.tip = second;
                self.result(0, Form::Text, true);
                self.user(Content::InterruptedTool);
            }
        }
    }

    /// Two parallel calls and the result of the first; the id of the entry of the second.
    fn two_calls(&mut self) -> Json {
        self.call(false, false);
        let first = self.tip.clone();
        self.call(false, true);
        let second = std::mem::replace(&mut self.tip, first);
        self.result(1, Form::Text, false);
        second
    }

    pub(super) fn sidechain(&mut self, rooted: bool, joined: bool) {
        let tip = self.tip.clone();
        if rooted {
            self.tip = Json::Null;
        }
        let agent = text(&format!("agent-{}", self.entries + 1));
        for user in [true, false] {
            let entry = match user {
                true => self.user(Content::Text),
                false => self.assistant(Reply::Text, false),
            };
            entry.set("isSidechain", Json::Bool(true));
            entry.set("agentId", agent.clone());
        }
        if !joined {
            self.tip = tip;
        }
    }

    pub(super) fn rewind(&mut self, back: u8, told: bool) {
        let Some(entry) = self.id(back) else { return };
        if told {
            self.last_prompt(Some(entry.clone()));
        }
        self.tip = entry;
    }

    /// A line with the prompt before and the leaf, if there is to be one.
    pub(super) fn last_prompt(&mut self, leaf: Option<Json>) {
        let mut members = vec![("lastPrompt", text("p"))];
        members.extend(leaf.map(|leaf| ("leafUuid", leaf)));
        self.note("last-prompt", members);
    }
}
