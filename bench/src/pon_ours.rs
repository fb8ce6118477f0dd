//! Our side of the table `pon`.

use std::{fmt::Debug, hint::black_box};

use messages::{Form, LAST, Octets, named::ImageReply};
use pon::{Backward, Payload, Value};

use crate::{
    pon_by_hand::{ByHand, WithOctets},
    timing::Contestant,
};

/// A message as PON, read back to be what was written, and what `Debug` writes of it.
pub(crate) fn message<F: Form>(value: &F::Of<'_>) -> Result<(Vec<u8>, String), String> {
    let message = pon::to_vec(value).map_err(|error| error.to_string())?;
    let read = pon::from_slice::<F::Of<'_>>(&message).map(|read| format!("{read:?}"));
    let (read, written) = (read.map_err(|error| error.to_string())?, format!("{value:?}"));
    if read == written { Ok((message, written)) } else { Err(format!("read {read}, wrote {written}")) }
}

/// Values of all kinds in a message.
pub(crate) fn units(message: &[u8]) -> Result<u64, String> {
    let mut table = tam::Table::new();
    let read = pon::read(message, &pon::Options::default(), &mut table).map_err(|error| error.to_string())?;
    Ok(read.units() as u64)
}

pub(crate) fn parsing<'a, F: Form>(name: &str, message: &'a [u8]) -> Contestant<'a> {
    Contestant::new(name, move || {
        pon::from_slice::<F::Of<'_>>(black_box(message)).map(|value| _ = black_box(&value)).is_ok()
    })
}

pub(crate) fn generating<'a, T: serde::Serialize>(name: &str, value: &'a T) -> Contestant<'a> {
    let mut out = Vec::new();
    Contestant::new(name, move || {
        out.clear();
        let done = pon::to_buffer(black_box(value), &mut out).is_ok();
        black_box(&out);
        done
    })
}

/// A message by hand, read to be what serde writes and written to be that.
pub(crate) fn by_hand<'m, T: ByHand<'m> + Debug>(message: &'m [u8]) -> Result<(T, Vec<u8>), String> {
    let value = Value::new(message).and_then(T::read).map_err(|error| error.to_string())?;
    let mut out = Backward::new(&mut []);
    value.write(&mut out);
    let mut buffer = vec![0; out.len()];
    let mut out = Backward::new(&mut buffer);
    value.write(&mut out);
    let written = out.finish().map_err(|error| error.to_string())?;
    if written == message { Ok((value, buffer)) } else { Err(format!("written by hand is not the message: {value:?}")) }
}

pub(crate) fn parsing_by_hand<'m, T: ByHand<'m>>(name: &str, message: &'m [u8]) -> Contestant<'m> {
    Contestant::new(name, move || {
        Value::new(black_box(message)).and_then(T::read).map(|value| _ = black_box(&value)).is_ok()
    })
}

pub(crate) fn generating_by_hand<'a, 'm: 'a, T: ByHand<'m>>(
    name: &str,
    value: &'a T,
    mut buffer: Vec<u8>,
) -> Contestant<'a> {
    Contestant::new(name, move || {
        let mut out = Backward::new(&mut buffer);
        black_box(value).write(&mut out);
        out.finish().map(|message| _ = black_box(message)).is_ok()
    })
}

type Image<'a> = ImageReply<&'a str, Octets<'a>>;

/// Room for all of an image's message but the octets.
const ROOM: usize = 512;

/// Writes an image's message and leaves the octets where they are: the pieces are what a socket or
/// a file takes in one call.
fn gather<R>(image: &Image<'_>, buffer: &mut [u8; ROOM], take: impl FnOnce(pon::Pieces<'_>) -> R) -> Option<R> {
    let mut payloads = [Payload::default(); 1];
    let mut out = Backward::with_payloads(buffer, &mut payloads);
    image.write_with(&mut out, |out| out.borrowed(image.image.0));
    out.finish_pieces().map(take).ok()
}

/// The pieces put together: the message as serde writes it.
#[cfg(test)]
pub(crate) fn gathered(image: &Image<'_>) -> Option<Vec<u8>> {
    let pieces = |pieces: pon::Pieces<'_>| {
        let octets = |piece| if let pon::Piece::Octets(octets) = piece { octets } else { &[] };
        pieces.map(octets).collect::<Vec<_>>().concat()
    };
    gather(image, &mut [0; ROOM], pieces)
}

pub(crate) fn gathering<'a>(name: &str, image: &'a Image<'a>) -> Contestant<'a> {
    let mut buffer = [0; ROOM];
    Contestant::new(name, move || {
        gather(black_box(image), &mut buffer, |pieces| {
            for piece in pieces {
                black_box(piece);
            }
        })
    })
}

/// The number at the front of the last member.
pub(crate) fn find(message: &[u8]) -> Result<u64, pon::Error> {
    let [member, number] = LAST;
    pon::Value::new(message)?.require(member)?.require(number)?.as_u64()
}

pub(crate) fn finding<'a>(name: &str, message: &'a [u8]) -> Contestant<'a> {
    Contestant::new(name, move || find(black_box(message)).map_or(0, black_box))
}
