//! Instances as values of the mapped modules, and back: EXTENDED-XER (X.693 Amendment 1), as the final
//! encoding instructions of X.694 have it.
//!
//! ```
//! # use ::asn1 as lengthwise_asn1;
//! # use ::tam as lengthwise_tam;
//! # use ::xsd as lengthwise_xsd;
//! use lengthwise_x694::{mapping, xer};
//! use lengthwise_xsd::{Memory, Options, Schema};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let source = Memory::new().with(
//!     "order.xsd",
//!     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
//!          <xs:element name="order">
//!            <xs:complexType>
//!              <xs:sequence>
//!                <xs:element name="item" type="xs:unsignedByte" maxOccurs="unbounded"/>
//!              </xs:sequence>
//!              <xs:attribute name="urgent" type="xs:boolean"/>
//!            </xs:complexType>
//!          </xs:element>
//!        </xs:schema>"#,
//! );
//! let options = Options::default();
//! let schema = Schema::read_from(source, "order.xsd", &options)?;
//! let types = xer::Types::new(schema, &mapping::Options::default())?;
//!
//! let xml = b"<order urgent=\"true\"><item>7</item><item>250</item></order>";
//! let mut values = lengthwise_asn1::Values::new();
//! let value = xer::read(xml, &types, &options, &mut values)?;
//! let message = lengthwise_asn1::write(value, &lengthwise_asn1::Options::uper())?;
//! // A bit that urgent is there and its value, how many items there are, and these.
//! assert_eq!(message, [0b1100_0000, 0b1000_0001, 0b1111_1110, 0b1000_0000]);
//!
//! let root = types.root("order")?;
//! let value = lengthwise_asn1::read(&message, types.compiled(), root.node(), &lengthwise_asn1::Options::uper(), &mut values)?;
//! let out = xer::write(value, &types)?;
//! assert_eq!(out, xml);
//! # Ok(())
//! # }
//! ```
//!
//! An instance is checked by a [`Validator`](xsd::Validator) on the way: what is read is valid, and what
//! is no instance is refused with its path, line and column. It is read in one pass, each value told to
//! its place as it comes. Tags that came at the same place before are expected, and read without an event;
//! values lend their texts from the instance where these stand in it as they are.
//!
//! What a value does not keep is not written again: comments, processing instructions, prefixes, white
//! space in element-only content and around values that have none, other spellings of a number or a
//! truth value (`+7`, `1` for `true`), and of defaults whether they were written.

mod build;
mod expect;
mod form;
mod grouping;
mod instructions;
mod leaves;
mod lexical;
mod place;
mod prefixes;
mod reader;
mod template;
mod trail;
mod types;
mod value;
mod wild;
mod writer;

pub use reader::{read, read_by_events};
pub use template::Template;
pub use types::{Root, Types};
pub use writer::{append, write};
