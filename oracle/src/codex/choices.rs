//! The choices that Codex releases make differently, or that an implementation can get wrong.

use crate::choices::choices;

choices! {
    /// Which contracts of persistence the release knows.
    history_modes: HistoryModes = "CX-FMT-11" {
        /// `legacy` and `paginated`.
        Two,
        /// One; what a file says of another is not looked at.
        LegacyOnly,
    }
    /// Whether a turn records what it cost.
    usage: UsageRecord = "CX-FMT-09" {
        /// In a `token_usage_record`.
        Written,
        /// Only in the event `token_count`.
        NotWritten,
    }
    /// Whether a checkpoint without entries is one.
    empty_base: EmptyBase = "CX-FMT-07" {
        /// It is, and leaves nothing.
        Base,
        /// It counts as a compaction without replacement history.
        NoBase,
    }
    /// The model of the resumed thread.
    model: Model = "CX-FMT-08" {
        /// That of the newest `turn_context`.
        NewestTurn,
        /// The configured one.
        Configured,
    }
    /// What a `turn_context` without model name does to a resume.
    empty_model: EmptyModel = "CX-FMT-08" {
        /// It is refused.
        Refused,
        /// Nothing.
        Accepted,
    }
    /// Where the first `session_meta` may stand.
    first_record: FirstRecord = "CX-LOAD-01" {
        /// The first record that parses must be one.
        MetaFirst,
        /// Another record may come before it.
        MetaAnywhere,
    }
    /// What a bad line in front of the first record does to a resume.
    append_probe: AppendProbe = "CX-LOAD-02" {
        /// The resume is refused: the writer insists on the first line that is not blank.
        FirstLine,
        /// Bad lines are skipped here too.
        FirstRecord,
    }
    /// What a line that is not JSON does to those after it.
    bad_lines: BadLines = "CX-LOAD-03" {
        /// Nothing.
        Skipped,
        /// They are not read.
        EndOfFile,
    }
    /// What a line that is no known record does to those after it.
    unknown_records: UnknownRecords = "CX-LOAD-05" {
        /// Nothing.
        Skipped,
        /// They are not read.
        EndOfFile,
    }
    /// Which members and types the release knows.
    schema: Schema = "CX-LOAD-05" {
        /// Those of release 0.138.
        Release0138,
        /// Those of release 0.145.
        Release0145,
        /// Those of release 0.171.
        Release0171,
    }
    /// What becomes of a file with bytes that are not UTF-8.
    encoding: Encoding = "CX-LOAD-04" {
        /// A legacy one is refused, a paginated one loses that line.
        LegacyRefused,
        /// It loses that line.
        LineLost,
    }
    /// What a second `session_meta` does to the context of a paginated file.
    second_meta: SecondMeta = "CX-LOAD-10" {
        /// Only what comes after the last one counts.
        Restarts,
        /// Nothing.
        Ignored,
    }
    /// What an id in the metadata that is not that of the file name does to a resume.
    foreign_ids: ForeignIds = "CX-LOAD-07" {
        /// It is refused.
        Refused,
        /// It goes on under the id of the metadata.
        Accepted,
    }
    /// How a resume under a provider that is not configured is refused.
    provider_refusal: ProviderRefusal = "CX-API-08" {
        /// With the advice to restore it.
        Restore,
        /// As not found.
        NotFound,
    }
    /// What becomes of `ghost_snapshot` entries inside a checkpoint.
    ghosts: Ghosts = "CX-LOAD-06" {
        /// The entry is taken out, the rest is used.
        Stripped,
        /// The checkpoint is not used at all.
        SpoilCheckpoint,
    }
    /// Which of several `session_meta` records speaks for the thread.
    identity: Identity = "CX-LOAD-07" {
        /// The first.
        FirstMeta,
        /// The last.
        LastMeta,
    }
    /// What the writer does when the last line has no newline.
    tail: Tail = "CX-LOAD-08" {
        /// It writes one first.
        NewlineFirst,
        /// It appends to that line.
        Glued,
    }
    /// How the next ordinal of a paginated file is found.
    ordinals: Ordinals = "CX-LOAD-09" {
        /// One more than the ordinal of the last record; without room for one the file is refused.
        AfterLast,
        /// The same, but without room nothing is written.
        AfterLastIfAny,
        /// The number of records.
        Count,
    }
    /// Which user messages are context rather than talk.
    contextual: Contextual = "CX-REC-01" {
        /// None.
        Never,
        /// Those of the fragments that release 0.138 knows.
        Known0138,
        /// Those of the fragments that release 0.145 knows.
        Known0145,
        /// Those of the fragments that release 0.171 knows.
        Known0171,
    }
    /// Whether a summary message counts as a user message.
    summary: Summary = "CX-REC-02" {
        /// It does not.
        NoBoundary,
        /// It does.
        Boundary,
    }
    /// What is done with the base that the scan finds.
    base: Base = "CX-REC-03" {
        /// The replay starts from it.
        Used,
        /// Nothing: everything is replayed.
        Unused,
    }
    /// Whether the end of a turn that is not the one begun last names its segment.
    foreign_ends: ForeignEnds = "CX-REC-03" {
        /// It does not.
        Ignored,
        /// It does.
        Counted,
    }
    /// Which checkpoint of a paginated file is the base.
    paginated_base: PaginatedBase = "CX-REC-03b" {
        /// The newest, if it numbers its window; rollbacks are not looked at.
        Newest,
        /// The same, if a user's turn with its settings follows, and no rollback.
        NewestUnlessRolledBack,
        /// The newest that survives, as in a legacy file.
        Survivor,
    }
    /// What a segment without user message does to a pending rollback.
    idle_segment: IdleSegment = "CX-REC-04" {
        /// It vanishes and consumes nothing.
        Free,
        /// It consumes one count.
        Counted,
    }
    /// Whose segment a compaction outside a turn belongs to.
    bare_compaction: BareCompaction = "CX-REC-05" {
        /// The older turn's.
        OlderTurn,
        /// One of its own.
        Own,
    }
    /// When a checkpoint becomes the base.
    adoption: Adoption = "CX-REC-09" {
        /// When it is known to survive.
        Survivor,
        /// As soon as the scan meets it.
        OnSight,
    }
    /// What a compaction without replacement history does.
    plain_compaction: PlainCompaction = "CX-REC-07" {
        /// It is replayed: user texts and the summary stay.
        Replayed,
        /// Nothing.
        Ignored,
    }
    /// In which form such a compaction keeps a message of several parts.
    kept_texts: KeptTexts = "CX-REC-07" {
        /// Part by part.
        Parts,
        /// As one text.
        Joined,
    }
    /// What a rollback counts.
    rollback_unit: RollbackUnit = "CX-REC-08" {
        /// User messages.
        Messages,
        /// Nothing: the marker is ignored in the replay.
        Ignored,
    }
    /// What goes with the first message that a rollback takes.
    rollback_context: RollbackContext = "CX-REC-06" {
        /// The context messages directly before it.
        TakesContext,
        /// Nothing.
        MessageOnly,
    }
    /// Calls without output and outputs without call.
    pairing: Pairing = "CX-REC-10" {
        /// A call gets the output `aborted`, a lone output is removed.
        Healed,
        /// They are sent as they are.
        AsRecorded,
    }
    /// What becomes of long tool outputs.
    outputs: Outputs = "CX-REC-11" {
        /// They are cut in the middle.
        Cut,
        /// They are sent whole.
        Whole,
    }
    /// Which models the release knows.
    models: Models = "CX-REC-11" {
        /// None.
        Never,
        /// Those of release 0.138.
        Known0138,
        /// Those of release 0.145.
        Known0145,
        /// Those of release 0.171.
        Known0171,
    }
    /// What becomes of empty parts of an output.
    empty_parts: EmptyParts = "CX-REC-11" {
        /// They vanish.
        Vanish,
        /// They stay.
        Stay,
    }
    /// What becomes of images and sounds that a model is not sent.
    media: Media = "CX-REC-17" {
        /// A text says that they are left out; an image in original detail is sent in high.
        ReplacedOrLowered,
        /// A text says that they are left out.
        Replaced,
        /// They are sent all the same.
        Sent,
    }
    /// When the program injects its own messages.
    injection: Injection = "CX-REC-12" {
        /// When no baseline survives in the replayed part.
        WithoutBaseline,
        /// Always.
        Always,
    }
    /// Which record tells what was injected before.
    baseline: BaselineRecord = "CX-REC-12" {
        /// `world_state`.
        WorldState,
        /// `turn_context`.
        TurnContext,
    }
    /// Whether the model learns that an earlier turn had another one.
    model_switch: ModelSwitch = "CX-REC-18" {
        /// A message says so.
        Told,
        /// It does not.
        Untold,
    }
    /// Which context in the history is called off, because it is no longer in force.
    revocation: Revocation = "CX-REC-19" {
        /// Instructions of AGENTS.md, skills, and the collaboration mode.
        All,
        /// Instructions of AGENTS.md and skills.
        Files,
        /// None.
        Never,
    }
    /// What a resume adds after an unfinished turn.
    unfinished: Unfinished = "CX-REC-13" {
        /// Nothing.
        NoMarker,
        /// An interruption marker.
        Marker,
    }
    /// How the base instructions are sent.
    instructions: Instructions = "CX-REC-15" {
        /// As the first message.
        Message,
        /// In a field of the request.
        Field,
    }
    /// When a turn repeats the settings of the thread.
    repeated_settings: RepeatedSettings = "CX-REC-16" {
        /// When the settings of no earlier turn survive.
        WithoutBaseline,
        /// Never.
        Never,
    }
    /// What a paginated thread inherits.
    lineage: Lineage = "CX-FORK-05" {
        /// What its `history_base` says.
        Followed,
        /// Nothing.
        Ignored,
    }
    /// What `turn_aborted` does to the shown turn.
    shown_abort: ShownAbort = "CX-PROJ-01" {
        /// It ends it.
        Ends,
        /// Later entries still join it.
        StaysOpen,
    }
    /// Ids of shown turns that no record opened.
    implicit_ids: ImplicitIds = "CX-PROJ-02" {
        /// By the number of the record that made them.
        RecordNumber,
        /// By the number of its line.
        LineNumber,
    }
    /// How a turn without end is shown.
    open_turn: OpenTurn = "CX-PROJ-03" {
        /// As interrupted.
        Interrupted,
        /// As in progress.
        InProgress,
    }
    /// What a rollback marker does to the shown turns of a paginated file.
    paginated_rollback: PaginatedRollback = "CX-PROJ-04" {
        /// Nothing.
        Ignored,
        /// It removes them.
        Applied,
    }
    /// Which of several ends of a turn counts in a paginated file.
    paginated_end: PaginatedEnd = "CX-PROJ-04" {
        /// The first.
        First,
        /// The last.
        Last,
    }
    /// Which records of a paginated file the shown turns are made of.
    shown_ordinals: ShownOrdinals = "CX-PROJ-05" {
        /// Those whose ordinal is above the one shown before.
        Rising,
        /// All, if the ordinals count from 0 without a gap; else none.
        Counting,
        /// All.
        Any,
    }
    /// What a resume writes before any turn.
    resume_writes: ResumeWrites = "CX-API-04" {
        /// The settings, unless the file already records them.
        Settings,
        /// Nothing.
        Nothing,
    }
}
