//! The three readers of a rollout file, each with its own tolerance (section "Loading" of the
//! rules).

use super::choices::{AppendProbe, Choices, Encoding, FirstRecord, Identity};
use super::record::{Meta, Record, Skipped};

/// The lines of a file. Nothing here depends on an edition.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    /// Those that are records, in file order, after those that the thread inherits.
    pub(super) records: Vec<Record<'a>>,
    /// How many of them are inherited.
    pub(super) inherited: usize,
    /// Those that are none, by number.
    pub(super) skipped: Vec<(usize, Skipped)>,
    /// Whether the last line ends with a newline.
    pub(super) ends_with_newline: bool,
    /// The first line that is not blank, with its number.
    first: Option<(usize, &'a [u8])>,
    bad_encoding: bool,
}

/// The persistence contract of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Legacy,
    Paginated,
}

/// Why a file cannot be resumed; the texts are the program's own, with `<file>` for its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Refused by every reader, when it looks for the metadata.
    Metadata(String),
    /// Refused by the history loader.
    History(String),
    /// Refused by the writer, before it appends.
    Append(String),
    /// Refused because of an ancestor.
    Lineage(String),
}

impl<'a> Lines<'a> {
    /// Splits and reads `bytes` (CX-LOAD-03, CX-LOAD-05).
    pub(super) fn read(bytes: &'a [u8]) -> Lines<'a> {
        let mut lines = Lines {
            records: Vec::new(),
            inherited: 0,
            skipped: Vec::new(),
            ends_with_newline: bytes.last().is_none_or(|byte| *byte == b'\n'),
            first: None,
            bad_encoding: false,
        };
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let record = match std::str::from_utf8(line) {
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => Record::read(number, text.trim()),
                Err(_) => {
                    lines.bad_encoding = true;
                    Err(Skipped::NotJson)
                }
            };
            lines.first.get_or_insert((number, line));
            match record {
                Ok(record) => lines.records.push(record),
                Err(why) => lines.skipped.push((number, why)),
            }
        }
        lines
    }

    /// The records of the file itself.
    pub(super) fn own(&self) -> &[Record<'a>] {
        &self.records[self.inherited..]
    }

    /// Puts the records of ancestors before the file's own.
    pub(super) fn inherit(&mut self, records: Vec<Record<'a>>) {
        self.inherited = records.len();
        self.records.splice(0..0, records);
    }
}

impl Meta<'_> {
    /// The thread's contract.
    pub(super) fn mode(&self) -> Mode {
        match self.history_mode.as_deref() {
            Some("paginated") => Mode::Paginated,
            _ => Mode::Legacy,
        }
    }
}

/// The metadata of a file that a resume accepts.
pub(super) fn admit<'l, 'a>(
    lines: &'l Lines<'a>,
    choices: &Choices,
) -> Result<&'l Meta<'a>, Refusal> {
    let meta = probe(lines.own(), choices)?;
    let mode = meta.mode();
    if lines.bad_encoding && mode == Mode::Legacy && choices.encoding == Encoding::WholeFile {
        return Err(Refusal::History(
            "failed to load thread history <file>: stream did not contain valid UTF-8".to_owned(),
        ));
    }
    open_for_append(lines, mode, choices)?;
    Ok(meta)
}

/// The metadata probe (CX-LOAD-01, CX-LOAD-07).
fn probe<'l, 'a>(records: &'l [Record<'a>], choices: &Choices) -> Result<&'l Meta<'a>, Refusal> {
    let refuse = |why: &str| {
        Err(Refusal::Metadata(format!(
            "thread-store internal error: failed to read session metadata <file>: \
             rollout at <file> {why}"
        )))
    };
    let Some(first) = records.first() else { return refuse("is empty") };
    if first.meta().is_none() && choices.first_record == FirstRecord::MetaFirst {
        return refuse("does not start with session metadata");
    }
    let found = match choices.identity {
        Identity::FirstMeta => records.iter().find_map(Record::meta),
        Identity::LastMeta => records.iter().rev().find_map(Record::meta),
    };
    let Some(found) = found else { return refuse("does not start with session metadata") };
    match found.history_mode.as_deref() {
        None | Some("legacy" | "paginated") => Ok(found),
        Some(other) => Err(Refusal::Metadata(format!(
            "invalid session metadata history_mode: unknown variant `{other}`, \
             expected `legacy` or `paginated`"
        ))),
    }
}

/// The append opener (CX-LOAD-02, CX-LOAD-09).
fn open_for_append(lines: &Lines<'_>, mode: Mode, choices: &Choices) -> Result<(), Refusal> {
    if let (AppendProbe::FirstLine, Some((number, line))) = (choices.append_probe, lines.first)
        && lines.own().first().is_some_and(|record| record.line != number)
    {
        // The program's text quotes its JSON parser; ours is the same one.
        let why = match serde_json::from_slice::<serde_json::Value>(line) {
            Err(error) => error.to_string(),
            Ok(_) => "missing field".to_owned(),
        };
        let text = format!("failed to parse first rollout record at <file>: {why}");
        return Err(Refusal::Append(text));
    }
    let last = lines.own().last().and_then(|record| record.ordinal);
    if mode == Mode::Paginated && last.is_none() {
        return Err(Refusal::Append(
            "final paginated rollout record at <file> is missing an ordinal".to_owned(),
        ));
    }
    Ok(())
}
