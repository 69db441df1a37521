//! The bodies of the fuzz targets. They run under `cargo test` too.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use forkproof_generators::Scenario;
use forkproof_generators::codex::Program;
use forkproof_oracle::{EDITIONS, Entry, File, Home, Markers, Operation, predict};

const THREAD: &str = "01a20000-0000-7000-8000-0000000000aa";

/// Any bytes give an answer: the first byte picks an edition and whether the rest is the rollout
/// itself or the program that makes one.
///
/// # Panics
///
/// If the prediction panics, is not the same twice, or leaves the fate of a line open.
pub fn reconstruct(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else { return };
    let edition = EDITIONS[usize::from(first >> 1) % EDITIONS.len()];
    let (home, thread) = if first & 1 == 0 {
        let path = format!("sessions/2026/01/01/rollout-2026-01-01T00-00-00-{THREAD}.jsonl");
        (Home::from([(path, File::new(rest))]), THREAD.to_owned())
    } else {
        let Ok(program) = Program::arbitrary(&mut Unstructured::new(rest)) else { return };
        let scenario = Scenario::generated(program);
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
    use forkproof_generators::codex::sample;

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
            for first in 0..=3 {
                reconstruct(&[&[first], text.as_bytes()].concat());
            }
        }
        reconstruct(b"\0\xff\xfe\n");
    }

    #[test]
    fn bytes_that_are_programs_have_an_answer() {
        for seed in 0..200_u32 {
            let byte = |place: u32| (seed * 31 + place * place * 7 + place / 3) as u8;
            let bytes: Vec<u8> = (0..seed * 2).map(byte).collect();
            reconstruct(&[b"\x01", &bytes[..]].concat());
        }
    }

    #[test]
    fn torn_sessions_have_an_answer() {
        for program in sample(3, 40) {
            let scenario = Scenario::generated(program);
            for file in scenario.home.values() {
                let bytes = &file.content.0;
                let thread_of_file = |bytes: &[u8]| {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    let Operation::Resume { thread, .. } = &scenario.operations[0];
                    reconstruct(
                        &[b"\0", text.replace(thread.as_str(), THREAD).as_bytes()].concat(),
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
