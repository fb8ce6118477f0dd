//! The libraries of serde's, each by its fastest calls.

use std::hint::black_box;

use messages::Form;
use serde::{Deserialize, Serialize};

use super::timed;

/// What a library keeps between messages, and how it reads and writes.
pub(super) trait Library: Sized {
    /// For messages like this one.
    fn new(message: &[u8]) -> Self;

    /// Reads, and shows what it has read.
    fn read<'a, T: Deserialize<'a>, R>(&'a mut self, message: &'a [u8], show: impl FnOnce(T) -> R)
    -> Result<R, String>;

    /// Appends a message.
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), String>;

    /// Nanoseconds that so many readings take, with what is done with each value.
    fn parse<F: Form>(&mut self, message: &[u8], times: u32, mut then: impl for<'a> FnMut(F::Of<'a>)) -> u64 {
        timed(times, || {
            let _ = black_box(self.read::<F::Of<'_>, _>(black_box(message), &mut then));
        })
    }
}

/// A library that keeps nothing: its calls to read and to write.
macro_rules! library {
    ($name:ident, $message:ident => $read:expr, ($value:ident, $out:ident) => $write:expr) => {
        pub(super) struct $name;

        impl Library for $name {
            fn new(_: &[u8]) -> $name {
                $name
            }

            #[inline]
            fn read<'a, T: Deserialize<'a>, R>(
                &'a mut self,
                $message: &'a [u8],
                show: impl FnOnce(T) -> R,
            ) -> Result<R, String> {
                $read.map(show).map_err(|error| error.to_string())
            }

            #[inline]
            fn write<T: Serialize>($value: &T, $out: &mut Vec<u8>) -> Result<(), String> {
                $write.map(drop).map_err(|error| error.to_string())
            }
        }
    };
}

library!(SerdeJson, message => serde_json::from_slice(message), (value, out) => serde_json::to_writer(out, value));
library!(Sonic, message => sonic_rs::from_slice(message), (value, out) => sonic_rs::to_writer(out, value));
library!(
    MinicborSerde,
    message => minicbor_serde::from_slice(message),
    (value, out) => value.serialize(&mut minicbor_serde::Serializer::new(out))
);
library!(
    RmpNamed,
    message => rmp_serde::from_slice(message),
    (value, out) => rmp_serde::encode::write_named(out, value)
);
library!(
    RmpPositional,
    message => rmp_serde::from_slice(message),
    (value, out) => rmp_serde::encode::write(out, value)
);
library!(
    Bson,
    message => bson::deserialize_from_slice(message),
    (value, out) => bson::serialize_to_buffer(value, out)
);

/// simd-json destroys what it reads, so it gets copies, made outside the time: as many small ones
/// at once that reading the clock does not count.
pub(super) struct SimdJson {
    copies: Vec<Vec<u8>>,
    buffers: simd_json::Buffers,
}

impl Library for SimdJson {
    fn new(message: &[u8]) -> SimdJson {
        // Together they stay within the first cache.
        let copies = (8192 / message.len()).clamp(1, 64);
        SimdJson { copies: vec![message.to_vec(); copies], buffers: simd_json::Buffers::new(message.len()) }
    }

    fn read<'a, T: Deserialize<'a>, R>(
        &'a mut self,
        message: &'a [u8],
        show: impl FnOnce(T) -> R,
    ) -> Result<R, String> {
        let copy = &mut self.copies[0];
        copy.copy_from_slice(message);
        let value = simd_json::serde::from_slice_with_buffers(copy, &mut self.buffers);
        value.map(show).map_err(|error| error.to_string())
    }

    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), String> {
        simd_json::serde::to_writer(out, value).map_err(|error| error.to_string())
    }

    fn parse<F: Form>(&mut self, message: &[u8], times: u32, mut then: impl for<'a> FnMut(F::Of<'a>)) -> u64 {
        let (mut took, mut left) = (0, times as usize);
        while left > 0 {
            let turn = left.min(self.copies.len());
            for copy in &mut self.copies[..turn] {
                copy.copy_from_slice(message);
            }
            let mut copies = self.copies[..turn].iter_mut();
            let buffers = &mut self.buffers;
            took += timed(turn as u32, || {
                if let Some(copy) = copies.next() {
                    let value = simd_json::serde::from_slice_with_buffers::<F::Of<'_>>(copy, buffers);
                    let _ = black_box(value.map(&mut then));
                }
            });
            left -= turn;
        }
        took
    }
}
