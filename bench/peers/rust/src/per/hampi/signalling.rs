//! `signalling.asn1` for asn1-codecs.

use asn1_codecs_derive::{AperCodec, UperCodec};
use bitvec::prelude::{BitVec, Msb0};

use super::macros::{booleans, enumerations, integers, lists, strings};

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "2", extensible = true)]
pub enum Message {
    #[asn(key = 0, extended = false)]
    Request(Request),
    #[asn(key = 1, extended = false)]
    Success(Outcome),
    #[asn(key = 2, extended = false)]
    Failure(Failure),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Request {
    pub procedure: Procedure,
    pub criticality: Criticality,
    pub body: RequestBody,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true)]
pub struct Outcome {
    pub procedure: Procedure,
    pub criticality: Criticality,
    pub bearers: Identities,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true)]
pub struct Failure {
    pub procedure: Procedure,
    pub criticality: Criticality,
    pub cause: Cause,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "2", extensible = true)]
pub enum RequestBody {
    #[asn(key = 0, extended = false)]
    Assignment(Assignment),
    #[asn(key = 1, extended = false)]
    Release(Release),
    #[asn(key = 2, extended = false)]
    Paging(Paging),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 1)]
pub struct Assignment {
    pub bearers: Bearers,
    #[asn(optional_idx = 0)]
    pub release: Option<Identities>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true)]
pub struct Release {
    pub cause: Cause,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 1)]
pub struct Paging {
    pub domain: Domain,
    pub identity: Subscriber,
    #[asn(optional_idx = 0)]
    pub area: Option<Area>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 3)]
pub struct Bearer {
    pub identity: Identity,
    #[asn(optional_idx = 0)]
    pub parameters: Option<Parameters>,
    #[asn(optional_idx = 1)]
    pub plane: Option<Plane>,
    #[asn(optional_idx = 2)]
    pub endpoint: Option<Endpoint>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 4)]
pub struct Parameters {
    pub traffic: Traffic,
    pub symmetry: Symmetry,
    pub peak: BitRates,
    #[asn(optional_idx = 0)]
    pub guaranteed: Option<BitRates>,
    pub ordered: Ordered,
    pub largest: Largest,
    pub formats: Formats,
    #[asn(optional_idx = 1)]
    pub delay: Option<Delay>,
    #[asn(optional_idx = 2)]
    pub priority: Option<Priority>,
    #[asn(optional_idx = 3)]
    pub source: Option<Source>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 2)]
pub struct Format {
    pub delivery: Delivery,
    #[asn(optional_idx = 0)]
    pub lost: Option<ErrorRatio>,
    pub residual: ErrorRatio,
    #[asn(optional_idx = 1)]
    pub rates: Option<Rates>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct ErrorRatio {
    pub mantissa: Mantissa,
    pub exponent: Exponent,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false, optional_fields = 1)]
pub struct Rate {
    pub size: Size,
    #[asn(optional_idx = 0)]
    pub rate: Option<BitRate>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "2", extensible = false)]
pub enum Priority {
    #[asn(key = 0, extended = false)]
    Level(Level),
    #[asn(key = 1, extended = false)]
    Allocation(Allocation),
    #[asn(key = 2, extended = false)]
    None(Nothing),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "NULL")]
pub struct Nothing;

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Allocation {
    pub level: Level,
    pub preempts: Preempts,
    pub vulnerable: Vulnerable,
    pub queued: Queued,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Plane {
    pub mode: Mode,
    pub versions: Versions,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "1", extensible = true)]
pub enum Endpoint {
    #[asn(key = 0, extended = false)]
    Tunnel(Tunnel),
    #[asn(key = 1, extended = false)]
    Binding(FourOctets),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Tunnel {
    pub address: TransportAddress,
    pub label: FourOctets,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "2", extensible = true)]
pub enum TransportAddress {
    #[asn(key = 0, extended = false)]
    Short(FourOctets),
    #[asn(key = 1, extended = false)]
    Long(SixteenOctets),
    #[asn(key = 2, extended = false)]
    Named(HostName),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "1", extensible = true)]
pub enum Subscriber {
    #[asn(key = 0, extended = false)]
    Temporary(FourOctets),
    #[asn(key = 1, extended = false)]
    Permanent(Permanent),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "1", extensible = true)]
pub enum Area {
    #[asn(key = 0, extended = false)]
    Location(Location),
    #[asn(key = 1, extended = false)]
    Routing(Routing),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Location {
    pub network: ThreeOctets,
    pub code: TwoOctets,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Routing {
    pub location: Location,
    pub code: OneOctet,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "CHOICE", lb = "0", ub = "3", extensible = true)]
pub enum Cause {
    #[asn(key = 0, extended = false)]
    Radio(RadioCause),
    #[asn(key = 1, extended = false)]
    Transport(TransportCause),
    #[asn(key = 2, extended = false)]
    Protocol(ProtocolCause),
    #[asn(key = 3, extended = false)]
    Other(OtherCause),
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false, optional_fields = 1)]
pub struct OtherCause {
    pub code: OtherCode,
    #[asn(optional_idx = 0)]
    pub detail: Option<ProtocolCause>,
}

booleans! { Ordered Preempts Vulnerable Queued }

enumerations! {
    Criticality "2" false;
    Domain "1" false;
    Traffic "3" true;
    Symmetry "3" true;
    Delivery "2" false;
    Source "1" true;
    Mode "1" true;
    ProtocolCause "3" true;
}

integers! {
    Procedure(u8) "0" "255";
    BitRate(u32) "0" "16000000";
    Largest(u16) "0" "32768";
    Delay(u16) "0" "65535";
    Mantissa(u8) "1" "9";
    Exponent(u8) "1" "8";
    Size(u16) "0" "4095";
    Level(u8) "0" "15";
    RadioCause(u8) "1" "64";
    TransportCause(u8) "65" "80";
    OtherCode(u8) "113" "128";
}

lists! {
    Identities(Identity) "1" "256";
    Bearers(Bearer) "1" "256";
    BitRates(BitRate) "1" "2";
    Formats(Format) "1" "7";
    Rates(Rate) "1" "64";
}

strings! {
    "BITSTRING" Identity(BitVec<u8, Msb0>) "8" "8";
    "BITSTRING" Versions(BitVec<u8, Msb0>) "16" "16";
    "OCTET-STRING" OneOctet(Vec<u8>) "1" "1";
    "OCTET-STRING" TwoOctets(Vec<u8>) "2" "2";
    "OCTET-STRING" ThreeOctets(Vec<u8>) "3" "3";
    "OCTET-STRING" FourOctets(Vec<u8>) "4" "4";
    "OCTET-STRING" SixteenOctets(Vec<u8>) "16" "16";
    "OCTET-STRING" Permanent(Vec<u8>) "3" "8";
    "VisibleString" HostName(String) "3" "255";
}
