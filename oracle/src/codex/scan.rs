//! The reverse scan: which checkpoint is the base, and what settings survive (CX-REC-03 … 05).

use std::ops::Range;

use super::choices::{
    Adoption, BareCompaction, Base, Choices, EmptyBase, ForeignEnds, Ghosts, IdleSegment,
    PaginatedBase,
};
use super::item::{Class, Unusable};
use super::load::Mode;
use super::record::{Body, Compaction, Record, TurnContext, in_turn};
use crate::Markers;

/// What the scan found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scan {
    /// Index of the checkpoint whose replacement history is the base.
    pub(super) base: Option<usize>,
    /// Index of the first record that a loader of paginated files reads.
    pub(super) loaded: usize,
    /// Index of the first record to replay.
    pub(super) start: usize,
    /// Index of the `turn_context` that the next turn is compared with, if one survives (CX-REC-16).
    pub(super) reference: Option<usize>,
    /// Index of the `turn_context` of the newest turn of a user that survives (CX-REC-18).
    pub(super) previous: Option<usize>,
    /// Index of the newest `world_state` of a segment that survives (CX-REC-12).
    pub(super) world: Option<usize>,
}

/// Scans a whole file.
pub(super) fn scan(
    records: &[Record],
    muted: &Range<usize>,
    mode: Mode,
    choices: &Choices,
    markers: &Markers,
) -> Scan {
    // A paginated file is loaded only from its newest numbered checkpoint on (CX-REC-03b).
    if mode == Mode::Paginated
        && choices.paginated_base != PaginatedBase::Survivor
        && let Some(newest) = newest_compaction(records, muted)
        && !(choices.paginated_base == PaginatedBase::NewestUnlessRolledBack
            && records[newest..].iter().any(is_rollback))
        && let Body::Compacted(compaction) = &records[newest].body
        && compaction.numbered
        && is_checkpoint(compaction, choices)
    {
        let rest = segments(records, &(0..newest), choices, markers);
        // The older loader goes on until it knows the settings of a turn.
        if choices.paginated_base == PaginatedBase::Newest || rest.previous.is_some() {
            return Scan { base: Some(newest), loaded: newest, start: newest + 1, ..rest }
                .used(choices);
        }
    }
    segments(records, muted, choices, markers).used(choices)
}

impl Scan {
    /// The scan, without its base if that is not made use of.
    fn used(self, choices: &Choices) -> Scan {
        match choices.base {
            Base::Used => self,
            Base::Unused => Scan { base: None, start: 0, ..self },
        }
    }
}

/// Whether a compaction is a complete base.
pub(super) fn is_checkpoint(compaction: &Compaction, choices: &Choices) -> bool {
    compaction.replacement.as_ref().is_some_and(|items| {
        let spoilt = choices.ghosts == Ghosts::SpoilCheckpoint
            && items.iter().any(|item| matches!(item, Err(Unusable::Ghost)));
        !spoilt && (choices.empty_base == EmptyBase::Base || !items.is_empty())
    })
}

fn is_rollback(record: &Record) -> bool {
    matches!(record.body, Body::RolledBack { .. })
}

fn newest_compaction(records: &[Record], muted: &Range<usize>) -> Option<usize> {
    let newest = records.iter().rposition(|record| matches!(record.body, Body::Compacted(_)));
    newest.filter(|index| !muted.contains(index))
}

/// The records of one turn, as far as the scan has met them.
#[derive(Debug, Default)]
struct Segment<'a> {
    turn: Option<&'a str>,
    user: bool,
    checkpoint: Option<usize>,
    reference: Reference,
    /// Index of its first `turn_context`.
    settings: Option<usize>,
    /// Index of its last `world_state`.
    world: Option<usize>,
}

/// Which `turn_context` later turns are compared with.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Reference {
    #[default]
    Unset,
    /// Its index.
    Set(usize),
    /// A compaction without settings after it cleared them.
    Cleared,
}

/// What the scan knows so far.
#[derive(Debug, Default)]
struct Found {
    pending: u64,
    base: Option<usize>,
    reference: Reference,
    previous: Option<usize>,
    world: Option<usize>,
}

impl Found {
    fn close(&mut self, segment: &Segment<'_>, choices: &Choices) {
        if self.pending > 0 {
            if segment.user || choices.idle_segment == IdleSegment::Counted {
                self.pending -= 1;
            }
            return;
        }
        self.base = self.base.or(segment.checkpoint);
        if self.reference == Reference::Unset
            && (segment.user || segment.reference == Reference::Cleared)
        {
            self.reference = segment.reference;
        }
        self.world = self.world.or(segment.world);
        if segment.user {
            self.previous = self.previous.or(segment.settings);
        }
    }

    fn is_complete(&self) -> bool {
        self.base.is_some() && self.previous.is_some() && self.reference != Reference::Unset
    }
}

fn segments(
    records: &[Record],
    muted: &Range<usize>,
    choices: &Choices,
    markers: &Markers,
) -> Scan {
    let mut found = Found::default();
    let mut open: Option<Segment<'_>> = None;
    let mut start = 0;
    let starts = (choices.foreign_ends == ForeignEnds::Ignored).then(|| starts(records));
    for (index, record) in records.iter().enumerate().rev() {
        // A release that adopts on sight goes no further than it has to.
        let enough = choices.adoption == Adoption::OnSight && found.is_complete();
        if enough || muted.contains(&index) {
            continue;
        }
        match &record.body {
            Body::Compacted(compaction) => {
                if choices.bare_compaction == BareCompaction::Own && !in_turn(&records[..index]) {
                    let checkpoint = is_checkpoint(compaction, choices).then_some(index);
                    found.close(&Segment { checkpoint, ..Segment::default() }, choices);
                    continue;
                }
                let segment = open.get_or_insert_default();
                if segment.reference == Reference::Unset {
                    segment.reference = Reference::Cleared;
                }
                if is_checkpoint(compaction, choices) && segment.checkpoint.is_none() {
                    segment.checkpoint = Some(index);
                    if choices.adoption == Adoption::OnSight {
                        start = index + 1;
                    }
                }
            }
            Body::RolledBack { turns } => found.pending += u64::from(*turns),
            Body::TaskComplete { turn } | Body::TurnAborted { turn: Some(turn) } => {
                let segment = open.get_or_insert_default();
                let own = starts.as_ref().is_none_or(|starts| starts[index] == Some(turn));
                segment.turn = segment.turn.or(own.then_some(turn));
            }
            Body::UserMessage { .. } => open.get_or_insert_default().user = true,
            Body::TurnContext(context) => open.get_or_insert_default().set(context, index),
            Body::WorldState(_) => {
                open.get_or_insert_default().world.get_or_insert(index);
            }
            Body::Item(item) => {
                let segment = open.get_or_insert_default();
                segment.user |= item.class(choices, markers) == Class::Boundary;
            }
            Body::TaskStarted { turn } => {
                let own = |segment: &mut Segment<'_>| segment.turn.is_none_or(|id| id == turn);
                if let Some(segment) = open.take_if(own) {
                    found.close(&segment, choices);
                }
            }
            _ => {}
        }
    }
    if let Some(segment) = open {
        found.close(&segment, choices);
    }
    let Found { base, reference, previous, world, .. } = found;
    if choices.adoption == Adoption::Survivor {
        start = base.map_or(0, |base| base + 1);
    }
    let reference = match reference {
        Reference::Set(index) => Some(index),
        _ => None,
    };
    let world = world.filter(|world| base.is_none_or(|base| *world > base));
    Scan { base, loaded: 0, start, reference, previous, world }
}

/// The turn that was begun last before each record.
fn starts(records: &[Record]) -> Vec<Option<&str>> {
    let ids = records.iter().map(|record| match &record.body {
        Body::TaskStarted { turn } => Some(turn.as_str()),
        _ => None,
    });
    let mut last = None;
    ids.map(|id| {
        let before = last;
        last = id.or(last);
        before
    })
    .collect()
}

impl<'a> Segment<'a> {
    /// Notes a `turn_context`, unless it is of another turn.
    fn set(&mut self, context: &'a TurnContext, index: usize) {
        self.turn = self.turn.or(context.turn.as_deref());
        if context.turn.is_some() && context.turn.as_deref() != self.turn {
            return;
        }
        self.settings = Some(index);
        if self.reference == Reference::Unset {
            self.reference = Reference::Set(index);
        }
    }
}
