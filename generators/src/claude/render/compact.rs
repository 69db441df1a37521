//! Compactions.

use forkproof_oracle::Json;

use super::message::from_user;
use super::transcript::Transcript;
use crate::claude::Keep;
use crate::json::{number, object, text};

impl Transcript<'_> {
    pub(super) fn compact(&mut self, keep: Keep, kept: usize, linked: bool, summary: bool) {
        let chain = self.chain(kept);
        let before = self.tip.clone();
        let boundary = self.entries + 1;
        let anchor = if summary { boundary + 1 } else { boundary };
        let mut metadata = vec![("trigger", text("auto")), ("preTokens", number(5))];
        metadata.extend(self.preserved(keep, &chain, anchor));
        if !linked {
            self.tip = Json::Null;
        }
        let body = vec![
            ("subtype", text("compact_boundary")),
            ("content", text("compacted")),
            ("level", text("info")),
            ("isMeta", Json::Bool(false)),
            ("compactMetadata", object(metadata)),
            ("logicalParentUuid", before),
        ];
        self.entry("system", body);
        if summary {
            let said = format!("summary {}", self.said("s"));
            let body = vec![
                ("message", from_user(text(&said))),
                ("isCompactSummary", Json::Bool(true)),
                ("isVisibleInTranscriptOnly", Json::Bool(true)),
            ];
            self.entry("user", body);
        }
    }

    /// What a boundary says of the entries that stay, of which `chain` names the newest first.
    fn preserved(&self, keep: Keep, chain: &[Json], anchor: usize) -> Vec<(&'static str, Json)> {
        let unknown = self.unknown();
        let (mut tail, mut head) =
            (chain.first().unwrap_or(&unknown).clone(), chain.last().unwrap_or(&unknown).clone());
        let mut anchor = self.uuid(anchor);
        let mut uuids: Vec<Json> = chain.iter().rev().cloned().collect();
        let (mut by_ends, mut by_ids) = (true, false);
        match keep {
            Keep::Nothing => return Vec::new(),
            Keep::Segment => {}
            Keep::Messages => (by_ends, by_ids) = (false, true),
            Keep::Both => by_ids = true,
            Keep::BadTail => tail = unknown,
            Keep::BadHead => head = unknown,
            Keep::BadAnchor => anchor = unknown,
            Keep::Crossed => std::mem::swap(&mut tail, &mut head),
            Keep::BadMessage => {
                (by_ends, by_ids) = (false, true);
                uuids.push(unknown);
            }
        }
        let segment = || {
            let ends = [("headUuid", head), ("anchorUuid", anchor.clone()), ("tailUuid", tail)];
            ("preservedSegment", Json::object(ends))
        };
        let messages = || {
            let members = [("anchorUuid", anchor.clone()), ("uuids", Json::Array(uuids))];
            ("preservedMessages", Json::object(members))
        };
        by_ends.then(segment).into_iter().chain(by_ids.then(messages)).collect()
    }
}
