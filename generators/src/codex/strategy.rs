//! Programs for proptest, from the definition that fuzzing uses.

use arbitrary::{Arbitrary, Result, Unstructured};
use proptest::collection::vec;
use proptest::prelude::*;

use super::Program;
use super::arbitrary::Head;
use super::motif::{loss, motif, opening};
use crate::sample::{damages, distinct, drawn};

/// Any program. It shrinks by losing operations and damage and by simpler ones.
pub fn programs() -> impl Strategy<Value = Program> {
    let whole = drawn::<8, _>(opening);
    let openings = prop_oneof![
        10 => vec(whole.clone(), 2..=3),
        4 => vec(whole.clone(), 4),
        1 => vec(whole.clone(), 0..=1),
    ];
    let motifs = vec(drawn::<24, _>(motif), 0..=4);
    let losses = prop_oneof![1 => Just(vec![]), 4 => vec(drawn::<8, _>(loss), 1)];
    let last = prop_oneof![1 => Just(vec![]), 1 => vec(whole, 1)];
    let parts = (drawn::<16, _>(head), openings, motifs, losses, last, damages([4, 2, 1]));
    parts.prop_map(|(head, openings, motifs, losses, last, damage)| {
        let between = motifs.into_iter().chain(losses).flatten();
        head.program(openings.into_iter().chain(between).chain(last).collect(), damage)
    })
}

fn head(u: &mut Unstructured<'_>) -> Result<Head> {
    Head::arbitrary(u)
}

/// `count` different programs, the same for the same seed.
pub fn sample(seed: u64, count: usize) -> Vec<Program> {
    distinct(&programs(), seed, count)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_programs_and_another_seed_others() {
        assert_eq!(sample(1, 20), sample(1, 20));
        assert_ne!(sample(1, 20), sample(2, 20));
        assert_eq!(sample(1, 20)[..5], sample(1, 5)[..]);
    }

    #[test]
    fn a_few_hundred_programs_use_every_operation() {
        let mut counts = BTreeMap::new();
        for program in sample(0, 300) {
            let undamaged = Program { damage: Vec::new(), ..program };
            undamaged.count(&mut counts);
        }
        assert_eq!(counts.len(), 26, "{counts:?}");
    }

    #[test]
    fn any_bytes_are_a_program() {
        for bytes in [&[][..], &[0], &[255; 4096]] {
            let program = Program::arbitrary(&mut Unstructured::new(bytes)).expect("total");
            assert!(program.ops.len() <= 24);
        }
    }
}
