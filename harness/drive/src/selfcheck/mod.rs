//! The target `oracle`: the oracle's own prediction as a program would show it.
//!
//! It checks the harness, not the oracle: what is predicted, shown as a raw exchange and brought
//! back into canonical form has to be what was predicted.

mod claude;
mod codex;

use forkproof_oracle::{
    Edition, Effect, Family, File, Home, Id, Json, Markers, Observed, Operation, Outcome, Written,
    predict,
};

/// The raw exchange of each operation on `home`.
pub fn selfcheck(
    home: &Home,
    operations: &[Operation],
    edition: &Edition,
    markers: &Markers,
) -> Vec<Observed> {
    let mut before = home.clone();
    operations
        .iter()
        .enumerate()
        .map(|(number, operation)| {
            let mut outcome = predict(edition, home, &before, operation, markers).outcome;
            name_ids(&mut outcome, number);
            let observed = match edition.family {
                Family::Claude => claude::show(outcome, &before),
                Family::Codex => codex::show(outcome, &before, operation),
            };
            before = observed.after.clone();
            observed
        })
        .collect()
}

/// Draws the new ids of operation `number`: no operation may draw those of another.
fn name_ids(outcome: &mut Outcome, number: usize) {
    let name = |id: &mut Id| {
        if let Id::Fresh(n) = id {
            *id = Id::Known(format!("new-{number}-{n}"));
        }
    };
    if let Some(identity) = &mut outcome.identity {
        name(&mut identity.thread);
    }
    for effect in outcome.disk.iter_mut().flat_map(|disk| disk.values_mut()) {
        let (Effect::Appended { records, .. } | Effect::Created { records }) = effect else {
            continue;
        };
        for record in records {
            let ids = [&mut record.turn, &mut record.id, &mut record.parent, &mut record.thread];
            ids.into_iter().flatten().for_each(name);
        }
    }
    if let Some(disk) = outcome.disk.take() {
        // The path of a new file tells its id.
        let renamed = |(path, effect): (String, Effect)| match path.split_once("{{FRESH_") {
            Some((folder, rest)) => {
                (format!("{folder}new-{number}-{}", rest.replacen("}}", "", 1)), effect)
            }
            None => (path, effect),
        };
        outcome.disk = Some(disk.into_iter().map(renamed).collect());
    }
}

/// The home after an operation with this outcome; `line` spells a record.
fn after(outcome: &Outcome, before: &Home, line: &dyn Fn(&Written) -> Json) -> Home {
    let mut after = before.clone();
    for (path, effect) in outcome.disk.iter().flatten() {
        match effect {
            Effect::Appended { newline_first, records } => {
                if let Some(file) = after.get_mut(path) {
                    *file = appended(file, *newline_first, records, line);
                }
            }
            Effect::Created { records } => {
                after.insert(path.clone(), appended(&File::new(""), false, records, line));
            }
            Effect::Removed => drop(after.remove(path)),
            Effect::Untouched | Effect::Touched | Effect::Rewritten => {}
        }
    }
    after
}

fn appended(
    file: &File,
    newline_first: bool,
    records: &[Written],
    line: &dyn Fn(&Written) -> Json,
) -> File {
    let mut content = file.content.0.clone();
    if newline_first {
        content.push(b'\n');
    }
    for record in records {
        content.extend(line(record).to_string().into_bytes());
        content.push(b'\n');
    }
    File { modified: file.modified + 1, ..File::new(content) }
}

fn id_json(id: &Id) -> Json {
    match id {
        Id::Known(id) => text(id),
        Id::Fresh(n) | Id::Earlier(n) => text(&format!("new-{n}")),
    }
}

fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn text(text: &str) -> Json {
    Json::string(text)
}
