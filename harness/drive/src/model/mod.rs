//! The model, as far as a program needs one.

mod script;
mod server;

pub use script::{Block, Step, Stream};
pub use server::Model;
