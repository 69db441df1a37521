//! Simpler operations.

use super::{Content, Op, Reply};
use crate::shrink::{less, one, several};

/// Operations that are one step simpler.
pub(crate) fn simpler(op: &Op) -> Vec<Op> {
    let off = |is: bool| is.then_some(false);
    match *op {
        Op::Turn { calls, attached, thinks, noted } => several([
            less(calls).map(|calls| Op::Turn { calls, attached, thinks, noted }),
            less(attached).map(|attached| Op::Turn { calls, attached, thinks, noted }),
            off(thinks).map(|thinks| Op::Turn { calls, attached, thinks, noted }),
            off(noted).map(|noted| Op::Turn { calls, attached, thinks, noted }),
        ]),
        Op::User { content } => one(content.simpler(), |content| Op::User { content }),
        Op::Assistant { reply, joined } => several([
            reply.simpler().map(|reply| Op::Assistant { reply, joined }),
            off(joined).map(|joined| Op::Assistant { reply, joined }),
        ]),
        Op::Call { again } => one(off(again), |again| Op::Call { again }),
        Op::Result { call, form, error } => several([
            less(call).map(|call| Op::Result { call, form, error }),
            form.simpler().map(|form| Op::Result { call, form, error }),
            off(error).map(|error| Op::Result { call, form, error }),
        ]),
        Op::Tools { calls, open, wiring, order, next, ids } => several([
            less(calls).map(|calls| Op::Tools { calls, open, wiring, order, next, ids }),
            less(open).map(|open| Op::Tools { calls, open, wiring, order, next, ids }),
            wiring.simpler().map(|wiring| Op::Tools { calls, open, wiring, order, next, ids }),
            order.simpler().map(|order| Op::Tools { calls, open, wiring, order, next, ids }),
            next.simpler().map(|next| Op::Tools { calls, open, wiring, order, next, ids }),
            ids.simpler().map(|ids| Op::Tools { calls, open, wiring, order, next, ids }),
        ]),
        Op::Compact { keep, kept, linked, summary } => several([
            keep.simpler().map(|keep| Op::Compact { keep, kept, linked, summary }),
            less(kept).map(|kept| Op::Compact { keep, kept, linked, summary }),
            off(linked).map(|linked| Op::Compact { keep, kept, linked, summary }),
            (!summary).then_some(Op::Compact { keep, kept, linked, summary: true }),
        ]),
        Op::Interrupt { interrupt } => {
            one(interrupt.simpler(), |interrupt| Op::Interrupt { interrupt })
        }
        Op::Rewind { back, told } => several([
            less(back).map(|back| Op::Rewind { back, told }),
            off(told).map(|told| Op::Rewind { back, told }),
        ]),
        Op::Sidechain { rooted, joined } => several([
            off(rooted).map(|rooted| Op::Sidechain { rooted, joined }),
            off(joined).map(|joined| Op::Sidechain { rooted, joined }),
        ]),
        Op::System { system } => one(system.simpler(), |system| Op::System { system }),
        Op::Attachment { attachment } => {
            one(attachment.simpler(), |attachment| Op::Attachment { attachment })
        }
        Op::Progress { inside } => one(off(inside), |inside| Op::Progress { inside }),
        Op::Note { note } => one(note.simpler(), |note| Op::Note { note }),
        Op::LastPrompt { leaf, back } => several([
            leaf.simpler().map(|leaf| Op::LastPrompt { leaf, back }),
            less(back).map(|back| Op::LastPrompt { leaf, back }),
        ]),
        Op::Parent { entry, to, by } => several([
            to.simpler().map(|to| Op::Parent { entry, to, by }),
            less(entry).map(|entry| Op::Parent { entry, to, by }),
            less(by).map(|by| Op::Parent { entry, to, by }),
        ]),
        Op::Uuid { entry, uuid, by } => several([
            uuid.simpler().map(|uuid| Op::Uuid { entry, uuid, by }),
            less(entry).map(|entry| Op::Uuid { entry, uuid, by }),
            less(by).map(|by| Op::Uuid { entry, uuid, by }),
        ]),
        Op::Time { entry, when } => several([
            when.simpler().map(|when| Op::Time { entry, when }),
            less(entry).map(|entry| Op::Time { entry, when }),
        ]),
        Op::Flag { entry, flag } => several([
            flag.simpler().map(|flag| Op::Flag { entry, flag }),
            less(entry).map(|entry| Op::Flag { entry, flag }),
        ]),
        Op::Spoil { entry, spoil } => several([
            spoil.simpler().map(|spoil| Op::Spoil { entry, spoil }),
            less(entry).map(|entry| Op::Spoil { entry, spoil }),
        ]),
        Op::Again { entry, moved } => several([
            less(entry).map(|entry| Op::Again { entry, moved }),
            off(moved).map(|moved| Op::Again { entry, moved }),
        ]),
        Op::Lose { line } => one(less(line), |line| Op::Lose { line }),
        Op::Move { line, by } => several([
            less(line).map(|line| Op::Move { line, by }),
            less(by).map(|by| Op::Move { line, by }),
        ]),
        Op::Shuffle { seed } => one(less(seed), |seed| Op::Shuffle { seed }),
        Op::Write { entry, style } => several([
            style.simpler().map(|style| Op::Write { entry, style }),
            less(entry).map(|entry| Op::Write { entry, style }),
        ]),
        Op::Stray { stray, inside } => several([
            stray.simpler().map(|stray| Op::Stray { stray, inside }),
            off(inside).map(|inside| Op::Stray { stray, inside }),
        ]),
        Op::Pace { pace } => one(pace.simpler(), |pace| Op::Pace { pace }),
        Op::Orphan => vec![Op::User { content: Content::Text }],
        Op::Pad => vec![Op::Assistant { reply: Reply::Text, joined: false }],
        Op::Reverse => Vec::new(),
    }
}
