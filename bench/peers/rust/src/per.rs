//! The peers that read and write messages with the packed encoding rules: rasn and asn1-codecs. The code of both is
//! derived from types that correspond to the modules in `messages/asn1`. And prost, with the same records as XML
//! documents.

mod hampi;
mod protobuf;
mod rasn;

use std::{hint::black_box, time::Instant};

/// A library with messages of one kind under one set of rules.
pub trait Per {
    /// The messages as this library writes them.
    fn messages(&self) -> &[Vec<u8>];

    /// Nanoseconds of decoding so many messages, one after the other, each into a struct of its own.
    fn decode(&mut self, times: u32) -> u64;

    /// Nanoseconds of encoding so many.
    fn encode(&mut self, times: u32) -> u64;
}

/// Unaligned or aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rules {
    Uper,
    Aper,
}

impl Rules {
    fn named(name: &str) -> Result<Rules, String> {
        match name {
            "uper" => Ok(Rules::Uper),
            "aper" => Ok(Rules::Aper),
            _ => Err(format!("there are no rules {name}")),
        }
    }
}

/// Times work on so many things, taken in turn, beginning where the last time ended.
fn timed<T, R>(all: &[T], next: &mut usize, times: u32, mut work: impl FnMut(&T) -> R) -> u64 {
    let start = Instant::now();
    for _ in 0..times {
        black_box(work(black_box(&all[*next])));
        *next += 1;
        if *next == all.len() {
            *next = 0;
        }
    }
    start.elapsed().as_nanos() as u64
}

/// The peer of a name with messages of a kind, their values given in JSON, one a line; prost with one
/// message, given in XML.
pub(crate) fn make(peer: &str, kind: &str, rules: &str, json: &str) -> Result<Box<dyn Per>, String> {
    if peer == "prost" {
        return protobuf::make(kind, json);
    }
    let rules = Rules::named(rules)?;
    match peer {
        "rasn" => rasn::make(kind, rules, json),
        "asn1-codecs" => hampi::make(kind, rules, rasn::make(kind, rules, json)?.messages()),
        _ => Err(format!("there is no {peer}")),
    }
}
