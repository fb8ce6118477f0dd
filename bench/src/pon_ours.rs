//! Our side of the table `pon`.

use std::hint::black_box;

use messages::{Form, LAST, Octets, named::ImageReply};
use pon::{Backward, Payload};

use crate::timing::Contestant;

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

type Image<'a> = ImageReply<&'a str, Octets<'a>>;

/// Room for all of an image's message but the octets.
const ROOM: usize = 512;

/// Writes an image's message by hand, its last member first, and leaves the octets where they are:
/// the pieces are what a socket or a file takes in one call.
fn gather<R>(image: &Image<'_>, buffer: &mut [u8; ROOM], take: impl FnOnce(pon::Pieces<'_>) -> R) -> Option<R> {
    let mut payloads = [Payload::default(); 1];
    let mut out = Backward::with_payloads(buffer, &mut payloads);
    let end = out.end();
    out.borrowed(image.image.0);
    out.key("image");
    out.integer(image.taken);
    out.key("taken");
    out.integer(image.height.into());
    out.key("height");
    out.integer(image.width.into());
    out.key("width");
    out.string(image.media);
    out.key("media");
    out.string(image.title);
    out.key("title");
    out.string(image.command);
    out.key("command");
    out.object(end);
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
