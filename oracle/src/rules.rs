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

/// The editions of a rule that holds since 0.145.
const SINCE_0_145: &[&str] = &["codex-0.145", "codex-0.171"];

/// The editions of a rule that holds since 0.171.
const SINCE_0_171: &[&str] = &["codex-0.171"];

/// The editions of a rule that holds in all.
const ALL: &[&str] = &["codex-0.138", "codex-0.145", "codex-0.171"];

const fn rule(level: Level, id: &'static str, title: &'static str) -> Rule {
    Rule { id, level, status: Status::Proven, editions: ALL, title, idle: None }
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
