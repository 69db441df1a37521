//! What a release knows of models (CX-REC-11).

use super::choices::TokenModels::{self, Known0138, Known0145, Known0171};
use super::truncate::Unit;

/// Models whose outputs are measured in tokens, with the releases that say so. More may exist: the
/// program cannot be asked.
const IN_TOKENS: &[(&str, &[TokenModels])] = &[
    ("gpt-5.3-codex", &[Known0138]),
    ("gpt-5.4", &[Known0138, Known0145]),
    ("gpt-5.5", &[Known0138, Known0145, Known0171]),
    ("gpt-5.6-luna", &[Known0145, Known0171]),
    ("gpt-5.6-sol", &[Known0145, Known0171]),
    ("gpt-5.6-terra", &[Known0145, Known0171]),
    ("gpt-6-astra", &[Known0171]),
    ("gpt-6-luna", &[Known0171]),
    ("gpt-6-sol", &[Known0171]),
    ("codex-auto-review", &[Known0138, Known0145, Known0171]),
];

/// What the outputs of tools are measured in for `model`.
pub(super) fn unit(model: &str, known: TokenModels) -> Unit {
    let name = without_namespace(model);
    // A longer name takes the facts of the one that it begins with.
    let in_tokens =
        IN_TOKENS.iter().any(|(slug, by)| by.contains(&known) && name.starts_with(slug));
    if in_tokens { Unit::Tokens } else { Unit::Bytes }
}

/// The name without the one namespace that it may have.
fn without_namespace(model: &str) -> &str {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match model.split_once('/') {
        Some((space, name))
            if !space.is_empty() && space.chars().all(plain) && !name.contains('/') =>
        {
            name
        }
        _ => model,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_name_in_one_namespace_takes_the_facts_of_its_model() {
        for model in ["gpt-5.5", "gpt-5.55", "gpt-5.5-codex", "openai/gpt-5.5", "a-b/gpt-5.5"] {
            assert_eq!(unit(model, Known0171), Unit::Tokens, "{model}");
        }
        for model in ["mock-model", "GPT-5.5", "a/b/gpt-5.5", "a.b/gpt-5.5", "/gpt-5.5", ""] {
            assert_eq!(unit(model, Known0171), Unit::Bytes, "{model}");
        }
    }

    #[test]
    fn releases_know_other_models() {
        assert_eq!(unit("gpt-6-sol", Known0145), Unit::Bytes);
        assert_eq!(unit("gpt-5.3-codex", Known0138), Unit::Tokens);
    }
}
