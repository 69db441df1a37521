//! The run file: everything that happened, one JSON object a line.
//!
//! A header, one line a scenario, a footer. Every report is a function of these lines; a file
//! without footer is an incomplete run.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use forkproof_oracle::{Observed, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Difference, Exit, Expect, Verdict};

/// One line of a run file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The first line.
    Header(Header),
    /// One scenario.
    Scenario(Box<Line>),
    /// The last line.
    Footer(Footer),
}

/// What was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format: 1.
    pub schema: u32,
    /// Version of Forkproof.
    pub forkproof: String,
    /// The target as it was named.
    pub target: String,
    /// Its version.
    pub version: String,
    /// Whether it is the pinned release.
    pub pinned: bool,
    /// The edition that it is judged by.
    pub edition: String,
    /// Whether the edition is proven on another release only.
    pub extrapolated: bool,
    /// Which outcomes of the edition the target is held to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expect: Expect,
    /// Seed of the generated scenarios.
    pub seed: u64,
    /// The suites.
    pub suites: Vec<String>,
    /// Number of scenarios.
    pub scenarios: usize,
    /// Whether the target ran in a network namespace.
    pub namespace: bool,
    /// Another executable of this name that the user's shell would run; it is not used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_path: Option<String>,
    /// Target processes at once.
    pub jobs: usize,
    /// Operating system and processor.
    pub host: String,
}

/// One scenario.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// What went wrong, if the verdict is a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Where prediction and observation differ.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// Ids of the divergence entries that explain them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub known: BTreeSet<String>,
    /// Defects of the edition's release without which the prediction would be another.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub defects: BTreeSet<String>,
    /// The canonical observation of each operation.
    pub outcomes: Vec<Outcome>,
    /// Rules exercised.
    pub rules: BTreeSet<String>,
    /// Operations of the program, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ops: BTreeMap<String, usize>,
    /// Milliseconds from submission to observation.
    pub ms: u64,
    /// The raw exchange, on a disagreement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Vec<Observed>>,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Footer {
    /// Wall time in seconds.
    pub seconds: f64,
    /// CPU time of the target in seconds.
    pub target_cpu_s: f64,
    /// CPU time of the harness in seconds.
    pub harness_cpu_s: f64,
    /// Troubles with the divergence list, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub troubles: Vec<String>,
    /// The exit code.
    pub exit: u8,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Header {
    /// Version of the format.
    pub const SCHEMA: u32 = 1;
}

impl Event {
    /// Writes the event as one line.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")?;
        out.flush()
    }
}

/// What the scenarios of a run add up to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Scenarios by verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// Scenarios by the rules that they exercise.
    pub rules: BTreeMap<String, usize>,
    /// Operations of programs, by name.
    pub ops: BTreeMap<String, usize>,
    /// Outcomes that show each aspect.
    pub aspects: BTreeMap<&'static str, usize>,
    /// Scenarios by the defects of the edition's release that change them.
    pub defects: BTreeMap<String, usize>,
    /// Divergence entries that explained something.
    pub known: BTreeSet<String>,
}

impl Tally {
    /// Adds one scenario.
    pub fn add(&mut self, line: &Line) {
        *self.verdicts.entry(line.verdict).or_default() += 1;
        for rule in &line.rules {
            *self.rules.entry(rule.clone()).or_default() += 1;
        }
        for defect in &line.defects {
            *self.defects.entry(defect.clone()).or_default() += 1;
        }
        for (op, count) in &line.ops {
            *self.ops.entry(op.clone()).or_default() += count;
        }
        for outcome in &line.outcomes {
            for aspect in forkproof_oracle::Aspect::ALL {
                if outcome.shows(aspect) {
                    *self.aspects.entry(aspect.name()).or_default() += 1;
                }
            }
        }
        self.known.extend(line.known.iter().cloned());
    }

    /// Number of scenarios with `verdict`.
    pub fn of(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// Number of scenarios.
    pub fn scenarios(&self) -> usize {
        self.verdicts.values().sum()
    }

    /// What the verdicts say of the exit code.
    pub fn exits(&self) -> impl Iterator<Item = Exit> {
        self.verdicts.keys().map(|verdict| verdict.exit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file as version 1 writes it, for ever readable.
    const V1: &str = r#"{"header":{"schema":1,"forkproof":"0.1.0","target":"oracle","version":"0.171.0","pinned":true,"edition":"codex-0.171","extrapolated":false,"seed":0,"suites":["golden"],"scenarios":1,"namespace":true,"jobs":2,"host":"linux x86_64"}}
{"scenario":{"id":"00","name":"golden/codex/x","verdict":"divergent","differences":[{"operation":0,"aspect":"context","kind":"missing","place":"1","predicted":["x"],"observed":[]}],"outcomes":[{"answer":"ok","context":["prompt",{"injected":{"environment":{"cwd":"/p"}}},{"recorded":{"n":1e400}}]}],"rules":["CX-REC-01"],"ms":5}}
{"footer":{"seconds":1.5,"target_cpu_s":1.0,"harness_cpu_s":0.1,"exit":1}}
"#;

    #[test]
    fn a_file_of_the_first_version_reads_and_writes_back_the_same() {
        let mut out = Vec::new();
        for line in V1.lines() {
            let event: Event = serde_json::from_str(line).expect("reads");
            event.write(&mut out).expect("writes");
        }
        assert_eq!(String::from_utf8(out).expect("text"), V1);
    }
}
