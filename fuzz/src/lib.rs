//! Forkproof.
