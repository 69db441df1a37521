//! The one definition of how bytes become a program.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::{Compaction, End, Mode, Op, Program, Tool};

/// The longest program that bytes become.
const MAX_OPS: usize = 24;

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Program> {
        let mode = if u.ratio(1, 3)? { Mode::Paginated } else { Mode::Legacy };
        let resumes = if u.ratio(1, 8)? { 2 } else { 1 };
        let mut ops = Vec::new();
        while !u.is_empty() && ops.len() < MAX_OPS {
            ops.push(Op::arbitrary(u)?);
        }
        Ok(Program { mode, ops, resumes })
    }
}

impl<'a> Arbitrary<'a> for Op {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Op> {
        // Weights: half of all operations are whole turns, so that most sessions have a history
        // that the hostile half can hurt. The first is the simplest: bytes shrink towards it.
        Ok(match u.int_in_range(0..=99)? {
            0..=39 => Op::Turn {
                users: [1, 1, 1, 1, 2, 0][u.choose_index(6)?],
                calls: [0, 0, 1, 2][u.choose_index(4)?],
                open: u.int_in_range(0..=2)?,
                end: End::arbitrary(u)?,
            },
            40..=53 => Op::Rollback { turns: [1, 1, 2, 0, 3, 9][u.choose_index(6)?] },
            54..=67 => Op::Compact { with: Compaction::arbitrary(u)? },
            68..=71 => Op::Start,
            72..=73 => Op::Settings,
            74..=78 => Op::User,
            79..=82 => Op::Context,
            83..=85 => Op::Agent,
            86..=87 => Op::Reasoning,
            88..=90 => {
                Op::Call { tool: if u.ratio(1, 3)? { Tool::Custom } else { Tool::Function } }
            }
            91..=93 => Op::Output { call: u.int_in_range(0..=7)? },
            94..=97 => Op::End { end: End::arbitrary(u)? },
            _ => Op::Unknown,
        })
    }
}

impl<'a> Arbitrary<'a> for End {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<End> {
        Ok([End::Complete, End::Complete, End::Complete, End::Abort, End::Open]
            [u.choose_index(5)?])
    }
}

impl<'a> Arbitrary<'a> for Compaction {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Compaction> {
        if u.ratio(1, 3)? {
            return Ok(Compaction::Summary);
        }
        Ok(Compaction::Base { users: u.int_in_range(0..=2)?, numbered: u.arbitrary()? })
    }
}
