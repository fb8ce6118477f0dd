//! Markup, read in place: the common part of XML that SOAP messages are written in.
//!
//! What is unusual (names beyond ASCII, references in attributes, CDATA between elements) or wrong is
//! not distinguished here: it is [`Unusual`], and left to the plain way.

use std::borrow::Cow;

use memchr::{memchr, memmem};
use xml::chars::{first_illegal, is_space};
use xml::name::local_end;
use xml::reference::character;

/// Not for the fast way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unusual;

/// A name as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawName {
    pub(crate) start: usize,
    /// Where the local part begins.
    pub(crate) local: usize,
    pub(crate) end: usize,
}

/// A place in a message.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'m> {
    pub(crate) bytes: &'m [u8],
    pub(crate) at: usize,
}

/// Whether a byte is in text as it is, and needs no look around it.
static IS_TEXT: [bool; 256] = {
    let mut is_text = [false; 256];
    let mut c = 0;
    while c < 0x80 {
        let byte = c as u8;
        is_text[c] = (byte >= b' ' || byte == b'\t' || byte == b'\n') && !matches!(byte, b'&' | b'<' | b']');
        c += 1;
    }
    is_text
};

impl<'m> Scanner<'m> {
    #[inline]
    pub(crate) fn rest(&self) -> &'m [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'m [u8] {
        self.bytes.get(start..end).unwrap_or(&[])
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(crate) fn space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// Goes over `byte`, which must be next.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), Unusual> {
        if self.peek() == Some(byte) {
            self.at += 1;
            return Ok(());
        }
        Err(Unusual)
    }

    /// White space and comments between elements.
    #[inline]
    pub(crate) fn between(&mut self) -> Result<(), Unusual> {
        loop {
            self.space();
            if !self.rest().starts_with(b"<!--") {
                return Ok(());
            }
            self.comment()?;
        }
    }

    fn comment(&mut self) -> Result<(), Unusual> {
        let start = self.at + 4;
        let len = memmem::find(self.slice(start, self.bytes.len()), b"--").ok_or(Unusual)?;
        check_chars(self.slice(start, start + len))?;
        self.at = start + len + 2;
        self.expect(b'>')
    }

    /// The byte order mark and the XML declaration, of UTF-8 alone.
    pub(crate) fn prolog(&mut self) -> Result<(), Unusual> {
        if self.rest().starts_with(b"\xEF\xBB\xBF") {
            self.at += 3;
        }
        if !self.rest().starts_with(b"<?xml") {
            return self.between();
        }
        self.at += 5;
        if self.pseudo_attribute(b"version")? != Some(b"1.0") {
            return Err(Unusual);
        }
        if let Some(encoding) = self.pseudo_attribute(b"encoding")?
            && !encoding.eq_ignore_ascii_case(b"utf-8")
        {
            return Err(Unusual);
        }
        if let Some(standalone) = self.pseudo_attribute(b"standalone")?
            && standalone != b"yes"
            && standalone != b"no"
        {
            return Err(Unusual);
        }
        self.space();
        self.expect(b'?')?;
        self.expect(b'>')?;
        self.between()
    }

    fn pseudo_attribute(&mut self, name: &[u8]) -> Result<Option<&'m [u8]>, Unusual> {
        let mut ahead = self.clone();
        ahead.space();
        if ahead.at == self.at || !ahead.rest().starts_with(name) {
            return Ok(None);
        }
        ahead.at += name.len();
        let (start, end) = ahead.value()?;
        self.at = ahead.at;
        Ok(Some(self.slice(start, end)))
    }

    /// A qualified name of ASCII letters.
    #[inline]
    pub(crate) fn name(&mut self) -> Result<RawName, Unusual> {
        let start = self.at;
        self.part()?;
        let mut local = start;
        if self.peek() == Some(b':') {
            self.at += 1;
            local = self.at;
            self.part()?;
        }
        if self.peek().is_none_or(|byte| byte == b':' || byte >= 0x80) {
            return Err(Unusual);
        }
        Ok(RawName { start, local, end: self.at })
    }

    #[inline]
    fn part(&mut self) -> Result<(), Unusual> {
        let end = local_end(self.bytes, self.at);
        if end == self.at {
            return Err(Unusual);
        }
        self.at = end;
        Ok(())
    }

    /// `=` and a value in quotes without references.
    pub(crate) fn value(&mut self) -> Result<(usize, usize), Unusual> {
        self.space();
        self.expect(b'=')?;
        self.space();
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\'')).ok_or(Unusual)?;
        let start = self.at + 1;
        let len = memchr(quote, self.slice(start, self.bytes.len())).ok_or(Unusual)?;
        let value = self.slice(start, start + len);
        if !is_plain(value) {
            // White space would be normalised.
            if value.iter().any(|&byte| byte < b' ' || byte == b'<' || byte == b'&') {
                return Err(Unusual);
            }
            check_chars(value)?;
        }
        self.at = start + len + 1;
        Ok((start, start + len))
    }

    /// The end tag of a name, which must be next.
    #[inline]
    pub(crate) fn end_tag(&mut self, name: &RawName) -> Result<(), Unusual> {
        let rest = self.rest();
        let written = self.slice(name.start, name.end);
        let [b'<', b'/', rest @ ..] = rest else { return Err(Unusual) };
        if !rest.starts_with(written) {
            return Err(Unusual);
        }
        self.at += 2 + written.len();
        if self.peek() == Some(b'>') {
            self.at += 1;
            return Ok(());
        }
        self.space();
        self.expect(b'>')
    }

    /// All text up to the next tag, which is to be an end tag.
    pub(crate) fn content(&mut self) -> Result<Cow<'m, str>, Unusual> {
        let start = self.at;
        let end = start + plain_len(self.rest())?;
        if self.slice(end, end + 2) == b"</" {
            self.at = end;
            let text = str::from_utf8(self.slice(start, end)).map_err(|_| Unusual)?;
            return Ok(Cow::Borrowed(text));
        }
        let mut text = String::new();
        loop {
            let end = self.at + plain_len(self.rest())?;
            text.push_str(str::from_utf8(self.slice(self.at, end)).map_err(|_| Unusual)?);
            self.at = end;
            match self.rest() {
                [b'<', b'/', ..] => return Ok(Cow::Owned(text)),
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', ..] => self.section(&mut text)?,
                [b'&', ..] => text.push(self.reference()?),
                [b'\r', ..] => {
                    text.push('\n');
                    self.at += 1 + usize::from(self.bytes.get(self.at + 1) == Some(&b'\n'));
                }
                _ => return Err(Unusual),
            }
        }
    }

    /// Text of any kind up to the next tag, which is passed over.
    pub(crate) fn content_between(&mut self) -> Result<(), Unusual> {
        loop {
            self.at += plain_len(self.rest())?;
            match self.rest() {
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', ..] => self.section(&mut String::new())?,
                [b'<', ..] => return Ok(()),
                [b'&', ..] => {
                    self.reference()?;
                }
                _ => self.at += 1,
            }
        }
    }

    fn section(&mut self, text: &mut String) -> Result<(), Unusual> {
        let body = self.rest().strip_prefix(b"<![CDATA[").ok_or(Unusual)?;
        let len = memmem::find(body, b"]]>").ok_or(Unusual)?;
        let body = body.get(..len).unwrap_or(&[]);
        check_chars(body)?;
        let body = str::from_utf8(body).map_err(|_| Unusual)?;
        if body.contains('\r') {
            text.push_str(&body.replace("\r\n", "\n").replace('\r', "\n"));
        } else {
            text.push_str(body);
        }
        self.at += 9 + len + 3;
        Ok(())
    }

    fn reference(&mut self) -> Result<char, Unusual> {
        let end = memchr(b';', self.slice(self.at, (self.at + 12).min(self.bytes.len()))).ok_or(Unusual)?;
        let name = self.slice(self.at + 1, self.at + end);
        self.at += end + 1;
        character(name).ok_or(Unusual)
    }
}

/// Whether all bytes are ASCII, and neither controls nor `<` nor `&`; eight at a time.
fn is_plain(bytes: &[u8]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The highest bit of each byte, or of one above it, where the byte below it is odd.
    let odd = |word: u64| {
        let is = |byte: u8| (word ^ (ONES * u64::from(byte))).wrapping_sub(ONES);
        word.wrapping_sub(ONES * u64::from(b' ')) | is(b'<') | is(b'&') | word
    };
    let (words, rest) = bytes.as_chunks();
    let last = match bytes.last_chunk() {
        Some(last) => odd(u64::from_le_bytes(*last)),
        None => {
            let mut last = [b' '; 8];
            last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
            odd(u64::from_le_bytes(last))
        }
    };
    let all = words.iter().fold(last, |all, word| all | odd(u64::from_le_bytes(*word)));
    all & (ONES << 7) == 0
}

/// Bytes of text without references, up to the next `<`, `&` or carriage return.
#[inline]
pub(crate) fn plain_len(bytes: &[u8]) -> Result<usize, Unusual> {
    let mut at = 0;
    let mut wide = false;
    loop {
        while bytes.get(at).is_some_and(|&byte| IS_TEXT[usize::from(byte)]) {
            at += 1;
        }
        match bytes.get(at) {
            Some(b'<' | b'&' | b'\r') => break,
            Some(b']') if !bytes[at..].starts_with(b"]]>") => at += 1,
            Some(0x80..) => {
                wide = true;
                at += 1;
            }
            _ => return Err(Unusual),
        }
    }
    if wide {
        check_chars(&bytes[..at])?;
    }
    Ok(at)
}

/// Whether all are characters that XML allows, in UTF-8.
pub(crate) fn check_chars(bytes: &[u8]) -> Result<(), Unusual> {
    let is_text = bytes.is_ascii() || str::from_utf8(bytes).is_ok();
    if is_text && first_illegal(bytes).is_none() { Ok(()) } else { Err(Unusual) }
}
