//! Typed values as JSON, in the form of X.697.
//!
//! Converts documents of JSON values into values of a type and back. Another crate reads and writes the text of the
//! documents.
//!
//! | type | in JSON |
//! | --- | --- |
//! | BOOLEAN, NULL | `true`, `false`, `null` |
//! | INTEGER | a number without fraction and exponent, as long as it is |
//! | REAL | a number, read as the nearest double; `"INF"`, `"-INF"`, `"NaN"`, `"-0"`; for a decimal value that no
//! double equals, `{"base10Value": "0.1"}`; for a type whose constraint allows base 10 only, a number with all its
//! digits, which may be a string when it is read |
//! | ENUMERATED | the identifier as a string; by an XML Schema the text of the value, or the number |
//! | OCTET STRING | a string of hexadecimal digits |
//! | BIT STRING | such a string for a fixed size, otherwise `{"value": "A5C0", "length": 10}`; reading accepts both for
//! a fixed size |
//! | either of these that contains a value | `{"containing": 17}` |
//! | OBJECT IDENTIFIER, RELATIVE-OID | the dotted form as a string |
//! | types of characters and of time | a string |
//! | SEQUENCE, SET | an object, its members in the order of the notation; absent ones are left out |
//! | CHOICE | an object with one member; the text alone for dates, times and durations of an XML Schema
//! ([`is_bare`](crate::compiled::Choice::is_bare)), which reading accepts in both forms |
//! | SEQUENCE OF, SET OF | an array |
//!
//! Octets may be binary data as well, in documents that have it ([`write_binary`]).
//!
//! Members are read in any order. An unknown member, a repeated member and a missing member are errors, and so are
//! values that their constraints do not allow. JSON has no form for values of a later version of the schema.

mod infer;
mod names;
pub(crate) mod number;
mod reader;
mod scalar;
mod writer;

pub use infer::{Inference, documents};
pub use reader::{read, read_events, read_nullable};
pub use writer::{write, write_binary};

/// The member with the value in a string (X.697 clauses 24 and 25).
pub(crate) const CONTAINING: &str = "containing";

/// The name of the format in errors.
const FORMAT: &str = "jer";
