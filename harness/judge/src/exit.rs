//! Exit codes: an interface.

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Every scenario is conformant or a listed divergence.
    Conformant = 0,
    /// A scenario is divergent or unstable, or the target crashed or hung.
    Divergent = 1,
    /// The command was not understood, or names something that is not there.
    Usage = 2,
    /// A divergence entry is stale, overdue or over-broad.
    StaleEntry = 3,
    /// The target could not be had or started.
    NoTarget = 4,
    /// The harness itself failed.
    HarnessFault = 5,
    /// The run was interrupted, or a required aspect was not observed.
    Incomplete = 6,
}

impl Exit {
    /// The order in which several causes are reported: the first one wins.
    const PRECEDENCE: [Exit; 6] = [
        Exit::Usage,
        Exit::NoTarget,
        Exit::HarnessFault,
        Exit::Divergent,
        Exit::StaleEntry,
        Exit::Incomplete,
    ];

    /// The exit code for all of `causes` together.
    pub fn of(causes: impl IntoIterator<Item = Exit>) -> Exit {
        let causes: Vec<Exit> = causes.into_iter().collect();
        let first = Exit::PRECEDENCE.into_iter().find(|exit| causes.contains(exit));
        first.unwrap_or(Exit::Conformant)
    }

    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn of_several_causes_the_gravest_counts() {
        assert_eq!(Exit::of([]), Exit::Conformant);
        assert_eq!(Exit::of([Exit::Incomplete, Exit::StaleEntry]), Exit::StaleEntry);
        assert_eq!(Exit::of([Exit::Divergent, Exit::HarnessFault]), Exit::HarnessFault);
    }
}
