//! Values that are checked and parsed in one step. It may only say yes: what it does not know may be a value or not.

use std::cell::Cell;

use asn1::Filler;
use asn1::event::{Integer, Real, Sink, Stretch};
use tam::Error;
use xml::chars::is_space;
use xml::number;
use xml::scan::is_same;
use xsd::internal::State;
use xsd::{Bound, Builtin, Facet, Facets, SimpleId, Variety};

use super::super::form::{Real as Numbers, Simple, SimpleForm};
use super::super::marks::White;
use super::super::place::Target;
use super::super::types::Types;
use super::super::value::Teller;

/// Digits of a number that 64 bits hold whatever they are.
const MOST_DIGITS: usize = 18;

/// The characters of an element or attribute: their form, their type, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    form: SimpleForm,
    ty: SimpleId,
    known: Known,
    /// Whether there is another value in the place of no characters.
    pub(super) has_default: bool,
}

/// Types whose values are recognised without the checker.
#[derive(Clone, Debug)]
enum Known {
    /// Texts, between so many bytes and characters.
    Text {
        white: Option<White>,
        least: usize,
        most: usize,
    },
    /// Other texts.
    OtherText(Option<White>),
    Boolean,
    Integer {
        least: i64,
        most: i64,
    },
    Decimal(Bounds),
    Double {
        float: bool,
    },
    /// The items of an enumeration, and the one that came last.
    Items(Cell<u32>),
    /// None.
    Other,
}

/// What bounds a decimal number.
#[derive(Clone, Debug, Default)]
struct Bounds {
    least: Option<(Decimal, bool)>,
    most: Option<(Decimal, bool)>,
    digits: Option<u32>,
    places: Option<u32>,
}

/// A decimal number: its digits, how many of them follow the point, and whether there is one.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Decimal {
    number: i64,
    places: u32,
    has_point: bool,
}

/// 10^n by n.
static POWERS: [i64; MOST_DIGITS + 1] = {
    let mut powers = [1; MOST_DIGITS + 1];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// A value that has been checked.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Checked {
    /// A text that is lent from the message.
    Text {
        start: usize,
        len: usize,
    },
    Boolean(bool),
    Integer(i64),
    Decimal {
        number: Decimal,
        start: usize,
        len: usize,
    },
    Double(f64),
    Item(u32),
    /// What has to be read again.
    Other {
        start: usize,
        len: usize,
    },
}

impl Value {
    pub(super) fn new(types: &Types, form: SimpleForm, ty: SimpleId) -> Value {
        Value { form, ty, known: known(types, form, ty).unwrap_or(Known::Other), has_default: false }
    }

    /// Checks a piece of a text; `None` if it is no value, or may be none.
    #[inline(always)]
    pub(super) fn check(
        &self,
        types: &Types,
        state: &mut State<'_>,
        text: &str,
        start: usize,
        end: usize,
    ) -> Option<Checked> {
        let piece = text.get(start..end)?;
        match &self.known {
            Known::Text { white, least, most } => {
                let fits = piece.len() >= *least && piece.len() <= *most && is_normal(*white, piece.as_bytes());
                if fits {
                    return Some(Checked::Text { start, len: piece.len() });
                }
            }
            Known::Decimal(bounds) => {
                if let Some(number) = Decimal::parse(piece.as_bytes()).filter(|number| bounds.allow(*number)) {
                    return Some(Checked::Decimal { number, start, len: piece.len() });
                }
            }
            Known::Integer { least, most } => {
                let number = integer(piece.as_bytes());
                if let Some(number) = number.filter(|number| least <= number && number <= most) {
                    return Some(Checked::Integer(number));
                }
            }
            _ => {}
        }
        self.check_other(types, state, piece, start)
    }

    #[inline(never)]
    fn check_other(&self, types: &Types, state: &mut State<'_>, piece: &str, start: usize) -> Option<Checked> {
        let len = piece.len();
        match &self.known {
            Known::Boolean => {
                if let Some(value) = number::boolean(piece) {
                    return Some(Checked::Boolean(value));
                }
            }
            Known::Double { float } => {
                let number = if *float { number::float(piece).map(f64::from) } else { number::double(piece) };
                if let Some(number) = number {
                    return Some(Checked::Double(number));
                }
            }
            Known::Items(last) => {
                if let Simple::Enumerated(items) = types.forms.simple(self.form) {
                    let is_last = items
                        .texts
                        .get(last.get() as usize)
                        .is_some_and(|text| is_same(text.as_bytes(), piece.as_bytes()));
                    if let Some(item) = if is_last { Some(last.get()) } else { items.by_text.get(piece).copied() } {
                        last.set(item);
                        return Some(Checked::Item(item));
                    }
                }
            }
            _ => {}
        }
        if !state.is_value(self.ty, piece) {
            return None;
        }
        match &self.known {
            Known::OtherText(white) | Known::Text { white, .. } if is_normal(*white, piece.as_bytes()) => {
                Some(Checked::Text { start, len })
            }
            _ => Some(Checked::Other { start, len }),
        }
    }

    /// Tells a value that has been checked; `before` is where in the message the text begins.
    #[inline(always)]
    pub(super) fn tell(
        &self,
        (types, teller): (&Types, &mut Teller),
        filler: &mut Filler<'_>,
        state: &State<'_>,
        to: Target,
        checked: Checked,
        (text, before): (&str, usize),
    ) -> Result<(), Error> {
        let Target { at, node, .. } = to;
        match checked {
            Checked::Text { start, len } => filler.text(at, node, Stretch::Message { start: before + start, len }),
            Checked::Integer(number) => filler.integer(at, node, Integer::Small(number)),
            Checked::Boolean(value) => filler.boolean(at, node, value),
            Checked::Double(number) => filler.real(at, node, Real::Double(number)),
            Checked::Item(item) => filler.enumerated(at, node, item),
            Checked::Decimal { number, start, len } => {
                number.tell(filler, to, text.as_bytes().get(start..start + len).unwrap_or_default())
            }
            Checked::Other { start, len } => {
                let piece = text.get(start..start + len).unwrap_or_default();
                teller.tell(types, filler, (self.form, self.ty), to, piece, state.scope())
            }
        }
    }
}

/// What is known of a type; `None` if it takes the checker.
fn known(types: &Types, form: SimpleForm, ty: SimpleId) -> Option<Known> {
    let schema = types.schema();
    let definition = &schema.simple_types[ty];
    let facets = &definition.facets;
    let simple = types.forms.simple(form);
    if let Simple::Text(white) = simple {
        if types.enumerates_times(ty) {
            return None;
        }
        let is_plain = matches!(definition.variety, Variety::Atomic(Builtin::String))
            && matches!(definition.lexical, Builtin::String | Builtin::NormalizedString | Builtin::Token)
            && facets.patterns.is_empty()
            && facets.enumeration.is_none()
            && facets.length.is_none();
        if !is_plain && !schema.is_any_text(ty) {
            return Some(Known::OtherText(*white));
        }
        let least = facets.min_length.as_ref().map_or(0, |least| least.value);
        // There are no more characters than bytes, and of one byte there is one.
        if least > 1 {
            return Some(Known::OtherText(*white));
        }
        let most = facets.max_length.as_ref().map_or(u64::MAX, |most| most.value);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        return Some(Known::Text { white: *white, least: least as usize, most });
    }
    let is_bare = facets.patterns.is_empty() && facets.enumeration.is_none();
    match (simple, &definition.variety) {
        (Simple::Boolean, Variety::Atomic(Builtin::Boolean)) if is_bare => Some(Known::Boolean),
        (Simple::Integer, Variety::Atomic(Builtin::Decimal)) if is_bare && facets.total_digits.is_none() => {
            let end = |facet: &Option<Facet<Bound>>, none: i64| match facet.as_ref().map(|facet| &facet.value) {
                None => Some(none),
                Some(bound) if bound.inclusive => bound.text.parse().ok(),
                Some(_) => None,
            };
            Some(Known::Integer { least: end(&facets.min, i64::MIN)?, most: end(&facets.max, i64::MAX)? })
        }
        (Simple::Real(Numbers::Decimal), Variety::Atomic(Builtin::Decimal))
            if is_bare && definition.lexical == Builtin::Decimal =>
        {
            bounds(facets).map(Known::Decimal)
        }
        (Simple::Real(Numbers::Double), Variety::Atomic(Builtin::Double))
            if is_bare && facets.min.is_none() && facets.max.is_none() =>
        {
            Some(Known::Double { float: false })
        }
        (Simple::Real(Numbers::Float), Variety::Atomic(Builtin::Float))
            if is_bare && facets.min.is_none() && facets.max.is_none() =>
        {
            Some(Known::Double { float: true })
        }
        (Simple::Enumerated(_), Variety::Atomic(Builtin::String))
            if facets.patterns.is_empty()
                && facets.length.is_none()
                && facets.min_length.is_none()
                && facets.max_length.is_none()
                && !matches!(definition.lexical, Builtin::Id | Builtin::IdRef) =>
        {
            Some(Known::Items(Cell::new(0)))
        }
        _ => None,
    }
}

fn bounds(facets: &Facets) -> Option<Bounds> {
    let end = |facet: &Option<Facet<Bound>>| match facet.as_ref().map(|facet| &facet.value) {
        None => Some(None),
        Some(bound) => Some(Some((Decimal::parse(bound.text.as_bytes())?, bound.inclusive))),
    };
    let count = |facet: &Option<Facet<u64>>| facet.as_ref().map(|facet| u32::try_from(facet.value).unwrap_or(u32::MAX));
    Some(Bounds {
        least: end(&facets.min)?,
        most: end(&facets.max)?,
        digits: count(&facets.total_digits),
        places: count(&facets.fraction_digits),
    })
}

impl Bounds {
    #[inline]
    fn allow(&self, number: Decimal) -> bool {
        let Bounds { least, most, digits, places } = self;
        let is_above = |(least, inclusive): &(Decimal, bool)| number.is_above(*least, *inclusive);
        let is_below = |(most, inclusive): &(Decimal, bool)| most.is_above(number, *inclusive);
        // As many as are written are no fewer than count.
        let is_short = |most: &u32| {
            let bound = POWERS.get(*most as usize).copied().unwrap_or(i64::MAX);
            number.places <= *most && number.number.abs() < bound
        };
        least.as_ref().is_none_or(is_above)
            && most.as_ref().is_none_or(is_below)
            && digits.as_ref().is_none_or(is_short)
            && places.is_none_or(|most| number.places <= most)
    }
}

impl Decimal {
    #[inline]
    fn parse(text: &[u8]) -> Option<Decimal> {
        let (is_negative, digits) = match text {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        if digits.len() > MOST_DIGITS {
            return None;
        }
        let (mut number, mut point) = (0i64, None);
        for (at, byte) in digits.iter().enumerate() {
            match byte {
                b'0'..=b'9' => number = number * 10 + i64::from(byte - b'0'),
                b'.' if point.is_none() => point = Some(at),
                _ => return None,
            }
        }
        if digits.len() == usize::from(point.is_some()) {
            return None;
        }
        let places = point.map_or(0, |point| digits.len() - point - 1) as u32;
        let number = if is_negative { -number } else { number };
        Some(Decimal { number, places, has_point: point.is_some() })
    }

    /// Whether it is above another, or the same if that counts.
    #[inline]
    fn is_above(self, least: Decimal, inclusive: bool) -> bool {
        let scaled = |this: Decimal, by: Decimal| {
            i128::from(this.number) * i128::from(POWERS.get(by.places as usize).copied().unwrap_or(i64::MAX))
        };
        let (this, least) = (scaled(self, least), scaled(least, self));
        this > least || inclusive && this == least
    }

    /// Tells it in the form that PER has for it (X.690 clause 11.3.2): the digits as they are written in a text, from the
    /// first to the last that is not zero.
    #[inline]
    fn tell(self, filler: &mut Filler<'_>, Target { at, node, .. }: Target, text: &[u8]) -> Result<(), Error> {
        if self.number == 0 {
            return filler.real(at, node, Real::Double(0.0));
        }
        let end = text.len() - self.places as usize;
        let whole = text.get(usize::from(self.number < 0)..end - usize::from(self.has_point)).unwrap_or_default();
        let fraction = without_zeros(text.get(end..).unwrap_or_default());
        let first = whole.iter().position(|digit| *digit != b'0').unwrap_or(whole.len());
        let mut whole = whole.get(first..).unwrap_or_default();
        let mut fraction_from = 0;
        let mut exponent = -(fraction.len() as i32);
        if fraction.is_empty() {
            exponent = whole.len() as i32;
            whole = without_zeros(whole);
            exponent -= whole.len() as i32;
        } else if whole.is_empty() {
            fraction_from = fraction.iter().position(|digit| *digit != b'0').unwrap_or_default();
        }
        let out = filler.buffer();
        let start = out.len();
        if self.number < 0 {
            out.push(b'-');
        }
        out.extend_from_slice(whole);
        out.extend_from_slice(fraction.get(fraction_from..).unwrap_or_default());
        let sign = match exponent {
            0 => Some(b'+'),
            ..0 => Some(b'-'),
            _ => None,
        };
        out.extend_from_slice(b".E");
        out.extend(sign);
        let size = exponent.unsigned_abs() as u8;
        if size > 9 {
            out.push(b'0' + size / 10);
        }
        out.push(b'0' + size % 10);
        filler.decimal(at, node, start)
    }
}

/// Digits up to the last that is not zero.
#[inline]
fn without_zeros(digits: &[u8]) -> &[u8] {
    let len = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    digits.get(..len).unwrap_or_default()
}

/// An integer that is written without zeros or a plus sign in front of more digits than 64 bits hold.
#[inline]
fn integer(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > MOST_DIGITS {
        return None;
    }
    let mut number = 0;
    for byte in digits {
        number = number * 10 + i64::from(byte.wrapping_sub(b'0'));
        if !byte.is_ascii_digit() {
            return None;
        }
    }
    Some(if is_negative { -number } else { number })
}

/// Whether white space in a text is as a type normalises it.
#[inline(always)]
fn is_normal(white: Option<White>, text: &[u8]) -> bool {
    match white {
        None => true,
        // Compilers make vectors of a loop without an exit.
        Some(White::Replace) => text.iter().fold(true, |is_normal, byte| is_normal & (*byte >= b' ')),
        Some(White::Collapse) => {
            text.iter().fold(true, |is_normal, byte| is_normal & (*byte > b' ')) || is_collapsed(text)
        }
    }
}

/// Whether a text has white space only as single spaces between words.
fn is_collapsed(text: &[u8]) -> bool {
    let mut before = b' ';
    for byte in text {
        if is_space(*byte) && (*byte != b' ' || before == b' ') {
            return false;
        }
        before = *byte;
    }
    before != b' ' || text.is_empty()
}
