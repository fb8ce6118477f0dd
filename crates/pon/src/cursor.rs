//! A lazy cursor straight over the bytes.

use core::iter::FusedIterator;

use tam::{Error, ErrorKind, Words};

use crate::head::{self, head};
use crate::key::{self, Key};
use crate::{FORMAT, Kind, Record, number, text};

/// A value in its message.
///
/// Nothing is read before it is requested: [`Value::get`] reads the keys of an object and the lengths of the values
/// between them, and skips their content. So an error means that the requested value is not available, and success says
/// nothing about the rest; [`read`](crate::read()) checks a whole message. Nothing is allocated.
///
/// Every error has the offset in bytes from the start of the message. If a value is of another type than requested, the
/// kind is [`ErrorKind::Schema`].
///
/// ```
/// # fn main() -> Result<(), lengthwise_pon::Error> {
/// let message = lengthwise_pon::Value::new(b"39{id:4i1234image:6y\0\xFF\0\xFF\0\xFFtags:9[2sin3sout")?;
/// assert_eq!(message.require("id")?.as_i64()?, 1234);
/// assert_eq!(message.require("image")?.as_bytes()?.len(), 6);
/// assert_eq!(message.find("/tags/1")?.unwrap().as_str()?, "out");
/// assert!(message.get("name")?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct Value<'m> {
    data: &'m [u8],
    /// The position of the data in the message; the lowest eight bits are the type character.
    ///
    /// They share a word because separate fields leave padding. Copying that takes a wide load after the
    /// narrow store of the type, which is slow.
    place: u64,
}

/// The place of a value in its message, without borrowing it: [`Value::place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    place: u64,
    len: usize,
}

impl<'m> Value<'m> {
    /// The value that is the whole of `message`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] where no node begins, or more follows it; [`ErrorKind::Incomplete`]
    /// where it ends beyond the message, and [`Error::needed`] is by how many bytes.
    #[inline]
    pub fn new(message: &'m [u8]) -> Result<Value<'m>, Error> {
        let (value, taken) = Value::prefix(message)?;
        if taken < message.len() { Err(trailing(message, taken)) } else { Ok(value) }
    }

    /// The value at the start of `buffer`, and its length in bytes. The bytes after it are ignored, so
    /// messages can follow each other.
    ///
    /// # Errors
    /// As [`Value::new`], but that more may follow.
    #[inline]
    pub fn prefix(buffer: &'m [u8]) -> Result<(Value<'m>, usize), Error> {
        match head(buffer) {
            Some(head) => Ok((Value::of(head.tag, &buffer[head.data..head.end()], head.data), head.end())),
            None => Err(head::fault(0, buffer, false)),
        }
    }

    /// The place of the value, to return to it with [`Value::at_place`].
    ///
    /// ```
    /// # fn main() -> Result<(), lengthwise_pon::Error> {
    /// let message = b"14{id:1i7tag:2sin";
    /// let tag = lengthwise_pon::Value::new(message)?.require("tag")?.place();
    /// assert_eq!(lengthwise_pon::Value::at_place(message, tag).unwrap().as_str()?, "in");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn place(self) -> Place {
        Place { place: self.place, len: self.data.len() }
    }

    /// The value at a place of the same message. In another message it is meaningless, or `None` where that ends
    /// before it.
    #[must_use]
    pub fn at_place(message: &'m [u8], place: Place) -> Option<Value<'m>> {
        let data = message.get((place.place >> 8) as usize..)?.get(..place.len)?;
        Some(Value { data, place: place.place })
    }

    /// A value with its type, its data, and the position of the data in the message.
    #[inline(always)]
    pub(crate) fn of(tag: u8, data: &'m [u8], at: usize) -> Value<'m> {
        Value { data, place: (at as u64) << 8 | u64::from(tag) }
    }

    /// What the value is.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        // A head has no other tags.
        Kind::of(self.tag()).unwrap_or(Kind::Null)
    }

    /// The data as the message has it: digits of a number, octets, members. A boolean's is `t` or
    /// `f`, null's is empty.
    #[inline]
    #[must_use]
    pub fn data(self) -> &'m [u8] {
        self.data
    }

    /// The position of [`Value::data`], in bytes from the start of the message.
    #[inline]
    #[must_use]
    pub fn offset(self) -> usize {
        (self.place >> 8) as usize
    }

    /// The type character.
    #[inline(always)]
    fn tag(self) -> u8 {
        self.place as u8
    }

    /// The first member of that key.
    ///
    /// # Errors
    /// Where this is no object, or is at fault before the member.
    #[inline]
    pub fn get(self, key: &str) -> Result<Option<Value<'m>>, Error> {
        self.members_of_object()?.find(key)
    }

    /// The members, to be looked up one after the other in the order they are likely to come.
    ///
    /// # Errors
    /// Where this is no object.
    #[inline]
    pub fn record(self) -> Result<Record<'m>, Error> {
        Ok(Record::new(self, self.members_of_object()?))
    }

    /// The first member of that key, which must be there.
    ///
    /// # Errors
    /// As [`Value::get`], and [`ErrorKind::Schema`] where there is none.
    #[inline]
    pub fn require(self, key: &str) -> Result<Value<'m>, Error> {
        self.get(key)?.ok_or_else(|| self.missing(key))
    }

    #[cold]
    pub(crate) fn missing(self, key: &str) -> Error {
        #[cfg(feature = "alloc")]
        let found = Words::Own(alloc::format!("missing member '{}'", key.escape_debug()));
        #[cfg(not(feature = "alloc"))]
        let found = Words::Text(if key.is_empty() { "missing member with an empty key" } else { "missing member" });
        Error::new(ErrorKind::Schema, FORMAT, self.offset() as u64, found, "")
    }

    /// The item at an index, from 0.
    ///
    /// # Errors
    /// Where this is no array, or is at fault before the item.
    pub fn at(self, index: usize) -> Result<Option<Value<'m>>, Error> {
        let mut items = self.items();
        if self.tag() != b'[' {
            return Err(self.unfit("an array"));
        }
        for _ in 0..index {
            if items.next().transpose()?.is_none() {
                return Ok(None);
            }
        }
        items.next().transpose()
    }

    /// The value at a path: keys and indexes (from 0), each after a `/`. `~1` means `/` and `~0` means `~`,
    /// as in RFC 6901. The empty path is this value. Any other path that does not begin with `/` finds
    /// nothing.
    ///
    /// # Errors
    /// Where a container is at fault before what the path leads to.
    pub fn find(self, path: &str) -> Result<Option<Value<'m>>, Error> {
        let mut at = self;
        let mut steps = path.split('/');
        if steps.next() != Some("") {
            return Ok(None);
        }
        for step in steps {
            let next = match at.tag() {
                b'{' => at.get_step(step)?,
                b'[' => match tam::index(step) {
                    Some(index) => at.at(index)?,
                    None => None,
                },
                _ => None,
            };
            match next {
                Some(value) => at = value,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    fn get_step(self, step: &str) -> Result<Option<Value<'m>>, Error> {
        if !step.contains('~') {
            return self.get(step);
        }
        for member in self.members_of_object()? {
            let (key, value) = member?;
            if key.chars().eq(unescaped(step)) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// The members of an object, in order; none of any other value. An object that is damaged gives
    /// those before the damage, and then the error.
    #[must_use]
    pub fn members(self) -> Members<'m> {
        self.members_of_object().unwrap_or(Members { rest: &[], at: self.offset() })
    }

    #[inline(always)]
    fn members_of_object(self) -> Result<Members<'m>, Error> {
        if self.tag() == b'{' {
            Ok(Members { rest: self.data, at: self.offset() })
        } else {
            Err(self.unfit("an object"))
        }
    }

    /// The items of an array, in order; none of any other value.
    #[must_use]
    pub fn items(self) -> Items<'m> {
        Items { rest: if self.tag() == b'[' { self.data } else { &[] }, at: self.offset() }
    }

    /// Whether this is null.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.tag() == b'u'
    }

    /// The boolean.
    ///
    /// # Errors
    /// Where this is none.
    #[inline(always)]
    pub fn as_bool(self) -> Result<bool, Error> {
        match self.tag() {
            b't' => Ok(true),
            b'f' => Ok(false),
            _ => Err(self.unfit("a boolean")),
        }
    }

    /// The integer; a byte is one too.
    ///
    /// # Errors
    /// Where this is none, is not written as one, or does not fit.
    #[inline(always)]
    pub fn as_i64(self) -> Result<i64, Error> {
        match self.tag() {
            b'i' => number::to_i64(self.data).ok_or_else(|| self.bad_integer("an integer of 64 bits")),
            b'b' => self.as_byte().map(i64::from),
            _ => Err(self.unfit("an integer")),
        }
    }

    /// The integer; a byte is one too.
    ///
    /// # Errors
    /// Where this is none, is not written as one, is negative or does not fit.
    #[inline(always)]
    pub fn as_u64(self) -> Result<u64, Error> {
        match self.tag() {
            b'i' => number::to_u64(self.data).ok_or_else(|| self.bad_integer("an integer of 64 bits, not negative")),
            b'b' => self.as_byte().map(u64::from),
            _ => Err(self.unfit("an integer")),
        }
    }

    /// The double nearest to a float or an integer.
    ///
    /// # Errors
    /// Where this is neither, is not written as one, or lies beyond the largest double.
    pub fn as_f64(self) -> Result<f64, Error> {
        match self.tag() {
            b'd' | b'i' => number::to_f64(self.data).ok_or_else(|| self.bad_float("a double")),
            _ => Err(self.unfit("a number")),
        }
    }

    /// The text of a string, or of a number as it is written.
    ///
    /// # Errors
    /// Where this is neither, or is not UTF-8.
    #[inline(always)]
    pub fn as_str(self) -> Result<&'m str, Error> {
        if self.tag() == b's' { self.utf8() } else { self.number_text() }
    }

    #[inline(never)]
    fn number_text(self) -> Result<&'m str, Error> {
        match self.tag() {
            b'i' if number::is_integer(self.data) => self.utf8(),
            b'd' if number::is_float(self.data) => self.utf8(),
            b'i' => Err(self.bad_integer("an integer")),
            b'd' => Err(self.bad_float("a float")),
            _ => Err(self.unfit("a string")),
        }
    }

    /// The octets of binary data, or of a string's UTF-8.
    ///
    /// # Errors
    /// Where this is neither.
    #[inline(always)]
    pub fn as_bytes(self) -> Result<&'m [u8], Error> {
        if matches!(self.tag(), b'y' | b's') { Ok(self.data) } else { Err(self.unfit("binary data")) }
    }

    /// The character.
    ///
    /// # Errors
    /// Where this is none.
    pub fn as_char(self) -> Result<char, Error> {
        let text = if self.tag() == b'c' { core::str::from_utf8(self.data).ok() } else { None };
        text.and_then(|text| text.chars().next()).ok_or_else(|| self.unfit("a character"))
    }

    /// The byte, from 0 to 255.
    ///
    /// # Errors
    /// Where this is none.
    #[inline(always)]
    pub fn as_byte(self) -> Result<u8, Error> {
        match (self.tag(), self.data) {
            (b'b', &[byte]) => Ok(byte),
            _ => Err(self.unfit("a byte")),
        }
    }

    /// The byte as Java has it, from -128 to 127 (the paper's table 1).
    ///
    /// ```
    /// # fn main() -> Result<(), lengthwise_pon::Error> {
    /// let byte = lengthwise_pon::Value::new(b"b\xFE")?;
    /// assert_eq!((byte.as_byte()?, byte.as_signed_byte()?, byte.as_i64()?), (254, -2, 254));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where this is none.
    pub fn as_signed_byte(self) -> Result<i8, Error> {
        self.as_byte().map(u8::cast_signed)
    }

    #[inline(always)]
    pub(crate) fn utf8(self) -> Result<&'m str, Error> {
        match text::utf8(self.data) {
            Some(text) => Ok(text),
            None => Err(not_utf8(self.offset(), self.data)),
        }
    }

    #[inline(always)]
    pub(crate) fn unfit(self, expected: &'static str) -> Error {
        unfit(self.tag(), self.offset(), expected)
    }

    #[inline(always)]
    pub(crate) fn bad_integer(self, expected: &'static str) -> Error {
        bad_integer(self.data, self.offset(), expected)
    }

    #[inline(always)]
    pub(crate) fn bad_float(self, expected: &'static str) -> Error {
        bad_float(self.tag(), self.data, self.offset(), expected)
    }
}

/// The characters of a step of a path: `~1` is `/` and `~0` is `~`.
pub(crate) fn unescaped(step: &str) -> impl Iterator<Item = char> {
    let mut step = step.chars();
    core::iter::from_fn(move || match step.next()? {
        '~' if step.as_str().starts_with(['0', '1']) => step.next().map(|c| if c == '0' { '~' } else { '/' }),
        c => Some(c),
    })
}

impl core::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} of {} bytes at {}", self.kind(), self.data.len(), self.offset())
    }
}

// What follows takes a value apart, because one that is handed over whole has to lie in memory even
// where nothing is wrong with it.

#[cold]
#[inline(never)]
fn unfit(tag: u8, at: usize, expected: &'static str) -> Error {
    let found = Kind::of(tag).unwrap_or(Kind::Null).words();
    Error::new(ErrorKind::Schema, FORMAT, at as u64, found, expected)
}

#[cold]
#[inline(never)]
fn bad_integer(data: &[u8], at: usize, expected: &'static str) -> Error {
    if !number::is_integer(data) {
        return number::fault(b'i', data, at);
    }
    Error::new(ErrorKind::Schema, FORMAT, at as u64, "another integer", expected)
}

#[cold]
#[inline(never)]
fn bad_float(tag: u8, data: &[u8], at: usize, expected: &'static str) -> Error {
    if !number::is_float(data) {
        return number::fault(tag, data, at);
    }
    Error::new(ErrorKind::Schema, FORMAT, at as u64, "a number beyond the largest", expected)
}

/// More follows a message that takes `taken` bytes.
#[cold]
pub(crate) fn trailing(message: &[u8], taken: usize) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, taken as u64, text::met(&message[taken..]), "the end of the message")
}

/// The error for a string's data at byte `at` that is not UTF-8.
#[cold]
#[inline(never)]
pub(crate) fn not_utf8(at: usize, data: &[u8]) -> Error {
    let valid = text::first_fault(data);
    Error::new(ErrorKind::Syntax, FORMAT, (at + valid) as u64, text::met(&data[valid..]), "a string in UTF-8")
}

/// The members of an object, in order; a key can come more than once.
///
/// After an error there are no more.
#[derive(Clone, Debug)]
pub struct Members<'m> {
    rest: &'m [u8],
    /// Their position in the message.
    at: usize,
}

impl<'m> Members<'m> {
    /// The first of the remaining members with that key. The members after it remain.
    #[inline]
    pub(crate) fn find(&mut self, key: &str) -> Result<Option<Value<'m>>, Error> {
        if key::needs_escapes(key.as_bytes()) {
            return self.find_escaped(key);
        }
        let wanted = key.as_bytes();
        // Keys of one object are often of one length. Where the next place is guessed, the
        // processor goes on there before the bytes on the way have come.
        let mut guess = wanted.len();
        while !self.rest.is_empty() {
            if !key::ends_at(self.rest, guess) {
                guess = match key::end(self.rest) {
                    Some((end, _)) => end,
                    None => return Err(key::no_end(self.at, self.rest)),
                };
            }
            let (written, rest) = self.rest.split_at(guess);
            self.rest = &rest[1..];
            self.at += guess + 1;
            let value = self.value()?;
            if written.len() == wanted.len() && key::is_same(written, wanted) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    #[cold]
    fn find_escaped(&mut self, key: &str) -> Result<Option<Value<'m>>, Error> {
        for member in self {
            let (name, value) = member?;
            if name == *key {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Passes over the next key if it is this one. One that needs escapes never is.
    #[inline(always)]
    pub(crate) fn skip_key(&mut self, key: &str) -> bool {
        let Some(rest) = key::strip(self.rest, key) else { return false };
        self.at += key.len() + 1;
        self.rest = rest;
        true
    }

    /// The next key as it is written, and whether it holds escapes.
    #[inline(always)]
    fn written_key(&mut self) -> Result<(&'m [u8], bool), Error> {
        let Some((end, escaped)) = key::end(self.rest) else { return Err(key::no_end(self.at, self.rest)) };
        let (written, rest) = (&self.rest[..end], &self.rest[end + 1..]);
        self.rest = rest;
        self.at += end + 1;
        Ok((written, escaped))
    }

    /// Where in the message what is left begins.
    #[cfg(feature = "alloc")]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Whether there are none left.
    #[cfg(feature = "alloc")]
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next key; [`Members::value`] is due then.
    #[inline]
    pub(crate) fn key(&mut self) -> Result<Key<'m>, Error> {
        let at = self.at;
        let (written, escaped) = self.written_key()?;
        key::checked(written, escaped, at)
    }

    /// The value of the key.
    #[inline(always)]
    pub(crate) fn value(&mut self) -> Result<Value<'m>, Error> {
        next_value(&mut self.rest, &mut self.at)
    }
}

impl<'m> Iterator for Members<'m> {
    type Item = Result<(Key<'m>, Value<'m>), Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let member = self.key().and_then(|key| Ok((key, self.value()?)));
        if member.is_err() {
            self.rest = &[];
        }
        Some(member)
    }
}

impl FusedIterator for Members<'_> {}

/// The items of an array, in order.
///
/// After an error there are no more.
#[derive(Clone, Debug)]
pub struct Items<'m> {
    rest: &'m [u8],
    /// Their position in the message.
    at: usize,
}

#[cfg(feature = "alloc")]
impl Items<'_> {
    /// Where in the message what is left begins.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }
}

impl<'m> Iterator for Items<'m> {
    type Item = Result<Value<'m>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let item = next_value(&mut self.rest, &mut self.at);
        if item.is_err() {
            self.rest = &[];
        }
        Some(item)
    }
}

impl FusedIterator for Items<'_> {}

#[inline(always)]
fn next_value<'m>(rest: &mut &'m [u8], at: &mut usize) -> Result<Value<'m>, Error> {
    match head(rest) {
        Some(head) => {
            let value = Value::of(head.tag, &rest[head.data..head.end()], *at + head.data);
            *rest = &rest[head.end()..];
            *at += head.end();
            Ok(value)
        }
        None => Err(head::fault(*at, rest, true)),
    }
}
