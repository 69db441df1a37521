//! `cargo xtask conform`

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use forkproof_drive::{DEFAULT_CASES, Failure, Plan, Suite, conform};
use forkproof_judge::{Event, Exit, Header, Summary, describe};
use forkproof_oracle::Edition;
use globset::{Glob, GlobMatcher};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;

use crate::options::TargetOptions;
use crate::out::{aside, json, line};
use crate::run_file::RunFile;
use crate::stop;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    target: TargetOptions,
    /// Generated scenarios
    #[arg(long, default_value_t = DEFAULT_CASES)]
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
    let mut file = RunFile::create(arguments.out.as_deref())?;
    let mut bar = ProgressBar::hidden();
    let mut broken = None;
    let again = again(arguments);
    let result = conform(&plan, stop, &mut |event| {
        if let Err(failure) = file.write(event) {
            broken.get_or_insert(failure);
        }
        match event {
            Event::Header(header) => {
                say(arguments.json, &head(header));
                bar = progress(header.scenarios);
            }
            Event::Scenario(line) => {
                let text = describe(line, &again);
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
            file.discard();
            return Err(failure);
        }
    };
    if let Some(failure) = broken {
        return Err(failure);
    }
    let Some(footer) = &report.footer else {
        bar.finish_and_clear();
        say(arguments.json, &format!("interrupted, {} is incomplete", file.path().display()));
        return Ok(report.exit);
    };
    for trouble in &footer.troubles {
        say(arguments.json, &format!("divergence list: {trouble}"));
    }
    let rules = Edition::named(&report.header.edition).map_or(0, |edition| edition.rules().len());
    let summary = Summary::new(&report.header, &report.tally, footer, rules);
    say(arguments.json, summary.text(&report.tally).trim_end());
    say(arguments.json, &format!("{:<11}{}", "run file", file.path().display()));
    if arguments.json {
        line(&json(&summary));
    }
    Ok(report.exit)
}

/// The target, and what else `replay` needs to find and run a scenario of this run.
fn again(arguments: &Arguments) -> String {
    let mut out = arguments.target.words();
    if arguments.seed != 0 {
        out += &format!(" --seed {}", arguments.seed);
    }
    if arguments.cases > DEFAULT_CASES {
        out += &format!(" --cases {}", arguments.cases);
    }
    out
}

/// What people read; with `--json` it leaves the output to the object.
fn say(json: bool, text: &str) {
    match (text, json) {
        ("", _) => {}
        (text, true) => aside(text),
        (text, false) => line(text),
    }
}

fn head(header: &Header) -> String {
    let flag = |set, yes: &'static str, no: &'static str| if set { yes } else { no };
    let other = header.on_path.as_ref();
    let other =
        other.map_or_else(String::new, |path| format!("\n{:<11}{path}, not used", "on PATH"));
    format!(
        "{:<11}{} {}{}, judged by {}{}{}{other}",
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
