//! Messages in PEM (RFC 7468): base64 between lines that say what it is.

use memchr::memmem;
use tam::{Error, ErrorKind, Words};

use crate::stream::later;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";

/// What a line is called that begins or ends a part: `CERTIFICATE`. `None` for another line.
fn label<'l>(line: &'l [u8], mark: &[u8]) -> Option<&'l [u8]> {
    line.trim_ascii_end().strip_prefix(mark)?.strip_suffix(b"-----")
}

/// Whether a text is in PEM: its first line begins a part, or one after explanatory text (RFC 7468 section 2), such as
/// that of `openssl x509 -text`.
///
/// ```
/// use lengthwise_frames::pem;
///
/// assert!(pem::is_pem(b"# mine\n-----BEGIN X-----\nMAA=\n-----END X-----\n"));
/// assert!(!pem::is_pem(b"<key>\n-----BEGIN X-----\nMAA=\n-----END X-----\n</key>"));
/// ```
#[must_use]
pub fn is_pem(text: &[u8]) -> bool {
    let is_text = |line: &&[u8]| !line.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let begins = |line: &[u8]| without_mark(line).starts_with(BEGIN);
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').skip_while(|line| !begins(line) && is_text(line));
    let is_markup = matches!(without_mark(text).trim_ascii_start().first(), Some(b'<' | b'{' | b'[' | b'"'));
    !is_markup && lines.next().is_some_and(begins)
}

/// A line without a byte order mark.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

/// The octets of all parts of a text in PEM, one after the other.
///
/// ```
/// use lengthwise_frames::pem;
///
/// let text = b"-----BEGIN X-----\nMAA=\n-----END X-----\nanother\n-----BEGIN Y-----\nBQA=\n-----END Y-----\n";
/// assert_eq!(pem::decode(text).unwrap(), [0x30, 0, 5, 0]);
/// assert_eq!(pem::decode(b"-----BEGIN X-----\nM!A=\n-----END X-----\n").unwrap_err().offset(), 18);
/// ```
///
/// # Errors
/// Of kind syntax for what is not base64 between lines of one name, or no part; of kind incomplete for a part without an
/// end; of kind unsupported for an encrypted key in the form of RFC 1421. The offset is that of a line.
pub fn decode(text: &[u8]) -> Result<Vec<u8>, Error> {
    let (mut octets, mut digits) = (Vec::new(), String::new());
    let (mut at, mut first, mut open) = (0, 0, None);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let (start, content) = (at, without_mark(line).trim_ascii());
        at += line.len();
        let Some(name) = open else {
            open = label(content, BEGIN);
            first = at;
            continue;
        };
        if let Some(end) = label(content, END) {
            if end != name {
                let expected = format!("-----END {}-----", String::from_utf8_lossy(name));
                return Err(syntax(start, "the end of another part", expected));
            }
            let expected = "base64 between BEGIN and END";
            xml::base64::decode(&digits, &mut octets).ok_or_else(|| syntax(first, "lines in PEM", expected))?;
            digits.clear();
            open = None;
        } else if content.starts_with(b"Proc-Type:") && content.ends_with(b"ENCRYPTED") {
            let found = "an encrypted key (Proc-Type: 4,ENCRYPTED)";
            return Err(Error::new(ErrorKind::Unsupported, "pem", start as u64, found, "one that is not encrypted"));
        } else if !content.contains(&b':') {
            // Lines with a colon are headers of RFC 1421.
            digits.push_str(str::from_utf8(content).map_err(|_| syntax(start, "bytes that are no text", "base64"))?);
        }
    }
    match open {
        Some(_) => Err(Error::incomplete("pem", text.len() as u64, 1, "a line -----END …-----")),
        None if octets.is_empty() => Err(syntax(0, "a text without a part", "a line -----BEGIN …-----")),
        None => Ok(octets),
    }
}

#[cold]
fn syntax(at: usize, found: &'static str, expected: impl Into<Words>) -> Error {
    Error::new(ErrorKind::Syntax, "pem", at as u64, found, expected)
}

/// The octets of one part, which begins at an offset.
pub(crate) fn part(text: &[u8], offset: u64) -> Result<Vec<u8>, Error> {
    decode(text).map_err(|error| later(error, offset))
}

/// Where the first part of some bytes is, from the line that begins it to that which ends it: `Ok(None)` if it is not all
/// there. `Err(())` if there is none. Bytes before `scanned` have been looked at.
pub(crate) fn cut(bytes: &[u8], scanned: &mut usize, is_last: bool) -> Result<Option<(usize, usize)>, ()> {
    let from = scanned.saturating_sub(END.len());
    let end = memmem::find(bytes.get(from..).unwrap_or_default(), END).map(|at| from + at);
    *scanned = end.unwrap_or(bytes.len());
    let line = |at: usize| memchr::memchr(b'\n', &bytes[at..]).map(|len| at + len + 1);
    let end = end.and_then(|end| line(end).or(is_last.then_some(bytes.len())));
    let start = || memmem::find(&bytes[..end.unwrap_or(bytes.len())], BEGIN);
    match end {
        Some(end) => Ok(Some((start().unwrap_or(0), end))),
        None if is_last && start().is_none() => Err(()),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanatory_text_may_come_first() {
        let begin = "-----BEGIN X-----\nMAM=\n-----END X-----\n";
        for before in ["", "\u{FEFF}", "\n", "Bag Attributes\n    localKeyID: 01 \n", "Zertifikat: M\u{FC}ller\r\n"] {
            let text = format!("{before}{begin}");
            assert!(is_pem(text.as_bytes()), "{before}");
            assert_eq!(decode(text.as_bytes()).ok(), Some(vec![0x30, 3]));
        }
        for before in ["a ", "<a>\n", " {\n", "[\n", "\"\n", "0\x03\n"] {
            assert!(!is_pem(format!("{before}{begin}").as_bytes()), "{before}");
        }
    }

    #[test]
    fn parts_follow_each_other() {
        let text = b"-----BEGIN X-----\r\nMAM=\r\n-----END X-----\nbetween\n-----BEGIN Y-----\nA: b\n\nAQH/\n-----END Y-----\n";
        assert!(is_pem(text));
        assert_eq!(decode(text).ok(), Some(vec![0x30, 3, 1, 1, 0xFF]));
        for (text, kind, at) in [
            ("-----BEGIN X-----\nMAM=\n", ErrorKind::Incomplete, 23),
            ("-----BEGIN X-----\nM!M=\n-----END X-----\n", ErrorKind::Syntax, 18),
            ("-----BEGIN X-----\nMAM=\n-----END Y-----\n", ErrorKind::Syntax, 23),
            ("-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\n\nMAM=\n-----END X-----\n", ErrorKind::Unsupported, 18),
            ("text\n", ErrorKind::Syntax, 0),
        ] {
            let error = decode(text.as_bytes()).unwrap_err();
            assert_eq!((error.kind(), error.offset()), (kind, at), "{text}");
        }
    }
}
