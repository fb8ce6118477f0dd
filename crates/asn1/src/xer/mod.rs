//! Typed values as XML, by the basic and the canonical XML Encoding Rules (X.693 clauses 8 and 9).
//!
//! Writing makes the text. Reading takes a document of XML, which another crate reads from text. Both are guided by the
//! schema:
//!
//! | type | in XML |
//! | --- | --- |
//! | BOOLEAN, ENUMERATED | `<true/>`, `<red/>`: an empty element; reading accepts the bare word too |
//! | NULL | nothing |
//! | INTEGER | its digits; reading accepts the name of a named number, as an empty element or as it is |
//! | REAL | `1.5E10`, `<PLUS-INFINITY/>`, `<MINUS-INFINITY/>`, `<NOT-A-NUMBER/>` |
//! | BIT STRING | its bits, `0110`; reading accepts names of bits as empty elements |
//! | OCTET STRING | hexadecimal digits |
//! | OBJECT IDENTIFIER, RELATIVE-OID | the dotted form |
//! | types of characters and of time | the text; control characters that XML does not have are empty elements: `<esc/>` |
//! | SEQUENCE, SET, CHOICE | an element for each component, named by its identifier |
//! | SEQUENCE OF, SET OF | an element for each component, named by its identifier or type; BOOLEAN, ENUMERATED and CHOICE without one |
//! | open type, string that contains a value | an element named by the type; octets of no known type with their rules: `<per>0A</per>` |
//!
//! The outermost element is named by the type of the value. Components that equal their default are left out, or all
//! written by the canonical rules. A missing, repeated or unknown component is an error.

mod control;
mod keys;
mod reader;
mod scalar;
mod writer;

pub use reader::{read, read_events};
pub use writer::{append, write};

/// The name of the format in errors.
const FORMAT: &str = "xer";
