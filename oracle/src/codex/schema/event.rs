//! Events that are kept in a rollout (CX-FMT-06).

use super::kind::Kind::{Any, I64, List, MapOf, Object, OneOf, Tagged, Text, U32, Uuid};
use super::kind::{Field, Form, Kind, def, form, opt, req};
use crate::codex::choices::Schema::{Release0145, Release0171};

/// The events that releases know and keep, by their names on disk.
pub(super) const EVENTS: &[Form] = &[
    form("task_started", STARTED),
    form("turn_started", STARTED),
    form("task_complete", COMPLETE),
    form("turn_complete", COMPLETE),
    form(
        "turn_aborted",
        &[
            opt("turn_id", Text),
            req("reason", OneOf(&["interrupted", "replaced", "review_ended", "budget_limited"])),
            opt("completed_at", I64),
            opt("duration_ms", I64),
        ],
    ),
    form(
        "user_message",
        &[
            req("message", Text),
            opt("images", List(&Text)),
            def("local_images", List(&Text)),
            def("text_elements", List(&MapOf(&Any))),
            opt("client_id", Text),
            opt("audio", List(&Text)).since(Release0145),
            def("local_audio", List(&Text)).since(Release0145),
        ],
    ),
    form(
        "agent_message",
        &[req("message", Text), opt("phase", PHASE), opt("memory_citation", MapOf(&Any))],
    ),
    form("thread_rolled_back", &[req("num_turns", U32)]),
    form("context_compacted", &[]).closed(),
    form("agent_reasoning", &[req("text", Text)]),
    form("agent_reasoning_raw_content", &[req("text", Text)]),
    form("entered_review_mode", &[req("target", MapOf(&Any)), opt("user_facing_hint", Text)]),
    form("exited_review_mode", &[opt("review_output", Any)]),
    form("web_search_end", &[req("call_id", Text), req("query", Text), req("action", MapOf(&Any))]),
    form(
        "mcp_tool_call_end",
        &[
            req("call_id", Text),
            req("invocation", MapOf(&Any)),
            req("duration", MapOf(&Any)),
            req("result", MapOf(&Any)),
        ],
    ),
    form("image_generation_end", &[req("call_id", Text), req("status", Text), req("result", Text)]),
    form("token_count", &[opt("info", Object(TOKENS)), opt("rate_limits", MapOf(&Any))]),
    form(
        "thread_settings_applied",
        &[
            opt("thread_id", Uuid).since(Release0171),
            req(
                "thread_settings",
                Object(&[
                    req("model", Text),
                    req("model_provider_id", Text),
                    req("cwd", Text),
                    req("approval_policy", Any),
                    req("approvals_reviewer", Text),
                    req("permission_profile", MapOf(&Any)),
                    req("collaboration_mode", MapOf(&Any)),
                ]),
            ),
        ],
    )
    .since(Release0145),
    form(
        "item_completed",
        &[
            req("turn_id", Text),
            req("thread_id", Uuid),
            req("item", Tagged(SHOWN)),
            opt("started_at_ms", I64),
            def("completed_at_ms", I64),
        ],
    ),
];

const STARTED: &[Field] = &[
    req("turn_id", Text),
    opt("model_context_window", I64),
    def("collaboration_mode_kind", Text),
    opt("started_at", I64),
    opt("trace_id", Text),
];

const COMPLETE: &[Field] = &[
    req("turn_id", Text),
    opt("last_agent_message", Text),
    opt("completed_at", I64),
    opt("duration_ms", I64),
    opt("time_to_first_token_ms", I64),
    opt("error", MapOf(&Any)).since(Release0145),
];

const PHASE: Kind = OneOf(&["commentary", "final_answer"]);

/// What a `token_count` says, if it says anything.
const TOKENS: &[Field] = &[
    req("total_token_usage", Object(USAGE)),
    req("last_token_usage", Object(USAGE)),
    opt("model_context_window", I64),
];

pub(super) const USAGE: &[Field] = &[
    req("input_tokens", I64),
    req("cached_input_tokens", I64),
    req("output_tokens", I64),
    req("reasoning_output_tokens", I64),
    req("total_tokens", I64),
];

/// Entries of shown turns.
const SHOWN: &[Form] = &[
    form(
        "UserMessage",
        &[
            req("id", Text),
            req(
                "content",
                List(&Tagged(&[
                    form("text", &[req("text", Text), def("text_elements", List(&MapOf(&Any)))]),
                    form("image", &[req("image_url", Text)]),
                    form("local_image", &[req("path", Text)]),
                    form("skill", &[req("name", Text), req("path", Text)]),
                    form("mention", &[req("name", Text), req("path", Text)]),
                ])),
            ),
            opt("client_id", Text),
        ],
    ),
    form(
        "AgentMessage",
        &[
            req("id", Text),
            req("content", List(&Tagged(&[form("Text", &[req("text", Text)])]))),
            opt("phase", PHASE),
            opt("memory_citation", MapOf(&Any)),
        ],
    ),
    form("Plan", &[req("id", Text), req("text", Text)]),
    form("ContextCompaction", &[req("id", Text)]),
    form("ExitedReviewMode", &[req("id", Text), opt("review", Any)]),
];
