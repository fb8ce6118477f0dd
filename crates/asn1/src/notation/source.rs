//! Sources: texts of one module or more.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::fmt;

use foldhash::HashMap;
use tam::{Error, ErrorKind, Limits, Words};

use super::FORMAT;
use super::lexer::{Kind, Lexer, located};
use super::parser::Parser;
use super::settle::Classes;
use super::tag::Numbers;
use crate::schema::{Module, Position, Schema, Warning};

/// An error, and which of several sources it is in.
///
/// With `?` it becomes the [`Error`] alone; when printed, it begins with the name of the source.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceError {
    /// The index of the source, from 0.
    pub index: usize,
    /// The name that the caller gave to the source.
    pub name: String,
    /// The error, with its position in the source.
    pub error: Error,
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.error)
    }
}

impl fmt::Debug for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.name, self.error)
    }
}

impl std::error::Error for SourceError {}

impl From<SourceError> for Error {
    fn from(error: SourceError) -> Error {
        error.error
    }
}

/// Reads the modules of several sources, each given by a name (for example of its file) and its text.
///
/// A source holds one module or more (X.680 clause 13). References are not resolved, except for the numbers of tags:
/// `[APPLICATION some-value]`. A module that comes again with the same text is read once.
///
/// Published modules are not always right. If the `END` of the last module is missing, or comments have octets that are not
/// UTF-8, the schema has [warnings](Schema::warnings).
///
/// Of the limits, `message_bytes` applies to the sources together, `units` to their lexical items, and `depth` to
/// nested types, constraints and values, of which there are never more than [`NESTING`](super::NESTING).
///
/// # Errors
/// * [`ErrorKind::Syntax`](tam::ErrorKind::Syntax) if a text is not ASN.1, or a name is defined twice;
/// * [`ErrorKind::Incomplete`](tam::ErrorKind::Incomplete) if one ends inside an unfinished module;
/// * [`ErrorKind::Unsupported`](tam::ErrorKind::Unsupported) if it uses macros or values in XML;
/// * [`ErrorKind::Schema`](tam::ErrorKind::Schema) if the name of a tag does not lead to a number;
/// * [`ErrorKind::Limit`](tam::ErrorKind::Limit) if a limit is reached.
///
/// Each error has the source, byte offset, line, column, and the path `Module.Type.component`.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::notation;
/// use lengthwise_tam::Limits;
///
/// let sources = [
///     ("a.asn1", "A DEFINITIONS ::= BEGIN IMPORTS T FROM B; S ::= SET OF T END"),
///     ("b.asn1", "B DEFINITIONS ::= BEGIN T ::= INTEGER (0..9"),
/// ];
/// let error = notation::parse(&sources, &Limits::default()).unwrap_err();
/// assert_eq!((error.index, error.error.path()), (1, "B.T"));
/// ```
pub fn parse<T: AsRef<[u8]>>(sources: &[(&str, T)], limits: &Limits) -> Result<Schema, SourceError> {
    let mut bytes = u64::from(limits.message_bytes);
    let mut texts = Vec::with_capacity(sources.len());
    for (index, (name, source)) in sources.iter().enumerate() {
        let source = source.as_ref();
        let text = match bytes.checked_sub(source.len() as u64) {
            Some(left) => {
                bytes = left;
                Text::new(name, source)
            }
            None => {
                let found = Words::Count(source.len() as u64, "bytes");
                Err(Error::limit(FORMAT, bytes, found, "message_bytes", limits.message_bytes.into()))
            }
        };
        texts.push(text.map_err(|error| SourceError { index, name: (*name).to_owned(), error })?);
    }
    let (schema, has_named_tags) = read(&texts, limits, None)?;
    if !has_named_tags {
        return Ok(schema);
    }
    // Only now are the values of the names known.
    Ok(read(&texts, limits, Some(&Numbers::new(&schema)))?.0)
}

/// A source as text.
struct Text<'s> {
    name: &'s str,
    text: Cow<'s, str>,
    /// The first octet that is not UTF-8, in a comment.
    not_utf8: Option<Position>,
}

impl<'s> Text<'s> {
    /// Octets in comments that are not UTF-8 do not matter. Each is replaced by one character, so that positions stay.
    fn new(name: &'s str, source: &'s [u8]) -> Result<Text<'s>, Error> {
        if let Ok(text) = str::from_utf8(source) {
            return Ok(Text { name, text: text.into(), not_utf8: None });
        }
        let (mut text, mut replaced) = (String::with_capacity(source.len()), Vec::new());
        for chunk in source.utf8_chunks() {
            text.push_str(chunk.valid());
            for octet in chunk.invalid() {
                replaced.push((text.len(), *octet));
                text.push('?');
            }
        }
        let mut lexer = Lexer::new(&text);
        let mut rest = &replaced[..];
        loop {
            let (item, is_last) = match lexer.next() {
                Ok(token) => {
                    let start = token.position.offset as usize;
                    (start..start + token.text.len(), token.kind == Kind::End)
                }
                // Another error is met again by the parser.
                Err(error) => (error.offset() as usize..error.offset() as usize + 1, true),
            };
            rest = &rest[rest.partition_point(|(at, _)| *at < item.start)..];
            match rest.first() {
                Some((at, octet)) if item.contains(at) => {
                    let expected = "UTF-8, except in comments";
                    let error = Error::new(ErrorKind::Syntax, FORMAT, 0, Words::Byte(*octet), expected);
                    return Err(located(error, position(&text, *at)));
                }
                _ if is_last => break,
                _ => {}
            }
        }
        let not_utf8 = replaced.first().map(|(at, _)| position(&text, *at));
        Ok(Text { name, text: text.into(), not_utf8 })
    }
}

/// A position by its offset.
fn position(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let lines = before.matches('\n').count();
    Position { offset: offset as u32, line: lines as u32 + 1, column: line.chars().count() as u32 + 1 }
}

/// Reads the modules of one source, like [`parse`].
///
/// # Errors
/// Those of [`parse`].
pub fn parse_one(text: &str, limits: &Limits) -> Result<Schema, Error> {
    Ok(parse(&[("", text)], limits)?)
}

/// Returns the schema, and whether a tag has a name for a number.
fn read(sources: &[Text<'_>], limits: &Limits, numbers: Option<&Numbers<'_>>) -> Result<(Schema, bool), SourceError> {
    let mut schema = Schema::default();
    let mut has_named_tags = false;
    let mut left = limits.units;
    let mut known = HashMap::default();
    let mut ends = Vec::with_capacity(sources.len());
    for (index, source) in sources.iter().enumerate() {
        match modules(source, limits, &mut left, numbers, &mut known, &mut schema) {
            Ok(named_tags) => {
                has_named_tags |= named_tags;
                ends.push(schema.modules.len());
            }
            Err(error) => return Err(SourceError { index, name: source.name.to_owned(), error }),
        }
    }
    let classes = Classes::new(&schema.modules);
    for (number, module) in schema.modules.iter_mut().enumerate() {
        if let Err(error) = classes.settle(module, *limits) {
            let index = ends.partition_point(|end| *end <= number);
            let name = sources.get(index).map_or("", |source| source.name).to_owned();
            return Err(SourceError { index, name, error });
        }
    }
    Ok((schema, has_named_tags))
}

/// The modules that have been read: the source and the text of each, by its name and object identifier.
type Known<'s> = HashMap<(String, String), (&'s str, &'s str)>;

/// Reads the modules of one source.
fn modules<'s>(
    source: &'s Text<'_>,
    limits: &Limits,
    left: &mut u32,
    numbers: Option<&'s Numbers<'s>>,
    known: &mut Known<'s>,
    schema: &mut Schema,
) -> Result<bool, Error> {
    let mut parser = Parser::new(&source.text, *limits, *left, numbers)?;
    if let Some(position) = source.not_utf8 {
        parser.warnings.push((position, "comments have octets that are not UTF-8".to_owned()));
    }
    loop {
        parser.path.clear();
        let name = parser.token();
        let (mut module, text) = parser.module()?;
        source.name.clone_into(&mut module.source);
        // Modules of one name differ in their object identifiers.
        match known.entry((module.name.clone(), format!("{:?}", arcs(&module)))) {
            Entry::Vacant(entry) => {
                entry.insert((source.name, text));
                schema.modules.push(module);
            }
            Entry::Occupied(entry) => {
                let (first, same) = *entry.get();
                if text != same {
                    let first = if first.is_empty() { String::new() } else { format!(" (the first is in {first})") };
                    let found = Words::Own(format!("a second {}{first}", name.words()));
                    let expected = "modules of different names or identifiers, or the same text";
                    return Err(parser.error(ErrorKind::Syntax, name.position, found, expected));
                }
            }
        }
        if parser.token().kind == Kind::End {
            let warning = |(position, text)| Warning { source: source.name.to_owned(), position, text };
            schema.warnings.extend(parser.warnings.drain(..).map(warning));
            *left = parser.left();
            return Ok(parser.has_named_tags);
        }
        if !parser.is_reference() {
            return Err(parser.unexpected("another module, or the end of the source"));
        }
    }
}

/// The object identifier of a module, without positions.
fn arcs(module: &Module) -> Vec<(&str, Option<u64>)> {
    module.identifier.iter().map(|arc| (&arc.name[..], arc.number)).collect()
}

/// Finds the source of an error that has only the name of its module.
#[cold]
pub(crate) fn in_source<T: AsRef<[u8]>>(sources: &[(&str, T)], limits: &Limits, error: Error) -> SourceError {
    let module = error.path().split('.').next().unwrap_or_default();
    let has_it = |source: &(&str, T)| {
        let alone = [("", source.1.as_ref())];
        parse(&alone, limits).is_ok_and(|schema| schema.modules.iter().any(|other| other.name == module))
    };
    let index = match sources {
        [_] => 0,
        _ => sources.iter().position(has_it).unwrap_or_default(),
    };
    let name = sources.get(index).map_or("", |(name, _)| name).to_owned();
    SourceError { index, name, error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_reported_by_name_and_source() {
        let sources = [("a", "A DEFINITIONS ::= BEGIN END"), ("b", "B DEFINITIONS ::= BEGIN END")];
        let limits = Limits { message_bytes: 53, ..Limits::default() };
        let error = parse(&sources, &limits).unwrap_err();
        assert_eq!((error.index, error.error.kind()), (1, ErrorKind::Limit));
        assert_eq!(error.error.expected().to_string(), "at most 53 (limit message_bytes)");
        assert!(parse(&sources, &Limits { message_bytes: 54, units: 10, ..limits }).is_ok());
        let error = parse(&sources, &Limits { message_bytes: 54, units: 9, ..limits }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "b: limit at byte 24 (line 1, column 25) in B: found one more lexical item, expected at most 9 (limit units)"
        );
    }

    /// X.680 clause 13.2.
    #[test]
    fn modules_have_different_names() {
        let sources = [
            ("a", "A DEFINITIONS ::= BEGIN END B DEFINITIONS ::= BEGIN END"),
            ("b", "A DEFINITIONS ::= BEGIN T ::= NULL END"),
        ];
        let error = parse(&sources, &Limits::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "b: syntax at byte 0 (line 1, column 1): found a second 'A' (the first is in a), expected modules of different \
             names or identifiers, or the same text"
        );
    }

    #[test]
    fn a_copy_of_a_module_is_read_once() {
        let sources =
            [("a", "A DEFINITIONS ::= BEGIN T ::= NULL END -- a"), ("b", "A DEFINITIONS ::= BEGIN T ::= NULL END")];
        let schema = parse(&sources, &Limits::default()).unwrap();
        assert_eq!((schema.modules.len(), schema.warnings.len()), (1, 0));
    }

    /// The module of NIST-SIG as published ends so; X.680 clause 13.1 has the END.
    #[test]
    fn a_module_without_end_is_read_with_a_warning() {
        let schema = parse(&[("a", "A DEFINITIONS ::= BEGIN\nT ::= NULL\n")], &Limits::default()).unwrap();
        assert_eq!(schema.modules[0].assignments.len(), 1);
        let warnings: Vec<String> = schema.warnings.iter().map(Warning::to_string).collect();
        assert_eq!(warnings, ["a: module A ends without END (line 3)"]);
    }

    #[test]
    fn octets_that_are_not_utf8_are_passed_over_in_comments_alone() {
        let latin1: &[u8] = b"A DEFINITIONS ::= BEGIN\n-- f\xFCr /* \nT ::= UTF8String /* f\xFCr */ END";
        let schema = parse(&[("a", latin1)], &Limits::default()).unwrap();
        let warnings: Vec<String> = schema.warnings.iter().map(Warning::to_string).collect();
        assert_eq!(warnings, ["a: comments have octets that are not UTF-8 (line 2)"]);
        let start = schema.modules[0].assignments[0].position;
        assert_eq!((start.offset, start.line, start.column), (35, 3, 1));
        for (text, at, place) in [
            (&b"A DEFINITIONS ::= BEGIN -- \xFC\nt IA5String ::= \"f\xFCr\" END"[..], 47, (2, 19)),
            (b"A DEFINITIONS ::= BEGIN \xFC END", 24, (1, 25)),
            (b"\xFF\xFEA\0", 0, (1, 1)),
        ] {
            let error = parse(&[("a", text)], &Limits::default()).unwrap_err().error;
            assert_eq!((error.kind(), error.offset(), error.position()), (ErrorKind::Syntax, at, Some(place)));
            assert_eq!(error.expected().to_string(), "UTF-8, except in comments");
        }
    }
}
