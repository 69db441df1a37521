//! Programs for proptest, from the definition that fuzzing uses.

use arbitrary::{Arbitrary, Result, Unstructured};
use proptest::collection::vec;
use proptest::prelude::*;

use super::Program;
use super::arbitrary::Head;
use super::motif::{closing, loss, motif, note, opening, touch};
use crate::sample::{damages, distinct, drawn};

/// Any program. It shrinks by losing operations and damage and by simpler ones.
pub fn programs() -> impl Strategy<Value = Program> {
    let whole = drawn::<8, _>(opening);
    let openings = prop_oneof![
        10 => vec(whole.clone(), 2),
        6 => vec(whole.clone(), 3),
        1 => vec(whole, 0..=1),
    ];
    let motifs = vec(drawn::<32, _>(motif), 0..=4);
    let touches = vec(drawn::<8, _>(touch), 0..=3);
    let notes = vec(drawn::<8, _>(note), 0..=1);
    let losses = prop_oneof![1 => Just(vec![]), 5 => vec(drawn::<16, _>(loss), 1)];
    let last = drawn::<16, _>(closing);
    let parts =
        (drawn::<16, _>(head), openings, motifs, notes, touches, losses, last, damages([3, 3, 2]));
    parts.prop_map(|(head, openings, motifs, notes, touches, losses, last, damage)| {
        let before = openings.into_iter().chain(motifs.into_iter().flatten());
        let before = before.chain(notes).chain(touches);
        let behind = losses.into_iter().flatten().chain(last);
        head.program(before.chain(behind).collect(), damage)
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
        for program in sample(0, 400) {
            let undamaged = Program { damage: Vec::new(), ..program };
            undamaged.count(&mut counts);
        }
        // Large files are too rare for that.
        counts.remove("pad");
        assert_eq!(counts.len(), 29, "{counts:?}");
    }

    #[test]
    fn any_bytes_are_a_program() {
        for bytes in [&[][..], &[0], &[255; 4096]] {
            let program = Program::arbitrary(&mut Unstructured::new(bytes)).expect("total");
            assert!(program.ops.len() <= 40);
        }
    }
}
