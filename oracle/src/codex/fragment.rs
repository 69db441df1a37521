//! Messages of the program among those of people: context that goes with the user message after it
//! (CX-REC-01, CX-REC-06).

use serde::Deserialize;

use super::choices::Contextual::{self, Known0138, Known0145, Known0171};

/// How a fragment begins and ends, in lower case, and the first edition that knows it.
const PAIRS: &[(&str, &str, Contextual)] = &[
    ("<environment_context>", "</environment_context>", Known0138),
    ("<skill>", "</skill>", Known0138),
    ("<user_shell_command>", "</user_shell_command>", Known0138),
    ("<turn_aborted>", "</turn_aborted>", Known0138),
    ("<subagent_notification>", "</subagent_notification>", Known0138),
    ("# agents.md instructions for ", "</instructions>", Known0138),
    ("# agents.md instructions", "</instructions>", Known0145),
    ("<recommended_plugins>", "</recommended_plugins>", Known0145),
    ("<agent_message_board_notification>", "</agent_message_board_notification>", Known0171),
];

/// As [`PAIRS`], where case matters; known to all editions.
const EXACT_PAIRS: &[(&str, &str)] = &[
    ("<goal_context>", "</goal_context>"),
    ("Warning: The maximum number of unified exec processes you can keep open is", ""),
    ("Warning: Your account was flagged for potentially high-risk cyber activity", ""),
    (
        "Warning: apply_patch was requested via ",
        "Use the apply_patch tool instead of exec_command.",
    ),
];

/// How developer messages begin that are context, in lower case, and the first edition that knows it.
const DEVELOPER: &[(&str, Contextual)] = &[
    ("<permissions instructions>", Known0138),
    ("<model_switch>", Known0138),
    ("<collaboration_mode>", Known0138),
    ("<personality_spec>", Known0138),
    ("<realtime_conversation>", Known0138),
    ("<skills_instructions>", Known0145),
    ("<plugins_instructions>", Known0145),
    ("<apps_instructions>", Known0145),
    ("<multi_agent_mode>", Known0145),
    ("<environments_instructions>", Known0145),
    ("<token_budget>", Known0145),
    ("<context_window>", Known0145),
    ("<context_window_guidance>", Known0145),
    ("<rollout_budget>", Known0145),
    ("<multi_agent_role>", Known0171),
    ("<tools>", Known0171),
    ("<managed_developer_instructions>", Known0171),
    ("<git_attribution>", Known0171),
    ("<persistent_mode>", Known0171),
    ("approved command prefix saved:", Known0171),
];

/// Whether a part of a user message makes it context.
pub(super) fn is_context(part: &str, known: Contextual) -> bool {
    if known == Contextual::Never {
        return false;
    }
    let text = part.trim();
    let lower = text.to_ascii_lowercase();
    let pair = PAIRS.iter().any(|(start, end, since)| {
        *since <= known && lower.starts_with(start) && lower.ends_with(end)
    });
    let exact =
        EXACT_PAIRS.iter().any(|(start, end)| text.starts_with(start) && text.ends_with(end));
    pair || exact || is_internal(text) || is_external(text) || is_hook(text)
}

/// Whether a part of a developer message makes it context; its tag need not be closed.
pub(super) fn is_developer_context(part: &str, known: Contextual) -> bool {
    let text = part.trim_start().to_ascii_lowercase();
    DEVELOPER.iter().any(|(start, since)| *since <= known && text.starts_with(start))
}

/// Whether a part of a user message holds instructions of AGENTS.md (CX-REC-19).
pub(super) fn is_agents(part: &str) -> bool {
    let text = part.trim().to_ascii_lowercase();
    text.starts_with("# agents.md instructions") && text.ends_with("</instructions>")
}

/// Whether a part of a developer message says how to work together (CX-REC-19).
pub(super) fn is_collaboration(part: &str) -> bool {
    let text = part.trim().to_ascii_lowercase();
    text.starts_with("<collaboration_mode>") && text.ends_with("</collaboration_mode>")
}

/// Whether a part of a developer message lists skills (CX-REC-19).
pub(super) fn is_skills(part: &str) -> bool {
    let text = part.trim();
    text.starts_with("<skills_instructions>") && text.ends_with("</skills_instructions>")
}

/// `<codex_internal_context source="NAME">…</codex_internal_context>`.
fn is_internal(text: &str) -> bool {
    let inner = text
        .strip_prefix("<codex_internal_context source=\"")
        .and_then(|rest| rest.strip_suffix("</codex_internal_context>"));
    let name = inner.and_then(|inner| inner.split_once("\">")).map_or("", |(name, _)| name);
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// `<external_NAME>…</external_NAME>`, whatever the name.
fn is_external(text: &str) -> bool {
    let named = text.strip_prefix("<external_").and_then(|rest| rest.split_once('>'));
    named.is_some_and(|(name, rest)| rest.ends_with(&format!("</external_{name}>")))
}

/// An XML element with text and the attribute `hook_run_id`, neither of them blank.
pub(super) fn is_hook(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Hook {
        #[serde(rename = "@hook_run_id")]
        run: String,
        #[serde(rename = "$text", default)]
        text: String,
    }
    let text = text.trim();
    text.starts_with('<')
        && quick_xml::de::from_str::<Hook>(text)
            .is_ok_and(|hook| !hook.run.trim().is_empty() && !hook.text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn context(text: &str) {
        assert!(is_context(text, Known0171), "{text}");
    }

    #[track_caller]
    fn talk(text: &str) {
        assert!(!is_context(text, Known0171), "{text}");
    }

    #[test]
    fn a_known_pair_of_tags_encloses_context_in_any_case() {
        context(" <Environment_Context>x</ENVIRONMENT_CONTEXT>\n");
        context("# AGENTS.md instructions\n\nx</INSTRUCTIONS>");
    }

    #[test]
    fn text_before_the_tag_or_an_open_tag_is_talk() {
        talk("see <environment_context>x</environment_context>");
        talk("<environment_context>x");
        talk("<user_instructions>x</user_instructions>");
    }

    #[test]
    fn some_tags_are_known_in_their_own_case_only() {
        context("<goal_context>x</goal_context>");
        talk("<Goal_Context>x</goal_context>");
    }

    #[test]
    fn names_in_tags_have_a_form() {
        context("<codex_internal_context source=\"goal_1\">x</codex_internal_context>");
        talk("<codex_internal_context source=\"Goal\">x</codex_internal_context>");
        talk("<codex_internal_context>x</codex_internal_context>");
        context("<external_a b>x</external_a b>");
        talk("<external_a>x</external_b>");
    }

    #[test]
    fn a_hook_prompt_is_an_element_with_its_attribute_and_text() {
        context("<hook_prompt hook_run_id=\"1\">x</hook_prompt>");
        context("<any hook_run_id=\"1\"><![CDATA[x]]></any>");
        talk("<hook_prompt hook_run_id=\" \">x</hook_prompt>");
        talk("<hook_prompt hook_run_id=\"1\"> </hook_prompt>");
        talk("<hook_prompt hook_run_id=\"1\">x");
        talk("<hook_prompt id=\"1\">x</hook_prompt>");
        talk("<a hook_run_id=\"1\"><b>t</b></a>");
    }

    #[test]
    fn an_older_edition_knows_fewer() {
        assert!(!is_context("<recommended_plugins>x</recommended_plugins>", Known0138));
        assert!(!is_developer_context("<skills_instructions>x", Known0138));
        assert!(is_developer_context(" <Skills_Instructions>x", Known0145));
        assert!(!is_developer_context("<tools>", Known0145));
    }
}
