//! The peers that read messages into typed structs and write them: serde's libraries by one piece
//! of code, each with the calls that are fastest, and minicbor's own derived code.

mod base64;
mod ciborium;
mod indexed;
mod libraries;

use std::{hint::black_box, time::Instant};

use messages::{Form, lent};

use libraries::{Bson, Library, MinicborSerde, RmpNamed, RmpPositional, SerdeJson, SimdJson, Sonic};

/// A library with one message, in structs and as it goes on the wire.
pub trait Typed {
    /// The message as this library writes it.
    fn message(&self) -> &[u8];

    /// What the library reads out of its message, written by `Debug`.
    fn read(&mut self) -> Result<String, String>;

    /// Nanoseconds that so many readings of the message into structs take.
    fn parse(&mut self, times: u32) -> u64;

    /// Nanoseconds that writing the structs so often into the same buffer takes.
    fn generate(&mut self, times: u32) -> u64;
}

/// Times work that is done again and again.
fn timed(times: u32, mut work: impl FnMut()) -> u64 {
    let start = Instant::now();
    for _ in 0..times {
        work();
    }
    start.elapsed().as_nanos() as u64
}

/// A library of serde's with a message of a form.
struct Serde<L: Library, F: Form> {
    library: L,
    value: F::Of<'static>,
    message: Vec<u8>,
    out: Vec<u8>,
}

impl<L: Library + 'static, F: Form + 'static> Serde<L, F> {
    fn make(value: F::Of<'static>) -> Result<Box<dyn Typed>, String> {
        let mut message = Vec::new();
        L::write(&value, &mut message)?;
        Ok(Box::new(Serde::<L, F> { library: L::new(&message), value, message, out: Vec::new() }))
    }
}

impl<L: Library + 'static, F: Form + 'static> Typed for Serde<L, F> {
    fn message(&self) -> &[u8] {
        &self.message
    }

    fn read(&mut self) -> Result<String, String> {
        self.library.read::<F::Of<'_>, _>(&self.message, |value| format!("{value:?}"))
    }

    fn parse(&mut self, times: u32) -> u64 {
        self.library.parse::<F>(&self.message, times, |value| _ = black_box(&value))
    }

    fn generate(&mut self, times: u32) -> u64 {
        timed(times, || {
            self.out.clear();
            let _ = black_box(L::write(black_box(&self.value), &mut self.out));
            black_box(&self.out);
        })
    }
}

/// A value out of the JSON text of a document.
fn of_json<T: serde::Deserialize<'static>>(json: &'static [u8]) -> Result<T, String> {
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

/// The peer of a name with a message; `json` is the text of a document, and empty for the paper's messages.
pub(crate) fn make(peer: &str, message: &str, json: &'static [u8]) -> Result<Box<dyn Typed>, String> {
    /// A library that lends what it reads.
    macro_rules! lending {
        ($library:ty) => {
            match message {
                messages::REQUEST => Serde::<$library, lent::Request>::make(messages::named::request()),
                messages::REPLY => Serde::<$library, lent::Reply>::make(messages::named::reply()),
                "posts" => Serde::<$library, lent::Posts>::make(of_json(json)?),
                "catalog" => Serde::<$library, lent::Catalog>::make(of_json(json)?),
                image => Serde::<$library, lent::Image>::make(messages::named::image(octets_of(image)?)),
            }
        };
    }
    /// A library of JSON, which has text in the place of octets.
    macro_rules! json {
        ($library:ty) => {
            match octets_of(message) {
                Ok(octets) => base64::Text::<$library>::make(octets),
                Err(_) => lending!($library),
            }
        };
    }
    match peer {
        "serde_json" | "serde_json, base64 text" => json!(SerdeJson),
        "sonic-rs" | "sonic-rs, base64 text" => json!(Sonic),
        "simd-json" | "simd-json, base64 text" => json!(SimdJson),
        "serde_json + base64" => base64::Counted::<SerdeJson>::make(octets_of(message)?),
        "sonic-rs + base64" => base64::Counted::<Sonic>::make(octets_of(message)?),
        "simd-json + base64" => base64::Counted::<SimdJson>::make(octets_of(message)?),
        "minicbor-serde" => lending!(MinicborSerde),
        "rmp-serde named" => lending!(RmpNamed),
        "rmp-serde positional" => lending!(RmpPositional),
        "bson" => lending!(Bson),
        "ciborium" => ciborium::make(message, json),
        "minicbor derive, integer keys" => match message {
            messages::REQUEST => Ok(indexed::request()),
            messages::REPLY => Ok(indexed::reply()),
            image => Ok(indexed::image(octets_of(image)?)),
        },
        _ => Err(format!("there is no {peer}")),
    }
}

/// How many octets the image of a message has.
fn octets_of(message: &str) -> Result<usize, String> {
    let image = messages::IMAGES.iter().find(|image| image.0 == message);
    image.map(|image| image.1).ok_or_else(|| format!("{message} holds no image"))
}
