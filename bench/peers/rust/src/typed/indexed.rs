//! minicbor's own derived code, with integers for keys: what it is best at.

use std::{hint::black_box, marker::PhantomData};

use messages::{
    Octets,
    indexed::{ImageReply, ServiceListReply, ServiceListRequest},
};
use minicbor::{Decode, Encode};

use super::{Typed, timed};

/// A type that minicbor reads, for a message of any lifetime.
trait Indexed: 'static {
    type Of<'a>: Encode<()> + Decode<'a, ()> + std::fmt::Debug;
}

enum Request {}
enum Reply {}
enum Image {}

impl Indexed for Request {
    type Of<'a> = ServiceListRequest<&'a str>;
}

impl Indexed for Reply {
    type Of<'a> = ServiceListReply<&'a str>;
}

impl Indexed for Image {
    type Of<'a> = ImageReply<&'a str, Octets<'a>>;
}

pub(super) fn request() -> Box<dyn Typed> {
    Derived::<Request>::make(messages::indexed::request())
}

pub(super) fn reply() -> Box<dyn Typed> {
    Derived::<Reply>::make(messages::indexed::reply())
}

pub(super) fn image(octets: usize) -> Box<dyn Typed> {
    Derived::<Image>::make(messages::indexed::image(octets))
}

struct Derived<F: Indexed> {
    value: F::Of<'static>,
    message: Vec<u8>,
    out: Vec<u8>,
    form: PhantomData<F>,
}

impl<F: Indexed> Derived<F> {
    fn make(value: F::Of<'static>) -> Box<dyn Typed> {
        let mut message = Vec::new();
        // Writing to a vector does not fail.
        let _ = minicbor::encode(&value, &mut message);
        Box::new(Derived::<F> { value, message, out: Vec::new(), form: PhantomData })
    }
}

impl<F: Indexed> Typed for Derived<F> {
    fn message(&self) -> &[u8] {
        &self.message
    }

    fn read(&mut self) -> Result<String, String> {
        let value: F::Of<'_> = minicbor::decode(&self.message).map_err(|error| error.to_string())?;
        Ok(format!("{value:?}"))
    }

    fn parse(&mut self, times: u32) -> u64 {
        timed(times, || {
            let value = minicbor::decode::<F::Of<'_>>(black_box(&self.message));
            let _ = black_box(value.map(|value| _ = black_box(&value)));
        })
    }

    fn generate(&mut self, times: u32) -> u64 {
        timed(times, || {
            self.out.clear();
            let _ = black_box(minicbor::encode(black_box(&self.value), &mut self.out));
            black_box(&self.out);
        })
    }
}
