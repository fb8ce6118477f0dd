//! Values of simple types: which texts are valid, when two values are equal, and how they are ordered (Part 2).

mod check;
mod lexical;

pub(crate) use check::{Accepted, ValueFault, check_octets, steps_of};
pub use check::{Checker, Scope};
pub use lexical::time_kind;

use std::cmp::Ordering;

use xml::calendar::{Amount, Duration, Instant, Time};
use xml::number::{self, Decimal};

use crate::components::Builtin;

/// A value as bytes. Two values are equal if their keys are. The first byte is the primitive type, because values of
/// different primitive types are never equal.
pub(crate) type Key = std::sync::Arc<[u8]>;

/// A value of a type whose values have an order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ordered {
    Decimal { negative: bool, whole: Box<str>, fraction: Box<str> },
    Float(f32),
    Double(f64),
    Duration(Amount),
    Moment(Instant),
}

impl Ordered {
    /// Parses a value of a primitive type; `None` if it is invalid, or the type has no order.
    pub(crate) fn parse(primitive: Builtin, text: &str) -> Option<Ordered> {
        Some(match primitive {
            Builtin::Decimal => {
                let Decimal { negative, whole, fraction } = Decimal::parse(text)?;
                Ordered::Decimal { negative, whole: whole.into(), fraction: fraction.into() }
            }
            Builtin::Float => Ordered::Float(number::float(text)?),
            Builtin::Double => Ordered::Double(number::double(text)?),
            Builtin::Duration => Ordered::Duration(Duration::parse(text)?.amount()?),
            _ => Ordered::Moment(Time::parse(lexical::time_kind(primitive)?, text)?.instant()?),
        })
    }

    /// Compares it with the value of a text, whose number is given for a decimal type; `None` if the two have no order.
    fn compare_text(&self, text: &str, number: Option<Decimal<'_>>, primitive: Builtin) -> Option<Ordering> {
        match self {
            Ordered::Decimal { negative, whole, fraction } => {
                let bound = Decimal { negative: *negative, whole, fraction };
                Some(bound.cmp(&number?))
            }
            _ => self.compare(&Ordered::parse(primitive, text)?),
        }
    }

    /// Compares it with another value; `None` if the two have no order.
    pub(crate) fn compare(&self, other: &Ordered) -> Option<Ordering> {
        match (self, other) {
            (
                Ordered::Decimal { negative, whole, fraction },
                Ordered::Decimal { negative: n, whole: w, fraction: f },
            ) => {
                let one = Decimal { negative: *negative, whole, fraction };
                Some(one.cmp(&Decimal { negative: *n, whole: w, fraction: f }))
            }
            (Ordered::Float(a), Ordered::Float(b)) => number::compare_doubles((*a).into(), (*b).into()),
            (Ordered::Double(a), Ordered::Double(b)) => number::compare_doubles(*a, *b),
            (Ordered::Duration(a), Ordered::Duration(b)) => a.partial_cmp(b),
            (Ordered::Moment(a), Ordered::Moment(b)) => a.partial_cmp(b),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
