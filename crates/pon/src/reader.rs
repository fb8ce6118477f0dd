//! Messages into the table.

use tam::{Document, Error, Limits, Row, Table, TypeSet};

use crate::cursor::{not_utf8, trailing};
use crate::head::{self, Head, head};
use crate::{FORMAT, Kind, Options, key, number, text};

/// Reads a message, the whole of `message`, and checks all of it.
///
/// The table is refilled; the document borrows it and the message, and is of the type set
/// [`TypeSet::VALUE`]. A fresh table costs three allocations at the most, and more only for keys
/// that are numeral, hold escapes, or hold what are types in TSF; a table used before for a message
/// of that size none. Without the feature `alloc` such keys are refused.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut table = lengthwise_tam::Table::new();
/// let document = lengthwise_pon::read(b"25{key1:6svalue1key2:6svalue", &lengthwise_pon::Options::default(), &mut table);
/// assert_eq!(
///     document.unwrap_err().to_string(),
///     "syntax at byte 21 in /key2: found 7 bytes before the end of its container, expected 8 bytes or more for the node"
/// );
/// let document = lengthwise_pon::read(b"26{key1:6svalue1key2:6svalue2", &lengthwise_pon::Options::default(), &mut table)?;
/// assert_eq!(document.get("/key2").unwrap().value(), b"value2");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Incomplete`](tam::ErrorKind::Incomplete) where the message claims more bytes than there are, and
/// [`Error::needed`] says how many more; [`ErrorKind::Syntax`](tam::ErrorKind::Syntax) where it is none;
/// [`ErrorKind::Limit`](tam::ErrorKind::Limit) beyond the options' limits or the rows lent.
pub fn read<'a>(message: &'a [u8], options: &Options, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    check_size(message, options)?;
    let root = head(message).ok_or_else(|| head::fault(0, message, false))?;
    if root.end() < message.len() {
        return Err(trailing(message, root.end()));
    }
    fill(message, root, options, table)?;
    Ok(table.document(message, TypeSet::VALUE))
}

/// Refuses a message that is longer than it may be.
pub(crate) fn check_size(message: &[u8], options: &Options) -> Result<(), Error> {
    let bound = options.limits.message_bytes;
    if message.len() > bound as usize {
        return Err(Error::limit(FORMAT, bound.into(), "a longer message", "message_bytes", bound.into()));
    }
    Ok(())
}

/// Reads one message from the start of `buffer`, and says how many bytes it took.
///
/// The bytes after it are ignored, so messages can follow each other. While a message is still arriving,
/// the error is [`ErrorKind::Incomplete`](tam::ErrorKind::Incomplete), and [`Error::needed`] says how many more bytes
/// there must be: once the first length is there, exactly how many.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_pon::Options;
/// use lengthwise_tam::{ErrorKind, Table};
///
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let mut table = Table::new();
/// let (document, taken) = lengthwise_pon::read_prefix(b"7{id:2i17t", &Options::default(), &mut table)?;
/// assert_eq!((document.units(), taken), (2, 9));
///
/// let error = lengthwise_pon::read_prefix(b"7{id", &Options::default(), &mut table).unwrap_err();
/// assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(5)));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_prefix<'a>(
    buffer: &'a [u8],
    options: &Options,
    table: &'a mut Table<'_>,
) -> Result<(Document<'a>, usize), Error> {
    let root = root(buffer, &options.limits)?;
    let message = &buffer[..root.end()];
    fill(message, root, options, table)?;
    Ok((table.document(message, TypeSet::VALUE), message.len()))
}

/// The head of the message that `buffer` begins with, if that is whole and no longer than it may be.
pub(crate) fn root(buffer: &[u8], limits: &Limits) -> Result<Head, Error> {
    let bound = u64::from(limits.message_bytes);
    let too_long = || Error::limit(FORMAT, 0, "a longer message", "message_bytes", bound);
    let root = head(buffer).ok_or_else(|| {
        let error = head::fault(0, buffer, false);
        if error.needed().is_some_and(|needed| buffer.len() as u64 + needed > bound) { too_long() } else { error }
    })?;
    if root.end() as u64 > bound { Err(too_long()) } else { Ok(root) }
}

/// Fills the table with a message of one node.
fn fill(message: &[u8], root: Head, options: &Options, table: &mut Table<'_>) -> Result<(), Error> {
    table.clear();
    let mut reader =
        Reader { message, limits: options.limits, table, used: 0, next: 0, inside: 0, bound: 0, grown: false };
    if let Err(error) = reader.units(root) {
        let at = error.offset() as usize;
        return Err(reader.located(error, at));
    }
    let used = reader.used as u32;
    table.fill(used, 0, 1);
    Ok(())
}

/// A key as the table has it.
struct Name {
    /// Its position, in the message or in the copied text after it.
    at: u32,
    len: u32,
    /// The flag of the form it is written in.
    form: u16,
}

/// Bytes that mean nothing but themselves, in a key of PON and in a name of the table.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut c = 0;
    while c < 0x80 {
        plain[c as usize] = c != b':' && c != b'\\' && !TypeSet::VALUE.is_type(c);
        c += 1;
    }
    plain
};

/// How long the key is that `rest` begins with, if it is of plain bytes alone and has the same form
/// in the table: most are and have.
#[inline(always)]
fn plain_key(rest: &[u8]) -> Option<usize> {
    let &first = rest.first()?;
    let len = rest.iter().position(|&c| !PLAIN[usize::from(c)])?;
    let plain = rest[len] == b':' && len > 0 && len <= Row::MAX_NAME && first != b'"' && !first.is_ascii_digit();
    plain.then_some(len)
}

/// Rows that a fresh table has room for at first.
const FEW: usize = 64;

/// Reads level by level: the rows are the queue of what is to be read. A container's row names the
/// bytes inside it until they are read, and then the rows they became. So children lie side by side,
/// and nesting needs no stack.
struct Reader<'m, 't, 's> {
    message: &'m [u8],
    limits: Limits,
    table: &'t mut Table<'s>,
    /// Rows filled.
    used: usize,
    /// The row whose content is read.
    next: usize,
    /// Where that begins.
    inside: usize,
    /// Rows that may be filled before there must be more room.
    bound: usize,
    /// Whether there had to be.
    grown: bool,
}

impl Reader<'_, '_, '_> {
    fn units(&mut self, root: Head) -> Result<(), Error> {
        self.make_room(self.message.len().min(FEW), 0)?;
        self.check(&root, 0)?;
        let class = TypeSet::VALUE.class(Kind::unit(root.tag));
        self.push(Row::new(class, 0, 0, root.data as u32, root.len as u32), 0)?;
        let (mut level, mut level_end) = (1, 1);
        while self.next < self.used {
            let next = self.next;
            if next == level_end {
                level += 1;
                level_end = self.used;
            }
            let row = self.table.room()[next];
            if row.is_structured() {
                self.inside = row.value_at() as usize;
                if level > self.limits.depth {
                    let at = u64::from(row.value_at()).saturating_sub(1);
                    return Err(Error::limit(FORMAT, at, "one more level", "depth", self.limits.depth.into()));
                }
                let first = self.used;
                let (start, end) = (row.value_at() as usize, row.value_at() as usize + row.len() as usize);
                if row.kind() == b'{' {
                    self.members(start, end)?
                } else {
                    self.items(start, end)?
                }
                self.table.room()[next] = row.with_content(first as u32, (self.used - first) as u32);
            }
            self.next += 1;
        }
        Ok(())
    }

    fn items(&mut self, mut at: usize, end: usize) -> Result<(), Error> {
        while at < end {
            let node = self.node(at, end)?;
            let class = TypeSet::VALUE.class(Kind::unit(node.tag));
            self.push(Row::new(class, 0, 0, (at + node.data) as u32, node.len as u32), at)?;
            at += node.end();
        }
        Ok(())
    }

    fn members(&mut self, mut at: usize, end: usize) -> Result<(), Error> {
        while at < end {
            let rest = &self.message[at..end];
            let (key_len, name) = match plain_key(rest) {
                Some(len) => (len, Name { at: at as u32, len: len as u32, form: 0 }),
                None => self.other_key(at, rest)?,
            };
            at += key_len + 1;
            let node = self.node(at, end)?;
            let class = TypeSet::VALUE.class(Kind::unit(node.tag)) | name.form;
            self.push(Row::new(class, name.at, name.len, (at + node.data) as u32, node.len as u32), at)?;
            at += node.end();
        }
        Ok(())
    }

    /// The node at `at`, in a container that ends at `end`.
    #[inline(always)]
    fn node(&self, at: usize, end: usize) -> Result<Head, Error> {
        let rest = &self.message[at..end];
        let node = head(rest).ok_or_else(|| head::fault(at, rest, true))?;
        self.check(&node, at)?;
        Ok(node)
    }

    /// Whether the data of a node at `at` is what its type says.
    #[inline(always)]
    fn check(&self, node: &Head, at: usize) -> Result<(), Error> {
        let data = &self.message[at + node.data..at + node.end()];
        let sound = match node.tag {
            b's' => text::is_utf8(data),
            b'i' => number::is_integer(data),
            b'd' => number::is_float(data),
            _ => true,
        };
        // What ends too early does so where the next value begins.
        if sound { Ok(()) } else { Err(self.located(fault(node.tag, data, at + node.data), at)) }
    }

    /// The key at the start of `rest`, which begins at `at`: its length and its name.
    #[inline(never)]
    fn other_key(&mut self, at: usize, rest: &[u8]) -> Result<(usize, Name), Error> {
        let (len, escaped) = key::end(rest).ok_or_else(|| key::no_end(at, rest))?;
        Ok((len, self.name(at, &rest[..len], escaped)?))
    }

    fn name(&mut self, at: usize, written: &[u8], escaped: bool) -> Result<Name, Error> {
        if written.len() > Row::MAX_NAME {
            return Err(long_key(at));
        }
        if !text::is_utf8(written) {
            return Err(key::not_utf8(at, written));
        }
        if escaped || written.is_empty() || tam::needs_extended_form(written, TypeSet::VALUE) {
            return self.extended_name(at, written);
        }
        Ok(Name { at: at as u32, len: written.len() as u32, form: 0 })
    }

    /// A key that the table holds in another form than PON writes it in.
    #[cfg(feature = "alloc")]
    fn extended_name(&mut self, at: usize, written: &[u8]) -> Result<Name, Error> {
        let text = self.table.text_mut();
        let start = text.len();
        tam::write_extended(key::unescaped(written), TypeSet::VALUE, text);
        let (len, end) = (text.len() - start, self.message.len() + text.len());
        if len > Row::MAX_NAME || u32::try_from(end).is_err() {
            return Err(long_key(at));
        }
        Ok(Name { at: (self.message.len() + start) as u32, len: len as u32, form: Row::EXTENDED_NAME })
    }

    #[cfg(not(feature = "alloc"))]
    #[cold]
    fn extended_name(&mut self, at: usize, _: &[u8]) -> Result<Name, Error> {
        let found = "a key that is empty, starts with a digit or a quote, or holds a type of TSF or an escape";
        Err(Error::new(
            tam::ErrorKind::Unsupported,
            FORMAT,
            at as u64,
            found,
            "another key: without alloc names stay in place",
        ))
    }

    /// Adds the path of the unit at byte `at` to an error that has none.
    #[cfg(feature = "alloc")]
    #[cold]
    fn located(&self, error: Error, at: usize) -> Error {
        if !error.path().is_empty() {
            return error;
        }
        let path = crate::path::to(self.message, self.inside, at);
        error.in_path(path)
    }

    #[cfg(not(feature = "alloc"))]
    fn located(&self, error: Error, _: usize) -> Error {
        error
    }

    /// Adds the row of a node at `at`.
    #[inline(always)]
    fn push(&mut self, row: Row, at: usize) -> Result<(), Error> {
        if self.used >= self.bound {
            self.more_room(at)?;
        }
        self.table.room()[self.used] = row;
        self.used += 1;
        Ok(())
    }

    /// Room is made in three steps: for a few nodes, which is all that a message of large payloads
    /// has; for a node each eight bytes that are in containers and not read yet, from `at` on; and
    /// for a node each such byte, beyond which there are none.
    #[cold]
    #[inline(never)]
    fn more_room(&mut self, at: usize) -> Result<(), Error> {
        let rows = self.table.room().get(self.next..self.used).unwrap_or_default();
        let mut unread = 0;
        for (place, row) in rows.iter().enumerate().filter(|(_, row)| row.is_structured()) {
            let end = row.value_at() as usize + row.len() as usize;
            unread += if place == 0 { end.saturating_sub(at) } else { row.len() as usize };
        }
        let rows = if self.grown { unread } else { unread.div_ceil(8) };
        self.grown = true;
        // Reading goes on with one more node, whatever is to come.
        self.make_room(self.used + rows.max(1), at)
    }

    fn make_room(&mut self, rows: usize, at: usize) -> Result<(), Error> {
        let units = self.limits.units;
        if self.used >= units as usize {
            return Err(Error::limit(FORMAT, at as u64, "more units", "units", units.into()));
        }
        if !self.table.make_room(rows) && self.used >= self.table.capacity() {
            let room = self.table.capacity() as u64;
            return Err(Error::limit(FORMAT, at as u64, "more units than rows lent", "rows", room));
        }
        self.bound = self.table.capacity().min(units as usize);
        Ok(())
    }
}

#[cold]
fn long_key(at: usize) -> Error {
    Error::limit(FORMAT, at as u64, "a longer key", "name", Row::MAX_NAME as u64)
}

/// Why data at byte `at` is not of its type.
#[cold]
fn fault(tag: u8, data: &[u8], at: usize) -> Error {
    if tag == b's' { not_utf8(at, data) } else { number::fault(tag, data, at) }
}
