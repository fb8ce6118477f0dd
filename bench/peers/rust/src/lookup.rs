//! The peers that reach the last member of a large object, and read the number at its front.

use std::hint::black_box;

use messages::LAST;
use serde::{
    Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

use crate::{Counts, Peer};

/// A way to look the number up.
type Find = fn(&[u8]) -> Result<u64, String>;

struct Lookup<B> {
    document: B,
    find: Find,
}

impl<B: AsRef<[u8]>> Peer for Lookup<B> {
    fn read(&mut self) -> bool {
        black_box((self.find)(black_box(self.document.as_ref()))).is_ok()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        Ok([(self.find)(self.document.as_ref())?, 0, 0, 0, 0, 0, 0])
    }
}

fn missing() -> String {
    "there is no such member".into()
}

pub(crate) fn sonic(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let find: Find = |json| {
        let found = sonic_rs::get(json, LAST).map_err(|error| error.to_string())?;
        sonic_rs::JsonValueTrait::as_u64(&found).ok_or_else(missing)
    };
    Ok(Box::new(Lookup { document, find }))
}

pub(crate) fn sonic_unchecked(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    // It may be given nothing but sound JSON.
    serde_json::from_slice::<IgnoredAny>(document).map_err(|error| error.to_string())?;
    let find: Find = |json| {
        // SAFETY: the document was found to be sound above.
        let found = unsafe { sonic_rs::get_unchecked(json, LAST) }.map_err(|error| error.to_string())?;
        sonic_rs::JsonValueTrait::as_u64(&found).ok_or_else(missing)
    };
    Ok(Box::new(Lookup { document, find }))
}

pub(crate) fn serde_json(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    /// Passes over all members but one.
    struct Reach<'k>(&'k [&'k str]);

    impl<'de> Visitor<'de> for Reach<'_> {
        type Value = Option<u64>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<u64>, A::Error> {
            let mut found = None;
            while let Some(key) = map.next_key::<&str>()? {
                match self.0 {
                    [last] if key == *last => found = Some(map.next_value()?),
                    [first, rest @ ..] if key == *first => found = map.next_value_seed(Reach(rest))?,
                    _ => _ = map.next_value::<IgnoredAny>()?,
                }
            }
            Ok(found)
        }
    }

    impl<'de> serde::de::DeserializeSeed<'de> for Reach<'_> {
        type Value = Option<u64>;

        fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<u64>, D::Error> {
            from.deserialize_map(self)
        }
    }

    let find: Find = |json| {
        let mut from = serde_json::Deserializer::from_slice(json);
        (&mut from).deserialize_map(Reach(&LAST)).map_err(|error| error.to_string())?.ok_or_else(missing)
    };
    Ok(Box::new(Lookup { document, find }))
}

/// simd-json has no lazy look-up: the whole tape, which is then walked with its counts of nodes.
struct Tape {
    document: &'static [u8],
    copy: Vec<u8>,
    buffers: simd_json::Buffers,
}

pub(crate) fn simd_json_tape(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let buffers = simd_json::Buffers::new(document.len());
    Ok(Box::new(Tape { document, copy: document.to_vec(), buffers }))
}

impl Tape {
    fn find(&mut self) -> Result<u64, String> {
        use simd_json::prelude::*;
        let tape = simd_json::to_tape_with_buffers(&mut self.copy, &mut self.buffers);
        let tape = tape.map_err(|error| error.to_string())?;
        let member = tape.as_value().get(LAST[0]).ok_or_else(missing)?;
        member.get_u64(LAST[1]).ok_or_else(missing)
    }
}

impl Peer for Tape {
    fn prepare(&mut self) {
        self.copy.copy_from_slice(self.document);
    }

    fn read(&mut self) -> bool {
        black_box(self.find()).is_ok()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        Ok([self.find()?, 0, 0, 0, 0, 0, 0])
    }
}

pub(crate) fn bson(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let value: serde_json::Value = serde_json::from_slice(document).map_err(|error| error.to_string())?;
    let document = bson::serialize_to_vec(&value).map_err(|error| error.to_string())?;
    let find: Find = |document| {
        let found = bson::RawDocument::from_bytes(document)
            .and_then(|document| document.get(LAST[0]))
            .map_err(|error| error.to_string())?;
        let member = found.and_then(|found| found.as_document()).ok_or_else(missing)?;
        let number = member.get(LAST[1]).map_err(|error| error.to_string())?.ok_or_else(missing)?;
        number.as_i64().or(number.as_i32().map(i64::from)).map(|number| number as u64).ok_or_else(missing)
    };
    Ok(Box::new(Lookup { document, find }))
}

/// CBOR does not say how long a map is in bytes: all that is passed over is walked.
pub(crate) fn minicbor(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    let value: serde_json::Value = serde_json::from_slice(document).map_err(|error| error.to_string())?;
    let document = minicbor_serde::to_vec(&value).map_err(|error| error.to_string())?;
    let find: Find = |document| {
        let mut from = minicbor::Decoder::new(document);
        let mut reach = |key: &str| -> Result<(), minicbor::decode::Error> {
            for _ in 0..from.map()?.unwrap_or(u64::MAX) {
                if from.str()? == key {
                    return Ok(());
                }
                from.skip()?;
            }
            Err(minicbor::decode::Error::end_of_input())
        };
        LAST.into_iter().try_for_each(&mut reach).and_then(|()| from.u64()).map_err(|error| error.to_string())
    };
    Ok(Box::new(Lookup { document, find }))
}
