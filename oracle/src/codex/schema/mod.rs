//! What a release takes for a record, an event, an item (CX-LOAD-05).
//!
//! The tables say which members each type has, of which kind, since and until which release. A
//! value that breaks its table is not read at all; members that no table names are lost.

mod event;
mod item;
mod kind;
mod meta;
mod record;

pub(super) use item::{ITEMS, is_ghost};
pub(super) use kind::{Form, unsigned, uuid};
pub(super) use meta::META;
pub(super) use record::RECORDS;
