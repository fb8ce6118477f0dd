//! Recorded streams of messages: files with one message or several in sequence, with or without HTTP headers, and HTTP
//! archives.

mod document;
mod har;
mod head;
mod left_out;
mod reconstitute;

use std::borrow::Cow;

use lengthwise::tam::Expansion;
use lengthwise::text::xml;
use lengthwise::{Error, ErrorKind, Format, Limits};
use lengthwise_http::{Attachments, Content, Decoder, Package, Refusal, Unsupported, chunked};

use crate::recorded::document::{end_of_document, is_blank_of_elements};
use crate::recorded::head::{Head, begins};
use crate::recorded::reconstitute::reconstituted;

/// A message in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recorded<'f> {
    pub(crate) bytes: Cow<'f, [u8]>,
    /// XML or JSON.
    pub(crate) format: Format,
    /// The message with the parts that it may include octets from, if it has some.
    pub(crate) package: Option<Package>,
    /// Its position in the file, unless it had to be decoded.
    pub(crate) at: Option<usize>,
    /// Its number in the file, from 1.
    pub(crate) number: usize,
    /// Its `SOAPAction`, empty if there is none.
    pub(crate) action: String,
}

impl Recorded<'_> {
    /// The message itself: octets that it includes from other parts are in it.
    pub(crate) fn document(&self, limits: &Limits, expansion: &mut Expansion) -> Result<Cow<'_, [u8]>, Error> {
        match &self.package {
            Some(package) if self.format == Format::Xml => {
                let options = xml::Options::default().with_limits(*limits).with_namespaces(false);
                reconstituted(package, &options, expansion).map(Cow::Owned)
            }
            _ => Ok(Cow::Borrowed(&self.bytes)),
        }
    }
}

/// Why messages are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    NoBody,
    NotXml,
    NotText,
    NotSupported,
    NotRecorded,
}

/// Which bodies are messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bodies {
    Xml,
    XmlAndJson,
}

impl Bodies {
    /// The format of a body, or why it is skipped.
    fn format(self, content: &Content) -> Result<Format, Reason> {
        match self {
            _ if content.is_xml() => Ok(Format::Xml),
            Bodies::XmlAndJson if content.is_json() => Ok(Format::Json),
            Bodies::XmlAndJson => Err(Reason::NotText),
            Bodies::Xml => Err(Reason::NotXml),
        }
    }
}

impl Reason {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Reason::NoBody => "no body",
            Reason::NotXml => "not XML",
            Reason::NotText => "neither XML nor JSON",
            Reason::NotSupported => "not supported",
            Reason::NotRecorded => "body not recorded",
        }
    }
}

/// Messages that are skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Skipped {
    pub(crate) reason: Reason,
    pub(crate) count: u64,
    /// The number of the first in the file, and what it has; empty if the reason says all.
    pub(crate) first: (usize, String),
}

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Recording<'f> {
    pub(crate) messages: Vec<Recorded<'f>>,
    pub(crate) skipped: Vec<Skipped>,
    /// Messages that cannot be decoded: their numbers, and why.
    pub(crate) failures: Vec<(usize, Error)>,
    pub(crate) attachments: Attachments,
    bodies: Bodies,
    /// The number of the message that is being read.
    number: usize,
    /// What all bodies together may be decompressed to.
    expansion: Expansion,
}

/// The body of a message.
enum Body<'f> {
    /// In the file: its bytes, and where they are.
    At(usize, &'f [u8]),
    /// In chunks of the file, and where they end.
    Chunks(Vec<&'f [u8]>, usize),
    /// In an archive.
    Archived(Cow<'f, [u8]>),
}

impl<'f> Recording<'f> {
    /// Reads a file. Content that cannot be split is one message, so that its reader reports the error. The error of a
    /// file that cannot be read to its end comes after the messages before it.
    pub(crate) fn of(file: &'f [u8], bodies: Bodies, limits: &Limits) -> Recording<'f> {
        let mut recording = Recording {
            messages: Vec::new(),
            skipped: Vec::new(),
            failures: Vec::new(),
            attachments: Attachments::default(),
            bodies,
            number: 0,
            expansion: limits.decompression(file.len()),
        };
        let read = match har::is_har(file) {
            true => har::read(file, limits, &mut recording),
            false => recording.read_sequence(file, limits),
        };
        if let Err(error) = read {
            recording.failures.push((0, error));
        }
        recording
    }

    /// Reads messages in sequence.
    fn read_sequence(&mut self, file: &'f [u8], limits: &Limits) -> Result<(), Error> {
        let mut at = skip_blank(file, 0);
        while at < file.len() || self.number == 0 {
            self.number += 1;
            let Some(head) = Head::of(file, at)? else {
                let end = end_of_document(file, at);
                let text = &file[at..end.unwrap_or(file.len())];
                if end.is_none()
                    && is_blank_of_elements(text)
                    && let Some(last) = self.messages.last_mut()
                    && let Some(start) = last.at
                {
                    // Comments after a root element.
                    last.bytes = Cow::Borrowed(&file[start..]);
                    return Ok(());
                }
                self.push(Cow::Borrowed(text), Format::Xml, Some(at), String::new());
                at = skip_blank(file, at + text.len());
                continue;
            };
            let body = head.body(file)?;
            at = skip_blank(file, body.end());
            let Head { action, content, .. } = head;
            self.take(&content, body, action, limits);
        }
        Ok(())
    }

    /// Takes the body of a message.
    fn take(&mut self, content: &Result<Content, Unsupported>, body: Body<'f>, action: String, limits: &Limits) {
        if body.is_empty() {
            return self.skip(Reason::NoBody, "");
        }
        let content = match content {
            Ok(content) => content,
            Err(unsupported) => return self.skip(Reason::NotSupported, &unsupported.to_string()),
        };
        let format = match self.bodies.format(content) {
            Ok(format) => format,
            Err(reason) => return self.skip(reason, &content.media_type),
        };
        match decode(content, &body, limits) {
            Ok((package, attachments)) => {
                let is_compressed = content.coding != lengthwise_http::Coding::Identity;
                if is_compressed && let Err(exceeded) = self.expansion.charge(package.bytes().len()) {
                    return self.fail(exceeded.error("http", 0, "more bodies"));
                }
                self.attachments.count += attachments.count;
                self.attachments.bytes += attachments.bytes;
                match body {
                    _ if package.has_parts() || attachments.count > 0 => {
                        self.push(Cow::Owned(package.document().to_vec()), format, None, action);
                        if let Some(message) = self.messages.last_mut() {
                            message.package = Some(package);
                        }
                    }
                    Body::At(at, bytes) if bytes == package.bytes() => {
                        self.push(Cow::Borrowed(bytes), format, Some(at), action);
                    }
                    _ => self.push(Cow::Owned(package.into_bytes()), format, None, action),
                }
            }
            Err(error) => self.fail(error),
        }
    }

    fn push(&mut self, bytes: Cow<'f, [u8]>, format: Format, at: Option<usize>, action: String) {
        self.messages.push(Recorded { bytes, format, package: None, at, number: self.number, action });
    }

    fn fail(&mut self, error: Error) {
        self.failures.push((self.number, error));
    }

    fn skip(&mut self, reason: Reason, what: &str) {
        match self.skipped.iter_mut().find(|skipped| skipped.reason == reason) {
            Some(skipped) => skipped.count += 1,
            None => self.skipped.push(Skipped { reason, count: 1, first: (self.number, what.to_owned()) }),
        }
    }
}

impl Body<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Body::At(_, bytes) => bytes.iter().all(u8::is_ascii_whitespace),
            Body::Chunks(chunks, _) => chunks.is_empty(),
            Body::Archived(bytes) => bytes.is_empty(),
        }
    }

    /// Where it ends in the file.
    fn end(&self) -> usize {
        match self {
            Body::At(at, bytes) => at + bytes.len(),
            Body::Chunks(_, end) => *end,
            Body::Archived(_) => 0,
        }
    }
}

/// The message of a body, and what else is in it.
fn decode(content: &Content, body: &Body<'_>, limits: &Limits) -> Result<(Package, Attachments), Error> {
    let mut decoder = Decoder::new(content, limits, Package::new());
    let mut feed = || match body {
        Body::At(_, bytes) => decoder.feed(bytes),
        Body::Chunks(chunks, _) => chunks.iter().try_for_each(|chunk| decoder.feed(chunk)),
        Body::Archived(bytes) => decoder.feed(bytes),
    };
    let decoded = feed().and_then(|()| decoder.finish());
    decoded.map_err(|refusal| match refusal {
        Refusal::Broken(words) => Error::new(ErrorKind::Syntax, "http", 0, words, ""),
        Refusal::NotEnded => {
            let boundary = content.boundary().unwrap_or_default();
            let expected = format!("'--{boundary}--', the last boundary by its Content-Type");
            Error::new(ErrorKind::Syntax, "http", 0, "the end of the body", expected)
        }
        Refusal::TooLong(exceeded) => exceeded.error("http", 0, "a longer body"),
        Refusal::Sink(never) => match never {},
    })
}

impl Head {
    /// The body after the head.
    fn body<'f>(&self, file: &'f [u8]) -> Result<Body<'f>, Error> {
        let at = self.end;
        let rest = file.get(at..).unwrap_or_default();
        if self.is_alone {
            return Ok(Body::At(at, &[]));
        }
        if self.is_chunked {
            return chunked(file, at).map(|(chunks, end)| Body::Chunks(chunks, end));
        }
        if let Some(length) = self.length {
            return match rest.get(..length) {
                Some(body) => Ok(Body::At(at, body)),
                None => {
                    let expected = format!("{length} bytes, as Content-Length says");
                    Err(Error::incomplete("http", at as u64, (length - rest.len()) as u64, expected))
                }
            };
        }
        // Nothing says how long it is: a document, or all up to the next head.
        let start = skip_blank(file, at);
        let is_document = self.content.as_ref().is_ok_and(|content| content.is_xml() && !content.is_multipart());
        let end = match file.get(start) {
            Some(b'<') if is_document => end_of_document(file, start),
            _ => next_head(file, at),
        };
        Ok(Body::At(at, &file[at..end.unwrap_or(file.len())]))
    }
}

/// Where the next head begins, at the start of a line.
fn next_head(file: &[u8], at: usize) -> Option<usize> {
    let lines = file[at..].iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(end, _)| at + end + 1);
    std::iter::once(at).chain(lines).find(|line| begins(file, *line))
}

fn skip_blank(file: &[u8], at: usize) -> usize {
    let rest = file.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Recording<'_> {
        Recording::of(file, Bodies::Xml, &Limits::DEFAULT)
    }

    fn texts(file: &str) -> Vec<String> {
        read(file.as_bytes()).messages.iter().map(|one| String::from_utf8_lossy(&one.bytes).into_owned()).collect()
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
            let texts = texts(file);
            assert!(texts.last().is_some_and(|last| file.ends_with(last)), "{file}: {texts:?}");
        }
    }

    #[test]
    fn heads_of_http_have_the_action() {
        let file = "POST / HTTP/1.1\r\nUser-Agent: gSOAP/2.7\r\nSOAPAction: \"urn:a\"\r\nContent-Length: 5\r\n\r\n<a/>\n\
                    GET /?wsdl HTTP/1.1\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Type: text/xml\n\n<b></b>\n\
                    POST / HTTP/1.0\nContent-Type: application/soap+xml; action=\"urn:c\"\n\n<c/>";
        let recording = read(file.as_bytes());
        let seen: Vec<_> = recording.messages.iter().map(|one| (one.number, &*one.bytes, &one.action[..])).collect();
        let expected: [(usize, &[u8], &str); 3] = [(1, b"<a/>\n", "urn:a"), (3, b"<b></b>", ""), (4, b"<c/>", "urn:c")];
        assert_eq!(seen, expected);
        let skipped = Skipped { reason: Reason::NoBody, count: 1, first: (2, String::new()) };
        assert_eq!(recording.skipped, [skipped]);
    }

    #[test]
    fn errors_in_heads_are_reported_after_the_messages_before() {
        for (file, expected) in [
            ("<x/>POST / HTTP/1.1\nContent-Length: 9\n\n<a/>", "incomplete at byte 39"),
            ("<x/>POST / HTTP/1.1\nContent-Length: x\n\n<a/>", "syntax at byte 20: found Content-Length 'x'"),
            ("<x/>POST / HTTP/1.1\nTransfer-Encoding: gzip\n\n<a/>", "unsupported at byte 20: found Transfer-Enc"),
            ("<x/>POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n<a/>", "syntax at byte 48: found no size"),
            ("<x/>POST / HTTP/1.1\nA: b", "incomplete at byte 24"),
            ("<x/>POST / HTTP/1.1\nA b\n\n", "syntax at byte 4: found invalid"),
            (
                "<x/>POST / HTTP/2\nA: b\n\n<a/>",
                "syntax at byte 4: found invalid HTTP version, expected the head of a message of HTTP/1",
            ),
            ("<x/>HTTP/2 200 \nA: b\n\n<a/>", "syntax at byte 4: found invalid HTTP version"),
        ] {
            let recording = read(file.as_bytes());
            assert_eq!(recording.messages.len(), 1, "{file}");
            let (number, error) = &recording.failures[0];
            assert!(*number == 0 && error.to_string().starts_with(expected), "{error}");
        }
    }

    /// Where no field says how long a body is, the next head or the document does.
    #[test]
    fn bodies_without_a_length_end_where_the_next_begins() {
        let file = "GET /?wsdl HTTP/1.1\r\nHost: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
                    HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>one <p>two\r\n\
                    HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n\
                    POST / HTTP/1.1\r\n\r\n<a>\nPOST / HTTP/1.1\n</a>\nHTTP/1.1 500 Error\n\n<b/>";
        let recording = read(file.as_bytes());
        assert_eq!(texts(file), ["<a>\nPOST / HTTP/1.1\n</a>", "<b/>"]);
        let counts: Vec<_> = recording.skipped.iter().map(|skipped| (skipped.reason, skipped.count)).collect();
        assert_eq!(counts, [(Reason::NoBody, 3), (Reason::NotXml, 1)]);
        let words = "skipped 4 messages: 3 no body (first: message 1), 1 not XML (first: message 3: text/html)";
        assert_eq!(recording.left_out().as_deref(), Some(words));
        let line = r#"{"file":"f","messages_skipped":3,"message":"no body","first":1,"found":""}"#;
        assert_eq!(recording.left_out_lines("f").lines().next(), Some(line));
    }

    #[test]
    fn bodies_are_decoded() {
        let gzip = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut encoder, bytes).unwrap();
            encoder.finish().unwrap()
        };
        let post = |head: &str, body: &[u8]| {
            let head = format!("POST / HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n", body.len());
            [head.as_bytes(), body].concat()
        };
        let related = "Content-Type: multipart/related; type=\"application/xop+xml\"; boundary=b\r\n";
        let parts = b"--b\r\n\r\n<d/>\r\n--b\r\n\r\noctets\r\n--b--\r\n";
        let chunked: &[u8] = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<a\r\n2\r\n/>\r\n0\r\n\r\n";
        let file = [
            chunked,
            &post("Content-Encoding: gzip\r\n", &gzip(b"<b/>")),
            &post("Content-Type: text/xml; charset=iso-8859-1\r\n", b"<c>\xE9</c>"),
            &post(related, parts),
            &post(&format!("{related}Content-Encoding: gzip\r\n"), &gzip(parts)),
            &post("Content-Encoding: br\r\n", b"<e/>"),
            &post("Content-Encoding: gzip\r\n", b"<e/>"),
            &post("Content-Type: text/xml; charset=utf-8\r\n", b"<f/>"),
        ]
        .concat();
        let recording = read(&file);
        let texts: Vec<_> = recording.messages.iter().map(|one| String::from_utf8_lossy(&one.bytes)).collect();
        assert_eq!(texts, ["<a/>", "<b/>", "<c>é</c>", "<d/>", "<d/>", "<f/>"]);
        let places: Vec<_> = recording.messages.iter().map(|one| one.at.map(|at| at + 4)).collect();
        assert_eq!(places, [None, None, None, None, None, Some(file.len())]);
        assert_eq!((recording.attachments.count, recording.attachments.bytes), (2, 12));
        assert_eq!(recording.skipped[0].first, (6, "the content coding 'br'".to_owned()));
        let (number, error) = &recording.failures[0];
        assert!(*number == 7 && error.to_string().contains("not compressed as its Content-Encoding says"), "{error}");
    }

    /// What many small bodies are decompressed to is bounded as for a large one.
    #[test]
    fn bodies_of_a_file_share_the_bound_of_decompression() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, &[b' '; 600_000]).unwrap();
        let body = encoder.finish().unwrap();
        let head = format!("POST / HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len());
        let file = [head.as_bytes(), &body].concat().repeat(20);
        let limits = Limits { expansion_threshold: 1 << 20, expansion_ratio: 10, ..Limits::DEFAULT };
        let recording = Recording::of(&file, Bodies::Xml, &limits);
        assert_eq!((recording.messages.len(), recording.failures.len()), (1, 19));
        assert!(recording.failures[0].1.to_string().contains("expansion_ratio"), "{}", recording.failures[0].1);
    }

    #[test]
    fn archives_hold_requests_and_responses() {
        let file = r#"{"log": {"version": "1.2", "creator": {}, "entries": [
            {"request": {"method": "POST", "headers": [{"name": "user-agent", "value": "zeep/4"},
                 {"name": "SOAPAction", "value": "\"urn:a\""}, {"name": "Content-Encoding", "value": "gzip"}],
               "postData": {"mimeType": "text/xml; charset=iso-8859-1", "params": [], "text": "<a>\u00e9</a>"}},
             "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/xml"}],
               "content": {"size": 4, "mimeType": "", "text": "PGIvPg==", "encoding": "base64"}}},
            {"request": {"method": "GET", "headers": []},
             "response": {"content": {"size": 9, "mimeType": "image/png", "text": "iVBORw0KGgo=", "encoding": "base64"}}},
            {"request": {"headers": [], "postData": {"mimeType": "multipart/related; boundary=b; type=\"text/xml\"",
               "text": "--b\r\n\r\n<c/>\r\n--b\r\n\r\nx\r\n--b--"}},
             "response": {"content": {"size": 70000, "mimeType": "text/xml"}}},
            {"response": {"content": {"mimeType": "text/xml", "text": "***", "encoding": "base64"}}}]}}"#;
        let recording = read(file.as_bytes());
        let seen: Vec<_> =
            recording.messages.iter().map(|one| (one.number, String::from_utf8_lossy(&one.bytes))).collect();
        assert_eq!(seen, [(1, "<a>é</a>".into()), (2, "<b/>".into()), (5, "<c/>".into())]);
        assert_eq!(recording.messages[0].action, "urn:a");
        let counts: Vec<_> = recording.skipped.iter().map(|skipped| (skipped.reason, skipped.count)).collect();
        assert_eq!(counts, [(Reason::NoBody, 2), (Reason::NotXml, 1), (Reason::NotRecorded, 1)]);
        assert_eq!((recording.attachments.count, recording.failures[0].0), (1, 8));
        for (file, expected) in [
            ("{}", "har: syntax at byte 1 (line 1, column 2): found missing field `log`, expected an HTTP Archive"),
            ("{\"log\":\n7}", "har: syntax at byte 8 (line 2, column 1): found invalid type"),
            ("{", "har: syntax at byte 0 (line 1, column 1): found EOF"),
        ] {
            let recording = read(file.as_bytes());
            assert!(recording.failures[0].1.to_string().contains(&expected[5..]), "{}", recording.failures[0].1);
        }
    }
}
