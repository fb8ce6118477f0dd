//! Binary octets: messages of several parts (RFC 2387, RFC 2046), which rows refer to (RFC 2392).

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use memchr::memmem;
use tam::{Error, Expansion, Limits, Words};

use crate::FORMAT;
use crate::place::{schema, syntax, unsupported};

/// The parts of a message; empty for a message without parts.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    /// The position of the part with the envelope.
    root: Option<(usize, usize)>,
    /// The octets of the other parts, by identifier.
    octets: HashMap<&'a str, &'a [u8], foldhash::fast::RandomState>,
    /// How much may still be copied: rows can refer to a part any number of times.
    copies: Cell<Expansion>,
}

impl<'a> Parts<'a> {
    /// No parts, for a message of `len` bytes.
    pub(crate) fn none(limits: &Limits, len: usize) -> Parts<'a> {
        let copies = Cell::new(limits.decompression(len));
        Parts { root: None, octets: HashMap::default(), copies }
    }

    /// The part with the envelope, and its start.
    pub(crate) fn root(&self, message: &'a [u8]) -> (&'a [u8], usize) {
        match self.root {
            Some((start, end)) => (message.get(start..end).unwrap_or_default(), start),
            None => (message, 0),
        }
    }

    /// The octets of a part that a row at `at` refers to.
    pub(crate) fn octets(&self, id: &str, at: usize) -> Result<&'a [u8], Error> {
        // Identifiers are percent-encoded in a URL.
        let found = self.octets.get(id).or_else(|| id.contains('%').then(|| self.octets.get(&*unescaped(id)))?);
        found.copied().ok_or_else(|| {
            let found = Words::Own(format!("the part 'cid:{}'", tam::excerpt(id).escape_debug()));
            schema(at, found, "a part that the message has")
        })
    }

    /// The same octets, to be copied.
    pub(crate) fn copied(&self, id: &str, at: usize) -> Result<&'a [u8], Error> {
        let octets = self.octets(id, at)?;
        let mut copies = self.copies.get();
        let charged = copies.charge(octets.len());
        self.copies.set(copies);
        charged.map(|()| octets).map_err(|exceeded| exceeded.error(FORMAT, at as u64, "more octets"))
    }
}

fn unescaped(id: &str) -> String {
    let mut out = Vec::with_capacity(id.len());
    let bytes = id.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = id.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).unwrap_or_default()
}

/// Whether a message begins like one of several parts.
#[must_use]
pub fn is_multipart(message: &[u8]) -> bool {
    let begins = |words: &[u8]| message.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
    begins(b"mime-version:") || begins(b"content-type:")
}

/// Whether a message may be the beginning of one of several parts, too short to be recognized.
fn may_become_multipart(message: &[u8]) -> bool {
    let may = |words: &[u8]| words.get(..message.len()).is_some_and(|start| start.eq_ignore_ascii_case(message));
    !message.is_empty() && (may(b"mime-version:") || may(b"content-type:"))
}

/// The relevant header fields.
#[derive(Default)]
struct Head<'a> {
    content_type: &'a str,
    transfer: &'a str,
    id: &'a str,
    length: Option<usize>,
}

/// Splits a message, if it has several parts.
pub(crate) fn read<'a>(message: &'a [u8], limits: &Limits) -> Result<Parts<'a>, Error> {
    let mut parts = Parts::none(limits, message.len());
    if !is_multipart(message) {
        return match may_become_multipart(message) {
            true => Err(cut_off(message, "the head of a message of several parts")),
            false => Ok(parts),
        };
    }
    let (head, body) = head(message, 0)?;
    let mut parameters = Parameters(head.content_type);
    let kind = parameters.kind();
    if !kind.eq_ignore_ascii_case("multipart/related") {
        let found = Words::Own(format!("the content type '{}'", kind.escape_debug()));
        return Err(unsupported(0, found, "multipart/related"));
    }
    let (mut boundary, mut start) = (None, None);
    for (name, value) in parameters {
        match name {
            _ if name.eq_ignore_ascii_case("boundary") => boundary = Some(value),
            _ if name.eq_ignore_ascii_case("start") => {
                start = Some(value.trim_start_matches('<').trim_end_matches('>'))
            }
            _ => {}
        }
    }
    let boundary = boundary.filter(|boundary| (1..=70).contains(&boundary.len()));
    let boundary = boundary.ok_or_else(|| syntax(0, "no boundary", "boundary=\"…\", of 1 to 70 characters"))?;
    split(message, body, boundary, start, limits.message_bytes, &mut parts)?;
    Ok(parts)
}

/// Splits a body at its boundaries.
fn split<'a>(
    message: &'a [u8],
    body: usize,
    boundary: &str,
    start: Option<&str>,
    most: u32,
    parts: &mut Parts<'a>,
) -> Result<(), Error> {
    let delimiter = format!("\n--{boundary}");
    let delimiter = delimiter.as_bytes();
    let finder = memmem::Finder::new(delimiter);
    // The line end before the first delimiter may be that of the head.
    let mut at = match message.get(body..).is_some_and(|rest| rest.starts_with(&delimiter[1..])) {
        true => body + delimiter.len() - 1,
        false => next(message, &finder, body)?.1,
    };
    let mut is_first = true;
    loop {
        if message.get(at..).is_some_and(|rest| rest.starts_with(b"--")) {
            break;
        }
        at = line_end(message, at)?;
        let (head, content) = head(message, at)?;
        let stated_end = head.length.map(|length| content.saturating_add(length));
        // A length saves the search, but only if a delimiter is at its end.
        let bounded_end = stated_end.filter(|end| {
            let rest = message.get(*end..).unwrap_or_default();
            rest.strip_prefix(b"\r").unwrap_or(rest).starts_with(delimiter)
        });
        let (end, after) = match (bounded_end, stated_end) {
            (Some(end), _) => {
                let return_len = usize::from(message.get(end) == Some(&b'\r'));
                (end, end + return_len + delimiter.len())
            }
            (None, Some(end)) if end > most as usize => {
                let found = Words::Count(end as u64, "bytes");
                return Err(Error::limit(FORMAT, content as u64, found, "message_bytes", most.into()));
            }
            (None, Some(end)) if is_cut_off(message, end, delimiter) => {
                let needed = end.saturating_sub(message.len()).max(1) as u64;
                return Err(Error::incomplete(FORMAT, message.len() as u64, needed, "the boundary after a part"));
            }
            (None, Some(_)) => {
                return Err(syntax(content, "a Content-Length with no boundary after it", "the length of the part"));
            }
            (None, None) => next(message, &finder, content)?,
        };
        let transfer = head.transfer;
        if !["", "binary", "8bit", "7bit"].iter().any(|known| transfer.eq_ignore_ascii_case(known)) {
            let found = Words::Own(format!("the transfer encoding '{}'", transfer.escape_debug()));
            return Err(unsupported(at, found, "binary"));
        }
        let is_root = match start {
            Some(start) => head.id == start && parts.root.is_none(),
            None => is_first,
        };
        if is_root {
            parts.root = Some((content, end));
        } else if !head.id.is_empty() {
            let octets = message.get(content..end).unwrap_or_default();
            if parts.octets.insert(head.id, octets).is_some() {
                let found = Words::Own(format!("a second part '{}'", head.id.escape_debug()));
                return Err(syntax(at, found, "each Content-ID once"));
            }
        }
        is_first = false;
        at = after;
    }
    match parts.root {
        Some(_) => Ok(()),
        None => Err(syntax(body, "no part of the envelope", "the part that 'start' names, or a first one")),
    }
}

/// Whether a message may continue with a delimiter at `end`.
fn is_cut_off(message: &[u8], end: usize, delimiter: &[u8]) -> bool {
    let rest = message.get(end..).unwrap_or_default();
    delimiter.starts_with(rest.strip_prefix(b"\r").unwrap_or(rest))
}

#[cold]
fn cut_off(message: &[u8], expected: &'static str) -> Error {
    Error::incomplete(FORMAT, message.len() as u64, 1, expected)
}

/// The end of the content before the next delimiter, and the start of what follows the delimiter.
fn next(message: &[u8], finder: &memmem::Finder<'_>, from: usize) -> Result<(usize, usize), Error> {
    let found = message.get(from..).and_then(|rest| finder.find(rest));
    let Some(found) = found else {
        return Err(Error::incomplete(FORMAT, message.len() as u64, 1, "the boundary after a part"));
    };
    let end = from + found;
    let before = end.checked_sub(1).filter(|before| *before >= from && message.get(*before) == Some(&b'\r'));
    Ok((before.unwrap_or(end), end + finder.needle().len()))
}

/// Skips the white space and the line end that follow a delimiter.
fn line_end(message: &[u8], at: usize) -> Result<usize, Error> {
    let rest = message.get(at..).unwrap_or_default();
    let blank = rest.iter().take_while(|c| matches!(c, b' ' | b'\t' | b'\r')).count();
    match rest.get(blank) {
        Some(b'\n') => Ok(at + blank + 1),
        // This may be the last boundary.
        Some(b'-') if rest.len() == 1 => Err(cut_off(message, "the end of the last boundary: '--'")),
        Some(byte) => Err(syntax(at + blank, Words::Byte(*byte), "the end of the line after a boundary")),
        None => Err(Error::incomplete(FORMAT, message.len() as u64, 1, "the end of the line after a boundary")),
    }
}

/// Reads the header fields from `at` on. Returns the start of the content too.
fn head(message: &[u8], at: usize) -> Result<(Head<'_>, usize), Error> {
    let mut head = Head::default();
    let mut at = at;
    loop {
        let rest = message.get(at..).unwrap_or_default();
        let Some(mut end) = memchr::memchr(b'\n', rest) else {
            return Err(Error::incomplete(FORMAT, message.len() as u64, 1, "the end of a head: an empty line"));
        };
        // A field continues in lines that begin with white space.
        while end > 1 && matches!(rest.get(end + 1), Some(b' ' | b'\t')) {
            match rest.get(end + 1..).and_then(|more| memchr::memchr(b'\n', more)) {
                Some(more) => end += 1 + more,
                None => break,
            }
        }
        let line = rest.get(..end).unwrap_or_default().trim_ascii_end();
        if line.is_empty() {
            return Ok((head, at + end + 1));
        }
        let Some((name, value)) = str::from_utf8(line).ok().and_then(|line| line.split_once(':')) else {
            return Err(syntax(at, "a line that is not a header field", "'NAME: VALUE', or an empty line"));
        };
        let value = value.trim_ascii();
        if name.eq_ignore_ascii_case("content-type") {
            head.content_type = value;
        } else if name.eq_ignore_ascii_case("content-transfer-encoding") {
            head.transfer = value;
        } else if name.eq_ignore_ascii_case("content-id") {
            head.id = value.trim_start_matches('<').trim_end_matches('>');
        } else if name.eq_ignore_ascii_case("content-length") {
            let digits = value.bytes().all(|c| c.is_ascii_digit());
            let length = value.parse::<u64>().ok().filter(|_| digits);
            // A length that does not fit the address space is above every limit.
            let length = length.map(|length| usize::try_from(length).unwrap_or(usize::MAX));
            head.length = Some(length.ok_or_else(|| syntax(at, "another Content-Length", "a number of bytes"))?);
        }
        at += end + 1;
    }
}

/// The parameters of a content type.
struct Parameters<'a>(&'a str);

impl<'a> Parameters<'a> {
    fn kind(&mut self) -> &'a str {
        let (kind, rest) = self.0.split_once(';').unwrap_or((self.0, ""));
        self.0 = rest;
        kind.trim_ascii()
    }
}

impl<'a> Iterator for Parameters<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<(&'a str, &'a str)> {
        let (name, rest) = self.0.trim_ascii_start().split_once('=')?;
        if let Some(quoted) = rest.strip_prefix('"') {
            let (value, rest) = quoted.split_once('"')?;
            self.0 = rest.trim_ascii_start().strip_prefix(';').unwrap_or(rest);
            return Some((name.trim_ascii(), value));
        }
        let (value, rest) = rest.split_once(';').unwrap_or((rest, ""));
        self.0 = rest;
        Some((name.trim_ascii(), value.trim_ascii()))
    }
}

/// Appends a message with an envelope and the octets that it refers to as `cid:1`, `cid:2` and so on.
pub(crate) fn write(envelope: &[u8], octets: &[Vec<u8>], out: &mut Vec<u8>) {
    let boundary = boundary(envelope, octets);
    let put =
        |out: &mut Vec<u8>, pieces: &[&str]| pieces.iter().for_each(|piece| out.extend_from_slice(piece.as_bytes()));
    let content: usize = octets.iter().map(|octets| octets.len() + 120).sum();
    out.reserve(envelope.len() + content + 160);
    put(out, &["Content-Type: multipart/related; type=\"text/xml\"; boundary=", &boundary, "\r\n\r\n--", &boundary]);
    put(out, &["\r\nContent-Type: text/xml\r\n\r\n"]);
    out.extend_from_slice(envelope);
    for (number, octets) in octets.iter().enumerate() {
        let (number, length) = ((number + 1).to_string(), octets.len().to_string());
        put(out, &["\r\n--", &boundary, "\r\nContent-Type: application/octet-stream\r\nContent-ID: <", &number]);
        put(out, &[">\r\nContent-Transfer-Encoding: binary\r\nContent-Length: ", &length, "\r\n\r\n"]);
        out.extend_from_slice(octets);
    }
    put(out, &["\r\n--", &boundary, "--\r\n"]);
}

/// A boundary that does not occur in the contents. It is a number of digits after a word, longer than any that follows
/// the word in the contents, so one search suffices.
fn boundary(envelope: &[u8], octets: &[Vec<u8>]) -> String {
    const WORD: &str = "TDXML";
    const DIGITS: usize = 16;
    let finder = memmem::Finder::new(b"--TDXML");
    let mut taken = HashSet::new();
    let mut is_found = false;
    for part in octets.iter().map(Vec::as_slice).chain([envelope]) {
        for at in finder.find_iter(part) {
            is_found = true;
            let digits = part.get(at + finder.needle().len()..).and_then(|rest| rest.get(..DIGITS));
            taken.extend(digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<u64>().ok()));
        }
    }
    if !is_found {
        return WORD.to_owned();
    }
    let free = (0..).find(|number| !taken.contains(number)).unwrap_or_default();
    format!("{WORD}{free:0DIGITS$}")
}
