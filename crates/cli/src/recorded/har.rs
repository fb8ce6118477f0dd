//! Recordings of browsers and proxies: HTTP Archive (HAR 1.2), whose bodies are decoded already.

use std::borrow::Cow;

use lengthwise::{Error, ErrorKind, Limits};
use lengthwise_http::Content;
use serde::Deserialize;

use crate::recorded::{Body, Reason, Recording};

#[derive(Deserialize)]
struct Har<'f> {
    #[serde(borrow)]
    log: Log<'f>,
}

#[derive(Deserialize)]
struct Log<'f> {
    #[serde(borrow)]
    entries: Vec<Entry<'f>>,
}

#[derive(Deserialize)]
struct Entry<'f> {
    #[serde(borrow, default)]
    request: Message<'f>,
    #[serde(borrow, default)]
    response: Message<'f>,
}

#[derive(Deserialize, Default)]
struct Message<'f> {
    #[serde(borrow, default)]
    headers: Vec<Field<'f>>,
    #[serde(borrow, default, alias = "postData")]
    content: Option<Text<'f>>,
}

#[derive(Deserialize)]
struct Field<'f> {
    #[serde(borrow)]
    name: Cow<'f, str>,
    #[serde(borrow)]
    value: Cow<'f, str>,
}

#[derive(Deserialize)]
struct Text<'f> {
    #[serde(borrow, default, rename = "mimeType")]
    media_type: Cow<'f, str>,
    #[serde(borrow, default)]
    text: Option<Cow<'f, str>>,
    #[serde(borrow, default)]
    encoding: Option<Cow<'f, str>>,
    #[serde(default)]
    size: i64,
}

/// Whether a file may be one: it is JSON.
pub(crate) fn is_har(file: &[u8]) -> bool {
    file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file).trim_ascii_start().starts_with(b"{")
}

/// Takes the messages of an archive: of each entry the request, then the response.
pub(crate) fn read<'f>(file: &'f [u8], limits: &Limits, recording: &mut Recording<'f>) -> Result<(), Error> {
    let text = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    let har: Har<'f> = serde_json::from_slice(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let before: usize =
            text.split_inclusive(|byte| *byte == b'\n').take(line.saturating_sub(1)).map(<[u8]>::len).sum();
        let (offset, words) = ((before + column.saturating_sub(1)) as u64, error.to_string());
        let found = words.split(" at line ").next().unwrap_or_default().to_owned();
        Error::new(ErrorKind::Syntax, "har", offset, found, "an HTTP Archive").at_line(line as u64, column as u64)
    })?;
    for message in har.log.entries.into_iter().flat_map(|entry| [entry.request, entry.response]) {
        message.read(limits, recording);
    }
    Ok(())
}

impl<'f> Message<'f> {
    fn read(self, limits: &Limits, recording: &mut Recording<'f>) {
        let field = |name: &str| {
            let field = self.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
            field.map_or(String::new(), |field| field.value.trim().to_owned())
        };
        recording.number += 1;
        let Some(body) = self.content else { return recording.skip(Reason::NoBody, "") };
        let Some(text) = body.text.filter(|text| !text.is_empty()) else {
            let reason = if body.size > 0 { Reason::NotRecorded } else { Reason::NoBody };
            return recording.skip(reason, "");
        };
        let media_type = if body.media_type.is_empty() { Cow::Owned(field("content-type")) } else { body.media_type };
        // What is text has no coding any more, and is UTF-8; octets may be in another character set.
        let mut content = Content::of(&media_type, "");
        let action = field("soapaction").trim_matches('"').to_owned();
        let body = if body.encoding.is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64")) {
            let mut octets = Vec::new();
            if xml::base64::decode(&text, &mut octets).is_none() {
                let error = Error::new(ErrorKind::Syntax, "har", 0, "other text", "base64, as 'encoding' says");
                return recording.fail(error);
            }
            Cow::Owned(octets)
        } else {
            if let Ok(content) = &mut content {
                content.charset = None;
            }
            match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            }
        };
        recording.take(&content, Body::Archived(body), action, limits);
    }
}
