//! Messages other than plain talk.

use forkproof_oracle::{Json, Markers};

use super::rollout::Rollout;
use super::value::{part, parts};
use crate::codex::{Context, Developer, LookAlike};

/// How long a long text of a user is: three of them are more than a compaction without base keeps.
const LONG: usize = 30_000;

impl Rollout<'_> {
    pub(super) fn two_parts(&mut self) {
        let (first, second) = (self.unique("user"), self.unique("user"));
        self.record("response_item", parts("user", &[&first, &second]));
        self.shown(true, &format!("{first}{second}"));
    }

    /// Without event, which would only double its size.
    pub(super) fn long_user(&mut self) {
        let said = self.unique("user");
        self.message("user", &format!("{said} {}", "u".repeat(LONG)));
    }

    pub(super) fn reasoning(&mut self) {
        let thought = part("summary_text", &self.unique("thought"));
        self.item("reasoning", [("summary", Json::Array(vec![thought]))]);
    }

    /// The text of a summary.
    pub(super) fn summary(&mut self) -> String {
        format!("{}\n{}", Markers::SUMMARY_PREFIX, self.unique("summary"))
    }

    /// The text of a context message.
    pub(super) fn context(&mut self, context: Context) -> String {
        let inner = self.unique("context");
        let tagged = |tag: &str| format!("<{tag}>\n{inner}\n</{tag}>");
        match context {
            Context::Environment => format!("<environment_context>{inner}</environment_context>"),
            Context::Agents => {
                let head = "# AGENTS.md instructions for /proj/demo";
                format!("{head}\n\n<INSTRUCTIONS>\n{inner}\n</INSTRUCTIONS>")
            }
            Context::Aborted => tagged("turn_aborted"),
            Context::Skill => tagged("skill"),
            Context::Shell => tagged("user_shell_command"),
            Context::Subagent => tagged("subagent_notification"),
            Context::Goal => tagged("goal_context"),
            Context::Hook => format!("<hook_prompt hook_run_id=\"1\">{inner}</hook_prompt>"),
        }
    }

    pub(super) fn look_alike(&mut self, like: LookAlike) {
        let inner = self.unique("user");
        let said = match like {
            LookAlike::OpenTag => format!("<environment_context>{inner}"),
            LookAlike::TextBefore => format!("{inner} <skill>x</skill>"),
            LookAlike::OtherTag => format!("<user_instructions>{inner}</user_instructions>"),
            LookAlike::Prefix => format!("{} {inner}", Markers::SUMMARY_PREFIX),
        };
        self.message("user", &said);
        self.shown(true, &said);
    }

    /// The text of a developer message.
    pub(super) fn developer(&mut self, developer: Developer) -> String {
        let inner = self.unique("developer");
        let tagged = |tag: &str| format!("<{tag}>\n{inner}\n</{tag}>");
        match developer {
            Developer::Plain => inner,
            Developer::Permissions => tagged("permissions instructions"),
            Developer::ModelSwitch => tagged("model_switch"),
            Developer::Collaboration => tagged("collaboration_mode"),
            Developer::Personality => tagged("personality_spec"),
            Developer::Skills => tagged("skills_instructions"),
        }
    }
}
