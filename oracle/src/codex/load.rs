//! The three readers of a rollout file, each with its own tolerance (section "Loading" of the
//! rules).

use serde_json::Value;

use super::choices::{
    AppendProbe, BadLines, Choices, Encoding, FirstRecord, HistoryModes, Identity, Ordinals,
    Schema, Tail, UnknownRecords,
};
use super::record::{Body, Meta, Record, Skipped, is_dated, json};
use super::refusal::{Refusal, bad_mode, not_a_record};
use super::schema::uuid;

/// The lines of a file, as the schema of a release reads them.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    /// Those that are records, in file order, after those that the thread inherits.
    pub(super) records: Vec<Record>,
    /// How many of them are inherited.
    pub(super) inherited: usize,
    /// Those that are none, by number.
    pub(super) skipped: Vec<SkippedLine>,
    /// Whether the last line ends with a newline.
    pub(super) ends_with_newline: bool,
    /// The ordinal of the last line that is a record, kept or not; `None` if there is no such line.
    pub(super) last_ordinal: Option<Option<u64>>,
    /// The first line that is not blank, with its number.
    first: Option<(usize, &'a str)>,
    /// What the probe for the metadata meets, line by line.
    marks: Vec<Mark>,
    pub(super) bad_encoding: bool,
}

/// A line that is no record, or one that is not kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct SkippedLine {
    pub(super) line: usize,
    pub(super) why: Skipped,
    pub(super) ordinal: Option<u64>,
    pub(super) dated: bool,
}

/// What a line is to the probe (CX-LOAD-01).
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mark {
    /// Metadata, and the id in it.
    Meta(String),
    /// Metadata of a history mode that no release knows, and the words for it.
    BadMode(String),
    /// An item, also one of an unknown type.
    Item,
    /// The event of a user message with text.
    UserEvent,
    BadEncoding,
}

/// The persistence contract of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Legacy,
    Paginated,
}

impl<'a> Lines<'a> {
    /// Splits and reads `bytes` (CX-LOAD-03, CX-LOAD-05).
    pub(super) fn read(bytes: &'a [u8], schema: Schema) -> Lines<'a> {
        let mut lines = Lines {
            records: Vec::new(),
            inherited: 0,
            skipped: Vec::new(),
            ends_with_newline: bytes.last().is_none_or(|byte| *byte == b'\n'),
            last_ordinal: None,
            first: None,
            marks: Vec::new(),
            bad_encoding: false,
        };
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let Ok(line) = std::str::from_utf8(line) else {
                lines.bad_encoding = true;
                lines.skip(number, Skipped::NotJson, None, false);
                lines.marks.push(Mark::BadEncoding);
                continue;
            };
            let line = line.strip_suffix('\r').unwrap_or(line);
            if !line.trim().is_empty() {
                lines.add(number, line, schema);
            }
        }
        lines
    }

    fn add(&mut self, number: usize, line: &'a str, schema: Schema) {
        self.first.get_or_insert((number, line));
        let Some(value) = json(line, schema) else {
            self.skip(number, Skipped::NotJson, None, false);
            // The probe trims more than white space of JSON.
            if let Some(value) = json(line.trim(), schema) {
                self.mark(&value, &Record::read(number, &value, schema));
            }
            return;
        };
        let record = Record::read(number, &value, schema);
        self.mark(&value, &record);
        match record {
            Ok(record) => {
                self.last_ordinal = Some(record.ordinal);
                self.records.push(record);
            }
            Err((why, ordinal)) => {
                if why.is_record() {
                    self.last_ordinal = Some(ordinal);
                }
                self.skip(number, why, ordinal, is_dated(&value));
            }
        }
    }

    fn skip(&mut self, line: usize, why: Skipped, ordinal: Option<u64>, dated: bool) {
        self.skipped.push(SkippedLine { line, why, ordinal, dated });
    }

    fn mark(&mut self, value: &Value, record: &Result<Record, (Skipped, Option<u64>)>) {
        let mark = match record {
            _ if bad_mode(value).is_some() => bad_mode(value).map(Mark::BadMode),
            Ok(Record { body: Body::Meta(meta), .. }) => Some(Mark::Meta(meta.id.clone())),
            Ok(Record { body: Body::Item(_), .. }) => Some(Mark::Item),
            Ok(Record { body: Body::UserMessage { text }, .. }) if !text.is_empty() => {
                Some(Mark::UserEvent)
            }
            Err((why, _)) if why.is_record() => Some(Mark::Item),
            _ => None,
        };
        self.marks.extend(mark);
    }

    /// The records of the file itself.
    pub(super) fn own(&self) -> &[Record] {
        &self.records[self.inherited..]
    }

    /// How many of the records a reader meets that stops at a line of these kinds.
    pub(super) fn readable(&self, choices: &Choices) -> usize {
        let stops = |why: &Skipped| match why {
            Skipped::NotJson => choices.bad_lines == BadLines::EndOfFile,
            Skipped::Unknown | Skipped::UnknownItem => {
                choices.unknown_records == UnknownRecords::EndOfFile
            }
            Skipped::Ghost => false,
        };
        let stop = self.skipped.iter().find(|it| stops(&it.why)).map(|it| it.line);
        let before = |record: &Record| stop.is_none_or(|stop| record.line < stop);
        self.inherited + self.own().partition_point(before)
    }

    /// Whether the writer first ends a line that is not ended (CX-LOAD-08).
    pub(super) fn tail_is_repaired(&self, choices: &Choices) -> bool {
        !self.ends_with_newline && choices.tail == Tail::NewlineFirst
    }

    /// Puts the records of ancestors before the file's own.
    pub(super) fn inherit(&mut self, records: Vec<Record>) {
        self.inherited = records.len();
        self.records.splice(0..0, records);
    }
}

impl Meta {
    /// The thread's contract (CX-FMT-11).
    pub(super) fn mode(&self, choices: &Choices) -> Mode {
        if self.paginated && choices.history_modes == HistoryModes::Two {
            Mode::Paginated
        } else {
            Mode::Legacy
        }
    }
}

/// The metadata of a file that a resume accepts so far: what the probe and the history loader say.
pub(super) fn admit<'l>(
    lines: &'l Lines<'_>,
    thread: &str,
    choices: &Choices,
) -> Result<&'l Meta, Refusal> {
    let meta = probe(lines, thread, choices)?;
    if lines.bad_encoding
        && meta.mode(choices) == Mode::Legacy
        && choices.encoding != Encoding::LineLost
    {
        let why = format!("failed to load thread history <file>: {BAD_ENCODING}");
        return Err(Refusal::History(why));
    }
    Ok(meta)
}

/// The metadata probe (CX-LOAD-01, CX-LOAD-07).
fn probe<'l>(lines: &'l Lines<'_>, thread: &str, choices: &Choices) -> Result<&'l Meta, Refusal> {
    match choices.first_record {
        FirstRecord::MetaFirst => probe_first(lines).map_err(Refusal::Metadata)?,
        FirstRecord::MetaAnywhere => probe_anywhere(lines, thread)?,
    }
    let mut metas = lines.own().iter().filter_map(Record::meta);
    let found = match choices.identity {
        Identity::FirstMeta => metas.next(),
        Identity::LastMeta => metas.next_back(),
    };
    match found {
        Some(found) => Ok(found),
        // Metadata that only the probe could read: the next reader cannot.
        None => Err(open_for_append(lines, Mode::Legacy, choices)
            .err()
            .unwrap_or_else(|| Refusal::Metadata(EMPTY.to_owned()))),
    }
}

const EMPTY: &str = "rollout at <file> is empty";
const NO_META_FIRST: &str = "rollout at <file> does not start with session metadata";
const BAD_ENCODING: &str = "stream did not contain valid UTF-8";

/// The first metadata or item decides; if it is no metadata, why the file is refused.
pub(super) fn probe_first(lines: &Lines<'_>) -> Result<(), String> {
    Err(match lines.marks.iter().find(|mark| **mark != Mark::UserEvent) {
        Some(Mark::Meta(_)) => return Ok(()),
        Some(Mark::BadEncoding) => BAD_ENCODING.to_owned(),
        Some(Mark::BadMode(why)) => format!("invalid session metadata history_mode: {why}"),
        Some(Mark::Item | Mark::UserEvent) => NO_META_FIRST.to_owned(),
        None => EMPTY.to_owned(),
    })
}

/// How many metadata and items the older probe looks at.
const HEAD: usize = 10;

/// The thread's own metadata anywhere among the first items will do, if there is a user message too;
/// else metadata must come first.
fn probe_anywhere(lines: &Lines<'_>, thread: &str) -> Result<(), Refusal> {
    let (mut own, mut heads, mut spoke) = (false, 0, false);
    for mark in &lines.marks {
        match mark {
            Mark::Meta(id) => {
                (own, heads) = (own || uuid(thread).is_none_or(|it| it == *id), heads + 1);
            }
            Mark::BadMode(_) | Mark::Item => heads += 1,
            Mark::UserEvent => spoke = true,
            Mark::BadEncoding => break,
        }
        if own && spoke {
            return Ok(());
        }
        if heads >= HEAD && !own {
            break;
        }
    }
    let mut first = None;
    let mut heads = 0;
    for mark in lines.marks.iter().filter(|mark| **mark != Mark::UserEvent) {
        if *mark == Mark::BadEncoding {
            return Err(Refusal::History(format!("failed to read thread <file>: {BAD_ENCODING}")));
        }
        first.get_or_insert(mark);
        heads += 1;
        if heads == HEAD {
            break;
        }
    }
    let why = match first {
        Some(Mark::Meta(_) | Mark::BadMode(_)) => return Ok(()),
        Some(_) => NO_META_FIRST,
        None => EMPTY,
    };
    Err(Refusal::History(format!("failed to read thread <file>: {why}")))
}

/// The append opener (CX-LOAD-02, CX-LOAD-09).
pub(super) fn open_for_append(
    lines: &Lines<'_>,
    mode: Mode,
    choices: &Choices,
) -> Result<(), Refusal> {
    if let (AppendProbe::FirstLine, Some((number, line))) = (choices.append_probe, lines.first) {
        match lines.own().first() {
            Some(record) if record.line == number => {
                if record.meta().is_none() {
                    return Err(Refusal::Append(NO_META_FIRST.to_owned()));
                }
            }
            _ => {
                let why = not_a_record(line, choices.schema);
                let text = format!("failed to parse first rollout record at <file>: {why}");
                return Err(Refusal::Append(text));
            }
        }
    }
    match lines.last_ordinal {
        _ if mode == Mode::Legacy => Ok(()),
        Some(Some(u64::MAX)) if choices.ordinals == Ordinals::AfterLast => {
            Err(Refusal::History("paginated rollout record ordinal overflow".to_owned()))
        }
        Some(Some(_)) => Ok(()),
        _ => Err(Refusal::Append(
            "final paginated rollout record at <file> is missing an ordinal".to_owned(),
        )),
    }
}
