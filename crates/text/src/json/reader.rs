//! JSON text into a document.

use tam::{Builder, Document, Error, Row, Table, TypeSet, Words, json};

use super::{FORMAT, Options, Types};

/// The mark that a UTF-8 text may start with; it is passed over (RFC 8259 section 8.1).
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads a JSON text of any value into `table` (RFC 8259).
///
/// The grammar is kept strictly; a byte order mark at the start is passed over. Text that
/// needs no decoding is referred to in the input; strings with escapes are copied once.
/// A table kept between messages makes this allocate nothing but for names and strings with
/// escapes, which share two buffers a call.
///
/// # Errors
/// * [`ErrorKind::Incomplete`](tam::ErrorKind::Incomplete) where the input ends inside a value that could go on;
/// * [`ErrorKind::Syntax`](tam::ErrorKind::Syntax) where it is not JSON, or not UTF-8, or holds half a surrogate pair;
/// * [`ErrorKind::Limit`](tam::ErrorKind::Limit) where one of [`Options::limits`] is reached.
///
/// Each says where: byte offset, line, column, and the path of the object or array around it.
pub fn read<'a>(input: &'a [u8], options: &Options, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let bound = options.limits.message_bytes;
    if input.len() as u64 > bound.into() {
        let found = Words::Count(input.len() as u64, "bytes");
        return Err(Error::limit(FORMAT, bound.into(), found, "message_bytes", bound.into()));
    }
    Reader::new(input, options, table).read()?;
    table.set_sound();
    Ok(table.document(input, options.types.set()))
}

pub(super) struct Reader<'a, 't, 's> {
    pub(super) input: &'a [u8],
    /// The input up to its end, or up to the first byte that is not UTF-8.
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    tokens: bool,
    types: &'static TypeSet,
    pub(super) builder: Builder<'a, 't, 's>,
    /// A row with the name of the value that comes next.
    name: Row,
    decoded: Vec<u8>,
}

impl<'a, 't, 's> Reader<'a, 't, 's> {
    fn new(input: &'a [u8], options: &Options, table: &'t mut Table<'s>) -> Self {
        let text = match simdutf8::compat::from_utf8(input) {
            Ok(text) => text.as_bytes(),
            Err(error) => &input[..error.valid_up_to()],
        };
        Reader {
            input,
            text,
            at: if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 },
            tokens: options.types == Types::Json,
            types: options.types.set(),
            builder: Builder::new(input, options.types.set(), options.limits, table),
            name: Row::EMPTY,
            decoded: Vec::new(),
        }
    }

    fn read(mut self) -> Result<(), Error> {
        self.text()?;
        self.builder.finish().map_err(|error| error.met_in(FORMAT, self.at as u64))
    }

    /// JSON-text (section 2): one value and white space.
    fn text(&mut self) -> Result<(), Error> {
        self.space();
        while self.value()? || self.after_value()? {}
        if self.at < self.input.len() {
            return Err(self.unexpected(self.at, "the end of the text"));
        }
        Ok(())
    }

    /// Whether a value comes next: a value has ended, and its container goes on or ends too.
    fn after_value(&mut self) -> Result<bool, Error> {
        loop {
            self.space();
            let Some(kind) = self.builder.open_kind() else { return Ok(false) };
            match (self.peek(), kind) {
                (Some(b','), b'{') => {
                    self.at += 1;
                    self.space();
                    self.member_name("a member name in double quotes after the comma")?;
                    return Ok(true);
                }
                (Some(b','), _) => {
                    self.at += 1;
                    self.space();
                    if self.peek() == Some(b']') {
                        return Err(self.unexpected(self.at, "a value after the comma"));
                    }
                    self.name = Row::EMPTY;
                    return Ok(true);
                }
                (Some(b'}'), b'{') | (Some(b']'), b'[') => {
                    self.at += 1;
                    self.close()?;
                }
                (_, b'{') => return Err(self.unexpected(self.at, "',' or '}'")),
                _ => return Err(self.unexpected(self.at, "',' or ']'")),
            }
        }
    }

    /// Reads a scalar or an empty container whole, or opens a container up to its first value;
    /// says whether it did the latter.
    #[inline]
    fn value(&mut self) -> Result<bool, Error> {
        match self.peek() {
            Some(b'"') => self.string_value()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'{') => return self.object(),
            Some(b'[') => return self.array(),
            Some(b't') => self.literal("true", b'?', 1)?,
            Some(b'f') => self.literal("false", b'?', 1)?,
            Some(b'n') => self.literal("null", b'~', 0)?,
            _ => return Err(self.no_value()),
        }
        Ok(false)
    }

    fn object(&mut self) -> Result<bool, Error> {
        self.open(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            self.close()?;
            return Ok(false);
        }
        self.member_name("a member name in double quotes, or '}'")?;
        Ok(true)
    }

    fn array(&mut self) -> Result<bool, Error> {
        self.open(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            self.close()?;
            return Ok(false);
        }
        self.name = Row::EMPTY;
        Ok(true)
    }

    /// A member's name with the colon after it (section 4).
    #[inline(always)]
    fn member_name(&mut self, expected: &'static str) -> Result<(), Error> {
        if let Some(name) = self.builder.expected_name(self.at) {
            self.at += name.name_len() as usize + 3;
            self.name = name;
        } else {
            self.other_name(expected)?;
        }
        self.space();
        Ok(())
    }

    #[inline(never)]
    fn other_name(&mut self, expected: &'static str) -> Result<(), Error> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(self.at, expected));
        }
        let start = self.at;
        let plain = self.string()?;
        let end = self.at;
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected(self.at, "':' after the member name"));
        }
        let name = match plain {
            Some(_) if self.at == end => self.builder.json_name(&self.input[start..=end]),
            plain => self.builder.member_name(plain.unwrap_or(&self.decoded)),
        };
        self.name = name.map_err(|error| self.located(error, self.at))?;
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn string_value(&mut self) -> Result<(), Error> {
        let start = self.at;
        match self.string()? {
            _ if self.tokens => self.add(b'\'', start, self.at),
            Some(_) => self.add(b'\'', start + 1, self.at - 1),
            None => {
                let placed = self.builder.place(&self.decoded).map_err(|error| self.located(error, self.at))?;
                self.add_at(b'\'', placed, self.decoded.len())
            }
        }
    }

    /// A string (section 7): what is between its quotes or, where that holds escapes, nothing, the
    /// string then being in `self.decoded`.
    #[inline(always)]
    fn string(&mut self) -> Result<Option<&'a [u8]>, Error> {
        let start = self.at + 1;
        let end = start + json::plain_len(&self.text[start..]);
        self.at = end;
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Some(&self.input[start..end]));
        }
        self.rest_of_string(start)?;
        Ok(None)
    }

    /// A string that starts at `start`, from its first byte that needs decoding.
    #[inline(never)]
    fn rest_of_string(&mut self, start: usize) -> Result<(), Error> {
        self.decoded.clear();
        self.decoded.extend_from_slice(&self.input[start..self.at]);
        loop {
            let rest = &self.text[self.at..];
            match rest.first() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let len = json::append_escapes(rest, &mut self.decoded);
                    if len > 0 {
                        self.at += len;
                        continue;
                    }
                    let (c, len) = json::escape(rest).map_err(|fault| self.fault(fault))?;
                    self.decoded.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    self.at += len;
                }
                Some(b' '..) => {
                    let plain = json::plain_len(rest);
                    self.decoded.extend_from_slice(&rest[..plain]);
                    self.at += plain;
                }
                Some(_) => {
                    return Err(self.unexpected(self.at, r"a control character written as an escape, such as \n"));
                }
                None if self.ends_inside_character() => return Err(self.incomplete("the rest of a character")),
                None => return Err(self.unexpected(self.at, "the end of the string")),
            }
        }
        self.at += 1;
        Ok(())
    }

    #[inline]
    fn number(&mut self) -> Result<(), Error> {
        let start = self.at;
        let (len, integer) = json::number(&self.text[start..]).map_err(|fault| self.fault(fault))?;
        self.at += len;
        let kind = match (self.tokens, integer) {
            (true, _) => b'\'',
            (false, true) => b'#',
            (false, false) => b'%',
        };
        self.add(kind, start, self.at)
    }

    /// `true`, `false` or `null` (section 3); their data in the set `value` is the first `kept`
    /// bytes.
    fn literal(&mut self, literal: &'static str, kind: u8, kept: usize) -> Result<(), Error> {
        let rest = &self.text[self.at..];
        if !rest.starts_with(literal.as_bytes()) {
            if literal.as_bytes().starts_with(rest) {
                return Err(self.unexpected(self.text.len(), format!("the rest of '{literal}'")));
            }
            return Err(self.no_value());
        }
        let start = self.at;
        self.at += literal.len();
        if self.tokens { self.add(b'\'', start, self.at) } else { self.add(kind, start, start + kept) }
    }

    /// Adds a unit with the data between two places of the input.
    #[inline]
    fn add(&mut self, kind: u8, start: usize, end: usize) -> Result<(), Error> {
        self.add_at(kind, start as u32, end - start)
    }

    #[inline]
    fn add_at(&mut self, kind: u8, at: u32, len: usize) -> Result<(), Error> {
        let row = self.name.with_class(kind.into()).with_content(at, len as u32);
        self.builder.primitive_named(row).map_err(|error| self.located(error, self.at))
    }

    /// Opens an object or array, and passes over the space after its bracket.
    #[inline]
    fn open(&mut self, kind: u8) -> Result<(), Error> {
        let row = self.name.with_class(self.types.class(kind));
        self.builder.open_named(row).map_err(|error| self.located(error, self.at))?;
        self.at += 1;
        self.space();
        Ok(())
    }

    #[inline]
    fn close(&mut self) -> Result<(), Error> {
        self.builder.close().map_err(|error| self.located(error, self.at))
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Passes over white space (section 2).
    #[inline]
    fn space(&mut self) {
        if self.peek().is_some_and(|c| c <= b' ') {
            self.run_of_space();
        }
    }

    /// Indentation is most of many a text: spaces go eight at once.
    fn run_of_space(&mut self) {
        const SPACES: u64 = u64::from_le_bytes(*b"        ");
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
            while let Some(eight) = self.text[self.at..].first_chunk() {
                let other = u64::from_le_bytes(*eight) ^ SPACES;
                self.at += (other.trailing_zeros() / 8) as usize;
                if other != 0 {
                    break;
                }
            }
        }
    }
}
