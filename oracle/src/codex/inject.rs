//! Messages that the program adds before the first new one (CX-REC-12, CX-REC-18, CX-REC-19).

use serde_json::Value;

use super::choices::{BaselineRecord, Choices, Injection, ModelSwitch, Revocation};
use super::fragment::{is_agents, is_collaboration, is_skills};
use super::model::Facts;
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
    let itself = Facts::of(&settings.model, choices.models).told;
    match (reference, choices.baseline) {
        (None, baseline) => {
            let ended = match baseline {
                BaselineRecord::WorldState => None,
                BaselineRecord::TurnContext => previous.filter(|it| is_realtime(it) == Some(true)),
            };
            let ended = ended.map(|_| REALTIME);
            let first = baseline == BaselineRecord::WorldState && itself != Some(TOOLS);
            let (before, after) = if first { (itself, None) } else { (None, itself) };
            let parts = [switch, before, Some(PERMISSIONS), after, ended];
            let mut out = told(parts.into_iter().flatten());
            out.push(environment(Some(&settings.cwd)));
            out
        }
        (Some(reference), BaselineRecord::WorldState) => {
            let style = itself.filter(|it| *it != TOOLS && !is_pragmatic(reference));
            let mut out = told(switch.or(style));
            let world = scan.world.and_then(|index| match records[index].body {
                Body::WorldState(world) => Some(world),
                _ => None,
            });
            let cwd = match world.unwrap_or(World::Nothing) {
                World::Whole => return out,
                World::Part => None,
                World::Nothing => Some(settings.cwd.as_str()),
            };
            let known = choices.revocation < Revocation::Never;
            if known && replay.says("user", is_agents) {
                out.push(Item::Injected(Injected::AgentsRevoked));
            }
            let mode =
                choices.revocation == Revocation::All && replay.says("developer", is_collaboration);
            out.extend(told([PERMISSIONS].into_iter().chain(mode.then_some(COLLABORATION))));
            out.push(environment(cwd));
            out.extend(told(itself.filter(|it| *it == TOOLS)));
            let skills = known && replay.says("developer", is_skills);
            out.extend(told(skills.then_some(SKILLS)));
            out
        }
        (Some(reference), BaselineRecord::TurnContext) => {
            let style = itself.filter(|_| !is_pragmatic(reference));
            compared(reference, previous, switch.or(style), settings)
        }
    }
}

const MODEL_SWITCH: &str = "model_switch";
const PERMISSIONS: &str = "permissions instructions";
const REALTIME: &str = "realtime_conversation";
const TOOLS: &str = "tools";
const COLLABORATION: &str = "collaboration_mode";
const SKILLS: &str = "skills_instructions";

/// One developer message of these parts, if there are any.
fn told(parts: impl IntoIterator<Item = &'static str>) -> Vec<Item> {
    let parts: Vec<String> = parts.into_iter().map(str::to_owned).collect();
    let message = (!parts.is_empty()).then_some(Item::Injected(Injected::Developer(parts)));
    message.into_iter().collect()
}

fn environment(cwd: Option<&str>) -> Item {
    Item::Injected(Injected::Environment { cwd: cwd.map(str::to_owned) })
}

/// Whether the turn had the style already that a model is told to have.
fn is_pragmatic(context: &TurnContext) -> bool {
    context.all["personality"] == "pragmatic"
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
    let parts =
        [switch, permissions.then_some(PERMISSIONS), (realtime == Some(true)).then_some(REALTIME)];
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
