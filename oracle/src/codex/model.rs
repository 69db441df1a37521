//! What a release knows of models (CX-REC-11, CX-REC-12).

use super::choices::Models::{self, Known0138, Known0145, Known0171};
use super::truncate::Unit;

/// What a release knows of one model. A name that no entry begins is that of an unknown model: it
/// has none of this.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// Whether the outputs of tools are measured in tokens.
    tokens: bool,
    /// A part of what the model is told of itself, by its tag.
    pub(super) told: Option<&'static str>,
}

const TOKENS: Facts = Facts { tokens: true, told: None };
const STYLED: Facts = Facts { tokens: true, told: Some("personality_spec") };
const TOOLED: Facts = Facts { tokens: true, told: Some("tools") };

/// Beginnings of model names, each with the facts of a release. More may exist: the program cannot
/// be asked. Of those with [`TOKENS`] a release tells the model more than the oracle knows.
const MODELS: &[(&str, &[(Models, Facts)])] = &[
    ("gpt-5.3-codex", &[(Known0138, STYLED)]),
    ("gpt-5.4", &[(Known0138, STYLED), (Known0145, STYLED)]),
    ("gpt-5.5", &[(Known0138, STYLED), (Known0145, STYLED), (Known0171, TOOLED)]),
    ("gpt-5.6-luna", &[(Known0145, TOKENS), (Known0171, TOKENS)]),
    ("gpt-5.6-sol", &[(Known0145, TOKENS), (Known0171, TOKENS)]),
    ("gpt-5.6-terra", &[(Known0145, TOKENS), (Known0171, TOKENS)]),
    ("gpt-6-astra", &[(Known0171, TOKENS)]),
    ("gpt-6-luna", &[(Known0171, TOKENS)]),
    ("gpt-6-sol", &[(Known0171, TOKENS)]),
    ("codex-auto-review", &[(Known0138, STYLED), (Known0145, STYLED), (Known0171, TOKENS)]),
];

impl Facts {
    /// What a release knows of `model`.
    pub(super) fn of(model: &str, known: Models) -> Facts {
        let name = without_namespace(model);
        let entry = MODELS.iter().find(|(start, _)| name.starts_with(start));
        let facts = entry.and_then(|(_, by)| by.iter().find(|(release, _)| *release == known));
        facts.map_or_else(Facts::default, |(_, facts)| *facts)
    }

    /// What the outputs of tools are measured in.
    pub(super) fn unit(self) -> Unit {
        if self.tokens { Unit::Tokens } else { Unit::Bytes }
    }
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

    fn unit(model: &str, known: Models) -> Unit {
        Facts::of(model, known).unit()
    }

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
