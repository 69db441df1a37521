//! Releases of the program under test.

mod error;
mod npm;
mod product;
mod release;

pub use error::InstallError;
pub use release::{Release, install};
