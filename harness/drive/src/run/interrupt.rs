//! What interrupted turns of a release leave, kept as a text.

use std::fs;
use std::path::PathBuf;

use forkproof_oracle::Family;

use super::session::program;
use super::{Choice, Failure, Target};
use crate::host::interruptions;

/// What was measured.
#[derive(Debug)]
pub struct Interruptions {
    /// A line an interruption.
    pub table: String,
    /// Where it is kept.
    pub path: PathBuf,
    /// Whether something else was kept before.
    pub changed: bool,
}

/// Interrupts turns of the target at several points in several ways, and keeps what that leaves
/// among the snapshots of its family.
///
/// With `check` nothing is written, only compared.
pub fn interrupt(choice: &Choice, check: bool) -> Result<Interruptions, Failure> {
    let Target::Real { family: family @ Family::Claude, version } = &choice.target else {
        return Err(Failure::Usage(format!(
            "{} cannot be interrupted, only --target claude can",
            choice.target
        )));
    };
    let (program, _) = program(choice, *family, version.as_deref())?;
    let (version, table) = interruptions(&program, &choice.options)?;
    let folder = choice.root.join("snapshots").join(family.name());
    let path = folder.join(format!("interruption-{version}.txt"));
    let changed = fs::read_to_string(&path).ok().as_deref() != Some(&table);
    if changed && !check {
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &table));
        written.map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    }
    Ok(Interruptions { table, path, changed })
}
