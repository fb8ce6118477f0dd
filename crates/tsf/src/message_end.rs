//! Where a message ends that is still arriving, each byte being looked at once.

use tam::{Error, ErrorKind, Row, Words};

use crate::chars::width;
use crate::{Lengths, Options};

const FORMAT: &str = "tsf";

/// Finds the end of a message that arrives in pieces.
///
/// [`read_prefix`](crate::read_prefix) reads from the start at every try, which is a cost that a sender can
/// multiply by sending little at a time. This goes on where it stopped, so that all calls together look at each
/// byte of heads once, and pass over data. It builds no rows: when the end is known, one call of `read_prefix` does.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_tam::{ErrorKind, Table, TypeSet};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let options = lengthwise_tsf::Options::new(TypeSet::VALUE);
/// let mut end = lengthwise_tsf::MessageEnd::new(&options);
/// let mut buffer = b"2{5room'at".to_vec();
/// let error = end.find(&buffer).unwrap_err();
/// assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(5)));
/// buffer.extend_from_slice(b"tic5t%21.501[0~");
/// assert_eq!(end.find(&buffer)?, 21);
/// let mut table = Table::new();
/// assert_eq!(lengthwise_tsf::read_prefix(&buffer, &options, &mut table)?.1, 21);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MessageEnd<'t> {
    options: Options<'t>,
    /// Bytes passed.
    at: usize,
    /// Units that must follow the current one.
    owed: u64,
    units: u64,
    part: Part,
}

/// The part of a unit that comes next.
#[derive(Clone, Copy, Debug)]
enum Part {
    Number {
        value: u64,
        digits: u32,
    },
    Name {
        number: u64,
        len: usize,
        extended: bool,
        escaped: bool,
    },
    /// Data, and how much of it is to come, in bytes or characters.
    Data {
        left: u64,
    },
    /// Nothing: the message is over.
    Over,
}

const UNIT: Part = Part::Number { value: 0, digits: 0 };

impl<'t> MessageEnd<'t> {
    /// The end of a message of one outermost unit, before any of it has arrived.
    #[must_use]
    pub fn new(options: &Options<'t>) -> MessageEnd<'t> {
        MessageEnd { options: *options, at: 0, owed: 0, units: 1, part: UNIT }
    }

    /// Bytes of the message that need not be looked at again.
    #[must_use]
    pub fn passed(&self) -> usize {
        self.at
    }

    /// The length in bytes of the message at the start of `buffer`. Each call gets the buffer of the previous
    /// call with more bytes appended.
    ///
    /// The limits `units` and `message_bytes` are kept; whether levels are too deep and data is UTF-8 is for
    /// the reader to say.
    ///
    /// # Errors
    /// [`ErrorKind::Incomplete`] while the message goes on beyond the buffer, and [`Error::needed`] says by how
    /// many bytes at the least; [`ErrorKind::Syntax`] and [`ErrorKind::Limit`] where no message begins like this.
    pub fn find(&mut self, buffer: &[u8]) -> Result<usize, Error> {
        loop {
            let rest = buffer.get(self.at..).unwrap_or(&[]);
            match self.part {
                Part::Over => return Ok(self.at),
                Part::Number { value, digits } => self.number(rest, value, digits)?,
                Part::Name { number, len, extended, escaped } => self.name(rest, number, len, extended, escaped)?,
                Part::Data { left } => self.data(rest, left)?,
            }
        }
    }

    fn number(&mut self, rest: &[u8], value: u64, digits: u32) -> Result<(), Error> {
        // A unit is two bytes at the least.
        let least = (2 + 2 * self.owed).saturating_sub(rest.len() as u64);
        if digits == 0 && self.at > 0 && least > 0 {
            return Err(self.incomplete(least, "the missing units"));
        }
        let Some(&c) = rest.first() else {
            let least = if digits == 0 { 2 } else { 1 };
            return Err(self.incomplete(least + 2 * self.owed, "the rest of a unit's head"));
        };
        if !c.is_ascii_digit() {
            if digits == 0 {
                let at = self.at as u64;
                return Err(Error::new(ErrorKind::Syntax, FORMAT, at, Words::Byte(c), "the number of a unit"));
            }
            let extended = c == b'"';
            self.at += usize::from(extended);
            self.part = Part::Name { number: value, len: usize::from(extended), extended, escaped: false };
            return Ok(());
        }
        let value = value * 10 + u64::from(c - b'0');
        if value > u64::from(u32::MAX) {
            return Err(self.limit("a larger number", "message_bytes", u32::MAX.into()));
        }
        self.at += 1;
        self.part = Part::Number { value, digits: digits.saturating_add(1) };
        Ok(())
    }

    fn name(&mut self, rest: &[u8], number: u64, len: usize, extended: bool, escaped: bool) -> Result<(), Error> {
        let (mut len, mut escaped) = (len, escaped);
        for &c in rest {
            if !escaped && self.options.types.is_type(c) {
                self.at += 1;
                return self.head(c, number);
            }
            escaped = extended && !escaped && c == b'\\';
            len += 1;
            if len > Row::MAX_NAME {
                return Err(self.limit("a longer name", "name", Row::MAX_NAME as u64));
            }
            self.at += 1;
        }
        self.part = Part::Name { number, len, extended, escaped };
        Err(self.incomplete(1 + 2 * self.owed, "the rest of a name, and a type"))
    }

    /// A head is whole.
    fn head(&mut self, kind: u8, number: u64) -> Result<(), Error> {
        if !self.options.types.is_structured(kind) {
            self.part = Part::Data { left: number };
            return Ok(());
        }
        self.units += number;
        let units = self.options.limits.units;
        if self.units > units.into() {
            return Err(self.limit("more units", "units", units.into()));
        }
        self.owed += number;
        self.next();
        Ok(())
    }

    /// A unit is over.
    fn next(&mut self) {
        self.part = if self.owed == 0 { Part::Over } else { UNIT };
        self.owed = self.owed.saturating_sub(1);
    }

    fn data(&mut self, rest: &[u8], mut left: u64) -> Result<(), Error> {
        if self.options.lengths == Lengths::Bytes {
            let here = left.min(rest.len() as u64);
            self.at += here as usize;
            left -= here;
        } else {
            let mut unread = rest;
            while let Some(&lead) = unread.first().filter(|_| left > 0) {
                let Some(after) = unread.get(width(lead)..) else { break };
                unread = after;
                left -= 1;
            }
            self.at += rest.len() - unread.len();
        }
        self.part = Part::Data { left };
        if left > 0 {
            // Of a character there may be some bytes already.
            return Err(self.incomplete(left + 2 * self.owed, "the rest of data"));
        }
        self.next();
        Ok(())
    }

    #[cold]
    fn incomplete(&self, needed: u64, expected: &'static str) -> Error {
        let bound = u64::from(self.options.limits.message_bytes);
        if self.at as u64 + needed > bound {
            return self.limit("a longer message", "message_bytes", bound);
        }
        Error::incomplete(FORMAT, self.at as u64, needed, expected)
    }

    #[cold]
    fn limit(&self, found: &'static str, limit: &'static str, bound: u64) -> Error {
        Error::limit(FORMAT, self.at as u64, found, limit, bound)
    }
}
