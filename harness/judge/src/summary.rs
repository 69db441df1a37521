//! What a run says to its reader: the last line for programs, the text for people.

use std::fmt::Write as _;

use serde::Serialize;

use crate::{Expect, Footer, Header, Line, Tally, Verdict};

/// The object that `--json` prints as the last line; its members are an interface.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    schema: u32,
    target: String,
    version: String,
    edition: String,
    extrapolated: bool,
    #[serde(skip)]
    expect: Expect,
    scenarios: usize,
    conformant: usize,
    divergent: usize,
    known: usize,
    unstable: usize,
    unsupported: usize,
    unobserved: usize,
    target_fault: usize,
    harness_fault: usize,
    defects: usize,
    rules_total: usize,
    rules_exercised: usize,
    seconds: f64,
    target_cpu_s: f64,
    harness_cpu_s: f64,
    exit: u8,
}

impl Summary {
    /// Folds a run; `rules_total` is the number of rules that the edition's choices cover.
    pub fn new(header: &Header, tally: &Tally, footer: &Footer, rules_total: usize) -> Summary {
        Summary {
            schema: Header::SCHEMA,
            target: header.target.clone(),
            version: header.version.clone(),
            edition: header.edition.clone(),
            extrapolated: header.extrapolated,
            expect: header.expect,
            scenarios: tally.scenarios(),
            conformant: tally.of(Verdict::Conformant),
            divergent: tally.of(Verdict::Divergent),
            known: tally.of(Verdict::Known),
            unstable: tally.of(Verdict::Unstable),
            unsupported: tally.of(Verdict::Unsupported),
            unobserved: tally.of(Verdict::Unobserved),
            target_fault: tally.of(Verdict::TargetFault),
            harness_fault: tally.of(Verdict::HarnessFault),
            defects: tally.defects.len(),
            rules_total,
            rules_exercised: tally.rules.len(),
            seconds: round(footer.seconds),
            target_cpu_s: round(footer.target_cpu_s),
            harness_cpu_s: round(footer.harness_cpu_s),
            exit: footer.exit,
        }
    }

    /// The summary for people.
    pub fn text(&self, tally: &Tally) -> String {
        let mut out = String::new();
        let counts: Vec<String> = Verdict::ALL
            .into_iter()
            .filter(|verdict| *verdict == Verdict::Conformant || tally.of(*verdict) > 0)
            .map(|verdict| format!("{} {}", tally.of(verdict), verdict.name()))
            .collect();
        let mut line = |name: &str, text: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{name:<11}{text}");
        };
        line("scenarios", format!("{}: {}", self.scenarios, counts.join(", ")));
        line("aspects", pairs(tally.aspects.iter()));
        if !tally.ops.is_empty() {
            line("generated", pairs(tally.ops.iter()));
        }
        line("rules", format!("{} of {} exercised", self.rules_exercised, self.rules_total));
        if !tally.defects.is_empty() {
            line("defects", pairs(tally.defects.iter()));
        }
        line(
            "time",
            format!(
                "{:.1} s; processor: target {:.1} s, harness {:.1} s",
                self.seconds, self.target_cpu_s, self.harness_cpu_s
            ),
        );
        line("verdict", self.verdict(tally.known.len()));
        out
    }

    /// One sentence that never says more than was shown.
    fn verdict(&self, listed: usize) -> String {
        let edition = match self.expect {
            Expect::Does => self.edition.clone(),
            Expect::Should => format!("what {} should do", self.edition),
        };
        let extrapolated = if self.extrapolated { ", extrapolated" } else { "" };
        match self.exit {
            0 => format!(
                "conformant to {edition}{extrapolated}, {} known release defects and {listed} listed \
                 divergences hit",
                self.defects
            ),
            1 => format!(
                "not conformant to {edition}{extrapolated}: {} divergent, {} unstable, {} target faults",
                self.divergent, self.unstable, self.target_fault
            ),
            3 => format!("the divergence list of {} needs work", self.target),
            5 => format!("no verdict: {} harness faults", self.harness_fault),
            _ => "no verdict: the run is incomplete".to_owned(),
        }
    }
}

/// One scenario for people: nothing if it is conformant.
pub fn describe(line: &Line, target: &str) -> String {
    let mut out = String::new();
    if matches!(line.verdict, Verdict::Conformant) {
        return out;
    }
    let mut add = |text: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{text}");
    };
    add(&format!("{}: {}", line.verdict.name(), line.name));
    if let Some(fault) = &line.fault {
        add(&format!("  {fault}"));
    }
    for difference in &line.differences {
        add(&format!("  {} at {}: {}", difference.aspect, difference.place, difference.kind));
        difference.predicted.iter().for_each(|text| add(&format!("    - {}", short(text))));
        difference.observed.iter().for_each(|text| add(&format!("    + {}", short(text))));
    }
    if !line.defects.is_empty() {
        let defects: Vec<&str> = line.defects.iter().map(String::as_str).collect();
        add(&format!("  meets the defects {}", defects.join(", ")));
    }
    if !line.known.is_empty() {
        let known: Vec<&str> = line.known.iter().map(String::as_str).collect();
        add(&format!("  listed as {}", known.join(", ")));
    }
    add(&format!("  repeat: cargo xtask replay {} --target {target}", line.name));
    out
}

/// The most of one entry that a terminal shows, in characters.
const SHOWN: usize = 240;

/// One line without control characters: texts of sessions are not commands for a terminal.
fn short(text: &str) -> String {
    let mut out: String = text.escape_debug().take(SHOWN).collect();
    if text.escape_debug().nth(SHOWN).is_some() {
        out.push('…');
    }
    out.replace("\\\"", "\"").replace("\\'", "'")
}

fn pairs<'a, K: std::fmt::Display + 'a>(
    counts: impl Iterator<Item = (&'a K, &'a usize)>,
) -> String {
    counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}

fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
