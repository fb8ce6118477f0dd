//! Reads instances as values of the mapped modules, and writes them: EXTENDED-XER (X.693 Amendment 1), with the final
//! encoding instructions of X.694.
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
//! // A bit for the presence of urgent, its value, the number of items, and the items.
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
//! A [`Validator`](xsd::Validator) checks the instance while it is read, in one pass. An invalid instance is refused with
//! a path, a line and a column. Tags that came at the same position in an earlier instance are expected, and read faster.
//! Texts are not copied if the instance has them without escapes.
//!
//! A value does not keep everything. These are lost when it is written again: comments, processing instructions,
//! prefixes, white space in element-only content and around values, the spelling of numbers and booleans (`+7`, `1` for
//! `true`), and whether a default value was written.

mod balance;
mod bare;
pub(crate) mod build;
mod copied;
mod expect;
mod form;
mod grouping;
pub(crate) mod instructions;
mod leaves;
mod lexical;
mod marks;
mod place;
pub(crate) mod prefixes;
mod reader;
mod rewriting;
mod template;
mod templates;
mod trail;
mod types;
mod value;
mod wild;
mod writer;

pub use ::xml::xop::Package;
pub use dds::Stats;
pub use reader::{read, read_by_events, read_package};
pub use rewriting::Rewrite;
pub use template::Template;
pub use templates::{Lease, Templates};
pub use types::{Root, Types};
pub use wild::check_element;
pub use writer::{append, write, write_package};
