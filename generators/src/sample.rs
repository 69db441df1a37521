//! Random values from the definitions that fuzzing uses.

use std::collections::BTreeSet;
use std::fmt::Debug;

use arbitrary::{Arbitrary, Result, Unstructured};
use forkproof_oracle::Family;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::{Damage, Program, claude, codex};

/// `count` different programs of a family, the same for the same seed.
pub fn sample(family: Family, seed: u64, count: usize) -> Vec<Program> {
    match family {
        Family::Codex => codex::sample(seed, count).into_iter().map(Program::Codex).collect(),
        Family::Claude => claude::sample(seed, count).into_iter().map(Program::Claude).collect(),
    }
}

/// One of these, the first of them the simplest.
pub(crate) fn pick<T: Copy>(u: &mut Unstructured<'_>, from: &[T]) -> Result<T> {
    u.choose(from).copied()
}

/// No damage to the bytes of a file, one or two, by these weights.
pub(crate) fn damages([none, one, two]: [u32; 3]) -> impl Strategy<Value = Vec<Damage>> {
    fn any(u: &mut Unstructured<'_>) -> Result<Damage> {
        Damage::arbitrary(u)
    }
    let damage = drawn::<8, _>(any);
    prop_oneof![none => Just(vec![]), one => vec(damage.clone(), 1), two => vec(damage, 2)]
}

/// What `N` bytes become, which is never short of bytes.
pub(crate) fn drawn<const N: usize, T: Debug + 'static>(
    read: fn(&mut Unstructured<'_>) -> Result<T>,
) -> BoxedStrategy<T>
where
    [u8; N]: proptest::arbitrary::Arbitrary,
{
    let read = move |bytes: [u8; N]| read(&mut Unstructured::new(&bytes)).ok();
    any::<[u8; N]>().prop_filter_map("any bytes are enough", read).boxed()
}

/// `count` different values, the same for the same seed.
pub(crate) fn distinct<S: Strategy>(strategy: &S, seed: u64, count: usize) -> Vec<S::Value> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    // A draw can repeat an earlier one; so many in a row never do.
    for _ in 0..count.saturating_mul(20).saturating_add(100) {
        if out.len() == count {
            break;
        }
        let Ok(tree) = strategy.new_tree(&mut runner) else { continue };
        let value = tree.current();
        if seen.insert(format!("{value:?}")) {
            out.push(value);
        }
    }
    out
}
