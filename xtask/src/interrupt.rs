//! `cargo xtask interrupt`

use clap::Args;
use forkproof_drive::{Failure, interrupt};
use forkproof_judge::Exit;

use crate::options::TargetOptions;
use crate::out::line;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: TargetOptions,
    /// Write nothing; fail if the snapshot would change
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let left = interrupt(&arguments.target.choice()?, arguments.check)?;
    left.table.lines().for_each(line);
    let what = match (left.changed, arguments.check) {
        (false, _) => "unchanged",
        (true, true) => "would change",
        (true, false) => "written",
    };
    line(&format!("{}: {what}", left.path.display()));
    Ok(if left.changed && arguments.check { Exit::Divergent } else { Exit::Conformant })
}
