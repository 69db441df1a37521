//! Items: what a request to the model is made of.

use serde_json::Value;

use super::kind::Kind::{
    Any, Either, List, MapOf, Number, Object, OneOf, Tagged, TaggedOrOther, Text, U64,
};
use super::kind::{Field, Form, Kind, def, form, opt, req, tag};
use crate::codex::choices::Schema::{Release0145, Release0171};

/// The items that releases know.
pub(in crate::codex) const ITEMS: &[Form] = &[
    form(
        "message",
        &[
            ID,
            PASSTHROUGH,
            req("role", Text),
            req("content", List(&Tagged(PARTS))),
            opt("phase", OneOf(&["commentary", "final_answer"])),
            opt("status", Text).since(Release0171),
            opt("encrypted_content", Text).since(Release0171),
        ],
    ),
    form(
        "reasoning",
        &[
            ID,
            PASSTHROUGH,
            req("summary", List(&Tagged(&[form("summary_text", &[req("text", Text)])]))),
            opt(
                "content",
                List(&Tagged(&[
                    form("reasoning_text", &[req("text", Text)]),
                    form("text", &[req("text", Text)]),
                ])),
            ),
            opt("encrypted_content", Text),
        ],
    ),
    form(
        "function_call",
        &[
            ID,
            PASSTHROUGH,
            req("name", Text),
            opt("namespace", Text),
            req("arguments", Text),
            req("call_id", Text),
            opt("status", Text).since(Release0171),
        ],
    ),
    // Before 0.171 an output had to name its call.
    form(
        "function_call_output",
        &[
            opt("id", Text).since(Release0145),
            PASSTHROUGH,
            opt("call_id", Text).since(Release0171),
            req("call_id", Text).until(Release0145),
            req("output", OUTPUT),
            opt("name", Text).since(Release0171),
            opt("namespace", Text).since(Release0171),
        ],
    ),
    form(
        "custom_tool_call",
        &[
            ID,
            PASSTHROUGH,
            opt("status", Text),
            req("call_id", Text),
            req("name", Text),
            opt("namespace", Text).since(Release0145),
            req("input", Text),
        ],
    ),
    form(
        "custom_tool_call_output",
        &[
            opt("id", Text).since(Release0145),
            PASSTHROUGH,
            req("call_id", Text),
            opt("name", Text),
            req("output", OUTPUT),
        ],
    ),
    form(
        "local_shell_call",
        &[
            ID,
            PASSTHROUGH,
            opt("call_id", Text),
            req("status", OneOf(&["completed", "in_progress", "incomplete"])),
            req(
                "action",
                Tagged(&[form(
                    "exec",
                    &[
                        req("command", List(&Text)),
                        opt("timeout_ms", U64),
                        opt("working_directory", Text),
                        opt("env", MapOf(&Text)),
                        opt("user", Text),
                    ],
                )]),
            ),
        ],
    ),
    form(
        "web_search_call",
        &[
            ID,
            PASSTHROUGH,
            opt("status", Text),
            opt(
                "action",
                TaggedOrOther(&[
                    form("search", &[opt("query", Text), opt("queries", List(&Text))]),
                    form("open_page", &[opt("url", Text)]),
                    form("find_in_page", &[opt("url", Text), opt("pattern", Text)]),
                ]),
            ),
        ],
    ),
    form(
        "image_generation_call",
        &[
            opt("id", Text).since(Release0145),
            req("id", Text).until(crate::codex::choices::Schema::Release0138),
            PASSTHROUGH,
            req("status", Text),
            opt("revised_prompt", Text),
            req("result", Text),
        ],
    ),
    form(
        "tool_search_call",
        &[
            ID,
            PASSTHROUGH,
            opt("call_id", Text),
            opt("status", Text),
            req("execution", Text),
            req("arguments", Any),
        ],
    ),
    form(
        "tool_search_output",
        &[
            PASSTHROUGH,
            opt("call_id", Text),
            req("status", Text),
            req("execution", Text),
            req("tools", List(&Any)),
        ],
    ),
    form("compaction", &[ID, PASSTHROUGH, req("encrypted_content", Text)]),
    form("context_compaction", &[ID, PASSTHROUGH, opt("encrypted_content", Text)]),
    form(
        "agent_message",
        &[
            ID,
            PASSTHROUGH,
            req("author", Text),
            req("recipient", Text),
            req(
                "content",
                List(&Tagged(&[
                    form("input_text", &[req("text", Text)]).since(Release0145),
                    form("encrypted_content", &[req("encrypted_content", Text)]),
                ])),
            ),
        ],
    ),
    form("additional_tools", &[ID, req("role", Text), req("tools", List(&Any))]).since(Release0145),
];

const ID: Field = opt("id", Text);

const PASSTHROUGH: Field = opt(
    "internal_chat_message_metadata_passthrough",
    Object(&[opt("turn_id", Text), opt("create_time", Number).since(Release0171)]),
)
.since(Release0145);

const IMAGE_DETAIL: Field = opt("detail", OneOf(&["auto", "low", "high", "original"]));

/// Parts of a message.
const PARTS: &[Form] = &[
    form("input_text", &[req("text", Text)]),
    form(
        "output_text",
        &[
            req("text", Text),
            opt("annotations", List(&Any)).since(Release0171),
            opt("logprobs", List(&Any)).since(Release0171),
        ],
    ),
    form("input_image", &[req("image_url", Text), IMAGE_DETAIL]),
    form("input_audio", &[req("audio_url", Text)]).since(Release0145),
];

/// An output is text or a list of parts.
const OUTPUT: Kind = Either(
    &Text,
    &List(&Tagged(&[
        form("input_text", &[req("text", Text)]),
        form("input_image", &[req("image_url", Text), IMAGE_DETAIL]),
        form("encrypted_content", &[def("encrypted_content", Text)]),
        form("input_audio", &[req("audio_url", Text)]).since(Release0145),
    ])),
);

/// Whether it is a `ghost_snapshot`, which older releases wrote (CX-LOAD-06).
pub(in crate::codex) fn is_ghost(item: &Value) -> bool {
    tag(item) == Some("ghost_snapshot")
}
