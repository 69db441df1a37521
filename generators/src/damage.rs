//! Damage to the bytes of a session file.

use arbitrary::{Arbitrary, Result, Unstructured};
use serde::{Deserialize, Serialize};

use crate::Harm;

/// How long a huge line is, in bytes.
const HUGE: usize = 200_000;

/// One thing that happens to the bytes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    /// What.
    pub harm: Harm,
    /// Where: a line, of which 0 is the metadata, or a place to tear at, of which 0 is the last.
    /// Taken modulo those that there are.
    pub at: u16,
}

impl Damage {
    /// Its name in counts.
    pub fn name(&self) -> &'static str {
        self.harm.name()
    }

    /// Does it to `bytes`, which hold lines of this kind.
    pub(crate) fn apply(&self, bytes: &mut Vec<u8>, shapes: &Shapes) {
        let mut lines = lines(bytes);
        let Some(line) = usize::from(self.at).checked_rem(lines.len()) else { return };
        match self.harm {
            Harm::Torn
            | Harm::TornBeforeNewline
            | Harm::TornAfterNewline
            | Harm::TornInText
            | Harm::TornAfterBackslash
            | Harm::TornInCharacter => return tear(bytes, shapes, self.harm, self.at.into()),
            Harm::Glued => drop(lines[line].pop_if(|byte| *byte == b'\n')),
            Harm::NulLine => lines.insert(line, [&[0; 64][..], b"\n"].concat()),
            Harm::NulWithin => insert_within(&mut lines[line], &[0; 16]),
            Harm::BadUtf8 => insert_within(&mut lines[line], b"\xff"),
            Harm::CrlfLine => crlf(&mut lines[line]),
            Harm::CrlfAll => lines.iter_mut().for_each(crlf),
            Harm::Bom => lines.insert(0, b"\xef\xbb\xbf".to_vec()),
            Harm::Blank => lines.insert(line, b"\n".to_vec()),
            Harm::Spaces => lines.insert(line, b"  \t \n".to_vec()),
            Harm::HugeUnknown => lines.insert(line.max(1), huge(shapes.unknown)),
            Harm::HugeMessage => lines.insert(line.max(1), huge(shapes.message)),
            Harm::Doubled => lines.insert(line, lines[line].clone()),
            Harm::Lost => drop(lines.remove(line)),
            Harm::Swapped => {
                let next = (line + 1) % lines.len();
                lines.swap(line, next);
            }
            Harm::Garbage => lines.insert(line, b"not json\n".to_vec()),
            Harm::Half => lines.insert(line, [shapes.half, b"\n"].concat()),
        }
        *bytes = lines.concat();
    }
}

/// What damage adds to the files of a family.
pub(crate) struct Shapes {
    /// The beginning of a line.
    half: &'static [u8],
    /// What stands before and behind the length of a huge line that nobody knows.
    unknown: [&'static str; 2],
    /// The same of a huge message.
    message: [&'static str; 2],
}

/// Those of rollouts.
pub(crate) const CODEX: Shapes = Shapes {
    half: br#"{"timestamp":"2026-11-29T10:59:59.000Z","type":"response_it"#,
    unknown: [
        concat!(
            r#"{"timestamp":"2026-11-29T10:59:59.000Z","type":"future_record","payload":"#,
            r#"{"x":""#
        ),
        r#""}}"#,
    ],
    message: [
        concat!(
            r#"{"timestamp":"2026-11-29T10:59:59.000Z","type":"response_item","payload":"#,
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":""#
        ),
        r#""}]}}"#,
    ],
};

/// Those of transcripts.
pub(crate) const CLAUDE: Shapes = Shapes {
    half: br#"{"parentUuid":null,"isSidechain":false,"type":"us"#,
    unknown: [r#"{"type":"future_type","x":""#, r#""}"#],
    message: [
        concat!(
            r#"{"parentUuid":null,"isSidechain":false,"type":"user","uuid":"huge","#,
            r#""timestamp":"2026-01-01T09:00:00.000Z","message":{"role":"user","content":""#
        ),
        r#""}}"#,
    ],
};

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn insert_within(line: &mut Vec<u8>, new: &[u8]) {
    let middle = line.len() / 2;
    line.splice(middle..middle, new.iter().copied());
}

fn crlf(line: &mut Vec<u8>) {
    if line.ends_with(b"\n") {
        line.insert(line.len() - 1, b'\r');
    }
}

fn huge([before, behind]: [&str; 2]) -> Vec<u8> {
    format!("{before}{}{behind}\n", "h".repeat(HUGE)).into_bytes()
}

/// Tears the end off, behind the first line if that can be. Without a place of that kind, a record
/// that is torn so comes to stand at the end.
fn tear(bytes: &mut Vec<u8>, shapes: &Shapes, harm: Harm, at: usize) {
    let first_line = bytes.iter().position(|byte| *byte == b'\n').map_or(1, |newline| newline + 1);
    let fits = |cut: &usize| {
        let (before, after) = (bytes[cut - 1], bytes[*cut]);
        match harm {
            Harm::TornBeforeNewline => after == b'\n',
            Harm::TornAfterNewline => before == b'\n',
            Harm::TornInText => before.is_ascii_alphabetic() && after.is_ascii_alphabetic(),
            Harm::TornAfterBackslash => before == b'\\',
            Harm::TornInCharacter => after & 0b1100_0000 == 0b1000_0000,
            _ => true,
        }
    };
    let cuts: Vec<usize> = (first_line..bytes.len()).rev().filter(fits).collect();
    if let Some(place) = at.checked_rem(cuts.len()) {
        return bytes.truncate(cuts[place]);
    }
    bytes.extend_from_slice(shapes.half);
    match harm {
        Harm::TornAfterBackslash => bytes.push(b'\\'),
        Harm::TornInCharacter => bytes.push(0xc3),
        _ => {}
    }
}

impl<'a> Arbitrary<'a> for Damage {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Damage> {
        let line = u16::from(u8::arbitrary(u)?.max(1));
        let mut harm = Harm::arbitrary(u)?;
        // What is huge or refuses a whole file is rare.
        let rare = match harm {
            Harm::HugeUnknown | Harm::HugeMessage => u.ratio(4, 7)?,
            Harm::Bom | Harm::BadUtf8 | Harm::TornInCharacter => u.ratio(1, 3)?,
            _ => false,
        };
        if rare {
            harm = Harm::arbitrary(u)?;
        }
        // What hurts the metadata refuses most files, so it is rare too.
        let first = match harm {
            Harm::Swapped => u.ratio(1, 2)?,
            Harm::Blank | Harm::Garbage | Harm::Half => u.ratio(1, 4)?,
            _ => false,
        };
        let at = if u.ratio(1, 4)? { line << 4 } else { line };
        Ok(Damage { harm, at: if first { 0 } else { at } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(harm: Harm, at: u16, before: &str, after: &[u8]) {
        let mut bytes = before.as_bytes().to_vec();
        Damage { harm, at }.apply(&mut bytes, &CODEX);
        assert_eq!(bytes, after, "{harm:?}");
    }

    #[test]
    fn a_tail_is_torn_at_its_kind_of_place() {
        check(Harm::Torn, 0, "a\nbc\n", b"a\nbc");
        check(Harm::TornBeforeNewline, 1, "a\nb\nc\n", b"a\nb");
        check(Harm::TornAfterNewline, 0, "a\nb\nc\n", b"a\nb\n");
        check(Harm::TornInText, 0, "a\nbcd:\n", b"a\nbc");
        check(Harm::TornAfterBackslash, 0, "a\n\\n\n", b"a\n\\");
        check(Harm::TornInCharacter, 0, "a\n\u{e9}\n", b"a\n\xc3");
        check(Harm::TornInCharacter, 3, "a\n", &[b"a\n", CODEX.half, b"\xc3"].concat());
    }

    #[test]
    fn lines_are_taken_modulo_those_that_there_are() {
        check(Harm::Glued, 3, "a\nb\nc\n", b"ab\nc\n");
        check(Harm::Glued, 0, "a", b"a");
        check(Harm::NulWithin, 1, "a\nbb\n", &[b"a\nb", &[0; 16][..], b"b\n"].concat());
        check(Harm::BadUtf8, 1, "a\nbb\n", b"a\nb\xffb\n");
        check(Harm::CrlfLine, 1, "a\nb\n", b"a\nb\r\n");
        check(Harm::CrlfAll, 0, "a\nb", b"a\r\nb");
        check(Harm::Bom, 1, "a\n", b"\xef\xbb\xbfa\n");
        check(Harm::Blank, 2, "a\nb\n", b"\na\nb\n");
        check(Harm::Doubled, 1, "a\nb\n", b"a\nb\nb\n");
        check(Harm::Lost, 1, "a\nb\n", b"a\n");
        check(Harm::Swapped, 1, "a\nb\nc\n", b"a\nc\nb\n");
        check(Harm::Garbage, 1, "a\nb\n", b"a\nnot json\nb\n");
    }

    #[test]
    fn there_is_nothing_to_hurt_in_an_empty_file() {
        check(Harm::Lost, 0, "a", b"");
        for harm in Harm::ALL {
            check(*harm, 9, "", b"");
        }
    }
}
