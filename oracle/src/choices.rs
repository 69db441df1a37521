//! How choices are declared, and those of all families.

use crate::{claude, codex};

/// Declares the choices: one enum each, the struct of all, and its alternatives.
macro_rules! choices {
    ($(
        $(#[doc = $doc:literal])+
        $field:ident: $kind:ident = $rule:literal {
            $( $(#[doc = $about:literal])+ $variant:ident, )+
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[doc = ""]
            #[doc = concat!("Rule ", $rule, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum $kind { $( $(#[doc = $about])+ $variant, )+ }
        )+

        /// One field a choice, each with its rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Choices { $( $(#[doc = $doc])+ pub $field: $kind, )+ }

        /// One choice, made.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Choice { $( $(#[doc = $doc])+ $kind($kind), )+ }

        impl Choice {
            /// The rule that it belongs to.
            pub fn rule(self) -> &'static str {
                match self { $( Choice::$kind(_) => $rule, )+ }
            }
        }

        impl Choices {
            /// These with `choice` in place of theirs.
            pub fn with(self, choice: Choice) -> Choices {
                match choice { $( Choice::$kind($field) => Choices { $field, ..self }, )+ }
            }

            /// Every choice that can be made otherwise.
            pub fn alternatives(self) -> Vec<Choice> {
                let mut out = Vec::new();
                $( out.extend(
                    [$( $kind::$variant ),+]
                        .into_iter()
                        .filter(|other| *other != self.$field)
                        .map(Choice::$kind),
                ); )+
                out
            }
        }
    };
}

pub(crate) use choices;

/// The choices of one family's edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choices {
    /// Of Claude Code.
    Claude(claude::Choices),
    /// Of Codex.
    Codex(codex::Choices),
}

/// One choice, made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Of Claude Code.
    Claude(claude::Choice),
    /// Of Codex.
    Codex(codex::Choice),
}

impl Choices {
    /// These with `choice` in place of theirs; a choice of another family changes nothing.
    pub fn with(self, choice: Choice) -> Choices {
        match (self, choice) {
            (Choices::Claude(all), Choice::Claude(choice)) => Choices::Claude(all.with(choice)),
            (Choices::Codex(all), Choice::Codex(choice)) => Choices::Codex(all.with(choice)),
            (all, _) => all,
        }
    }

    /// Every choice that can be made otherwise.
    pub fn alternatives(self) -> Vec<Choice> {
        match self {
            Choices::Claude(all) => all.alternatives().into_iter().map(Choice::Claude).collect(),
            Choices::Codex(all) => all.alternatives().into_iter().map(Choice::Codex).collect(),
        }
    }
}

impl Choice {
    /// The rule that it belongs to.
    pub fn rule(self) -> &'static str {
        match self {
            Choice::Claude(choice) => choice.rule(),
            Choice::Codex(choice) => choice.rule(),
        }
    }
}
