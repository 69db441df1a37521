//! The rules of the repository, as code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use forkproof_judge::Expected;
use forkproof_oracle::{EDITIONS, Family, RULES, Rule};

use super::{CORPORA, FAMILIES, Failure, Suite, golden};

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
    for family in FAMILIES {
        rules(root, family, &mut out)?;
    }
    claims(root, &mut out)?;
    for family in FAMILIES {
        cases(root, family, &mut out)?;
        snapshots(root, family, &mut out);
    }
    files(root, &mut out);
    Ok(out)
}

/// How the ids of a family's rules begin.
fn prefix(family: Family) -> &'static str {
    match family {
        Family::Claude => "CC-",
        Family::Codex => "CX-",
    }
}

fn rules_of(family: Family) -> impl Iterator<Item = &'static Rule> {
    RULES.iter().filter(move |rule| rule.id.starts_with(prefix(family)))
}

fn rules(root: &Path, family: Family, out: &mut Vec<String>) -> Result<(), Failure> {
    let page = format!("spec/{}.md", family.name());
    // A family without a rule needs no page.
    let stated = match rules_of(family).next() {
        Some(_) => stated(&root.join(&page))?,
        None => BTreeMap::new(),
    };
    let registered: BTreeSet<&str> = rules_of(family).map(|rule| rule.id).collect();
    for rule in rules_of(family) {
        match stated.get(rule.id) {
            None => out.push(format!("{page} does not state {}", rule.id)),
            Some(head) if *head != head_of(family, rule) => out.push(format!(
                "{page} says `{head}` of {}, oracle/src/rules.rs `{}`",
                rule.id,
                head_of(family, rule)
            )),
            Some(_) => {}
        }
    }
    for id in stated.keys().filter(|id| !registered.contains(id.as_str())) {
        out.push(format!("oracle/src/rules.rs does not register {id}, which {page} states"));
    }
    let mut sources = String::new();
    let code = format!("oracle/src/{}", family.name());
    for path in walk(&root.join(&code)) {
        sources += &read(&path)?;
    }
    let golden = Suite::Golden.scenarios(root, family, 0, 0)?;
    let covered: BTreeSet<&str> =
        golden.iter().flat_map(|case| &case.about.rules).map(String::as_str).collect();
    for id in registered {
        if !names(&sources, id) {
            out.push(format!("nothing in {code} names {id}"));
        }
        let stored = rules_of(family).any(|rule| rule.id == id && rule.unstored.is_none());
        if stored && !covered.contains(id) {
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
fn head_of(family: Family, rule: &Rule) -> String {
    let mut editions = EDITIONS.iter().filter(|edition| edition.family == family);
    let all = editions.all(|edition| rule.editions.contains(&edition.name));
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
const CLAIMS: &[(&str, usize)] = &[("A", 20), ("B", 20), ("C", 4), ("D", 18), ("E", 10)];

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
            if FAMILIES.into_iter().any(|family| rule.starts_with(prefix(family)))
                && !RULES.iter().any(|known| known.id == rule)
                && !EDITIONS.iter().any(|it| it.defects.iter().any(|known| known.id == rule))
            {
                out.push(format!("spec/claims.md names {rule} for {id}, which is not registered"));
            }
        }
        let scenarios = entry.split_once("Scenarios: ").map_or("", |(_, rest)| rest);
        for name in scenarios.split('`').skip(1).step_by(2) {
            if !FAMILIES.into_iter().any(|family| is_golden(root, family, name)) {
                out.push(format!("spec/claims.md names {name} for {id}, which is no scenario"));
            }
        }
    }
    Ok(())
}

fn is_golden(root: &Path, family: Family, name: &str) -> bool {
    root.join(CORPORA).join("golden").join(family.name()).join(name).is_dir()
}

fn cases(root: &Path, family: Family, out: &mut Vec<String>) -> Result<(), Failure> {
    let registered: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for suite in [Suite::Golden, Suite::Regressions] {
        for case in suite.scenarios(root, family, 0, 0)? {
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
            for edition in EDITIONS.iter().filter(|edition| edition.family == family) {
                let recorded = Expected::read(&golden(root, name), edition.name)?;
                if suite == Suite::Golden && recorded.is_none() {
                    out.push(format!("{name} has no recorded values of {}", edition.name));
                }
            }
        }
    }
    Ok(())
}

/// Snapshots of scenarios; others have another ending.
fn snapshots(root: &Path, family: Family, out: &mut Vec<String>) {
    let folder = format!("snapshots/{}", family.name());
    let snapshots = walk(&root.join(&folder)).into_iter();
    for path in snapshots.filter(|path| path.extension().is_some_and(|it| it == "snap")) {
        let case = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !is_golden(root, family, &case) {
            out.push(format!("{folder}/{case}.snap is of no golden scenario"));
        }
    }
}

fn files(root: &Path, out: &mut Vec<String>) {
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
