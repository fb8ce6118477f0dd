//! Writing simple values.

use std::fmt::Write as _;

use tam::{Error, Words};

use super::LAST_BIT;
use super::writer::Writer;
use crate::compiled::{Kind, NodeId, Size};
use crate::event::{At, Integer, Real, Source};
use crate::jer::number::{MOST_OCTETS, push_integer};
use crate::notation::FORMAT;
use crate::notation::print::quoted;
use crate::oid;
use crate::schema::StringKind;
use crate::values::Level;

impl Writer<'_> {
    pub(super) fn scalar(&mut self, at: At<Level>, node: NodeId) -> Result<(), Error> {
        let (types, look) = (self.types, self.look);
        match types.node(node).kind {
            Kind::Boolean => self.out.push_str(if look.boolean(at, node) { "TRUE" } else { "FALSE" }),
            Kind::Null => self.out.push_str("NULL"),
            Kind::Integer(ty) => return self.integer(look.integer(at, node), ty.names),
            Kind::Enumerated(number) => {
                let item = look.enumerated(at, node);
                match types.enumeration(number).items.get(item as usize) {
                    Some((name, _)) if look.unknown(at, node).is_none() => self.out.push_str(name),
                    _ => return Err(self.unsupported(node, "an enumeration of a later version of the schema")),
                }
            }
            Kind::Real => match look.real(at, node) {
                Real::Double(double) => push_double(double, &mut self.out),
                // The type allows base 10 only, so the form is unambiguous.
                real if types.is_decimal(node) && real.push_plain(&mut self.out) => {}
                Real::Decimal(text) => push_decimal(text, &mut self.out),
            },
            Kind::BitString(size, names) => {
                let (octets, len) = look.bit_string(at, node);
                self.bit_string(octets, len, &size, names);
            }
            Kind::OctetString(_) => push_hexadecimal(look.octets(at, node), &mut self.out),
            kind @ (Kind::ObjectIdentifier | Kind::RelativeOid) => {
                let Some(dotted) = oid::to_dotted(look.octets(at, node), kind == Kind::RelativeOid) else {
                    return Err(self.unsupported(node, "an object identifier with an arc of more than 128 bits"));
                };
                let _ = write!(self.out, "{{ {} }}", dotted.replace('.', " "));
            }
            Kind::Text(number) => push_text(look.text(at, node), types.characters(number).kind, &mut self.out),
            Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_) => {}
        }
        Ok(())
    }

    fn integer(&mut self, number: Integer<'_>, names: Option<u32>) -> Result<(), Error> {
        if let Some(names) = names
            && let Some(name) = self.numbers.name(names, number)
        {
            self.out.push_str(name);
            return Ok(());
        }
        match number {
            Integer::Small(number) => {
                let _ = write!(self.out, "{number}");
            }
            Integer::Big(octets) if octets.len() > MOST_OCTETS => {
                let found = Words::Count(octets.len() as u64, "octets");
                return Err(Error::limit(FORMAT, 0, found, "octets", MOST_OCTETS as u64));
            }
            Integer::Big(octets) => push_integer(octets, &mut self.out),
        }
        Ok(())
    }

    fn bit_string(&mut self, octets: &[u8], len: u64, size: &Size, names: Option<u32>) {
        let bit = |place: u64| octets.get((place / 8) as usize).is_some_and(|octet| octet << (place % 8) & 0x80 != 0);
        let named = names.filter(|_| len < LAST_BIT).and_then(|names| {
            // Reading pads to the last named bit or the constraint.
            let last = (0..len).rev().find(|place| bit(*place));
            let least = last.map_or(0, |last| last + 1).max(size.lower);
            let set = (0..len).filter(|place| bit(*place));
            let words: Option<Vec<&str>> =
                set.map(|place| self.numbers.name(names, Integer::Small(place as i64))).collect();
            words.filter(|_| least == len)
        });
        match named.as_deref() {
            Some([]) => self.out.push_str("{}"),
            Some(words) => {
                let _ = write!(self.out, "{{ {} }}", words.join(", "));
            }
            None if len >= 8 && len.is_multiple_of(4) => {
                push_hexadecimal(octets, &mut self.out);
                if !len.is_multiple_of(8) {
                    // The last digit is padding.
                    self.out.truncate(self.out.len() - 3);
                    self.out.push_str("'H");
                }
            }
            None => {
                self.out.push('\'');
                self.out.extend((0..len).map(|place| if bit(place) { '1' } else { '0' }));
                self.out.push_str("'B");
            }
        }
    }
}

fn push_hexadecimal(octets: &[u8], out: &mut String) {
    out.push('\'');
    xml::hex::push(octets, out);
    out.push_str("'H");
}

/// Appends a double as decimal digits if a few are exact, and otherwise as mantissa and exponent.
fn push_double(double: f64, out: &mut String) {
    if !double.is_finite() {
        out.push_str(match double {
            f64::INFINITY => "PLUS-INFINITY",
            f64::NEG_INFINITY => "MINUS-INFINITY",
            _ => "NOT-A-NUMBER",
        });
        return;
    }
    let sign = if double.is_sign_negative() { "-" } else { "" };
    let bits = double.to_bits();
    let (stored, fraction) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = if stored == 0 { (fraction, -1074) } else { (fraction | 1 << 52, stored - 1075) };
    let zeros = mantissa.trailing_zeros();
    let _ = match (mantissa.checked_shr(zeros).unwrap_or(0), exponent + zeros as i32) {
        (0, _) => write!(out, "{sign}0"),
        (mantissa, exponent @ 0..=10) => write!(out, "{sign}{}", mantissa << exponent),
        (mantissa, exponent @ -24..0) => {
            // m / 2^k is m * 5^k / 10^k.
            let places = exponent.unsigned_abs();
            let digits = u128::from(mantissa) * 5_u128.pow(places);
            let scale = 10_u128.pow(places);
            write!(out, "{sign}{}.{:0places$}", digits / scale, digits % scale, places = places as usize)
        }
        (mantissa, exponent) => {
            write!(out, "{{ mantissa {sign}{mantissa}, base 2, exponent {exponent} }}")
        }
    };
}

/// Appends a decimal number in value notation: ISO 6093 has forms that it lacks (`+1`, `.5`, `1.E+3`).
fn push_decimal(text: &str, out: &mut String) {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    out.push_str(sign);
    out.push_str(whole);
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    let (minus, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    let digits = digits.trim_start_matches('0');
    if !digits.is_empty() {
        out.push('E');
        out.push_str(minus);
        out.push_str(digits);
    }
}

/// Appends a text in quotes. With control characters, which a cstring cannot hold (X.680 clause 12.14), it becomes a
/// list of texts and characters.
fn push_text(text: &str, kind: StringKind, out: &mut String) {
    if !text.contains(char::is_control) {
        out.push_str(&quoted(text));
        return;
    }
    let cells = matches!(kind, StringKind::Utf8 | StringKind::Bmp | StringKind::Universal);
    let mut rest = text;
    let mut separator = "{ ";
    while let Some(end) = rest.find(char::is_control) {
        if end > 0 {
            out.push_str(separator);
            out.push_str(&quoted(&rest[..end]));
            separator = ", ";
        }
        out.push_str(separator);
        separator = ", ";
        let mut after = rest[end..].chars();
        // Control characters are below 160.
        let point = after.next().map_or(0, u32::from);
        let _ = match cells || point >= 0x80 {
            true => write!(out, "{{0, 0, 0, {point}}}"),
            false => write!(out, "{{{}, {}}}", point / 16, point % 16),
        };
        rest = after.as_str();
    }
    if !rest.is_empty() {
        out.push_str(separator);
        out.push_str(&quoted(rest));
    }
    out.push_str(" }");
}
