//! Records that say nothing to the model.

use forkproof_oracle::Json;

use super::compact::ghost;
use super::rollout::Rollout;
use super::value::message;
use crate::codex::{Aside, Settings, Strange};
use crate::json::{number, object, tagged, text};

impl Rollout<'_> {
    pub(super) fn settings(&mut self, settings: Settings) {
        let folder = if settings == Settings::OtherFolder { "/proj/other" } else { "/proj/demo" };
        let model = if settings == Settings::OtherModel { "other-model" } else { "mock-model" };
        let members = [
            ("turn_id", self.turn()),
            ("cwd", text(folder)),
            ("approval_policy", text("never")),
            ("sandbox_policy", tagged("danger-full-access", [])),
            ("model", text(model)),
            ("summary", text("none")),
        ];
        let is_there = |key: &str| match settings {
            Settings::Unnamed => key != "turn_id",
            Settings::Malformed => key != "model",
            _ => true,
        };
        let members = members.into_iter().filter(|(key, _)| is_there(key)).collect();
        self.record("turn_context", object(members));
    }

    pub(super) fn aside(&mut self, aside: Aside) {
        match aside {
            Aside::TokenCount => {
                let info = Json::object([
                    ("total_token_usage", usage()),
                    ("last_token_usage", usage()),
                    ("model_context_window", number(258_400)),
                ]);
                self.event("token_count", [("info", info), ("rate_limits", Json::Null)]);
            }
            Aside::TokenUsage => {
                let record = Json::object([
                    ("thread_id", text(self.thread)),
                    ("turn_id", self.turn()),
                    ("session_id", text(self.thread)),
                    ("root_turn_id", self.turn()),
                    ("response_id", text("r1")),
                    ("usage", usage()),
                    ("turn_token_usage", usage()),
                    ("thread_token_usage", usage()),
                ]);
                self.record("token_usage_record", record);
            }
            Aside::SettingsApplied => self.settings_applied(),
            Aside::WorldState => self.world_state(),
            Aside::Ghost => self.record("response_item", ghost()),
        }
    }

    fn settings_applied(&mut self) {
        let collaboration = Json::object([
            ("model", text("mock-model")),
            ("reasoning_effort", Json::Null),
            ("developer_instructions", Json::Null),
        ]);
        let settings = Json::object([
            ("model", text("mock-model")),
            ("model_provider_id", text("mock")),
            ("approval_policy", text("never")),
            ("approvals_reviewer", text("user")),
            ("requested_approvals_reviewer", text("user")),
            ("permission_profile", tagged("disabled", [])),
            ("cwd", text("/proj/demo")),
            ("runtime_workspace_roots", Json::Array(vec![text("/proj/demo")])),
            (
                "collaboration_mode",
                Json::object([("mode", text("default")), ("settings", collaboration)]),
            ),
            ("disabled_plugin_ids", Json::Array(Vec::new())),
        ]);
        let thread = ("thread_id", text(self.thread));
        self.event("thread_settings_applied", [thread, ("thread_settings", settings)]);
    }

    fn world_state(&mut self) {
        let local = Json::object([
            ("cwd", text("/proj/demo")),
            ("status", text("available")),
            ("shell", text("bash")),
        ]);
        let environments = Json::object([
            ("environments", Json::object([("local", local)])),
            ("current_date", text("2026-11-29")),
            ("timezone", text("Etc/UTC")),
        ]);
        let state = Json::object([("environments", environments)]);
        let state = Json::object([("full", Json::Bool(true)), ("state", state)]);
        self.record("world_state", state);
    }

    pub(super) fn strange(&mut self, strange: Strange) {
        match strange {
            Strange::Record => self.record("future_record", Json::object([("x", text("y"))])),
            Strange::Event => self.event("future_event", [("x", text("y"))]),
            Strange::Item => self.item("future_item", [("x", text("y"))]),
            Strange::NoTime => {
                // By its place, so that the texts after it stay as they are.
                let said = format!("lost-{}", self.records);
                self.timeless("response_item", message("user", &said));
            }
        }
    }
}

fn usage() -> Json {
    Json::object([
        ("input_tokens", number(1)),
        ("cached_input_tokens", number(0)),
        ("cache_write_input_tokens", number(0)),
        ("output_tokens", number(1)),
        ("reasoning_output_tokens", number(0)),
        ("total_tokens", number(2)),
    ])
}
