//! The outer side: starts a worker, gives it work, ends it.

mod ask;
mod error;
mod folder;
mod stage;
mod worker;

pub use ask::bare_loop;
pub(crate) use ask::interruptions;
pub use error::StartError;
pub(crate) use stage::on_path;
pub use worker::Worker;
