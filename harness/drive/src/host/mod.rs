//! The outer side: starts a worker, gives it work, ends it.

mod bare;
mod error;
mod folder;
mod stage;
mod worker;

pub use bare::bare_loop;
pub use error::StartError;
pub(crate) use stage::on_path;
pub use worker::Worker;
