//! Listed divergences: recorded, explained differences of a target from the oracle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

use forkproof_generators::FileError;
use forkproof_oracle::{Aspect, RULES};
use globset::{Glob, GlobMatcher};
use jiff::civil::Date;
use semver::{Version, VersionReq};
use serde::{Deserialize, Serialize};

use crate::{Difference, Judgement, Verdict};

/// An entry that explains more scenarios than this, and more than [`BROAD_SHARE`] of the run,
/// explains nothing.
const BROAD_COUNT: usize = 20;

/// See [`BROAD_COUNT`]; one in this many.
const BROAD_SHARE: usize = 10;

/// The list of one target: `targets/NAME.divergences.toml`.
#[derive(Debug, Default)]
pub struct Divergences {
    entries: Vec<(Divergence, VersionReq, GlobMatcher)>,
    /// Scenarios that each entry explained, by its id.
    matched: BTreeMap<String, usize>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Divergence {
    /// Its id.
    pub id: String,
    /// The rules that the target breaks.
    pub rules: Vec<String>,
    /// The versions of the target that do, such as `>=0.171.0, <0.172.0`.
    pub versions: String,
    /// In which aspect.
    pub aspect: Aspect,
    /// The kind of difference: `missing`, `extra` or `changed`.
    pub kind: String,
    /// In which scenarios: a glob over their names.
    pub scenarios: String,
    /// A link to the report or the document that shows it.
    pub evidence: String,
    /// Why it is so, in a sentence.
    pub reason: String,
    /// The day by which somebody looks again, `YYYY-MM-DD`.
    pub review: String,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It explained nothing in a complete run.
    Stale(String),
    /// Its review date has passed.
    Overdue(String),
    /// It explains more than one entry can.
    TooBroad(String, usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFile {
    schema: u32,
    #[serde(default, rename = "divergence")]
    divergences: Vec<Divergence>,
}

impl Divergences {
    /// Reads a list and keeps the entries for `version`; an absent file is an empty list.
    pub fn read(path: &Path, version: &str) -> Result<Divergences, FileError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(FileError::Io { path: path.to_owned(), source }),
        };
        Divergences::parse(&text, version)
            .map_err(|why| FileError::Malformed { path: path.to_owned(), why })
    }

    /// Parses the text of a list.
    fn parse(text: &str, version: &str) -> Result<Divergences, String> {
        let list: ListFile = toml::from_str(text)
            .map_err(|error| error.message().lines().collect::<Vec<_>>().join(", "))?;
        if list.schema != 1 {
            return Err(format!("schema {} is unknown, this version reads 1", list.schema));
        }
        let mut out = Divergences::default();
        let mut ids = BTreeSet::new();
        for entry in list.divergences {
            let id = entry.id.clone();
            if !ids.insert(id.clone()) {
                return Err(format!("{id}: a second entry with this id"));
            }
            let range = VersionReq::parse(&entry.versions)
                .map_err(|error| format!("{id}: versions: {error}"))?;
            let glob = Glob::new(&entry.scenarios)
                .map_err(|error| format!("{id}: scenarios: {error}"))?
                .compile_matcher();
            let unknown = |rule: &&String| !RULES.iter().any(|known| known.id == *rule);
            if let Some(rule) = entry.rules.iter().find(unknown) {
                return Err(format!("{id}: rule {rule} is not registered"));
            }
            if entry.rules.is_empty() {
                return Err(format!("{id}: rules is empty, name those that the target breaks"));
            }
            if !["missing", "extra", "changed"].contains(&entry.kind.as_str()) {
                return Err(format!("{id}: kind is missing, extra or changed"));
            }
            if entry.review.parse::<Date>().is_err() {
                return Err(format!("{id}: review is a date, YYYY-MM-DD"));
            }
            if Version::parse(version).is_ok_and(|version| range.matches(&version)) {
                out.entries.push((entry, range, glob));
            }
        }
        Ok(out)
    }

    /// Turns a divergent judgement into a known one if entries explain each of its differences.
    /// Gives the ids of the entries.
    pub fn explain(&mut self, scenario: &str, judgement: &mut Judgement) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        for difference in &judgement.differences {
            match self.entry_for(scenario, difference) {
                Some(entry) => used.insert(entry.id.clone()),
                None => return BTreeSet::new(),
            };
        }
        if !used.is_empty() {
            judgement.verdict = Verdict::Known;
        }
        for id in &used {
            *self.matched.entry(id.clone()).or_default() += 1;
        }
        used
    }

    /// What is wrong with the list, after a run of `scenarios` scenarios on the day `today`
    /// (`YYYY-MM-DD`). That an entry is stale shows only in a complete run.
    pub fn troubles(&self, today: &str, scenarios: usize, complete: bool) -> Vec<Trouble> {
        let mut out = Vec::new();
        for (entry, ..) in &self.entries {
            let matched = self.matched.get(&entry.id).copied().unwrap_or(0);
            if complete && matched == 0 {
                out.push(Trouble::Stale(entry.id.clone()));
            }
            if entry.review.as_str() < today {
                out.push(Trouble::Overdue(entry.id.clone()));
            }
            if matched > BROAD_COUNT && matched * BROAD_SHARE > scenarios {
                out.push(Trouble::TooBroad(entry.id.clone(), matched));
            }
        }
        out
    }

    fn entry_for(&self, scenario: &str, difference: &Difference) -> Option<&Divergence> {
        let explains = |(entry, _, glob): &&(Divergence, VersionReq, GlobMatcher)| {
            entry.aspect == difference.aspect
                && entry.kind == difference.kind
                && glob.is_match(scenario)
        };
        self.entries.iter().find(explains).map(|(entry, ..)| entry)
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Trouble::Stale(id) => {
                write!(f, "{id} is stale: the difference no longer happens, remove the entry")
            }
            Trouble::Overdue(id) => {
                write!(f, "{id} is overdue: its review date has passed, look at it again")
            }
            Trouble::TooBroad(id, count) => {
                write!(f, "{id} is too broad: it explains {count} scenarios, narrow its glob")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"
        schema = 1
        [[divergence]]
        id = "D-1"
        rules = ["CX-REC-06"]
        versions = ">=0.171.0, <0.172.0"
        aspect = "context"
        kind = "missing"
        scenarios = "golden/*"
        evidence = "https://example.org/1"
        reason = "it loses one"
        review = "2027-01-31"
    "#;

    fn judgement(kind: &str) -> Judgement {
        let difference = Difference {
            operation: 0,
            aspect: Aspect::Context,
            kind: kind.to_owned(),
            place: String::new(),
            predicted: Vec::new(),
            observed: Vec::new(),
        };
        Judgement {
            verdict: Verdict::Divergent,
            differences: vec![difference],
            outcomes: Vec::new(),
            defects: BTreeSet::new(),
            rules: BTreeSet::new(),
        }
    }

    #[track_caller]
    fn check(version: &str, scenario: &str, kind: &str, verdict: Verdict) -> Divergences {
        let mut list = Divergences::parse(LIST, version).expect("a list");
        let mut judgement = judgement(kind);
        list.explain(scenario, &mut judgement);
        assert_eq!(judgement.verdict, verdict);
        list
    }

    #[test]
    fn a_listed_difference_is_known_and_its_entry_is_in_order() {
        let list = check("0.171.5", "golden/x", "missing", Verdict::Known);
        assert_eq!(list.troubles("2026-12-01", 5, true), []);
    }

    #[test]
    fn another_kind_scenario_or_version_is_not_explained() {
        check("0.171.0", "golden/x", "extra", Verdict::Divergent);
        check("0.171.0", "generated/x", "missing", Verdict::Divergent);
        check("0.172.0", "golden/x", "missing", Verdict::Divergent);
    }

    #[test]
    fn an_entry_that_explains_nothing_is_stale_in_a_complete_run_only() {
        let list = check("0.171.0", "golden/x", "extra", Verdict::Divergent);
        assert_eq!(list.troubles("2026-12-01", 5, true), [Trouble::Stale("D-1".to_owned())]);
        assert_eq!(list.troubles("2026-12-01", 5, false), []);
    }

    #[test]
    fn an_entry_past_its_date_is_overdue() {
        let list = check("0.171.0", "golden/x", "missing", Verdict::Known);
        assert_eq!(list.troubles("2027-02-01", 5, true), [Trouble::Overdue("D-1".to_owned())]);
    }

    #[test]
    fn an_entry_that_explains_a_large_share_of_many_is_too_broad() {
        let mut list = Divergences::parse(LIST, "0.171.0").expect("a list");
        for _ in 0..21 {
            list.explain("golden/x", &mut judgement("missing"));
        }
        let trouble = Trouble::TooBroad("D-1".to_owned(), 21);
        assert_eq!(list.troubles("2026-12-01", 200, true), [trouble]);
        assert_eq!(list.troubles("2026-12-01", 211, true), []);
    }

    #[test]
    fn a_malformed_list_says_in_one_line_what_is_wrong() {
        let wrong = [
            "schema = 2".to_owned(),
            "x".to_owned(),
            LIST.replace("2027-01-31", "soon"),
            LIST.replace("2027-01-31", "2027-02-31"),
            LIST.replace("\"missing\"", "\"other\""),
            LIST.replace(">=0.171.0", "new"),
            LIST.replace("golden/*", "["),
            LIST.replace("CX-REC-06", "CX-REC-99"),
            LIST.replace("\"CX-REC-06\"", ""),
            LIST.replace("reason", "cause"),
            format!("{LIST}{}", LIST.replace("schema = 1", "")),
        ];
        for text in wrong {
            let why = Divergences::parse(&text, "0.171.0").expect_err("malformed");
            assert_eq!(why.lines().count(), 1, "{why}");
        }
    }
}
