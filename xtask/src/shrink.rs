//! `cargo xtask shrink`

use clap::Args;
use forkproof_drive::{CORPORA, Failure, Session, shrink};
use forkproof_generators::write;
use forkproof_judge::Exit;

use crate::options::{CaseOptions, TargetOptions};
use crate::out::{json, line};
use crate::stop;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    case: CaseOptions,
    #[command(flatten)]
    target: TargetOptions,
    /// The most scenarios to run
    #[arg(long, default_value_t = 500)]
    budget: usize,
    /// Save the result below corpora/regressions
    #[arg(long)]
    save: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let choice = arguments.target.choice()?;
    let scenario = arguments.case.scenario(&choice.root)?;
    choice.takes(&scenario)?;
    let stop = stop::on_signal()?;
    let mut session = Session::start(&choice, stop)?;
    let mut shrunk = shrink(&mut session, scenario, arguments.budget, stop)?;
    session.finish();
    line(&format!("smallest after {} runs:", shrunk.runs));
    match &shrunk.scenario.about.program {
        Some(program) => {
            line(&format!("  {}", json(program)));
        }
        None => {
            for file in shrunk.scenario.home.values() {
                line(String::from_utf8_lossy(&file.content.0).trim_end());
            }
        }
    }
    for difference in &shrunk.differences {
        line(&format!("  {}", json(difference)));
    }
    if stop::requested() {
        return Err(Failure::Interrupted("a smaller one may be there".to_owned()));
    }
    if arguments.save {
        shrunk.scenario.about.title = format!("{} disagrees", arguments.target.target);
        shrunk.scenario.about.rules = shrunk.rules.iter().map(|rule| (*rule).to_owned()).collect();
        let family = shrunk.scenario.family.name();
        let name = format!("regressions/{family}/{}", shrunk.scenario.id());
        write(&shrunk.scenario, &choice.root.join(CORPORA).join(&name))?;
        line(&format!("saved as {name}"));
    }
    Ok(Exit::Divergent)
}
