//! The turns that a user interface is shown (CX-PROJ).

use std::collections::HashMap;

use super::choices::{
    Choices, ImplicitIds, OpenTurn, PaginatedEnd, PaginatedRollback, ShownAbort, ShownOrdinals,
};
use super::fragment::is_hook;
use super::load::{Lines, Mode};
use super::record::{Body, Record, ShownItem};
use crate::{Id, Turn, TurnItem};

/// The turns of a file.
pub(super) fn project(
    records: &[Record],
    lines: &Lines<'_>,
    mode: Mode,
    choices: &Choices,
) -> Vec<Turn> {
    let turns = match mode {
        Mode::Legacy => legacy(records, choices),
        Mode::Paginated => paginated(&in_order(records, lines, choices), choices),
    };
    let open = match choices.open_turn {
        OpenTurn::Interrupted => Status::Interrupted,
        OpenTurn::InProgress => Status::InProgress,
    };
    turns.into_iter().map(|turn| turn.shown(open)).collect()
}

/// Entries of a turn in order. In a paginated file they have ids, and an id that comes again
/// replaces its entry.
#[derive(Debug, Default)]
struct Entries {
    list: Vec<TurnItem>,
    places: HashMap<String, usize>,
}

impl Entries {
    fn upsert(&mut self, item: &ShownItem) {
        // The program's names begin in lower case to the outside.
        let shown = TurnItem { kind: lower_first(&item.kind), text: item.text.clone() };
        match self.places.get(&*item.id) {
            Some(place) => self.list[*place] = shown,
            None => {
                self.places.insert(item.id.clone(), self.list.len());
                self.list.push(shown);
            }
        }
    }
}

#[derive(Debug)]
struct Draft {
    id: String,
    explicit: bool,
    status: Status,
    items: Entries,
    compaction: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    InProgress,
    Completed,
    Interrupted,
}

impl Draft {
    fn started(id: &str) -> Draft {
        Draft {
            id: id.to_owned(),
            explicit: true,
            status: Status::InProgress,
            items: Entries::default(),
            compaction: false,
        }
    }

    fn end(&mut self, status: Status) {
        // A turn that has ended keeps its first ending, unless it was interrupted later.
        if self.status == Status::InProgress || status == Status::Interrupted {
            self.status = status;
        }
    }

    fn shown(self, open: Status) -> Turn {
        let status = if self.status == Status::InProgress { open } else { self.status };
        let status = match status {
            Status::InProgress => "inProgress",
            Status::Completed => "completed",
            Status::Interrupted => "interrupted",
        };
        Turn { id: Id::Known(self.id), status: status.to_owned(), items: self.items.list }
    }
}

/// Whether the end of a turn closes the one that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closes {
    Always,
    /// If it is the one that ends, or none is named.
    Own,
    Never,
}

/// Turns in the order of their beginning. Finding one by id costs the same in any file.
#[derive(Default)]
struct Turns {
    list: Vec<Draft>,
    places: HashMap<String, usize>,
}

impl Turns {
    fn push(&mut self, draft: Draft) {
        // Of several with one id the first is found.
        self.places.entry(draft.id.clone()).or_insert(self.list.len());
        self.list.push(draft);
    }

    fn find(&mut self, id: &str) -> Option<&mut Draft> {
        let place = *self.places.get(id)?;
        self.list.get_mut(place).filter(|draft| draft.id == id)
    }

    fn drop_last(&mut self, count: u32) {
        let left = self.list.len().saturating_sub(count as usize);
        for draft in self.list.drain(left..) {
            if self.places.get(&draft.id).is_some_and(|place| *place >= left) {
                self.places.remove(&draft.id);
            }
        }
    }

    /// An implicit turn that shows nothing is no turn.
    fn finish(&mut self, open: &mut Option<Draft>) {
        if let Some(draft) = open.take()
            && (draft.explicit || !draft.items.list.is_empty() || draft.compaction)
        {
            self.push(draft);
        }
    }

    /// Ends the turn `id`: the open one, else one that is already closed, else whichever is open.
    fn end(&mut self, open: &mut Option<Draft>, id: Option<&str>, status: Status, closes: Closes) {
        let is_open = open.as_ref().is_some_and(|draft| Some(draft.id.as_str()) == id);
        if !is_open && let Some(closed) = id.and_then(|id| self.find(id)) {
            closed.end(status);
            return;
        }
        // An end of a turn that is none leaves an open turn alone, if a record opened that.
        let foreign = id.is_some() && !is_open && open.as_ref().is_some_and(|it| it.explicit);
        if closes == Closes::Own && foreign {
            return;
        }
        if let Some(draft) = open {
            draft.end(status);
        }
        if closes != Closes::Never {
            self.finish(open);
        }
    }
}

/// The projection of a legacy file (CX-PROJ-01, CX-PROJ-02).
fn legacy(records: &[Record], choices: &Choices) -> Vec<Draft> {
    let mut turns = Turns::default();
    let mut open: Option<Draft> = None;
    // Items of turns are not kept in a legacy file, but for plans.
    let kept = |record: &&Record| match &record.body {
        Body::ItemCompleted { item, .. } => item.kind == "Plan",
        _ => true,
    };
    for (index, record) in records.iter().filter(kept).enumerate() {
        let number = match choices.implicit_ids {
            ImplicitIds::RecordNumber => index,
            ImplicitIds::LineNumber => record.line,
        };
        let implicit = || Draft {
            id: format!("rollout-{number}"),
            explicit: false,
            status: Status::Completed,
            items: Entries::default(),
            compaction: false,
        };
        match &record.body {
            Body::TaskStarted { turn } => {
                turns.finish(&mut open);
                open = Some(Draft::started(turn));
            }
            Body::UserMessage { text } => {
                let joins = |draft: &Draft| {
                    draft.explicit || (draft.compaction && draft.items.list.is_empty())
                };
                if !open.as_ref().is_some_and(joins) {
                    turns.finish(&mut open);
                }
                let mut shown = said("userMessage", text);
                shown.text = shown.text.filter(|text| !text.is_empty());
                open.get_or_insert_with(implicit).items.list.push(shown);
            }
            Body::AgentMessage { text } if !text.is_empty() => {
                open.get_or_insert_with(implicit).items.list.push(said("agentMessage", text));
            }
            Body::Happened(kind, text) => {
                let text = text.map(str::to_owned);
                let shown = TurnItem { kind: (*kind).to_owned(), text };
                open.get_or_insert_with(implicit).items.list.push(shown);
            }
            Body::ContextCompacted => {
                open.get_or_insert_with(implicit).items.list.push(compaction());
            }
            Body::ItemCompleted { turn, item } => {
                let named = |draft: &&mut Draft| draft.id == *turn;
                let draft = match open.as_mut().filter(named) {
                    Some(draft) => Some(draft),
                    None => turns.find(turn),
                };
                draft.into_iter().for_each(|draft| draft.items.upsert(item));
            }
            Body::Item(item) if item.says("user", is_hook) => {
                let hook = TurnItem { kind: "hookPrompt".to_owned(), text: None };
                open.get_or_insert_with(implicit).items.list.push(hook);
            }
            Body::Compacted(_) => open.get_or_insert_with(implicit).compaction = true,
            Body::TaskComplete { turn } => {
                turns.end(&mut open, Some(turn), Status::Completed, Closes::Always);
            }
            Body::TurnAborted { turn } => {
                let closes = match choices.shown_abort {
                    ShownAbort::Ends => Closes::Own,
                    ShownAbort::StaysOpen => Closes::Never,
                };
                turns.end(&mut open, turn.as_deref(), Status::Interrupted, closes);
            }
            Body::RolledBack { turns: count } => {
                turns.finish(&mut open);
                turns.drop_last(*count);
            }
            _ => {}
        }
    }
    turns.finish(&mut open);
    turns.list
}

/// The records of a paginated file that are shown, by their ordinals (CX-PROJ-05). Records that are
/// not kept have a say too.
fn in_order<'r>(records: &'r [Record], lines: &Lines<'_>, choices: &Choices) -> Vec<&'r Record> {
    let passing = lines.skipped.iter().filter(|skipped| skipped.why.is_record());
    // A release that counts wants a time with each.
    let placed = |dated, ordinal: Option<u64>| {
        ordinal.filter(|_| dated || choices.shown_ordinals != ShownOrdinals::Counting)
    };
    let mut all: Vec<(usize, Option<u64>, Option<&Record>)> = records
        .iter()
        .map(|record| (record.line, placed(record.dated, record.ordinal), Some(record)))
        .chain(passing.map(|it| (it.line, placed(it.dated, it.ordinal), None)))
        .collect();
    all.sort_by_key(|(line, ..)| *line);
    let counts = || (0..).zip(&all).all(|(n, (_, ordinal, _))| *ordinal == Some(n));
    let shown = match choices.shown_ordinals {
        ShownOrdinals::Rising => rising(&all),
        ShownOrdinals::Counting if !counts() => Vec::new(),
        ShownOrdinals::Counting | ShownOrdinals::Any => all,
    };
    shown.into_iter().filter_map(|(_, _, record)| record).collect()
}

/// Lines with an ordinal that is not below the next one: one more than that of the line shown before.
fn rising<'r>(
    all: &[(usize, Option<u64>, Option<&'r Record>)],
) -> Vec<(usize, Option<u64>, Option<&'r Record>)> {
    // Ordinals that the program's database cannot hold spoil everything; the next one is written.
    const MOST: u64 = i64::MAX as u64 - 1;
    let mut out = Vec::new();
    let mut next = match all {
        // Metadata without ordinal takes the first place.
        [(_, None, _), (_, Some(0), _), ..] => return Vec::new(),
        [(_, first, _), ..] => first.unwrap_or(1),
        [] => 0,
    };
    for line in all {
        match line.1 {
            Some(ordinal) if ordinal >= MOST => return Vec::new(),
            Some(ordinal) if ordinal >= next => {
                next = ordinal + 1;
                out.push(*line);
            }
            _ => {}
        }
    }
    out
}

/// The projection of a paginated file (CX-PROJ-04). The first event that begins or ends a turn
/// makes it; entries that came before belong to it.
fn paginated(records: &[&Record], choices: &Choices) -> Vec<Draft> {
    let mut turns = Turns::default();
    let mut early: HashMap<&str, Entries> = HashMap::new();
    for record in records {
        let (turn, ending) = match &record.body {
            Body::TaskStarted { turn } => (turn, None),
            Body::TaskComplete { turn } => (turn, Some(Status::Completed)),
            Body::TurnAborted { turn: Some(turn) } => (turn, Some(Status::Interrupted)),
            Body::ItemCompleted { turn, item } => {
                if !item.dated {
                    continue;
                }
                match turns.find(turn) {
                    Some(draft) => draft.items.upsert(item),
                    None => early.entry(turn).or_default().upsert(item),
                }
                continue;
            }
            Body::RolledBack { turns: count } => {
                if choices.paginated_rollback == PaginatedRollback::Applied {
                    turns.drop_last(*count);
                }
                continue;
            }
            _ => continue,
        };
        if turns.find(turn).is_none() {
            let items = early.remove(&**turn).unwrap_or_default();
            turns.push(Draft { items, ..Draft::started(turn) });
        }
        if let (Some(ending), Some(draft)) = (ending, turns.find(turn))
            && (draft.status == Status::InProgress || choices.paginated_end == PaginatedEnd::Last)
        {
            draft.status = ending;
        }
    }
    turns.list
}

fn said(kind: &str, text: &str) -> TurnItem {
    TurnItem { kind: kind.to_owned(), text: Some(text.to_owned()) }
}

fn compaction() -> TurnItem {
    TurnItem { kind: "contextCompaction".to_owned(), text: None }
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}
