//! Bodies in chunks, as they are recorded.

use httparse::Status;
use tam::{Error, ErrorKind};

/// The chunks of a body that begins at a place of a recording, and the place after it: after the trailer (RFC 9112
/// section 7.1). Chunk extensions and trailer fields are passed over.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// let (body, end) = lengthwise_http::chunked(b"4\r\n<a/>\r\n0\r\n\r\nPOST", 0)?;
/// assert_eq!((body.concat(), end), (b"<a/>".to_vec(), 14));
/// # Ok::<(), lengthwise_tam::Error>(())
/// ```
///
/// # Errors
/// If a chunk is longer than the rest of the recording (incomplete), or has no size (syntax).
pub fn chunked(recording: &[u8], mut at: usize) -> Result<(Vec<&[u8]>, usize), Error> {
    let mut chunks = Vec::new();
    let incomplete = |at: usize, needed: u64, expected: &'static str| {
        Error::incomplete("http", at.min(recording.len()) as u64, needed, expected)
    };
    loop {
        let rest = recording.get(at..).unwrap_or_default();
        let (line, size) = match httparse::parse_chunk_size(rest) {
            Ok(Status::Complete((line, size))) => (line, size),
            Ok(Status::Partial) => return Err(incomplete(recording.len(), 1, "the size of a chunk")),
            Err(_) => return Err(Error::new(ErrorKind::Syntax, "http", at as u64, "no size", "the size of a chunk")),
        };
        at += line;
        if size == 0 {
            let mut fields = [httparse::EMPTY_HEADER; 64];
            let rest = recording.get(at..).unwrap_or_default();
            return match httparse::parse_headers(rest, &mut fields) {
                Ok(Status::Complete((len, _))) => Ok((chunks, at + len)),
                Ok(Status::Partial) => Err(incomplete(recording.len(), 1, "an empty line after the last chunk")),
                Err(_) => {
                    Err(Error::new(ErrorKind::Syntax, "http", at as u64, "no header field", "the end of the chunks"))
                }
            };
        }
        let left = recording.len() - at;
        let Some(end) = usize::try_from(size).ok().filter(|size| *size <= left).map(|size| at + size) else {
            return Err(incomplete(recording.len(), size - left as u64, "all of a chunk"));
        };
        chunks.push(&recording[at..end]);
        at = end;
        at += match recording.get(at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([b'\n', ..]) => 1,
            Some([] | [b'\r']) => return Err(incomplete(recording.len(), 1, "the end of a chunk")),
            _ => return Err(Error::new(ErrorKind::Syntax, "http", at as u64, "more bytes", "the end of a chunk")),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_end_where_they_say() {
        let body = b"x3;a=b\r\n<a>\r\n4\r\n</a>\n0\r\nTrailer: 1\r\n\r\nrest";
        let (chunks, end) = chunked(body, 1).unwrap();
        assert_eq!((chunks.concat(), &body[end..]), (b"<a></a>".to_vec(), &b"rest"[..]));
        for (body, expected) in [
            (&b"5\r\n<a/>"[..], "incomplete at byte 7"),
            (b"4\r\n<a/>", "incomplete at byte 7"),
            (b"4\r\n<a/>x\r\n", "syntax at byte 7"),
            (b"x\r\n", "syntax at byte 0"),
            (b"4", "incomplete at byte 1"),
            (b"0\r\n", "incomplete at byte 3"),
            (b"ffffffffffffffff\r\n<a/>", "incomplete at byte 22"),
            (b"fffffffffffffffff\r\n", "syntax at byte 0"),
        ] {
            let error = chunked(body, 0).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
