//! `cargo xtask tidy`

use forkproof_drive::{Failure, tidy};
use forkproof_judge::Exit;

use crate::options::root;
use crate::out::line;

pub(crate) fn run() -> Result<Exit, Failure> {
    let troubles = tidy(&root()?)?;
    troubles.iter().for_each(|trouble| line(trouble));
    match troubles.len() {
        0 => Ok(Exit::Conformant),
        count => Err(Failure::Usage(format!("{count} things to tidy up"))),
    }
}
