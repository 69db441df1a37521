//! Cases that wait for a slot.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use tokio::sync::Notify;

use super::slot::Slot;
use crate::Case;

/// How far a slot looks for a case that it can run as it is.
const WINDOW: usize = 32;

/// Cases in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Queue {
    cases: RefCell<VecDeque<Case>>,
    pushed: Notify,
    closed: Cell<bool>,
    closing: Notify,
}

impl Queue {
    pub(super) fn push(&self, case: Case) {
        self.cases.borrow_mut().push_back(case);
        self.pushed.notify_one();
    }

    /// The next case for `slot`, waited for; `None` once closed. A case that waits because others
    /// suit better gets its turn at the latest when the slot is recycled: then everything suits.
    pub(super) async fn next(&self, slot: &Slot) -> Option<Case> {
        loop {
            if self.closed.get() {
                return None;
            }
            if let Some(case) = self.take(slot) {
                return Some(case);
            }
            tokio::select! {
                () = self.pushed.notified() => {}
                () = self.closed() => {}
            }
        }
    }

    /// Ends the wait of every slot, and what it runs.
    pub(super) fn close(&self) {
        self.closed.set(true);
        self.closing.notify_waiters();
    }

    /// Returns when the queue is closed.
    pub(super) async fn closed(&self) {
        while !self.closed.get() {
            self.closing.notified().await;
        }
    }

    fn take(&self, slot: &Slot) -> Option<Case> {
        let mut cases = self.cases.borrow_mut();
        let suits = cases.iter().take(WINDOW).position(|case| slot.accepts(case));
        cases.remove(suits.unwrap_or(0))
    }
}
