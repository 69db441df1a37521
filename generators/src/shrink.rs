//! Smaller scenarios, simplest first.

use forkproof_oracle::File;

use crate::{Compaction, End, Op, Program, Scenario};

/// Scenarios that are one step smaller: operations deleted, numbers lowered; for a session that no
/// program made, lines deleted.
pub fn smaller(scenario: &Scenario) -> Vec<Scenario> {
    match &scenario.about.program {
        Some(program) => smaller_programs(program).into_iter().map(Scenario::generated).collect(),
        None => fewer_lines(scenario),
    }
}

fn smaller_programs(program: &Program) -> Vec<Program> {
    let with = |ops| Program { ops, ..program.clone() };
    let mut out: Vec<Program> = without_runs(&program.ops).map(with).collect();
    if program.resumes > 1 {
        out.push(Program { resumes: program.resumes - 1, ..program.clone() });
    }
    for (index, op) in program.ops.iter().enumerate() {
        for simpler in simpler(op) {
            let mut ops = program.ops.clone();
            ops[index] = simpler;
            out.push(with(ops));
        }
    }
    out
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

fn simpler(op: &Op) -> Vec<Op> {
    match *op {
        Op::Turn { users, calls, open, end } => {
            let mut out = Vec::new();
            if users > 0 {
                out.push(Op::Turn { users: users - 1, calls, open, end });
            }
            if calls > 0 {
                out.push(Op::Turn { users, calls: calls - 1, open, end });
            }
            if open > 0 {
                out.push(Op::Turn { users, calls, open: open - 1, end });
            }
            if end != End::Complete {
                out.push(Op::Turn { users, calls, open, end: End::Complete });
            }
            out
        }
        Op::Rollback { turns } if turns > 0 => vec![Op::Rollback { turns: turns - 1 }],
        Op::Output { call } if call > 0 => vec![Op::Output { call: call - 1 }],
        Op::Compact { with: Compaction::Base { users, numbered } } => {
            let mut out = vec![Op::Compact { with: Compaction::Summary }];
            if users > 0 {
                let with = Compaction::Base { users: users - 1, numbered };
                out.push(Op::Compact { with });
            }
            if numbered {
                out.push(Op::Compact { with: Compaction::Base { users, numbered: false } });
            }
            out
        }
        Op::End { end } if end != End::Complete => vec![Op::End { end: End::Complete }],
        _ => Vec::new(),
    }
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
    use crate::Mode;

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
        let program = Program { mode: Mode::Legacy, ops, resumes: 1 };
        let rolls_back =
            |program: &Program| program.ops.iter().any(|op| matches!(op, Op::Rollback { .. }));
        let smallest = smallest(program, rolls_back);
        assert_eq!(smallest.ops, [Op::Rollback { turns: 0 }]);
    }

    #[test]
    fn shrinking_ends_for_any_condition() {
        let turn = Op::Turn { users: 2, calls: 2, open: 2, end: End::Open };
        let program = Program { mode: Mode::Legacy, ops: vec![turn; 5], resumes: 2 };
        assert!(smallest(program, |_| true).ops.is_empty());
    }
}
