//! Strings that writer and reader both have, so that messages do not hold them.

use std::collections::HashMap;

use tam::{Document, Error, ErrorKind, Words};
use xml::chars::{char_at, first_illegal_between_nuls};

use crate::chain::Chain;
use crate::collect::collect;
use crate::rules::{FORMAT, LARGE};
use crate::store::Span;
use crate::{Options, Properties};

/// Strings that both sides of a connection have before the first message: names, namespaces and frequent values.
///
/// A message that is written with them ([`Options::with_shared`]) has the other strings only. It says by a number of 32 bits
/// which strings were shared; reading it without them is an error.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_infoset::{Options, SharedStrings, read, write};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// # let mut table = lengthwise_tam::Table::new();
/// # let mut build = lengthwise_tam::Builder::new(b"", lengthwise_tam::TypeSet::XML, lengthwise_tam::Limits::default(), &mut table);
/// # build.open(b'<', b"measurement")?;
/// # build.open(b'<', b"temperature")?;
/// # build.primitive(b'[', b"", b"21.5")?;
/// # build.close()?;
/// # build.close()?;
/// # build.finish()?;
/// // <measurement><temperature>21.5</temperature></measurement>
/// let document = table.document(b"", lengthwise_tam::TypeSet::XML);
/// let strings = SharedStrings::new(b"measurement\0temperature\0humidity\0")?;
/// let options = Options::uper().with_shared(Some(&strings));
/// let message = write(&document, &options)?;
/// assert!(message.len() < write(&document, &Options::uper())?.len());
///
/// let mut table = lengthwise_tam::Table::new();
/// assert_eq!(read(&message, &options, &mut table)?.get("/measurement/temperature/text()").unwrap().value(), b"21.5");
/// assert!(read(&message, &Options::uper(), &mut table).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct SharedStrings {
    /// The strings, each followed by one NUL.
    text: String,
    spans: Vec<Span>,
    /// The places of the strings in `spans`, sorted by the strings.
    sorted: Vec<u32>,
    id: u32,
}

impl SharedStrings {
    /// The most strings: those that have short indexes.
    pub const MOST: usize = LARGE as usize;

    /// Takes strings in UTF-8, each followed by one NUL.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if they are not such strings, or if one is empty, occurs twice or has characters that XML does not
    /// allow; [`ErrorKind::Limit`] if there are more than [`SharedStrings::MOST`].
    pub fn new(strings: &[u8]) -> Result<SharedStrings, Error> {
        if u32::try_from(strings.len()).is_err() {
            return Err(Error::limit(FORMAT, 0, "longer strings", "shared strings", u32::MAX.into()));
        }
        let text =
            str::from_utf8(strings).map_err(|error| bad(error.valid_up_to(), "bytes that are not UTF-8", "UTF-8"))?;
        if let Some(at) = first_illegal_between_nuls(strings) {
            let found = char_at(strings, at).map_or(Words::End, |c| Words::Own(format!("U+{:04X}", u32::from(c))));
            return Err(bad(at, found, "characters that XML allows"));
        }
        let Some(inner) = text.strip_suffix('\0') else {
            return Err(bad(text.len(), "the end of the strings", "a NUL after each string"));
        };
        let mut spans: Vec<Span> = Vec::new();
        let mut at = 0;
        for string in inner.split('\0') {
            if string.is_empty() {
                return Err(bad(at, "an empty string", "a string"));
            }
            if spans.len() == SharedStrings::MOST {
                return Err(Error::limit(
                    FORMAT,
                    at as u64,
                    "one more string",
                    "shared strings",
                    SharedStrings::MOST as u64,
                ));
            }
            spans.push(Span { at: at as u32, len: string.len() as u32 });
            at += string.len() + 1;
        }
        let mut crc = flate2::Crc::new();
        crc.update(strings);
        let mut shared = SharedStrings { text: text.to_owned(), spans, sorted: Vec::new(), id: crc.sum() };
        let mut sorted: Vec<u32> = (0..shared.spans.len() as u32).collect();
        sorted.sort_by_key(|place| shared.get(*place));
        if let Some(twice) = sorted.windows(2).find(|pair| shared.get(pair[0]) == shared.get(pair[1])) {
            let at = shared.spans.get(twice[1] as usize).map_or(0, |span| span.at as usize);
            return Err(bad(at, "a string that was there before", "each string once"));
        }
        shared.sorted = sorted;
        Ok(shared)
    }

    /// The strings as [`SharedStrings::new`] takes them.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.spans.len()
    }

    /// The number that messages refer to them by: the CRC-32 of [`SharedStrings::as_bytes`].
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    fn get(&self, place: u32) -> &[u8] {
        let Some(span) = self.spans.get(place as usize) else { return &[] };
        self.text.as_bytes().get(span.at as usize..(span.at + span.len) as usize).unwrap_or_default()
    }

    /// The index of a string, from 1.
    pub(crate) fn find(&self, text: &[u8]) -> Option<u32> {
        let at = self.sorted.binary_search_by_key(&text, |place| self.get(*place)).ok()?;
        self.sorted.get(at).map(|place| place + 1)
    }
}

/// Chooses strings to share: those that several sample documents have.
#[derive(Debug, Default)]
pub struct StringSamples {
    /// For each string, how many documents have it, and how often it occurs in all.
    strings: HashMap<Vec<u8>, (u32, u64)>,
    documents: u32,
}

impl StringSamples {
    /// No samples yet.
    #[must_use]
    pub fn new() -> StringSamples {
        StringSamples::default()
    }

    /// Counts the strings of a document.
    ///
    /// # Errors
    /// If the document is not one of XML.
    pub fn add(&mut self, document: &Document<'_>) -> Result<(), Error> {
        let chain = Chain::default();
        let collected = collect(document, &Properties::default(), &Options::uper(), chain.end())?;
        for entry in collected.strings.entries().iter().filter(|entry| !entry.text.is_empty()) {
            let (documents, uses) = self.strings.entry(entry.text.to_vec()).or_default();
            *documents += 1;
            *uses += u64::from(entry.count);
        }
        self.documents += 1;
        Ok(())
    }

    /// The strings that two or more documents have, those first that save most; of at most `bytes` in all. `None` if
    /// there are none.
    #[must_use]
    pub fn choose(self, bytes: usize) -> Option<SharedStrings> {
        let mut strings: Vec<(Vec<u8>, (u32, u64))> =
            self.strings.into_iter().filter(|(_, (documents, _))| *documents > 1).collect();
        // Each document that has a string would have its bytes once. Equal ones are in the order of their bytes.
        let saved = |(text, (documents, _)): &(Vec<u8>, (u32, u64))| (text.len() as u64 + 1) * u64::from(*documents);
        strings.sort_by(|a, b| saved(b).cmp(&saved(a)).then_with(|| a.0.cmp(&b.0)));
        let mut left = bytes;
        strings.retain(|(text, _)| {
            let fits = text.len() < left;
            left -= if fits { text.len() + 1 } else { 0 };
            fits
        });
        strings.truncate(SharedStrings::MOST);
        let text: Vec<u8> = strings.iter().flat_map(|(text, _)| text.iter().copied().chain([0])).collect();
        SharedStrings::new(&text).ok()
    }
}

#[cold]
fn bad(at: usize, found: impl Into<Words>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Syntax, FORMAT, at as u64, found, expected)
}
