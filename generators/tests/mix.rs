//! Generated transcripts are hostile enough.

use std::collections::BTreeMap;

use forkproof_generators::claude::{
    Attachment, Content, Flag, Form, Ids, Interrupt, Keep, Leaf, Next, Note, Op, Order, Pace,
    Program, Reply, Spoil, Stray, Style, System, To, Uuid, When, Wiring, render, sample,
};
use forkproof_generators::{Harm, Spelling};

const SEEDS: [u64; 3] = [11, 12, 13];
const PROGRAMS: usize = 400;
const SESSION: &str = "c1a0de00-0000-4000-8000-0000000000aa";

fn programs() -> Vec<Program> {
    SEEDS.into_iter().flat_map(|seed| sample(seed, PROGRAMS)).collect()
}

fn size(program: &Program) -> (usize, usize) {
    let home = render(program, SESSION);
    let bytes = &home.values().next().expect("one file").content.0;
    (bytes.iter().filter(|byte| **byte == b'\n').count(), bytes.len())
}

#[test]
fn every_kind_occurs_in_three_of_four_hundred_programs() {
    let programs = programs();
    let mut counts = BTreeMap::new();
    for kind in programs.iter().flat_map(|program| program.kinds()) {
        *counts.entry(kind).or_insert(0) += 1;
    }
    let share = |count: i32| f64::from(count) * 100.0 / programs.len() as f64;
    let table: String =
        counts.iter().map(|(kind, count)| format!("{:6.2} {kind}\n", share(*count))).collect();
    println!("{table}");
    let of = |kind: &str| share(counts.get(kind).copied().unwrap_or_default());
    let rare: Vec<&str> = named().into_iter().filter(|kind| of(kind) < 0.75).collect();
    assert!(rare.is_empty(), "too rare: {rare:?}\n{table}");
    assert!(of("hostile") >= 50.0 && of("healthy") >= 8.0, "{table}");
    assert!(of("pad") < 1.0, "{table}");
}

#[test]
fn most_transcripts_are_short_and_at_most_one_in_a_hundred_is_large() {
    let mut sizes: Vec<(usize, usize)> = programs().iter().map(size).collect();
    sizes.sort_unstable();
    let short = sizes.iter().filter(|(lines, _)| *lines < 20).count();
    assert!(short * 10 >= sizes.len() * 7, "{short} of {} are short", sizes.len());
    let small: Vec<usize> =
        sizes.iter().map(|(_, bytes)| *bytes).filter(|bytes| *bytes < 1 << 20).collect();
    let mean = small.iter().sum::<usize>() / small.len();
    println!("{short} of {} are short, {mean} bytes in the mean", sizes.len());
    assert!(small.len() * 100 >= sizes.len() * 99 && mean < 25_000, "{mean} bytes in the mean");
}

#[test]
fn a_large_file_is_large_once() {
    let (_, once) = size(&Program::new(vec![Op::Pad]));
    let (lines, twice) = size(&Program::new(vec![Op::Pad, Op::Pad]));
    assert!(once > 5 * 1024 * 1024);
    assert_eq!((lines, twice), (1, once));
}

/// Names of kinds that operations and damage are of, and of what only a look at all tells.
fn named() -> Vec<&'static str> {
    let mut names = WALKED.to_vec();
    names.extend(Attachment::ALL.iter().map(|kind| kind.name()));
    names.extend(Content::ALL.iter().map(|kind| kind.name()));
    names.extend(Flag::ALL.iter().map(|kind| kind.name()));
    names.extend(Form::ALL.iter().map(|kind| kind.name()));
    names.extend(Harm::ALL.iter().map(|kind| kind.name()));
    names.extend(Ids::ALL.iter().map(|kind| kind.name()));
    names.extend(Interrupt::ALL.iter().map(|kind| kind.name()));
    names.extend(Keep::ALL.iter().map(|kind| kind.name()));
    names.extend(Leaf::ALL.iter().map(|kind| kind.name()));
    names.extend(Next::ALL.iter().map(|kind| kind.name()));
    names.extend(Note::ALL.iter().map(|kind| kind.name()));
    names.extend(Order::ALL.iter().map(|kind| kind.name()));
    names.extend(Pace::ALL.iter().map(|kind| kind.name()));
    names.extend(Reply::ALL.iter().map(|kind| kind.name()));
    names.extend(Spelling::ALL.iter().map(|kind| kind.name()));
    names.extend(Spoil::ALL.iter().map(|kind| kind.name()));
    names.extend(Stray::ALL.iter().map(|kind| kind.name()));
    names.extend(Style::ALL.iter().map(|kind| kind.name()));
    names.extend(System::ALL.iter().map(|kind| kind.name()));
    names.extend(To::ALL.iter().map(|kind| kind.name()));
    names.extend(Uuid::ALL.iter().map(|kind| kind.name()));
    names.extend(When::ALL.iter().map(|kind| kind.name()));
    names.extend(Wiring::ALL.iter().map(|kind| kind.name()));
    names
}

/// Names of what only a look at all tells.
const WALKED: &[&str] = &[
    "again",
    "answer of the same message",
    "boundary with a parent",
    "boundary without summary",
    "conversation behind a sidechain",
    "cycle apart",
    "cycle of one",
    "cycle of progress",
    "cycle of two",
    "damage",
    "dangling parent",
    "duplicate uuid",
    "entry again elsewhere",
    "entry on a stray line",
    "entry on progress",
    "failed result",
    "forward parent",
    "longer cycle",
    "lose",
    "move",
    "named by path",
    "orphan",
    "parallel call without result",
    "reverse",
    "rewind told",
    "several leaves",
    "several resumes",
    "several roots",
    "shuffle",
    "sidechain of its own",
    "sidechain off the tip",
    "silent rewind",
    "tool id used twice",
    "turn that names its leaf",
    "turn with a thought",
    "turn with attachments",
    "turn with parallel calls",
    "way into a cycle",
];
