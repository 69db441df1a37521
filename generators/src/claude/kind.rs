//! Kinds of what stands in a transcript.

use crate::kind::kinds;

kinds! {
    /// What a user says.
    Content {
        /// A text.
        Text = "user text",
        /// A list of one text.
        Block = "user text in a list",
        /// A list of two texts.
        Blocks = "two user texts",
        /// An empty text.
        Empty = "empty user text",
        /// An empty list.
        EmptyList = "empty user list",
        /// White space.
        Blank = "blank user text",
        /// A list of an empty text and a text.
        EmptyBlock = "empty text block",
        /// An image and a text.
        Image = "user image",
        /// A block of a type that nobody knows, and a text.
        Unknown = "unknown user block",
        /// Blocks that are none, and a text.
        BadBlocks = "bad user blocks",
        /// What an interruption leaves.
        Interrupted = "interruption marker",
        /// What an interruption of a tool leaves.
        InterruptedTool = "tool interruption marker",
        /// What a resume adds after tool results.
        Continue = "look-alike of going on",
        /// What a program tells the model by the way.
        Reminder = "look-alike of a reminder",
        /// A command that was typed.
        Command = "look-alike of a command",
        /// What a command showed.
        CommandOutput = "look-alike of command output",
        /// What stands in place of no content.
        NoContent = "look-alike of no content",
    }
    /// What an assistant says.
    Reply {
        /// A text.
        Text = "assistant text",
        /// A text that is no list.
        Plain = "assistant text outside a list",
        /// An empty list.
        EmptyList = "empty assistant list",
        /// White space.
        Blank = "blank assistant text",
        /// Two texts.
        Blocks = "two assistant texts",
        /// A thought, signed for the model of the run.
        Thinking = "thinking",
        /// A thought, signed for another model.
        OtherThinking = "thinking of another model",
        /// A thought without signature.
        UnsignedThinking = "unsigned thinking",
        /// A redacted thought of the model of the run.
        Redacted = "redacted thinking",
        /// A redacted thought of another model.
        OtherRedacted = "redacted thinking of another model",
        /// A thought of another model and a text.
        ThinkingAndText = "thinking and text in a line",
        /// A block of a type that nobody knows, and a text.
        Unknown = "unknown assistant block",
        /// A call that a server should have answered.
        ServerTool = "server tool",
        /// A text before a call that stays without result.
        TextAndCall = "text and call in a line",
        /// What a resume puts behind a prompt without answer.
        NoResponse = "look-alike of no response",
        /// An error in place of an answer.
        ApiError = "api error message",
    }
    /// The form of a tool's result.
    Form {
        /// A text.
        Text = "text result",
        /// A list of texts.
        List = "list result",
        /// An empty text.
        Empty = "empty result",
        /// An empty list.
        EmptyList = "empty list result",
        /// An image.
        Image = "image result",
        /// Nothing.
        Absent = "result without content",
        /// A result and a text.
        AndText = "result and text in a line",
        /// The result of another call beside it.
        Two = "two results in a line",
    }
    /// What hangs on what in parallel calls.
    Wiring {
        /// As the program writes: a result on its call, a call on the one before.
        Comb = "results on their calls",
        /// Each on the one before.
        Chain = "results in a chain",
        /// Every call on the prompt.
        Siblings = "sibling calls",
        /// Every result on the last call.
        Last = "results on the last call",
        /// Every result on the first call.
        First = "results on the first call",
        /// Every result on the prompt.
        Prompt = "results on the prompt",
        /// All calls in a line.
        OneLine = "calls in a line",
        /// A call on the result before.
        Through = "calls on results",
    }
    /// In which order the lines of parallel calls stand.
    Order {
        /// Results in the order of their calls.
        Calls = "results in order",
        /// The last first.
        Reversed = "results in reverse",
        /// The first last.
        Rotated = "results rotated",
        /// Each behind its call.
        Woven = "results before later calls",
        /// Before all calls.
        Early = "results before calls",
        /// In order, the later the older.
        Backdated = "results with reversed times",
    }
    /// What the entry after parallel calls hangs on.
    Next {
        /// The result written last.
        Last = "goes on behind the last result",
        /// The result written first.
        First = "goes on behind the first result",
        /// The last call.
        Call = "goes on behind the last call",
        /// The first call.
        FirstCall = "goes on behind the first call",
    }
    /// Ids of the messages of parallel calls.
    Ids {
        /// One for all.
        Shared = "shared message id",
        /// None.
        Absent = "no message id",
        /// Each its own.
        Each = "own message ids",
        /// The one of the answer before.
        Reused = "reused message id",
    }
    /// What a compaction preserves besides its summary.
    Keep {
        /// Nothing.
        Nothing = "compaction to a summary",
        /// The newest entries, by their ends.
        Segment = "preserved segment",
        /// The newest entries, one by one.
        Messages = "preserved messages",
        /// As a segment, in both forms.
        Both = "preserved in both forms",
        /// A segment with an unknown end.
        BadTail = "preserved segment of unknown tail",
        /// A segment with an unknown start.
        BadHead = "preserved segment of unknown head",
        /// A segment behind an unknown anchor.
        BadAnchor = "preserved segment of unknown anchor",
        /// A segment that ends before it starts.
        Crossed = "preserved segment backwards",
        /// An entry that nobody knows, among messages.
        BadMessage = "preserved messages with an unknown one",
    }
    /// What an interruption leaves.
    Interrupt {
        /// A prompt without answer.
        Unanswered = "prompt without answer",
        /// A part of the answer and the marker.
        Partial = "interrupted answer",
        /// A call without result.
        Call = "killed call",
        /// Two calls, one with a result.
        OneOfTwo = "killed second call",
        /// A call with an error as result and the marker.
        Tool = "interrupted call",
        /// Two calls, the leaf named after the first, then result and marker.
        Signal = "signal in the second call",
    }
    /// System entries.
    System {
        /// What a command showed.
        LocalCommand = "local command",
        /// The context got smaller without summary.
        Microcompact = "microcompact boundary",
        /// Entries were taken out.
        Snip = "snip boundary",
        /// How long a turn took, with the right count of messages.
        Duration = "turn duration",
        /// How long a turn took, with a wrong count of messages.
        WrongDuration = "turn duration with a wrong count",
        /// A note to the user.
        Informational = "informational",
        /// An error of the API.
        ApiError = "system api error",
        /// A subtype that nobody knows.
        Unknown = "unknown subtype",
        /// No subtype.
        Bare = "system without subtype",
    }
    /// Attachments.
    Attachment {
        /// What day it is.
        Date = "date attachment",
        /// Where the program runs.
        Environment = "environment attachment",
        /// Which model it uses.
        Model = "model attachment",
        /// What is in the context.
        Context = "context attachment",
        /// Of what the prompt was made.
        Snapshot = "prompt snapshot",
        /// A type that nobody knows.
        Unknown = "unknown attachment",
        /// A type that nobody knows, with what the model was told by the user.
        Rendered = "rendered attachment",
        /// The same, told by the system.
        RenderedSystem = "attachment rendered by the system",
        /// The same, told by nobody.
        RenderedPlain = "attachment rendered without role",
        /// The date, of which the model was told nothing.
        RenderedEmpty = "attachment rendered to nothing",
        /// Nothing.
        Absent = "attachment without content",
    }
    /// Lines that are no entries.
    Note {
        /// A prompt came in.
        Queue = "queue operation",
        /// A mode.
        Mode = "mode",
        /// What is permitted.
        Permission = "permission mode",
        /// A title that the user gave.
        Title = "custom title",
        /// A title that the program made up.
        AiTitle = "ai title",
        /// A tag.
        Tag = "tag",
        /// A summary of older releases, with a leaf that decides nothing.
        Summary = "summary line",
        /// Files as they were before a prompt.
        Snapshot = "file history snapshot",
        /// What stands in place of a long result.
        Replacement = "content replacement",
        /// The name of an agent.
        Agent = "agent name",
        /// The colour of an agent.
        Colour = "agent color",
        /// The settings of an agent.
        Setting = "agent setting",
        /// A pull request.
        Link = "pull request link",
        /// A title of another session.
        ForeignTitle = "title of another session",
        /// A title of no letters.
        EmptyTitle = "empty title",
        /// What it cost.
        Cost = "cost state",
        /// A note that has a place in the graph nevertheless.
        Linked = "metadata with uuid",
    }
}
