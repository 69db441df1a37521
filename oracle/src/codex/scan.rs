//! The reverse scan: which checkpoint is the base, and what settings survive (CX-REC-03 … 05).

use super::choices::{Adoption, BareCompaction, Choices, Ghosts, IdleSegment, PaginatedBase};
use super::item::Unusable;
use super::load::Mode;
use super::record::{Body, Compaction, Record, in_turn};
use crate::Markers;

/// What the scan found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scan {
    /// Index of the checkpoint whose replacement history is the base.
    pub(super) base: Option<usize>,
    /// Index of the first record to replay.
    pub(super) start: usize,
    /// Whether the settings of an earlier turn survive (CX-REC-16).
    pub(super) settings: bool,
}

/// Scans a whole file.
pub(super) fn scan(
    records: &[Record<'_>],
    mode: Mode,
    choices: &Choices,
    markers: &Markers,
) -> Scan {
    // A paginated file is loaded only from its newest numbered checkpoint on (CX-REC-03b).
    if mode == Mode::Paginated
        && choices.paginated_base == PaginatedBase::Newest
        && let Some(newest) = newest_compaction(records)
        && let Body::Compacted(compaction) = &records[newest].body
        && compaction.numbered
        && is_checkpoint(compaction, choices)
    {
        let rest = segments(&records[newest..], choices, markers);
        return Scan { base: Some(newest), start: newest + 1, settings: rest.settings };
    }
    segments(records, choices, markers)
}

/// Whether a compaction is a complete base.
pub(super) fn is_checkpoint(compaction: &Compaction<'_>, choices: &Choices) -> bool {
    compaction.replacement.as_ref().is_some_and(|items| {
        choices.ghosts == Ghosts::Stripped
            || !items.iter().any(|item| matches!(item, Err(Unusable::Ghost)))
    })
}

fn newest_compaction(records: &[Record<'_>]) -> Option<usize> {
    records.iter().rposition(|record| matches!(record.body, Body::Compacted(_)))
}

/// The records of one turn, as far as the scan has met them.
#[derive(Debug, Default)]
struct Segment<'a> {
    turn: Option<&'a str>,
    user: bool,
    checkpoint: Option<usize>,
    baseline: Baseline,
}

/// What a segment says of the settings that later turns are compared with.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Baseline {
    #[default]
    Unset,
    Set,
    /// A compaction without settings after it cleared them.
    Cleared,
}

fn segments(records: &[Record<'_>], choices: &Choices, markers: &Markers) -> Scan {
    let mut pending = 0_u64;
    let mut open: Option<Segment<'_>> = None;
    let mut base = None;
    let mut start = 0;
    let mut baseline = Baseline::Unset;
    let mut close = |segment: Segment<'_>, pending: &mut u64, base: &mut Option<usize>| {
        if *pending > 0 {
            if segment.user || choices.idle_segment == IdleSegment::Counted {
                *pending -= 1;
            }
            return;
        }
        *base = base.or(segment.checkpoint);
        if baseline == Baseline::Unset && (segment.user || segment.baseline == Baseline::Cleared) {
            baseline = segment.baseline;
        }
    };
    for (index, record) in records.iter().enumerate().rev() {
        match &record.body {
            Body::Compacted(compaction) => {
                if choices.bare_compaction == BareCompaction::Own && !in_turn(&records[..index]) {
                    let checkpoint = is_checkpoint(compaction, choices).then_some(index);
                    let own = Segment { checkpoint, ..Segment::default() };
                    close(own, &mut pending, &mut base);
                    continue;
                }
                let segment = open.get_or_insert_default();
                if segment.baseline == Baseline::Unset {
                    segment.baseline = Baseline::Cleared;
                }
                if is_checkpoint(compaction, choices) && segment.checkpoint.is_none() {
                    segment.checkpoint = Some(index);
                    if choices.adoption == Adoption::OnSight {
                        start = index + 1;
                    }
                }
            }
            Body::RolledBack { turns } => pending += u64::from(*turns),
            Body::TaskComplete { turn } => {
                open.get_or_insert_default().turn.get_or_insert(turn);
            }
            Body::TurnAborted { turn: Some(turn) } => {
                open.get_or_insert_default().turn.get_or_insert(turn);
            }
            Body::UserMessage { .. } => open.get_or_insert_default().user = true,
            Body::TurnContext { turn, .. } => {
                let segment = open.get_or_insert_default();
                if let (None, Some(turn)) = (segment.turn, turn) {
                    segment.turn = Some(turn);
                }
                if segment.baseline == Baseline::Unset {
                    segment.baseline = Baseline::Set;
                }
            }
            Body::Item(item) => {
                let segment = open.get_or_insert_default();
                segment.user |= item.class(choices, markers).is_boundary();
            }
            Body::TaskStarted { turn } => {
                let own = |segment: &mut Segment<'_>| segment.turn.is_none_or(|id| id == turn);
                if let Some(segment) = open.take_if(own) {
                    close(segment, &mut pending, &mut base);
                }
            }
            _ => {}
        }
    }
    if let Some(segment) = open {
        close(segment, &mut pending, &mut base);
    }
    if choices.adoption == Adoption::Survivor {
        start = base.map_or(0, |base| base + 1);
    }
    Scan { base, start, settings: baseline == Baseline::Set }
}
