//! The three readers of a rollout file, each with its own tolerance (section "Load" of the rules).

use super::choices::{AppendProbe, Choices, Encoding, FirstRecord, Identity};
use super::record::{Body, Meta, Record, Skipped};

/// A file as the history loader sees it.
#[derive(Debug)]
pub(super) struct Rollout<'a> {
    /// The records, in file order.
    pub(super) records: Vec<Record<'a>>,
    /// Index in `records` of the `session_meta` that speaks for the thread.
    meta: usize,
    /// Lines that are no record, by number.
    pub(super) skipped: Vec<(usize, Skipped)>,
    /// Whether the last line ends with a newline.
    pub(super) ends_with_newline: bool,
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
}

impl Rollout<'_> {
    pub(super) fn meta(&self) -> &Meta<'_> {
        match &self.records[self.meta].body {
            Body::Meta(meta) => meta,
            _ => unreachable!("`meta` is the index of a session_meta"),
        }
    }

    pub(super) fn mode(&self) -> Mode {
        match self.meta().history_mode.as_deref() {
            Some("paginated") => Mode::Paginated,
            _ => Mode::Legacy,
        }
    }
}

/// Reads a whole file as a resume does.
pub(super) fn load<'a>(bytes: &'a [u8], choices: &Choices) -> Result<Rollout<'a>, Refusal> {
    let mut rollout = Rollout {
        records: Vec::new(),
        meta: 0,
        skipped: Vec::new(),
        ends_with_newline: bytes.last().is_none_or(|byte| *byte == b'\n'),
    };
    let mut bad_encoding = false;
    let mut first_line = None;
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        let record = match std::str::from_utf8(line) {
            Ok(text) if text.trim().is_empty() => continue,
            Ok(text) => Record::read(number, text.trim()),
            Err(_) => {
                bad_encoding = true;
                Err(Skipped::NotJson)
            }
        };
        first_line.get_or_insert((number, line));
        match record {
            Ok(record) => rollout.records.push(record),
            Err(why) => rollout.skipped.push((number, why)),
        }
    }
    rollout.meta = find_meta(&rollout.records, choices)?;
    check_mode(rollout.meta())?;
    if bad_encoding && rollout.mode() == Mode::Legacy && choices.encoding == Encoding::WholeFile {
        return Err(Refusal::History(
            "failed to load thread history <file>: stream did not contain valid UTF-8".to_owned(),
        ));
    }
    check_append(&rollout, first_line, choices)?;
    Ok(rollout)
}

/// The metadata probe (CX-LOAD-01, CX-LOAD-07).
fn find_meta(records: &[Record<'_>], choices: &Choices) -> Result<usize, Refusal> {
    let is_meta = |record: &Record<'_>| matches!(record.body, Body::Meta(_));
    let refuse = |why: &str| {
        Err(Refusal::Metadata(format!(
            "thread-store internal error: failed to read session metadata <file>: \
             rollout at <file> {why}"
        )))
    };
    let Some(first) = records.first() else { return refuse("is empty") };
    if !is_meta(first) && choices.first_record == FirstRecord::MetaFirst {
        return refuse("does not start with session metadata");
    }
    let found = match choices.identity {
        Identity::FirstMeta => records.iter().position(is_meta),
        Identity::LastMeta => records.iter().rposition(is_meta),
    };
    found.map_or_else(|| refuse("does not start with session metadata"), Ok)
}

fn check_mode(meta: &Meta<'_>) -> Result<(), Refusal> {
    match meta.history_mode.as_deref() {
        None | Some("legacy" | "paginated") => Ok(()),
        Some(other) => Err(Refusal::Metadata(format!(
            "invalid session metadata history_mode: unknown variant `{other}`, \
             expected `legacy` or `paginated`"
        ))),
    }
}

/// The append opener (CX-LOAD-02, CX-LOAD-09).
fn check_append(
    rollout: &Rollout<'_>,
    first_line: Option<(usize, &[u8])>,
    choices: &Choices,
) -> Result<(), Refusal> {
    if let (AppendProbe::FirstLine, Some((number, line))) = (choices.append_probe, first_line)
        && rollout.records.first().is_some_and(|record| record.line != number)
    {
        // The program's text quotes its JSON parser; ours is the same one.
        let why = match serde_json::from_slice::<serde_json::Value>(line) {
            Err(error) => error.to_string(),
            Ok(_) => "missing field".to_owned(),
        };
        return Err(Refusal::Append(format!(
            "failed to parse first rollout record at <file>: {why}"
        )));
    }
    let last = rollout.records.last().and_then(|record| record.ordinal);
    if rollout.mode() == Mode::Paginated && last.is_none() {
        return Err(Refusal::Append(
            "final paginated rollout record at <file> is missing an ordinal".to_owned(),
        ));
    }
    Ok(())
}
