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
    fn play(&mut self, op: &Op) {
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
