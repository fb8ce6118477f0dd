//! Results as JSON, one object per line.

use std::fmt::{Display, Write};

/// An object being written.
#[derive(Clone, Debug)]
pub(crate) struct Line(String);

impl Line {
    /// An object without members.
    pub(crate) fn new() -> Line {
        Line("{".to_owned())
    }

    fn name(&mut self, name: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        push_string(&mut self.0, name);
        self.0.push(':');
    }

    /// A member that is a string.
    pub(crate) fn text(mut self, name: &str, value: &str) -> Line {
        self.name(name);
        push_string(&mut self.0, value);
        self
    }

    /// A member that is already JSON: a number, a literal, any value.
    pub(crate) fn json(mut self, name: &str, value: impl Display) -> Line {
        self.name(name);
        let _ = write!(self.0, "{value}");
        self
    }

    /// An optional member, which becomes null if missing.
    pub(crate) fn maybe(self, name: &str, value: Option<impl Display>) -> Line {
        match value {
            Some(value) => self.json(name, value),
            None => self.json(name, "null"),
        }
    }

    /// A string as JSON.
    pub(crate) fn string(text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 2);
        push_string(&mut out, text);
        out
    }

    /// The whole object.
    pub(crate) fn object(mut self) -> String {
        self.0.push('}');
        self.0
    }

    /// The whole object and the end of the line.
    pub(crate) fn end(self) -> String {
        let mut line = self.object();
        line.push('\n');
        line
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + 1;
        let _ = match byte {
            b'"' => out.write_str("\\\""),
            b'\\' => out.write_str("\\\\"),
            b'\n' => out.write_str("\\n"),
            _ => write!(out, "\\u{byte:04x}"),
        };
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_json_whatever_its_strings_hold() {
        let line = Line::new().text("a\"", "\u{1}\\\n\"é\u{2028}").json("n", 1.5).maybe("m", None::<u8>).end();
        let read: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(read, serde_json::json!({"a\"": "\u{1}\\\n\"é\u{2028}", "n": 1.5, "m": null}));
    }
}
