//! Sources: texts of one module or more.

use std::fmt;

use foldhash::HashSet;
use tam::{Error, ErrorKind, Limits, Words};

use super::FORMAT;
use super::lexer::Kind;
use super::parser::Parser;
use super::settle::Classes;
use super::tag::Numbers;
use crate::schema::{Module, Schema};

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
/// A source holds one module or more (X.680 clause 13); the `END` of its last one may be missing. References are not
/// resolved, except for the numbers of tags: `[APPLICATION some-value]`.
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
pub fn parse(sources: &[(&str, &str)], limits: &Limits) -> Result<Schema, SourceError> {
    let mut bytes = u64::from(limits.message_bytes);
    for (index, (name, text)) in sources.iter().enumerate() {
        match bytes.checked_sub(text.len() as u64) {
            Some(left) => bytes = left,
            None => {
                let found = Words::Count(text.len() as u64, "bytes");
                let error = Error::limit(FORMAT, bytes, found, "message_bytes", limits.message_bytes.into());
                return Err(SourceError { index, name: (*name).to_owned(), error });
            }
        }
    }
    let (schema, has_named_tags) = read(sources, limits, None)?;
    if !has_named_tags {
        return Ok(schema);
    }
    // Only now are the values of the names known.
    Ok(read(sources, limits, Some(&Numbers::new(&schema)))?.0)
}

/// Reads the modules of one source, like [`parse`].
///
/// # Errors
/// Those of [`parse`].
pub fn parse_one(text: &str, limits: &Limits) -> Result<Schema, Error> {
    Ok(parse(&[("", text)], limits)?)
}

/// Returns the schema, and whether a tag has a name for a number.
fn read(
    sources: &[(&str, &str)],
    limits: &Limits,
    numbers: Option<&Numbers<'_>>,
) -> Result<(Schema, bool), SourceError> {
    let mut schema = Schema::default();
    let mut has_named_tags = false;
    let mut left = limits.units;
    let mut names = HashSet::default();
    let mut ends = Vec::with_capacity(sources.len());
    for (index, (name, text)) in sources.iter().enumerate() {
        let result = modules(text, limits, &mut left, numbers, &mut names, &mut schema);
        match result {
            Ok(named_tags) => {
                has_named_tags |= named_tags;
                ends.push(schema.modules.len());
            }
            Err(error) => return Err(SourceError { index, name: (*name).to_owned(), error }),
        }
    }
    let classes = Classes::new(&schema.modules);
    for (number, module) in schema.modules.iter_mut().enumerate() {
        if let Err(error) = classes.settle(module, *limits) {
            let index = ends.partition_point(|end| *end <= number);
            let name = sources.get(index).map_or("", |(name, _)| name).to_owned();
            return Err(SourceError { index, name, error });
        }
    }
    Ok((schema, has_named_tags))
}

/// Reads the modules of one source.
fn modules<'s>(
    text: &'s str,
    limits: &Limits,
    left: &mut u32,
    numbers: Option<&'s Numbers<'s>>,
    names: &mut HashSet<(String, String)>,
    schema: &mut Schema,
) -> Result<bool, Error> {
    let mut parser = Parser::new(text, *limits, *left, numbers)?;
    loop {
        parser.path.clear();
        let name = parser.token();
        let module = parser.module()?;
        // Modules of one name differ in their object identifiers.
        if !names.insert((module.name.clone(), format!("{:?}", arcs(&module)))) {
            let found = Words::Own(format!("a second {}", name.words()));
            let expected = "modules of different names or identifiers";
            return Err(parser.error(ErrorKind::Syntax, name.position, found, expected));
        }
        schema.modules.push(module);
        if parser.token().kind == Kind::End {
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
pub(crate) fn in_source(sources: &[(&str, &str)], limits: &Limits, error: Error) -> SourceError {
    let module = error.path().split('.').next().unwrap_or_default();
    let has_it = |text: &str| {
        parse_one(text, limits).is_ok_and(|schema| schema.modules.iter().any(|other| other.name == module))
    };
    let index = match sources {
        [_] => 0,
        _ => sources.iter().position(|(_, text)| has_it(text)).unwrap_or_default(),
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

    #[test]
    fn modules_have_different_names() {
        let sources =
            [("a", "A DEFINITIONS ::= BEGIN END B DEFINITIONS ::= BEGIN END"), ("b", "A DEFINITIONS ::= BEGIN END")];
        let error = parse(&sources, &Limits::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "b: syntax at byte 0 (line 1, column 1): found a second 'A', expected modules of different names or identifiers"
        );
    }
}
