//! Compressed rollouts: read like plain ones, and made plain by a resume (CX-ZST-02).

use std::borrow::Cow;
use std::io::Read as _;

use super::extract::written;
use crate::{Effect, File, Home, Outcome};

/// The most that one file may hold when it is unpacked: more is taken for damage.
const MOST: u64 = 1 << 30;

/// The home as readers see it: each compressed rollout as a plain one, unless that is there too or
/// it cannot be unpacked.
pub(super) fn unpacked(home: &Home) -> Cow<'_, Home> {
    let packed = home.iter().filter_map(|(path, file)| {
        let plain = plain_name(path)?;
        (!home.contains_key(plain)).then_some((path, plain, file))
    });
    let mut out = Cow::Borrowed(home);
    for (path, plain, file) in packed {
        if let Some(content) = unpack(&file.content.0) {
            let home = out.to_mut();
            home.remove(path);
            home.insert(plain.to_owned(), File { modified: file.modified, ..File::new(content) });
        }
    }
    out
}

/// What becomes of the real files of `home`, if `outcome` tells what becomes of the unpacked ones.
pub(super) fn repacked(mut outcome: Outcome, home: &Home, unpacked: &Home) -> Outcome {
    let Some(disk) = &mut outcome.disk else { return outcome };
    for path in home.keys().filter(|path| !unpacked.contains_key(*path)) {
        let Some(plain) = plain_name(path) else { continue };
        let effect = match disk.remove(plain) {
            Some(Effect::Appended { records, .. }) => {
                let old = unpacked.get(plain).map_or(&[][..], |file| &file.content.0);
                let all = written(old).into_iter().chain(records).collect();
                disk.insert(plain.to_owned(), Effect::Created { records: all });
                Effect::Removed
            }
            _ => Effect::Untouched,
        };
        disk.insert(path.clone(), effect);
    }
    outcome
}

fn plain_name(path: &str) -> Option<&str> {
    path.strip_suffix(".zst").filter(|plain| plain.ends_with(".jsonl"))
}

fn unpack(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let reader = zstd::stream::read::Decoder::with_buffer(bytes).ok()?;
    let count = reader.take(MOST + 1).read_to_end(&mut out).ok()?;
    (count as u64 <= MOST).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(text: &str) -> File {
        File::new(zstd::encode_all(text.as_bytes(), 1).expect("packs"))
    }

    #[test]
    fn a_compressed_rollout_is_seen_as_a_plain_one() {
        let home = Home::from([("a.jsonl.zst".to_owned(), packed("x\n"))]);
        let seen = unpacked(&home);
        assert_eq!(seen["a.jsonl"].content.0, b"x\n");
        assert!(!seen.contains_key("a.jsonl.zst"));
    }

    #[test]
    fn a_plain_twin_wins_and_damage_stays_what_it_is() {
        let plain = ("a.jsonl".to_owned(), File::new("y\n"));
        let twin = Home::from([("a.jsonl.zst".to_owned(), packed("x\n")), plain]);
        assert_eq!(*unpacked(&twin), twin);
        let mut cut = packed("x\n");
        cut.content.0.truncate(5);
        for file in [cut, File::new("no archive")] {
            let home = Home::from([("a.jsonl.zst".to_owned(), file)]);
            assert_eq!(*unpacked(&home), home);
        }
    }
}
