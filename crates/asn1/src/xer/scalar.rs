//! Simple values in elements.

use tam::xml::{Content, Element};
use tam::{Error, Words};

use super::control;
use super::reader::Reader;
use crate::compiled::{Kind, NodeId};
use crate::real;

/// The highest named bit that is read: a BIT STRING may need all bits before it.
const LAST_BIT: u64 = 1 << 19;

impl<'d> Reader<'d, '_, '_, '_, '_> {
    /// Reads a simple value, and adds it to the JSON with a label.
    pub(super) fn scalar(&mut self, element: Element<'d>, node: NodeId, kind: Kind, label: &str) -> Result<(), Error> {
        if let Kind::Text(_) = kind {
            let text = self.characters(element)?;
            let put = self.json.primitive(b'\'', label.as_bytes(), text.as_bytes());
            self.text = text;
            return put;
        }
        // A value that has a name is an empty element, or the name itself.
        if element.elements().next().is_some() && !matches!(kind, Kind::BitString(..)) {
            let name = self.only(element)?.name().to_text().into_owned();
            return self.word(element, &name, kind, node, label);
        }
        let pieces: String = element.pieces().collect();
        let text = xml::white_space::trim(&pieces);
        match kind {
            Kind::Null if text.is_empty() => self.json.primitive(b'~', label.as_bytes(), b""),
            Kind::OctetString(_) => {
                let digits = self.digits(element)?;
                self.json.primitive(b'\'', label.as_bytes(), digits.as_bytes())
            }
            Kind::ObjectIdentifier | Kind::RelativeOid => self.json.primitive(b'\'', label.as_bytes(), text.as_bytes()),
            Kind::BitString(..) => self.bits(element, node, kind, text, label),
            kind => self.word(element, text, kind, node, label),
        }
    }

    /// Adds a value that is a word: a number, a BOOLEAN, an enumeration, the name of a number.
    pub(super) fn word(
        &mut self,
        element: Element<'d>,
        word: &str,
        kind: Kind,
        node: NodeId,
        label: &str,
    ) -> Result<(), Error> {
        let label = label.as_bytes();
        match (kind, word) {
            (Kind::Boolean, "true" | "1") => return self.json.primitive(b'?', label, b"t"),
            (Kind::Boolean, "false" | "0") => return self.json.primitive(b'?', label, b"f"),
            (Kind::Enumerated(_), word) if !word.is_empty() => {
                return self.json.primitive(b'\'', label, word.as_bytes());
            }
            (Kind::Integer(integer), word) => {
                let named = integer.names.map(|names| self.types.names(names)).unwrap_or_default();
                if let Some((_, number)) = named.iter().find(|(name, _)| name == word) {
                    let mut digits = String::new();
                    number.as_integer().push_digits(&mut digits);
                    return self.json.primitive(b'#', label, digits.as_bytes());
                }
                let digits = word.strip_prefix('-').unwrap_or(word);
                if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
                    // JSON has no zeros in front.
                    let kept = digits.trim_start_matches('0');
                    let kept = if kept.is_empty() { "0" } else { kept };
                    let sign = if word.starts_with('-') && kept != "0" { "-" } else { "" };
                    return self.json.primitive(b'#', label, format!("{sign}{kept}").as_bytes());
                }
            }
            (Kind::Real, "PLUS-INFINITY" | "INF") => return self.json.primitive(b'\'', label, b"INF"),
            (Kind::Real, "MINUS-INFINITY" | "-INF") => return self.json.primitive(b'\'', label, b"-INF"),
            (Kind::Real, "NOT-A-NUMBER" | "NaN") => return self.json.primitive(b'\'', label, b"NaN"),
            (Kind::Real, "-0") => return self.json.primitive(b'\'', label, b"-0"),
            (Kind::Real, word) if has_many_digits(word) && is_real(word) => {
                self.json.open(b'{', label)?;
                self.json.primitive(b'\'', b"base10Value", word.as_bytes())?;
                return self.json.close();
            }
            (Kind::Real, word) if is_real(word) && real::from_decimal(word).is_some() => {
                // JSON has a digit after each point.
                let number = word.replace(".E", ".0E").replace(".e", ".0e");
                let number = if number.ends_with('.') { number + "0" } else { number };
                return self.json.primitive(b'%', label, number.as_bytes());
            }
            _ => {}
        }
        let found = match word {
            "" => Words::Text("nothing"),
            word => Words::Own(format!("{:?}", tam::excerpt(word))),
        };
        Err(self.fault(element, found, format!("a value of {}", self.types.node(node).name)))
    }

    /// Hexadecimal digits, between which there may be white space.
    pub(super) fn digits(&self, element: Element<'d>) -> Result<String, Error> {
        if let Some(inner) = element.elements().next() {
            return Err(self.fault(inner, format!("<{}>", inner.name()), "hexadecimal digits"));
        }
        let digits = element.pieces().flat_map(str::chars).filter(|c| !c.is_ascii_whitespace());
        Ok(digits.map(|digit| digit.to_ascii_uppercase()).collect())
    }

    /// Bits as digits, or the names of those that are set.
    fn bits(&mut self, element: Element<'d>, node: NodeId, kind: Kind, text: &str, label: &str) -> Result<(), Error> {
        let mut octets: Vec<u8> = Vec::new();
        let mut len = 0u64;
        let mut set = |octets: &mut Vec<u8>, at: u64, bit: bool| {
            octets.resize(octets.len().max((at / 8 + 1) as usize), 0);
            if let Some(octet) = octets.get_mut((at / 8) as usize) {
                *octet |= u8::from(bit) << (7 - at % 8);
            }
            len = len.max(at + 1);
        };
        let Kind::BitString(size, names) = kind else { return Ok(()) };
        if element.elements().next().is_some() {
            let names = names.map(|names| self.types.names(names)).unwrap_or_default();
            for child in element.elements() {
                let found = names.iter().find(|(name, _)| child.name() == *name.as_str());
                let place = found.and_then(|(_, number)| u64::try_from(number.to_nearest_i64()).ok());
                match place.filter(|place| *place < LAST_BIT) {
                    Some(place) => set(&mut octets, place, true),
                    None => return Err(self.fault(child, format!("<{}>", child.name()), "the name of a bit")),
                }
            }
        } else {
            for (at, digit) in (0..).zip(text.chars().filter(|c| !c.is_ascii_whitespace())) {
                if !matches!(digit, '0' | '1') {
                    let expected = format!("bits of {}", self.types.node(node).name);
                    return Err(self.fault(element, format!("{digit:?}"), expected));
                }
                set(&mut octets, at, digit == '1');
            }
        }
        // Zeros at the end mean nothing if bits have names (X.680 clause 22.7), and fill up the string.
        if text.is_empty() && names.is_some() && size.lower <= LAST_BIT {
            len = self.types.least_size(&size, len);
            octets.resize(len.div_ceil(8) as usize, 0);
        }
        let mut digits = String::new();
        xml::hex::push(&octets, &mut digits);
        self.json.open(b'{', label.as_bytes())?;
        self.json.primitive(b'\'', b"value", digits.as_bytes())?;
        self.json.primitive(b'#', b"length", len.to_string().as_bytes())?;
        self.json.close()
    }

    /// Text, with the elements in it that are control characters.
    fn characters(&mut self, element: Element<'d>) -> Result<String, Error> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        for content in element.content() {
            match content {
                Content::Text(piece) | Content::CData(piece) => text.push_str(piece),
                Content::Element(inner) => match control::character(&inner.name().to_text()) {
                    Some(c) => text.push(c),
                    None => return Err(self.fault(inner, format!("<{}>", inner.name()), "text")),
                },
                _ => {}
            }
        }
        Ok(text)
    }
}

/// Whether a number has more digits than any double needs: it is a decimal value.
fn has_many_digits(word: &str) -> bool {
    const MOST: usize = 17;
    let mantissa = word.split(['E', 'e']).next().unwrap_or_default();
    let digits = mantissa.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit);
    digits.count() > MOST
}

/// Whether a word is a number with a point or an exponent, or whole (X.680 clause 21.6).
fn is_real(word: &str) -> bool {
    let word = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = word.split_once(['E', 'e']).unwrap_or((word, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let are_digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    let is_plain = whole == "0" || !whole.starts_with('0');
    !whole.is_empty()
        && is_plain
        && are_digits(whole)
        && are_digits(fraction)
        && !exponent.is_empty()
        && are_digits(exponent)
}
