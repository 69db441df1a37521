//! What is said of one scenario.

use serde::{Deserialize, Serialize};

use crate::Exit;

/// The verdict on one scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Each aspect that was predicted was seen, and equals its prediction.
    Conformant,
    /// An aspect differs, and did so again when repeated.
    Divergent,
    /// Each difference is a listed divergence.
    Known,
    /// A difference did not repeat.
    Unstable,
    /// The target says that it cannot do this.
    Unsupported,
    /// An aspect that the operation promises could not be seen.
    Unobserved,
    /// The target crashed, hung or broke its protocol.
    TargetFault,
    /// The harness made a mistake.
    HarnessFault,
}

impl Verdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [Verdict; 8] = [
        Verdict::Conformant,
        Verdict::Divergent,
        Verdict::Known,
        Verdict::Unstable,
        Verdict::Unsupported,
        Verdict::Unobserved,
        Verdict::TargetFault,
        Verdict::HarnessFault,
    ];

    /// The words used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Conformant => "conformant",
            Verdict::Divergent => "divergent",
            Verdict::Known => "known",
            Verdict::Unstable => "unstable",
            Verdict::Unsupported => "unsupported",
            Verdict::Unobserved => "unobserved",
            Verdict::TargetFault => "target fault",
            Verdict::HarnessFault => "harness fault",
        }
    }

    /// What the verdict does to the exit code.
    pub fn exit(self) -> Exit {
        match self {
            Verdict::Conformant | Verdict::Known | Verdict::Unsupported => Exit::Conformant,
            Verdict::Divergent | Verdict::Unstable | Verdict::TargetFault => Exit::Divergent,
            Verdict::Unobserved => Exit::Incomplete,
            Verdict::HarnessFault => Exit::HarnessFault,
        }
    }
}
