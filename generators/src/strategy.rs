//! Programs for proptest, from the definition that fuzzing uses.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::{Mode, Op, Program};

/// Any program. It shrinks by losing operations and by simpler ones.
pub fn programs() -> impl Strategy<Value = Program> {
    // One operation never needs more than eight bytes.
    let op = any::<[u8; 8]>()
        .prop_map(|bytes| Op::arbitrary(&mut Unstructured::new(&bytes)).unwrap_or(Op::Unknown));
    let mode = prop_oneof![2 => Just(Mode::Legacy), 1 => Just(Mode::Paginated)];
    let resumes = prop_oneof![7 => Just(1), 1 => Just(2)];
    (mode, vec(op, 0..14), resumes).prop_map(|(mode, ops, resumes)| Program { mode, ops, resumes })
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
            program.count(&mut counts);
        }
        assert_eq!(counts.len(), 13, "{counts:?}");
    }

    #[test]
    fn any_bytes_are_a_program() {
        for bytes in [&[][..], &[0], &[255; 4096]] {
            let program = Program::arbitrary(&mut Unstructured::new(bytes)).expect("total");
            assert!(program.ops.len() <= 24);
        }
    }
}
