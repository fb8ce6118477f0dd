//! What must hold of any bytes at all that are read as a message.

use infoset::{Options, Strings};
use tam::{Document, Error, ErrorKind, Table};

use super::{by_events, pushed, said, text, xml};

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Read,
    Refused(ErrorKind),
}

/// Reads a message in every way there is: they agree. What was read is written as XML and as a message,
/// and both are read as the same; what was refused was refused with a reason.
pub(crate) fn hold(message: &[u8], options: &Options) -> Outcome {
    let mut table = Table::new();
    let pulled = by_events(message, options);
    assert_eq!(pulled.as_ref().map_err(reason), pushed(message, options).as_ref().map_err(reason), "events");
    match infoset::read(message, options, &mut table) {
        Ok(document) => {
            let events = pulled.unwrap_or_else(|error| panic!("the document is read, its events are not: {error}"));
            let said = said(&document);
            assert_eq!(without_declarations(&events), without_declarations(&said));
            comes_back(&document, &said, options);
            Outcome::Read
        }
        Err(error) => {
            says_something(&error);
            // Events return names unchanged, whatever their prefixes are bound to.
            if !error.to_string().contains("namespace") {
                let other = pulled.err().unwrap_or_else(|| panic!("its events are read, the document is not: {error}"));
                assert_eq!(other.kind(), error.kind(), "{other} is not {error}");
            }
            Outcome::Refused(error.kind())
        }
    }
}

fn reason(error: &Error) -> String {
    says_something(error);
    error.to_string()
}

fn says_something(error: &Error) {
    assert!(!error.found().to_string().is_empty() && !error.expected().to_string().is_empty(), "{error}");
    assert!(error.format() == "infoset", "{error}");
}

/// A document is what its XML says, and what a message says that is written of it.
fn comes_back(document: &Document<'_>, before: &str, options: &Options) {
    match text(document) {
        Ok(written) => {
            let mut table = Table::new();
            let again = xml(&written, &mut table).unwrap_or_else(|error| panic!("{error}: {}", written.escape_ascii()));
            assert_eq!(said(&again), before);
        }
        // Whether a whole DOCTYPE is one, and what it declares of the elements, the writer of XML sees.
        Err(error) => assert!(has_whole_doctype(document), "{error}"),
    }
    let options = options.with_strings(Strings::None).with_limits(tam::Limits::DEFAULT);
    let message = infoset::write(document, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut table = Table::new();
    let again = infoset::read(&message, &options, &mut table).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(said(&again), before);
}

fn has_whole_doctype(document: &Document<'_>) -> bool {
    let beside = document.roots().flat_map(|root| root.children());
    beside.filter(|node| node.kind() == b'!').any(|node| node.text().is_ok_and(|text| text.contains('<')))
}

/// The text without attributes that declare namespaces: a document has all of them.
fn without_declarations(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find(" xmlns") {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let value = after.find("=\"").map_or(after.len(), |at| at + 2);
        let mut end = value;
        let mut is_escaped = false;
        for c in after[value..].chars() {
            end += c.len_utf8();
            if c == '"' && !is_escaped {
                break;
            }
            is_escaped = c == '\\' && !is_escaped;
        }
        rest = &after[end..];
    }
    out + rest
}
