//! Simpler operations.

use super::{Compaction, Op};
use crate::shrink::{less, one, several};

/// Operations that are one step simpler.
pub(crate) fn simpler(op: &Op) -> Vec<Op> {
    match *op {
        Op::Turn { users, calls, open, end } => several([
            less(users).map(|users| Op::Turn { users, calls, open, end }),
            less(calls).map(|calls| Op::Turn { users, calls, open, end }),
            less(open).map(|open| Op::Turn { users, calls, open, end }),
            end.simpler().map(|end| Op::Turn { users, calls, open, end }),
        ]),
        Op::Rollback { turns } => one(less(turns), |turns| Op::Rollback { turns }),
        Op::Output { call, form, crossed } => several([
            less(call).map(|call| Op::Output { call, form, crossed }),
            form.simpler().map(|form| Op::Output { call, form, crossed }),
            crossed.then_some(Op::Output { call, form, crossed: false }),
        ]),
        Op::Compact { with, place } => {
            let mut out: Vec<Op> =
                simpler_base(with).into_iter().map(|with| Op::Compact { with, place }).collect();
            out.extend(one(place.simpler(), |place| Op::Compact { with, place }));
            out
        }
        Op::End { end, back } => several([
            end.simpler().map(|end| Op::End { end, back }),
            less(back).map(|back| Op::End { end, back }),
        ]),
        Op::LongUsers { users: 0 } | Op::TwoParts => vec![Op::User],
        Op::LongUsers { users } => one(less(users), |users| Op::LongUsers { users }),
        Op::Settings { settings } => one(settings.simpler(), |settings| Op::Settings { settings }),
        Op::Half { half } => one(half.simpler(), |half| Op::Half { half }),
        Op::Context { context } => one(context.simpler(), |context| Op::Context { context }),
        Op::LookAlike { like } => {
            let mut out = vec![Op::User];
            out.extend(one(like.simpler(), |like| Op::LookAlike { like }));
            out
        }
        Op::Developer { developer } => {
            one(developer.simpler(), |developer| Op::Developer { developer })
        }
        Op::Call { tool } => one(tool.simpler(), |tool| Op::Call { tool }),
        Op::Orphan { tool } => one(tool.simpler(), |tool| Op::Orphan { tool }),
        Op::Early { tool } => one(tool.simpler(), |tool| Op::Early { tool }),
        Op::Meta { foreign } => one(foreign.then_some(false), |foreign| Op::Meta { foreign }),
        Op::Aside { aside } => one(aside.simpler(), |aside| Op::Aside { aside }),
        Op::Strange { strange } => one(strange.simpler(), |strange| Op::Strange { strange }),
        Op::Ordinal { step } => one(step.simpler(), |step| Op::Ordinal { step }),
        Op::StartAgain => vec![Op::Start],
        Op::Start | Op::User | Op::Summary | Op::System | Op::Agent | Op::Reasoning => Vec::new(),
    }
}

fn simpler_base(with: Compaction) -> Vec<Compaction> {
    match with {
        Compaction::Summary => Vec::new(),
        Compaction::Empty => vec![Compaction::Summary],
        Compaction::Base { users, numbered, extra } => several([
            Some(Compaction::Summary),
            less(users).map(|users| Compaction::Base { users, numbered, extra }),
            numbered.then_some(Compaction::Base { users, numbered: false, extra }),
            extra.simpler().map(|extra| Compaction::Base { users, numbered, extra }),
        ]),
    }
}
