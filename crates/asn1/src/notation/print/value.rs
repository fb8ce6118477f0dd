//! Values as text.

use std::borrow::Cow;

use super::Printer;
use crate::schema::{SpecialReal, Value};

impl Printer<'_> {
    pub(super) fn value(&mut self, value: &Value) {
        match value {
            Value::Choice(name, value) => {
                self.page.text(name).text(" : ");
                self.value(value);
            }
            Value::Containing(value) => {
                self.page.text("CONTAINING ");
                self.value(value);
            }
            Value::Braces(items) => self.braces(items),
            Value::Open(ty, value) => {
                self.ty(ty);
                self.page.text(" : ");
                self.value(value);
            }
            Value::Instance(instance) => self.instance(instance),
            Value::Field(field) => self.field_reference(field),
            Value::Unread(unread) => {
                self.page.text(&unread.text);
            }
            Value::Text(text) if text.contains(is_line_end) => self.lines(text),
            simple => {
                self.page.text(&words(simple));
            }
        }
    }

    /// Prints a text with line ends, which a cstring cannot hold, as a list of texts and characters (X.680 clause
    /// 41.8).
    fn lines(&mut self, text: &str) {
        self.page.fill().text("{");
        let mut rest = text;
        while let Some(end) = rest.find(is_line_end) {
            if end > 0 {
                self.page.space().text(&quoted(&rest[..end])).text(",");
            }
            // A line end is one byte.
            let (character, after) = (rest.as_bytes()[end], &rest[end + 1..]);
            self.page.space().text(&format!("{{0, 0, 0, {character}}}")).text(if after.is_empty() { "" } else { "," });
            rest = after;
        }
        if !rest.is_empty() {
            self.page.space().text(&quoted(rest));
        }
        self.page.space().text("}").end_fill();
    }

    fn braces(&mut self, items: &[Vec<Value>]) {
        if items.is_empty() {
            self.page.text("{}");
            return;
        }
        self.page.fill().text("{");
        for (index, item) in items.iter().enumerate() {
            self.page.text(if index > 0 { "," } else { "" });
            for value in item {
                self.page.space();
                self.value(value);
            }
        }
        self.page.space().text("}").end_fill();
    }
}

/// The text of a simple value.
fn words(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "NULL".into(),
        Value::Boolean(true) => "TRUE".into(),
        Value::Boolean(false) => "FALSE".into(),
        Value::Number(digits) => digits.into(),
        Value::Special(SpecialReal::PlusInfinity) => "PLUS-INFINITY".into(),
        Value::Special(SpecialReal::MinusInfinity) => "MINUS-INFINITY".into(),
        Value::Special(SpecialReal::NotANumber) => "NOT-A-NUMBER".into(),
        Value::Text(text) => quoted(text).into(),
        Value::Binary(digits) => format!("'{digits}'B").into(),
        Value::Hexadecimal(digits) => format!("'{digits}'H").into(),
        Value::Name { module: None, name } => name.into(),
        Value::Name { module: Some(module), name } => format!("{module}.{name}").into(),
        Value::NameAndNumber(name, number) => format!("{name}({number})").into(),
        _ => "".into(),
    }
}

/// Whether a character ends a line of notation (X.680 clause 12.1.6).
fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\u{B}' | '\u{C}' | '\r')
}

/// A text in double quotes.
pub(in crate::notation) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
