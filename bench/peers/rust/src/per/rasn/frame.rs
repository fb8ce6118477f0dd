//! `frame.asn1` for rasn.

use rasn::prelude::*;

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Frame {
    #[rasn(value("0..=65535"))]
    pub sequence: u16,
    #[rasn(value("0..=15"))]
    pub channel: u8,
    pub kind: Kind,
    pub last: bool,
    #[rasn(size("32"))]
    pub digest: FixedOctetString<32>,
    #[rasn(size("0..=65535"))]
    pub payload: OctetString,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
pub enum Kind {
    #[rasn(identifier = "data")]
    Data,
    #[rasn(identifier = "acknowledgement")]
    Acknowledgement,
    #[rasn(identifier = "control")]
    Control,
}
