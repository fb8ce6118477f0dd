//! Whatever a message says, by serde.

use std::fmt::Write;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use tam::ErrorKind;
use tdxml::{Options, Plan};

use super::back;

/// Whether a message is valid. A type for anything does not check mandatory parts; otherwise it returns what the
/// general reader returns.
pub(crate) fn anything(message: &[u8]) -> bool {
    let options = Options::default();
    let shown = || String::from_utf8_lossy(message).into_owned();
    let general = back(message, &options);
    let Ok(schema) = tdxml::schema_of(message, &options) else {
        assert!(general.is_err(), "{}", shown());
        return false;
    };
    let name = schema.root().name.clone();
    let typed = Plan::new(schema).read::<Any>(message).map(|value| value.said(&name));
    // Fields have no place for comments, and no prefixes of the document.
    if [&b"(*)"[..], b"NAMESPACE"].iter().any(|word| message.windows(word.len()).any(|bytes| bytes == *word)) {
        return general.is_ok();
    }
    match (&general, &typed) {
        (Ok(general), Ok(typed)) => assert_eq!(typed, general, "{}", shown()),
        // Elements of one name that are not adjacent have no type; nor has anything nested deeper than types are.
        (Ok(_), Err(error)) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Limit) => {}
        (Err(error), Ok(_)) => {
            let what = error.found().to_string();
            let is_absence = ["missing ", "no "].iter().any(|start| what.starts_with(start));
            assert!(error.kind() == ErrorKind::Schema && is_absence, "{error}\n{}", shown());
        }
        (Ok(_), Err(error)) => panic!("{error}\n{}", shown()),
        (Err(_), Err(error)) => assert!(error.offset() <= message.len() as u64, "{error}\n{}", shown()),
    }
    general.is_ok()
}

/// A value, a record, or what is repeated.
#[derive(Debug, PartialEq)]
pub(crate) enum Any {
    Text(String),
    Record(Vec<(String, Any)>),
    Repeated(Vec<Any>),
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Any, D::Error> {
        struct Anything;
        impl<'de> Visitor<'de> for Anything {
            type Value = Any;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }
            fn visit_str<E>(self, text: &str) -> Result<Any, E> {
                Ok(Any::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Any, A::Error> {
                let mut all = Vec::new();
                while let Some(item) = items.next_element()? {
                    all.push(item);
                }
                Ok(Any::Repeated(all))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Any, A::Error> {
                let mut all = Vec::new();
                while let Some(member) = members.next_entry()? {
                    all.push(member);
                }
                Ok(Any::Record(all))
            }
        }
        deserializer.deserialize_any(Anything)
    }
}

impl Any {
    /// What it says as the element of a name, in the words of [`said`](super::said).
    pub(crate) fn said(&self, name: &str) -> String {
        let mut out = String::new();
        self.say(name, &mut out);
        out
    }

    fn say(&self, name: &str, out: &mut String) {
        match self {
            Any::Repeated(all) => all.iter().for_each(|one| one.say(name, out)),
            Any::Text(text) => {
                writeln!(out, "<{name}>").unwrap();
                if !text.is_empty() {
                    writeln!(out, "{}", text.escape_debug()).unwrap();
                }
                writeln!(out, "</{name}>").unwrap();
            }
            Any::Record(members) => {
                let mut attributes: Vec<String> = members.iter().filter_map(attribute).collect();
                attributes.sort();
                writeln!(out, "<{name}{}>", attributes.concat()).unwrap();
                let is_element = |name: &str| !name.starts_with(['@', '$']);
                let is_empty = |value: &Any| matches!(value, Any::Repeated(all) if all.is_empty());
                let has_elements = members.iter().any(|(name, value)| is_element(name) && !is_empty(value));
                for (name, value) in members.iter().filter(|(name, _)| !name.starts_with('@')) {
                    match value {
                        Any::Text(text) if name == "$text" => {
                            let is_white = text.trim_matches([' ', '\t', '\n', '\r']).is_empty();
                            if !text.is_empty() && (!has_elements || !is_white) {
                                writeln!(out, "{}", text.escape_debug()).unwrap();
                            }
                        }
                        value => value.say(name, out),
                    }
                }
                writeln!(out, "</{name}>").unwrap();
            }
        }
    }
}

fn attribute((name, value): &(String, Any)) -> Option<String> {
    match (name.strip_prefix('@'), value) {
        (Some(name), Any::Text(text)) => Some(format!(" {name}={text:?}")),
        _ => None,
    }
}
