//! Why a case has no observation, and the time that it may take.

use std::fmt::Display;
use std::time::Duration;

use tokio::time::Instant;

use crate::Ending;

/// Whose fault it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program's.
    Target(String),
    /// Ours.
    Harness(String),
}

impl Fault {
    /// Ours: `what` could not be done.
    pub(crate) fn ours(what: impl Display, error: impl Display) -> Fault {
        Fault::Harness(format!("cannot {what}: {error}"))
    }

    /// The text for people.
    pub(crate) fn into_text(self) -> String {
        match self {
            Fault::Target(text) | Fault::Harness(text) => text,
        }
    }
}

impl From<Fault> for Ending {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Target(text) => Ending::TargetFault(text),
            Fault::Harness(text) => Ending::HarnessFault(text),
        }
    }
}

/// The end of a case's time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    at: Instant,
    allowed: Duration,
}

impl Deadline {
    /// `allowed` from now.
    pub(crate) fn after(allowed: Duration) -> Deadline {
        Deadline { at: Instant::now() + allowed, allowed }
    }

    /// What `future` gives in time, else the program's fault: `what` did not come.
    pub(crate) async fn limit<T>(
        self,
        what: &str,
        future: impl Future<Output = T>,
    ) -> Result<T, Fault> {
        tokio::time::timeout_at(self.at, future).await.map_err(|_| {
            let seconds = self.allowed.as_secs_f64();
            Fault::Target(format!("no answer within {seconds} s: waiting for {what}"))
        })
    }
}
