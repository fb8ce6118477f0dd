//! Documents as messages.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use tam::{Children, Document, Error, ErrorKind, Levels, Name, Node, Vocabulary, Words};

use crate::{Backward, End, FORMAT, number, text};

/// Writes a document of the type set [`TypeSet::VALUE`](tam::TypeSet::VALUE) as a message.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// # use ::text as lengthwise_text;
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut table = lengthwise_tam::Table::new();
/// let options = lengthwise_text::json::Options::default();
/// let document = lengthwise_text::json::read(br#"{"room": "attic", "t": 21.50, "a:b": [true, null]}"#, &options, &mut table)?;
/// assert_eq!(lengthwise_pon::write(&document)?, br"30{room:5sattict:5d21.50a\:b:2[tu");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Unsupported`] where the document is of another type set, is not one unit, or holds
/// what is not of its type; [`ErrorKind::Limit`] beyond 4 GiB.
#[cfg(feature = "alloc")]
pub fn write(document: &Document<'_>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, &mut out)?;
    Ok(out)
}

/// Writes a document to the end of `out`; after an error `out` is as it was.
///
/// # Errors
/// As [`write()`].
#[cfg(feature = "alloc")]
pub fn append(document: &Document<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    check_vocabulary(document)?;
    let start = out.len();
    let len = append_backward(document, out, room(document)).inspect_err(|_| out.truncate(start))?;
    let end = out.len();
    out.copy_within(end - len.., start);
    out.truncate(start + len);
    Ok(())
}

/// Writes a document at the end of `room` bytes after `out`, and returns its length.
#[cfg(feature = "alloc")]
fn append_backward(document: &Document<'_>, out: &mut Vec<u8>, room: usize) -> Result<usize, Error> {
    let start = out.len();
    out.resize(start + room, 0);
    let buffer = Backward::new(&mut out[start..]);
    let written =
        if document.is_sound() { backward::<false>(document, buffer) } else { backward::<true>(document, buffer) }?;
    let len = written.len();
    check_len(len as u64)?;
    if len > room {
        out.truncate(start);
        return append_backward(document, out, len);
    }
    written.finish().map(<[u8]>::len)
}

/// The room that a document takes if no key has escapes, with little to spare.
#[cfg(feature = "alloc")]
fn room(document: &Document<'_>) -> usize {
    // A key has a colon. The length of data has two digits and no more than a digit for each 64 bytes, that of a container ten.
    let units = document.rows().iter().map(|row| {
        let len = row.len() as usize;
        row.name_len() as usize + 4 + if row.is_structured() { 8 } else { len + len / 64 }
    });
    crate::backward::PIECE + units.sum::<usize>()
}

/// Writes a document to the start of `buffer`, and gives the bytes that took.
///
/// Without the feature `alloc` a document can have 64 levels.
///
/// # Errors
/// As [`write()`]; and [`ErrorKind::Limit`] where the buffer is too short ([`encoded_len`] says how
/// long it must be).
pub fn write_into(document: &Document<'_>, buffer: &mut [u8]) -> Result<usize, Error> {
    let len = encoded_len(document)?;
    let room = buffer.len();
    let Some(place) = buffer.get_mut(..len) else {
        let found = Words::Count(len as u64, "bytes of message");
        return Err(Error::limit(FORMAT, room as u64, found, "buffer", room as u64));
    };
    backward::<false>(document, Backward::new(place))?.finish().map(<[u8]>::len)
}

/// Bytes a document takes as a message.
///
/// # Errors
/// As [`write()`].
pub fn encoded_len(document: &Document<'_>) -> Result<usize, Error> {
    check_vocabulary(document)?;
    let len = backward::<true>(document, Backward::new(&mut []))?.len();
    check_len(len as u64)?;
    Ok(len)
}

/// Refuses a message that is longer than the format allows.
pub(crate) fn check_len(len: u64) -> Result<(), Error> {
    if u32::try_from(len).is_ok() {
        return Ok(());
    }
    Err(Error::limit(FORMAT, 0, "a longer message", "message_bytes", u32::MAX.into()))
}

/// A container that is being written: what precedes it in its own container, and where it ends.
struct Open<'d> {
    unit: Node<'d>,
    before: Children<'d>,
    end: End,
}

/// Writes the units from the last to the first, so that the length of a container is known when
/// its head is due. Whether the units can be written is checked the first time, when their bytes
/// are counted, unless the reader has checked them.
fn backward<'b, 'd, const CHECK: bool>(
    document: &'d Document<'d>,
    mut out: Backward<'b, 'd>,
) -> Result<Backward<'b, 'd>, Error> {
    let mut open: Levels<Open<'_>> = Levels::new();
    let mut before = document.roots();
    // The type of the container whose units these are.
    let mut inside = None;
    let (text, _) = document.texts();
    loop {
        let unit = match before.next_back() {
            Some(unit) if unit.is_structured() => {
                let outer = core::mem::replace(&mut before, unit.children());
                open.push(Open { unit, before: outer, end: out.end() }, FORMAT)?;
                inside = Some(unit.kind());
                continue;
            }
            Some(unit) => {
                if CHECK {
                    check_scalar(&unit, unit.value())?;
                }
                if !out.short_scalar(text, unit.row()) {
                    scalar(unit.kind(), unit.value(), &mut out);
                }
                unit
            }
            None => {
                let Some(container) = open.pop() else { return Ok(out) };
                out.head_since(container.end, container.unit.kind());
                before = container.before;
                inside = open.last().map(|outer| outer.unit.kind());
                container.unit
            }
        };
        if CHECK {
            check_name(&unit, unit.name(), inside)?;
        }
        if inside == Some(b'{') && !out.short_key(text, unit.row()) {
            key(unit.name(), &mut out);
        }
    }
}

fn check_vocabulary(document: &Document<'_>) -> Result<(), Error> {
    if document.types().vocabulary() != Vocabulary::Value {
        let found = "a document of another type set";
        return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "one of the type set value"));
    }
    match document.roots().len() {
        1 => Ok(()),
        n => {
            let found = Words::Count(n as u64, "outermost units");
            Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, found, "one"))
        }
    }
}

/// Whether a member of an object has a name, and an item of an array none.
fn check_name(unit: &Node<'_>, name: Name<'_>, inside: Option<u8>) -> Result<(), Error> {
    match (inside == Some(b'{'), name.is_none()) {
        (false, false) => Err(refused(unit, "a name", "no names outside objects")),
        (true, true) => Err(refused(unit, "no name", "a name for each member of an object")),
        _ if !text::is_utf8(name.written()) => Err(refused(unit, "a name that is not UTF-8", "UTF-8")),
        _ => Ok(()),
    }
}

/// The key of a member.
#[inline(always)]
fn key(name: Name<'_>, out: &mut Backward<'_, '_>) {
    if name.is_extended() { out.key_of(name.bytes()) } else { out.key_bytes(name.written()) }
}

/// Whether the data of a unit is of its type: a document can be made by hand.
fn check_scalar(unit: &Node<'_>, data: &[u8]) -> Result<(), Error> {
    let (sound, expected) = match unit.kind() {
        b'\'' => (text::is_utf8(data), "text in UTF-8"),
        b'#' => (number::is_integer(data), "an integer as JSON writes it"),
        b'%' => (number::is_float(data), "a number as JSON writes it, NaN, Infinity or -Infinity"),
        b'*' => (true, ""),
        b'^' => (text::is_one_character(data), "one character in UTF-8"),
        b'`' => (data.len() == 1, "one byte"),
        b'?' => (matches!(data, b"t" | b"f"), "t or f"),
        _ => (data.is_empty(), "no data in null"),
    };
    if sound { Ok(()) } else { Err(refused(unit, "other data", expected)) }
}

/// A value that holds no others.
#[inline(always)]
fn scalar(kind: u8, data: &[u8], out: &mut Backward<'_, '_>) {
    match kind {
        b'?' => out.put(data),
        b'^' | b'`' | b'~' => {
            out.put(data);
            out.byte(tag(kind));
        }
        _ => out.node(tag(kind), data),
    }
}

/// The type in a message of a value that holds no others. A boolean is its own type, of which this is one.
#[inline(always)]
pub(crate) const fn tag(kind: u8) -> u8 {
    const TAGS: [u8; 256] = {
        let mut tags = [b'u'; 256];
        let (kinds, written) = (b"'#%*^`?", b"sidycbt");
        let mut at = 0;
        while at < kinds.len() {
            tags[kinds[at] as usize] = written[at];
            at += 1;
        }
        tags
    };
    TAGS[kind as usize]
}

#[cold]
fn refused(unit: &Node<'_>, found: &'static str, expected: &'static str) -> Error {
    let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, found, expected);
    #[cfg(feature = "alloc")]
    let error = error.in_path(unit.path());
    #[cfg(not(feature = "alloc"))]
    let _ = unit;
    error
}
