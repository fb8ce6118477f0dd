//! Why a message cannot be read: the careful twin of [`scan`](crate::scan).
//!
//! It reads again, unit by unit, and keeps what an error reports. It accepts the same messages as the
//! loop; tests compare the two.

use tam::{Error, ErrorKind, Row, TypeSet, Words};

use crate::chars;
use crate::{Lengths, Options};

const FORMAT: &str = "tsf";

/// The positions of a unit's number, name and type in the message.
struct Head {
    /// 64 bits on every processor, as all sums of it: what it claims need not be there.
    number: u64,
    name: core::ops::Range<usize>,
    kind: u8,
    /// Where the content starts.
    content: usize,
}

/// Reads one unit's number, name and type at `p`.
///
/// `after` is the least number of bytes that the message needs after this unit's type.
fn head(message: &[u8], types: &TypeSet, p: usize, after: u64) -> Result<Head, Error> {
    let ends =
        |at: usize, least: u64, expected: &'static str| Error::incomplete(FORMAT, at as u64, least + after, expected);
    let mut number = 0_u64;
    let mut at = p;
    loop {
        let expected = if at == p { "the number of a unit" } else { "the rest of a number, a name or a type" };
        let &c = message.get(at).ok_or_else(|| ends(at, if at == p { 2 } else { 1 }, expected))?;
        if !c.is_ascii_digit() {
            break;
        }
        number = number * 10 + u64::from(c - b'0');
        if number > u64::from(u32::MAX) {
            return Err(Error::limit(FORMAT, p as u64, "a larger number", "message_bytes", u32::MAX.into()));
        }
        at += 1;
    }
    if at == p {
        return Err(Error::new(ErrorKind::Syntax, FORMAT, p as u64, Words::Byte(message[p]), "the number of a unit"));
    }
    let start = at;
    let extended = message[at] == b'"';
    if extended {
        at += 1;
    }
    loop {
        let &c = message.get(at).ok_or_else(|| ends(message.len(), 1, "the rest of a name, and a type"))?;
        if types.is_type(c) {
            break;
        }
        at += if extended && c == b'\\' { 2 } else { 1 };
    }
    if at - start > Row::MAX_NAME {
        return Err(Error::limit(FORMAT, start as u64, "a longer name", "name", Row::MAX_NAME as u64));
    }
    Ok(Head { number, name: start..at, kind: message[at], content: at + 1 })
}

/// Finds what is wrong with the first `roots` outermost units of `message`.
///
/// `deep` is where the loop met a unit that lies too deep, if that is what stopped it.
#[cold]
pub(crate) fn explain(message: &[u8], options: &Options<'_>, roots: u32, deep: Option<usize>) -> Error {
    let mut open = Open::new(roots);
    match walk(message, options, roots, deep.unwrap_or(usize::MAX), &mut open) {
        Err(error) => open.locate(error, message),
        Ok(()) => Error::new(ErrorKind::Syntax, FORMAT, 0, "a message refused", "a sound message"),
    }
}

fn walk(message: &[u8], options: &Options<'_>, roots: u32, deep: usize, open: &mut Open) -> Result<(), Error> {
    let (types, limits) = (options.types, &options.limits);
    let in_chars = options.lengths == Lengths::Chars;
    let mut owed = u64::from(roots);
    let mut units = u64::from(roots);
    let mut p = 0;
    while owed > 0 {
        if units > u64::from(limits.units) {
            return Err(Error::limit(FORMAT, p as u64, "more units", "units", limits.units.into()));
        }
        owed -= 1;
        let head = head(message, types, p, 2 * owed)?;
        if types.is_structured(head.kind) {
            owed += head.number;
            units += head.number;
            if head.name.start == deep {
                return Err(Error::limit(FORMAT, p as u64, "one more level", "depth", limits.depth.into()));
            }
            short(message, p, &head, 2 * owed)?;
            p = head.content;
            open.enter(&head);
        } else {
            p = data_end(message, in_chars, &head, p, 2 * owed)?;
            open.pass();
        }
    }
    if units > u64::from(limits.units) {
        return Err(Error::limit(FORMAT, p as u64, "more units", "units", limits.units.into()));
    }
    Ok(())
}

/// Whether the bytes are there, `needed` at the least, for the units a structured unit claims.
fn short(message: &[u8], p: usize, head: &Head, needed: u64) -> Result<(), Error> {
    let left = (message.len() - head.content) as u64;
    if needed <= left {
        return Ok(());
    }
    let expected = Words::Count(needed, "bytes or more for the missing units");
    Err(Error::incomplete(FORMAT, p as u64, needed - left, expected)
        .with_found(Words::Count(left, "bytes before the end of the input")))
}

/// Where the data of a primitive unit ends.
fn data_end(message: &[u8], in_chars: bool, head: &Head, p: usize, after: u64) -> Result<usize, Error> {
    let start = head.content;
    let left = (message.len() - start) as u64;
    if let Ok(number) = usize::try_from(head.number) {
        let end = if in_chars { chars::end(message, start, number) } else { start.checked_add(number) };
        if let Some(end) = end.filter(|&end| end as u64 + after <= message.len() as u64) {
            return Ok(end);
        }
    }
    if in_chars {
        // Characters are one byte at the least: with fewer bytes left the text may just be cut.
        let text = &message[start..];
        if let Err(error) = core::str::from_utf8(text) {
            let valid = text[..error.valid_up_to()].iter().filter(|&&c| c & 0xC0 != 0x80).count();
            if (valid as u64) < head.number && error.error_len().is_some() {
                let at = start + error.valid_up_to();
                return Err(Error::new(
                    ErrorKind::Syntax,
                    FORMAT,
                    at as u64,
                    Words::Byte(message[at]),
                    "UTF-8 characters",
                ));
            }
        }
    }
    let needed = (head.number + after).saturating_sub(left).max(1);
    let unit = if in_chars { "characters of data" } else { "bytes of data" };
    let error = Error::incomplete(FORMAT, p as u64, needed, Words::Count(head.number, unit));
    Err(error.with_found(Words::Count(left, "bytes before the end of the input")))
}

/// The units open while the message is walked, as far as a path names them.
///
/// Levels beyond the last one kept count as one: a path is never longer than
/// [`Open::LEVELS`], whatever the message claims.
#[cfg(feature = "alloc")]
struct Open {
    levels: alloc::vec::Vec<Level>,
}

#[cfg(feature = "alloc")]
struct Level {
    name: core::ops::Range<usize>,
    /// Units met so far, and units owed still (with all below them on the last level kept).
    met: usize,
    owed: u64,
}

#[cfg(feature = "alloc")]
impl Open {
    const LEVELS: usize = 64;

    fn new(roots: u32) -> Open {
        Open { levels: alloc::vec![Level { name: 0..0, met: 0, owed: roots.into() }] }
    }

    /// A unit without children has been read.
    fn pass(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.met += 1;
            level.owed -= 1;
        }
        while self.levels.last().is_some_and(|level| level.owed == 0) {
            self.levels.pop();
        }
    }

    /// A structured unit has begun.
    fn enter(&mut self, head: &Head) {
        if head.number == 0 {
            return self.pass();
        }
        let deepest = self.levels.len() == Open::LEVELS;
        if let Some(level) = self.levels.last_mut() {
            level.met += 1;
            level.owed -= 1;
            if deepest {
                level.owed += head.number;
                return;
            }
        }
        self.levels.push(Level { name: head.name.clone(), met: 0, owed: head.number });
    }

    fn locate(&self, error: Error, message: &[u8]) -> Error {
        let mut path = alloc::string::String::new();
        let mut index = 0;
        for level in &self.levels {
            let written = &message[level.name.clone()];
            let extended = written.first() == Some(&b'"');
            let name = if extended { tam::Name::extended(written) } else { tam::Name::plain(written) };
            // The level of the outermost units is no step, nor is an unnamed outermost unit.
            if !name.is_none() || level.name.start > 0 && !path.is_empty() {
                name.push_step(1, index, &mut path);
            }
            index = level.met.saturating_sub(1);
        }
        error.in_path(path)
    }
}

/// Without `alloc` errors have no path.
#[cfg(not(feature = "alloc"))]
struct Open;

#[cfg(not(feature = "alloc"))]
impl Open {
    fn new(_: u32) -> Open {
        Open
    }

    fn pass(&mut self) {}

    fn enter(&mut self, _: &Head) {}

    fn locate(&self, error: Error, _: &[u8]) -> Error {
        error
    }
}
