//! The one definition of how bytes become a program.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::motif::{loss, motif, opening};
use super::{
    Aside, Compaction, Context, Developer, End, Extra, Form, Half, LookAlike, Mode, Op, Place,
    Program, Settings, Step, Strange, Tool,
};
use crate::sample::pick;
use crate::{Damage, Spelling};

/// The longest program that bytes become.
const MAX_OPS: usize = 24;

/// What a program says of the whole session.
#[derive(Debug)]
pub(crate) struct Head {
    mode: Mode,
    resumes: u8,
    spelling: Spelling,
    first_ordinal: u8,
    /// A compaction before anything else.
    first: Option<Compaction>,
    /// Whether its last record has no ordinal, which refuses a resume.
    unnumbered: bool,
}

impl<'a> Arbitrary<'a> for Head {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Head> {
        let mode = if u.ratio(1, 3)? { Mode::Paginated } else { Mode::Legacy };
        let paginated = mode == Mode::Paginated;
        Ok(Head {
            mode,
            resumes: if u.ratio(1, 8)? { 2 } else { 1 },
            spelling: if u.ratio(1, 3)? { Spelling::arbitrary(u)? } else { Spelling::Plain },
            first_ordinal: if paginated && u.ratio(1, 6)? { u.arbitrary()? } else { 0 },
            first: if u.ratio(1, 40)? { Some(Compaction::arbitrary(u)?) } else { None },
            unnumbered: paginated && u.ratio(1, 24)?,
        })
    }
}

impl Head {
    /// The program with this head.
    pub(crate) fn program(self, mut ops: Vec<Op>, damage: Vec<Damage>) -> Program {
        let Head { mode, resumes, spelling, first_ordinal, first, unnumbered } = self;
        if let Some(with) = first {
            ops.insert(0, Op::Compact { with, place: Place::Here });
        }
        if unnumbered {
            let last = Op::Aside { aside: Aside::TokenCount };
            ops.extend([Op::Ordinal { step: Step::Missing }, last]);
        }
        Program { mode, ops, resumes, spelling, first_ordinal, damage }
    }
}

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Program> {
        let head = Head::arbitrary(u)?;
        let damages = pick(u, &[0, 0, 0, 0, 1, 1, 2])?;
        let damage = (0..damages).map(|_| Damage::arbitrary(u)).collect::<Result<_>>()?;
        let openings = if u.is_empty() { 0 } else { pick(u, &[2, 3, 4, 0])? };
        let mut ops = (0..openings).map(|_| opening(u)).collect::<Result<Vec<_>>>()?;
        if !u.is_empty() && !u.ratio(1, 5)? {
            ops.extend(loss(u)?);
        }
        while !u.is_empty() && ops.len() < MAX_OPS {
            ops.extend(motif(u)?);
        }
        ops.truncate(MAX_OPS - 3);
        Ok(head.program(ops, damage))
    }
}

impl<'a> Arbitrary<'a> for Op {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Op> {
        // The first is the simplest: bytes shrink towards it.
        Ok(match u.int_in_range(0..=63)? {
            0..=9 => Op::Turn {
                users: pick(u, &[1, 1, 1, 1, 2, 0])?,
                calls: pick(u, &[0, 0, 1, 2])?,
                open: u.int_in_range(0..=2)?,
                end: End::arbitrary(u)?,
            },
            10..=14 => Op::Rollback { turns: pick(u, &[1, 1, 2, 0, 3, 9])? },
            15..=19 => Op::Compact { with: Compaction::arbitrary(u)?, place: Place::arbitrary(u)? },
            20 => Op::Start,
            21 => Op::Agent,
            22 => Op::StartAgain,
            23..=24 => Op::Settings { settings: Settings::arbitrary(u)? },
            25 => Op::User,
            26..=28 => Op::TwoParts,
            29..=30 => Op::Half { half: Half::arbitrary(u)? },
            31..=34 => Op::Context { context: Context::arbitrary(u)? },
            35..=38 => Op::LookAlike { like: LookAlike::arbitrary(u)? },
            39..=40 => Op::Summary,
            41..=43 => Op::Developer { developer: Developer::arbitrary(u)? },
            44..=46 => Op::System,
            47 => Op::Reasoning,
            48 => Op::Call { tool: Tool::arbitrary(u)? },
            49..=50 => Op::Output {
                call: u.int_in_range(0..=7)?,
                form: pick(u, &[Form::Text, Form::Text, Form::Parts])?,
                crossed: u.ratio(1, 4)?,
            },
            51 => Op::Orphan { tool: Tool::arbitrary(u)? },
            52 => Op::Early { tool: Tool::arbitrary(u)? },
            53..=55 => Op::End { end: End::arbitrary(u)?, back: pick(u, &[0, 0, 1, 2])? },
            56 => Op::Meta { foreign: u.ratio(1, 2)? },
            57..=59 => Op::Aside { aside: Aside::arbitrary(u)? },
            60..=62 => Op::Strange { strange: Strange::arbitrary(u)? },
            _ => Op::Ordinal { step: Step::arbitrary(u)? },
        })
    }
}

impl<'a> Arbitrary<'a> for Compaction {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Compaction> {
        Ok(match u.int_in_range(0..=5)? {
            0..=1 => Compaction::Summary,
            2 => Compaction::Empty,
            _ => Compaction::Base {
                users: u.int_in_range(0..=2)?,
                numbered: u.arbitrary()?,
                extra: Extra::arbitrary(u)?,
            },
        })
    }
}
