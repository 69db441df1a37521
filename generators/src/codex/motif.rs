//! Short lists of operations that belong together: what single draws would hardly ever make.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::{
    Aside, Compaction, Context, Developer, End, Extra, Form, Half, LookAlike, Op, Place, Settings,
    Step, Strange, Tool,
};
use crate::sample::pick;

/// A whole turn that a history can begin with.
pub(crate) fn opening(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(Op::Turn {
        users: pick(u, &[1, 1, 1, 1, 1, 2])?,
        calls: pick(u, &[0, 0, 0, 0, 1, 2])?,
        open: pick(u, &[0, 0, 1, 2])?,
        end: if u.ratio(1, 8)? { End::arbitrary(u)? } else { End::Complete },
    })
}

/// What follows an opening: what loses something, and what is seldom seen.
pub(crate) fn motif(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=127)? {
        0..=8 => vec![opening(u)?],
        9..=11 => other_settings(u)?,
        12..=35 => vec![Op::arbitrary(u)?],
        36..=38 => vec![rollback(u)?],
        39..=42 => vec![checkpoint(u)?],
        43..=45 => vec![plain(u)?],
        46..=50 => interrupted(u)?,
        51..=54 => compacting(u)?,
        55..=60 => undone(u)?,
        61..=63 => vec![Op::Start, Op::User, Op::Agent, Op::User, Op::Agent, end(u)?],
        64..=72 => context(u)?,
        73..=77 => tools(u)?,
        78..=80 => odd_turn(u)?,
        81..=84 => vec![Op::Start, Op::Half { half: Half::arbitrary(u)? }, Op::User, end(u)?],
        85..=87 => vec![Op::Start, Op::Summary, Op::Agent, end(u)?, Op::Rollback { turns: 1 }],
        88..=92 => {
            let like = LookAlike::arbitrary(u)?;
            vec![Op::Start, Op::LookAlike { like }, Op::Agent, end(u)?]
        }
        93..=95 => vec![rollback(u)?, checkpoint(u)?],
        96..=98 => vec![checkpoint(u)?, opening(u)?, rollback(u)?],
        99..=102 => other_settings(u)?,
        103..=107 => vec![aside(u)?],
        108..=110 => vec![Op::Strange { strange: Strange::arbitrary(u)? }],
        111..=113 => vec![Op::Meta { foreign: !u.ratio(1, 3)? }],
        114..=121 => vec![Op::Ordinal { step: Step::arbitrary(u)? }, opening(u)?],
        122..=126 => long_output(u)?,
        _ => long_users(u)?,
    })
}

/// What loses something and leaves most.
pub(crate) fn loss(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=9)? {
        0..=3 => vec![Op::Rollback { turns: 1 }],
        4..=6 => {
            let with = Compaction::Base {
                users: pick(u, &[2, 2, 1])?,
                numbered: u.ratio(1, 2)?,
                extra: if u.ratio(1, 3)? { Extra::arbitrary(u)? } else { Extra::None },
            };
            vec![Op::Compact { with, place: Place::arbitrary(u)? }]
        }
        7 => vec![plain(u)?],
        8 => vec![Op::Orphan { tool: Tool::arbitrary(u)? }],
        _ => vec![Op::Strange { strange: Strange::arbitrary(u)? }],
    })
}

fn rollback(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(Op::Rollback { turns: pick(u, &[1, 1, 1, 1, 1, 2, 2, 0, 9])? })
}

fn checkpoint(u: &mut Unstructured<'_>) -> Result<Op> {
    let with = Compaction::Base {
        users: pick(u, &[2, 2, 2, 1, 1, 0])?,
        numbered: u.ratio(1, 2)?,
        extra: if u.ratio(1, 2)? { Extra::arbitrary(u)? } else { Extra::None },
    };
    Ok(Op::Compact { with, place: Place::arbitrary(u)? })
}

fn plain(u: &mut Unstructured<'_>) -> Result<Op> {
    let with = if u.ratio(1, 4)? { Compaction::Empty } else { Compaction::Summary };
    Ok(Op::Compact { with, place: Place::arbitrary(u)? })
}

fn compaction(u: &mut Unstructured<'_>) -> Result<Op> {
    if u.ratio(1, 3)? { plain(u) } else { checkpoint(u) }
}

/// A turn with other settings than those of the thread, or one of another model that is taken back.
fn other_settings(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let undone = u.ratio(1, 3)?;
    let settings = if undone { Settings::OtherModel } else { pick(u, &Settings::ALL[1..])? };
    let mut ops = vec![Op::Start, Op::Settings { settings }, Op::User, Op::Agent, end(u)?];
    ops.extend(undone.then_some(Op::Rollback { turns: 1 }));
    Ok(ops)
}

fn aside(u: &mut Unstructured<'_>) -> Result<Op> {
    let aside = if u.ratio(1, 4)? { Aside::WorldState } else { Aside::arbitrary(u)? };
    Ok(Op::Aside { aside })
}

/// The end of a turn, mostly proper.
fn end(u: &mut Unstructured<'_>) -> Result<Op> {
    let end = if u.ratio(1, 5)? { End::arbitrary(u)? } else { End::Complete };
    Ok(Op::End { end, back: pick(u, &[0, 0, 0, 0, 0, 0, 0, 1])? })
}

fn interrupted(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let settings = Op::Settings { settings: Settings::Same };
    let mut ops = vec![Op::Start, settings, Op::User];
    if u.ratio(1, 2)? {
        ops.push(Op::Agent);
    }
    let end = pick(u, &[End::Abort, End::Open, End::AbortUnnamed])?;
    if end == End::Abort {
        ops.push(Op::Context { context: Context::Aborted });
    }
    ops.push(Op::End { end, back: 0 });
    Ok(ops)
}

/// A turn with a compaction in its middle.
fn compacting(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let settings = Op::Settings { settings: Settings::Same };
    let compaction = compaction(u)?;
    Ok(vec![Op::Start, settings, Op::User, Op::Agent, compaction, Op::Agent, end(u)?])
}

/// A turn with a checkpoint in its middle, taken back, perhaps after one in which nothing happens.
fn undone(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let mut ops = vec![Op::Start, Op::User, Op::Agent, checkpoint(u)?, Op::Agent, end(u)?];
    if u.ratio(1, 2)? {
        ops.extend([Op::Start, Op::End { end: End::Complete, back: 0 }]);
    }
    ops.push(Op::Rollback { turns: 1 });
    Ok(ops)
}

/// A turn whose user message comes with context or is nothing else.
fn context(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let mut ops = vec![Op::Start];
    if !u.ratio(1, 3)? {
        ops.push(Op::Developer { developer: Developer::arbitrary(u)? });
    }
    ops.push(Op::Context { context: Context::arbitrary(u)? });
    if !u.ratio(1, 4)? {
        ops.push(Op::User);
    }
    ops.extend([Op::Agent, end(u)?]);
    if u.ratio(1, 3)? {
        ops.push(Op::Rollback { turns: 1 });
    }
    Ok(ops)
}

/// A turn with calls and outputs that do not go in pairs.
fn tools(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let tool = Tool::arbitrary(u)?;
    let form = pick(u, &[Form::Text, Form::Parts])?;
    let newest = Op::Output { call: u8::MAX, form, crossed: false };
    let call = Op::Call { tool };
    let between = match u.int_in_range(0..=5)? {
        0 => vec![call, newest],
        1 => vec![call, newest.clone(), newest],
        2 => vec![Op::Early { tool }, call],
        3 => vec![Op::Orphan { tool }],
        4 => vec![call, Op::Output { call: u8::MAX, form, crossed: true }],
        _ => vec![call, Op::Reasoning],
    };
    Ok([vec![Op::Start, Op::User], between, vec![Op::Agent, end(u)?]].concat())
}

/// A turn that lacks a part.
fn odd_turn(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=4)? {
        0 => vec![Op::User, Op::Agent, end(u)?],
        1 => vec![Op::Start, end(u)?],
        2 => vec![Op::Start, Op::User, Op::Agent],
        3 => vec![Op::Start, Op::User, Op::StartAgain, Op::Agent, end(u)?],
        _ => vec![Op::Start, Op::User, Op::Agent, Op::End { end: End::Complete, back: 1 }],
    })
}

fn long_output(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let tool = Tool::arbitrary(u)?;
    let form = pick(u, &[Form::Long, Form::LongParts, Form::LongWide, Form::LongParts])?;
    let output = Op::Output { call: u8::MAX, form, crossed: false };
    Ok(vec![Op::Start, Op::User, Op::Call { tool }, output, Op::Agent, end(u)?])
}

fn long_users(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let users = Op::LongUsers { users: pick(u, &[0, 0, 0, 0, 2])? };
    Ok(vec![Op::Start, users, Op::Agent, end(u)?, plain(u)?])
}
