//! The turns that a user interface is shown (CX-PROJ).

use std::collections::HashMap;

use super::choices::{Choices, ImplicitIds, OpenTurn, PaginatedRollback, ShownAbort};
use super::load::Mode;
use super::record::{Body, Record, ShownItem};
use crate::{Id, Turn, TurnItem};

/// The turns of a file.
pub(super) fn project(records: &[Record<'_>], mode: Mode, choices: &Choices) -> Vec<Turn> {
    let turns = match mode {
        Mode::Legacy => legacy(records, choices),
        Mode::Paginated => paginated(records, choices),
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
    fn upsert(&mut self, item: &ShownItem<'_>) {
        let shown = match &*item.kind {
            "UserMessage" => said("userMessage", &item.text()),
            "AgentMessage" => said("agentMessage", &item.text()),
            "ContextCompaction" => compaction(),
            other => TurnItem { kind: lower_first(other), text: None },
        };
        match self.places.get(&*item.id) {
            Some(place) => self.list[*place] = shown,
            None => {
                self.places.insert(item.id.clone().into_owned(), self.list.len());
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

/// Turns in the order of their beginning. Finding one by id costs the same in any file.
#[derive(Default)]
struct Turns {
    list: Vec<Draft>,
    places: HashMap<String, usize>,
}

impl Turns {
    fn push(&mut self, draft: Draft) {
        self.places.insert(draft.id.clone(), self.list.len());
        self.list.push(draft);
    }

    fn find(&mut self, id: &str) -> Option<&mut Draft> {
        let place = *self.places.get(id)?;
        self.list.get_mut(place).filter(|draft| draft.id == id)
    }

    fn drop_last(&mut self, count: u32) {
        self.list.truncate(self.list.len().saturating_sub(count as usize));
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
    fn end(&mut self, open: &mut Option<Draft>, id: Option<&str>, status: Status, closes: bool) {
        let is_open = open.as_ref().is_some_and(|draft| Some(draft.id.as_str()) == id);
        if !is_open && let Some(closed) = id.and_then(|id| self.find(id)) {
            closed.end(status);
            return;
        }
        if let Some(draft) = open {
            draft.end(status);
        }
        if closes {
            self.finish(open);
        }
    }
}

/// The projection of a legacy file (CX-PROJ-01, CX-PROJ-02).
fn legacy(records: &[Record<'_>], choices: &Choices) -> Vec<Draft> {
    let mut turns = Turns::default();
    let mut open: Option<Draft> = None;
    for (index, record) in records.iter().enumerate() {
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
                open.get_or_insert_with(implicit).items.list.push(said("userMessage", text));
            }
            Body::AgentMessage { text } if !text.is_empty() => {
                open.get_or_insert_with(implicit).items.list.push(said("agentMessage", text));
            }
            Body::ContextCompacted => {
                open.get_or_insert_with(implicit).items.list.push(compaction());
            }
            Body::Compacted(_) => open.get_or_insert_with(implicit).compaction = true,
            Body::TaskComplete { turn } => {
                turns.end(&mut open, Some(turn), Status::Completed, true);
            }
            Body::TurnAborted { turn } => {
                let closes = choices.shown_abort == ShownAbort::Ends;
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

/// The projection of a paginated file (CX-PROJ-04). The first event that begins or ends a turn
/// makes it; entries that came before belong to it.
fn paginated(records: &[Record<'_>], choices: &Choices) -> Vec<Draft> {
    let mut turns = Turns::default();
    let mut early: HashMap<&str, Entries> = HashMap::new();
    for record in records {
        let (turn, ending) = match &record.body {
            Body::TaskStarted { turn } => (turn, None),
            Body::TaskComplete { turn } => (turn, Some(Status::Completed)),
            Body::TurnAborted { turn: Some(turn) } => (turn, Some(Status::Interrupted)),
            Body::ItemCompleted { turn, item } => {
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
            && draft.status == Status::InProgress
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
