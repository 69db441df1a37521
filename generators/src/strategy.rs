//! Programs for proptest, from the definition that fuzzing uses.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Result, Unstructured};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::arbitrary::Head;
use crate::motif::{loss, motif, opening};
use crate::{Damage, Program};

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
    let damage = drawn::<8, _>(damage);
    let damage = prop_oneof![4 => Just(vec![]), 2 => vec(damage.clone(), 1), 1 => vec(damage, 2)];
    let parts = (drawn::<16, _>(head), openings, motifs, losses, last, damage);
    parts.prop_map(|(head, openings, motifs, losses, last, damage)| {
        let between = motifs.into_iter().chain(losses).flatten();
        head.program(openings.into_iter().chain(between).chain(last).collect(), damage)
    })
}

fn head(u: &mut Unstructured<'_>) -> Result<Head> {
    Head::arbitrary(u)
}

fn damage(u: &mut Unstructured<'_>) -> Result<Damage> {
    Damage::arbitrary(u)
}

/// What `N` bytes become, which is never short of bytes.
fn drawn<const N: usize, T: std::fmt::Debug + 'static>(
    read: fn(&mut Unstructured<'_>) -> Result<T>,
) -> BoxedStrategy<T>
where
    [u8; N]: proptest::arbitrary::Arbitrary,
{
    let read = move |bytes: [u8; N]| read(&mut Unstructured::new(&bytes)).ok();
    any::<[u8; N]>().prop_filter_map("any bytes are enough", read).boxed()
}

/// `count` different programs, the same for the same seed.
pub fn sample(seed: u64, count: usize) -> Vec<Program> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = programs();
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    // A draw can repeat an earlier one; so many in a row never do.
    for _ in 0..count.saturating_mul(20).saturating_add(100) {
        if out.len() == count {
            break;
        }
        let Ok(tree) = strategy.new_tree(&mut runner) else { continue };
        let program = tree.current();
        if seen.insert(format!("{program:?}")) {
            out.push(program);
        }
    }
    out
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
