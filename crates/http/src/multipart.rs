//! Bodies of several parts, of which one is the message (RFC 2046 section 5.1, RFC 2387; MTOM section 3).

use memchr::{memchr, memmem::Finder};

use crate::Sink;
use crate::charset::Transcoder;
use crate::content::{Parts, charset, without_brackets};
use crate::decoder::Refusal;
use crate::media_type::MediaType;
use crate::message::Text;

/// The parts beside the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attachments {
    /// How many there are.
    pub count: u64,
    /// Their bytes, without their heads.
    pub bytes: u64,
}

/// Splits a body into its parts.
pub(crate) struct Splitter {
    start: Option<String>,
    /// `LF`, two hyphens and the boundary. The `CR` before is optional.
    delimiter: Finder<'static>,
    /// What has arrived and is not taken yet.
    held: Vec<u8>,
    /// Bytes of the line at their beginning in which its end was looked for.
    searched: usize,
    head: Head,
    state: State,
    has_root: bool,
    attachments: Attachments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first delimiter.
    Preamble,
    /// In the line of a delimiter.
    Delimiter,
    /// In the head of a part.
    Head,
    Root,
    /// In another part, which the sink gets.
    Attachment,
    /// In another part, which it does not get.
    LeftOut,
    /// After the last delimiter.
    Epilogue,
}

/// Bytes of the head of a part, and of any line of it.
const HEAD: usize = 16 << 10;

impl Splitter {
    pub(crate) fn new(parts: &Parts) -> Splitter {
        let delimiter = format!("\n--{}", parts.boundary);
        Splitter {
            start: parts.start.clone(),
            delimiter: Finder::new(&delimiter).into_owned(),
            // The first delimiter may be at the beginning.
            held: b"\n".to_vec(),
            searched: 0,
            head: Head::default(),
            state: State::Preamble,
            has_root: false,
            attachments: Attachments::default(),
        }
    }

    /// Takes the next bytes, and gives those of the root part to `text`.
    pub(crate) fn take<S: Sink>(&mut self, bytes: &[u8], text: &mut Text<S>) -> Result<(), Refusal<S::Refusal>> {
        self.held.extend_from_slice(bytes);
        let mut at = 0;
        while self.state != State::Epilogue {
            let rest = &self.held[at..];
            let step = match self.state {
                State::Delimiter => match rest {
                    [b'-', b'-', ..] => Some((2, State::Epilogue)),
                    _ => line(rest, self.searched)?.map(|(_, len)| (len, State::Head)),
                },
                State::Head => match line(rest, self.searched)? {
                    Some((&[], len)) => Some((len, self.begin(text)?)),
                    Some((field, len)) => {
                        self.head.push(field)?;
                        Some((len, State::Head))
                    }
                    None => None,
                },
                _ => {
                    let found = self.delimiter.find(rest);
                    // What may be the beginning of a delimiter waits, and so does the line end before it.
                    let end = found.unwrap_or_else(|| rest.len().saturating_sub(self.delimiter.needle().len()));
                    let content = &rest[..end];
                    let content =
                        if found.is_some() { content.strip_suffix(b"\r").unwrap_or(content) } else { content };
                    match self.state {
                        State::Root => text.take(content)?,
                        State::Attachment | State::LeftOut => {
                            self.attachments.bytes += content.len() as u64;
                            if self.state == State::Attachment {
                                text.take_part(content)?;
                            }
                        }
                        _ => {}
                    }
                    if found.is_none() {
                        at += end;
                    }
                    found.map(|end| (end + self.delimiter.needle().len(), State::Delimiter))
                }
            };
            let in_line = matches!(self.state, State::Delimiter | State::Head);
            self.searched = if in_line && step.is_none() { self.held.len() - at } else { 0 };
            let Some((len, state)) = step else { break };
            at += len;
            self.state = state;
        }
        if self.state == State::Epilogue {
            at = self.held.len();
        }
        self.held.drain(..at);
        Ok(())
    }

    /// Begins a part.
    fn begin<S: Sink>(&mut self, text: &mut Text<S>) -> Result<State, Refusal<S::Refusal>> {
        let head = Part::of(&std::mem::take(&mut self.head))?;
        if self.has_root || self.start.as_ref().is_some_and(|start| head.id != *start) {
            self.attachments.count += 1;
            if head.id.is_empty() || !head.is_as_it_is() {
                return Ok(State::LeftOut);
            }
            text.begin_part(&head.id)?;
            return Ok(State::Attachment);
        }
        self.has_root = true;
        if !head.is_as_it_is() {
            return Err(Refusal::Broken("The part of the message has a Content-Transfer-Encoding."));
        }
        let Ok(charset) = MediaType::of(&head.content_type).map_or(Ok(None), |value| charset(&value)) else {
            return Err(Refusal::Broken("The part of the message is in a character set that is not supported."));
        };
        text.transcoder = Transcoder::new(charset);
        Ok(State::Root)
    }

    /// The body ends here.
    pub(crate) fn finish<R>(self) -> Result<Attachments, Refusal<R>> {
        match (self.state, self.has_root) {
            (State::Epilogue, true) => Ok(self.attachments),
            (State::Epilogue, false) => Err(Refusal::Broken("The body has no part that is the message.")),
            _ => Err(Refusal::NotEnded),
        }
    }
}

const NO_HEAD: &str = "The head of a part is not one of MIME, or too long.";

/// The line at the beginning of what has arrived, if it has ended, and its length with the end. There is none in the first
/// `searched` bytes.
fn line<R>(bytes: &[u8], searched: usize) -> Result<Option<(&[u8], usize)>, Refusal<R>> {
    let found = memchr(b'\n', &bytes[searched..bytes.len().min(HEAD)]).map(|end| searched + end);
    match found {
        Some(end) => Ok(Some((bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]), end + 1))),
        None if bytes.len() >= HEAD => Err(Refusal::Broken(NO_HEAD)),
        None => Ok(None),
    }
}

/// The fields of a head that have arrived, each in one line.
#[derive(Default)]
struct Head {
    fields: Vec<String>,
    len: usize,
}

impl Head {
    /// Takes the next line. Unlike in a head of HTTP, a field may continue on the next line (RFC 5322 section 2.2.3).
    fn push<R>(&mut self, line: &[u8]) -> Result<(), Refusal<R>> {
        self.len += line.len() + 1;
        if self.len > HEAD {
            return Err(Refusal::Broken(NO_HEAD));
        }
        let text = String::from_utf8_lossy(line);
        match (line.first(), self.fields.last_mut()) {
            (Some(b' ' | b'\t'), Some(last)) => last.push_str(&text),
            _ => self.fields.push(text.into_owned()),
        }
        Ok(())
    }
}

/// What the head of a part says, as far as it is looked at.
#[derive(Default)]
struct Part {
    id: String,
    content_type: String,
    transfer: String,
}

impl Part {
    fn of<R>(head: &Head) -> Result<Part, Refusal<R>> {
        let mut part = Part::default();
        for field in &head.fields {
            let Some((name, value)) = field.split_once(':') else { return Err(Refusal::Broken(NO_HEAD)) };
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "content-id" => part.id = without_brackets(value).to_owned(),
                "content-type" => part.content_type = value.to_owned(),
                "content-transfer-encoding" => part.transfer = value.to_owned(),
                _ => {}
            }
        }
        Ok(part)
    }

    /// Whether its bytes are what they stand for (RFC 2045 section 6.2).
    fn is_as_it_is(&self) -> bool {
        ["", "binary", "8bit", "7bit"].iter().any(|known| self.transfer.eq_ignore_ascii_case(known))
    }
}
