//! Records (CX-FMT-04).

use super::event::{EVENTS, USAGE};
use super::kind::Kind::{
    Any, Bool, Either, List, MapOf, Object, OneOf, Path, Tagged, Text, U64, Uuid,
};
use super::kind::{Field, Form, Kind, def, form, opt, req};
use crate::codex::choices::Schema::{Release0138, Release0145, Release0171};

/// The payloads of records that releases know; items and metadata have tables of their own, and so
/// has the list of items in a compaction.
pub(in crate::codex) const RECORDS: &[Form] = &[
    form("event_msg", &[req("payload", Tagged(EVENTS))]),
    form("compacted", &[req("payload", Object(COMPACTED))]),
    form("turn_context", &[req("payload", Object(TURN_CONTEXT))]),
    form("world_state", &[req("payload", Object(&[req("full", Bool), WORLD, OLD_WORLD]))])
        .since(Release0145),
    form("token_usage_record", &[req("payload", Object(COST))]).since(Release0171),
    form(
        "inter_agent_communication_metadata",
        &[req("payload", Object(&[req("trigger_turn", Bool)]))],
    )
    .since(Release0145),
];

const WORLD: Field = req("state", MapOf(&Any)).since(Release0171);
const OLD_WORLD: Field = req("state", Any).until(Release0145);

const COMPACTED: &[Field] = &[
    req("message", Text),
    opt("replacement_history", List(&Any)),
    opt("window_number", U64).since(Release0145),
    opt("window_id", Either(&Text, &U64)).since(Release0145),
    opt("first_window_id", Text).since(Release0145),
    opt("previous_window_id", Text).since(Release0145),
    opt("resume_metadata", MapOf(&Any)).since(Release0171),
    opt("compaction_response_id", Text).since(Release0171),
    opt("replacement_history_metadata", List(&MapOf(&Any))).since(Release0171),
    opt("retained_context", MapOf(&Any)).since(Release0171),
];

const TURN_CONTEXT: &[Field] = &[
    req("cwd", Path).since(Release0145),
    req("cwd", Text).until(Release0138),
    req("approval_policy", APPROVAL),
    req("sandbox_policy", SANDBOX),
    req("model", Text),
    opt("turn_id", Text),
    opt("summary", SUMMARY).since(Release0171),
    req("summary", SUMMARY).until(Release0145),
    opt("effort", Text),
    opt(
        "collaboration_mode",
        Object(&[
            req(
                "mode",
                OneOf(&["plan", "code", "default", "pair_programming", "execute", "custom"]),
            ),
            req("settings", Object(&[req("model", Text)])),
        ]),
    ),
    opt("realtime_active", Bool),
    opt("multi_agent_version", OneOf(&["disabled", "v1", "v2"])),
    opt("permission_profile", PROFILE),
    opt("file_system_sandbox_policy", MapOf(&Any)),
    opt("comp_hash", Text).since(Release0145),
    opt("approvals_reviewer", OneOf(&["user", "guardian_subagent", "auto_review"]))
        .since(Release0145),
    opt("personality", OneOf(&["none", "friendly", "pragmatic"])).until(Release0145),
    opt("current_date", Text).until(Release0145),
    opt("timezone", Text).until(Release0145),
    opt("network", MapOf(&List(&Any))).until(Release0145),
    opt("workspace_roots", List(&Path)).until(Release0145),
];

const PROFILE: Kind = Tagged(&[
    form("disabled", &[]),
    form("external", &[req("network", Any)]),
    form("managed", &[req("file_system", Any), req("network", Any)]),
]);

const SUMMARY: Kind = OneOf(&["auto", "concise", "detailed", "none"]);

const APPROVAL: Kind = Either(
    &OneOf(&["untrusted", "on-failure", "on-request", "never"]),
    &Object(&[req("granular", MapOf(&Any))]),
);

const SANDBOX: Kind = Tagged(&[
    form("danger-full-access", &[]),
    form("read-only", &[def("network_access", Bool)]),
    form(
        "workspace-write",
        &[
            def("writable_roots", List(&Path)),
            def("network_access", Bool),
            def("exclude_tmpdir_env_var", Bool),
            def("exclude_slash_tmp", Bool),
        ],
    ),
    form("external-sandbox", &[def("network_access", Any)]),
]);

const COST: &[Field] = &[
    req("thread_id", Uuid),
    req("session_id", Uuid),
    req("turn_id", Text),
    req("root_turn_id", Text),
    req("response_id", Text),
    req("usage", Object(USAGE)),
    req("turn_token_usage", Object(USAGE)),
    req("thread_token_usage", Object(USAGE)),
];
