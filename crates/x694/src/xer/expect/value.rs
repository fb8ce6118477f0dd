//! Checks and parses values of the most common types in one step. Whatever it does not recognise goes to the checker.

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
use super::super::instructions::White;
use super::super::place::Target;
use super::super::types::Types;
use super::super::value::{ValueParser, fill_decimal};
use super::run::NumberKind;

/// Numbers of so many digits fit in 64 bits.
const MOST_DIGITS: usize = 18;

/// How the characters of an element or attribute are read.
#[derive(Clone, Debug)]
pub(super) struct Value {
    form: SimpleForm,
    ty: SimpleId,
    recognizer: Recognizer,
    /// Whether there is a default for an empty element.
    pub(super) has_default: bool,
    /// Whether nothing else in the instance decides what is a value.
    pub(super) is_by_itself: bool,
    /// Whether it is a decimal number.
    is_decimal: bool,
}

/// How values of a type are recognised without the checker.
#[derive(Clone, Debug)]
enum Recognizer {
    /// Texts of `least` to `most` bytes.
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
    /// The items of an enumeration. Holds the last one.
    Items(Cell<u32>),
    /// Not recognised: every value goes to the checker.
    Other,
}

/// The facets of a decimal type.
#[derive(Clone, Debug, Default)]
struct Bounds {
    least: Option<(Decimal, bool)>,
    most: Option<(Decimal, bool)>,
    digits: Option<u32>,
    places: Option<u32>,
}

/// A decimal number: its digits as an integer, how many of them follow the point, and whether there is a point.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Decimal {
    number: i64,
    places: u32,
    has_point: bool,
}

/// The powers of ten.
static POWERS: [i64; MOST_DIGITS + 1] = {
    let mut powers = [1; MOST_DIGITS + 1];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

/// A value that has been checked, the number of its attribute in the plan if it is one, and where it is in the text.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct ReadValue {
    pub(super) number: u32,
    pub(super) value: Checked,
    pub(super) start: usize,
    pub(super) len: usize,
}

/// A value that has been checked.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Checked {
    /// A text that is used from the message as it is.
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
    /// A valid value that still has to be parsed.
    Other {
        start: usize,
        len: usize,
    },
}

impl Checked {
    /// The cell of the value, if it is all in one cell.
    #[inline(always)]
    pub(super) fn cell(self) -> Option<u64> {
        match self {
            Checked::Boolean(value) => Some(value.into()),
            Checked::Integer(number) => Some(number as u64),
            Checked::Double(number) => Some(number.to_bits()),
            Checked::Item(item) => Some(item.into()),
            Checked::Text { .. } | Checked::Decimal { .. } | Checked::Other { .. } => None,
        }
    }
}

impl Value {
    pub(super) fn new(types: &Types, form: SimpleForm, ty: SimpleId) -> Value {
        let recognizer = recognizer(types, form, ty).unwrap_or(Recognizer::Other);
        let is_decimal = matches!(types.forms.simple(form), Simple::Real(Numbers::Decimal));
        Value { form, ty, recognizer, has_default: false, is_by_itself: types.schema().is_by_itself(ty), is_decimal }
    }

    /// The numbers that it holds, if kernels read them.
    pub(super) fn number(&self) -> Option<NumberKind> {
        match self.recognizer {
            Recognizer::Double { float: false } => Some(NumberKind::Double),
            Recognizer::Integer { least, most } => Some(NumberKind::Integer { least, most }),
            _ => None,
        }
    }

    /// Whether the zeros of a number may have to be counted.
    #[inline(always)]
    pub(super) fn may_charge(&self, checked: Checked) -> bool {
        self.is_decimal && matches!(checked, Checked::Other { .. })
    }

    /// Checks a piece of a text, which begins at a place of it. `None` if it is invalid.
    #[inline(always)]
    pub(super) fn check(&self, types: &Types, state: &mut State<'_>, piece: &str, start: usize) -> Option<Checked> {
        match &self.recognizer {
            Recognizer::Text { white, least, most } => {
                let fits = piece.len() >= *least && piece.len() <= *most && is_normal(*white, piece.as_bytes());
                if fits {
                    return Some(Checked::Text { start, len: piece.len() });
                }
            }
            Recognizer::Decimal(bounds) => {
                if let Some(number) = Decimal::parse(piece.as_bytes()).filter(|number| bounds.allow(*number)) {
                    return Some(Checked::Decimal { number, start, len: piece.len() });
                }
            }
            Recognizer::Integer { least, most } => {
                if let Some(number) = piece.parse().ok().filter(|number| least <= number && number <= most) {
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
        match &self.recognizer {
            Recognizer::Boolean => {
                if let Some(value) = number::boolean(piece) {
                    return Some(Checked::Boolean(value));
                }
            }
            Recognizer::Double { float } => {
                let number = if *float { number::float(piece).map(f64::from) } else { number::double(piece) };
                if let Some(number) = number {
                    return Some(Checked::Double(number));
                }
            }
            Recognizer::Items(last) => {
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
        match &self.recognizer {
            Recognizer::OtherText(white) | Recognizer::Text { white, .. } if is_normal(*white, piece.as_bytes()) => {
                Some(Checked::Text { start, len })
            }
            _ => Some(Checked::Other { start, len }),
        }
    }

    /// Fills a value that has been checked; `lent` is where in the message the text begins, if values may refer to that.
    #[inline(always)]
    pub(super) fn fill(
        &self,
        (types, parser): (&Types, &mut ValueParser),
        filler: &mut Filler<'_>,
        state: &State<'_>,
        to: Target,
        checked: Checked,
        (text, lent): (&[u8], Option<usize>),
    ) -> Result<(), Error> {
        let Target { at, node, .. } = to;
        match checked {
            Checked::Text { start, len } => {
                let text = match lent {
                    Some(before) => Stretch::Message { start: before + start, len },
                    None => filler.keep(text.get(start..start + len).unwrap_or_default()),
                };
                filler.text(at, node, text)
            }
            Checked::Integer(number) => filler.integer(at, node, Integer::Small(number)),
            Checked::Boolean(value) => filler.boolean(at, node, value),
            Checked::Double(number) => filler.real(at, node, Real::Double(number)),
            Checked::Item(item) => filler.enumerated(at, node, item),
            Checked::Decimal { number, start, len } => {
                number.fill(filler, to, text.get(start..start + len).unwrap_or_default())
            }
            Checked::Other { start, len } => {
                let piece =
                    text.get(start..start + len).and_then(|piece| str::from_utf8(piece).ok()).unwrap_or_default();
                parser.fill(types, filler, (self.form, self.ty), to, piece, state.scope())
            }
        }
    }
}

/// How values of a type are recognised; `None` if only the checker can.
fn recognizer(types: &Types, form: SimpleForm, ty: SimpleId) -> Option<Recognizer> {
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
            return Some(Recognizer::OtherText(*white));
        }
        let least = facets.min_length.as_ref().map_or(0, |least| least.value);
        // Lengths count characters, and a text has at most as many characters as bytes. So only 0 and 1 can be checked
        // by bytes.
        if least > 1 {
            return Some(Recognizer::OtherText(*white));
        }
        let most = facets.max_length.as_ref().map_or(u64::MAX, |most| most.value);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        return Some(Recognizer::Text { white: *white, least: least as usize, most });
    }
    let is_bare = facets.patterns.is_empty() && facets.enumeration.is_none();
    match (simple, &definition.variety) {
        (Simple::Boolean, Variety::Atomic(Builtin::Boolean)) if is_bare => Some(Recognizer::Boolean),
        (Simple::Integer, Variety::Atomic(Builtin::Decimal)) if is_bare && facets.total_digits.is_none() => {
            let end = |facet: &Option<Facet<Bound>>, none: i64| match facet.as_ref().map(|facet| &facet.value) {
                None => Some(none),
                Some(bound) if bound.inclusive => bound.text.parse().ok(),
                Some(_) => None,
            };
            Some(Recognizer::Integer { least: end(&facets.min, i64::MIN)?, most: end(&facets.max, i64::MAX)? })
        }
        (Simple::Real(Numbers::Decimal), Variety::Atomic(Builtin::Decimal))
            if is_bare && definition.lexical == Builtin::Decimal =>
        {
            bounds(facets).map(Recognizer::Decimal)
        }
        (Simple::Real(Numbers::Double), Variety::Atomic(Builtin::Double))
            if is_bare && facets.min.is_none() && facets.max.is_none() =>
        {
            Some(Recognizer::Double { float: false })
        }
        (Simple::Real(Numbers::Float), Variety::Atomic(Builtin::Float))
            if is_bare && facets.min.is_none() && facets.max.is_none() =>
        {
            Some(Recognizer::Double { float: true })
        }
        (Simple::Enumerated(_), Variety::Atomic(Builtin::String))
            if facets.patterns.is_empty()
                && facets.length.is_none()
                && facets.min_length.is_none()
                && facets.max_length.is_none()
                && !matches!(definition.lexical, Builtin::Id | Builtin::IdRef) =>
        {
            Some(Recognizer::Items(Cell::new(0)))
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
        // Written digits include zeros at the ends, which totalDigits does not count. So this may only say no too often.
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

    /// Whether it is above another number, or equal to it if `inclusive`.
    #[inline]
    fn is_above(self, least: Decimal, inclusive: bool) -> bool {
        let scaled = |this: Decimal, by: Decimal| {
            i128::from(this.number) * i128::from(POWERS.get(by.places as usize).copied().unwrap_or(i64::MAX))
        };
        let (this, least) = (scaled(self, least), scaled(least, self));
        this > least || inclusive && this == least
    }

    /// Fills the number that this text was parsed as.
    #[inline]
    fn fill(self, filler: &mut Filler<'_>, Target { at, node, .. }: Target, text: &[u8]) -> Result<(), Error> {
        let end = text.len() - self.places as usize;
        let whole = text.get(usize::from(self.number < 0)..end - usize::from(self.has_point)).unwrap_or_default();
        let fraction = text.get(end..).unwrap_or_default();
        fill_decimal(filler, at, node, self.number < 0, (whole, fraction))
    }
}

/// Whether the white space of a text is normalised as its type requires.
#[inline(always)]
fn is_normal(white: Option<White>, text: &[u8]) -> bool {
    match white {
        None => true,
        // Without an early exit, compilers vectorise the loop.
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
