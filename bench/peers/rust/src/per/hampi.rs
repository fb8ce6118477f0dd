//! asn1-codecs, of the project Hampi.

mod macros;

mod beacon;
mod directory;
mod frame;
mod signalling;
mod telemetry;

use asn1_codecs::{PerCodecData, PerCodecError, aper::AperCodec, uper::UperCodec};

use super::{Per, Rules, timed};

struct Hampi<T> {
    rules: Rules,
    values: Vec<T>,
    messages: Vec<Vec<u8>>,
    next: usize,
}

fn decode_uper<T: UperCodec<Output = T>>(message: &[u8]) -> Result<T, PerCodecError> {
    T::uper_decode(&mut PerCodecData::from_slice_uper(message))
}

fn decode_aper<T: AperCodec<Output = T>>(message: &[u8]) -> Result<T, PerCodecError> {
    T::aper_decode(&mut PerCodecData::from_slice_aper(message))
}

fn encode_uper<T: UperCodec>(value: &T) -> Result<Vec<u8>, PerCodecError> {
    let mut data = PerCodecData::new_uper();
    value.uper_encode(&mut data)?;
    Ok(data.into_bytes())
}

fn encode_aper<T: AperCodec>(value: &T) -> Result<Vec<u8>, PerCodecError> {
    let mut data = PerCodecData::new_aper();
    value.aper_encode(&mut data)?;
    Ok(data.into_bytes())
}

impl<T: AperCodec<Output = T> + UperCodec<Output = T> + 'static> Hampi<T> {
    /// Its values are what it reads out of messages that another library wrote: it has no form of
    /// text.
    fn make(rules: Rules, messages: &[Vec<u8>]) -> Result<Box<dyn Per>, String> {
        let words = |error: PerCodecError| format!("{error:?}");
        let values: Result<Vec<T>, _> = match rules {
            Rules::Uper => messages.iter().map(|message| decode_uper(message)).collect(),
            Rules::Aper => messages.iter().map(|message| decode_aper(message)).collect(),
        };
        let values = values.map_err(words)?;
        let written: Result<Vec<_>, _> = match rules {
            Rules::Uper => values.iter().map(encode_uper).collect(),
            Rules::Aper => values.iter().map(encode_aper).collect(),
        };
        let messages = written.map_err(words)?;
        Ok(Box::new(Hampi { rules, values, messages, next: 0 }))
    }
}

impl<T: AperCodec<Output = T> + UperCodec<Output = T>> Per for Hampi<T> {
    fn messages(&self) -> &[Vec<u8>] {
        &self.messages
    }

    fn decode(&mut self, times: u32) -> u64 {
        let (all, next) = (&self.messages, &mut self.next);
        match self.rules {
            Rules::Uper => timed(all, next, times, |message| decode_uper::<T>(message)),
            Rules::Aper => timed(all, next, times, |message| decode_aper::<T>(message)),
        }
    }

    fn encode(&mut self, times: u32) -> u64 {
        let (all, next) = (&self.values, &mut self.next);
        match self.rules {
            Rules::Uper => timed(all, next, times, encode_uper::<T>),
            Rules::Aper => timed(all, next, times, encode_aper::<T>),
        }
    }
}

pub(super) fn make(kind: &str, rules: Rules, messages: &[Vec<u8>]) -> Result<Box<dyn Per>, String> {
    match kind {
        "beacon" | "beacon-extended" => Hampi::<beacon::Beacon>::make(rules, messages),
        "telemetry" => Hampi::<telemetry::Batch>::make(rules, messages),
        "directory" => Hampi::<directory::Directory>::make(rules, messages),
        "signalling" => Hampi::<signalling::Message>::make(rules, messages),
        "frame" => Hampi::<frame::Frame>::make(rules, messages),
        _ => Err(format!("there are no {kind}")),
    }
}
