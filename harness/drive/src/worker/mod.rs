//! The inner process: runs cases on real processes and reports what it saw.

mod bare;
mod engine;
mod names;
mod operation;
mod plant;
mod queue;
mod serve;
mod site;
mod slot;
mod snapshot;
mod version;

pub(crate) use engine::Call;
pub(crate) use names::Names;
pub(crate) use serve::{report, run};
