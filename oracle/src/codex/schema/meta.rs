//! `session_meta` (CX-FMT-05).

use super::kind::Kind::{self, Any, Either, List, MapOf, Object, OneOf, Text, U64, Uuid};
use super::kind::{Form, def, form, opt, req};
use crate::codex::choices::Schema::{Release0138, Release0145};

/// The metadata of a thread. What `history_mode` may be is decided elsewhere (CX-LOAD-01).
pub(in crate::codex) const META: Form = form(
    "session_meta",
    &[
        req("id", Uuid),
        req("timestamp", Text),
        req("cwd", Text),
        req("originator", Text),
        req("cli_version", Text),
        def("source", Either(&Text, &Object(&[req("subagent", Any)]))),
        opt("model_provider", Text),
        opt("base_instructions", Object(&[req("text", Text)])),
        opt("history_mode", Any).until(Release0138),
        def("history_mode", MODE).since(Release0145),
        def("session_id", Uuid).since(Release0145),
        opt("forked_from_id", Uuid),
        opt("parent_thread_id", Uuid),
        opt("git", GIT),
        opt(
            "history_base",
            Object(&[
                req("thread_id", Uuid),
                req("end_ordinal_exclusive", U64),
                req("end_byte_offset", U64),
            ]),
        )
        .since(Release0145),
        opt("context_window", Object(&[req("window_id", Text)])),
        opt("dynamic_tools", List(&MapOf(&Any))),
        opt("memory_mode", Text),
        opt("thread_source", Text),
        opt("agent_nickname", Text),
        opt("multi_agent_version", OneOf(&["disabled", "v1", "v2"])),
        opt("runtime_workspace_roots", List(&Any)),
        opt("subagent_history_start_ordinal", U64),
        opt("forked_from_ordinal_exclusive", U64),
    ],
);

const MODE: Kind = Either(&OneOf(&["legacy", "paginated"]), &MapOf(&Any));

const GIT: Kind =
    Object(&[opt("commit_hash", Text), opt("branch", Text), opt("repository_url", Text)]);
