//! Generated scenarios are hostile enough, and not so hostile that nothing is left to compare.

use std::collections::BTreeMap;

use forkproof_generators::codex::{
    Aside, Context, Developer, Extra, Form, Half, LookAlike, Program, Settings, Step, Strange,
    Tool, sample,
};
use forkproof_generators::{Harm, Scenario, Spelling, claude};
use forkproof_oracle::{
    Answer, CODEX_0_171, Choices, EDITIONS, Edition, End, Family, Home, Item, Json, Markers,
    Prediction, RULES, Rule, exercised, predict,
};

const SEEDS: [u64; 3] = [11, 12, 13];
const PROGRAMS: usize = 400;

/// Counts of scenarios by what occurs in them.
#[derive(Default)]
struct Mix {
    scenarios: usize,
    bytes: usize,
    counts: BTreeMap<String, usize>,
}

impl Mix {
    fn of(count: impl Fn(&Program, &Home, &Scenario) -> Vec<String>) -> Mix {
        let mut mix = Mix::default();
        for program in SEEDS.into_iter().flat_map(|seed| sample(seed, PROGRAMS)) {
            let scenario = Scenario::generated(program.clone());
            let home = filled(&scenario);
            mix.scenarios += 1;
            mix.bytes += home.values().map(|file| file.content.0.len()).sum::<usize>();
            for name in count(&program, &home, &scenario) {
                *mix.counts.entry(name).or_default() += 1;
            }
        }
        mix
    }

    /// Of transcripts, but for the few that are big.
    fn of_transcripts(count: impl Fn(&Home, &Scenario) -> Vec<String>) -> Mix {
        let mut mix = Mix::default();
        let programs = claude::sample(SEEDS[0], PROGRAMS).into_iter();
        for program in programs.filter(|program| !program.kinds().contains("pad")) {
            let scenario = Scenario::generated(program);
            mix.scenarios += 1;
            for name in count(&scenario.home, &scenario) {
                *mix.counts.entry(name).or_default() += 1;
            }
        }
        mix
    }

    /// The share of the scenarios in which `name` occurs, in percent.
    fn share(&self, name: &str) -> f64 {
        let count = self.counts.get(name).copied().unwrap_or_default();
        count as f64 * 100.0 / self.scenarios as f64
    }

    fn table(&self) -> String {
        let line = |name: &String| format!("{:6.2} {name}\n", self.share(name));
        self.counts.keys().map(line).collect()
    }

    #[track_caller]
    fn each_at_least(&self, percent: f64, names: impl IntoIterator<Item = String>) {
        let rare: Vec<String> =
            names.into_iter().filter(|name| self.share(name) < percent).collect();
        assert!(rare.is_empty(), "too rare: {rare:?}\n{}", self.table());
    }
}

fn filled(scenario: &Scenario) -> Home {
    let mut home = scenario.home.clone();
    for file in home.values_mut() {
        file.content.0 = Markers::stand_in().fill(&file.content.0);
    }
    home
}

fn first(home: &Home, scenario: &Scenario) -> Prediction {
    predict(&CODEX_0_171, home, home, &scenario.operations[0], &Markers::stand_in())
}

/// Whether an item is a user message of the session that is talk.
fn is_talk(item: &Item) -> bool {
    let Item::Recorded(json) = item else { return false };
    let text = json.get("content").map(Json::to_string).unwrap_or_default();
    json.get("role").and_then(Json::as_str) == Some("user")
        && ["user-", "kept-"].iter().any(|name| text.contains(name))
}

/// Whether two messages of users stay and a record is lost by a rule.
fn keeps_two_and_loses_one(prediction: &Prediction) -> bool {
    let context = prediction.outcome.context.iter().flatten();
    let lost = |end: End| matches!(end, End::Dropped | End::Replaced);
    context.filter(|item| is_talk(item)).count() >= 2
        && prediction.fates.iter().any(|fate| lost(fate.end) && fate.rule != "CX-LOAD-07")
}

#[test]
fn most_scenarios_keep_two_turns_and_lose_a_record_and_few_are_refused() {
    let mix = Mix::of(|_, home, scenario| {
        let prediction = first(home, scenario);
        let mut names = Vec::new();
        if let Some(Answer::Refused { message, .. }) = &prediction.outcome.answer {
            let why = message.rsplit(": ").next().unwrap_or_default();
            let words = why.split(' ').filter(|word| !word.contains('/')).collect::<Vec<_>>();
            names.extend(["refused".to_owned(), format!("refused: {}", words.join(" "))]);
        }
        if keeps_two_and_loses_one(&prediction) {
            names.push("keeps two and loses one".to_owned());
        }
        names
    });
    println!("{}", mix.table());
    println!("{} bytes in the mean", mix.bytes / mix.scenarios);
    assert!(mix.share("keeps two and loses one") >= 60.0, "{}", mix.table());
    assert!((3.0..=20.0).contains(&mix.share("refused")), "{}", mix.table());
    assert!(mix.bytes / mix.scenarios < 15_000, "{} bytes", mix.bytes / mix.scenarios);
}

#[test]
fn every_kind_and_every_pair_of_dangers_occurs_in_a_hundredth_of_the_scenarios() {
    let dangers = ["compaction", "rollback", "interruption", "damage"];
    let mix = Mix::of(|program, _, _| {
        let kinds = program.kinds();
        let mut names: Vec<String> = kinds.iter().map(|&kind| kind.to_owned()).collect();
        for (index, a) in dangers.iter().enumerate() {
            for b in dangers[..index].iter().filter(|b| kinds.contains(a) && kinds.contains(*b)) {
                names.push(format!("{b} and {a}"));
            }
        }
        names
    });
    println!("{}", mix.table());
    let pairs = dangers
        .iter()
        .enumerate()
        .flat_map(|(index, a)| dangers[..index].iter().map(move |b| format!("{b} and {a}")));
    let kinds = named().into_iter().chain(WALKED.iter().copied());
    mix.each_at_least(1.0, kinds.map(str::to_owned).chain(pairs));
}

/// But for rules that say why not.
#[test]
fn every_rule_is_exercised_by_a_hundredth_of_the_scenarios() {
    for edition in EDITIONS {
        let rules = |home: &Home, scenario: &Scenario| -> Vec<String> {
            let operation = &scenario.operations[0];
            let rules = exercised(edition, home, home, operation, &Markers::stand_in());
            rules.into_iter().map(str::to_owned).collect()
        };
        let mix = match edition.family {
            Family::Claude => Mix::of_transcripts(rules),
            Family::Codex => Mix::of(|_, home, scenario| rules(home, scenario)),
        };
        println!("{}\n{}", edition.name, mix.table());
        let follows = |rule: &&Rule| rule.editions.contains(&edition.name) && rule.idle.is_none();
        mix.each_at_least(1.0, RULES.iter().filter(follows).map(|rule| rule.id.to_owned()));
    }
}

/// Judged by another edition, a release that chooses its leaf otherwise is found out soon.
#[test]
fn another_way_to_choose_a_leaf_shows_within_a_hundred_transcripts() {
    let scenarios: Vec<Scenario> =
        claude::sample(SEEDS[0], 100).into_iter().map(Scenario::generated).collect();
    let editions: Vec<&Edition> = Family::Claude.editions().collect();
    let mut pairs = 0;
    for (a, b) in editions.iter().flat_map(|a| editions.iter().map(move |b| (*a, *b))) {
        let (Choices::Claude(own), Choices::Claude(other)) = (a.choices, b.choices) else {
            panic!("an edition of Claude Code has its choices")
        };
        let (leaf, leaf_time) = (other.leaf, other.leaf_time);
        let (descent, pointer) = (other.descent, other.pointer);
        let swapped =
            forkproof_oracle::claude::Choices { leaf, leaf_time, descent, pointer, ..own };
        if swapped == own {
            continue;
        }
        pairs += 1;
        let by = |choices| {
            let edition = Edition { choices, ..a.clone() };
            scenarios.iter().map(move |scenario| {
                let (home, operation) = (&scenario.home, &scenario.operations[0]);
                predict(&edition, home, home, operation, &Markers::stand_in()).outcome.context
            })
        };
        let first = by(a.choices).zip(by(Choices::Claude(swapped))).position(|(a, b)| a != b);
        println!("{} by the leaf of {}: {first:?}", a.name, b.name);
        assert!(first.is_some(), "{} by the leaf of {}", a.name, b.name);
    }
    assert_eq!(pairs, 10);
}

#[test]
fn a_rule_without_reason_to_be_idle_has_a_choice() {
    for edition in EDITIONS {
        for rule in RULES.iter().filter(|rule| rule.editions.contains(&edition.name)) {
            let has_choice = edition.rules().contains(rule.id);
            assert!(rule.idle.is_some() || has_choice, "{} in {}", rule.id, edition.name);
        }
    }
}

/// Names of kinds that operations and damage are of.
fn named() -> Vec<&'static str> {
    let mut names = Vec::new();
    names.extend(Aside::ALL.iter().map(|kind| kind.name()));
    names.extend(Context::ALL.iter().map(|kind| kind.name()));
    names.extend(Developer::ALL.iter().map(|kind| kind.name()));
    names.extend(Extra::ALL.iter().map(|kind| kind.name()));
    names.extend(Form::ALL.iter().map(|kind| kind.name()));
    names.extend(Half::ALL.iter().map(|kind| kind.name()));
    names.extend(Harm::ALL.iter().map(|kind| kind.name()));
    names.extend(LookAlike::ALL.iter().map(|kind| kind.name()));
    names.extend(Settings::ALL.iter().map(|kind| kind.name()));
    names.extend(Spelling::ALL.iter().map(|kind| kind.name()));
    names.extend(Step::ALL.iter().map(|kind| kind.name()));
    names.extend(Strange::ALL.iter().map(|kind| kind.name()));
    names.extend(Tool::ALL.iter().map(|kind| kind.name()));
    names
}

/// Names of what only a walk through a program tells.
const WALKED: &[&str] = &[
    "abort",
    "abort unnamed",
    "agent",
    "base of one user",
    "base of several users",
    "base without number",
    "base without users",
    "call without output",
    "compaction at the start",
    "compaction between turns",
    "compaction in a turn",
    "compaction to a summary",
    "compaction to nothing",
    "compaction turn",
    "early",
    "end of an older turn",
    "end without start",
    "foreign meta",
    "last record without ordinal",
    "long users",
    "numbered base",
    "ordinals from another start",
    "orphan",
    "output of the other kind",
    "output twice",
    "reasoning",
    "rollback of more than exist",
    "rollback of none",
    "rollback of one",
    "rollback of several",
    "same meta",
    "several resumes",
    "several users in a turn",
    "shown compaction",
    "start again",
    "steering",
    "summary prefix",
    "system",
    "turn unfinished at the end",
    "turn unfinished before another",
    "two parts",
    "user outside a turn",
];
