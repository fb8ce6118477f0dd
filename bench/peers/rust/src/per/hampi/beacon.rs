//! `beacon.asn1` for asn1-codecs, which passes over the additions.

use asn1_codecs_derive::{AperCodec, UperCodec};
use bitvec::prelude::{BitVec, Msb0};

use super::macros::{booleans, enumerations, integers, lists, strings};

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 3)]
pub struct Beacon {
    pub header: Header,
    pub position: Position,
    pub motion: Motion,
    #[asn(optional_idx = 0)]
    pub body: Option<Body>,
    #[asn(optional_idx = 1)]
    pub lights: Option<Lights>,
    #[asn(optional_idx = 2)]
    pub path: Option<Path>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Header {
    pub version: Version,
    pub station: Station,
    pub moment: Moment,
    pub kind: Kind,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 2)]
pub struct Position {
    pub latitude: Latitude,
    pub longitude: Longitude,
    #[asn(optional_idx = 0)]
    pub altitude: Option<Altitude>,
    #[asn(optional_idx = 1)]
    pub ellipse: Option<Ellipse>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Ellipse {
    pub major: Axis,
    pub minor: Axis,
    pub angle: Angle,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 4)]
pub struct Motion {
    pub speed: Speed,
    pub heading: Angle,
    pub forward: Acceleration,
    #[asn(optional_idx = 0)]
    pub sideways: Option<Acceleration>,
    #[asn(optional_idx = 1)]
    pub upward: Option<Acceleration>,
    #[asn(optional_idx = 2)]
    pub yaw: Option<Yaw>,
    #[asn(optional_idx = 3)]
    pub curvature: Option<Curvature>,
    pub gear: Gear,
    pub reversing: Reversing,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = true, optional_fields = 2)]
pub struct Body {
    pub length: Length,
    pub width: Width,
    #[asn(optional_idx = 0)]
    pub height: Option<Height>,
    #[asn(optional_idx = 1)]
    pub mass: Option<Length>,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false, optional_fields = 2)]
pub struct Point {
    pub north: Distance,
    pub east: Distance,
    #[asn(optional_idx = 0)]
    pub up: Option<Rise>,
    #[asn(optional_idx = 1)]
    pub after: Option<Delay>,
}

booleans! { Reversing }

enumerations! {
    Kind "11" true;
    Gear "3" false;
}

integers! {
    Version(u8) "0" "255";
    Station(u32) "0" "4294967295";
    Moment(u16) "0" "65535";
    Latitude(i32) "-900000000" "900000001";
    Longitude(i32) "-1800000000" "1800000001";
    Altitude(i32) "-100000" "800001";
    Axis(u16) "0" "4095";
    Angle(u16) "0" "3601";
    Speed(u16) "0" "16383";
    Acceleration(i16) "-160" "161";
    Yaw(i16) "-32766" "32767";
    Curvature(i16) "-1023" "1023";
    Length(u16) "1" "1023";
    Width(u8) "1" "62";
    Height(u8) "1" "127";
    Distance(i32) "-131072" "131071";
    Rise(i16) "-12800" "12800";
    Delay(u16) "1" "65535";
}

lists! { Path(Point) "1" "23"; }

strings! { "BITSTRING" Lights(BitVec<u8, Msb0>) "8" "8"; }
