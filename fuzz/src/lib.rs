//! The bodies of the fuzz targets. They run under `cargo test` too.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use forkproof_generators::Scenario;
use forkproof_generators::{claude, codex};
use forkproof_oracle::{EDITIONS, Entry, Family, File, Home, Markers, Operation, predict};

const THREAD: &str = "01a20000-0000-7000-8000-0000000000aa";

/// Any bytes give an answer: the first byte picks an edition and whether the rest is the session
/// itself or the program that makes one.
///
/// # Panics
///
/// If the prediction panics, is not the same twice, or leaves the fate of a line open.
pub fn reconstruct(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let edition = EDITIONS[usize::from(first >> 1) % EDITIONS.len()];
    let (home, thread) = if first & 1 == 0 {
        let path = match edition.family {
            Family::Claude => format!("projects/work/{THREAD}.jsonl"),
            Family::Codex => {
                format!("sessions/2026/01/01/rollout-2026-01-01T00-00-00-{THREAD}.jsonl")
            }
        };
        (Home::from([(path, File::new(rest))]), THREAD.to_owned())
    } else {
        let mut bytes = Unstructured::new(rest);
        let scenario = match edition.family {
            // Without files of several mebibytes: they take an engine's time for little.
            Family::Claude => claude::Program::arbitrary(&mut bytes).map(|mut program| {
                program.ops.retain(|op| *op != claude::Op::Pad);
                Scenario::generated(program)
            }),
            Family::Codex => codex::Program::arbitrary(&mut bytes).map(Scenario::generated),
        };
        let Ok(scenario) = scenario else { return };
        let Operation::Resume { thread, .. } = &scenario.operations[0];
        (scenario.home.clone(), thread.clone())
    };
    let markers = Markers::stand_in();
    let operation = Operation::resume(thread.clone(), Entry::Id);
    let predict = || predict(edition, &home, &home, &operation, &markers);
    let prediction = predict();
    assert_eq!(prediction, predict(), "not the same twice");
    if prediction.outcome.context.is_some() {
        let decided: Vec<usize> = prediction.fates.iter().map(|fate| fate.line).collect();
        let path = home.keys().find(|path| path.ends_with(&format!("{thread}.jsonl")));
        let lines = path.map(|path| lines(&home[path].content.0)).unwrap_or_default();
        assert_eq!(decided, lines, "each line has one fate");
    }
}

/// Numbers of the lines that are not blank.
fn lines(bytes: &[u8]) -> Vec<usize> {
    let blank = |line: &[u8]| std::str::from_utf8(line).is_ok_and(|text| text.trim().is_empty());
    let numbered = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let lines: BTreeSet<usize> =
        numbered.filter(|(_, line)| !blank(line)).map(|(number, _)| number).collect();
    lines.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use forkproof_generators::sample;

    use super::*;

    #[test]
    fn hostile_bytes_have_an_answer() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let record = |payload: &str| {
            format!(r#"{{"timestamp":"t","type":"response_item","payload":{payload}}}"#)
        };
        for text in
            [String::new(), "\n\n".to_owned(), deep.clone(), record(&deep), "\0{".to_owned()]
        {
            for first in (0..EDITIONS.len() as u8).map(|edition| edition << 1) {
                reconstruct(&[&[first], text.as_bytes()].concat());
            }
        }
        (0..EDITIONS.len() as u8)
            .for_each(|edition| reconstruct(&[edition << 1, 0xff, 0xfe, b'\n']));
    }

    #[test]
    fn bytes_that_are_programs_have_an_answer() {
        for seed in 0..200_u32 {
            let byte = |place: u32| (seed * 31 + place * place * 7 + place / 3) as u8;
            let bytes: Vec<u8> = (0..seed * 2).map(byte).collect();
            let first = (seed as u8 % EDITIONS.len() as u8) << 1 | 1;
            reconstruct(&[&[first], &bytes[..]].concat());
        }
    }

    #[test]
    fn torn_sessions_have_an_answer() {
        let family = |edition: usize| EDITIONS[edition].family;
        let all = (0..EDITIONS.len()).flat_map(|edition| {
            let scenarios = sample(family(edition), 3, 12).into_iter().map(Scenario::generated);
            scenarios.map(move |scenario| (edition, scenario))
        });
        for (edition, scenario) in all {
            let first = (edition as u8) << 1;
            for file in scenario.home.values() {
                let bytes = &file.content.0;
                let thread_of_file = |bytes: &[u8]| {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    let Operation::Resume { thread, .. } = &scenario.operations[0];
                    reconstruct(
                        &[&[first], text.replace(thread.as_str(), THREAD).as_bytes()].concat(),
                    );
                };
                thread_of_file(bytes);
                let step = (bytes.len() / 200).max(97);
                for cut in (0..bytes.len()).step_by(step) {
                    thread_of_file(&bytes[..cut]);
                }
            }
        }
    }
}
