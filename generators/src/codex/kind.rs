//! Kinds of what operations do.

use crate::kind::kinds;

kinds! {
    /// How a turn ends.
    End {
        /// Properly.
        Complete = "complete",
        /// By interruption.
        Abort = "abort",
        /// By an interruption that does not say of which turn.
        AbortUnnamed = "abort unnamed",
        /// Not at all.
        Open = "open",
    }
    /// Kinds of tools.
    Tool {
        /// With JSON arguments.
        Function = "function call",
        /// With free text.
        Custom = "custom call",
    }
    /// What the record of the settings of a turn says.
    Settings {
        /// What the thread began with.
        Same = "settings",
        /// Another model.
        OtherModel = "settings of another model",
        /// Another folder.
        OtherFolder = "settings of another folder",
        /// Not which turn it is.
        Unnamed = "settings without turn",
        /// Too little to be a record.
        Malformed = "malformed settings",
    }
    /// One of the two records that a message leaves.
    Half {
        /// What the user said, for the model only.
        UserItem = "user item alone",
        /// What the user said, for the interface only.
        UserEvent = "user event alone",
        /// What the agent said, for the model only.
        AgentItem = "agent item alone",
        /// What the agent said, for the interface only.
        AgentEvent = "agent event alone",
    }
    /// User messages that are context and not talk.
    Context {
        /// The environment.
        Environment = "environment context",
        /// Instructions of a folder.
        Agents = "agents context",
        /// An interruption.
        Aborted = "aborted context",
        /// A skill.
        Skill = "skill context",
        /// A command that the user ran.
        Shell = "shell context",
        /// News of another agent.
        Subagent = "subagent context",
        /// A goal.
        Goal = "goal context",
        /// What a hook says.
        Hook = "hook context",
    }
    /// User messages that look like context and are talk.
    LookAlike {
        /// The tag is not closed.
        OpenTag = "open tag",
        /// Text stands before the tag.
        TextBefore = "text before tag",
        /// The tag is none that makes context.
        OtherTag = "other tag",
        /// The prefix of a summary without the newline after it.
        Prefix = "prefix alone",
    }
    /// Messages of the developer; all but the first are context.
    Developer {
        /// Anything.
        Plain = "developer",
        /// What is permitted.
        Permissions = "permissions",
        /// Another model took over.
        ModelSwitch = "model switch",
        /// How to work together.
        Collaboration = "collaboration mode",
        /// How to behave.
        Personality = "personality",
        /// What skills there are.
        Skills = "skills",
    }
    /// What a complete base holds besides users and summary.
    Extra {
        /// Nothing.
        None = "plain base",
        /// A ghost snapshot.
        Ghost = "base with ghost",
        /// A tool call and its output.
        Tools = "base with tools",
        /// Context messages.
        Context = "base with context",
    }
    /// Where a compaction stands.
    Place {
        /// Where the operations before it have led.
        Here = "compaction here",
        /// There too, with the event that shows it.
        Shown = "shown compaction",
        /// In a turn of its own.
        Turn = "compaction turn",
    }
    /// The form of a tool's output.
    Form {
        /// A text.
        Text = "text output",
        /// A list of texts.
        Parts = "list output",
        /// A text that is cut.
        Long = "long output",
        /// A list of texts that is cut.
        LongParts = "long list output",
        /// A text of multi-byte characters that is cut.
        LongWide = "long multi-byte output",
    }
    /// Records and items that are known and say nothing to the model.
    Aside {
        /// Tokens used so far.
        TokenCount = "token count",
        /// Tokens used by a turn.
        TokenUsage = "token usage",
        /// Settings of the thread.
        SettingsApplied = "settings applied",
        /// What the program injected.
        WorldState = "world state",
        /// A snapshot of a folder, as older releases wrote it.
        Ghost = "ghost snapshot",
    }
    /// What no release knows.
    Strange {
        /// A type of record.
        Record = "unknown record",
        /// A type of event.
        Event = "unknown event",
        /// A type of item.
        Item = "unknown item",
        /// A message in a record without time.
        NoTime = "record without time",
    }
    /// What happens to the ordinals of a paginated file.
    Step {
        /// Some are left out.
        Gap = "gap in ordinals",
        /// The newest is used again.
        Repeat = "repeated ordinal",
        /// The next record has none.
        Missing = "missing ordinal",
    }
}

impl Form {
    /// Whether a rebuilt history holds less of it than was recorded.
    pub fn is_long(self) -> bool {
        matches!(self, Form::Long | Form::LongParts | Form::LongWide)
    }
}

impl End {
    /// Whether the turn was interrupted: aborted, or left unfinished.
    pub fn is_interruption(self) -> bool {
        self != End::Complete
    }
}
