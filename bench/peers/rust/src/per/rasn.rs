//! rasn.

mod beacon;
mod directory;
mod frame;
mod signalling;
mod telemetry;

use rasn::{Decode, Encode};

use super::{Per, Rules, timed};

struct Rasn<T> {
    rules: Rules,
    values: Vec<T>,
    messages: Vec<Vec<u8>>,
    next: usize,
}

impl<T: Decode + Encode + PartialEq + 'static> Rasn<T> {
    fn make(rules: Rules, json: &str) -> Result<Box<dyn Per>, String> {
        let read = |line| rasn::jer::decode::<T>(line).map_err(|error| error.to_string());
        let values = json.lines().map(read).collect::<Result<Vec<T>, String>>()?;
        let messages = values.iter().map(|value| encode(value, rules)).collect::<Result<Vec<_>, String>>()?;
        for (value, message) in values.iter().zip(&messages) {
            if decode::<T>(message, rules)? != *value {
                return Err("reads something else than it wrote".to_owned());
            }
        }
        Ok(Box::new(Rasn { rules, values, messages, next: 0 }))
    }
}

fn encode<T: Encode>(value: &T, rules: Rules) -> Result<Vec<u8>, String> {
    let written = match rules {
        Rules::Uper => rasn::uper::encode(value),
        Rules::Aper => rasn::aper::encode(value),
    };
    written.map_err(|error| error.to_string())
}

fn decode<T: Decode>(message: &[u8], rules: Rules) -> Result<T, String> {
    let read = match rules {
        Rules::Uper => rasn::uper::decode(message),
        Rules::Aper => rasn::aper::decode(message),
    };
    read.map_err(|error| error.to_string())
}

impl<T: Decode + Encode> Per for Rasn<T> {
    fn messages(&self) -> &[Vec<u8>] {
        &self.messages
    }

    fn decode(&mut self, times: u32) -> u64 {
        let (all, next) = (&self.messages, &mut self.next);
        match self.rules {
            Rules::Uper => timed(all, next, times, |message| rasn::uper::decode::<T>(message)),
            Rules::Aper => timed(all, next, times, |message| rasn::aper::decode::<T>(message)),
        }
    }

    fn encode(&mut self, times: u32) -> u64 {
        let (all, next) = (&self.values, &mut self.next);
        match self.rules {
            Rules::Uper => timed(all, next, times, |value| rasn::uper::encode(value)),
            Rules::Aper => timed(all, next, times, |value| rasn::aper::encode(value)),
        }
    }
}

pub(super) fn make(kind: &str, rules: Rules, json: &str) -> Result<Box<dyn Per>, String> {
    match kind {
        "beacon" | "beacon-extended" => Rasn::<beacon::Beacon>::make(rules, json),
        "telemetry" => Rasn::<telemetry::Batch>::make(rules, json),
        "directory" => Rasn::<directory::Directory>::make(rules, json),
        "signalling" => Rasn::<signalling::Message>::make(rules, json),
        "frame" => Rasn::<frame::Frame>::make(rules, json),
        _ => Err(format!("there are no {kind}")),
    }
}
