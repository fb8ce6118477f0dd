//! `signalling.asn1` for rasn.

use rasn::prelude::*;

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum Message {
    #[rasn(identifier = "request")]
    Request(Request),
    #[rasn(identifier = "success")]
    Success(Outcome),
    #[rasn(identifier = "failure")]
    Failure(Failure),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Request {
    #[rasn(value("0..=255"))]
    pub procedure: u8,
    pub criticality: Criticality,
    pub body: RequestBody,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Outcome {
    #[rasn(value("0..=255"))]
    pub procedure: u8,
    pub criticality: Criticality,
    #[rasn(size("1..=256"))]
    pub bearers: Vec<Identity>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Failure {
    #[rasn(value("0..=255"))]
    pub procedure: u8,
    pub criticality: Criticality,
    pub cause: Cause,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
pub enum Criticality {
    #[rasn(identifier = "reject")]
    Reject,
    #[rasn(identifier = "ignore")]
    Ignore,
    #[rasn(identifier = "notify")]
    Notify,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum RequestBody {
    #[rasn(identifier = "assignment")]
    Assignment(Assignment),
    #[rasn(identifier = "release")]
    Release(Release),
    #[rasn(identifier = "paging")]
    Paging(Paging),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Assignment {
    #[rasn(size("1..=256"))]
    pub bearers: Vec<Bearer>,
    #[rasn(size("1..=256"))]
    pub release: Option<Vec<Identity>>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Release {
    pub cause: Cause,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Paging {
    pub domain: Domain,
    pub identity: Subscriber,
    pub area: Option<Area>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
pub enum Domain {
    #[rasn(identifier = "circuit")]
    Circuit,
    #[rasn(identifier = "packet")]
    Packet,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(delegate, size("8"))]
pub struct Identity(pub BitString);

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Bearer {
    pub identity: Identity,
    pub parameters: Option<Parameters>,
    pub plane: Option<Plane>,
    pub endpoint: Option<Endpoint>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Parameters {
    pub traffic: Traffic,
    pub symmetry: Symmetry,
    #[rasn(size("1..=2"))]
    pub peak: Vec<BitRate>,
    #[rasn(size("1..=2"))]
    pub guaranteed: Option<Vec<BitRate>>,
    pub ordered: bool,
    #[rasn(value("0..=32768"))]
    pub largest: u16,
    #[rasn(size("1..=7"))]
    pub formats: Vec<Format>,
    #[rasn(value("0..=65535"))]
    pub delay: Option<u16>,
    pub priority: Option<Priority>,
    pub source: Option<Source>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum Traffic {
    #[rasn(identifier = "conversational")]
    Conversational,
    #[rasn(identifier = "streaming")]
    Streaming,
    #[rasn(identifier = "interactive")]
    Interactive,
    #[rasn(identifier = "background")]
    Background,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum Symmetry {
    #[rasn(identifier = "symmetric")]
    Symmetric,
    #[rasn(identifier = "downward")]
    Downward,
    #[rasn(identifier = "upward")]
    Upward,
    #[rasn(identifier = "unequal")]
    Unequal,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(delegate, value("0..=16000000"))]
pub struct BitRate(pub u32);

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Format {
    pub delivery: Delivery,
    pub lost: Option<ErrorRatio>,
    pub residual: ErrorRatio,
    #[rasn(size("1..=64"))]
    pub rates: Option<Vec<Rate>>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
pub enum Delivery {
    #[rasn(identifier = "yes")]
    Yes,
    #[rasn(identifier = "no")]
    No,
    #[rasn(identifier = "none")]
    None,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct ErrorRatio {
    #[rasn(value("1..=9"))]
    pub mantissa: u8,
    #[rasn(value("1..=8"))]
    pub exponent: u8,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Rate {
    #[rasn(value("0..=4095"))]
    pub size: u16,
    pub rate: Option<BitRate>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
pub enum Priority {
    #[rasn(value("0..=15"), identifier = "level")]
    Level(u8),
    #[rasn(identifier = "allocation")]
    Allocation(Allocation),
    #[rasn(identifier = "none")]
    None(()),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Allocation {
    #[rasn(value("0..=15"))]
    pub level: u8,
    pub preempts: bool,
    pub vulnerable: bool,
    pub queued: bool,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum Source {
    #[rasn(identifier = "speech")]
    Speech,
    #[rasn(identifier = "unknown")]
    Unknown,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Plane {
    pub mode: Mode,
    #[rasn(size("16"))]
    pub versions: BitString,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum Mode {
    #[rasn(identifier = "transparent")]
    Transparent,
    #[rasn(identifier = "predefined")]
    Predefined,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum Endpoint {
    #[rasn(identifier = "tunnel")]
    Tunnel(Tunnel),
    #[rasn(size("4"), identifier = "binding")]
    Binding(FixedOctetString<4>),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Tunnel {
    pub address: TransportAddress,
    #[rasn(size("4"))]
    pub label: FixedOctetString<4>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum TransportAddress {
    #[rasn(size("4"), identifier = "short")]
    Short(FixedOctetString<4>),
    #[rasn(size("16"), identifier = "long")]
    Long(FixedOctetString<16>),
    #[rasn(size("3..=255"), identifier = "named")]
    Named(VisibleString),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum Subscriber {
    #[rasn(size("4"), identifier = "temporary")]
    Temporary(FixedOctetString<4>),
    #[rasn(size("3..=8"), identifier = "permanent")]
    Permanent(OctetString),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum Area {
    #[rasn(identifier = "location")]
    Location(Location),
    #[rasn(identifier = "routing")]
    Routing(Routing),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Location {
    #[rasn(size("3"))]
    pub network: FixedOctetString<3>,
    #[rasn(size("2"))]
    pub code: FixedOctetString<2>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Routing {
    pub location: Location,
    #[rasn(size("1"))]
    pub code: FixedOctetString<1>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(choice, automatic_tags)]
#[non_exhaustive]
pub enum Cause {
    #[rasn(value("1..=64"), identifier = "radio")]
    Radio(u8),
    #[rasn(value("65..=80"), identifier = "transport")]
    Transport(u8),
    #[rasn(identifier = "protocol")]
    Protocol(ProtocolCause),
    #[rasn(identifier = "other")]
    Other(OtherCause),
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum ProtocolCause {
    #[rasn(identifier = "syntax")]
    Syntax,
    #[rasn(identifier = "semantic")]
    Semantic,
    #[rasn(identifier = "unexpected")]
    Unexpected,
    #[rasn(identifier = "unspecified")]
    Unspecified,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct OtherCause {
    #[rasn(value("113..=128"))]
    pub code: u8,
    pub detail: Option<ProtocolCause>,
}
