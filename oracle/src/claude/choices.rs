//! The choices that Claude Code releases make differently, or that an implementation can get wrong.

use crate::choices::choices;

choices! {
    /// Which entry a resume by id continues.
    leaf: Leaf = "CC-REC-01" {
        /// The last in the file, then down to its newest descendant.
        LastThenNewest,
        /// The last in the file.
        Last,
        /// The newest by time.
        Newest,
    }
}

impl Choices {
    /// As in release 2.1.332.
    pub const CLAUDE_2_1_332: Choices = Choices { leaf: Leaf::LastThenNewest };
}
