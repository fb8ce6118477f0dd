//! Markup that occurs both in content and in a DOCTYPE: comments, processing
//! instructions, references, literals (XML 1.0 sections 2.5, 2.6, 4.1 and 2.3).

use core::ops::Range;

use memchr::{memchr, memmem};
use tam::{Error, ErrorKind, Words};
use xml::chars::space_end;
use xml::name::name_end;
use xml::reference::character;

use super::expect::{after, after_name, unexpected};

/// The comment at `at`, whose `<!--` has been seen: its text, and the position after it.
pub(crate) fn comment(bytes: &[u8], at: usize) -> Result<(Range<usize>, usize), Error> {
    let start = at + 4;
    let rest = bytes.get(start..).unwrap_or(&[]);
    let Some(len) = memmem::find(rest, b"--") else {
        return Err(unexpected(bytes, bytes.len(), "'-->'"));
    };
    let end = start + len;
    match bytes.get(end + 2) {
        Some(b'>') => Ok((start..end, end + 3)),
        Some(_) => {
            Err(Error::new(ErrorKind::Syntax, "xml", end as u64, "'--' inside a comment", "'-->' at the comment's end"))
        }
        None => Err(unexpected(bytes, bytes.len(), "'>'")),
    }
}

/// A processing instruction: its target, its data, and the position after it.
pub(crate) struct Instruction {
    pub(crate) target: Range<usize>,
    pub(crate) data: Range<usize>,
    pub(crate) next: usize,
}

/// The processing instruction at `at`, whose `<?` has been seen.
pub(crate) fn instruction(bytes: &[u8], at: usize) -> Result<Instruction, Error> {
    let end = after_name(bytes, at + 2, "the target of a processing instruction")?;
    let target = at + 2..end;
    let data = space_end(bytes, end);
    if data == end {
        let next = after(bytes, end, "?>")?;
        reserved(bytes, &target)?;
        return Ok(Instruction { target, data: end..end, next });
    }
    let rest = bytes.get(data..).unwrap_or(&[]);
    let Some(len) = memmem::find(rest, b"?>") else {
        return Err(unexpected(bytes, bytes.len(), "'?>'"));
    };
    reserved(bytes, &target)?;
    Ok(Instruction { target, data: data..data + len, next: data + len + 2 })
}

/// The target `xml`, in any case, is reserved.
fn reserved(bytes: &[u8], target: &Range<usize>) -> Result<(), Error> {
    let name = &bytes[target.clone()];
    if !name.eq_ignore_ascii_case(b"xml") {
        return Ok(());
    }
    let found = if name == b"xml" { "an XML declaration" } else { "the reserved target 'xml'" };
    let expected = "an XML declaration only at the start";
    Err(Error::new(ErrorKind::Syntax, "xml", target.start as u64 - 2, found, expected))
}

/// What a reference refers to.
pub(crate) enum Reference<'b> {
    /// A character: a character reference, or one of the five predefined entities.
    Char(char),
    /// An entity, by name.
    Entity(&'b [u8]),
}

/// The reference at `at`, where there is a `&`, and the position after it.
pub(crate) fn reference(bytes: &[u8], at: usize) -> Result<(Reference<'_>, usize), Error> {
    if bytes.get(at + 1) == Some(&b'#') {
        let (c, next) = char_reference(bytes, at)?;
        return Ok((Reference::Char(c), next));
    }
    let end = name_end(bytes, at + 1);
    if end == at + 1 {
        return Err(unexpected(bytes, end, "the name of an entity after '&' ('&amp;' is the character)"));
    }
    if bytes.get(end) != Some(&b';') {
        return Err(unexpected(bytes, end, "';' after the name of an entity ('&amp;' is the character)"));
    }
    let next = end + 1;
    let name = &bytes[at + 1..end];
    Ok((character(name).map_or(Reference::Entity(name), Reference::Char), next))
}

/// The character reference at `at`, where there is a `&#`, and the position after it.
pub(crate) fn char_reference(bytes: &[u8], at: usize) -> Result<(char, usize), Error> {
    let (radix, start) = if bytes.get(at + 2) == Some(&b'x') { (16, at + 3) } else { (10, at + 2) };
    let digits = bytes.get(start..).unwrap_or_default();
    let end = start + digits.iter().take_while(|&&byte| char::from(byte).is_digit(radix)).count();
    if end == start {
        return Err(unexpected(bytes, end, if radix == 16 { "a hexadecimal digit" } else { "a digit" }));
    }
    let next = after(bytes, end, ";")?;
    match bytes.get(at + 1..end).and_then(character) {
        Some(c) => Ok((c, next)),
        None => {
            let found = Words::Own(format!("the reference {}", String::from_utf8_lossy(&bytes[at..next])));
            Err(Error::new(ErrorKind::Syntax, "xml", at as u64, found, "a character that XML allows"))
        }
    }
}

/// The literal in quotes at `at`: the text between them, and the position after them.
pub(crate) fn literal(bytes: &[u8], at: usize, expected: &'static str) -> Result<(Range<usize>, usize), Error> {
    let quote = match bytes.get(at) {
        Some(&quote @ (b'"' | b'\'')) => quote,
        _ => return Err(unexpected(bytes, at, expected)),
    };
    match memchr(quote, bytes.get(at + 1..).unwrap_or(&[])) {
        Some(len) => Ok((at + 1..at + 1 + len, at + len + 2)),
        None => Err(unexpected(bytes, bytes.len(), if quote == b'"' { "'\"'" } else { "\"'\"" })),
    }
}

/// Appends text with its line ends normalised: CR LF and CR become LF (section 2.11).
pub(crate) fn push_lines(out: &mut String, bytes: &[u8]) {
    let mut rest = bytes;
    while let Some(at) = memchr(b'\r', rest) {
        push(out, &rest[..at]);
        out.push('\n');
        rest = &rest[at + 1 + usize::from(rest.get(at + 1) == Some(&b'\n'))..];
    }
    push(out, rest);
}

/// Appends a piece of a text, cut at characters.
#[inline]
pub(crate) fn push(out: &mut String, bytes: &[u8]) {
    if let Ok(text) = str::from_utf8(bytes) {
        out.push_str(text);
    }
}
