//! The registry of rules: every rule that the oracle implements, once.
//!
//! The pages under `spec/` state each of them in full under the same id; `cargo xtask tidy` keeps
//! registry, pages, code and cases together.

/// One rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Its id, such as `CX-REC-03`.
    pub id: &'static str,
    /// How binding it is.
    pub level: Level,
    /// How it is known.
    pub status: Status,
    /// Names of the editions that follow it, oldest first.
    pub editions: &'static [&'static str],
    /// The rule in a sentence.
    pub title: &'static str,
    /// Why no generated scenario can be shown to exercise it; none if some do.
    pub idle: Option<&'static str>,
    /// Why no stored scenario is for it; none if some are.
    pub unstored: Option<&'static str>,
}

/// How a rule is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Generated scenarios on a real release of each edition agree with it, and would not without.
    Proven,
    /// Golden scenarios show what a real release of each edition does.
    Recorded,
}

impl Status {
    /// The word used on pages and in lists.
    pub fn name(self) -> &'static str {
        match self {
            Status::Proven => "proven",
            Status::Recorded => "recorded",
        }
    }
}

/// How binding a rule is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Work is lost or wrong if it is broken.
    Must,
    /// People are misled if it is broken.
    Should,
    /// A fact about the format.
    Informational,
}

impl Level {
    /// The word used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Level::Must => "MUST",
            Level::Should => "SHOULD",
            Level::Informational => "INFORMATIONAL",
        }
    }
}

/// All rules, in the order of the pages.
pub const RULES: &[Rule] = &[
    claude(info(
        "CC-FILE-01",
        "a transcript lies in the folder of its project under its session id",
    ))
    .golden_only(FACT),
    claude(info("CC-FILE-06", "the newest release notes its requests and costs")),
    claude(must(
        "CC-FILE-07",
        "a new entry hangs on the last entry of the chain that holds something",
    )),
    claude(must("CC-FILE-10", "an entry needs a type, an id and a message")).golden_only(NO_CHOICE),
    claude(must("CC-FILE-12", "entries without id overwrite each other")).golden_only(NO_CHOICE),
    claude(must(
        "CC-FILE-13",
        "a message of the wrong shape is passed over, or ends the turn or the resume",
    )),
    claude(must("CC-LOAD-01", "blank lines, white space around a value and CRLF are skipped"))
        .golden_only(NO_CHOICE),
    claude(must("CC-LOAD-02", "a value may span lines, in older releases a line holds one value")),
    claude(must("CC-LOAD-03", "what follows a value on its line is skipped"))
        .golden_only("shown with CC-LOAD-02"),
    claude(must("CC-LOAD-04", "a carriage return alone parts nothing"))
        .golden_only("shown with CC-LOAD-02"),
    claude(must("CC-LOAD-05", "a line that does not parse is skipped")).golden_only(NO_CHOICE),
    claude(must("CC-LOAD-06", "the newest release appends behind a line feed of its own")),
    claude(must("CC-LOAD-07", "one byte order mark at the start is ignored"))
        .golden_only("shown with CC-LOAD-02"),
    claude(must("CC-LOAD-08", "a byte that is not UTF-8 becomes a replacement character"))
        .golden_only(NO_CHOICE),
    claude(should(
        "CC-LOAD-09",
        "a surrogate without its pair becomes a replacement character, or stays an escape",
    ))
    .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-LOAD-10", "a null line is skipped, ends the resume or ends the file"))
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-LOAD-11", "a line of another type is no entry")).golden_only(NO_CHOICE),
    claude(must("CC-LOAD-12", "of two entries with one id the last counts")).golden_only(NO_CHOICE),
    claude(must("CC-LOAD-13", "session ids of entries do not matter to a resume by id"))
        .golden_only(NO_CHOICE),
    claude(must("CC-LOAD-14", "of a big file what stands before the last compaction is not read"))
        .generated_only("scenarios of more than five mebibytes are generated, not stored"),
    claude(must("CC-LOAD-16", "a file without conversation is refused")).golden_only(NO_CHOICE),
    claude(must("CC-LOAD-40", "older releases read line by line"))
        .of(CLAUDE_UP_TO_2_1_100)
        .golden_only("shown with CC-LOAD-02"),
    claude(must("CC-REC-01", "a resume continues the last entry, in older releases the newest")),
    claude(must(
        "CC-REC-02",
        "the newest release goes down from the last entry to its newest descendant",
    ))
    .of(CLAUDE_2_1_332_ONLY),
    claude(must("CC-REC-05", "a last-prompt line names the entry to continue")),
    claude(must("CC-REC-06", "an entry of a side conversation is not continued"))
        .golden_only(NO_CHOICE),
    claude(must("CC-REC-07", "the entry to continue needs a time in one release"))
        .of(CLAUDE_2_1_197_ONLY)
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-REC-08", "the chain is the walk over parents, and cycles end it"))
        .golden_only(NO_CHOICE),
    claude(must("CC-REC-09", "entries of a side conversation on the walk are sent"))
        .golden_only(NO_CHOICE),
    claude(must("CC-REC-10", "a gap of five seconds is bridged")),
    claude(must("CC-REC-11", "a root is not bridged")).golden_only(NO_CHOICE),
    claude(must("CC-REC-12", "ids are compared letter by letter")).golden_only(NO_CHOICE),
    claude(must("CC-REC-13", "entries below the leaf that say nothing follow it"))
        .of(CLAUDE_SINCE_2_1_197)
        .golden_only(NO_CHOICE),
    claude(must("CC-REC-14", "a pointer to a parallel call beside the walk is passed over"))
        .of(CLAUDE_2_1_332_ONLY)
        .golden_only("generated pointers seldom name an entry beside the walk"),
    claude(must("CC-REC-20", "links through progress lines lead to their parents")),
    claude(must("CC-REC-30", "a compaction leaves what stands behind its boundary")),
    claude(must("CC-REC-31", "a boundary that is not on the chain does not cut"))
        .golden_only(NO_CHOICE),
    claude(must("CC-REC-32", "a boundary without conversation is no leaf"))
        .of(CLAUDE_SINCE_2_1_197)
        .golden_only(NO_CHOICE),
    claude(must("CC-REC-33", "only boundaries cut")).golden_only(NO_CHOICE),
    claude(must("CC-REC-34", "a boundary can preserve messages")),
    claude(must("CC-REC-35", "the oldest release honours snip boundaries"))
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-REC-43", "a newest boundary cuts everything in older releases"))
        .of(CLAUDE_UP_TO_2_1_100)
        .golden_only("shown with CC-REC-01"),
    claude(must("CC-REC-45", "by path an older release continues the newest end"))
        .of(CLAUDE_UP_TO_2_1_100)
        .golden_only("shown with CC-REC-01"),
    claude(must("CC-PAR-01", "calls of one message id are parallel")).golden_only(NO_CHOICE),
    claude(must("CC-PAR-02", "what parallel calls have left beside the chain comes back")),
    claude(must(
        "CC-PAR-03",
        "what comes back stands by its place in the file, or behind the answer by time",
    ))
    .golden_only("shown with CC-PAR-02"),
    claude(must("CC-PAR-04", "results of side conversations come back, their calls do not"))
        .golden_only(NO_CHOICE),
    claude(must("CC-PAR-05", "entries beside the chain come after those on it"))
        .golden_only(NO_CHOICE),
    claude(must("CC-PAR-07", "results before their calls move behind them"))
        .of(CLAUDE_2_1_332_ONLY)
        .golden_only("shown with CC-PAR-02"),
    claude(must("CC-API-01", "users, assistants, local commands and attachments are sent"))
        .golden_only(NO_CHOICE),
    claude(must("CC-API-02", "the role is that of the type")).golden_only(NO_CHOICE),
    claude(must("CC-API-03", "users in a row become one message")).golden_only(NO_CHOICE),
    claude(must("CC-API-04", "assistants of one answer become one message"))
        .golden_only("generated answers without message id are of one request"),
    claude(must("CC-API-05", "a conversation may begin with an answer")).golden_only(NO_CHOICE),
    claude(must("CC-API-06", "what says nothing is dropped or named")),
    claude(must("CC-API-07", "thoughts that another model signed are not sent")),
    claude(must("CC-API-08", "unknown blocks are sent, tools of the server are not"))
        .golden_only(NO_CHOICE),
    claude(must("CC-API-10", "calls without result go, or get one that says so"))
        .golden_only(NO_CHOICE),
    claude(must("CC-API-11", "calls without result at the end get one that is written down")),
    claude(should("CC-API-12", "a result without call at the start is named"))
        .of(CLAUDE_2_1_332_ONLY)
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-API-13", "a second call of one id and a second result go"))
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-API-14", "a turn that was left is closed")),
    claude(info("CC-API-17", "the program adds what it says of itself")),
    claude(must("CC-API-18", "calls are sent last"))
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-API-19", "attachments of a history are sent by the newest release")),
    claude(must("CC-API-20", "of a failed result the texts are sent"))
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-API-41", "the oldest release sends virtual entries"))
        .golden_only("generated scenarios seldom hold it"),
    claude(must("CC-API-42", "an attachment at the end means that the turn goes on")),
    claude(should("CC-ID-02", "an id is looked for as it is typed")).golden_only(NO_CHOICE),
    claude(should("CC-ID-03", "a title names a session, not in older releases"))
        .golden_only("generated sessions are named by id and path"),
    claude(must("CC-ID-04", "an id is looked for in the project, by the newest release in all"))
        .golden_only("generated sessions are named by id and path"),
    claude(must("CC-ID-05", "continue takes the file that was changed last"))
        .golden_only("generated sessions are named by id and path"),
    claude(must("CC-ID-08", "a file is continued under the id of its leaf"))
        .golden_only("generated scenarios seldom hold it"),
    claude(should("CC-ID-09", "a session says again what it says of itself")),
    claude(should("CC-ID-10", "a new session can be given an id"))
        .golden_only("generated sessions are named by id and path"),
    claude(should("CC-ID-11", "a chain can be cut behind a message")).golden_only(NO_CHOICE),
    claude(should("CC-ID-12", "a session can stay unsaved")).golden_only(NO_CHOICE),
    claude(info("CC-ID-13", "the newest release tells that an agent is gone"))
        .of(CLAUDE_2_1_332_ONLY),
    claude(must("CC-FORK-02", "a copy holds the chain that is sent")).golden_only(NO_CHOICE),
    claude(must("CC-FORK-03", "copied entries keep their ids and times")).golden_only(NO_CHOICE),
    claude(must("CC-INT-01", "a marker says that a turn was interrupted")).golden_only(NO_CHOICE),
    info("CX-FMT-01", "an active rollout lies under its date and ends with its thread's id")
        .golden_only(FACT),
    info("CX-FMT-02", "a record is one JSON object on a line, with time, type and payload")
        .golden_only(FACT),
    info("CX-FMT-04", "a release knows a fixed set of record types").golden_only(FACT),
    must("CX-FMT-05", "a session_meta has id, time, cwd, originator and version")
        .golden_only("generated metadata has all members, CX-LOAD-01 shows what a lost one does"),
    info("CX-FMT-06", "events keep their old names on disk").golden_only(FACT),
    must("CX-FMT-07", "a compaction has a message and may hold a complete base"),
    should("CX-FMT-08", "the newest turn_context gives the model"),
    info("CX-FMT-09", "the records of a turn have a fixed order"),
    must("CX-FMT-11", "a thread has one of two contracts of persistence for life"),
    must(
        "CX-LOAD-01",
        "the first metadata or item is a session_meta, 0.138 also takes a later one",
    ),
    must("CX-LOAD-02", "a bad line before the first record stops a resume").of(SINCE_0_145),
    must("CX-LOAD-03", "blank lines and lines that are not JSON are skipped"),
    must(
        "CX-LOAD-04",
        "a line that is not UTF-8 stops a legacy file, since 0.171 a paginated one only loses it",
    ),
    must("CX-LOAD-05", "a line that is no known record is skipped, unknown members are lost"),
    must("CX-LOAD-06", "ghost snapshots are dropped"),
    must("CX-LOAD-07", "the first session_meta speaks for the thread"),
    must("CX-LOAD-08", "bytes are only appended, since 0.145 after a missing newline"),
    must("CX-LOAD-09", "ordinals of a paginated file go on after the last record").of(SINCE_0_145),
    must("CX-LOAD-10", "of a paginated file only what follows its last session_meta is context")
        .of(SINCE_0_171),
    must("CX-REC-01", "a user message that a known pair of tags encloses is context"),
    must("CX-REC-02", "a summary is no user message, before 0.171 it is one"),
    must("CX-REC-03", "the newest checkpoint that survives the rollbacks is the base"),
    must("CX-REC-03b", "in a paginated file the newest numbered checkpoint is the base")
        .of(SINCE_0_145),
    must("CX-REC-04", "a segment without user message vanishes uncounted in a rollback"),
    must("CX-REC-05", "a compaction outside a turn belongs to the turn before it"),
    must("CX-REC-06", "records after the base are replayed in file order"),
    must("CX-REC-07", "a compaction without base leaves the newest user texts and its summary"),
    must("CX-REC-08", "a rollback counts user messages, not turns"),
    must("CX-REC-09", "a checkpoint is the base if it survives, before 0.171 as soon as it is met"),
    must("CX-REC-10", "every call is sent with an output and no output without its call"),
    must("CX-REC-11", "a tool output beyond its budget loses its middle"),
    must("CX-REC-12", "the program injects its messages when no baseline survives"),
    must("CX-REC-13", "a resume adds no interruption marker"),
    info("CX-REC-14", "a summary begins with a fixed text and a newline")
        .golden_only("the text is an input of the oracle, CX-REC-02 shows what it is for"),
    must("CX-REC-15", "the base instructions come first, or in a field of the request"),
    info("CX-REC-16", "a turn repeats the settings when those of no earlier turn survive")
        .of(SINCE_0_171),
    should("CX-REC-17", "images and sounds that a model is not sent are replaced by a text")
        .of(SINCE_0_145)
        .golden_only("generated sessions hold no images"),
    should("CX-REC-18", "the model is told when an earlier turn had another one"),
    should("CX-REC-19", "context in the history that is no longer in force is called off")
        .of(SINCE_0_145),
    must("CX-FORK-05", "a paginated child inherits the bytes of its parent before an offset")
        .of(SINCE_0_171)
        .golden_only("generated sessions have no ancestors, forking is no operation yet"),
    must("CX-ZST-02", "a compressed rollout is read like a plain one and made plain by a resume")
        .golden_only("generated sessions are not compressed, archives are no operation yet"),
    should("CX-PROJ-01", "shown turns follow the turn events of a legacy file"),
    should("CX-PROJ-02", "a turn that no record opened is named by record number"),
    should("CX-PROJ-03", "a turn without end is shown as interrupted"),
    should("CX-PROJ-04", "shown turns of a paginated file ignore rollbacks").of(SINCE_0_145),
    should("CX-PROJ-05", "shown turns of a paginated file follow its ordinals").of(SINCE_0_145),
    should("CX-API-04", "a resume writes the settings once, unless the file records them")
        .of(SINCE_0_171),
    should("CX-API-08", "a thread whose model provider is not configured is refused")
        .golden_only("generated sessions name the configured provider"),
];

/// Why no choice of a reader can show a rule.
const FACT: &str = "a fact about the format, no choice of a reader";

/// Why no choice of a reader shows a rule of which there is one way only.
const NO_CHOICE: &str = "all releases do the same, and no choice is made otherwise";

const CLAUDE_2_1_332_ONLY: &[&str] = &["claude-2.1.332"];

const CLAUDE_2_1_197_ONLY: &[&str] = &["claude-2.1.197"];

const CLAUDE_SINCE_2_1_197: &[&str] = &["claude-2.1.197", "claude-2.1.332"];

const CLAUDE_UP_TO_2_1_100: &[&str] = &["claude-2.1.87", "claude-2.1.100"];

/// All editions of Claude Code.
const CLAUDE: &[&str] = &["claude-2.1.87", "claude-2.1.100", "claude-2.1.197", "claude-2.1.332"];

/// The editions of a rule that holds since 0.145.
const SINCE_0_145: &[&str] = &["codex-0.145", "codex-0.171"];

/// The editions of a rule that holds since 0.171.
const SINCE_0_171: &[&str] = &["codex-0.171"];

/// All editions of Codex.
const ALL: &[&str] = &["codex-0.138", "codex-0.145", "codex-0.171"];

const fn rule(level: Level, id: &'static str, title: &'static str) -> Rule {
    Rule { id, level, status: Status::Proven, editions: ALL, title, idle: None, unstored: None }
}

/// A rule of Claude Code, in all editions.
const fn claude(rule: Rule) -> Rule {
    rule.of(CLAUDE)
}

const fn must(id: &'static str, title: &'static str) -> Rule {
    rule(Level::Must, id, title)
}

const fn should(id: &'static str, title: &'static str) -> Rule {
    rule(Level::Should, id, title)
}

const fn info(id: &'static str, title: &'static str) -> Rule {
    rule(Level::Informational, id, title)
}

impl Rule {
    /// The rule, in these editions only.
    const fn of(self, editions: &'static [&'static str]) -> Rule {
        Rule { editions, ..self }
    }

    /// The rule, which only golden scenarios show, for this reason.
    const fn golden_only(self, idle: &'static str) -> Rule {
        Rule { status: Status::Recorded, idle: Some(idle), ..self }
    }

    /// The rule, which no stored scenario shows and few generated ones, for this reason.
    const fn generated_only(self, unstored: &'static str) -> Rule {
        Rule { unstored: Some(unstored), idle: Some(unstored), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::RULES;
    use crate::EDITIONS;

    #[test]
    fn ids_are_unique_and_every_choice_has_its_rule() {
        let mut ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
        for rule in EDITIONS.iter().flat_map(|edition| edition.rules()) {
            assert!(ids.contains(&rule), "{rule} is not registered");
        }
        ids.sort_unstable();
        let count = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
