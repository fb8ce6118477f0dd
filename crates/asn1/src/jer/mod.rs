//! Typed values as JSON, in the form of X.697.
//!
//! A document of JSON values becomes values of a type, and these become a document again, whose text
//! another crate reads and writes.
//!
//! | type | in JSON |
//! | --- | --- |
//! | BOOLEAN, NULL | `true`, `false`, `null` |
//! | INTEGER | a number without fraction and exponent, as long as it is |
//! | REAL | a number, which is the double nearest to it; `"INF"`, `"-INF"`, `"NaN"`, `"-0"`; a decimal value that no double is equal to: `{"base10Value": "0.1"}`; of a type whose constraint leaves base 10 alone a number with all its digits |
//! | ENUMERATED | the identifier as a string |
//! | OCTET STRING | a string of hexadecimal digits |
//! | BIT STRING | of a fixed size such a string, else `{"value": "A5C0", "length": 10}`; both are read where the size is fixed |
//! | OBJECT IDENTIFIER, RELATIVE-OID | the dotted form as a string |
//! | types of characters and of time | a string |
//! | SEQUENCE, SET | an object, its members in the order of the notation; what is absent is left out |
//! | CHOICE | an object with one member |
//! | SEQUENCE OF, SET OF | an array |
//!
//! Members are read in any order. A member that the type does not have, one that comes twice and one
//! that is missing are errors; so are values that their constraints do not allow. What belongs to a
//! later version of the schema has no form in JSON.

mod names;
pub(crate) mod number;
mod reader;
mod scalar;
mod writer;

pub use reader::{read, read_events};
pub use writer::write;

/// The name of the format in errors.
const FORMAT: &str = "jer";
