//! Reading simple values.

use tam::{Error, ErrorKind, Words};

use super::LAST_BIT;
use super::names::Of;
use super::reader::Reader;
use crate::compiled::{Integer as IntegerType, Kind, NodeId, Number, Size};
use crate::event::{At, Integer, Real, Sink, Stretch};
use crate::notation::lexer::{Kind as Item, digits, located};
use crate::notation::{FORMAT, Read};
use crate::oid::known_arc;
use crate::schema::Position;
use crate::{oid, real};

/// The most digits of an INTEGER that is read. The time is quadratic.
const MOST_DIGITS: u64 = 20_000;

impl<S: Sink> Reader<'_, '_, '_, S> {
    pub(super) fn scalar(&mut self, at: At<S::Level>, node: NodeId) -> Read<()> {
        let token = self.tokens.token();
        match (self.types.node(node).kind, token.kind, token.text) {
            (Kind::Boolean, Item::Upper, "TRUE" | "FALSE") => {
                self.tokens.take()?;
                self.sink.boolean(at, node, token.text == "TRUE")
            }
            (Kind::Null, Item::Upper, "NULL") => {
                self.tokens.take()?;
                self.sink.null(at, node)
            }
            (Kind::Integer(integer), ..) => self.integer(at, node, &integer),
            (Kind::Enumerated(number), Item::Lower, _) => self.enumerated(at, node, number),
            (Kind::Real, ..) => self.real(at, node),
            (Kind::BitString(size, names), ..) => self.bit_string(at, node, &size, names),
            (Kind::OctetString(size), Item::Hexadecimal | Item::Binary, _) => self.octet_string(at, node, &size),
            (Kind::ObjectIdentifier, Item::Sign, "{") => self.object_identifier(at, node, false),
            (Kind::RelativeOid, Item::Sign, "{") => self.object_identifier(at, node, true),
            (Kind::Text(number), ..) => self.text(at, node, number),
            _ => Err(self.unlike(node)),
        }
    }

    fn integer(&mut self, at: At<S::Level>, node: NodeId, ty: &IntegerType) -> Read<()> {
        let position = self.tokens.position();
        if self.tokens.token().kind == Item::Lower {
            let name = self.tokens.token();
            let number = ty.names.and_then(|names| self.names.number(names, name.text));
            let Some(number) = number else { return Err(self.unlike(node)) };
            self.tokens.take()?;
            return self.report_integer(at, node, ty, number.as_integer(), position, name.text);
        }
        let Some(digits) = self.number(node, false)? else { return Err(self.unlike(node)) };
        let Some(number) = Number::from_digits(&digits) else {
            let found = Words::Count(digits.len() as u64, "digits");
            return Err(located(Error::limit(FORMAT, 0, found, "digits", MOST_DIGITS), position));
        };
        self.report_integer(at, node, ty, number.as_integer(), position, &digits)
    }

    fn report_integer(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        ty: &IntegerType,
        number: Integer<'_>,
        position: Position,
        written: &str,
    ) -> Read<()> {
        if !ty.extensible && !self.types.allows_integer(ty, number) {
            return Err(self.refused(position, node, tam::excerpt(written)));
        }
        self.sink.integer(at, node, number)
    }

    /// Reads a number with its sign, if one follows; with `real`, it may have a fraction.
    fn number(&mut self, node: NodeId, real: bool) -> Read<Option<String>> {
        let negative = self.tokens.is("-");
        let token = if negative { self.tokens.peek(1)? } else { self.tokens.token() };
        if token.kind != Item::Number && !(real && token.kind == Item::Real) {
            return if negative { Err(self.unlike(node)) } else { Ok(None) };
        }
        if negative {
            self.tokens.take()?;
        }
        self.tokens.take()?;
        Ok(Some(if negative { format!("-{}", token.text) } else { token.text.to_owned() }))
    }

    fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Read<()> {
        let name = self.tokens.token();
        let Some(item) = self.names.find(Of::Enumeration(number), name.text) else {
            let expected = format!("an enumeration of {}", self.types.node(node).name);
            return Err(self.fault(name.position, name.words(), expected));
        };
        self.tokens.take()?;
        self.sink.enumerated(at, node, item)
    }

    fn real(&mut self, at: At<S::Level>, node: NodeId) -> Read<()> {
        let token = self.tokens.token();
        let special = match token.text {
            "PLUS-INFINITY" => f64::INFINITY,
            "MINUS-INFINITY" => f64::NEG_INFINITY,
            "NOT-A-NUMBER" => f64::NAN,
            "{" => return self.real_in_parts(at, node),
            _ => {
                let Some(text) = self.number(node, true)? else { return Err(self.unlike(node)) };
                return self.decimal(at, node, &text, token.position);
            }
        };
        self.tokens.take()?;
        self.sink.real(at, node, Real::Double(special))
    }

    fn decimal(&mut self, at: At<S::Level>, node: NodeId, text: &str, position: Position) -> Read<()> {
        match real::from_decimal(text) {
            Some(real) => self.sink.real(at, node, real),
            None => Err(self.fault(position, tam::excerpt(text), "a decimal number")),
        }
    }

    /// Reads `{ mantissa 5, base 2, exponent -1 }` (X.680 clause 21.6).
    fn real_in_parts(&mut self, at: At<S::Level>, node: NodeId) -> Read<()> {
        let position = self.tokens.take()?.position;
        let mantissa = self.part(node, "mantissa", "the mantissa")?;
        self.tokens.expect(",", "',' and the base")?;
        let base = self.part(node, "base", "the base")?;
        self.tokens.expect(",", "',' and the exponent")?;
        let exponent = self.part(node, "exponent", "the exponent")?;
        self.tokens.expect("}", "'}' after the exponent")?;
        let text = format!("{mantissa}E{exponent}");
        match (base.as_str(), mantissa.parse::<i64>(), exponent.parse::<i32>()) {
            ("10", ..) => self.decimal(at, node, &text, position),
            ("2", Ok(mantissa), Ok(exponent)) => match real::from_binary(mantissa, exponent) {
                Some(double) => self.sink.real(at, node, Real::Double(double)),
                None => Err(self.too_fine(position)),
            },
            ("2", ..) => Err(self.too_fine(position)),
            _ => Err(self.fault(position, format!("base {base}"), "base 2 or 10")),
        }
    }

    fn part(&mut self, node: NodeId, name: &'static str, expected: &'static str) -> Read<String> {
        self.tokens.expect(name, expected)?;
        let number = self.number(node, false)?;
        number.ok_or_else(|| self.tokens.unexpected("a whole number"))
    }

    #[cold]
    fn too_fine(&self, position: Position) -> Error {
        let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, "a binary number", "one that a double is equal to");
        located(error, position)
    }

    fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Read<()> {
        let position = self.tokens.position();
        let (start, bits) = self.octets()?;
        self.size(position, node, size, bits.div_ceil(8))?;
        self.sink.octets(at, node, Stretch::Buffer { start })
    }

    fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size, names: Option<u32>) -> Read<()> {
        let token = self.tokens.token();
        let (start, bits) = match token.kind {
            Item::Binary | Item::Hexadecimal => self.octets()?,
            Item::Sign if token.text == "{" => self.named_bits(node, size, names)?,
            _ => return Err(self.unlike(node)),
        };
        self.size(token.position, node, size, bits)?;
        self.sink.bit_string(at, node, Stretch::Buffer { start }, bits)
    }

    /// Reads a bstring or hstring into the sink's buffer, padded with zeros to whole octets. Returns the start there,
    /// and the number of bits.
    fn octets(&mut self) -> Read<(usize, u64)> {
        let token = self.tokens.take()?;
        let (digits, per_digit) = (digits(token.text), if token.kind == Item::Binary { 1 } else { 4 });
        let buffer = self.sink.buffer();
        let start = buffer.len();
        for part in digits.as_bytes().chunks(8 / per_digit) {
            let digit = |c: &u8| char::from(*c).to_digit(16).unwrap_or_default();
            let octet = part.iter().fold(0, |octet, c| octet << per_digit | digit(c));
            buffer.push((octet << (8 - part.len() * per_digit)) as u8);
        }
        Ok((start, (digits.len() * per_digit) as u64))
    }

    /// Reads `{ first, last }`: as many bits as the last one or the constraint requires (X.680 clause 22.7).
    fn named_bits(&mut self, node: NodeId, size: &Size, names: Option<u32>) -> Read<(usize, u64)> {
        let start = self.sink.buffer().len();
        let mut bits = 0;
        self.tokens.take()?;
        let mut first = true;
        while !self.tokens.takes("}")? {
            if !std::mem::take(&mut first) {
                self.tokens.expect(",", "',' or '}'")?;
            }
            let name = self.tokens.identifier("the name of a bit")?;
            let place = names.and_then(|names| self.names.number(names, name.text));
            let place = place.and_then(|place| usize::try_from(place.to_nearest_i64()).ok());
            let Some(place) = place.filter(|place| *place < LAST_BIT as usize) else {
                let expected = format!("the name of a bit of {}", self.types.node(node).name);
                return Err(self.fault(name.position, name.words(), expected));
            };
            bits = bits.max(place as u64 + 1);
            let buffer = self.sink.buffer();
            buffer.resize(buffer.len().max(start + place / 8 + 1), 0);
            if let Some(octet) = buffer.get_mut(start + place / 8) {
                *octet |= 0x80 >> (place % 8);
            }
        }
        bits = bits.max(if size.lower < LAST_BIT { size.lower } else { 0 });
        let buffer = self.sink.buffer();
        buffer.resize(start + bits.div_ceil(8) as usize, 0);
        Ok((start, bits))
    }

    /// Reads `{ iso member-body(2) 840 }`.
    fn object_identifier(&mut self, at: At<S::Level>, node: NodeId, relative: bool) -> Read<()> {
        let position = self.tokens.take()?.position;
        let mut arcs = Vec::new();
        while !self.tokens.takes("}")? {
            let arc = self.arc(&arcs, relative)?;
            arcs.push(arc);
        }
        let Some(octets) = oid::from_arcs(&arcs, relative) else {
            let found = Words::Count(arcs.len() as u64, "arcs");
            let expected = format!("a value of {}", self.types.node(node).name);
            return Err(self.fault(position, found, expected));
        };
        let buffer = self.sink.buffer();
        let start = buffer.len();
        buffer.extend_from_slice(&octets);
        self.sink.octets(at, node, Stretch::Buffer { start })
    }

    fn arc(&mut self, before: &[u128], relative: bool) -> Read<u128> {
        let token = self.tokens.token();
        if !matches!(token.kind, Item::Number | Item::Lower) {
            return Err(self.tokens.unexpected("an arc, or '}'"));
        }
        self.tokens.take()?;
        let number = match token.kind {
            Item::Number => token,
            _ if self.tokens.takes("(")? => {
                let number = self.tokens.token();
                if number.kind != Item::Number {
                    return Err(self.tokens.unexpected("an arc's number"));
                }
                self.tokens.take()?;
                self.tokens.expect(")", "')'")?;
                number
            }
            _ => {
                let known = if relative { None } else { known_arc(before, token.text) };
                return known.ok_or_else(|| {
                    self.fault(token.position, token.words(), "an arc's number after a name that is not one of X.660")
                });
            }
        };
        number.text.parse().map_err(|_| {
            let error = Error::new(ErrorKind::Unsupported, FORMAT, 0, number.words(), "an arc of at most 128 bits");
            located(error, number.position)
        })
    }

    pub(super) fn size(&self, position: Position, node: NodeId, size: &Size, count: u64) -> Read<()> {
        match size.extensible || self.types.allows_size(size, count) {
            true => Ok(()),
            false => Err(self.refused(position, node, format!("a size of {count}"))),
        }
    }
}
