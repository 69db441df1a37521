//! Why a release cannot be had.

use std::io;
use std::path::PathBuf;

use forkproof_oracle::Family;

/// Why a release cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// It is not a version of one release.
    #[error("`{0}` is not a version: give three numbers such as 1.2.3")]
    NotAVersion(String),
    /// The pinned version cannot be told.
    #[error("no pinned version in {}: {what}", .path.display())]
    NoPin {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Nobody has published it.
    #[error("{} {version} is not in the registry: give a published version", .family.name())]
    Unknown {
        /// The product.
        family: Family,
        /// The release.
        version: String,
    },
    /// The installer is not there.
    #[error("npm is not installed: install node with npm, or give --bin PATH")]
    NoNpm,
    /// The registry cannot be reached.
    #[error("the registry cannot be reached ({0}): go online, or give --bin PATH")]
    NoNetwork(String),
    /// What was served is not what the lock file names.
    #[error(
        "{} {version} is not what the lock file promises: its integrity hash differs",
        .family.name()
    )]
    Altered {
        /// The product.
        family: Family,
        /// The release.
        version: String,
    },
    /// It has none for this machine.
    #[error("{} {version} has no executable for {machine}: give --bin PATH", .family.name())]
    NoBinary {
        /// The product.
        family: Family,
        /// The release.
        version: String,
        /// Operating system and processor.
        machine: String,
    },
    /// The installer failed in another way.
    #[error("npm cannot install {} {version}: {what}", .family.name())]
    Npm {
        /// The product.
        family: Family,
        /// The release.
        version: String,
        /// What it says, one line.
        what: String,
    },
    /// A file or folder cannot be used.
    #[error("cannot {what} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}
