//! Smaller scenarios, simplest first.

use forkproof_oracle::File;

use crate::{Damage, Scenario};

/// Scenarios that are one step smaller: damage and operations deleted, numbers lowered, kinds made
/// simpler; for a session that no program made, lines deleted.
pub fn smaller(scenario: &Scenario) -> Vec<Scenario> {
    match &scenario.about.program {
        Some(program) => program.smaller().into_iter().map(Scenario::generated).collect(),
        None => fewer_lines(scenario),
    }
}

/// Lists with one element replaced by a simpler one.
pub(crate) fn each<T: Clone>(
    list: &[T],
    simpler: impl Fn(&T) -> Vec<T>,
) -> impl Iterator<Item = Vec<T>> {
    list.iter().enumerate().flat_map(move |(index, element)| {
        let replaced = |simpler| {
            let mut list = list.to_vec();
            list[index] = simpler;
            list
        };
        simpler(element).into_iter().map(replaced).collect::<Vec<_>>()
    })
}

/// Lists without a run of elements: halves first, then quarters, down to single ones.
pub(crate) fn without_runs<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    let sizes = std::iter::successors(Some(list.len()), |size| (*size > 1).then(|| size / 2));
    sizes.filter(|size| *size > 0).flat_map(move |size| {
        (0..list.len()).step_by(size).map(move |at| {
            let end = (at + size).min(list.len());
            [&list[..at], &list[end..]].concat()
        })
    })
}

/// Damage that is one step simpler: nearer, or of the simplest kind.
pub(crate) fn simpler_damage(damage: &Damage) -> Vec<Damage> {
    let Damage { harm, at } = *damage;
    // The half first, so that a place at the far end takes few steps.
    let mut out: Vec<Damage> = [at / 2, at.saturating_sub(1)]
        .into_iter()
        .filter(|nearer| *nearer < at)
        .map(|at| Damage { harm, at })
        .collect();
    out.extend(harm.simpler().map(|harm| Damage { harm, at }));
    out
}

/// What a simpler part makes, if there is one.
pub(crate) fn one<T, O>(value: Option<T>, op: impl Fn(T) -> O) -> Vec<O> {
    value.map(op).into_iter().collect()
}

/// Those that there are.
pub(crate) fn several<T, const N: usize>(simpler: [Option<T>; N]) -> Vec<T> {
    simpler.into_iter().flatten().collect()
}

/// One less, if that can be.
pub(crate) fn less(number: u8) -> Option<u8> {
    number.checked_sub(1)
}

fn fewer_lines(scenario: &Scenario) -> Vec<Scenario> {
    let mut out = Vec::new();
    for (path, file) in &scenario.home {
        let lines: Vec<&[u8]> = file.content.0.split_inclusive(|byte| *byte == b'\n').collect();
        for kept in without_runs(&lines).filter(|kept| !kept.is_empty()) {
            let mut smaller = scenario.clone();
            smaller.home.insert(path.clone(), File::new(kept.concat()));
            out.push(smaller);
        }
    }
    out
}
