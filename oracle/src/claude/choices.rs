//! The choices that Claude Code releases make differently, or that an implementation can get wrong.

use crate::choices::choices;

choices! {
    /// What a value in a file may look like.
    reader: Reader = "CC-LOAD-02" {
        /// One value after the other, over any number of lines.
        Stream,
        /// One value on one line.
        Lines,
    }
    /// What a surrogate without its pair is sent as.
    surrogates: Surrogates = "CC-LOAD-09" {
        /// A replacement character.
        Replaced,
        /// The escape that it came as.
        Kept,
    }
    /// What becomes of an entry whose message or attachment has the wrong shape.
    shapes: Shapes = "CC-FILE-13" {
        /// It is no entry; its children hang on its parent.
        Skipped,
        /// It stays, and most of what it lacks ends the turn.
        EndsTurn,
        /// It stays, and most of what it lacks ends the resume.
        EndsResume,
    }
    /// What is left out of a big file without a compaction.
    big_files: BigFiles = "CC-LOAD-14" {
        /// Nothing.
        Whole,
        /// What is not on the walk to its last entry or to what is pointed to.
        PrunedAndPointed,
        /// What is not on the walk to its last entry.
        Pruned,
    }
    /// What a line that is `null` does.
    nulls: Nulls = "CC-LOAD-10" {
        /// Nothing.
        Skipped,
        /// It ends the resume.
        EndResume,
        /// It ends the file.
        EndFile,
    }
    /// What becomes of links through progress lines.
    progress: Progress = "CC-REC-20" {
        /// They lead to the parent of the progress line, if that stands before.
        Collapsed,
        /// They lead nowhere.
        Ignored,
    }
    /// Which entry a resume continues.
    leaf: Leaf = "CC-REC-01" {
        /// The last one in the file.
        Last,
        /// The newest by time; by path, the newest end.
        Newest,
    }
    /// Whether the entry to continue needs a time.
    leaf_time: LeafTime = "CC-REC-07" {
        /// It does not.
        Unneeded,
        /// Without one there is no conversation.
        Needed,
    }
    /// Whether the last entry is continued where it has descendants.
    descent: Descent = "CC-REC-02" {
        /// Its newest descendant is, if that is not older.
        Newest,
        /// It is.
        None,
    }
    /// Whether a `last-prompt` line names the entry to continue.
    pointer: Pointer = "CC-REC-05" {
        /// It does, unless the entry lies on the chain or beside it among parallel calls.
        FollowedAside,
        /// It does, unless the entry lies on the chain.
        Followed,
        /// It does not.
        Ignored,
    }
    /// Where a chain goes on whose next parent is not there.
    bridging: Bridging = "CC-REC-10" {
        /// At the newest earlier entry within five seconds on its own side of the main chain.
        FiveSeconds,
        /// At the newest earlier entry within five seconds.
        FiveSecondsAnywhere,
        /// Nowhere.
        None,
    }
    /// What becomes of the entries that a `snip_boundary` names.
    snip: Snip = "CC-REC-35" {
        /// They stay.
        Ignored,
        /// They go, and their children hang on their parents.
        Honoured,
    }
    /// What a compaction leaves.
    compaction: Compaction = "CC-REC-30" {
        /// What stands behind its boundary.
        Cut,
        /// Everything.
        Kept,
    }
    /// What a boundary can preserve of what stands before it.
    preserved: Preserved = "CC-REC-34" {
        /// Listed messages, and segments.
        ListsAndSegments,
        /// Segments.
        Segments,
        /// Nothing.
        Nothing,
    }
    /// What parallel calls have left beside the chain.
    recovery: Recovery = "CC-PAR-02" {
        /// It comes back, merged by its place in the file.
        ByPlace,
        /// It comes back behind the answer, by time.
        ByTime,
        /// It is lost.
        None,
    }
    /// Which answers without message id are one.
    nameless_answers: NamelessAnswers = "CC-API-04" {
        /// Those of one request.
        ByRequest,
        /// All in a row.
        One,
    }
    /// Where calls stand in a message.
    call_order: CallOrder = "CC-API-18" {
        /// Behind everything else.
        Last,
        /// As they were made.
        Kept,
    }
    /// What becomes of thoughts that another model has signed.
    thoughts: Thoughts = "CC-API-07" {
        /// They go.
        Dropped,
        /// They are sent.
        Sent,
    }
    /// What becomes of calls without result at the end of a chain.
    unanswered_end: UnansweredEnd = "CC-API-11" {
        /// Each gets a result that is written down.
        Persisted,
        /// They go like those in the middle.
        Dropped,
    }
    /// What closes a turn that was left while tools worked.
    resumption: Resumption = "CC-API-14" {
        /// An answer.
        Answered,
        /// A request to continue, and an answer.
        ContinueFirst,
    }
    /// What an attachment at the end of a chain means.
    bare_attachments: BareAttachments = "CC-API-42" {
        /// That the turn goes on if a user spoke last.
        PassedOver,
        /// That the turn goes on.
        Continued,
    }
    /// Which entry new ones hang on.
    ends: Ends = "CC-FILE-07" {
        /// The last that is not an empty message.
        Filled,
        /// The last that is not an attachment.
        Spoken,
    }
    /// Whether entries that are flagged as virtual are sent.
    hidden: Virtual = "CC-API-41" {
        /// They are not.
        Hidden,
        /// They are.
        Sent,
    }
    /// What becomes of white space that a user says.
    blank_texts: BlankTexts = "CC-API-06" {
        /// It goes.
        Dropped,
        /// It is sent.
        Sent,
    }
    /// What is sent of the result of a call that failed.
    failed_results: FailedResults = "CC-API-20" {
        /// Its texts.
        Texts,
        /// All of it.
        Whole,
    }
    /// What becomes of a user's message without blocks.
    no_blocks: NoBlocks = "CC-API-06" {
        /// It goes.
        Dropped,
        /// It is sent.
        Sent,
    }
    /// What becomes of a second call of one id and of a result without call.
    mispaired: Mispaired = "CC-API-13" {
        /// A text stands for each.
        Named,
        /// The call is sent, and a message of such results goes.
        Sent,
    }
    /// Whether attachments of a history say something.
    attachments: Attachments = "CC-API-19" {
        /// They do.
        Spoken,
        /// They do not.
        Silent,
    }
    /// Where the program adds reminders of its own.
    injection: Injection = "CC-API-17" {
        /// Around the prompt.
        Prompt,
        /// Before the first message, if a user's.
        Start,
    }
    /// What a session says of itself again.
    restated: Restated = "CC-ID-09" {
        /// What the end of the file does not say.
        Missing,
        /// The same, of fewer kinds.
        MissingNoLatch,
        /// A few kinds, always.
        Always,
        /// The same, a title that another session gave too.
        AlwaysAnyones,
    }
    /// Whether the newest file is continued that holds no entry.
    bare_latest: BareLatest = "CC-ID-05" {
        /// It is not looked at.
        PassedOver,
        /// It is, without a history.
        Taken,
    }
    /// In which projects an id is looked for.
    scope: Scope = "CC-ID-04" {
        /// The current one, then all others.
        EveryProject,
        /// The current one.
        OwnProject,
    }
    /// Whether a session can be named by its title.
    titles: Titles = "CC-ID-03" {
        /// It can.
        Known,
        /// It cannot.
        Unknown,
    }
    /// Where a session goes on that was named by its file.
    folder: Folder = "CC-ID-08" {
        /// In the folder of the file.
        OfFile,
        /// In that of the current project.
        OfProject,
    }
    /// What becomes of the history of such a file whose leaf has no session id.
    nameless_leaf: NamelessLeaf = "CC-ID-08" {
        /// It stays where it is.
        Left,
        /// It is copied.
        Copied,
    }
    /// What becomes of a session id in such a file that is no UUID.
    odd_ids: OddIds = "CC-ID-08" {
        /// It is replaced.
        Replaced,
        /// It is kept.
        Kept,
    }
    /// How an id is refused that a resume cannot take.
    wording: Wording = "CC-ID-10" {
        /// It needs a fork.
        Needs,
        /// It can only be used with one.
        CanOnly,
    }
    /// What is said of an agent that is no longer there.
    lost_agents: LostAgents = "CC-ID-13" {
        /// That it is not.
        Told,
        /// Nothing.
        Untold,
    }
    /// Whether requests and costs are noted down.
    accounting: Accounting = "CC-FILE-06" {
        /// They are.
        Noted,
        /// They are not.
        None,
    }
    /// What is appended to a file whose last line has no end.
    tail: Tail = "CC-LOAD-06" {
        /// A line feed first.
        NewlineFirst,
        /// The first line, right behind it.
        Glued,
    }
    /// What stands for results without call at the start.
    orphan_start: OrphanStart = "CC-API-12" {
        /// A text that says so.
        Named,
        /// Nothing.
        Gone,
    }
}

impl Choices {
    /// As in release 2.1.332.
    pub const CLAUDE_2_1_332: Choices = Choices {
        reader: Reader::Stream,
        surrogates: Surrogates::Replaced,
        shapes: Shapes::Skipped,
        big_files: BigFiles::Whole,
        nulls: Nulls::Skipped,
        progress: Progress::Collapsed,
        leaf: Leaf::Last,
        leaf_time: LeafTime::Unneeded,
        descent: Descent::Newest,
        pointer: Pointer::FollowedAside,
        bridging: Bridging::FiveSeconds,
        snip: Snip::Ignored,
        compaction: Compaction::Cut,
        preserved: Preserved::ListsAndSegments,
        recovery: Recovery::ByPlace,
        nameless_answers: NamelessAnswers::ByRequest,
        call_order: CallOrder::Last,
        thoughts: Thoughts::Dropped,
        unanswered_end: UnansweredEnd::Persisted,
        resumption: Resumption::Answered,
        bare_attachments: BareAttachments::PassedOver,
        ends: Ends::Filled,
        hidden: Virtual::Hidden,
        blank_texts: BlankTexts::Dropped,
        failed_results: FailedResults::Texts,
        no_blocks: NoBlocks::Dropped,
        mispaired: Mispaired::Named,
        attachments: Attachments::Spoken,
        injection: Injection::Prompt,
        bare_latest: BareLatest::PassedOver,
        scope: Scope::EveryProject,
        titles: Titles::Known,
        folder: Folder::OfFile,
        nameless_leaf: NamelessLeaf::Left,
        odd_ids: OddIds::Replaced,
        wording: Wording::Needs,
        lost_agents: LostAgents::Told,
        accounting: Accounting::Noted,
        tail: Tail::NewlineFirst,
        restated: Restated::Missing,
        orphan_start: OrphanStart::Named,
    };

    /// As in release 2.1.197.
    pub const CLAUDE_2_1_197: Choices = Choices {
        shapes: Shapes::EndsTurn,
        big_files: BigFiles::PrunedAndPointed,
        nulls: Nulls::EndResume,
        leaf_time: LeafTime::Needed,
        no_blocks: NoBlocks::Sent,
        descent: Descent::None,
        pointer: Pointer::Followed,
        recovery: Recovery::ByTime,
        nameless_answers: NamelessAnswers::One,
        unanswered_end: UnansweredEnd::Dropped,
        resumption: Resumption::ContinueFirst,
        injection: Injection::Start,
        bare_latest: BareLatest::Taken,
        scope: Scope::OwnProject,
        odd_ids: OddIds::Kept,
        wording: Wording::CanOnly,
        lost_agents: LostAgents::Untold,
        accounting: Accounting::None,
        tail: Tail::Glued,
        restated: Restated::MissingNoLatch,
        attachments: Attachments::Silent,
        orphan_start: OrphanStart::Gone,
        ..Choices::CLAUDE_2_1_332
    };

    /// As in release 2.1.100.
    pub const CLAUDE_2_1_100: Choices = Choices {
        reader: Reader::Lines,
        titles: Titles::Unknown,
        folder: Folder::OfProject,
        nameless_leaf: NamelessLeaf::Copied,
        shapes: Shapes::EndsResume,
        big_files: BigFiles::Whole,
        nulls: Nulls::EndFile,
        blank_texts: BlankTexts::Sent,
        bridging: Bridging::FiveSecondsAnywhere,
        surrogates: Surrogates::Kept,
        leaf: Leaf::Newest,
        pointer: Pointer::Ignored,
        preserved: Preserved::Segments,
        call_order: CallOrder::Kept,
        thoughts: Thoughts::Sent,
        bare_attachments: BareAttachments::Continued,
        restated: Restated::Always,
        ..Choices::CLAUDE_2_1_197
    };

    /// As in release 2.1.87.
    pub const CLAUDE_2_1_87: Choices = Choices {
        bridging: Bridging::None,
        hidden: Virtual::Sent,
        big_files: BigFiles::Pruned,
        snip: Snip::Honoured,
        ends: Ends::Spoken,
        mispaired: Mispaired::Sent,
        restated: Restated::AlwaysAnyones,
        ..Choices::CLAUDE_2_1_100
    };
}
