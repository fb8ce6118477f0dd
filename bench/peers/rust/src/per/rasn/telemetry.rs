//! `telemetry.asn1` for rasn.

use rasn::prelude::*;

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Batch {
    #[rasn(value("0..=65535"))]
    pub station: u16,
    #[rasn(value("0..=1099511627775"))]
    pub start: u64,
    #[rasn(value("1..=60000"))]
    pub interval: u16,
    #[rasn(size("0..=4096"))]
    pub samples: Vec<Sample>,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, PartialEq)]
#[rasn(automatic_tags)]
pub struct Sample {
    #[rasn(value("0..=3600000"))]
    pub offset: u32,
    #[rasn(value("-6000..=8500"))]
    pub temperature: i16,
    #[rasn(value("0..=1000"))]
    pub humidity: Option<u16>,
    #[rasn(value("30000..=110000"))]
    pub pressure: u32,
    #[rasn(value("0..=7500"))]
    pub wind: Option<u16>,
    #[rasn(value("0..=4095"))]
    pub voltage: u16,
    pub state: State,
    pub alarm: bool,
}

#[derive(AsnType, Encode, Decode, Debug, Clone, Copy, PartialEq)]
#[rasn(enumerated)]
pub enum State {
    #[rasn(identifier = "normal")]
    Normal,
    #[rasn(identifier = "degraded")]
    Degraded,
    #[rasn(identifier = "calibrating")]
    Calibrating,
    #[rasn(identifier = "heating")]
    Heating,
    #[rasn(identifier = "failed")]
    Failed,
}
