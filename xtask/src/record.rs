//! `cargo xtask record`

use clap::Args;
use forkproof_drive::{Failure, Suite, record};
use forkproof_judge::{Exit, Verdict};

use crate::options::TargetOptions;
use crate::out::line;
use crate::stop;

#[derive(Args)]
pub(crate) struct Arguments {
    /// Names of stored scenarios [default: all golden ones]
    cases: Vec<String>,
    #[command(flatten)]
    target: TargetOptions,
    /// Write nothing; fail if a golden value would change
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let choice = arguments.target.choice()?;
    let mut names = arguments.cases.clone();
    if names.is_empty() {
        let all = Suite::Golden.scenarios(&choice.root, choice.family()?, 0, 0)?;
        names = all.into_iter().map(|scenario| scenario.name).collect();
    }
    let stop = stop::on_signal()?;
    let recorded = record(&choice, &names, arguments.check, stop)?;
    let mut exits = Vec::new();
    for case in &recorded {
        let what = match (case.changed, arguments.check) {
            (false, _) => "unchanged",
            (true, true) => "would change",
            (true, false) => "written",
        };
        line(&format!("{}: {what}, {}", case.name, case.judgement.verdict.name()));
        if case.judgement.verdict != Verdict::Conformant || (case.changed && arguments.check) {
            exits.push(Exit::Divergent);
        }
    }
    if recorded.len() < names.len() {
        line("interrupted");
        exits.push(Exit::Incomplete);
    }
    line(&format!("{} of {} recorded", recorded.len(), names.len()));
    Ok(Exit::of(exits))
}
