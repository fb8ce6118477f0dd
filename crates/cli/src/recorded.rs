//! Recorded streams of messages: files with one message or several in sequence, with or without HTTP headers.

use std::ops::Range;

use lengthwise::{Error, ErrorKind};

/// A message in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recorded {
    /// Its position in the file.
    pub(crate) range: Range<usize>,
    /// The sending program, from `User-Agent`; empty if missing.
    pub(crate) toolkit: String,
    /// Its `SOAPAction`.
    pub(crate) action: String,
}

/// The messages of a file. Content that cannot be split is one message, so that its reader reports the error.
pub(crate) fn messages(file: &[u8]) -> Result<Vec<Recorded>, Error> {
    let mut messages: Vec<Recorded> = Vec::new();
    let mut at = skip_blank(file, 0);
    while at < file.len() || messages.is_empty() {
        let mut message = Recorded::default();
        let mut length = None;
        if let Some(head) = Head::of(file, at)? {
            at = head.end;
            (message.toolkit, message.action, length) = (head.toolkit, head.action, head.length);
        }
        let end = match length {
            Some(length) if length > file.len() - at => {
                let more = (length - (file.len() - at)) as u64;
                return Err(Error::incomplete(
                    "http",
                    at as u64,
                    more,
                    format!("{length} bytes, as Content-Length says"),
                ));
            }
            Some(length) => Some(at + length),
            None => end_of_document(file, at),
        };
        message.range = at..end.unwrap_or(file.len());
        at = skip_blank(file, message.range.end);
        match messages.last_mut() {
            // Comments after a root element.
            Some(last) if end.is_none() && is_blank_of_elements(file, &message.range) => last.range.end = file.len(),
            // A response without a body, or a request that is not SOAP.
            _ if length == Some(0) => {}
            _ => messages.push(message),
        }
        if at >= file.len() && messages.is_empty() {
            messages.push(Recorded { range: file.len()..file.len(), ..Recorded::default() });
        }
    }
    Ok(messages)
}

/// The header of an HTTP message.
#[derive(Debug, Default)]
struct Head {
    /// The start of the body.
    end: usize,
    toolkit: String,
    action: String,
    length: Option<usize>,
}

impl Head {
    /// The header that begins at a position, if any.
    fn of(file: &[u8], at: usize) -> Result<Option<Head>, Error> {
        // A document begins with `<`, and no line of HTTP does.
        if file.get(at) == Some(&b'<') {
            return Ok(None);
        }
        let mut lines = Lines { file, at };
        let first = lines.next().unwrap_or_default();
        let is_request = first.ends_with(b"HTTP/1.1") || first.ends_with(b"HTTP/1.0");
        if !(first.starts_with(b"HTTP/1.") || is_request) {
            return Ok(None);
        }
        let mut head = Head::default();
        loop {
            let line_at = lines.at;
            let Some(line) = lines.next() else {
                let at = file.len() as u64;
                return Err(Error::incomplete("http", at, 1, "an empty line after the header"));
            };
            if line.is_empty() {
                head.end = lines.at;
                return Ok(Some(head));
            }
            let line = String::from_utf8_lossy(line);
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "user-agent" => head.toolkit = value.to_owned(),
                "soapaction" => head.action = value.trim_matches('"').to_owned(),
                "content-length" => {
                    let length = value.parse().map_err(|_| {
                        let found = format!("Content-Length '{value}'");
                        Error::new(ErrorKind::Syntax, "http", line_at as u64, found, "a number of bytes")
                    })?;
                    head.length = Some(length);
                }
                "transfer-encoding" | "content-encoding" if !value.eq_ignore_ascii_case("identity") => {
                    let expected = "a body as it is, without a transfer encoding";
                    return Err(Error::new(
                        ErrorKind::Unsupported,
                        "http",
                        line_at as u64,
                        line.into_owned(),
                        expected,
                    ));
                }
                _ => {}
            }
        }
    }
}

/// Lines that end with LF or CR LF.
struct Lines<'f> {
    file: &'f [u8],
    at: usize,
}

impl<'f> Iterator for Lines<'f> {
    type Item = &'f [u8];

    fn next(&mut self) -> Option<&'f [u8]> {
        /// The longest line of a header.
        const LONGEST: usize = 64 << 10;
        let rest = self.file.get(self.at..)?;
        let end = rest.iter().take(LONGEST).position(|byte| *byte == b'\n')?;
        self.at += end + 1;
        let line = &rest[..end];
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

fn skip_blank(file: &[u8], at: usize) -> usize {
    let rest = file.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Whether a range contains only comments or instructions.
fn is_blank_of_elements(file: &[u8], range: &Range<usize>) -> bool {
    let start = file.get(range.clone()).unwrap_or_default();
    start.starts_with(b"<!--") || start.starts_with(b"<?") && !start.starts_with(b"<?xml ")
}

/// The end of the root element of a document that begins at a position; `None` if it does not end, or is not XML in an
/// ASCII-compatible encoding.
fn end_of_document(file: &[u8], mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let after = |at: usize, mark: &[u8]| {
        let rest = file.get(at..)?;
        rest.windows(mark.len()).position(|window| window == mark).map(|found| at + found + mark.len())
    };
    loop {
        at += file.get(at..)?.iter().position(|byte| *byte == b'<')?;
        let rest = &file[at..];
        match rest {
            _ if rest.starts_with(b"<!--") => at = after(at + 4, b"-->")?,
            _ if rest.starts_with(b"<![CDATA[") => at = after(at, b"]]>")?,
            [b'<', b'?', ..] => at = after(at, b"?>")?,
            [b'<', b'!', ..] => return None,
            [b'<', b'/', ..] => {
                at = after(at, b">")?;
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {
                let end = end_of_tag(rest)?;
                at += end;
                if rest.get(end - 2) != Some(&b'/') {
                    depth += 1;
                } else if depth == 0 {
                    return Some(at);
                }
            }
        }
    }
}

/// The length of a start tag.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    let is_end = |byte: &u8| {
        match quote {
            Some(open) if open == *byte => quote = None,
            Some(_) => {}
            None if matches!(byte, b'"' | b'\'') => quote = Some(*byte),
            None => return *byte == b'>',
        }
        false
    };
    tag.iter().position(is_end).map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &str) -> Vec<&str> {
        let messages = messages(file.as_bytes()).unwrap();
        messages.into_iter().map(|message| &file[message.range]).collect()
    }

    #[test]
    fn messages_end_where_their_root_elements_do() {
        assert_eq!(texts("<a/>"), ["<a/>"]);
        assert_eq!(texts("\n<?xml version='1.0'?><a><b/></a>\n<?xml version='1.0'?>\n<c d='/>'></c>\n").len(), 2);
        assert_eq!(
            texts("<a b='>'><![CDATA[</a>]]><!--</a>--></a ><a/>"),
            ["<a b='>'><![CDATA[</a>]]><!--</a>--></a >", "<a/>"]
        );
        assert_eq!(texts("<a/><!-- b --> <?c?>\n"), ["<a/><!-- b --> <?c?>\n"]);
        assert_eq!(texts("<!-- b --><a/><!-- c --><d/>"), ["<!-- b --><a/>", "<!-- c --><d/>"]);
    }

    #[test]
    fn what_cannot_be_split_is_one_message() {
        for file in ["", "<a>", "<a/><b", "</a>", "x", "<!DOCTYPE a><a/><a/>", "<a b='></a><a/>", "<!--"] {
            let ranges = texts(file);
            assert!(ranges.last().is_some_and(|last| file.ends_with(last)), "{file}: {ranges:?}");
        }
    }

    #[test]
    fn heads_of_http_identify_sender_and_action() {
        let file = "POST / HTTP/1.1\r\nUser-Agent: gSOAP/2.7\r\nSOAPAction: \"urn:a\"\r\nContent-Length: 5\r\n\r\n<a/>\n\
                    GET /?wsdl HTTP/1.1\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Type: text/xml\n\n<b></b>";
        let messages = messages(file.as_bytes()).unwrap();
        let seen: Vec<_> =
            messages.iter().map(|one| (&file[one.range.clone()], one.toolkit.as_str(), one.action.as_str())).collect();
        assert_eq!(seen, [("<a/>\n", "gSOAP/2.7", "urn:a"), ("<b></b>", "", "")]);
    }

    #[test]
    fn errors_in_heads_are_reported() {
        for (file, expected) in [
            ("POST / HTTP/1.1\nContent-Length: 9\n\n<a/>", "incomplete at byte 35"),
            ("POST / HTTP/1.1\nContent-Length: x\n\n<a/>", "syntax at byte 16: found Content-Length 'x'"),
            ("POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n<a/>", "unsupported at byte 16: found Transfer-Encoding"),
            ("POST / HTTP/1.1\nA: b", "incomplete at byte 20"),
        ] {
            let error = messages(file.as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }
}
