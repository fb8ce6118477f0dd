//! Cuts messages from bytes that arrive in pieces, by their framing.

use std::cmp::Reverse;

use tam::{Error, ErrorKind, Limits, TypeSet, Words};

use crate::ber::Ber;
use crate::frames::Options;
use crate::framing::Framing;
use crate::json::{self, Json};
use crate::pem;
use crate::stream::later;

/// Where a message is in the bytes, and where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Message(Cut),
    /// The message is not complete.
    More,
    /// There is no other message.
    End,
}

/// Cuts messages.
pub(crate) struct Cutter {
    framing: Framing,
    limits: Limits,
    ber: Ber,
    json: Json,
    tsf: Option<tsf::MessageEnd<'static>>,
    /// The type set of TSF, as given or detected.
    types: Option<&'static TypeSet>,
    /// Bytes in front of the message that belong to none: white space between lines and texts, and filler.
    blank: usize,
    /// Whether bytes of 00 may fill the space between encodings of BER, as in files of charging records, and how many did. No
    /// encoding begins with two.
    has_filler: bool,
    filler: u64,
    /// Where the last line in them begins.
    line: usize,
    /// Bytes of a line that have no end.
    scanned: usize,
}

/// Bytes of TSF by which its type set is detected, where there are so many.
const SAMPLE: usize = 32 << 10;

/// Type sets of TSF. A message ends elsewhere by another one.
const SETS: [&TypeSet; 3] = [TypeSet::XML, TypeSet::JSON, TypeSet::VALUE];

impl Cutter {
    pub(crate) fn new(options: &Options) -> Cutter {
        let Options { framing, limits, types, port, .. } = *options;
        let (ber, json) = (Ber::default(), Json::default());
        let has_filler = framing == Framing::Ber && port.is_none();
        Cutter { framing, limits, ber, json, tsf: None, types, blank: 0, has_filler, filler: 0, line: 0, scanned: 0 }
    }

    /// The bytes between encodings so far.
    pub(crate) fn filler(&self) -> u64 {
        self.filler
    }

    /// Passes over filler, and white space between lines and texts; `bytes` as for [`Cutter::cut`]. Returns where the line begins that the
    /// next message is in.
    pub(crate) fn skip_blank(&mut self, bytes: &[u8]) -> usize {
        if matches!(self.framing, Framing::Lines | Framing::HexLines | Framing::Json) {
            let more = bytes[self.blank..].iter().take_while(|byte| json::is_blank(**byte)).count();
            if let Some(end) = memchr::memrchr(b'\n', &bytes[self.blank..self.blank + more]) {
                self.line = self.blank + end + 1;
            }
            self.blank += more;
        }
        if self.has_filler {
            let more = bytes[self.blank..].iter().take_while(|byte| **byte == 0).count();
            self.blank += more;
            self.filler += more as u64;
        }
        self.line
    }

    /// The next message. `bytes` begins at the end of the one before, and grows until there is a message; `is_last` says
    /// that it grows no more.
    pub(crate) fn cut(&mut self, bytes: &[u8], is_last: bool) -> Result<Next, Error> {
        self.skip_blank(bytes);
        let start = self.blank;
        let rest = &bytes[start..];
        let placed = |error| later(error, start as u64);
        if rest.is_empty() {
            return Ok(if is_last { Next::End } else { Next::More });
        }
        let found = match self.framing {
            Framing::Whole => is_last.then_some((0, rest.len())),
            Framing::Ber => self.ber.end(rest, &self.limits).map_err(placed)?.map(|end| (0, end)),
            Framing::U16Be => length::<2>(rest, &self.limits).map_err(placed)?,
            Framing::U32Be => length::<4>(rest, &self.limits).map_err(placed)?,
            Framing::Fixed(len) => (rest.len() >= len as usize).then_some((0, len as usize)),
            Framing::Lines | Framing::HexLines => self.line(rest, is_last),
            Framing::Json => self.json.end(rest, is_last).map_err(placed)?.map(|end| (0, end)),
            Framing::Pon => match pon::Value::prefix(rest) {
                Ok((_, end)) => Some((0, end)),
                Err(error) if error.kind() == ErrorKind::Incomplete => None,
                Err(error) => return Err(placed(error)),
            },
            Framing::Tsf => self.tsf(rest, is_last).map_err(placed)?.map(|end| (0, end)),
            Framing::Pem => match pem::cut(rest, &mut self.scanned, is_last) {
                Ok(found) => found,
                Err(()) => return Ok(Next::End),
            },
        };
        match found {
            Some((from, to)) => {
                (self.blank, self.line, self.scanned) = (0, 0, 0);
                Ok(Next::Message(Cut { start: start + from, end: start + to }))
            }
            None if is_last => {
                let expected = Words::from(format!("the rest of a message (framing {})", self.framing));
                Err(Error::incomplete("framing", bytes.len() as u64, 1, expected))
            }
            None => Ok(Next::More),
        }
    }

    /// The line at the start of some bytes, without its end.
    fn line(&mut self, rest: &[u8], is_last: bool) -> Option<(usize, usize)> {
        let end = memchr::memchr(b'\n', &rest[self.scanned..]).map(|end| self.scanned + end);
        self.scanned = rest.len();
        let line = &rest[..end.or(is_last.then_some(rest.len()))?];
        Some((0, line.trim_ascii_end().len()))
    }

    /// The end of a message of TSF.
    fn tsf(&mut self, rest: &[u8], is_last: bool) -> Result<Option<usize>, Error> {
        let limits = self.limits;
        let options = |set| tsf::Options::new(set).with_limits(limits);
        let set = match self.types {
            Some(set) => set,
            None if rest.len() < SAMPLE && !is_last => return Ok(None),
            None => {
                // The first of those that fit as well.
                let fitting = SETS.into_iter().min_by_key(|set| fit(rest, is_last, &options(set)));
                *self.types.insert(fitting.unwrap_or(TypeSet::XML))
            }
        };
        match self.tsf.get_or_insert_with(|| tsf::MessageEnd::new(&options(set))).find(rest) {
            Ok(end) => {
                self.tsf = None;
                Ok(Some(end))
            }
            Err(error) if error.kind() == ErrorKind::Incomplete => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// How well bytes fit a type set; the least is best. First by how many are in whole messages, then by how many messages these
/// are, then by whether what follows may be the start of one, then by where the first type is: by another set it is a part of
/// the name.
fn fit(bytes: &[u8], is_last: bool, options: &tsf::Options<'_>) -> (Reverse<usize>, Reverse<usize>, bool, usize) {
    let (mut at, mut count, mut is_wrong) = (0, 0, false);
    while at < bytes.len() {
        match tsf::read_prefix(&bytes[at..], options, &mut tam::Table::new()) {
            Ok((_, len)) => {
                at += len;
                count += 1;
            }
            Err(error) => {
                is_wrong = error.kind() != ErrorKind::Incomplete || is_last;
                break;
            }
        }
    }
    let first = bytes.iter().position(|byte| options.types.is_type(*byte));
    (Reverse(at), Reverse(count), is_wrong, first.unwrap_or(bytes.len()))
}

/// A message after its length of `N` bytes.
fn length<const N: usize>(rest: &[u8], limits: &Limits) -> Result<Option<(usize, usize)>, Error> {
    let Some(head) = rest.first_chunk::<N>() else { return Ok(None) };
    let len = head.iter().fold(0, |len, byte| len << 8 | u64::from(*byte));
    if len > limits.message_bytes.into() {
        let found = Words::Count(len, "bytes");
        return Err(Error::limit("framing", 0, found, "message_bytes", limits.message_bytes.into()));
    }
    let end = N + len as usize;
    Ok((rest.len() >= end).then_some((N, end)))
}
