//! Entries and lines beside the talk.

use forkproof_oracle::Json;

use super::line::Line;
use super::odd::FOREIGN;
use super::time::time;
use super::transcript::Transcript;
use crate::claude::{Attachment, Note, System};
use crate::json::{number, object, tagged, text};

impl Transcript<'_> {
    pub(super) fn system(&mut self, system: System) {
        let said = self.said("t");
        let output = format!("<local-command-stdout>{said}</local-command-stdout>");
        let content = if system == System::LocalCommand { &output } else { &said };
        let (subtype, more) = match system {
            System::LocalCommand => (Some("local_command"), None),
            System::Microcompact => {
                let metadata = [("trigger", text("auto")), ("preTokens", number(5))];
                let metadata = ("microcompactMetadata", Json::object(metadata));
                (Some("microcompact_boundary"), Some(metadata))
            }
            System::Snip => {
                let removed = Json::Array(self.chain(3).into_iter().skip(1).collect());
                let metadata = Json::object([("removedUuids", removed)]);
                (Some("snip_boundary"), Some(("snipMetadata", metadata)))
            }
            System::Duration => {
                let count = number(self.chain(self.lines.len()).len());
                (Some("turn_duration"), Some(("messageCount", count)))
            }
            System::WrongDuration => (Some("turn_duration"), Some(("messageCount", number(999)))),
            System::Informational => (Some("informational"), None),
            System::ApiError => {
                let error = ("error", Json::object([("status", number(529))]));
                (Some("api_error"), Some(error))
            }
            System::Unknown => (Some("future_subtype"), None),
            System::Bare => (None, None),
        };
        let mut body: Vec<(&str, Json)> =
            subtype.map(|subtype| ("subtype", text(subtype))).into_iter().collect();
        match subtype {
            Some("turn_duration") => body.push(("durationMs", number(5))),
            _ => body.extend([("content", text(content)), ("level", text("info"))]),
        }
        body.extend(more);
        body.push(("isMeta", Json::Bool(false)));
        self.entry("system", body);
    }

    pub(super) fn attachment(&mut self, attachment: Attachment) {
        let said = self.said("t");
        let content = match attachment {
            Attachment::Date | Attachment::RenderedEmpty => {
                Some(tagged("date", [("date", text("2026-01-01"))]))
            }
            Attachment::Environment => {
                let snapshot = [
                    ("workingDirectory", text("/w")),
                    ("isWorktree", Json::Bool(false)),
                    ("isGitRepo", Json::Bool(false)),
                    ("additionalWorkingDirectories", Json::Array(Vec::new())),
                    ("platform", text("linux")),
                    ("shell", text("bash")),
                    ("osVersion", text("Linux")),
                ];
                Some(tagged("environment", [("snapshot", Json::object(snapshot))]))
            }
            Attachment::Model => {
                let identity = [
                    ("modelId", text("mock-model")),
                    ("marketingName", Json::Null),
                    ("knowledgeCutoff", Json::Null),
                ];
                let identity = ("identity", Json::object(identity));
                Some(tagged("model", [identity, ("text", text(&said))]))
            }
            Attachment::Context => {
                Some(tagged("session_context", [("context", object(Vec::new()))]))
            }
            Attachment::Snapshot => {
                let members = [
                    ("systemPrompt", Json::Array(vec![text("MARK")])),
                    ("reminderFold", Json::Bool(false)),
                    ("echoWireToolInputs", Json::Bool(false)),
                    ("contextRendering", text("announced")),
                ];
                Some(tagged("prompt_snapshot", members))
            }
            Attachment::Unknown
            | Attachment::Rendered
            | Attachment::RenderedSystem
            | Attachment::RenderedPlain => {
                Some(tagged("future_attachment", [("content", text(&said))]))
            }
            Attachment::Absent => None,
        };
        let mut body: Vec<(&str, Json)> =
            content.map(|content| ("attachment", content)).into_iter().collect();
        body.extend(rendered(attachment, &said));
        self.entry("attachment", body);
    }

    pub(super) fn progress(&mut self, inside: bool) {
        let tip = self.tip.clone();
        let body = vec![
            ("data", Json::object([("type", text("bash_progress"))])),
            ("toolUseID", text("toolu_1")),
            ("parentToolUseID", text("toolu_1")),
        ];
        self.entry("progress", body);
        if !inside {
            self.tip = tip;
        }
    }

    pub(super) fn write_note(&mut self, note: Note) {
        let now = ("timestamp", text(&time(self.clock)));
        let said = text(&self.said("n"));
        match note {
            Note::Queue => {
                let enqueue = ("operation", text("enqueue"));
                self.note("queue-operation", vec![enqueue, now.clone(), ("content", said)]);
                self.note("queue-operation", vec![("operation", text("dequeue")), now]);
            }
            Note::Mode => self.note("mode", vec![("mode", text("normal"))]),
            Note::Permission => {
                self.note("permission-mode", vec![("permissionMode", text("default"))]);
            }
            Note::Title => self.note("custom-title", vec![("customTitle", said)]),
            Note::AiTitle => self.note("ai-title", vec![("aiTitle", said)]),
            Note::Tag => self.note("tag", vec![("tag", said)]),
            Note::Summary => {
                let leaf = self.id(1).unwrap_or(self.unknown());
                self.note("summary", vec![("summary", said), ("leafUuid", leaf)]);
            }
            Note::Snapshot => {
                let id = self.tip.clone();
                let snapshot =
                    [("messageId", id.clone()), ("trackedFileBackups", object(Vec::new())), now];
                let members = vec![
                    ("messageId", id),
                    ("snapshot", Json::object(snapshot)),
                    ("isSnapshotUpdate", Json::Bool(false)),
                ];
                self.note("file-history-snapshot", members);
            }
            Note::Replacement => self.replacement(),
            Note::Colour => self.note("agent-color", vec![("agentColor", text("blue"))]),
            Note::Setting => self.note("agent-setting", vec![("agentSetting", said)]),
            Note::Link => {
                let members = vec![
                    ("prNumber", number(7)),
                    ("prUrl", text("https://example.com/x/y/pull/7")),
                    ("prRepository", text("x/y")),
                    now,
                ];
                self.note("pr-link", members);
            }
            Note::ForeignTitle => {
                let title = [("type", text("custom-title")), ("customTitle", said)];
                let [kind, value] = title;
                let title = Json::object([kind, value, ("sessionId", text(FOREIGN))]);
                self.lines.push(Line::Text(title.to_string()));
            }
            Note::EmptyTitle => self.note("custom-title", vec![("customTitle", text(""))]),
            Note::Agent => self.note("agent-name", vec![("agentName", said)]),
            Note::Cost => self.note("cost-state", vec![("totalCostUSD", number(0))]),
            Note::Linked => {
                let number = self.entries + 1;
                self.entries = number;
                let (uuid, parent) = (self.uuid(number), self.tip.clone());
                let members = vec![("tag", said), ("uuid", uuid), ("parentUuid", parent), now];
                self.note("tag", members);
            }
        }
    }
}

/// What the model was told of an attachment, and by whom.
fn rendered(attachment: Attachment, said: &str) -> Vec<(&'static str, Json)> {
    let told = Json::object([(
        "content",
        text(&format!("<system-reminder>\n{said}\n</system-reminder>")),
    )]);
    let role = |role: &str| ("renderedRole", text(role));
    let told = ("rendered", Json::Array(vec![told]));
    match attachment {
        Attachment::Rendered => vec![told, role("user")],
        Attachment::RenderedSystem => vec![told, role("system")],
        Attachment::RenderedPlain => vec![told],
        Attachment::RenderedEmpty => {
            vec![("rendered", Json::Array(Vec::new())), role("user")]
        }
        _ => Vec::new(),
    }
}
