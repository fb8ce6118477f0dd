//! Values into Rust's own types and back, by serde.

use serde_core::{Deserialize, Serialize};
use tam::{Builder, Error, Limits, Table, TypeSet};

use crate::compiled::{Compiled, NodeId};
use crate::jer;
use crate::values::{Filler, Value, Values};

mod de;
mod leaf;
mod number;
mod ser;

const FORMAT: &str = "asn1";

/// How deep values can be nested in each other: types that hold themselves recurse.
const LEVELS: u32 = 128;

/// Reads a value into a Rust type.
///
/// | ASN.1 | Rust |
/// | --- | --- |
/// | BOOLEAN | `bool` |
/// | INTEGER | integers, `i128` and `u128` too; floats; strings: its digits, at any size |
/// | REAL | `f64`, `f32`: the nearest; strings: all digits of a decimal number (an exponent of three digits or more is kept), the fewest that identify a binary one; `(i128, i64)`: mantissa and exponent of 10, exactly |
/// | ENUMERATED | an enum of unit variants; strings: the identifier |
/// | NULL | `()`, unit structs |
/// | OCTET STRING | bytes (by `serde_bytes`), `Vec<u8>`, `[u8; N]` |
/// | BIT STRING | `Vec<bool>`, `[bool; N]`; bytes if the length is fixed or a multiple of 8; a struct of `value` (octets) and `length` (bits) |
/// | strings, times | strings: times as text |
/// | object identifiers | strings: the dotted form |
/// | SEQUENCE, SET | structs, maps |
/// | SEQUENCE OF, SET OF | sequences, tuples |
/// | CHOICE | an enum, tagged externally as by default; a map of one entry; strings, if each alternative is one, such as the dates of X.694 |
/// | OPTIONAL | `Option`: `None` if the component is absent |
///
/// `&str` and `&[u8]` are borrowed: from the message, if the value has its bytes unchanged.
///
/// Fields and variants are matched by the identifiers of the notation, hyphens included: a Rust type usually has
/// `#[serde(rename_all = "kebab-case")]`, or `camelCase`. Components that the Rust type does not have are skipped,
/// unless it denies them. A component with a DEFAULT always has a value, as by [`Value::get`].
///
/// Alternatives and enumerations of a later version of the schema are the variant that has `#[serde(other)]`; without
/// one they are refused.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Limits, Values, from_value, notation};
/// use serde::Deserialize;
///
/// #[derive(Debug, PartialEq, Deserialize)]
/// #[serde(rename_all = "kebab-case")]
/// struct Reading<'m> {
///     sensor_id: u8,
///     celsius: Option<f64>,
///     note: &'m str,
///     wind: Wind,
/// }
///
/// #[derive(Debug, PartialEq, Deserialize)]
/// #[serde(rename_all = "kebab-case")]
/// enum Wind {
///     Calm,
///     Steady { from: u16, speed: u16 },
/// }
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor-id INTEGER (0..15), celsius REAL OPTIONAL, note UTF8String, wind Wind }
///         Wind    ::= CHOICE { calm NULL, steady SEQUENCE { from INTEGER (0..359), speed INTEGER (0..127) } }
///      END",
/// )?;
/// let text = r#"{ sensor-id 3, note "clear", wind steady : { from 270, speed 7 } }"#;
/// let mut values = Values::new();
/// let value = notation::read_value(text, &types, Some(types.find("Reading")?), &Limits::default(), &mut values)?;
/// let reading: Reading = from_value(value)?;
/// assert_eq!((reading.sensor_id, reading.celsius, reading.note), (3, None, "clear"));
/// assert_eq!(reading.wind, Wind::Steady { from: 270, speed: 7 });
///
/// let error = from_value::<Wind>(value.get("note").unwrap()).unwrap_err();
/// assert_eq!(error.to_string(), "schema at byte 0: found the variant 'clear', expected one of 'calm', 'steady'");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Schema`](tam::ErrorKind::Schema) where a value is not what the type asks for, or too large for it;
/// [`ErrorKind::Unsupported`](tam::ErrorKind::Unsupported) for what a later version of the schema has put in;
/// [`ErrorKind::Limit`](tam::ErrorKind::Limit) where a type that holds itself is nested deeper than 128 levels. Each has
/// the path of the value, as [`Value::get`] takes it, but no offset: values do not know where in a message they were.
pub fn from_value<'v, T: Deserialize<'v>>(value: Value<'v>) -> Result<T, Error> {
    T::deserialize(de::Deserializer::new(value)).map_err(placed)
}

/// Makes a value of a Rust type, in the forms that [`from_value`] reads. Constraints are checked.
///
/// Some forms are for writing: a string is an INTEGER, a REAL or a CHOICE of strings by its text, and of a CHOICE the first
/// alternative that allows it. `None` is a component that is absent; nothing else can be. The types of open types are found by
/// their keys after the value is made: in them an alternative of NULL has to be a variant with a value, `Calm(())`.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Limits, Options, Values, to_value, write};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Reading {
///     sensor: u8,
///     celsius: Option<i8>,
/// }
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) OPTIONAL }
///      END",
/// )?;
/// let (node, limits, mut values) = (types.find("Reading")?, Limits::default(), Values::new());
/// let value = to_value(&Reading { sensor: 3, celsius: Some(20) }, &types, node, &limits, &mut values)?;
/// // A bit for the presence of celsius, 4 bits for the sensor, 7 for the temperature.
/// assert_eq!(write(value, &Options::uper())?, [0b1001_1011, 0b1100_0000]);
///
/// let error = to_value(&Reading { sensor: 16, celsius: None }, &types, node, &limits, &mut values).unwrap_err();
/// assert_eq!(error.to_string(), "schema at byte 0 in /sensor: found 16, expected 0 to 15 (Reading.sensor)");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ErrorKind::Schema`](tam::ErrorKind::Schema) where the Rust type is not what the type asks for, or a constraint does not
/// allow its value; [`ErrorKind::Limit`](tam::ErrorKind::Limit) beyond the `depth` or the `units` of the limits. Each has the
/// path of the value.
pub fn to_value<'v, T: Serialize + ?Sized>(
    value: &T,
    types: &'v Compiled,
    node: NodeId,
    limits: &Limits,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let mut table = Table::new();
    let mut json = Builder::new(b"", TypeSet::VALUE, *limits, &mut table);
    let place = ser::Serializer { types, form: ser::Form::Type(node), name: "", is_component: false, json: &mut json };
    value.serialize(place).map_err(placed)?;
    json.finish()?;
    let document = table.document(b"", TypeSet::VALUE);
    jer::read_events(&document, types, node, limits, &mut Filler::new(types, *limits, values))?;
    Ok(values.value(types, node, b""))
}

/// An error of a type's own code, which does not know the format, with it.
#[cold]
fn placed(error: Error) -> Error {
    if error.format().is_empty() { error.met_in(FORMAT, 0) } else { error }
}

/// The error of what is inside a component, an alternative or an item.
#[cold]
fn within(step: &dyn std::fmt::Display, error: Error) -> Error {
    let path = format!("/{step}{}", error.path());
    placed(error).in_path(path)
}
