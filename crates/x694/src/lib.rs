//! Maps XML schemas to ASN.1 modules (ITU-T X.694), reads their instances as values of these modules, and writes them.
//!
//! | step | where |
//! | --- | --- |
//! | map a schema to ASN.1 modules | [`mapping`] |
//! | read and write instances | [`xer`] |
//!
//! The encoding rules of the crate `asn1` turn a value into a message in PER, BER or another encoding, and back:
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
//!     "reading.xsd",
//!     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
//!          <xs:element name="reading" type="xs:unsignedByte"/>
//!        </xs:schema>"#,
//! );
//! let options = Options::default();
//! let schema = Schema::read_from(source, "reading.xsd", &options)?;
//! let types = xer::Types::new(schema, &mapping::Options::default())?;
//!
//! let mut values = lengthwise_asn1::Values::new();
//! let value = xer::read(b"<reading>250</reading>", &types, &options, &mut values)?;
//! assert_eq!(lengthwise_asn1::write(value, &lengthwise_asn1::Options::uper())?, [250]);
//! # Ok(())
//! # }
//! ```
//!
//! Sources: ITU-T X.694 (2004) for the mapping, ITU-T X.693 (2001) Amendment 1 for instances (EXTENDED-XER).

mod iso8601;
pub mod mapping;
mod reverse;
pub mod xer;
