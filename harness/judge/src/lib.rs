//! From a prediction and an observation to a verdict, and from verdicts to reports.
//!
//! Pure: no process, socket or clock. What an operation should do, the judge asks the oracle; it
//! decides no semantics itself.

mod compare;
mod divergence;
mod exit;
mod expect;
mod judge;
mod readable;
mod run;
mod summary;
mod verdict;

pub use compare::{Comparison, Difference, compare};
pub use divergence::{Divergence, Divergences, Trouble};
pub use exit::Exit;
pub use expect::Expected;
pub use judge::{Expect, Judgement, judge};
pub use readable::{readable, readable_fates};
pub use run::{Event, Footer, Header, Line, Tally};
pub use summary::{Summary, describe};
pub use verdict::Verdict;
