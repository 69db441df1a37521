//! The rules of the repository, as code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use forkproof_judge::Expected;
use forkproof_oracle::{EDITIONS, RULES, Rule};

use super::{CORPORA, Failure, Suite, golden};

/// Product texts by which a stray copy of one is found; short on purpose.
const PRODUCT_TEXTS: &[&str] =
    &["Another language model", "CONTEXT CHECKPOINT", "Filesystem sandboxing defines"];

/// What is wrong in the project at `root`, a line each; empty if all is well.
///
/// Every rule is registered, stated on a page of `spec/` in the same words about it, named in the
/// oracle and covered by a golden scenario; every claim of the founding texts is answered; every golden scenario has recorded values of every edition and is the same as no
/// other; no snapshot is pending or of no scenario; no product text is in the repository.
pub fn tidy(root: &Path) -> Result<Vec<String>, Failure> {
    let mut out = Vec::new();
    rules(root, &mut out)?;
    claims(root, &mut out)?;
    cases(root, &mut out)?;
    files(root, &mut out)?;
    Ok(out)
}

fn rules(root: &Path, out: &mut Vec<String>) -> Result<(), Failure> {
    let stated = stated(&root.join("spec/codex.md"))?;
    let registered: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    for rule in RULES {
        match stated.get(rule.id) {
            None => out.push(format!("spec/codex.md does not state {}", rule.id)),
            Some(head) if *head != head_of(rule) => out.push(format!(
                "spec/codex.md says `{head}` of {}, oracle/src/rules.rs `{}`",
                rule.id,
                head_of(rule)
            )),
            Some(_) => {}
        }
    }
    for id in stated.keys().filter(|id| !registered.contains(id.as_str())) {
        out.push(format!("oracle/src/rules.rs does not register {id}, which spec/codex.md states"));
    }
    let mut sources = String::new();
    for path in walk(&root.join("oracle/src/codex")) {
        sources += &read(&path)?;
    }
    let golden = Suite::Golden.scenarios(root, 0, 0)?;
    let covered: BTreeSet<&str> =
        golden.iter().flat_map(|case| &case.about.rules).map(String::as_str).collect();
    for id in registered {
        if !names(&sources, id) {
            out.push(format!("nothing in oracle/src/codex names {id}"));
        }
        if !covered.contains(id) {
            out.push(format!("no golden scenario is for {id}"));
        }
    }
    Ok(())
}

/// Rules that a page states, with what it says of each in parentheses: list entries that begin with
/// an id in bold.
fn stated(page: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let text = read(page)?;
    let entries = text.lines().filter_map(|line| line.strip_prefix("- **")?.split_once("** ("));
    let heads = entries.filter_map(|(id, rest)| Some((id, rest.split_once(')')?.0)));
    Ok(heads.map(|(id, head)| (id.to_owned(), head.to_owned())).collect())
}

/// What a page says of a rule before it states it.
fn head_of(rule: &Rule) -> String {
    let all = EDITIONS.iter().all(|edition| rule.editions.contains(&edition.name));
    let editions = if all { "all editions".to_owned() } else { rule.editions.join(", ") };
    format!("{}, {}, {editions}", rule.level.name(), rule.status.name())
}

/// Whether `text` names `id`, and not only a longer id that begins with it.
fn names(text: &str, id: &str) -> bool {
    text.match_indices(id).any(|(at, _)| {
        !text[at + id.len()..].starts_with(|next: char| next.is_ascii_alphanumeric())
    })
}

/// What may be said of a claim of the founding texts.
const ANSWERS: &[&str] = &["confirmed", "changed", "refuted", "not measured"];

/// The claims that a page has to answer: letter and number of them.
const CLAIMS: &[(&str, usize)] = &[("B", 20), ("C", 4), ("D", 18), ("E", 10)];

/// Every claim has an answer, and the rules and scenarios that it names exist.
fn claims(root: &Path, out: &mut Vec<String>) -> Result<(), Failure> {
    let text = read(&root.join("spec/claims.md"))?;
    let entries: BTreeMap<&str, &str> =
        text.split("\n- **").skip(1).filter_map(|entry| entry.split_once("** ")).collect();
    let ids = CLAIMS
        .iter()
        .flat_map(|(letter, count)| (1..=*count).map(move |number| format!("{letter}{number}")));
    for id in ids {
        let Some(entry) = entries.get(id.as_str()) else {
            out.push(format!("spec/claims.md does not answer {id}"));
            continue;
        };
        let answer = entry.split_once("\n  *").and_then(|(_, rest)| rest.split_once("*: "));
        if !answer.is_some_and(|(answer, _)| ANSWERS.contains(&answer)) {
            out.push(format!("spec/claims.md gives no known answer to {id}"));
        }
        for rule in entry.split(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
            if rule.starts_with("CX-")
                && !RULES.iter().any(|known| known.id == rule)
                && !EDITIONS.iter().any(|it| it.defects.iter().any(|known| known.id == rule))
            {
                out.push(format!("spec/claims.md names {rule} for {id}, which is not registered"));
            }
        }
        let scenarios = entry.split_once("Scenarios: ").map_or("", |(_, rest)| rest);
        for name in scenarios.split('`').skip(1).step_by(2) {
            if !root.join(CORPORA).join("golden/codex").join(name).is_dir() {
                out.push(format!("spec/claims.md names {name} for {id}, which is no scenario"));
            }
        }
    }
    Ok(())
}

fn cases(root: &Path, out: &mut Vec<String>) -> Result<(), Failure> {
    let registered: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for suite in [Suite::Golden, Suite::Regressions] {
        for case in suite.scenarios(root, 0, 0)? {
            let name = &case.name;
            if let Some(other) = seen.insert(case.id(), name.clone()) {
                out.push(format!("{name} is the same scenario as {other}"));
            }
            if case.about.rules.is_empty() {
                out.push(format!("{name} is for no rule"));
            }
            for id in case.about.rules.iter().filter(|id| !registered.contains(id.as_str())) {
                out.push(format!("{name} is for {id}, which is not registered"));
            }
            for edition in EDITIONS.iter().filter(|edition| edition.family == case.family) {
                let recorded = Expected::read(&golden(root, name), edition.name)?;
                if suite == Suite::Golden && recorded.is_none() {
                    out.push(format!("{name} has no recorded values of {}", edition.name));
                }
            }
        }
    }
    Ok(())
}

fn files(root: &Path, out: &mut Vec<String>) -> Result<(), Failure> {
    let kept = [
        "corpora",
        "fuzz",
        "generators",
        "harness",
        "oracle",
        "snapshots",
        "spec",
        "targets",
        "xtask",
    ];
    for path in walk(&root.join("snapshots/codex")) {
        let case = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !root.join(CORPORA).join("golden/codex").join(&case).is_dir() {
            out.push(format!("snapshots/codex/{case}.snap is of no golden scenario"));
        }
    }
    for path in kept.iter().flat_map(|folder| walk(&root.join(folder))) {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        if name.ends_with(".snap.new") {
            out.push(format!("{name} is a pending snapshot, review it"));
        }
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
        if name != "harness/drive/src/run/tidy.rs"
            && PRODUCT_TEXTS.iter().any(|product| text.contains(product))
        {
            out.push(format!("{name} holds a product text"));
        }
    }
    Ok(())
}

/// All files below `folder`, without what builds and installations leave there.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            match path.is_dir() {
                true if ["node_modules", "target", "artifacts", "corpus"]
                    .iter()
                    .any(|skip| name == *skip) => {}
                true => open.push(path),
                false => out.push(path),
            }
        }
    }
    out.sort();
    out
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
}
