//! The one definition of how bytes become a program.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::mix::is_healthy;
use super::motif::{closing, loss, motif, opening, touch};
use super::{
    Attachment, Content, Flag, Form, Interrupt, Keep, Leaf, Note, Op, Pace, Program, Reply, Spoil,
    Stray, Style, System, To, Uuid, When,
};
use crate::sample::pick;
use crate::{Damage, Spelling};

/// The longest program that bytes become.
const MAX_OPS: usize = 24;

/// What a program says of the whole session.
#[derive(Debug)]
pub(crate) struct Head {
    resumes: u8,
    by_path: bool,
    spelling: Spelling,
    /// Whether it holds only what the program itself could have written.
    healthy: bool,
    /// How far apart its entries are.
    pace: Option<Pace>,
    /// Where the file gets large, if it does.
    pad: Option<u8>,
}

impl<'a> Arbitrary<'a> for Head {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Head> {
        Ok(Head {
            resumes: pick(u, &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3])?,
            by_path: u.ratio(1, 10)?,
            spelling: if u.ratio(1, 5)? { Spelling::arbitrary(u)? } else { Spelling::Plain },
            healthy: u.ratio(1, 8)?,
            pace: if u.ratio(1, 6)? { Some(Pace::arbitrary(u)?) } else { None },
            pad: if u.ratio(1, 300)? { Some(u.arbitrary()?) } else { None },
        })
    }
}

impl Head {
    /// The program with this head.
    pub(crate) fn program(self, mut ops: Vec<Op>, mut damage: Vec<Damage>) -> Program {
        let Head { resumes, by_path, spelling, healthy, pace, pad } = self;
        if healthy {
            ops = ops.iter().map(whole).filter(is_healthy).collect();
            damage.clear();
        } else if let Some(pace) = pace {
            ops.insert(0, Op::Pace { pace });
        }
        if let Some(pad) = pad {
            ops.insert(usize::from(pad) % (ops.len() + 1), Op::Pad);
        }
        Program { ops, resumes, by_path, spelling, damage }
    }
}

/// A turn in place of an answer alone.
fn whole(op: &Op) -> Op {
    match op {
        Op::Assistant { .. } => Op::Turn { calls: 0, attached: 0, thinks: false, noted: false },
        other => *other,
    }
}

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Program> {
        let head = Head::arbitrary(u)?;
        let damages = pick(u, &[0, 0, 0, 0, 0, 1, 1, 2])?;
        let damage = (0..damages).map(|_| Damage::arbitrary(u)).collect::<Result<_>>()?;
        let openings = if u.is_empty() { 0 } else { pick(u, &[2, 3, 1, 0])? };
        let mut ops = (0..openings).map(|_| opening(u)).collect::<Result<Vec<_>>>()?;
        while !u.is_empty() && ops.len() < MAX_OPS {
            ops.extend(motif(u)?);
            ops.push(touch(u)?);
            if u.ratio(1, 3)? {
                ops.extend(loss(u)?);
            }
        }
        ops.truncate(MAX_OPS);
        if !u.is_empty() {
            ops.extend(closing(u)?);
        }
        Ok(head.program(ops, damage))
    }
}

impl<'a> Arbitrary<'a> for Op {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Op> {
        let near = |u: &mut Unstructured<'a>| pick(u, &[0, 0, 0, 1, 1, 2, 3, 4, 6]);
        // The first is the simplest: bytes shrink towards it.
        Ok(match u.int_in_range(0..=95)? {
            0..=3 => opening(u)?,
            4..=11 => Op::User { content: Content::arbitrary(u)? },
            12..=19 => Op::Assistant { reply: Reply::arbitrary(u)?, joined: u.ratio(1, 4)? },
            20..=21 => Op::Call { again: u.ratio(1, 2)? },
            22..=25 => {
                Op::Result { call: near(u)?, form: Form::arbitrary(u)?, error: u.ratio(1, 4)? }
            }
            26 => Op::Orphan,
            27..=29 => tools(u)?,
            30..=31 => compact(u)?,
            32..=33 => Op::Interrupt { interrupt: Interrupt::arbitrary(u)? },
            34..=36 => Op::Rewind { back: near(u)?, told: u.ratio(1, 2)? },
            37..=38 => Op::Sidechain { rooted: u.arbitrary()?, joined: u.ratio(1, 3)? },
            39..=43 => Op::System { system: System::arbitrary(u)? },
            44..=48 => Op::Attachment { attachment: Attachment::arbitrary(u)? },
            49..=50 => Op::Progress { inside: u.arbitrary()? },
            51..=55 => Op::Note { note: Note::arbitrary(u)? },
            56..=58 => Op::LastPrompt { leaf: Leaf::arbitrary(u)?, back: near(u)? },
            59..=62 => Op::Parent { entry: near(u)?, to: To::arbitrary(u)?, by: near(u)? },
            63..=65 => Op::Uuid { entry: near(u)?, uuid: Uuid::arbitrary(u)?, by: near(u)? },
            66..=71 => Op::Time { entry: near(u)?, when: When::arbitrary(u)? },
            72..=76 => Op::Flag { entry: near(u)?, flag: Flag::arbitrary(u)? },
            77 => Op::Spoil { entry: near(u)?, spoil: Spoil::arbitrary(u)? },
            78..=79 => Op::Again { entry: near(u)?, moved: u.arbitrary()? },
            80..=81 => Op::Lose { line: near(u)? },
            82..=84 => Op::Move { line: near(u)?, by: near(u)? },
            85 => Op::Shuffle { seed: u.arbitrary()? },
            86 => Op::Reverse,
            87..=89 => Op::Write { entry: near(u)?, style: Style::arbitrary(u)? },
            90..=92 => Op::Stray { stray: Stray::arbitrary(u)?, inside: u.ratio(1, 4)? },
            _ => Op::Pace { pace: Pace::arbitrary(u)? },
        })
    }
}

/// Parallel calls, mostly with more than one thing that is not as the program does it.
pub(crate) fn tools(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(Op::Tools {
        calls: pick(u, &[0, 0, 1, 2])?,
        open: pick(u, &[0, 0, 0, 1, 2])?,
        wiring: if u.ratio(1, 3)? { Default::default() } else { u.arbitrary()? },
        order: if u.ratio(1, 3)? { Default::default() } else { u.arbitrary()? },
        next: if u.ratio(1, 2)? { Default::default() } else { u.arbitrary()? },
        ids: if u.ratio(1, 2)? { Default::default() } else { u.arbitrary()? },
    })
}

pub(crate) fn compact(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(Op::Compact {
        keep: Keep::arbitrary(u)?,
        kept: u.int_in_range(0..=3)?,
        linked: u.ratio(1, 6)?,
        summary: !u.ratio(1, 6)?,
    })
}
