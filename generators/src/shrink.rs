//! Smaller scenarios, simplest first.

use forkproof_oracle::File;

use crate::simpler::{simpler, simpler_damage};
use crate::{Program, Scenario};

/// Scenarios that are one step smaller: damage and operations deleted, numbers lowered, kinds made
/// simpler; for a session that no program made, lines deleted.
pub fn smaller(scenario: &Scenario) -> Vec<Scenario> {
    match &scenario.about.program {
        Some(program) => smaller_programs(program).into_iter().map(Scenario::generated).collect(),
        None => fewer_lines(scenario),
    }
}

fn smaller_programs(program: &Program) -> Vec<Program> {
    let damaged = |damage| Program { damage, ..program.clone() };
    let with = |ops| Program { ops, ..program.clone() };
    let mut out: Vec<Program> = without_runs(&program.damage).map(damaged).collect();
    out.extend(without_runs(&program.ops).map(with));
    if program.resumes > 1 {
        out.push(Program { resumes: program.resumes - 1, ..program.clone() });
    }
    if let Some(spelling) = program.spelling.simpler() {
        out.push(Program { spelling, ..program.clone() });
    }
    if program.first_ordinal > 0 {
        out.push(Program { first_ordinal: program.first_ordinal / 2, ..program.clone() });
    }
    out.extend(each(&program.damage, simpler_damage).map(damaged));
    out.extend(each(&program.ops, simpler).map(with));
    out
}

/// Lists with one element replaced by a simpler one.
fn each<T: Clone>(list: &[T], simpler: impl Fn(&T) -> Vec<T>) -> impl Iterator<Item = Vec<T>> {
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
fn without_runs<T: Clone>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    let sizes = std::iter::successors(Some(list.len()), |size| (*size > 1).then(|| size / 2));
    sizes.filter(|size| *size > 0).flat_map(move |size| {
        (0..list.len()).step_by(size).map(move |at| {
            let end = (at + size).min(list.len());
            [&list[..at], &list[end..]].concat()
        })
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Damage, End, Mode, Op, sample};

    /// Shrinks while `keep` holds, as the command does.
    fn smallest(program: Program, keep: impl Fn(&Program) -> bool) -> Program {
        let mut best = program;
        while let Some(next) = smaller_programs(&best).into_iter().find(&keep) {
            best = next;
        }
        best
    }

    #[test]
    fn shrinking_ends_at_the_operations_that_matter() {
        let turn = Op::Turn { users: 2, calls: 2, open: 1, end: End::Abort };
        let mut ops = vec![turn; 9];
        ops.insert(5, Op::Rollback { turns: 9 });
        let program = Program::new(Mode::Legacy, ops);
        let rolls_back =
            |program: &Program| program.ops.iter().any(|op| matches!(op, Op::Rollback { .. }));
        let smallest = smallest(program, rolls_back);
        assert_eq!(smallest.ops, [Op::Rollback { turns: 0 }]);
    }

    #[test]
    fn shrinking_ends_at_the_damage_that_matters() {
        for program in sample(5, 200) {
            let Some(name) = program.damage.first().map(Damage::name) else { continue };
            let has = |program: &Program| program.damage.iter().any(|it| it.name() == name);
            let smallest = smallest(program, has);
            assert_eq!((smallest.ops.len(), smallest.damage.len()), (0, 1), "{smallest:?}");
        }
    }

    #[test]
    fn shrinking_ends_for_any_condition() {
        for program in sample(6, 100) {
            let program = Program { resumes: 2, ..program };
            let mode = program.mode;
            assert_eq!(smallest(program, |_| true), Program::new(mode, Vec::new()));
        }
    }

    #[test]
    fn shrinking_ends_at_the_simplest_operation_of_its_name() {
        for program in sample(7, 200) {
            let Some(name) = program.ops.last().map(Op::name) else { continue };
            let has = |program: &Program| program.ops.iter().any(|op| op.name() == name);
            assert_eq!(smallest(program, has).ops.len(), 1);
        }
    }
}
