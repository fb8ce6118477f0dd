//! Documents into messages.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use tam::{Document, Error, ErrorKind, Levels, Name, Row, TypeSet, Words, needs_extended_form};

use crate::chars;
use crate::mark::needs_mark;
#[cfg(feature = "alloc")]
use crate::output::Appended;
use crate::output::{Buffer, Counted, Lent, Output};
use crate::{Lengths, Options};

const FORMAT: &str = "tsf";

/// Writes a document as a message.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tam::{Builder, Limits, Table, TypeSet};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut table = Table::new();
/// let mut order = Builder::new(b"", TypeSet::JSON, Limits::default(), &mut table);
/// order.open(b'{', b"")?;
/// order.primitive(b'\'', b"id", b"17")?;
/// order.primitive(b'\'', b"64th", b"true")?;
/// order.close()?;
/// order.finish()?;
/// let document = table.document(b"", TypeSet::JSON);
/// let message = lengthwise_tsf::write(&document, &lengthwise_tsf::Options::new(TypeSet::JSON))?;
/// assert_eq!(message, b"2{2id'174\"64th'true");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`] where the options' type set lacks a type of the document, the document has references to
/// entities, or character lengths are asked for data that is not UTF-8; [`ErrorKind::Limit`] for a message of
/// 4 GiB or more.
#[cfg(feature = "alloc")]
pub fn write(document: &Document<'_>, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, options, &mut out)?;
    Ok(out)
}

/// Appends a document to `out` as a message.
///
/// On an error `out` is as it was.
///
/// # Errors
/// As [`write()`].
#[cfg(feature = "alloc")]
pub fn append(document: &Document<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    let (message, beside) = document.texts();
    let buffer = Appended::new(out, message.len() + beside.len());
    let written = written(document, options, Output::new(buffer, start));
    out.truncate(start + *written.as_ref().unwrap_or(&0));
    written.map(|_| ())
}

/// Writes a document as a message into the caller's buffer, and returns its length in bytes.
///
/// Bytes of the buffer after the message may be overwritten too.
///
/// # Errors
/// As [`write()`]; and [`ErrorKind::Limit`] where the buffer is too short ([`encoded_len`] says
/// what is needed). Without the `alloc` feature attributes cannot be sorted, and units deeper
/// than 64 levels cannot be written.
pub fn write_into(document: &Document<'_>, options: &Options<'_>, out: &mut [u8]) -> Result<usize, Error> {
    written(document, options, Output::new(Lent(out), 0))
}

/// The length of a document's message, in bytes.
///
/// # Errors
/// As [`write()`].
pub fn encoded_len(document: &Document<'_>, options: &Options<'_>) -> Result<usize, Error> {
    let mut out = Output::new(Counted, 0);
    units_in(document, options, &mut out)?;
    Ok(out.len())
}

/// Writes the message into a buffer that must have room for it; its length.
fn written<B: Buffer>(document: &Document<'_>, options: &Options<'_>, mut out: Output<B>) -> Result<usize, Error> {
    units_in(document, options, &mut out)?;
    out.check()?;
    Ok(out.len())
}

fn units_in<B: Buffer>(document: &Document<'_>, options: &Options<'_>, out: &mut Output<B>) -> Result<(), Error> {
    tam::xml::refuse_references(document, FORMAT)?;
    if needs_mark(document, options.types) {
        out.byte(b'0');
    }
    if same_types(document, options) {
        units(document, options, Plain, out)
    } else {
        units(document, options, Translated, out)
    }
}

fn same_types(document: &Document<'_>, options: &Options<'_>) -> bool {
    core::ptr::eq(document.types(), options.types) || document.types() == options.types
}

#[cold]
fn too_long() -> Error {
    Error::limit(FORMAT, 0, "a longer message", "message_bytes", u32::MAX.into())
}

/// How kinds and names of the document become those of the message.
trait Names {
    /// Whether both stay as they are.
    const SAME: bool;

    /// Writes the name of a unit, after a look at its kind.
    fn write<B: Buffer>(
        &self,
        document: &Document<'_>,
        row: &Row,
        types: &TypeSet,
        out: &mut Output<B>,
    ) -> Result<(), Error>;
}

/// The document's type set is the message's: plain names are copied as they are.
#[derive(Clone, Copy)]
struct Plain;

impl Names for Plain {
    const SAME: bool = true;

    #[inline(always)]
    fn write<B: Buffer>(
        &self,
        document: &Document<'_>,
        row: &Row,
        types: &TypeSet,
        out: &mut Output<B>,
    ) -> Result<(), Error> {
        if row.has_extended_name() {
            // It may have been read from a message that used the form, or escapes, without need.
            write_name(document.name(row), types, out);
        } else {
            out.copy(document.text(row.name_at(), row.name_len()));
        }
        Ok(())
    }
}

/// Another type set: kinds are checked, and names brought into the form the set needs.
#[derive(Clone, Copy)]
struct Translated;

impl Names for Translated {
    const SAME: bool = false;

    fn write<B: Buffer>(
        &self,
        document: &Document<'_>,
        row: &Row,
        types: &TypeSet,
        out: &mut Output<B>,
    ) -> Result<(), Error> {
        if !types.is_type(row.kind()) || types.is_structured(row.kind()) != row.is_structured() {
            let expected =
                if row.is_structured() { "a structured type of the set" } else { "a primitive type of the set" };
            return Err(Error::new(
                ErrorKind::Unsupported,
                FORMAT,
                out.len() as u64,
                Words::Byte(row.kind()),
                expected,
            ));
        }
        let name = document.name(row);
        if !name.is_none() {
            write_name(name, types, out);
        }
        Ok(())
    }
}

/// Writes a name, in the extended form only where it needs that.
fn write_name<B: Buffer>(name: Name<'_>, types: &TypeSet, out: &mut Output<B>) {
    if is_plain(name, types) {
        for c in name.bytes() {
            out.byte(c);
        }
        return;
    }
    out.byte(b'"');
    for c in name.bytes() {
        if c == b'"' || c == b'\\' || types.is_type(c) {
            out.byte(b'\\');
        }
        out.byte(c);
    }
}

fn is_plain(name: Name<'_>, types: &TypeSet) -> bool {
    if !name.is_extended() {
        return !needs_extended_form(name.written(), types);
    }
    let first = name.bytes().next();
    first.is_some_and(|c| !c.is_ascii_digit() && c != b'"') && !name.bytes().any(|c| types.is_type(c))
}

/// Writes all units in document order.
fn units<N: Names + Copy, B: Buffer>(
    document: &Document<'_>,
    options: &Options<'_>,
    names: N,
    out: &mut Output<B>,
) -> Result<(), Error> {
    match options.lengths {
        Lengths::Bytes => units_by::<false, N, B>(document, options, names, out),
        Lengths::Chars => units_by::<true, N, B>(document, options, names, out),
    }
}

fn units_by<const CHARS: bool, N: Names + Copy, B: Buffer>(
    document: &Document<'_>,
    options: &Options<'_>,
    names: N,
    out: &mut Output<B>,
) -> Result<(), Error> {
    let rows = document.rows();
    let run = |first: u32, count: u32| {
        let missing = || Error::new(ErrorKind::Syntax, FORMAT, 0, "rows that are not there", "a whole document");
        rows.get(first as usize..first as usize + count as usize).ok_or_else(missing)
    };
    let (first, count) = document.root_rows();
    // The rest of each run that is open.
    let mut runs = Levels::new();
    let mut rest = run(first, count)?;
    loop {
        let Some((row, after)) = rest.split_first() else {
            match runs.pop() {
                Some(above) => rest = above,
                None => break,
            }
            continue;
        };
        rest = after;
        if !row.is_structured() {
            primitive::<CHARS, N, B>(document, row, options, names, out)?;
            continue;
        }
        head(document, row, row.len(), options, names, out)?;
        if !after.is_empty() {
            runs.push(after, FORMAT)?;
        }
        rest = run(row.value_at(), row.len())?;
        if options.sort_attributes
            && row.kind() == b'<'
            && let Some((list, content)) = rest.split_first()
            && list.kind() == b'='
            && list.is_structured()
        {
            let attributes = run(list.value_at(), list.len())?;
            if !attributes.iter().any(Row::is_structured) {
                head(document, list, list.len(), options, names, out)?;
                sorted::<CHARS, N, B>(document, attributes, options, names, out)?;
                rest = content;
            }
        }
        if out.len() > u32::MAX as usize {
            return Err(too_long());
        }
    }
    if out.len() > u32::MAX as usize { Err(too_long()) } else { Ok(()) }
}

#[inline(always)]
fn primitive<const CHARS: bool, N: Names + Copy, B: Buffer>(
    document: &Document<'_>,
    row: &Row,
    options: &Options<'_>,
    names: N,
    out: &mut Output<B>,
) -> Result<(), Error> {
    let data = (row.value_at(), row.len());
    let number = if CHARS { characters(document.text(data.0, data.1), out)? } else { data.1 };
    if N::SAME && out.short_unit(document.texts().0, row, number, Some(data)) {
        return Ok(());
    }
    head(document, row, number, options, names, out)?;
    out.copy(document.text(data.0, data.1));
    Ok(())
}

/// Writes number, name and type of a unit.
#[inline(always)]
fn head<N: Names + Copy, B: Buffer>(
    document: &Document<'_>,
    row: &Row,
    number: u32,
    options: &Options<'_>,
    names: N,
    out: &mut Output<B>,
) -> Result<(), Error> {
    if N::SAME && out.short_unit(document.texts().0, row, number, None) {
        return Ok(());
    }
    out.decimal(number);
    names.write(document, row, options.types, out)?;
    out.byte(row.kind());
    Ok(())
}

/// Length of data in characters.
#[inline]
fn characters<B: Buffer>(data: &[u8], out: &Output<B>) -> Result<u32, Error> {
    match chars::count(data) {
        Ok(count) => Ok(count as u32),
        Err(error) => Err(Error::new(
            ErrorKind::Unsupported,
            FORMAT,
            out.len() as u64,
            Words::Byte(data.get(error.valid_up_to()).copied().unwrap_or(0)),
            "UTF-8, for lengths in characters",
        )),
    }
}

/// Writes a run of attributes in the order of their names.
#[cfg(feature = "alloc")]
fn sorted<const CHARS: bool, N: Names + Copy, B: Buffer>(
    document: &Document<'_>,
    run: &[Row],
    options: &Options<'_>,
    names: N,
    out: &mut Output<B>,
) -> Result<(), Error> {
    let mut attributes: Vec<&Row> = run.iter().collect();
    // UTF-8 sorts by bytes as it does by code points.
    attributes.sort_by(|a, b| document.name(a).bytes().cmp(document.name(b).bytes()));
    for row in attributes {
        primitive::<CHARS, N, B>(document, row, options, names, out)?;
    }
    Ok(())
}

#[cfg(not(feature = "alloc"))]
fn sorted<const CHARS: bool, N: Names + Copy, B: Buffer>(
    _: &Document<'_>,
    _: &[Row],
    _: &Options<'_>,
    _: N,
    out: &mut Output<B>,
) -> Result<(), Error> {
    let expected = "the order of the document: sorting needs the feature alloc";
    Err(Error::new(ErrorKind::Unsupported, FORMAT, out.len() as u64, "sorted attributes", expected))
}
