//! Whatever a message says, by serde.

use std::fmt::Write;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

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
