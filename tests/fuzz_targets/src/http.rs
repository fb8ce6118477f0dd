//! What holds of bodies of HTTP.

use lengthwise_http::{Attachments, Content, Decoder, Refusal};

/// Heads of bodies, which the first byte chooses.
const HEADS: [(&str, &str); 8] = [
    ("text/xml", ""),
    ("text/xml; charset=utf-8", ""),
    ("text/xml; charset=utf-16", ""),
    ("text/xml; charset=iso-8859-1", "deflate"),
    ("text/xml", "gzip"),
    ("multipart/related; boundary=b; type=\"text/xml\"", ""),
    ("multipart/related; boundary=b; type=\"text/xml\"; start=\"<r>\"", ""),
    ("multipart/related; boundary=b; type=\"text/xml\"", "gzip"),
];

type Decoded = Result<(Vec<u8>, Attachments), Refusal<std::convert::Infallible>>;

fn decoded(content: &Content, body: &[u8], piece: usize) -> Decoded {
    let mut decoder = Decoder::new(content, &hostile::LIMITS, Vec::new());
    body.chunks(piece).try_for_each(|piece| decoder.feed(piece))?;
    decoder.finish()
}

/// Bodies of each head, at the beginning of fuzzing.
#[must_use]
pub fn http_body_seeds() -> Vec<Vec<u8>> {
    let parts = "--b\r\nContent-Type: text/xml\r\nContent-ID: <r>\r\n\r\n<a/>\r\n--b\r\n\r\noctets\r\n--b--\r\n";
    let text = "<?xml version='1.0' encoding='utf-16'?><a>\u{E9}</a>";
    let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    // An empty member of gzip, and a block of zlib that is stored.
    let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    let zlib = b"\x78\x01\x01\x04\0\xFB\xFF<a/>\x03\x35\x01\x0B";
    [text.as_bytes(), text.as_bytes(), &utf_16, zlib, gzip, parts.as_bytes(), parts.as_bytes(), gzip]
        .iter()
        .enumerate()
        .map(|(head, body)| [&[head as u8], *body].concat())
        .collect()
}

/// A body is the same message in any pieces, or refused in any pieces.
pub fn http_body(input: &[u8]) {
    let Some((&head, body)) = input.split_first() else { return };
    let (content_type, coding) = HEADS[usize::from(head) % HEADS.len()];
    let content = Content::of(content_type, coding).unwrap();
    let whole = decoded(&content, body, body.len().max(1));
    for piece in [1, 2, 7, 100] {
        let read = decoded(&content, body, piece);
        // Which fault is found first may depend on the pieces.
        assert!(read == whole || read.is_err() && whole.is_err(), "{piece}: {read:?} {whole:?}");
    }
}
