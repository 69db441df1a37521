//! Which session an operation is on, and where it goes on (CC-ID).

use super::choices::{BareLatest, Choices, Folder, NamelessLeaf, OddIds, Scope, Titles, Wording};
use super::read::values;
use crate::{Entry, Home, Operation, Terms};

/// The project folder of the working folder (CC-FILE-01).
const PROJECT: &str = "projects/work/";

/// Stands for an id that the program draws.
pub(super) const NEW_ID: &str = "{{NEW_ID}}";

/// What an operation is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<'h> {
    /// The session of this file.
    File(&'h str),
    /// A session that begins.
    Nothing,
}

/// Finds the session of an operation; else what the program says of it.
pub(super) fn source<'h>(
    home: &'h Home,
    operation: &Operation,
    choices: &Choices,
) -> Result<Source<'h>, String> {
    let Operation::Resume { thread, entry, terms } = operation;
    refuse(home, entry, terms, choices)?;
    let missing = |id: &str| format!("No conversation found with session ID: {id}");
    match entry {
        Entry::Id => by_id(home, thread, choices).ok_or_else(|| missing(thread)),
        Entry::Path(path) => {
            let found = home.get_key_value(path).map(|(path, _)| path.as_str());
            found.map(Source::File).ok_or_else(|| missing(NEW_ID))
        }
        Entry::Title(title) => match (by_title(home, title, choices), choices.titles) {
            (Some(path), Titles::Known) => Ok(Source::File(path)),
            (None, Titles::Known) => Err(format!(
                "Error: --resume requires a valid session ID or session title when used with \
                 --print. Usage: claude -p --resume <session-id|title>. Provided value \"{title}\" \
                 is not a UUID and does not match any session title."
            )),
            (_, Titles::Unknown) => Err(format!(
                "Error: --resume requires a valid session ID when used with --print. Usage: \
                 claude -p --resume <session-id>. Session IDs must be in UUID format (e.g., \
                 550e8400-e29b-41d4-a716-446655440000). Provided value \"{title}\" is not a valid \
                 UUID"
            )),
        },
        Entry::Latest => Ok(latest(home, choices).map_or(Source::Nothing, Source::File)),
        Entry::New => Ok(Source::Nothing),
    }
}

/// What the arguments alone forbid (CC-ID-10, CC-ID-11).
fn refuse(home: &Home, entry: &Entry, terms: &Terms, choices: &Choices) -> Result<(), String> {
    let begins = *entry == Entry::New;
    if terms.at.is_some() && (begins || *entry == Entry::Latest) {
        return Err("Error: --resume-session-at requires --resume".to_owned());
    }
    let Some(id) = &terms.id else { return Ok(()) };
    let text = match choices.wording {
        Wording::Needs => {
            "Error: --session-id with --continue or --resume also needs --fork-session."
        }
        Wording::CanOnly => {
            "Error: --session-id can only be used with --continue or --resume if --fork-session is \
             also specified."
        }
    };
    if !begins {
        return Err(text.to_owned());
    }
    if !is_uuid(id) {
        return Err("Error: Invalid session ID. Must be a valid UUID.".to_owned());
    }
    if home.contains_key(&format!("{PROJECT}{id}.jsonl")) {
        return Err(format!("Error: Session ID {id} is already in use."));
    }
    Ok(())
}

/// In the project first, then in the others if they count, as it is typed (CC-ID-02, CC-ID-04).
fn by_id<'h>(home: &'h Home, id: &str, choices: &Choices) -> Option<Source<'h>> {
    let name = format!("/{id}.jsonl");
    let own = home.get_key_value(&format!("{PROJECT}{id}.jsonl"));
    let others = || home.iter().find(|(path, _)| path.ends_with(&name) && parts(path) == 3);
    let found = own.or_else(|| (choices.scope == Scope::EveryProject).then(others).flatten());
    found.map(|(path, _)| Source::File(path))
}

fn parts(path: &str) -> usize {
    path.split('/').count()
}

/// Files of the project with an id as their name.
fn sessions(home: &Home) -> impl Iterator<Item = (&String, &crate::File)> {
    home.iter().filter(|(path, _)| {
        let name = path.strip_prefix(PROJECT).and_then(|name| name.strip_suffix(".jsonl"));
        name.is_some_and(is_uuid)
    })
}

/// The session with exactly this title, in any letter case (CC-ID-03).
fn by_title<'h>(home: &'h Home, title: &str, choices: &Choices) -> Option<&'h str> {
    let has = |bytes: &[u8]| {
        let values = values(bytes, choices);
        [("custom-title", "customTitle"), ("ai-title", "aiTitle")].iter().any(|(kind, member)| {
            let of = values
                .iter()
                .rfind(|value| value.json.get("type").and_then(crate::Json::as_str) == Some(kind));
            let told = of.and_then(|value| value.json.get(member)?.as_str());
            told.is_some_and(|told| told.to_lowercase() == title.to_lowercase())
        })
    };
    sessions(home).find(|(_, file)| has(&file.content.0)).map(|(path, _)| path.as_str())
}

/// The session whose file was changed last, but for those that begin with a side conversation
/// (CC-ID-05).
fn latest<'h>(home: &'h Home, choices: &Choices) -> Option<&'h str> {
    let counts = |file: &crate::File| {
        let values = values(&file.content.0, choices);
        let member = |name: &str| values.first().and_then(|value| value.json.get(name)).cloned();
        let is_entry = |value: &super::read::Value| value.json.get("uuid").is_some();
        member("isSidechain") != Some(crate::Json::Bool(true))
            && (choices.bare_latest == BareLatest::Taken || values.iter().any(is_entry))
    };
    let sessions = sessions(home).filter(|(_, file)| counts(file));
    sessions.max_by_key(|(_, file)| file.modified).map(|(path, _)| path.as_str())
}

/// Where a session goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Destination {
    /// Its id.
    pub(super) thread: String,
    /// Its file.
    pub(super) path: String,
    /// Whether what was read is copied there first.
    pub(super) copies: bool,
    /// Whether the id that was read could not be kept.
    pub(super) renamed: bool,
}

impl Destination {
    /// Of a session that begins, under this id if one is asked for.
    pub(super) fn of_new(id: Option<&str>) -> Destination {
        let thread = id.unwrap_or(NEW_ID).to_owned();
        let path = format!("{PROJECT}{thread}.jsonl");
        Destination { thread, path, copies: false, renamed: false }
    }

    /// Of the session of a file whose leaf has a `sessionId` or not; by path that is its id
    /// (CC-ID-08).
    pub(super) fn of_file(
        path: &str,
        by_path: bool,
        leaf: Option<&str>,
        choices: &Choices,
    ) -> Destination {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let own = name.strip_suffix(".jsonl").unwrap_or(name);
        let here = Destination {
            thread: own.to_owned(),
            path: path.to_owned(),
            copies: false,
            renamed: false,
        };
        if !by_path {
            return here;
        }
        let thread = match leaf {
            Some(id) if is_uuid(id) || choices.odd_ids == OddIds::Kept => id,
            _ => NEW_ID,
        };
        let folder = match choices.folder {
            Folder::OfFile => format!("{folder}/"),
            Folder::OfProject => PROJECT.to_owned(),
        };
        let there = format!("{folder}{thread}.jsonl");
        if there == path {
            return here;
        }
        Destination {
            thread: thread.to_owned(),
            path: there,
            copies: leaf.is_some() || choices.nameless_leaf == NamelessLeaf::Copied,
            renamed: leaf.is_some() && thread == NEW_ID,
        }
    }
}

/// Whether a text is a UUID in the usual form.
pub(super) fn is_uuid(text: &str) -> bool {
    let places = [8, 13, 18, 23];
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match places.contains(&place) {
            true => byte == b'-',
            false => byte.is_ascii_hexdigit(),
        })
}
