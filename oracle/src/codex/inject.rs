//! Messages that the program adds before the first new one (CX-REC-12, CX-REC-18).

use serde_json::Value;

use super::choices::{BaselineRecord, Choices, Injection, ModelSwitch};
use super::record::{Body, Record, TurnContext, World};
use super::replay::Replay;
use super::scan::Scan;
use crate::{Injected, Item, Settings};

/// The messages, in their order.
pub(super) fn injected(
    records: &[Record],
    replay: &Replay,
    scan: &Scan,
    settings: &Settings,
    choices: &Choices,
) -> Vec<Item> {
    let context = |index: Option<usize>| match &records.get(index?)?.body {
        Body::TurnContext(context) => Some(context),
        _ => None,
    };
    let previous = context(scan.previous);
    let reference = context(scan.reference)
        .filter(|_| !replay.plain_compaction && choices.injection == Injection::WithoutBaseline);
    let other_model = previous.is_some_and(|previous| previous.model != settings.model);
    let switch = (other_model && choices.model_switch == ModelSwitch::Told).then_some(MODEL_SWITCH);
    match (reference, choices.baseline) {
        (None, baseline) => {
            let ended = match baseline {
                BaselineRecord::WorldState => None,
                BaselineRecord::TurnContext => previous.filter(|it| is_realtime(it) == Some(true)),
            };
            let ended = ended.map(|_| REALTIME);
            let mut out = told(switch.into_iter().chain([PERMISSIONS]).chain(ended));
            out.push(environment(Some(&settings.cwd)));
            out
        }
        (Some(_), BaselineRecord::WorldState) => {
            let mut out = told(switch);
            let cwd = match replay.world() {
                World::Whole => return out,
                World::Part => None,
                World::Nothing => Some(settings.cwd.as_str()),
            };
            out.extend(told([PERMISSIONS]));
            out.push(environment(cwd));
            out
        }
        (Some(reference), BaselineRecord::TurnContext) => {
            compared(reference, previous, switch, settings)
        }
    }
}

const MODEL_SWITCH: &str = "model_switch";
const PERMISSIONS: &str = "permissions instructions";
const REALTIME: &str = "realtime_conversation";

/// One developer message of these parts, if there are any.
fn told(parts: impl IntoIterator<Item = &'static str>) -> Vec<Item> {
    let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
    let message = (!parts.is_empty()).then(|| Item::Injected(Injected::Developer(parts)));
    message.into_iter().collect()
}

fn environment(cwd: Option<&str>) -> Item {
    Item::Injected(Injected::Environment { cwd: cwd.map(str::to_owned) })
}

fn is_realtime(context: &TurnContext) -> Option<bool> {
    context.all["realtime_active"].as_bool()
}

/// What differs between the settings of an earlier turn and those in force, which the harness
/// configures: no sandbox, no approvals. A date that a turn records is taken for today's: the oracle
/// has no clock.
fn compared(
    reference: &TurnContext,
    previous: Option<&TurnContext>,
    switch: Option<&'static str>,
    settings: &Settings,
) -> Vec<Item> {
    let old = &reference.all;
    let disabled = match &old["permission_profile"] {
        Value::Null => old["sandbox_policy"]["type"] == "danger-full-access",
        profile => profile["type"] == "disabled",
    };
    let permissions = old["approval_policy"] != "never" || !disabled;
    let realtime = is_realtime(reference).or_else(|| previous.and_then(is_realtime));
    let parts = [
        switch,
        permissions.then_some(PERMISSIONS),
        (realtime == Some(true)).then_some(REALTIME),
    ];
    let mut out = told(parts.into_iter().flatten());
    let moved = old["cwd"] != settings.cwd.as_str();
    let roots = match &old["workspace_roots"] {
        Value::Null => !moved,
        roots => *roots == serde_json::json!([settings.cwd]),
    };
    let same = !moved
        && !old["current_date"].is_null()
        && old["timezone"] == "Etc/UTC"
        && roots
        && disabled
        && old["network"].is_null();
    if !same {
        out.push(environment(moved.then_some(&settings.cwd)));
    }
    out
}
