//! Messages into the table.

use tam::{Document, Error, ErrorKind, Table};

use crate::explain::explain;
use crate::scan::{Scanned, Stop, scan};
use crate::{Lengths, Options};

/// Reads a message of one outermost unit or more, the whole of `message`.
///
/// The table is refilled; the document borrows it and the message. A fresh table costs three
/// allocations at the most, a table used before for a message of that size none.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tam::{Table, TypeSet};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut table = Table::new();
/// let options = lengthwise_tsf::Options::new(TypeSet::XML);
/// let document = lengthwise_tsf::read(b"2order<1=2id[177[hello &", &options, &mut table)?;
/// assert_eq!(document.get("/order/@id").unwrap().value(), b"17");
/// assert_eq!(document.get("/order/text()").unwrap().value(), b"hello &");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Syntax`] where the bytes are no unit, [`ErrorKind::Incomplete`] where the units
/// claim more than there is, [`ErrorKind::Limit`] beyond the options' limits or the rows lent.
pub fn read<'a>(message: &'a [u8], options: &Options<'a>, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let bound = options.limits.message_bytes;
    if message.len() > bound as usize {
        return Err(Error::limit("tsf", bound.into(), "a longer message", "message_bytes", bound.into()));
    }
    let mut scanned = units(message, message.len(), options, 1, table)?;
    let mut roots = 1;
    if scanned.bytes < message.len() {
        // The children of one unit lie side by side, and so do the outermost units: their number
        // is found by reading to the end, and then they are read again.
        let mut at = scanned.bytes;
        while at < message.len() {
            let rest = &message[at..];
            let rest = units(rest, rest.len(), options, 1, table);
            at += rest.map_err(|error| shifted(error, at))?.bytes;
            roots += 1;
        }
        scanned = units(message, message.len(), options, roots, table)?;
    }
    table.fill(scanned.rows, 0, roots);
    Ok(table.document(message, options.types))
}

/// Reads one outermost unit from the start of `buffer`, and says how many bytes it took.
///
/// The bytes after it are ignored, so messages can follow each other. While a message is still arriving,
/// the error is [`ErrorKind::Incomplete`], and [`Error::needed`] is the least number of bytes that are
/// missing. Every call reads from the start. If you do not trust the senders, find the end first with
/// [`MessageEnd`](crate::MessageEnd), which does not start over.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tam::{ErrorKind, Table, TypeSet};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut table = Table::new();
/// let options = lengthwise_tsf::Options::new(TypeSet::JSON);
/// let (document, taken) = lengthwise_tsf::read_prefix(b"1{2ok'170[", &options, &mut table)?;
/// assert_eq!((document.units(), taken), (2, 8));
///
/// let error = lengthwise_tsf::read_prefix(b"1{2o", &options, &mut table).unwrap_err();
/// assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(1)));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_prefix<'a>(
    buffer: &'a [u8],
    options: &Options<'a>,
    table: &'a mut Table<'_>,
) -> Result<(Document<'a>, usize), Error> {
    let bound = options.limits.message_bytes;
    let message = &buffer[..buffer.len().min(bound as usize)];
    // How much of the buffer is this message is not known.
    let scanned = units(message, 0, options, 1, table).map_err(|error| {
        let whole = message.len() as u64 + error.needed().unwrap_or(0);
        if error.kind() == ErrorKind::Incomplete && whole > u64::from(bound) {
            return Error::limit("tsf", error.offset(), "a longer message", "message_bytes", bound.into());
        }
        error
    })?;
    table.fill(scanned.rows, 0, 1);
    Ok((table.document(&buffer[..scanned.bytes], options.types), scanned.bytes))
}

/// Fills the table with the first `roots` outermost units, expected to take `expected` bytes.
fn units(
    message: &[u8],
    expected: usize,
    options: &Options<'_>,
    roots: u32,
    table: &mut Table<'_>,
) -> Result<Scanned, Error> {
    table.clear();
    let scanned = match options.lengths {
        Lengths::Bytes => scan::<false>(message, expected, options.types, &options.limits, roots, table),
        Lengths::Chars => scan::<true>(message, expected, options.types, &options.limits, roots, table),
    };
    scanned.map_err(|stop| match stop {
        Stop::Fault => explain(message, options, roots, None),
        Stop::Depth(at) => explain(message, options, roots, Some(at)),
        Stop::Rows(rows) => Error::limit("tsf", 0, "more units than rows lent", "rows", rows as u64),
    })
}

fn shifted(error: Error, by: usize) -> Error {
    let at = error.offset() + by as u64;
    error.met_in("tsf", at)
}
