//! What the tests of JSON share.
#![allow(dead_code)] // Not every test program uses everything.

use asn1::compiled::Kind;
use asn1::{Compiled, NodeId, Options, Value, Values, jer};
use tam::{Error, Limits, Table};
use test_support::Random;
use text::json;

/// A module with a bit of everything.
pub(crate) const MODULE: &str = r#"
Everything DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Batch ::= SEQUENCE {
    station  Station,
    readings SEQUENCE (SIZE (0..40)) OF Reading,
    tree     Tree OPTIONAL,
    ...,
    note     UTF8String (SIZE (0..20)) OPTIONAL,
    [[ first INTEGER, second BIT STRING OPTIONAL ]],
    numbers  SEQUENCE OF INTEGER
}
Station ::= SET {
    id      [3] INTEGER (1..65535),
    name    [1] PrintableString (SIZE (1..10)),
    where   [2] SEQUENCE { latitude REAL, longitude REAL },
    kind    [0] ENUMERATED { buoy, mast, ship, ..., drone, glider } DEFAULT mast
}
Reading ::= SEQUENCE {
    at       INTEGER (0..4294967295),
    celsius  INTEGER (-900..600, ...) OPTIONAL,
    flags    BIT STRING { raw(0), late(1), doubtful(2) } (SIZE (0..8)),
    fixed    BIT STRING (SIZE (12)),
    key      OCTET STRING (SIZE (4)) OPTIONAL,
    payload  OCTET STRING,
    source   CHOICE { direct NULL, via OBJECT IDENTIFIER, relative RELATIVE-OID, ..., other Label },
    valid    BOOLEAN DEFAULT TRUE
}
Label ::= SEQUENCE { text BMPString (SIZE (0..5)), more SEQUENCE OF UTF8String, digits NumericString (SIZE (3)) }
Tree ::= CHOICE { leaf INTEGER, fork SEQUENCE { left Tree, right Tree }, same Tree, list SEQUENCE OF Tree }
END"#;

/// Reads JSON text as a value, and writes that as unaligned PER.
pub(crate) fn uper_of(types: &Compiled, ty: NodeId, text: &str) -> Result<Vec<u8>, Error> {
    let mut table = Table::new();
    let document = json::read(text.as_bytes(), &json::Options::default(), &mut table)?;
    let mut values = Values::new();
    let value = jer::read(&document, types, ty, &Limits::default(), &mut values)?;
    asn1::write(value, &Options::uper())
}

/// Reads a message, and writes its value as JSON text.
pub(crate) fn json_of(types: &Compiled, ty: NodeId, message: &[u8], options: &Options) -> Result<String, Error> {
    let mut values = Values::new();
    text_of(asn1::read(message, types, ty, options, &mut values)?)
}

/// A value as JSON text.
pub(crate) fn text_of(value: Value<'_>) -> Result<String, Error> {
    let mut table = Table::new();
    let document = jer::write(value, &mut table)?;
    let text = json::write(&document, &json::Options::default())?;
    Ok(String::from_utf8(text).unwrap())
}

/// JSON text of a made-up value, in the canonical form.
pub(crate) struct Made<'a> {
    types: &'a Compiled,
    random: &'a mut Random,
    text: String,
}

impl<'a> Made<'a> {
    pub(crate) fn value(types: &'a Compiled, node: NodeId, random: &'a mut Random) -> String {
        let mut made = Made { types, random, text: String::new() };
        made.push(node, 0);
        made.text
    }

    fn size(&mut self, size: &asn1::compiled::Size, depth: u32) -> usize {
        let most = if depth > 6 { 1 } else { 6 };
        let span = (size.upper - size.lower).min(most) as usize;
        size.lower as usize + self.random.below(span + 1)
    }

    fn push(&mut self, node: NodeId, depth: u32) {
        let types = self.types;
        match types.node(node).kind {
            Kind::Boolean => self.text += self.random.of(&["true", "false"]),
            Kind::Null => self.text += "null",
            Kind::Integer(integer) => {
                use asn1::compiled::Range;
                let number = self.random.next() as i64 >> self.random.below(64);
                match integer.range {
                    Range::Constrained(lower, range) => {
                        let number =
                            i128::from(lower) + i128::from(number.unsigned_abs() % range.span.saturating_add(1));
                        self.text += &number.to_string();
                    }
                    _ if self.random.one_in(5) => {
                        // Beyond 64 bits, with either sign.
                        let digits = (0..30).map(|_| self.random.of(&['1', '5', '9']));
                        let digits: String = digits.collect();
                        self.text += self.random.of(&["", "-"]);
                        self.text += &digits;
                    }
                    _ => self.text += &number.to_string(),
                }
            }
            Kind::Enumerated(number) => {
                let items = &types.enumeration(number).items;
                self.text += &format!("{:?}", items[self.random.below(items.len())].0);
            }
            Kind::Real => {
                let double = f64::from_bits(self.random.next());
                let special =
                    [r#""INF""#, r#""-INF""#, r#""NaN""#, r#""-0""#, "0", "21.5", "-0.1", r#"{"base10Value":"3.E-7"}"#];
                if self.random.one_in(2) || !double.is_finite() {
                    self.text += self.random.of(&special);
                } else {
                    // As the writer has it: its own tests hold which form that is.
                    let size = double.abs();
                    self.text +=
                        &if (1e-5..1e17).contains(&size) { format!("{double}") } else { format!("{double:e}") };
                }
            }
            Kind::BitString(size, _) => {
                let len = self.size(&size, depth) as u64;
                let len = if size.upper == u64::MAX { len + self.random.below(30) as u64 } else { len };
                let mut octets: Vec<u8> = (0..len.div_ceil(8)).map(|_| self.random.next() as u8).collect();
                // No zero bit at the end, which named bits would lose; none set after it.
                if let Some(last) = octets.last_mut() {
                    let spare = (8 - len % 8) % 8;
                    *last = (*last | 1 << spare) & (0xFF << spare);
                }
                let digits: String = octets.iter().map(|octet| format!("{octet:02X}")).collect();
                self.text += &match size.lower == size.upper {
                    true => format!("{digits:?}"),
                    false => format!("{{\"value\":{digits:?},\"length\":{len}}}"),
                };
            }
            Kind::OctetString(size) => {
                let digits: String =
                    (0..self.size(&size, depth)).map(|_| format!("{:02X}", self.random.next() as u8)).collect();
                self.text += &format!("{digits:?}");
            }
            Kind::ObjectIdentifier => self.text += self.random.of(&[r#""1.2.840""#, r#""2.999.3""#, r#""0.0""#]),
            Kind::RelativeOid => self.text += self.random.of(&[r#""7""#, r#""8571.3.2""#]),
            Kind::Text(number) => {
                use asn1::schema::StringKind;
                let characters = types.characters(number);
                let of: &[&str] = match characters.kind {
                    StringKind::Numeric => &["0", " ", "9"],
                    StringKind::Printable => &["a", "Z", "?", " "],
                    _ => &["x", "é", "\\n", "\\\"", "水", "/"],
                };
                self.text.push('"');
                for _ in 0..self.size(&characters.size, depth) {
                    self.text += self.random.of(of);
                }
                self.text.push('"');
            }
            Kind::Record(number) => {
                let record = types.record(number);
                self.text.push('{');
                let mut first = true;
                let group = self.random.one_in(2);
                for place in 0..record.members.len() {
                    let index = record.declared.as_ref().map_or(place, |order| order[place] as usize);
                    let member = &record.members[index];
                    let addition = record
                        .additions
                        .iter()
                        .find(|one| (one.first..one.first + one.count).contains(&(index as u32)));
                    let mandatory = member.presence == asn1::compiled::Presence::Mandatory;
                    let there = match addition {
                        Some(addition) if addition.group.is_some() => group && (mandatory || self.random.one_in(2)),
                        Some(_) => self.random.one_in(2),
                        None => mandatory || self.random.one_in(2),
                    };
                    if !there {
                        continue;
                    }
                    let before = self.text.len();
                    self.text += if first { "" } else { "," };
                    self.text += &format!("{:?}:", member.name);
                    let start = self.text.len();
                    self.push(member.node, depth + 1);
                    // PER leaves defaults of simple types out.
                    if let asn1::compiled::Presence::Default(number) = member.presence
                        && text_of(types.default_value(number)).unwrap() == self.text[start..]
                    {
                        self.text.truncate(before);
                    }
                    first &= self.text.len() == before;
                }
                self.text.push('}');
            }
            Kind::Open(_) => {}
            Kind::Choice(number) => {
                let alternatives = &types.choice(number).alternatives;
                let index = if depth > 12 { 0 } else { self.random.below(alternatives.len()) };
                let alternative = &alternatives[index];
                self.text += &format!("{{{:?}:", alternative.name);
                self.push(alternative.node, depth + 1);
                self.text.push('}');
            }
            Kind::Array(array) => {
                let len = self.size(&array.size, depth);
                self.text.push('[');
                for i in 0..len {
                    self.text += if i > 0 { "," } else { "" };
                    self.push(array.item, depth + 1);
                }
                self.text.push(']');
            }
        }
    }
}
