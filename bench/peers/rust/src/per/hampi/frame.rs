//! `frame.asn1` for asn1-codecs.

use asn1_codecs_derive::{AperCodec, UperCodec};

use super::macros::{booleans, enumerations, integers, strings};

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Frame {
    pub sequence: Sequence,
    pub channel: Channel,
    pub kind: Kind,
    pub last: Last,
    pub digest: Digest,
    pub payload: Payload,
}

booleans! { Last }

enumerations! { Kind "2" false; }

integers! {
    Sequence(u16) "0" "65535";
    Channel(u8) "0" "15";
}

strings! {
    "OCTET-STRING" Digest(Vec<u8>) "32" "32";
    "OCTET-STRING" Payload(Vec<u8>) "0" "65535";
}
