//! The settings of a thread: what a resume goes on with, and what it refuses.

use super::choices::{Choices, EmptyModel, ForeignIds, Model, ProviderRefusal, ResumeWrites};
use super::record::{Applied, Body, Meta, Record};
use super::refusal::Refusal;
use super::schema::uuid;
use crate::{CONFIGURED_MODEL, CONFIGURED_PROVIDER, Entry, Settings};

/// The settings in force (CX-FMT-08, CX-API-04).
pub(super) fn settings(
    meta: &Meta,
    own: &[Record],
    loaded: &[Record],
    choices: &Choices,
) -> Settings {
    let model = own.iter().rev().find_map(|record| match &record.body {
        Body::TurnContext(context) if choices.model == Model::NewestTurn => Some(&context.model),
        _ => applied(record, meta, choices).map(|applied| &applied.model),
    });
    let provider = meta.model_provider.clone().filter(|it| !it.is_empty());
    let applied = loaded.iter().rev().find_map(|record| applied(record, meta, choices));
    Settings {
        model: model.cloned().unwrap_or_else(|| CONFIGURED_MODEL.to_owned()),
        provider: provider.unwrap_or_else(|| CONFIGURED_PROVIDER.to_owned()),
        cwd: plain_path(applied.map_or(&meta.cwd, |applied| &applied.cwd)),
    }
}

/// What a record says of the settings of its thread.
pub(super) fn applied<'r>(
    record: &'r Record,
    meta: &Meta,
    choices: &Choices,
) -> Option<&'r Applied> {
    match &record.body {
        Body::SettingsApplied(applied)
            if choices.resume_writes == ResumeWrites::Settings
                && applied.thread.as_ref() == Some(&meta.id) =>
        {
            Some(applied)
        }
        _ => None,
    }
}

/// An absolute path without `.`, `..` and doubled slashes.
fn plain_path(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

const NO_MODEL: &str = "No models are available. Set `model` explicitly or check your model catalog \
                        configuration.";

/// Refusals of what the metadata says (CX-API-08).
pub(super) fn check(
    meta: &Meta,
    own: &[Record],
    thread: &str,
    entry: &Entry,
    choices: &Choices,
) -> Result<(), Refusal> {
    let named = uuid(thread);
    let other = named.is_some_and(|named| named != meta.id) && *entry == Entry::Id;
    if other && choices.foreign_ids == ForeignIds::Refused {
        return Err(Refusal::Request(
            "thread source changed during resume; retry with the current thread ID or path"
                .to_owned(),
        ));
    }
    if choices.empty_model == EmptyModel::Refused
        && settings(meta, own, &[], choices).model.is_empty()
    {
        return Err(Refusal::Request(NO_MODEL.to_owned()));
    }
    // A later metadata of the same thread has a say in this alone.
    let first = match (meta.model_provider.as_deref(), choices.provider_refusal) {
        (None, ProviderRefusal::NotFound) => CONFIGURED_PROVIDER,
        (provider, _) => provider.unwrap_or_default(),
    };
    let later = own.iter().filter_map(Record::meta).filter(|it| it.id == meta.id).skip(1);
    let later = later.filter_map(|it| it.model_provider.as_deref()).last();
    let later = later.filter(|provider| !provider.is_empty());
    let unknown = [Some(first), later].into_iter().flatten().find(|it| *it != CONFIGURED_PROVIDER);
    match unknown {
        None => Ok(()),
        Some(provider) => Err(Refusal::Request(match choices.provider_refusal {
            ProviderRefusal::Restore => format!(
                "This chat uses model provider “{provider}”, which is no longer configured. \
                 Restore this provider’s configuration to continue."
            ),
            ProviderRefusal::NotFound => {
                format!("failed to load configuration: Model provider `{provider}` not found")
            }
        })),
    }
}
