//! Laws over any session, without a real program.

use forkproof_drive::{Tripwire, selfcheck};
use forkproof_generators::codex::{Op, Program, Step, Strange, programs};
use forkproof_generators::{Scenario, smaller};
use forkproof_judge::{Expect, Verdict, judge};
use forkproof_oracle::{
    CODEX_0_171, EDITIONS, Edition, Effect, Family, Item, Markers, Observed, Outcome, Prediction,
    predict,
};
use proptest::prelude::*;

fn shown(scenario: &Scenario) -> Vec<Observed> {
    shown_by(&CODEX_0_171, scenario)
}

fn shown_by(edition: &Edition, scenario: &Scenario) -> Vec<Observed> {
    selfcheck(&filled(scenario), &scenario.operations, edition, &Markers::stand_in())
}

fn filled(scenario: &Scenario) -> forkproof_oracle::Home {
    let mut home = scenario.home.clone();
    for file in home.values_mut() {
        file.content.0 = Markers::stand_in().fill(&file.content.0);
    }
    home
}

/// Those that a generated scenario is for.
fn editions() -> Vec<&'static Edition> {
    EDITIONS.iter().copied().filter(|edition| edition.family == Family::Codex).collect()
}

fn verdict(scenario: &Scenario, observed: &[Observed]) -> Verdict {
    judge(scenario, observed, &CODEX_0_171, Expect::Does, &Markers::stand_in()).verdict
}

fn first(scenario: &Scenario) -> Prediction {
    let home = filled(scenario);
    predict(&CODEX_0_171, &home, &home, &scenario.operations[0], &Markers::stand_in())
}

/// The path of the session that is resumed; the other file is the one that must stay alone.
fn resumed(scenario: &Scenario) -> String {
    let disk = first(scenario).outcome.disk.expect("a prediction has a disk");
    let appended = |(_, effect): &(&String, &Effect)| matches!(effect, Effect::Appended { .. });
    disk.iter().find(appended).map(|(path, _)| path.clone()).expect("a resume appends")
}

/// Programs whose session is accepted, whatever comes to stand in it: the file is undamaged and
/// every record of a paginated one has its ordinal.
fn accepted() -> impl Strategy<Value = Program> {
    programs().prop_map(|program| {
        let numbered = |op: &Op| !matches!(op, Op::Ordinal { step: Step::Missing });
        let ops = program.ops.into_iter().filter(numbered).collect();
        Program { ops, damage: Vec::new(), ..program }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_prediction_that_is_shown_and_read_back_is_the_same(
        program in programs(),
        edition in prop::sample::select(editions()),
    ) {
        let scenario = Scenario::generated(program);
        let seen = shown_by(edition, &scenario);
        let judged = |expect| judge(&scenario, &seen, edition, expect, &Markers::stand_in());
        let does = judged(Expect::Does);
        prop_assert_eq!(does.verdict, Verdict::Conformant);
        // A release that meets a defect of its own does not do what it should, and only then.
        let should = if does.defects.is_empty() { Verdict::Conformant } else { Verdict::Divergent };
        prop_assert_eq!(judged(Expect::Should).verdict, should);
    }

    /// Nothing that a tripwire changes is lost in canonicalisation.
    #[test]
    fn whatever_a_tripwire_changes_is_divergent(program in programs()) {
        let scenario = Scenario::generated(program);
        let honest = shown(&scenario);
        for tripwire in Tripwire::ALL {
            let mut wrong = honest.clone();
            wrong.iter_mut().for_each(|observed| tripwire.apply(observed));
            if wrong != honest {
                prop_assert_eq!(verdict(&scenario, &wrong), Verdict::Divergent, "{}", tripwire.name());
            }
        }
    }

    #[test]
    fn records_that_nobody_knows_change_neither_context_nor_turns(
        mut program in accepted(),
        at in any::<prop::sample::Index>(),
        strange in prop::sample::select(Strange::ALL),
    ) {
        // A record in between takes the ordinal that was meant for the next one (CX-PROJ-05).
        program.ops.retain(|op| !matches!(op, Op::Ordinal { .. }));
        let mut noisy = program.clone();
        noisy.ops.insert(at.index(noisy.ops.len() + 1), Op::Strange { strange });
        let plain = first(&Scenario::generated(program)).outcome;
        let noisy = first(&Scenario::generated(noisy)).outcome;
        prop_assert_eq!((plain.context, plain.turns), (noisy.context, noisy.turns));
    }

    #[test]
    fn a_torn_tail_costs_nothing_but_itself(program in accepted()) {
        let whole = Scenario::generated(program);
        let path = resumed(&whole);
        let mut torn = whole.clone();
        let file = torn.home.get_mut(&path).expect("the session");
        file.content.0.extend_from_slice(br#"{"timestamp":"2026-01-01T00:0"#);
        let (whole, torn) = (first(&whole).outcome, first(&torn).outcome);
        prop_assert_eq!(&whole.context, &torn.context);
        prop_assert_eq!(&whole.turns, &torn.turns);
        prop_assert_eq!(written(&whole, &path), written(&torn, &path));
    }

    #[test]
    fn every_call_has_an_output_and_every_output_its_call(program in programs()) {
        let context = first(&Scenario::generated(program)).outcome.context;
        prop_assume!(context.is_some(), "damage can refuse a session");
        let context = context.unwrap_or_default();
        let ids = |kind: &str| {
            let items = context.iter().filter_map(|item| match item {
                Item::Recorded(json) => Some(json),
                _ => None,
            });
            let mut ids: Vec<String> = items
                .filter(|json| {
                    json.get("type").and_then(|it| it.as_str()).is_some_and(|it| it.ends_with(kind))
                })
                .filter_map(|json| Some(json.get("call_id")?.as_str()?.to_owned()))
                .collect();
            ids.sort();
            ids.dedup();
            ids
        };
        prop_assert_eq!(ids("_call"), ids("_call_output"));
    }

    #[test]
    fn every_smaller_scenario_has_an_answer(program in programs()) {
        for scenario in smaller(&Scenario::generated(program)).into_iter().take(20) {
            prop_assert_eq!(verdict(&scenario, &shown(&scenario)), Verdict::Conformant);
        }
    }
}

/// The records that a resume writes, whatever stands before them.
fn written(outcome: &Outcome, path: &str) -> String {
    match outcome.disk.as_ref().and_then(|disk| disk.get(path)) {
        Some(Effect::Appended { records, .. }) => format!("{records:?}"),
        other => format!("{other:?}"),
    }
}
