//! Runs: scenarios through a target and the judge.

mod attempt;
mod bench;
mod conform;
mod failure;
mod interrupt;
mod record;
mod session;
mod shrink;
mod suite;
mod target;
mod tidy;

pub use attempt::{Attempt, attempt};
pub use bench::{Bench, bench};
pub use conform::{DEFAULT_CASES, Plan, Report, conform};
pub use failure::Failure;
pub use interrupt::{Interruptions, interrupt};
pub use record::{Recorded, record};
pub use session::{Choice, Session};
pub use shrink::{Shrunk, shrink};
pub use suite::{CORPORA, Suite, find, golden};
pub use target::{FAMILIES, Target};
pub use tidy::tidy;
