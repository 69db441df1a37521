//! Kinds of what is odd about a transcript.

use crate::kind::kinds;

kinds! {
    /// What an entry hangs on.
    To {
        /// Another entry.
        Entry = "parent elsewhere",
        /// An entry that nobody wrote.
        Unknown = "unknown parent",
        /// Nothing.
        Null = "root",
        /// Itself.
        Itself = "own parent",
        /// An entry that comes later.
        Ahead = "parent ahead",
        /// An empty text.
        Empty = "empty parent",
        /// A number.
        Number = "numeric parent",
        /// Zero.
        Zero = "zero as parent",
        /// An object.
        Object = "parent object",
        /// Another entry in capital letters.
        Upper = "parent in capitals",
        /// It does not say.
        Absent = "no parent member",
    }
    /// Which leaf is named.
    Leaf {
        /// The newest entry.
        Newest = "leaf named",
        /// An older entry.
        Older = "stale leaf",
        /// An entry that nobody wrote.
        Unknown = "unknown leaf",
        /// None.
        Null = "null leaf",
        /// It does not say.
        Absent = "last prompt without leaf",
    }
    /// The id of an entry.
    Uuid {
        /// That of another entry.
        Used = "used uuid",
        /// A word.
        Word = "word as uuid",
        /// A number.
        Number = "number as uuid",
        /// Nothing.
        Null = "null as uuid",
        /// An empty text.
        Empty = "empty uuid",
        /// In capital letters.
        Upper = "uuid in capitals",
        /// None.
        Absent = "no uuid",
    }
    /// The time of an entry.
    When {
        /// That of the entry before.
        Same = "equal times",
        /// A second after it.
        Near = "a second after",
        /// Five seconds after it.
        Edge = "five seconds after",
        /// A little more.
        Beyond = "more than five seconds after",
        /// A second before it.
        Before = "a second before",
        /// Long ago.
        Past = "time long ago",
        /// Long after all others.
        Future = "time in the future",
        /// With the offset of a zone.
        Zone = "time with an offset",
        /// Without milliseconds.
        Short = "time without milliseconds",
        /// A day.
        Day = "time that is a day",
        /// No time.
        Broken = "broken time",
        /// Nothing.
        Null = "null time",
        /// None.
        Absent = "no time",
    }
    /// How far apart entries are.
    Pace {
        /// A minute.
        Minute = "minutes apart",
        /// A second.
        Second = "seconds apart",
        /// Half of what bridges a gap.
        Half = "half the edge apart",
        /// Exactly what bridges a gap.
        Edge = "the edge apart",
        /// Nothing.
        Still = "no time passes",
        /// Backwards by a minute.
        Back = "time runs backwards",
    }
    /// What is said of an entry.
    Flag {
        /// It is of a side conversation.
        Sidechain = "sidechain flag",
        /// A number says that it is.
        SidechainNumber = "number as sidechain flag",
        /// Null says whether it is.
        SidechainNull = "null as sidechain flag",
        /// The program wrote it.
        Meta = "meta flag",
        /// It is not there for the model.
        Virtual = "virtual flag",
        /// It is a summary.
        Summary = "summary flag",
        /// It is an error.
        ApiError = "api error flag",
        /// It is there for the reader only.
        Transcript = "transcript-only flag",
        /// A team wrote it.
        Team = "team line",
        /// An agent wrote it.
        Agent = "agent line",
        /// It is of another session.
        Foreign = "foreign session id",
        /// It does not say of which session.
        Homeless = "no session id",
        /// It has nothing that can be left out.
        Bare = "bare entry",
        /// It was forked from elsewhere.
        Forked = "forked entry",
    }
    /// What is wrong with a message.
    Spoil {
        /// Its role is another one.
        Role = "other role",
        /// It says nothing of the model.
        Little = "message of content alone",
        /// Its content is a list of what is no block.
        BadBlocks = "bad blocks alone",
        /// Its content is null.
        NullContent = "null content",
        /// Its content is a number.
        NumberContent = "number as content",
        /// It has no content.
        NoContent = "no content",
        /// It is a text.
        Word = "text as message",
        /// It is null.
        Null = "null message",
        /// There is none.
        Absent = "no message",
    }
    /// Lines that are no entries and no metadata.
    Stray {
        /// An entry of a type that nobody knows.
        Type = "unknown type",
        /// An entry whose type is in capital letters.
        Upper = "type in capitals",
        /// An entry without type.
        Untyped = "no type",
        /// Null.
        Null = "null line",
        /// A number.
        Number = "number line",
        /// A text.
        Word = "text line",
        /// A list.
        List = "list line",
        /// An object without anything.
        Empty = "empty object",
        /// Two entries in a line.
        Two = "two objects in a line",
        /// No JSON.
        Garbage = "garbage before an entry",
    }
    /// How a line is written.
    Style {
        /// With spaces.
        Spaced = "spaced line",
        /// Over several lines.
        Pretty = "object over several lines",
        /// With keys that stand twice.
        Repeated = "repeated keys",
        /// With half of a surrogate pair.
        Surrogate = "lone surrogate",
        /// With something behind the object.
        Trailing = "text behind an object",
        /// With a member that is nested deeply.
        Deep = "deep nesting",
    }
}
