//! What occurs in a program.

use std::collections::BTreeSet;

use super::graph::shape;
use super::render::nodes;
use super::{Attachment, Ids, Keep, Next, Note, Op, Order, Program, Wiring};
use crate::Damage;

impl Program {
    /// Names of everything that occurs in it.
    pub fn kinds(&self) -> BTreeSet<&'static str> {
        let mut kinds = shape(&nodes(self));
        kinds.insert(self.spelling.name());
        kinds.extend(self.ops.iter().flat_map(of_op));
        kinds.extend(self.damage.iter().map(Damage::name));
        kinds.extend((!self.damage.is_empty()).then_some("damage"));
        kinds.extend((self.resumes > 1).then_some("several resumes"));
        kinds.extend(self.by_path.then_some("named by path"));
        kinds.insert(if self.is_healthy() { "healthy" } else { "hostile" });
        kinds
    }

    /// Whether its file is what the program itself could have written, whole and with every call
    /// answered.
    pub fn is_healthy(&self) -> bool {
        self.damage.is_empty() && self.ops.iter().all(is_healthy)
    }
}

/// Whether the program itself could have written what an operation makes.
pub(super) fn is_healthy(op: &Op) -> bool {
    match *op {
        Op::Turn { .. } | Op::Rewind { .. } | Op::System { .. } => true,
        Op::Sidechain { joined, .. } => !joined,
        Op::Compact { keep, linked, summary, .. } => {
            let good = matches!(keep, Keep::Nothing | Keep::Segment | Keep::Messages | Keep::Both);
            good && summary && !linked
        }
        Op::Attachment { attachment } => attachment != Attachment::Absent,
        Op::Note { note } => note != Note::Linked,
        Op::Tools { open, wiring, order, next, ids, .. } => {
            let order = matches!(order, Order::Calls | Order::Reversed | Order::Rotated);
            open == 0 && order && (wiring, next, ids) == (Wiring::Comb, Next::Last, Ids::Shared)
        }
        _ => false,
    }
}

/// Names of what occurs in an operation.
fn of_op(op: &Op) -> Vec<&'static str> {
    let mut names = vec![op.name()];
    let mut see = |is: bool, name| names.extend(is.then_some(name));
    match *op {
        Op::Turn { calls, attached, thinks, noted } => {
            see(calls % 4 > 1, "turn with parallel calls");
            see(attached % 3 > 0, "turn with attachments");
            see(thinks, "turn with a thought");
            see(noted, "turn that names its leaf");
        }
        Op::User { content } => names.push(content.name()),
        Op::Assistant { reply, joined } => {
            see(joined, "answer of the same message");
            names.push(reply.name());
        }
        Op::Call { again } => see(again, "tool id used twice"),
        Op::Result { form, error, .. } => {
            see(error, "failed result");
            names.push(form.name());
        }
        Op::Tools { open, wiring, order, next, ids, .. } => {
            see(open > 0, "parallel call without result");
            names.extend([wiring.name(), order.name(), next.name(), ids.name()]);
        }
        Op::Compact { keep, linked, summary, .. } => {
            see(linked, "boundary with a parent");
            see(!summary, "boundary without summary");
            names.push(keep.name());
        }
        Op::Interrupt { interrupt } => names.push(interrupt.name()),
        Op::Rewind { told, .. } => names.push(if told { "rewind told" } else { "silent rewind" }),
        Op::Sidechain { rooted, joined } => {
            see(rooted, "sidechain of its own");
            see(!rooted, "sidechain off the tip");
            see(joined, "conversation behind a sidechain");
        }
        Op::System { system } => names.push(system.name()),
        Op::Attachment { attachment } => names.push(attachment.name()),
        Op::Progress { inside } => see(inside, "entry on progress"),
        Op::Note { note } => names.push(note.name()),
        Op::LastPrompt { leaf, .. } => names.push(leaf.name()),
        Op::Parent { to, .. } => names.push(to.name()),
        Op::Uuid { uuid, .. } => names.push(uuid.name()),
        Op::Time { when, .. } => names.push(when.name()),
        Op::Flag { flag, .. } => names.push(flag.name()),
        Op::Spoil { spoil, .. } => names.push(spoil.name()),
        Op::Again { moved, .. } => see(moved, "entry again elsewhere"),
        Op::Write { style, .. } => names.push(style.name()),
        Op::Stray { stray, inside } => {
            see(inside, "entry on a stray line");
            names.push(stray.name());
        }
        Op::Pace { pace } => names.push(pace.name()),
        Op::Orphan
        | Op::Lose { .. }
        | Op::Move { .. }
        | Op::Reverse
        | Op::Shuffle { .. }
        | Op::Pad => {}
    }
    names
}
