//! `cargo xtask bench`

use clap::Args;
use forkproof_drive::{Failure, bench};
use forkproof_judge::Exit;

use crate::options::TargetOptions;
use crate::out::{json, line};
use crate::stop;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: TargetOptions,
    /// Scenarios a round
    #[arg(long, default_value_t = 200)]
    cases: usize,
    /// Rounds
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Print one JSON object as the last line of the output
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let choice = arguments.target.choice()?;
    let bench = bench(&choice, arguments.cases, arguments.rounds, stop::on_signal()?)?;
    line(&format!("bare client  {:.2} scenarios a second", bench.bare_per_s));
    line(&format!("harness      {:.2} scenarios a second", bench.scenarios_per_s));
    let [worst, best] = bench.rate_ratio_spread;
    line(&format!("ratio        {:.3} ({worst:.3} to {best:.3})", bench.rate_ratio));
    line(&format!("processor    harness ÷ target {:.3}", bench.harness_cpu_share));
    if arguments.json {
        line(&json(&bench));
    }
    Ok(Exit::Conformant)
}
