//! Short lists of operations that belong together: what single draws would hardly ever make.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::arbitrary::{compact, tools};
use super::{
    Attachment, Content, Flag, Form, Interrupt, Keep, Leaf, Note, Op, Pace, Reply, Spoil, Stray,
    Style, System, To, Uuid, When,
};
use crate::sample::pick;

const USER: Op = Op::User { content: Content::Text };
const ASSISTANT: Op = Op::Assistant { reply: Reply::Text, joined: false };

/// A whole turn that a history can begin with.
pub(crate) fn opening(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(Op::Turn {
        calls: pick(u, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3])?,
        attached: pick(u, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2])?,
        thinks: u.ratio(1, 15)?,
        noted: u.ratio(1, 10)?,
    })
}

/// What follows an opening: what is odd, mostly with a turn behind it.
pub(crate) fn motif(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=157)? {
        0..=1 => vec![opening(u)?],
        2..=13 => vec![Op::arbitrary(u)?],
        14..=30 => parallel(u)?,
        31..=37 => gap(u)?,
        38..=45 => cycle(u)?,
        46..=65 => {
            vec![USER, Op::Assistant { reply: Reply::arbitrary(u)?, joined: u.ratio(1, 4)? }]
        }
        66..=80 => vec![Op::User { content: Content::arbitrary(u)? }, ASSISTANT],
        81..=90 => vec![compact(u)?, USER, ASSISTANT],
        91..=96 => vec![Op::Interrupt { interrupt: Interrupt::arbitrary(u)? }],
        97..=103 => duplicate(u)?,
        104..=106 => progress(u)?,
        107..=115 => answered(u)?,
        116..=120 => trailing(u)?,
        121..=129 => vec![Op::System { system: System::arbitrary(u)? }],
        130..=138 => vec![Op::Attachment { attachment: Attachment::arbitrary(u)? }],
        139 => vec![Op::Note { note: Note::arbitrary(u)? }],
        140..=143 => vec![Op::Sidechain { rooted: u.arbitrary()?, joined: u.ratio(2, 3)? }],
        144..=150 => vec![Op::Stray { stray: Stray::arbitrary(u)?, inside: u.ratio(1, 4)? }],
        151..=152 => vec![USER, Op::Orphan, ASSISTANT],
        153..=154 => vec![Op::Shuffle { seed: u.arbitrary()? }],
        _ => vec![Op::Reverse],
    })
}

/// A line beside the talk.
pub(crate) fn note(u: &mut Unstructured<'_>) -> Result<Op> {
    Ok(match u.int_in_range(0..=15)? {
        0..=10 => Op::Note { note: Note::arbitrary(u)? },
        11..=13 => Op::Attachment { attachment: Attachment::arbitrary(u)? },
        _ => Op::System { system: System::arbitrary(u)? },
    })
}

/// What is done to an entry that is there.
pub(crate) fn touch(u: &mut Unstructured<'_>) -> Result<Op> {
    let entry = pick(u, &[1, 2, 3, 0, 4, 5, 7, 9])?;
    Ok(match u.int_in_range(0..=35)? {
        0..=7 => Op::Time { entry, when: When::arbitrary(u)? },
        8..=16 => Op::Flag { entry, flag: Flag::arbitrary(u)? },
        17..=20 => Op::Write { entry, style: Style::arbitrary(u)? },
        21..=25 => Op::Spoil { entry, spoil: Spoil::arbitrary(u)? },
        26..=28 => Op::Uuid { entry, uuid: Uuid::arbitrary(u)?, by: pick(u, &[0, 1, 2, 3])? },
        29..=34 => Op::Parent { entry, to: To::arbitrary(u)?, by: pick(u, &[0, 1, 2, 3, 4])? },
        _ => Op::Lose { line: entry },
    })
}

/// What loses something and leaves most.
pub(crate) fn loss(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let back = pick(u, &[2, 2, 1, 3, 4])?;
    Ok(match u.int_in_range(0..=15)? {
        0..=6 => vec![Op::Rewind { back, told: u.ratio(1, 3)? }, USER, ASSISTANT],
        7..=8 => vec![USER, ASSISTANT, Op::LastPrompt { leaf: Leaf::Older, back }],
        9..=10 => vec![Op::Sidechain { rooted: u.arbitrary()?, joined: false }],
        11 => vec![USER, ASSISTANT, Op::Parent { entry: 1, to: To::Entry, by: back + 1 }],
        12..=13 => vec![Op::Stray { stray: Stray::arbitrary(u)?, inside: false }],
        14 => vec![Op::Again { entry: back, moved: false }],
        _ => vec![USER, Op::Move { line: 0, by: back }],
    })
}

/// What a history ends with.
pub(crate) fn closing(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    Ok(match u.int_in_range(0..=15)? {
        0..=6 => Vec::new(),
        7..=10 => vec![USER, ASSISTANT],
        11 => vec![USER],
        12..=14 => {
            vec![Op::LastPrompt { leaf: Leaf::arbitrary(u)?, back: pick(u, &[0, 1, 2, 3])? }]
        }
        _ => vec![Op::arbitrary(u)?],
    })
}

/// A call and its result in some form.
fn answered(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let result = |u: &mut Unstructured<'_>| {
        Ok(Op::Result { call: 0, form: Form::arbitrary(u)?, error: u.ratio(1, 4)? })
    };
    let mut ops = vec![USER, Op::Call { again: u.ratio(1, 3)? }, result(u)?];
    if u.ratio(1, 4)? {
        ops.push(result(u)?);
    }
    ops.push(ASSISTANT);
    Ok(ops)
}

/// What hangs on the end of a conversation and is no part of it.
fn trailing(u: &mut Unstructured<'_>) -> Result<Vec<Op>> {
    let aside = |u: &mut Unstructured<'_>| {
        Ok(match u.int_in_range(0..=4)? {
            0..=1 => Op::System { system: System::arbitrary(u)? },
            2..=3 => Op::Attachment { attachment: Attachment::arbitrary(u)? },
            _ => Op::Compact { keep: Keep::Nothing, kept: 0, linked: true, summary: false },
        })
    };
    let mut ops = vec![USER, ASSISTANT, aside(u)?];
    if u.ratio(1, 2)? {
        ops.extend([Op::Rewind { back: 1, told: false }, aside(u)?]);
    }
    if u.ratio(1, 3)? {
        ops.push(Op::Flag { entry: 0, flag: Flag::Sidechain });
    }
    if u.ratio(1, 3)? {
        ops.push(Op::Time { entry: 0, when: When::arbitrary(u)? });
    }
    if u.ratio(1, 3)? {
        ops.extend([Op::Rewind { back: pick(u, &[3, 2])?, told: false }, USER]);
    }
    Ok(ops)
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
        0 => vec![Op::Again { entry: pick(u, &[0, 1, 2])?, moved: u.ratio(2, 3)? }],
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
