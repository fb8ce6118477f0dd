//! Encodings without a schema: tags, lengths, and what is in them.

use std::fmt::Write;

use tam::{Error, ErrorKind, Limits, Words};

use super::header::{Fault, Header, notation, parse};
use crate::event::Real;
use crate::integer::of_octets;
use crate::schema::{Tag, TagClass};
use crate::{oid, real};

/// Strings are looked into for encodings as long as this many times the message has not been looked at.
const LOOKED_AT: usize = 8;

/// The most octets of a number that is shown in decimal digits.
const DIGITS: usize = 16;

/// One encoding: a tag, a length, and contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Element {
    /// The number of encodings that it is in.
    pub depth: u32,
    /// Its tag; that of an end-of-contents is `[UNIVERSAL 0]`.
    pub tag: Tag,
    /// Whether its contents are encodings.
    pub constructed: bool,
    /// The position of its first octet.
    pub start: usize,
    /// The position of its contents.
    pub contents: usize,
    /// The end of its contents; `None` if its length is indefinite: an end-of-contents ends it.
    pub end: Option<usize>,
    /// For a string that holds an encoding, which comes next: where that starts.
    pub holds: Option<usize>,
}

/// The encodings in a message in BER, each one before those in it.
///
/// Strings of octets and bits that hold nothing but a well-formed encoding are looked into. One error ends the walk.
/// Time and memory are bounded by the length of the message, and its depth by `depth`.
///
/// ```
/// use lengthwise_asn1::{Elements, Limits};
///
/// let message = [0x30, 5, 0x06, 3, 0x55, 4, 3];
/// let elements: Vec<_> = Elements::new(&message, &Limits::default()).map(Result::unwrap).collect();
/// assert_eq!(elements[1].kind(), "OBJECT IDENTIFIER");
/// assert_eq!(elements[1].text(&message), "2.5.4.3");
/// assert_eq!((elements[1].depth, elements[1].contents), (1, 4));
/// ```
#[derive(Debug)]
pub struct Elements<'m> {
    message: &'m [u8],
    at: usize,
    /// The ends of the open encodings.
    open: Vec<End>,
    limits: Limits,
    /// How many more octets of strings are looked at.
    budget: usize,
    failed: bool,
}

#[derive(Clone, Copy, Debug)]
enum End {
    /// At a position.
    At(usize),
    /// At an end-of-contents before a position.
    Mark(usize),
}

impl<'m> Elements<'m> {
    /// The encodings in a message.
    #[must_use]
    pub fn new(message: &'m [u8], limits: &Limits) -> Elements<'m> {
        let budget = message.len().saturating_mul(LOOKED_AT);
        Elements { message, at: 0, open: Vec::new(), limits: *limits, budget, failed: false }
    }

    /// The end of what is around the next encoding.
    fn end(&self) -> usize {
        match self.open.last() {
            Some(End::At(end) | End::Mark(end)) => *end,
            None => self.message.len(),
        }
    }

    fn element(&mut self) -> Result<Option<Element>, Error> {
        while let Some(End::At(end)) = self.open.last()
            && *end == self.at
        {
            self.open.pop();
        }
        let (start, end) = (self.at, self.end());
        if start == self.message.len() && self.open.is_empty() {
            return Ok(None);
        }
        let (header, contents) = parse(self.message, start, end).map_err(|fault| self.fault(fault))?;
        self.at = contents;
        if header.is_end_of_contents() {
            return self.end_of_contents(start, contents, header).map(Some);
        }
        let depth = self.open.len() as u32;
        let indefinite = header.is_indefinite();
        let mut element = Element {
            depth,
            tag: header.tag(),
            constructed: header.is_constructed(),
            start,
            contents,
            end: (!indefinite).then_some(header.end),
            holds: None,
        };
        if !element.constructed {
            element.holds = self.look_into(&element);
            self.at = element.holds.unwrap_or(header.end);
        }
        if element.constructed || element.holds.is_some() {
            if depth >= self.limits.depth {
                return Err(Error::limit("ber", start as u64, "one more level", "depth", self.limits.depth.into()));
            }
            self.open.push(if indefinite { End::Mark(end) } else { End::At(header.end) });
        }
        Ok(Some(element))
    }

    fn end_of_contents(&mut self, start: usize, contents: usize, header: Header) -> Result<Element, Error> {
        let constructed = header.is_constructed();
        if constructed || header.end != contents || !matches!(self.open.last(), Some(End::Mark(_))) {
            let found = "an end-of-contents where nothing ends";
            return Err(Error::new(ErrorKind::Syntax, "ber", start as u64, found, "another tag"));
        }
        self.open.pop();
        let (depth, end) = (self.open.len() as u32, Some(header.end));
        Ok(Element { depth, tag: header.tag(), constructed, start, contents, end, holds: None })
    }

    /// Where the encoding that fills a string starts, if there is one.
    fn look_into(&mut self, element: &Element) -> Option<usize> {
        let octets = element.octets(self.message);
        let skipped = match (element.universal()?, octets.first()?) {
            (4, _) => 0,
            (3, 0) => 1,
            _ => return None,
        };
        let inner = octets.get(skipped..)?;
        // Few strings start like an encoding that fills them.
        let (header, contents) = parse(inner, 0, inner.len()).ok()?;
        let likely = header.tag().class == TagClass::Universal && (1..=30).contains(&header.tag().number);
        if !likely || header.end != inner.len() || contents == inner.len() {
            return None;
        }
        self.budget = self.budget.checked_sub(inner.len())?;
        // The strings in it are looked into when they come.
        let limits = Limits { depth: self.limits.depth.saturating_sub(self.open.len() as u32 + 1), ..self.limits };
        let mut inside = Elements { budget: 0, ..Elements::new(inner, &limits) };
        inside
            .all(|inner_element| inner_element.is_ok_and(|one| one.is_plausible(inner)))
            .then_some(element.contents + skipped)
    }

    #[cold]
    fn fault(&self, fault: Fault) -> Error {
        let around = self.open.iter().any(|end| matches!(end, End::At(_)));
        match fault {
            Fault::Short(at, needed) if !around => {
                Error::incomplete("ber", at as u64, needed as u64, "a tag and a length")
            }
            Fault::Beyond(start, needed) if !around => {
                Error::incomplete("ber", start as u64, needed as u64, "as many octets as the length says")
            }
            Fault::Short(at, _) => {
                Error::new(ErrorKind::Syntax, "ber", at as u64, "the end of what is around it", "a tag and a length")
            }
            Fault::Beyond(start, more) => {
                let found = Words::Own(format!("a value that goes {more} octets beyond what is around it"));
                Error::new(ErrorKind::Syntax, "ber", start as u64, found, "one that ends within it")
            }
            Fault::Bad(at, found, expected) => Error::new(ErrorKind::Syntax, "ber", at as u64, found, expected),
            Fault::Large(at, found, expected) => Error::new(ErrorKind::Unsupported, "ber", at as u64, found, expected),
        }
    }
}

impl Iterator for Elements<'_> {
    type Item = Result<Element, Error>;

    fn next(&mut self) -> Option<Result<Element, Error>> {
        if self.failed {
            return None;
        }
        let element = self.element();
        self.failed = element.is_err();
        element.transpose()
    }
}

impl Element {
    /// The number of a universal tag.
    fn universal(&self) -> Option<u32> {
        (self.tag.class == TagClass::Universal).then_some(self.tag.number)
    }

    /// Its contents octets; none if its length is indefinite.
    #[must_use]
    pub fn octets<'m>(&self, message: &'m [u8]) -> &'m [u8] {
        self.end.and_then(|end| message.get(self.contents..end)).unwrap_or_default()
    }

    /// The type of its tag as in the notation, or the tag: `SEQUENCE`, `[0]`, `[APPLICATION 1]`.
    #[must_use]
    pub fn kind(&self) -> String {
        const TYPES: [&str; 37] = [
            "end-of-contents",
            "BOOLEAN",
            "INTEGER",
            "BIT STRING",
            "OCTET STRING",
            "NULL",
            "OBJECT IDENTIFIER",
            "ObjectDescriptor",
            "EXTERNAL",
            "REAL",
            "ENUMERATED",
            "EMBEDDED PDV",
            "UTF8String",
            "RELATIVE-OID",
            "TIME",
            "",
            "SEQUENCE",
            "SET",
            "NumericString",
            "PrintableString",
            "TeletexString",
            "VideotexString",
            "IA5String",
            "UTCTime",
            "GeneralizedTime",
            "GraphicString",
            "VisibleString",
            "GeneralString",
            "UniversalString",
            "CHARACTER STRING",
            "BMPString",
            "DATE",
            "TIME-OF-DAY",
            "DATE-TIME",
            "DURATION",
            "OID-IRI",
            "RELATIVE-OID-IRI",
        ];
        let known = self.universal().and_then(|number| TYPES.get(number as usize)).filter(|name| !name.is_empty());
        known.map_or_else(|| notation(self.tag), |name| (*name).to_owned())
    }

    /// Whether a string may be meant to hold it: the contents of simple types are valid.
    fn is_plausible(&self, message: &[u8]) -> bool {
        let octets = self.octets(message);
        match (self.universal(), self.constructed) {
            (Some(0 | 15 | 37..), _) => false,
            (Some(1), false) => octets.len() == 1,
            (Some(2 | 10), false) => !matches!(octets, [] | [0, ..0x80, ..] | [0xFF, 0x80..=0xFF, ..]),
            (Some(5), false) => octets.is_empty(),
            (Some(6), false) => oid::is_valid(octets),
            (Some(8 | 11 | 16 | 17 | 29), constructed) => constructed,
            (Some(1 | 2 | 5 | 6 | 9 | 10 | 13), true) => false,
            _ => true,
        }
    }

    /// Its value as text, as far as the tag shows the type: numbers, identifiers, times and characters, otherwise
    /// octets in hexadecimal. Empty for what holds encodings.
    #[must_use]
    pub fn text(&self, message: &[u8]) -> String {
        let octets = self.octets(message);
        if self.constructed || self.holds.is_some() {
            return String::new();
        }
        let text = match self.universal() {
            Some(0 | 5) if octets.is_empty() => Some(String::new()),
            Some(1) => match octets {
                [octet] => Some(if *octet == 0 { "FALSE" } else { "TRUE" }.to_owned()),
                _ => None,
            },
            Some(2 | 10) if (1..=DIGITS).contains(&octets.len()) => {
                let mut digits = String::new();
                of_octets(octets).push_digits(&mut digits).then_some(digits)
            }
            Some(3) => return bits(octets),
            Some(6) => oid::to_dotted(octets, false),
            Some(13) => oid::to_dotted(octets, true),
            Some(9) => number(octets),
            Some(12 | 14 | 18..=20 | 22..=27 | 31..=36) => std::str::from_utf8(octets).ok().map(str::to_owned),
            Some(28) => wide::<4>(octets),
            Some(30) => wide::<2>(octets),
            // The type is unknown, but readable characters are.
            None if octets.len() > 1 && octets.iter().all(|octet| matches!(octet, b' '..=b'~')) => {
                std::str::from_utf8(octets).ok().map(str::to_owned)
            }
            _ => None,
        };
        text.unwrap_or_else(|| hexadecimal(octets))
    }
}

fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().fold(String::with_capacity(octets.len() * 2), |mut text, octet| {
        let _ = write!(text, "{octet:02X}");
        text
    })
}

/// A BIT STRING: its octets, and how many bits are unused.
fn bits(octets: &[u8]) -> String {
    match octets {
        [0, octets @ ..] => hexadecimal(octets),
        [unused @ 1..=7, octets @ ..] if !octets.is_empty() => {
            format!("{} ({unused} unused bits)", hexadecimal(octets))
        }
        octets => hexadecimal(octets),
    }
}

fn number(octets: &[u8]) -> Option<String> {
    let mut text = String::new();
    match real::read(octets, false, &mut text)? {
        Real::Double(double) => Some(double.to_string()),
        Real::Decimal(digits) => Some(digits.to_owned()),
    }
}

fn wide<const WIDTH: usize>(octets: &[u8]) -> Option<String> {
    let (characters, rest) = octets.as_chunks::<WIDTH>();
    let point =
        |octets: &[u8; WIDTH]| char::from_u32(octets.iter().fold(0, |point, octet| point << 8 | u32::from(*octet)));
    if rest.is_empty() { characters.iter().map(point).collect() } else { None }
}
