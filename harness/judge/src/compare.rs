//! Prediction against observation: plain equality, and words for what is not equal.

use forkproof_oracle::{Aspect, Effect, Outcome};
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The result of comparing two outcomes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Where they differ.
    pub differences: Vec<Difference>,
    /// Aspects that were predicted and not observed.
    pub unobserved: Vec<Aspect>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Which operation of the scenario, from 0.
    pub operation: usize,
    /// In which aspect.
    pub aspect: Aspect,
    /// What kind: `missing`, `extra`, `changed`. Divergence entries match on it.
    pub kind: String,
    /// Where in the aspect.
    pub place: String,
    /// What was predicted there; empty if nothing.
    pub predicted: Vec<String>,
    /// What was observed there; empty if nothing.
    pub observed: Vec<String>,
}

/// Compares the outcome of operation number `operation`.
pub fn compare(operation: usize, predicted: &Outcome, observed: &Outcome) -> Comparison {
    let mut out = Comparison::default();
    // What follows from another answer is not told again.
    let same_answer = predicted.answer == observed.answer;
    for aspect in Aspect::ALL {
        match (predicted.shows(aspect), observed.shows(aspect)) {
            (true, true) => {
                let new = differences(aspect, predicted, observed);
                out.differences.extend(
                    new.into_iter().map(|difference| Difference { operation, ..difference }),
                );
            }
            (true, false) if same_answer => out.unobserved.push(aspect),
            _ => {}
        }
    }
    out
}

fn differences(aspect: Aspect, predicted: &Outcome, observed: &Outcome) -> Vec<Difference> {
    let (p, o) = (predicted, observed);
    match aspect {
        Aspect::Answer => list(aspect, "", &text_of(&p.answer), &text_of(&o.answer)),
        Aspect::Context => list(aspect, "", &texts(&p.context), &texts(&o.context)),
        Aspect::Turns => list(aspect, "", &texts(&p.turns), &texts(&o.turns)),
        Aspect::Identity => list(aspect, "", &text_of(&p.identity), &text_of(&o.identity)),
        Aspect::Settings => list(aspect, "", &text_of(&p.settings), &text_of(&o.settings)),
        Aspect::Disk => disk(predicted, observed),
    }
}

/// File by file, and inside a file record by record.
fn disk(predicted: &Outcome, observed: &Outcome) -> Vec<Difference> {
    let empty = Default::default();
    let (p, o) =
        (predicted.disk.as_ref().unwrap_or(&empty), observed.disk.as_ref().unwrap_or(&empty));
    let paths: std::collections::BTreeSet<&String> = p.keys().chain(o.keys()).collect();
    paths
        .into_iter()
        .flat_map(|path| match (p.get(path), o.get(path)) {
            (
                Some(Effect::Appended { newline_first: a, records: p }),
                Some(Effect::Appended { newline_first: b, records: o }),
            ) if a == b => list(Aspect::Disk, path, &texts(&Some(p)), &texts(&Some(o))),
            (p, o) => list(Aspect::Disk, path, &text_of(&p), &text_of(&o)),
        })
        .collect()
}

fn list(aspect: Aspect, place: &str, predicted: &[String], observed: &[String]) -> Vec<Difference> {
    let at = |index: usize| match place {
        "" => format!("{index}"),
        place => format!("{place} {index}"),
    };
    let difference = |kind: &str, index, predicted: &[String], observed: &[String]| Difference {
        operation: 0,
        aspect,
        kind: kind.to_owned(),
        place: at(index),
        predicted: predicted.to_vec(),
        observed: observed.to_vec(),
    };
    capture_diff_slices(Algorithm::Myers, predicted, observed)
        .into_iter()
        .filter_map(|op| match op {
            DiffOp::Equal { .. } => None,
            DiffOp::Delete { old_index, old_len, .. } => Some(difference(
                "missing",
                old_index,
                &predicted[old_index..old_index + old_len],
                &[],
            )),
            DiffOp::Insert { old_index, new_index, new_len } => {
                Some(difference("extra", old_index, &[], &observed[new_index..new_index + new_len]))
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => Some(difference(
                "changed",
                old_index,
                &predicted[old_index..old_index + old_len],
                &observed[new_index..new_index + new_len],
            )),
        })
        .collect()
}

/// The entries of a list, each as one line of JSON.
fn texts<T: Serialize>(list: &Option<impl AsRef<[T]>>) -> Vec<String> {
    list.iter().flat_map(|list| list.as_ref()).map(text).collect()
}

/// A value as one line, or none.
fn text_of<T: Serialize>(value: &Option<T>) -> Vec<String> {
    value.iter().map(text).collect()
}

fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| format!("unprintable: {error}"))
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::{Answer, Item, Json};

    use super::*;

    fn context(texts: &[&str]) -> Outcome {
        let item = |text: &&str| Item::Recorded(Json::string(*text));
        Outcome {
            answer: Some(Answer::Ok),
            context: Some(texts.iter().map(item).collect()),
            ..Outcome::default()
        }
    }

    #[track_caller]
    fn kinds(predicted: &[&str], observed: &[&str], expected: &[&str]) {
        let comparison = compare(0, &context(predicted), &context(observed));
        let kinds: Vec<&str> = comparison.differences.iter().map(|d| d.kind.as_str()).collect();
        assert_eq!(kinds, expected);
    }

    #[test]
    fn equal_outcomes_have_no_difference() {
        kinds(&["a", "b"], &["a", "b"], &[]);
    }

    #[test]
    fn a_lost_a_doubled_and_a_changed_entry_are_told_apart() {
        kinds(&["a", "b"], &["b"], &["missing"]);
        kinds(&["a", "b"], &["a", "a", "b"], &["extra"]);
        kinds(&["a", "b"], &["a", "c"], &["changed"]);
        kinds(&["a", "b"], &["b", "a"], &["extra", "missing"]);
    }

    #[test]
    fn what_was_predicted_and_not_seen_is_unobserved() {
        let blind = Outcome { context: None, ..context(&[]) };
        assert_eq!(compare(0, &context(&["a"]), &blind).unobserved, [Aspect::Context]);
    }

    #[test]
    fn another_answer_is_one_difference() {
        let answer = Answer::Refused { code: 1, message: String::new() };
        let refused = Outcome { answer: Some(answer), ..Outcome::default() };
        let comparison = compare(0, &context(&["a"]), &refused);
        assert_eq!(comparison.differences.len(), 1);
        assert_eq!(comparison.unobserved, []);
    }
}
