//! The inner process: runs cases on real processes and reports what it saw.

mod bare;
mod exchange;
mod ids;
mod operation;
mod plant;
mod queue;
mod serve;
mod site;
mod slot;
mod snapshot;
mod teach;
mod version;

pub(crate) use serve::{report, run};
