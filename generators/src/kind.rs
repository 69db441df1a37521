//! Kinds that both families share: plain lists, the simplest first.

/// Declares lists of kinds, each with its name in counts.
macro_rules! kinds {
    ($(
        $(#[doc = $doc:literal])+
        $kind:ident {
            $( $(#[doc = $about:literal])+ $variant:ident = $name:literal, )+
        }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(
            Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum $kind {
            #[default]
            $( $(#[doc = $about])+ $variant, )+
        }

        impl $kind {
            /// All of them, the simplest first.
            pub const ALL: &[$kind] = &[$( $kind::$variant ),+];

            /// Its name in counts.
            pub fn name(self) -> &'static str {
                match self { $( $kind::$variant => $name, )+ }
            }

            /// The simplest one, if this is not it.
            pub(crate) fn simpler(self) -> Option<$kind> {
                (self != $kind::ALL[0]).then_some($kind::ALL[0])
            }
        }

        impl<'a> arbitrary::Arbitrary<'a> for $kind {
            fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<$kind> {
                u.choose($kind::ALL).copied()
            }
        }
    )+ };
}

pub(crate) use kinds;

kinds! {
    /// How the texts of a session are spelled.
    Spelling {
        /// Letters, digits and dashes.
        Plain = "plain texts",
        /// With characters of two, three and four bytes.
        Wide = "multi-byte texts",
        /// With quotes and backslashes.
        Quoted = "quoted texts",
        /// With newlines and tabs.
        Lines = "texts of several lines",
        /// With the character U+0000.
        Nul = "texts with U+0000",
    }
    /// What happens to the bytes of a file. What names a line hurts that one, what inserts a line
    /// puts it before that one; what tears looks for its place from the end of the file.
    Harm {
        /// The end is torn off anywhere.
        Torn = "torn tail",
        /// The end is torn off before the newline of a line.
        TornBeforeNewline = "torn before newline",
        /// The end is torn off after the newline of a line.
        TornAfterNewline = "torn after newline",
        /// The end is torn off between two letters.
        TornInText = "torn in text",
        /// The end is torn off after a backslash.
        TornAfterBackslash = "torn after backslash",
        /// The end is torn off in a character of several bytes.
        TornInCharacter = "torn in character",
        /// The newline of a line is lost.
        Glued = "glued lines",
        /// A line of NUL bytes.
        NulLine = "line of NULs",
        /// NUL bytes in the middle of a line.
        NulWithin = "NULs in a line",
        /// A byte that is not UTF-8 in the middle of a line.
        BadUtf8 = "invalid UTF-8",
        /// A line ends with carriage return and newline.
        CrlfLine = "CRLF in a line",
        /// Every line does.
        CrlfAll = "CRLF in all lines",
        /// A byte order mark at the start.
        Bom = "BOM",
        /// A line without anything.
        Blank = "blank line",
        /// A line of spaces.
        Spaces = "line of spaces",
        /// A huge record that nobody knows, never before the first line.
        HugeUnknown = "huge unknown record",
        /// A huge message of the agent, never before the first line.
        HugeMessage = "huge message",
        /// A line stands twice.
        Doubled = "doubled line",
        /// A line is lost.
        Lost = "lost line",
        /// A line changes places with the next one, the last with the first.
        Swapped = "swapped lines",
        /// A line that is no JSON.
        Garbage = "garbage line",
        /// A line with the first half of an object.
        Half = "half an object",
    }
}
