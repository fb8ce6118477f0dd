//! Texts that are outside the document: external entities, and the external subset (XML 1.0 sections 4.2.2 and 4.3).

use core::fmt;
use std::io;
use std::sync::Arc;

use tam::{Error, ErrorKind, Words};

use super::declaration;
use super::encoding::{Stop, Text, decode, line_and_column};
use super::entity::{Expansion, Replacement};
use super::expect::shown;
use super::markup::push_lines;
use super::source::Source;

/// Where they come from.
#[derive(Clone)]
pub(crate) struct Outside<'a> {
    pub(crate) source: &'a (dyn Source + Sync),
    /// The document.
    pub(crate) base: Option<Arc<str>>,
}

impl fmt::Debug for Outside<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outside").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Outside<'_> {
    /// The text of an external entity that is referred to at `at`, after its text declaration, line ends normalised.
    /// References charge it.
    pub(crate) fn load(&self, name: &str, at: usize, expansion: &Expansion) -> Result<Replacement<'static>, Error> {
        let most = expansion.left();
        let bytes = self.source.load(name, most).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => expansion.exceeded(at),
            _ => {
                let found = format!("no text of '{name}' ({error})");
                Error::new(ErrorKind::Io, "xml", at as u64, found, "a file that can be read")
            }
        })?;
        if bytes.len() as u64 > most {
            return Err(expansion.exceeded(at));
        }
        let decoded = decode(&bytes).map_err(|error| match error.position() {
            Some(position) => in_file(&error, name, position, at),
            None => error,
        })?;
        let written = decoded.text.as_str().get(..decoded.end).unwrap_or("");
        let refused = |error: &Error, at_text: u64| {
            let text_at = usize::try_from(at_text).unwrap_or(usize::MAX);
            in_file(error, name, line_and_column(written, text_at), at)
        };
        let start = if declaration::begins(written.as_bytes()) {
            declaration::read_of_entity(written.as_bytes()).map_err(|error| refused(&error, error.offset()))?
        } else {
            0
        };
        let (found, expected) = match decoded.stop {
            Stop::End => {
                let mut text = String::with_capacity(written.len() - start);
                push_lines(&mut text, &written.as_bytes()[start..]);
                return Ok(Replacement { range: 0..text.len(), text: Text::Shared(text.into()) });
            }
            Stop::Cut => (Words::Text("a part of a character at the end"), "whole characters"),
            Stop::Char(c) => (shown(c), "a character that XML allows"),
            Stop::Byte(byte, encoding) => (Words::Own(format!("the byte 0x{byte:02X}")), encoding),
        };
        let error = Error::new(ErrorKind::Syntax, "xml", 0, found, expected);
        Err(refused(&error, decoded.end as u64))
    }
}

/// An error at a line and column of another file, with the position `at` of the reference in the document.
#[cold]
pub(crate) fn in_file(error: &Error, name: &str, (line, column): (u64, u64), at: usize) -> Error {
    let found = match error.kind() {
        ErrorKind::Incomplete => "the end of the text".to_owned(),
        _ => error.found().to_string(),
    };
    let kind = if error.kind() == ErrorKind::Incomplete { ErrorKind::Syntax } else { error.kind() };
    let found = Words::Own(format!("{found} in '{name}' (line {line}, column {column})"));
    Error::new(kind, "xml", at as u64, found, error.expected().clone())
}
