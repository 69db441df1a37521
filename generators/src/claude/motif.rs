//! Short lists of operations that belong together: what single draws would hardly ever make.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::arbitrary::{compact, tools};
use super::{
    Attachment, Content, Flag, Form, Interrupt, Leaf, Note, Op, Pace, Reply, Spoil, Stray, Style,
    System, To, Uuid, When,
};
use crate::sample::pick;

const USER: Op = Op::User { content: Content::Text };
const ASSISTANT: Op = Op::Assistant { reply: Reply::Text, joined: false };

/// A whole turn that a history can begin with.
pub(crate) fn opening(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(Op::Turn {
        calls: pick(u, &[0, 0, 0, 0, 0, 0, 1, 2, 3])?,
        attached: pick(u, &[0, 0, 0, 0, 0, 1, 2])?,
        thinks: u.ratio(1, 8)?,
        noted: u.ratio(1, 5)?,
    })
}

/// What follows an opening: what is odd, mostly with a turn behind it.
pub(crate) fn motif(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=111)? {
        0..=3 => vec![opening(u)?],
        4..=27 => vec![Op::arbitrary(u)?],
        28..=37 => parallel(u)?,
        38..=44 => gap(u)?,
        45..=51 => cycle(u)?,
        52..=57 => {
            vec![USER, Op::Assistant { reply: Reply::arbitrary(u)?, joined: u.ratio(1, 4)? }]
        }
        58..=63 => vec![Op::User { content: Content::arbitrary(u)? }, ASSISTANT],
        64..=67 => vec![compact(u)?, USER, ASSISTANT],
        68..=71 => vec![Op::Interrupt { interrupt: Interrupt::arbitrary(u)? }],
        72..=75 => duplicate(u)?,
        76..=79 => progress(u)?,
        80..=83 => vec![
            USER,
            Op::Call { again: u.ratio(1, 3)? },
            Op::Result { call: 0, form: Form::arbitrary(u)?, error: u.ratio(1, 4)? },
            ASSISTANT,
        ],
        84..=86 => vec![Op::System { system: System::arbitrary(u)? }],
        87..=89 => vec![Op::Attachment { attachment: Attachment::arbitrary(u)? }],
        90..=91 => vec![Op::Note { note: Note::arbitrary(u)? }],
        92..=94 => {
            vec![USER, ASSISTANT, Op::Flag { entry: pick(u, &[0, 1])?, flag: Flag::arbitrary(u)? }]
        }
        95..=97 => vec![Op::Stray { stray: Stray::arbitrary(u)?, inside: u.ratio(1, 5)? }],
        98..=99 => vec![USER, Op::Orphan, ASSISTANT],
        100..=102 => vec![
            USER,
            ASSISTANT,
            Op::Spoil { entry: pick(u, &[0, 1])?, spoil: Spoil::arbitrary(u)? },
            Op::Rewind { back: pick(u, &[2, 1, 0])?, told: false },
        ],
        103..=104 => vec![Op::Shuffle { seed: u.arbitrary()? }],
        105..=106 => vec![Op::Reverse],
        _ => vec![
            USER,
            ASSISTANT,
            Op::Write { entry: pick(u, &[0, 1])?, style: Style::arbitrary(u)? },
        ],
    })
}

/// What loses something and leaves most.
pub(crate) fn loss(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let back = |u: &mut Unstructured<'_>| pick(u, &[2, 2, 1, 3, 4]);
    Ok(match u.int_in_range(0..=9)? {
        0..=3 => vec![Op::Rewind { back: back(u)?, told: u.ratio(1, 3)? }, USER, ASSISTANT],
        4 => vec![USER, ASSISTANT, Op::LastPrompt { leaf: Leaf::Older, back: back(u)? }],
        5 => vec![Op::Sidechain { rooted: u.arbitrary()?, joined: false }],
        6 => vec![USER, ASSISTANT, Op::Parent { entry: 1, to: To::Entry, by: back(u)? + 1 }],
        7 => vec![Op::Stray { stray: Stray::arbitrary(u)?, inside: false }],
        8 => vec![Op::Again { entry: back(u)?, moved: false }],
        _ => vec![USER, Op::Move { line: 0, by: back(u)? }],
    })
}

/// What a history ends with.
pub(crate) fn closing(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=9)? {
        0..=3 => Vec::new(),
        4..=6 => vec![USER, ASSISTANT],
        7 => vec![USER],
        8 => vec![Op::LastPrompt { leaf: Leaf::arbitrary(u)?, back: pick(u, &[0, 1, 2, 3])? }],
        _ => vec![Op::arbitrary(u)?],
    })
}

/// Parallel calls, mostly with an answer behind them.
fn parallel(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let mut ops = vec![USER, tools(u)?];
    if u.ratio(1, 6)? {
        ops.push(Op::Result { call: pick(u, &[0, 1])?, form: Form::arbitrary(u)?, error: false });
    }
    if u.ratio(3, 4)? {
        ops.push(ASSISTANT);
    }
    match u.int_in_range(0..=5)? {
        0 => ops.push(Op::Move { line: pick(u, &[1, 2, 3])?, by: pick(u, &[1, 2, 3])? }),
        1 => ops.push(Op::LastPrompt { leaf: Leaf::Older, back: pick(u, &[0, 1, 2])? }),
        2 => ops.push(Op::Flag { entry: pick(u, &[1, 2])?, flag: Flag::Sidechain }),
        _ => {}
    }
    Ok(ops)
}

/// An entry whose parent is lost, near or far from others in time.
fn gap(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let when = pick(u, &[When::Edge, When::Beyond, When::Near, When::Same, When::Before])?;
    let mut ops = Vec::new();
    match u.int_in_range(0..=2)? {
        0 => {
            ops.push(Op::Pace { pace: Pace::arbitrary(u)? });
            ops.extend([USER, ASSISTANT, USER, ASSISTANT]);
            ops.push(Op::Lose { line: pick(u, &[1, 2, 3])? });
        }
        1 => {
            ops.extend([USER, Op::Parent { entry: 0, to: To::Unknown, by: 0 }]);
            ops.extend([Op::Time { entry: 0, when }, ASSISTANT]);
        }
        _ => {
            let to = pick(u, &[To::Unknown, To::Number, To::Object, To::Upper, To::Ahead])?;
            ops.extend([USER, Op::Time { entry: 0, when }, Op::Parent { entry: 0, to, by: 0 }]);
            ops.push(ASSISTANT);
        }
    }
    if u.ratio(1, 4)? {
        ops.push(Op::Flag { entry: pick(u, &[2, 3])?, flag: Flag::Sidechain });
    }
    Ok(ops)
}

/// A cycle of some kind, mostly with a way out.
fn cycle(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let mut ops = match u.int_in_range(0..=4)? {
        0 => vec![USER, Op::Parent { entry: 0, to: To::Itself, by: 0 }],
        1 => vec![USER, ASSISTANT, Op::Parent { entry: 1, to: To::Entry, by: 0 }],
        2 => vec![USER, ASSISTANT, USER, Op::Parent { entry: 2, to: To::Entry, by: 0 }],
        3 => vec![
            Op::Progress { inside: true },
            Op::Progress { inside: true },
            Op::Parent { entry: 1, to: To::Entry, by: 0 },
        ],
        _ => vec![USER, ASSISTANT, Op::Uuid { entry: 0, uuid: Uuid::Used, by: 0 }],
    };
    match u.int_in_range(0..=3)? {
        0 => {}
        1 => ops.extend([USER, ASSISTANT]),
        _ => ops.extend([Op::Rewind { back: pick(u, &[3, 4, 2])?, told: false }, USER, ASSISTANT]),
    }
    Ok(ops)
}

/// An entry that is there twice.
fn duplicate(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=2)? {
        0 => vec![Op::Again { entry: pick(u, &[0, 1, 2])?, moved: u.ratio(1, 3)? }],
        1 => vec![USER, Op::Uuid { entry: 0, uuid: Uuid::Used, by: pick(u, &[0, 1, 2])? }],
        _ => vec![Op::Again { entry: pick(u, &[1, 2, 3])?, moved: false }, USER, ASSISTANT],
    })
}

/// Progress between entries, before or after what hangs on it.
fn progress(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let mut ops = vec![USER, Op::Progress { inside: true }];
    if u.ratio(1, 2)? {
        ops.push(Op::Progress { inside: u.arbitrary()? });
    }
    ops.push(ASSISTANT);
    if u.ratio(1, 3)? {
        ops.push(Op::Move { line: 0, by: 1 });
    }
    Ok(ops)
}
