//! The heads of messages of HTTP/1, as they are recorded.

use httparse::{EMPTY_HEADER, Header, Request, Response, Status};
use lengthwise::{Error, ErrorKind};
use lengthwise_http::{Content, Unsupported};

/// Header fields of a head.
const FIELDS: usize = 256;

/// The head of a message of HTTP.
#[derive(Debug)]
pub(crate) struct Head {
    /// The start of the body.
    pub(crate) end: usize,
    pub(crate) action: String,
    pub(crate) length: Option<usize>,
    pub(crate) is_chunked: bool,
    /// Whether there is no body, whatever the fields say (RFC 9112 section 6.3).
    pub(crate) is_alone: bool,
    pub(crate) content: Result<Content, Unsupported>,
}

impl Head {
    /// The head that begins at a position, if any.
    pub(crate) fn of(file: &[u8], at: usize) -> Result<Option<Head>, Error> {
        if !begins(file, at) {
            return Ok(None);
        }
        let rest = &file[at..];
        let mut fields = [EMPTY_HEADER; FIELDS];
        let (len, is_alone, fields) = if rest.starts_with(b"HTTP/") {
            let mut response = Response::new(&mut fields);
            let len = response.parse(rest);
            let is_alone = response.code.is_some_and(|code| code < 200 || code == 204 || code == 304);
            (len, is_alone, response.headers)
        } else {
            let mut request = Request::new(&mut fields);
            (request.parse(rest), false, request.headers)
        };
        match len {
            Ok(Status::Complete(len)) => Head::from_fields(fields, file, at + len, is_alone).map(Some),
            Ok(Status::Partial) => {
                Err(Error::incomplete("http", file.len() as u64, 1, "an empty line after the header"))
            }
            Err(error) => {
                let expected = "the head of a message of HTTP/1.0 or 1.1";
                Err(Error::new(ErrorKind::Syntax, "http", at as u64, error.to_string(), expected))
            }
        }
    }

    fn from_fields(fields: &[Header<'_>], file: &[u8], end: usize, is_alone: bool) -> Result<Head, Error> {
        let (mut action, mut length) = (String::new(), None);
        let (mut is_chunked, mut content_type, mut coding) = (false, String::new(), String::new());
        for field in fields {
            let value = String::from_utf8_lossy(field.value);
            let value = value.trim();
            // The parser lends the fields from the file.
            let error = |kind, expected: &'static str| {
                let at = (field.name.as_ptr() as usize).saturating_sub(file.as_ptr() as usize);
                Error::new(kind, "http", at as u64, format!("{} '{value}'", field.name), expected)
            };
            match field.name.to_ascii_lowercase().as_str() {
                "soapaction" => value.trim_matches('"').clone_into(&mut action),
                "content-type" => value.clone_into(&mut content_type),
                "content-encoding" if coding.is_empty() => value.clone_into(&mut coding),
                "content-encoding" => coding = format!("{coding}, {value}"),
                "content-length" => {
                    let number = value.parse().map_err(|_| error(ErrorKind::Syntax, "a number of bytes"))?;
                    length = Some(number);
                }
                "transfer-encoding" if value.eq_ignore_ascii_case("chunked") => is_chunked = true,
                "transfer-encoding" if !value.eq_ignore_ascii_case("identity") => {
                    return Err(error(ErrorKind::Unsupported, "chunked, or no transfer encoding"));
                }
                _ => {}
            }
        }
        let content = Content::of(&content_type, &coding);
        if let Ok(content) = &content
            && action.is_empty()
        {
            action.clone_from(&content.action);
        }
        Ok(Head { end, action, length, is_chunked, is_alone, content })
    }
}

/// Whether a head begins at a position: a request of HTTP/1, or a response.
pub(crate) fn begins(file: &[u8], at: usize) -> bool {
    /// The longest first line.
    const LONGEST: usize = 64 << 10;
    let rest = file.get(at..).unwrap_or_default();
    // A document begins with `<`, and no line of HTTP does.
    if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let end = rest.iter().take(LONGEST).position(|byte| *byte == b'\n');
    let line = &rest[..end.unwrap_or(0)];
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let versions = [b" HTTP/1.1".as_slice(), b" HTTP/1.0", b" HTTP/2", b" HTTP/3"];
    [b"HTTP/1.".as_slice(), b"HTTP/2 ", b"HTTP/3 "].iter().any(|start| line.starts_with(start))
        || versions.iter().any(|end| line.ends_with(end))
}
