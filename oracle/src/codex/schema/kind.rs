//! The language of the tables.

use serde_json::{Map, Value};

use crate::codex::choices::Schema;

/// What a member may be.
#[derive(Debug)]
pub(in crate::codex) enum Kind {
    Any,
    Bool,
    Text,
    Path,
    Uuid,
    I64,
    U64,
    U32,
    Number,
    OneOf(&'static [&'static str]),
    List(&'static Kind),
    /// An object with any keys and values of one kind.
    MapOf(&'static Kind),
    Object(&'static [Field]),
    /// An object whose member `type` says which table it follows.
    Tagged(&'static [Form]),
    /// As [`Kind::Tagged`]; a type without table loses all its members and is called `other`.
    TaggedOrOther(&'static [Form]),
    Either(&'static Kind, &'static Kind),
}

/// The members of one type of value.
#[derive(Debug)]
pub(in crate::codex) struct Form {
    pub(in crate::codex) kind: &'static str,
    pub(in crate::codex) fields: &'static [Field],
    pub(in crate::codex) since: Schema,
    /// Whether a member without entry here makes the value unreadable.
    pub(in crate::codex) closed: bool,
}

/// One member.
#[derive(Debug)]
pub(in crate::codex) struct Field {
    name: &'static str,
    kind: Kind,
    need: Need,
    since: Schema,
    until: Schema,
}

/// Whether a member must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    /// It may be absent or null.
    Optional,
    /// It may be absent.
    Default,
}

pub(super) const fn form(kind: &'static str, fields: &'static [Field]) -> Form {
    Form { kind, fields, since: Schema::Release0138, closed: false }
}

impl Form {
    pub(super) const fn since(self, since: Schema) -> Form {
        Form { since, ..self }
    }

    pub(super) const fn closed(self) -> Form {
        Form { closed: true, ..self }
    }

    /// The form of a type, if the release knows it.
    pub(in crate::codex) fn of<'f>(
        forms: &'f [Form],
        kind: &str,
        schema: Schema,
    ) -> Option<&'f Form> {
        forms.iter().find(|form| form.kind == kind && form.since <= schema)
    }

    /// The value with the members that the release knows; `None` if it cannot be read.
    pub(in crate::codex) fn read(&self, value: &Value, schema: Schema) -> Option<Value> {
        let Value::Object(members) = value else { return None };
        let mut out = fields(members, self.fields, schema)?;
        let known = |name: &String| name == "type" || out.contains_key(name);
        if self.closed && !members.keys().all(known) {
            return None;
        }
        out.insert("type".to_owned(), Value::from(self.kind));
        Some(Value::Object(out))
    }
}

pub(super) const fn req(name: &'static str, kind: Kind) -> Field {
    field(name, kind, Need::Required)
}

pub(super) const fn opt(name: &'static str, kind: Kind) -> Field {
    field(name, kind, Need::Optional)
}

pub(super) const fn def(name: &'static str, kind: Kind) -> Field {
    field(name, kind, Need::Default)
}

const fn field(name: &'static str, kind: Kind, need: Need) -> Field {
    Field { name, kind, need, since: Schema::Release0138, until: Schema::Release0171 }
}

/// Changes a member of a table; in a `const`, a kind cannot be moved out of its field.
macro_rules! during {
    ($name:ident, $member:ident) => {
        pub(super) const fn $name(mut self, release: Schema) -> Field {
            self.$member = release;
            self
        }
    };
}

impl Field {
    during!(since, since);
    during!(until, until);
}

fn fields(
    members: &Map<String, Value>,
    fields: &[Field],
    schema: Schema,
) -> Option<Map<String, Value>> {
    let mut out = Map::new();
    for field in fields.iter().filter(|it| it.since <= schema && schema <= it.until) {
        match (members.get(field.name), field.need) {
            (None, Need::Required) => return None,
            (None, _) | (Some(Value::Null), Need::Optional) => {}
            (Some(value), _) => {
                out.insert(field.name.to_owned(), field.kind.read(value, schema)?);
            }
        }
    }
    Some(out)
}

impl Kind {
    /// The value as far as the release knows it; no deeper than the tables are.
    fn read(&self, value: &Value, schema: Schema) -> Option<Value> {
        let fits = match (self, value) {
            (Kind::Any, _)
            | (Kind::Bool, Value::Bool(_))
            | (Kind::Text, Value::String(_))
            | (Kind::Number, Value::Number(_)) => true,
            (Kind::Path, Value::String(text)) => text.starts_with('/'),
            (Kind::Uuid, Value::String(text)) => uuid(text).is_some(),
            (Kind::I64, Value::Number(number)) => number.as_str().parse::<i64>().is_ok(),
            (Kind::U64, Value::Number(number)) => unsigned(number.as_str()).is_some(),
            (Kind::U32, Value::Number(number)) => {
                unsigned(number.as_str()).is_some_and(|number| u32::try_from(number).is_ok())
            }
            (Kind::OneOf(names), Value::String(text)) => names.contains(&text.as_str()),
            (Kind::List(kind), Value::Array(values)) => {
                return values.iter().map(|value| kind.read(value, schema)).collect();
            }
            (Kind::MapOf(kind), Value::Object(members)) => {
                let read = |(name, value): (&String, &Value)| {
                    Some((name.clone(), kind.read(value, schema)?))
                };
                return members.iter().map(read).collect::<Option<Map<_, _>>>().map(Value::Object);
            }
            (Kind::Object(known), Value::Object(members)) => {
                return fields(members, known, schema).map(Value::Object);
            }
            (Kind::Tagged(forms), _) => {
                return Form::of(forms, tag(value)?, schema)?.read(value, schema);
            }
            (Kind::TaggedOrOther(forms), _) => {
                return match Form::of(forms, tag(value)?, schema) {
                    Some(form) => form.read(value, schema),
                    None => form("other", &[]).read(value, schema),
                };
            }
            (Kind::Either(one, other), _) => {
                return one.read(value, schema).or_else(|| other.read(value, schema));
            }
            _ => false,
        };
        fits.then(|| value.clone())
    }
}

/// The member `type` of a value.
pub(super) fn tag(value: &Value) -> Option<&str> {
    value.get("type")?.as_str()
}

/// A number without sign, as the program reads it: `-0` is 0.
pub(in crate::codex) fn unsigned(text: &str) -> Option<u64> {
    if text == "-0" { Some(0) } else { text.parse().ok() }
}

/// An id in any of its spellings, as the program writes it.
pub(in crate::codex) fn uuid(text: &str) -> Option<String> {
    uuid::Uuid::parse_str(text).ok().map(|id| id.hyphenated().to_string())
}
