//! A reader of PER as plain as can be, straight from the clauses of X.691 over the notation itself, a
//! bit at a time. The one of the crate is held against it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::rc::Rc;

use asn1::event::{Integer, Real};
use asn1::schema::{Component, ComponentKind, Constraint, Enumeration, Fields, Kind, Schema, StringKind, Type};

use super::shown;
use super::twin_types::{About, Eyes, Notation, Placed};

/// Why a message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It ends too early.
    Short,
    /// It is no encoding, or of no value of the type.
    Bad,
    /// It is too much for this reader.
    Limit,
}

type Result<T> = std::result::Result<T, Refusal>;

/// Values that this reader reads, and how deep.
const MOST: usize = 1 << 19;
const DEEPEST: usize = 120;

/// The alphabet of a type: its characters in order, or all of 32 bits.
type Alphabet = Rc<Option<Vec<u32>>>;

pub(crate) struct Twin<'s> {
    notation: Notation<'s>,
    aligned: bool,
    alphabets: RefCell<HashMap<(usize, usize), Alphabet>>,
}

/// Bits to read, and what has been read so far.
struct Input<'m> {
    message: &'m [u8],
    at: usize,
    values: usize,
    depth: usize,
}

impl<'s> Twin<'s> {
    pub(crate) fn new(schema: &'s Schema, aligned: bool) -> Twin<'s> {
        Twin { notation: Notation(schema), aligned, alphabets: RefCell::default() }
    }

    /// The content of a message, as by [`shown::exact`], and the number of octets it takes.
    pub(crate) fn read(&self, message: &[u8], name: &str) -> Result<(String, usize)> {
        let mut input = Input { message, at: 0, values: 0, depth: 0 };
        let text = self.value(&mut input, self.notation.named(name))?;
        let used = input.at.div_ceil(8).max(1);
        if message.len() < used { Err(Refusal::Short) } else { Ok((text, used)) }
    }

    fn bit(&self, input: &mut Input<'_>) -> Result<bool> {
        let octet = input.message.get(input.at / 8).ok_or(Refusal::Short)?;
        let bit = octet >> (7 - input.at % 8) & 1 != 0;
        input.at += 1;
        Ok(bit)
    }

    fn bits(&self, input: &mut Input<'_>, count: u32) -> Result<u128> {
        (0..count).try_fold(0, |number, _| Ok(number << 1 | u128::from(self.bit(input)?)))
    }

    fn octets(&self, input: &mut Input<'_>, count: u64) -> Result<Vec<u8>> {
        if count > input.message.len() as u64 {
            return Err(Refusal::Short);
        }
        (0..count).map(|_| Ok(self.bits(input, 8)? as u8)).collect()
    }

    fn align(&self, input: &mut Input<'_>) {
        if self.aligned {
            input.at = input.at.div_ceil(8) * 8;
        }
    }

    /// Clause 11.5: a number of `0..=span`.
    fn constrained(&self, input: &mut Input<'_>, span: u128) -> Result<u128> {
        let width = 128 - span.leading_zeros();
        let number = if !self.aligned || span < 255 {
            self.bits(input, width)?
        } else if span < 65_536 {
            self.align(input);
            self.bits(input, if span == 255 { 8 } else { 16 })?
        } else {
            let octets = self.constrained(input, u128::from(width.div_ceil(8)) - 1)? + 1;
            self.align(input);
            self.bits(input, octets as u32 * 8)?
        };
        if number > span { Err(Refusal::Bad) } else { Ok(number) }
    }

    /// Clause 11.9.3.5 to 11.9.3.8: a length, and whether another follows.
    fn length(&self, input: &mut Input<'_>) -> Result<(u64, bool)> {
        self.align(input);
        if !self.bit(input)? {
            return Ok((self.bits(input, 7)? as u64, false));
        }
        if !self.bit(input)? {
            return Ok((self.bits(input, 14)? as u64, false));
        }
        match self.bits(input, 6)? {
            times @ 1..=4 => Ok((times as u64 * 16_384, true)),
            _ => Err(Refusal::Bad),
        }
    }

    /// Octets after a length, all fragments together.
    fn counted(&self, input: &mut Input<'_>) -> Result<Vec<u8>> {
        let mut octets = Vec::new();
        loop {
            let (count, more) = self.length(input)?;
            octets.extend(self.octets(input, count)?);
            if !more {
                return Ok(octets);
            }
        }
    }

    /// Clause 11.6.
    fn small(&self, input: &mut Input<'_>) -> Result<u64> {
        if !self.bit(input)? {
            return Ok(self.bits(input, 6)? as u64);
        }
        match self.length(input)? {
            (count @ 1..=8, false) => Ok(self.bits(input, count as u32 * 8)? as u64),
            _ => Err(Refusal::Bad),
        }
    }

    /// Clause 11.2: what is in an open type; all of it is there, so that no end is too early.
    fn open_type<T>(&self, input: &mut Input<'_>, read: impl FnOnce(&mut Input<'_>) -> Result<T>) -> Result<T> {
        let octets = self.counted(input)?;
        let mut inner = Input { message: &octets, at: 0, values: input.values, depth: input.depth + 1 };
        let result = read(&mut inner).map_err(|refusal| if refusal == Refusal::Limit { refusal } else { Refusal::Bad });
        input.values = inner.values;
        result
    }

    fn value(&self, input: &mut Input<'_>, ty: &'s Type) -> Result<String> {
        input.values += 1;
        input.depth += 1;
        if input.values > MOST || input.depth > DEEPEST {
            return Err(Refusal::Limit);
        }
        let text = self.value_of(input, ty);
        input.depth -= 1;
        text
    }

    fn value_of(&self, input: &mut Input<'_>, ty: &'s Type) -> Result<String> {
        let resolved = self.notation.resolve(ty);
        let constraints = &resolved.constraints;
        let mut text = String::new();
        match resolved.kind {
            Kind::Boolean => text.push_str(if self.bit(input)? { "T" } else { "F" }),
            Kind::Null => text.push('N'),
            Kind::Integer(_) => return self.integer(input, constraints),
            Kind::Enumerated(enumeration) => {
                write!(text, "#{}", self.enumerated(input, enumeration)?).unwrap();
            }
            Kind::Real => return real(&self.counted(input)?),
            Kind::BitString(_) => {
                text.push('\'');
                self.sized(input, constraints, 16, |twin, input, count| {
                    for _ in 0..count {
                        text.push(if twin.bit(input)? { '1' } else { '0' });
                    }
                    Ok(())
                })?;
            }
            Kind::OctetString => {
                let mut octets = Vec::new();
                self.sized(input, constraints, 2, |twin, input, count| {
                    octets.extend(twin.octets(input, count)?);
                    Ok(())
                })?;
                shown::octets(&mut text, &octets);
            }
            Kind::ObjectIdentifier => return arcs(&self.counted(input)?, false),
            Kind::RelativeOid => return arcs(&self.counted(input)?, true),
            Kind::String(kind) => {
                write!(text, "{:?}", self.text(input, *kind, resolved.kind, constraints)?).unwrap();
            }
            Kind::Sequence(fields) => return self.record(input, fields, self.notation.parts(fields)),
            Kind::Set(fields) => return self.record(input, fields, self.notation.sorted_parts(fields)),
            Kind::SequenceOf(item) | Kind::SetOf(item) => {
                let mut items = Vec::new();
                self.sized(input, constraints, u64::MAX, |twin, input, count| {
                    for _ in 0..count {
                        items.push(twin.value(input, &item.ty)?);
                    }
                    Ok(())
                })?;
                write!(text, "[{}]", items.join(",")).unwrap();
            }
            Kind::Choice(fields) => return self.choice(input, fields),
            other => panic!("{other:?}"),
        }
        Ok(text)
    }

    /// Clause 13.
    fn integer(&self, input: &mut Input<'_>, constraints: &[&'s Constraint]) -> Result<String> {
        let extended = self.notation.is_extensible(constraints, About::Number) && self.bit(input)?;
        let bounds = if extended { (None, None) } else { self.notation.bounds(constraints, About::Number) };
        let mut text = String::new();
        let number = match bounds {
            (Some(lower), Some(upper)) => Some(lower + self.constrained(input, (upper - lower) as u128)? as i128),
            (lower, _) => {
                let octets = self.counted(input)?;
                if octets.is_empty() {
                    return Err(Refusal::Bad);
                }
                // Unsigned where there is a lower bound.
                let octets = if lower.is_some() { [&[0], &octets[..]].concat() } else { octets };
                let zeros = octets
                    .windows(2)
                    .take_while(|two| two[0] == 0 && two[1] < 0x80 || two[0] == 0xFF && two[1] >= 0x80);
                let octets = &octets[zeros.count()..];
                match Integer::Big(octets).to_i128() {
                    Some(number) => Some(number.checked_add(lower.unwrap_or(0)).ok_or(Refusal::Limit)?),
                    None if lower.unwrap_or(0) != 0 => return Err(Refusal::Limit),
                    None => {
                        // So far out only what has no bound there is allowed.
                        let far = if octets[0] >= 0x80 { -(1 << 120) } else { 1 << 120 };
                        if !extended && !self.notation.all_allow(constraints, About::Number, Eyes::All, far) {
                            return Err(Refusal::Bad);
                        }
                        shown::octets(&mut text, octets);
                        None
                    }
                }
            }
        };
        if let Some(number) = number {
            if !extended && !self.notation.all_allow(constraints, About::Number, Eyes::All, number) {
                return Err(Refusal::Bad);
            }
            write!(text, "{number}").unwrap();
        }
        Ok(text)
    }

    /// Clause 14: the place among those of the root in order of their numbers, then the additions.
    fn enumerated(&self, input: &mut Input<'_>, enumeration: &Enumeration) -> Result<u64> {
        let root = enumeration.root.len() as u64;
        if enumeration.additions.is_some() && self.bit(input)? {
            let addition = self.small(input)?;
            return u32::try_from(addition)
                .ok()
                .and_then(|n| n.checked_add(root as u32))
                .map(u64::from)
                .ok_or(Refusal::Bad);
        }
        Ok(self.constrained(input, u128::from(root) - 1)? as u64)
    }

    /// Clauses 16, 17 and 20: how many, and these, aligned if there may be more than `short` or their
    /// number varies.
    fn sized(
        &self,
        input: &mut Input<'_>,
        constraints: &[&'s Constraint],
        short: u64,
        mut read: impl FnMut(&Self, &mut Input<'_>, u64) -> Result<()>,
    ) -> Result<()> {
        let extended = self.notation.is_extensible(constraints, About::Size) && self.bit(input)?;
        let (lower, upper) = self.notation.bounds(constraints, About::Size);
        let lower = lower.unwrap_or(0).max(0);
        let upper = upper.filter(|upper| *upper < 65_536 && !extended);
        let mut total = 0;
        let (mut count, mut more) = match upper {
            Some(upper) if lower == upper => (lower as u64, false),
            Some(upper) => ((lower + self.constrained(input, (upper - lower) as u128)? as i128) as u64, false),
            None => self.length(input)?,
        };
        loop {
            let fixed = upper == Some(lower) && lower as u64 <= short;
            if count > 0 && !fixed && short != u64::MAX {
                self.align(input);
            }
            read(self, input, count)?;
            total += count;
            if !more {
                break;
            }
            (count, more) = self.length(input)?;
        }
        let allowed = extended || self.notation.all_allow(constraints, About::Size, Eyes::All, total.into());
        if allowed { Ok(()) } else { Err(Refusal::Bad) }
    }

    /// Clause 30.
    fn text(
        &self,
        input: &mut Input<'_>,
        kind: StringKind,
        place: &'s Kind,
        constraints: &[&'s Constraint],
    ) -> Result<String> {
        let last: u32 = match kind {
            StringKind::Numeric | StringKind::Printable | StringKind::Ia5 | StringKind::Visible => 0x7F,
            StringKind::Bmp => 0xFFFF,
            StringKind::Universal => u32::MAX,
            _ => return self.text_of_octets(input, kind, constraints),
        };
        let alphabet = self.alphabet(kind, last, place, constraints);
        let (bits, highest) = match &*alphabet {
            Some(points) => (32 - (points.len() as u32 - 1).leading_zeros(), points.last().copied().unwrap()),
            None => (32, u32::MAX),
        };
        let width = if self.aligned && bits > 0 { bits.next_power_of_two() } else { bits };
        let direct = width == 32 || highest < 1 << width;
        let extended = self.notation.is_extensible(constraints, About::Size) && self.bit(input)?;
        let (lower, upper) = self.notation.bounds(constraints, About::Size);
        let lower = lower.unwrap_or(0).max(0);
        let upper = upper.filter(|_| !extended);
        let (mut count, mut more) = match upper.filter(|upper| *upper < 65_536) {
            Some(upper) if lower == upper => (lower as u64, false),
            Some(upper) => ((lower + self.constrained(input, (upper - lower) as u128)? as i128) as u64, false),
            None => self.length(input)?,
        };
        // 30.5.6 and 30.5.7: by what they may come to at the most.
        let most = upper.map_or(i128::MAX, |upper| upper * i128::from(width));
        let fixed = upper == Some(lower) && lower < 65_536;
        if count > 0 && (if fixed { most > 16 } else { most >= 16 }) {
            self.align(input);
        }
        let mut text = String::new();
        let mut total = 0;
        loop {
            total += count;
            input.values += if width == 0 { count as usize } else { 0 };
            if input.values > MOST {
                return Err(Refusal::Limit);
            }
            for _ in 0..count {
                let code = self.bits(input, width)? as u32;
                let point = match &*alphabet {
                    Some(points) if !direct => *points.get(code as usize).ok_or(Refusal::Bad)?,
                    _ => code,
                };
                let allowed = repertoire(kind, point)
                    && self.notation.all_allow(constraints, About::Alphabet, Eyes::All, point.into());
                text.push(char::from_u32(point).filter(|_| allowed).ok_or(Refusal::Bad)?);
            }
            if !more {
                break;
            }
            (count, more) = self.length(input)?;
        }
        let allowed = extended || self.notation.all_allow(constraints, About::Size, Eyes::All, total.into());
        if allowed { Ok(text) } else { Err(Refusal::Bad) }
    }

    /// What PER sees of a type's characters.
    fn alphabet(&self, kind: StringKind, last: u32, place: &'s Kind, constraints: &[&'s Constraint]) -> Alphabet {
        let key =
            (std::ptr::from_ref(place).addr(), constraints.last().map_or(0, |one| std::ptr::from_ref(*one).addr()));
        let mut alphabets = self.alphabets.borrow_mut();
        let made = alphabets.entry(key).or_insert_with(|| {
            let said = self.notation.is_said(constraints, About::Alphabet);
            if last == u32::MAX && !said {
                return Rc::new(None);
            }
            let sees = |point: &u32| {
                repertoire(kind, *point)
                    && (!said || self.notation.all_allow(constraints, About::Alphabet, Eyes::Per, (*point).into()))
            };
            // No alphabet of a made-up module goes beyond the first plane.
            Rc::new(Some((0..=last.min(0xFFFF)).filter(sees).collect()))
        });
        Rc::clone(made)
    }

    fn text_of_octets(
        &self,
        input: &mut Input<'_>,
        kind: StringKind,
        constraints: &[&'s Constraint],
    ) -> Result<String> {
        let octets = self.counted(input)?;
        let text = match kind {
            StringKind::Utf8 => String::from_utf8(octets).map_err(|_| Refusal::Bad)?,
            _ => octets.into_iter().map(char::from).collect(),
        };
        let point =
            |point: char| self.notation.all_allow(constraints, About::Alphabet, Eyes::All, u32::from(point).into());
        let size = text.chars().count() as i128;
        let sized = self.notation.is_extensible(constraints, About::Size)
            || self.notation.all_allow(constraints, About::Size, Eyes::All, size);
        if sized && text.chars().all(point) { Ok(text) } else { Err(Refusal::Bad) }
    }

    /// Clauses 19 and 21.
    fn record(
        &self,
        input: &mut Input<'_>,
        fields: &'s Fields,
        (root, additions): (Vec<Placed<'s>>, Vec<(bool, Vec<Placed<'s>>)>),
    ) -> Result<String> {
        let extended = fields.additions.is_some() && self.bit(input)?;
        let mut text = String::from("{");
        self.members(input, &root, &mut text)?;
        let there = match extended {
            false => Vec::new(),
            true => {
                let count = match self.bit(input)? {
                    false => self.bits(input, 6)? as u64 + 1,
                    true => match self.length(input)? {
                        (count @ 1.., false) => count,
                        _ => return Err(Refusal::Bad),
                    },
                };
                (0..count).map(|_| self.bit(input)).collect::<Result<Vec<bool>>>()?
            }
        };
        for (number, (group, placed)) in additions.iter().enumerate() {
            if !there.get(number).copied().unwrap_or_default() {
                placed.iter().for_each(|_| text.push_str("-,"));
                continue;
            }
            self.open_type(input, |inner| match group {
                true => self.members(inner, placed, &mut text),
                false => self.member(inner, placed[0].component, &mut text),
            })?;
        }
        // What a later version has added.
        for there in there.iter().skip(additions.len()) {
            if *there {
                self.counted(input)?;
            }
        }
        text.push('}');
        Ok(text)
    }

    fn members(&self, input: &mut Input<'_>, placed: &[Placed<'s>], text: &mut String) -> Result<()> {
        let optional = |placed: &&Placed<'s>| placed.component.kind != ComponentKind::Mandatory;
        let there: Result<Vec<bool>> = placed.iter().filter(optional).map(|_| self.bit(input)).collect();
        let mut there = there?.into_iter();
        for one in placed {
            if optional(&one) && !there.next().unwrap() {
                text.push_str("-,");
            } else {
                self.member(input, one.component, text)?;
            }
        }
        Ok(())
    }

    fn member(&self, input: &mut Input<'_>, component: &'s Component, text: &mut String) -> Result<()> {
        write!(text, "{}={},", component.name, self.value(input, &component.ty)?).unwrap();
        Ok(())
    }

    /// Clause 23.
    fn choice(&self, input: &mut Input<'_>, fields: &'s Fields) -> Result<String> {
        let (root, additions) = self.notation.sorted_parts(fields);
        if fields.additions.is_some() && self.bit(input)? {
            let number = self.small(input)?;
            let additions: Vec<_> = additions.into_iter().flat_map(|(_, placed)| placed).collect();
            u32::try_from(number).ok().and_then(|n| n.checked_add(root.len() as u32)).ok_or(Refusal::Bad)?;
            let Some(chosen) = additions.get(number as usize) else {
                let mut text = String::from("later:?");
                shown::octets(&mut text, &self.counted(input)?);
                return Ok(text);
            };
            let value = self.open_type(input, |inner| self.value(inner, &chosen.component.ty))?;
            return Ok(format!("{}:{value}", chosen.component.name));
        }
        let chosen = root[self.constrained(input, root.len() as u128 - 1)? as usize];
        Ok(format!("{}:{}", chosen.component.name, self.value(input, &chosen.component.ty)?))
    }
}

/// Whether a type has a character at all (X.680 clause 41).
fn repertoire(kind: StringKind, point: u32) -> bool {
    let ascii = |of: &dyn Fn(char) -> bool| point < 0x80 && char::from_u32(point).is_some_and(of);
    match kind {
        StringKind::Numeric => ascii(&|c| c.is_ascii_digit() || c == ' '),
        StringKind::Printable => ascii(&|c| c.is_ascii_alphanumeric() || " '()+,-./:=?".contains(c)),
        StringKind::Visible => ascii(&|c| (' '..='~').contains(&c)),
        StringKind::Ia5 => point < 0x80,
        StringKind::Bmp => point < 0x1_0000,
        _ => true,
    }
}

/// X.690 clause 8.5, as far as a double or the digits hold it.
fn real(octets: &[u8]) -> Result<String> {
    let mut text = String::new();
    let special = match octets {
        [] => Some(0.0),
        [0x40] => Some(f64::INFINITY),
        [0x41] => Some(f64::NEG_INFINITY),
        [0x42] => Some(f64::NAN),
        [0x43] => Some(-0.0),
        _ => None,
    };
    if let Some(double) = special {
        shown::real(&mut text, Real::Double(double));
        return Ok(text);
    }
    let first = octets[0];
    if first & 0x80 != 0 {
        let base: i64 = [1, 3, 4].get(usize::from(first >> 4 & 3)).copied().ok_or(Refusal::Bad)?;
        let (count, start) = match first & 3 {
            3 => (usize::from(*octets.get(1).ok_or(Refusal::Bad)?), 2),
            few => (usize::from(few) + 1, 1),
        };
        let exponent = octets.get(start..start + count).ok_or(Refusal::Bad)?;
        let exponent = Integer::Big(exponent).to_i128().filter(|_| (1..=4).contains(&count)).ok_or(Refusal::Bad)?;
        let mantissa = octets[start + count..]
            .iter()
            .try_fold(0u128, |number, octet| number.checked_mul(256).map(|number| number | u128::from(*octet)));
        let mantissa = mantissa.filter(|mantissa| *mantissa != 0).ok_or(Refusal::Bad)?;
        let exponent = exponent as i64 * base + i64::from(first >> 2 & 3);
        let double = power_of_two(mantissa, exponent).ok_or(Refusal::Bad)?;
        shown::real(&mut text, Real::Double(if first & 0x40 != 0 { -double } else { double }));
        return Ok(text);
    }
    if !(1..=3).contains(&first) {
        return Err(Refusal::Bad);
    }
    let digits = std::str::from_utf8(&octets[1..]).map_err(|_| Refusal::Bad)?;
    let digits = digits.trim_start_matches(' ').replace(',', ".");
    match decimal(&digits)? {
        Some(double) => shown::real(&mut text, Real::Double(double)),
        None => shown::real(&mut text, Real::Decimal(&digits)),
    }
    Ok(text)
}

/// `mantissa` times 2 to the power of `exponent`, if that is a double: by the bits of doubles.
fn power_of_two(mantissa: u128, exponent: i64) -> Option<f64> {
    let zeros = mantissa.trailing_zeros();
    let (mantissa, exponent) = (mantissa >> zeros, exponent + i64::from(zeros));
    let width = i64::from(128 - mantissa.leading_zeros());
    let top = exponent + width - 1;
    if width > 53 || top > 1023 || exponent < -1074 {
        return None;
    }
    if top < -1022 {
        return Some(f64::from_bits((mantissa as u64) << (exponent + 1074)));
    }
    let fraction = (mantissa as u64) << (53 - width) & ((1 << 52) - 1);
    Some(f64::from_bits(((top + 1023) as u64) << 52 | fraction))
}

/// The double that decimal digits are, if one is; by whole numbers.
fn decimal(text: &str) -> Result<Option<f64>> {
    let (sign, rest) = match text.as_bytes().first() {
        Some(b'-') => (-1.0, &text[1..]),
        Some(b'+') => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(Refusal::Bad);
    }
    let exponent: i64 = exponent.map_or(Ok(0), str::parse).map_err(|_| Refusal::Bad)?;
    let stripped = digits.trim_start_matches('0').trim_end_matches('0');
    if stripped.is_empty() {
        return Ok(Some(sign * 0.0));
    }
    let exponent = exponent + (digits.len() - digits.trim_end_matches('0').len()) as i64 - fraction.len() as i64;
    // Of more digits or a greater exponent made-up messages have no double.
    let Ok(number) = stripped.parse::<u128>() else { return Err(Refusal::Limit) };
    if exponent.abs() > 50 {
        return if exponent.abs() > 400 { Ok(None) } else { Err(Refusal::Limit) };
    }
    let five = |exponent: u32| 5u128.checked_pow(exponent);
    let odd = match exponent {
        0.. => five(exponent as u32).and_then(|power| number.checked_mul(power)),
        _ => five(exponent.unsigned_abs() as u32).filter(|power| number % power == 0).map(|power| number / power),
    };
    Ok(odd.and_then(|odd| power_of_two(odd, exponent)).map(|double| sign * double))
}

/// X.690 clauses 8.19 and 8.20, dotted.
fn arcs(octets: &[u8], relative: bool) -> Result<String> {
    let mut arcs = Vec::new();
    let mut long = false;
    for arc in octets.split_inclusive(|octet| octet & 0x80 == 0) {
        if arc[0] == 0x80 || arc[arc.len() - 1] & 0x80 != 0 {
            return Err(Refusal::Bad);
        }
        let number =
            arc.iter().try_fold(0u128, |number, octet| number.checked_mul(128).map(|n| n + u128::from(octet & 0x7F)));
        long |= number.is_none();
        arcs.push(number.unwrap_or(0));
    }
    if arcs.is_empty() {
        return Err(Refusal::Bad);
    }
    if long {
        return Ok("long arcs".into());
    }
    if !relative {
        let root = (arcs[0] / 40).min(2);
        arcs[0] -= root * 40;
        arcs.insert(0, root);
    }
    Ok(arcs.iter().map(u128::to_string).collect::<Vec<_>>().join("."))
}
