//! Smaller programs, simplest first.

use super::Program;
use super::simpler::simpler;
use crate::shrink::{each, simpler_damage, without_runs};

/// Programs that are one step smaller: damage and operations deleted, numbers lowered, kinds made
/// simpler.
pub(crate) fn smaller(program: &Program) -> Vec<Program> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Damage;
    use crate::codex::{End, Mode, Op, sample};

    /// Shrinks while `keep` holds, as the command does.
    fn smallest(program: Program, keep: impl Fn(&Program) -> bool) -> Program {
        let mut best = program;
        while let Some(next) = smaller(&best).into_iter().find(&keep) {
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
