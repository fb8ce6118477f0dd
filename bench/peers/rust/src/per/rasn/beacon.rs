//! `beacon.asn1` for rasn.

use rasn::prelude::*;

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Beacon {
    pub header: Header,
    pub position: Position,
    pub motion: Motion,
    pub body: Option<Body>,
    pub lights: Option<Lights>,
    #[rasn(size("1..=23"))]
    pub path: Option<Vec<Point>>,
    #[rasn(extension_addition)]
    pub service: Option<Service>,
    #[rasn(extension_addition, value("0..=4095"))]
    pub gap: Option<u16>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Header {
    #[rasn(value("0..=255"))]
    pub version: u8,
    #[rasn(value("0..=4294967295"))]
    pub station: u32,
    #[rasn(value("0..=65535"))]
    pub moment: u16,
    pub kind: Kind,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
#[non_exhaustive]
pub enum Kind {
    #[rasn(identifier = "unknown")]
    Unknown,
    #[rasn(identifier = "pedestrian")]
    Pedestrian,
    #[rasn(identifier = "cyclist")]
    Cyclist,
    #[rasn(identifier = "moped")]
    Moped,
    #[rasn(identifier = "motorcycle")]
    Motorcycle,
    #[rasn(identifier = "car")]
    Car,
    #[rasn(identifier = "bus")]
    Bus,
    #[rasn(identifier = "van")]
    Van,
    #[rasn(identifier = "lorry")]
    Lorry,
    #[rasn(identifier = "trailer")]
    Trailer,
    #[rasn(identifier = "special")]
    Special,
    #[rasn(identifier = "tram")]
    Tram,
    #[rasn(extension_addition, identifier = "drone")]
    Drone,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Position {
    #[rasn(value("-900000000..=900000001"))]
    pub latitude: i32,
    #[rasn(value("-1800000000..=1800000001"))]
    pub longitude: i32,
    #[rasn(value("-100000..=800001"))]
    pub altitude: Option<i32>,
    pub ellipse: Option<Ellipse>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Ellipse {
    #[rasn(value("0..=4095"))]
    pub major: u16,
    #[rasn(value("0..=4095"))]
    pub minor: u16,
    #[rasn(value("0..=3601"))]
    pub angle: u16,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Motion {
    #[rasn(value("0..=16383"))]
    pub speed: u16,
    #[rasn(value("0..=3601"))]
    pub heading: u16,
    #[rasn(value("-160..=161"))]
    pub forward: i16,
    #[rasn(value("-160..=161"))]
    pub sideways: Option<i16>,
    #[rasn(value("-160..=161"))]
    pub upward: Option<i16>,
    #[rasn(value("-32766..=32767"))]
    pub yaw: Option<i16>,
    #[rasn(value("-1023..=1023"))]
    pub curvature: Option<i16>,
    pub gear: Gear,
    pub reversing: bool,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
pub enum Gear {
    #[rasn(identifier = "neutral")]
    Neutral,
    #[rasn(identifier = "park")]
    Park,
    #[rasn(identifier = "forward")]
    Forward,
    #[rasn(identifier = "reverse")]
    Reverse,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
#[non_exhaustive]
pub struct Body {
    #[rasn(value("1..=1023"))]
    pub length: u16,
    #[rasn(value("1..=62"))]
    pub width: u8,
    #[rasn(value("1..=127"))]
    pub height: Option<u8>,
    #[rasn(value("1..=1023"))]
    pub mass: Option<u16>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(delegate, size("8"))]
pub struct Lights(pub BitString);

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Point {
    #[rasn(value("-131072..=131071"))]
    pub north: i32,
    #[rasn(value("-131072..=131071"))]
    pub east: i32,
    #[rasn(value("-12800..=12800"))]
    pub up: Option<i16>,
    #[rasn(value("1..=65535"))]
    pub after: Option<u16>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Service {
    #[rasn(value("0..=65535"))]
    pub line: u16,
    #[rasn(value("-3600..=3600"))]
    pub late: i16,
    #[rasn(value("0..=255"))]
    pub seats: Option<u8>,
}
