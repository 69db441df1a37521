//! The choices that Codex releases make differently, or that an implementation can get wrong.

/// Declares the choices: one enum each, the struct of all, and its alternatives.
macro_rules! choices {
    ($(
        $(#[doc = $doc:literal])+
        $field:ident: $kind:ident = $rule:literal {
            $( $(#[doc = $about:literal])+ $variant:ident, )+
        }
    )+) => {
        $(
            $(#[doc = $doc])+
            #[doc = ""]
            #[doc = concat!("Rule ", $rule, ".")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $kind { $( $(#[doc = $about])+ $variant, )+ }
        )+

        /// One field a choice, each with its rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Choices { $( $(#[doc = $doc])+ pub $field: $kind, )+ }

        impl Choices {
            /// Rule and choices, for each choice changed alone.
            pub(crate) fn alternatives(self) -> Vec<(&'static str, Choices)> {
                let mut out = Vec::new();
                $( for $field in [$( $kind::$variant ),+] {
                    if $field != self.$field {
                        out.push(($rule, Choices { $field, ..self }));
                    }
                } )+
                out
            }
        }
    };
}

choices! {
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
    /// What bytes that are not UTF-8 do to a legacy file.
    encoding: Encoding = "CX-LOAD-04" {
        /// The whole file is refused.
        WholeFile,
        /// That line is lost.
        Line,
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
        /// One more than the ordinal of the last record.
        AfterLast,
        /// The number of records.
        Count,
    }
    /// Which user messages are context rather than talk.
    contextual: Contextual = "CX-REC-01" {
        /// Those that a known pair of tags encloses.
        Fragments,
        /// None.
        Never,
    }
    /// Whether a summary message counts as a user message.
    summary: Summary = "CX-REC-02" {
        /// It does not.
        NoBoundary,
        /// It does.
        Boundary,
    }
    /// Which checkpoint of a paginated file is the base.
    paginated_base: PaginatedBase = "CX-REC-03b" {
        /// The newest, if it numbers its window; rollbacks are not looked at.
        Newest,
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
    /// When the program injects its own messages.
    injection: Injection = "CX-REC-12" {
        /// When no baseline survives in the replayed part.
        WithoutBaseline,
        /// Always.
        Always,
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
    /// What a resume writes before any turn.
    resume_writes: ResumeWrites = "CX-API-04" {
        /// The settings, unless the file already records them.
        Settings,
        /// Nothing.
        Nothing,
    }
}

impl Choices {
    /// As in release 0.171.0.
    pub const CODEX_0_171: Choices = Choices {
        first_record: FirstRecord::MetaFirst,
        append_probe: AppendProbe::FirstLine,
        encoding: Encoding::WholeFile,
        ghosts: Ghosts::Stripped,
        identity: Identity::FirstMeta,
        tail: Tail::NewlineFirst,
        ordinals: Ordinals::AfterLast,
        contextual: Contextual::Fragments,
        summary: Summary::NoBoundary,
        paginated_base: PaginatedBase::Newest,
        idle_segment: IdleSegment::Free,
        bare_compaction: BareCompaction::OlderTurn,
        adoption: Adoption::Survivor,
        plain_compaction: PlainCompaction::Replayed,
        rollback_unit: RollbackUnit::Messages,
        rollback_context: RollbackContext::TakesContext,
        pairing: Pairing::Healed,
        outputs: Outputs::Cut,
        injection: Injection::WithoutBaseline,
        unfinished: Unfinished::NoMarker,
        instructions: Instructions::Message,
        repeated_settings: RepeatedSettings::WithoutBaseline,
        shown_abort: ShownAbort::Ends,
        implicit_ids: ImplicitIds::RecordNumber,
        open_turn: OpenTurn::Interrupted,
        paginated_rollback: PaginatedRollback::Ignored,
        resume_writes: ResumeWrites::Settings,
    };
}
