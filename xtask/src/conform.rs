//! `cargo xtask conform`

use std::fs::{self, File};
use std::io::{BufWriter, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use forkproof_drive::{Failure, Plan, Suite, conform};
use forkproof_judge::{Event, Exit, Header, Summary, describe};
use forkproof_oracle::Edition;
use globset::{Glob, GlobMatcher};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;

use crate::options::{TargetOptions, root};
use crate::out::{json, line};
use crate::stop;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: TargetOptions,
    /// Generated scenarios
    #[arg(long, default_value_t = 200)]
    cases: usize,
    /// Seed of the generated scenarios
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// golden, regressions, generated; several with commas
    #[arg(long, value_delimiter = ',', default_value = "golden,regressions,generated")]
    suite: Vec<String>,
    /// Only scenarios whose name matches this glob
    #[arg(long)]
    filter: Option<String>,
    /// Only scenarios that are for, or exercise, rules that match this glob
    #[arg(long)]
    rule: Option<String>,
    /// Start no scenario after this many seconds
    #[arg(long)]
    time: Option<u64>,
    /// Folder for the run file [default: a new one below target/forkproof/runs]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print one JSON object as the last line of the output
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let plan = Plan {
        choice: arguments.target.choice()?,
        suites: suites(&arguments.suite)?,
        seed: arguments.seed,
        cases: arguments.cases,
        filter: glob(arguments.filter.as_deref())?,
        rule: glob(arguments.rule.as_deref())?,
        time: arguments.time.map(Duration::from_secs),
        today: Timestamp::now().strftime("%Y-%m-%d").to_string(),
    };
    let stop = stop::on_signal()?;
    let (path, file) = open(arguments.out.as_deref())?;
    let mut file = BufWriter::new(file);
    let mut bar = ProgressBar::hidden();
    let mut broken = None;
    let target = plan.choice.target.to_string();
    let result = conform(&plan, stop, &mut |event| {
        if let Err(error) = event.write(&mut file) {
            broken = Some(error);
        }
        match event {
            Event::Header(header) => {
                say(arguments.json, &head(header));
                bar = progress(header.scenarios);
            }
            Event::Scenario(line) => {
                let text = describe(line, &target);
                bar.suspend(|| say(arguments.json, text.trim_end()));
                bar.inc(1);
            }
            Event::Footer(_) => bar.finish_and_clear(),
        }
    });
    let report = match result {
        Ok(report) => report,
        Err(failure) => {
            // Nothing was run: an empty file would only mislead.
            let _ = fs::remove_file(&path);
            path.parent().map(fs::remove_dir);
            return Err(failure);
        }
    };
    if let Some(error) = broken {
        return Err(Failure::Harness(format!("{}: {error}", path.display())));
    }
    let Some(footer) = &report.footer else {
        bar.finish_and_clear();
        say(arguments.json, &format!("interrupted, {} is incomplete", path.display()));
        return Ok(report.exit);
    };
    for trouble in &footer.troubles {
        say(arguments.json, &format!("divergence list: {trouble}"));
    }
    let rules = Edition::named(&report.header.edition).map_or(0, |edition| edition.rules().len());
    let summary = Summary::new(&report.header, &report.tally, footer, rules);
    say(arguments.json, summary.text(&report.tally).trim_end());
    say(arguments.json, &format!("{:<11}{}", "run file", path.display()));
    if arguments.json {
        line(&json(&summary));
    }
    Ok(report.exit)
}

/// What people read; with `--json` it leaves the output to the object.
fn say(json: bool, text: &str) {
    match (text, json) {
        ("", _) => {}
        (text, true) => eprintln!("{text}"),
        (text, false) => line(text),
    }
}

fn head(header: &Header) -> String {
    let flag = |set, yes: &'static str, no: &'static str| if set { yes } else { no };
    format!(
        "{:<11}{} {}{}, judged by {}{}{}",
        "target",
        header.target,
        header.version,
        flag(header.pinned, " (pinned)", ""),
        header.edition,
        flag(header.extrapolated, " (extrapolated)", ""),
        flag(header.namespace, "", ", without namespace"),
    )
}

fn progress(scenarios: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {per_sec} {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(scenarios as u64).with_style(style)
}

fn suites(names: &[String]) -> Result<Vec<Suite>, Failure> {
    names.iter().map(|name| name.parse().map_err(Failure::Usage)).collect()
}

fn glob(text: Option<&str>) -> Result<Option<GlobMatcher>, Failure> {
    let compile = |text| Glob::new(text).map(|glob| glob.compile_matcher());
    text.map(compile).transpose().map_err(|error| Failure::Usage(error.to_string()))
}

/// Makes the run file; one that is there is never overwritten.
fn open(folder: Option<&Path>) -> Result<(PathBuf, File), Failure> {
    let folder = match folder {
        Some(folder) => folder.to_owned(),
        None => {
            let now = Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
            let name = format!("{now}-{}", std::process::id());
            root()?.join("target/forkproof/runs").join(name)
        }
    };
    let path = folder.join("run.jsonl");
    let refuse = |error: std::io::Error| Failure::Usage(format!("{}: {error}", path.display()));
    fs::create_dir_all(&folder).map_err(refuse)?;
    let file = File::create_new(&path).map_err(refuse)?;
    Ok((path, file))
}
