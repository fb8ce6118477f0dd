//! ciborium, which lends nothing: its structs own what they hold.

use std::hint::black_box;

use messages::{OwnedOctets, named};
use serde::{Serialize, de::DeserializeOwned};

use super::{Typed, octets_of, of_json, timed};

pub(super) fn make(message: &str, json: &'static [u8]) -> Result<Box<dyn Typed>, String> {
    match message {
        messages::REQUEST => Owned::make(named::request::<String>()),
        messages::REPLY => Owned::make(named::reply::<String>()),
        "posts" => Owned::make(of_json::<messages::Posts<String>>(json)?),
        "catalog" => Owned::make(of_json::<messages::Catalog<String>>(json)?),
        image => Owned::make(named::image::<String, OwnedOctets>(octets_of(image)?)),
    }
}

struct Owned<T> {
    value: T,
    message: Vec<u8>,
    out: Vec<u8>,
    /// ciborium would make, and clear, one for each message.
    scratch: Vec<u8>,
}

impl<T: Serialize + DeserializeOwned + std::fmt::Debug + 'static> Owned<T> {
    fn make(value: T) -> Result<Box<dyn Typed>, String> {
        let mut message = Vec::new();
        ciborium::into_writer(&value, &mut message).map_err(|error| error.to_string())?;
        Ok(Box::new(Owned { value, message, out: Vec::new(), scratch: vec![0; 4096] }))
    }
}

impl<T: Serialize + DeserializeOwned + std::fmt::Debug + 'static> Typed for Owned<T> {
    fn message(&self) -> &[u8] {
        &self.message
    }

    fn read(&mut self) -> Result<String, String> {
        let value: T = ciborium::from_reader(&self.message[..]).map_err(|error| error.to_string())?;
        Ok(format!("{value:?}"))
    }

    fn parse(&mut self, times: u32) -> u64 {
        timed(times, || {
            let value = ciborium::de::from_reader_with_buffer(black_box(&self.message[..]), &mut self.scratch);
            let _ = black_box(value.map(|value: T| _ = black_box(&value)));
        })
    }

    fn generate(&mut self, times: u32) -> u64 {
        timed(times, || {
            self.out.clear();
            let _ = black_box(ciborium::into_writer(black_box(&self.value), &mut self.out));
            black_box(&self.out);
        })
    }
}
