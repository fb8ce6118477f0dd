//! `telemetry.asn1` for asn1-codecs.

use asn1_codecs_derive::{AperCodec, UperCodec};

use super::macros::{booleans, enumerations, integers, lists};

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false)]
pub struct Batch {
    pub station: Station,
    pub start: Start,
    pub interval: Interval,
    pub samples: Samples,
}

#[derive(AperCodec, UperCodec, Debug)]
#[asn(type = "SEQUENCE", extensible = false, optional_fields = 2)]
pub struct Sample {
    pub offset: Offset,
    pub temperature: Temperature,
    #[asn(optional_idx = 0)]
    pub humidity: Option<Humidity>,
    pub pressure: Pressure,
    #[asn(optional_idx = 1)]
    pub wind: Option<Wind>,
    pub voltage: Voltage,
    pub state: State,
    pub alarm: Alarm,
}

booleans! { Alarm }

enumerations! { State "4" false; }

integers! {
    Station(u16) "0" "65535";
    Start(u64) "0" "1099511627775";
    Interval(u16) "1" "60000";
    Offset(u32) "0" "3600000";
    Temperature(i16) "-6000" "8500";
    Humidity(u16) "0" "1000";
    Pressure(u32) "30000" "110000";
    Wind(u16) "0" "7500";
    Voltage(u16) "0" "4095";
}

lists! { Samples(Sample) "0" "4096"; }
