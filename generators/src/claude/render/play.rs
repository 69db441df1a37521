//! What each operation writes.

use forkproof_oracle::{File, Home};

use super::line::Line;
use super::odd;
use super::time::MINUTE;
use super::tools::Tools;
use super::transcript::Transcript;
use crate::claude::{Op, Pace, Program};
use crate::damage::CLAUDE;

/// The session files of `program` as session `session`.
///
/// Every text in it is unique, so that a context tells which entry is missing.
pub fn render(program: &Program, session: &str) -> Home {
    let mut transcript = Transcript::new(program, session);
    for op in &program.ops {
        transcript.play(op);
    }
    let mut bytes: Vec<u8> =
        transcript.lines.iter().map(Line::text).collect::<String>().into_bytes();
    for damage in &program.damage {
        damage.apply(&mut bytes, &CLAUDE);
    }
    Home::from([(path(session), File::new(bytes))])
}

/// The file of a session of the folder that the program works in.
pub(crate) fn path(session: &str) -> String {
    format!("projects/work/{session}.jsonl")
}

impl Transcript<'_> {
    pub(super) fn play(&mut self, op: &Op) {
        match *op {
            Op::Turn { calls, attached, thinks, noted } => {
                self.turn(calls, attached, thinks, noted);
            }
            Op::User { content } => drop(self.user(content)),
            Op::Assistant { reply, joined } => drop(self.assistant(reply, joined)),
            Op::Call { again } => drop(self.call(again, false)),
            Op::Result { call, form, error } => drop(self.result(call, form, error)),
            Op::Orphan => self.orphan(),
            Op::Tools { .. } => {
                if let Some(tools) = Tools::of(op) {
                    self.tools(&tools);
                }
            }
            Op::Compact { keep, kept, linked, summary } => {
                self.compact(keep, 1 + usize::from(kept % 4), linked, summary);
            }
            Op::Interrupt { interrupt } => self.interrupt(interrupt),
            Op::Rewind { back, told } => self.rewind(back, told),
            Op::Sidechain { rooted, joined } => self.sidechain(rooted, joined),
            Op::System { system } => self.system(system),
            Op::Attachment { attachment } => self.attachment(attachment),
            Op::Progress { inside } => self.progress(inside),
            Op::Note { note } => self.write_note(note),
            Op::LastPrompt { leaf, back } => self.name_leaf(leaf, back),
            Op::Parent { entry, to, by } => self.parent(entry, to, by),
            Op::Uuid { entry, uuid, by } => self.rename(entry, uuid, by),
            Op::Time { entry, when } => self.date(entry, when),
            Op::Flag { entry, flag } => {
                self.nth(entry).into_iter().for_each(|entry| odd::flag(entry, flag));
            }
            Op::Spoil { entry, spoil } => {
                self.nth(entry).into_iter().for_each(|entry| odd::spoil(entry, spoil));
            }
            Op::Again { entry, moved } => self.again(entry, moved),
            Op::Lose { line } => self.lose(line),
            Op::Move { line, by } => self.shift(line, by),
            Op::Reverse => self.lines.reverse(),
            Op::Shuffle { seed } => self.shuffle(seed),
            Op::Write { entry, style } => {
                self.nth(entry).into_iter().for_each(|entry| entry.style = Some(style));
            }
            Op::Stray { stray, inside } => self.stray(stray, inside),
            Op::Pace { pace } => {
                self.pace = match pace {
                    Pace::Minute => MINUTE,
                    Pace::Second => 1000,
                    Pace::Half => 2500,
                    Pace::Edge => 5000,
                    Pace::Still => 0,
                    Pace::Back => -MINUTE,
                };
            }
            Op::Pad => self.pad(),
        }
    }

    /// An entry once more, told differently, with a time of its own.
    fn again(&mut self, entry: u8, moved: bool) {
        let said = self.said("again ");
        let at = self.clock;
        let tip = self.tip.clone();
        let Some(mut copy) = self.nth(entry).map(|entry| entry.clone()) else { return };
        self.entries += 1;
        self.tick();
        odd::retell(&mut copy, &said);
        copy.at = at;
        copy.set("timestamp", crate::json::text(&super::time::time(at)));
        if moved {
            copy.set("parentUuid", tip);
            self.tip = copy.uuid();
        }
        self.lines.push(Line::Entry(copy));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use forkproof_oracle::Json;
    use proptest::prelude::*;

    use super::*;
    use crate::claude::{programs, sample};

    const SESSION: &str = "c1a0de00-0000-4000-8000-0000000000aa";

    fn bytes(program: &Program) -> Vec<u8> {
        let mut home = render(program, SESSION);
        home.pop_first().expect("a file").1.content.0
    }

    fn lines(program: &Program) -> Vec<Json> {
        let bytes = bytes(program);
        let text = String::from_utf8(bytes).expect("a healthy file is text");
        text.lines().map(|line| Json::parse(line).expect("a healthy line is JSON")).collect()
    }

    fn member(line: &Json, key: &str) -> Option<String> {
        line.get(key).filter(|value| **value != Json::Null).map(Json::to_string)
    }

    fn blocks<'a>(lines: &'a [Json], kind: &'a str, id: &'a str) -> Vec<String> {
        let content = |line: &'a Json| line.get("message").and_then(|it| it.get("content"));
        let blocks = lines.iter().filter_map(content).flat_map(Json::elements);
        let of_kind = |block: &&Json| block.get("type").and_then(Json::as_str) == Some(kind);
        blocks.filter(of_kind).filter_map(|block| member(block, id)).collect()
    }

    fn healthy() -> Vec<Program> {
        let all = sample(21, 600).into_iter().filter(Program::is_healthy);
        all.filter(|program| !program.ops.contains(&Op::Pad)).collect()
    }

    #[test]
    fn healthy_programs_make_graphs_in_which_each_parent_stands_before_its_children() {
        for program in healthy() {
            let mut seen = BTreeSet::new();
            for line in lines(&program) {
                let Some(uuid) = member(&line, "uuid") else { continue };
                let parent = member(&line, "parentUuid");
                assert!(parent.is_none_or(|parent| seen.contains(&parent)), "{program:?}");
                assert!(seen.insert(uuid), "an id is used twice: {program:?}");
            }
        }
    }

    #[test]
    fn healthy_programs_answer_each_call_once() {
        for program in healthy() {
            let lines = lines(&program);
            let mut calls = blocks(&lines, "tool_use", "id");
            let mut results = blocks(&lines, "tool_result", "tool_use_id");
            calls.sort();
            results.sort();
            assert_eq!(calls, results, "{program:?}");
        }
    }

    #[test]
    fn a_healthy_result_hangs_on_the_line_of_its_call() {
        for program in healthy() {
            for line in lines(&program) {
                let call = member(&line, "sourceToolAssistantUUID");
                assert!(call.is_none() || call == member(&line, "parentUuid"), "{program:?}");
            }
        }
    }

    #[test]
    fn a_file_is_what_the_program_says() {
        let turn = Op::Turn { calls: 2, attached: 0, thinks: false, noted: true };
        let lines = lines(&Program::new(vec![turn]));
        let kind = |line: &Json| line.get("type").and_then(Json::as_str).map(str::to_owned);
        let kinds: Vec<String> = lines.iter().filter_map(kind).collect();
        let turn = ["user", "assistant", "assistant", "user", "user", "assistant", "last-prompt"];
        assert_eq!(kinds, [&["queue-operation"; 2][..], &turn[..]].concat());
        let ids = |numbers: &[usize]| -> Vec<Option<String>> {
            let uuid = |number| format!("\"e{number:07x}-0000-4000-8000-0000000000aa\"");
            numbers.iter().map(|number| (*number > 0).then(|| uuid(number))).collect()
        };
        let parents: Vec<_> = lines[2..8].iter().map(|line| member(line, "parentUuid")).collect();
        assert_eq!(parents, ids(&[0, 1, 2, 2, 3, 5]));
        assert_eq!(member(&lines[8], "leafUuid"), ids(&[6])[0]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

        #[test]
        fn the_same_program_is_the_same_file(program in programs()) {
            prop_assert_eq!(bytes(&program), bytes(&program));
        }

        #[test]
        fn an_operation_more_leaves_the_texts_before_it(program in programs()) {
            let undamaged = Program { damage: Vec::new(), ..program };
            let mut longer = undamaged.clone();
            longer.ops.push(Op::User { content: Default::default() });
            prop_assert!(bytes(&longer).starts_with(&bytes(&undamaged)));
        }
    }
}
