//! `cargo xtask replay`

use clap::Args;
use forkproof_drive::{Attempt, Failure, Session, attempt};
use forkproof_judge::{Exit, Verdict, readable, readable_fates};
use forkproof_oracle::{Observed, Reply, predict};

use crate::options::{CaseOptions, TargetOptions};
use crate::out::{json, line};
use crate::stop;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    case: CaseOptions,
    #[command(flatten)]
    target: TargetOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let choice = arguments.target.choice()?;
    let scenario = arguments.case.scenario(&choice.root)?;
    choice.takes(&scenario)?;
    let stop = stop::on_signal()?;
    let mut session = Session::start(&choice, stop)?;
    let result = attempt(&mut session, &scenario, true, stop);
    let (judgement, observed) = match result {
        Attempt::Judged(judgement, observed) => (judgement, observed),
        Attempt::TargetFault(why) => {
            line(&format!("target fault: {why}"));
            return Ok(Exit::Divergent);
        }
        Attempt::HarnessFault(why) => return Err(Failure::Harness(why)),
        Attempt::Stopped => return Err(Failure::Interrupted("nothing was observed".to_owned())),
    };
    line(&format!("{}: {}", scenario.name, scenario.about.title));
    let Some(planted) = observed.first().map(|first| &first.before) else {
        return Err(Failure::Harness("nothing was observed".to_owned()));
    };
    for (index, operation) in scenario.operations.iter().enumerate() {
        let Some(observed) = observed.get(index) else { break };
        line(&format!("\noperation {index}: {}", json(operation)));
        raw(observed);
        let prediction =
            predict(session.edition, planted, &observed.before, operation, &session.markers);
        block("fates of the lines", &readable_fates(&prediction.fates));
        block("predicted", &readable(&prediction.outcome));
        if let Some(should) = &prediction.should {
            let defects = should.defects.join(", ");
            block(&format!("without {defects}"), &readable(&should.outcome));
        }
        block("observed", &readable(&judgement.outcomes[index]));
    }
    let rules: Vec<&str> = judgement.rules.iter().copied().collect();
    line(&format!("\nrules exercised: {}", rules.join(", ")));
    for difference in &judgement.differences {
        line(&format!("difference: {}", json(difference)));
    }
    line(&format!("verdict: {}", judgement.verdict.name()));
    session.finish();
    Ok(match judgement.verdict {
        Verdict::Conformant => Exit::Conformant,
        verdict => verdict.exit(),
    })
}

fn block(title: &str, text: &str) {
    line(&format!("{title}:"));
    text.lines().for_each(|text| line(&format!("  {text}")));
}

/// The exchange as it was, before any meaning was given to it.
fn raw(observed: &Observed) {
    match &observed.reply {
        Reply::Result(result) => line(&format!("reply: {result}")),
        Reply::Error { code, message } => {
            line(&format!("reply: error {code}: {}", message.escape_debug()));
        }
    }
    if let Some(request) = &observed.request {
        line("model input:");
        let input = request.get("input").or_else(|| request.get("messages"));
        for item in input.map_or(&[][..], |input| input.elements()) {
            line(&format!("  {item}"));
        }
    }
    for (path, file) in &observed.after {
        let before = observed.before.get(path).map_or(0, |file| file.content.0.len());
        line(&format!("file {path}: {before} bytes before, {} after", file.content.0.len()));
    }
}
