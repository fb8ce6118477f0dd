//! Images in JSON, as base64: the text for the value itself, as the paper measured, or with the
//! coding counted.

use std::hint::black_box;

use base64_simd::{AsOut, STANDARD};
use messages::{Octets, lent, named::ImageReply, octets};

use super::{Typed, libraries::Library, timed};

type Value = ImageReply<&'static str, Octets<'static>>;

fn decoded(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode_to_vec(text).map_err(|error| error.to_string())
}

/// As all libraries' values are written by `Debug`, with the octets.
fn shown(value: ImageReply<&str, &str>) -> Result<String, String> {
    let octets = decoded(value.image)?;
    Ok(format!("{:?}", value.with_image(Octets(&octets))))
}

/// Takes the base64 text for the value: nobody makes it, or makes octets of it.
pub(super) struct Text<L> {
    library: L,
    value: ImageReply<&'static str, String>,
    message: Vec<u8>,
    out: Vec<u8>,
}

impl<L: Library + 'static> Text<L> {
    pub(super) fn make(count: usize) -> Result<Box<dyn Typed>, String> {
        let value: Value = messages::named::image(count);
        let value = value.with_image(STANDARD.encode_to_string(octets(count)));
        let mut message = Vec::new();
        L::write(&value, &mut message)?;
        Ok(Box::new(Text::<L> { library: L::new(&message), value, message, out: Vec::new() }))
    }
}

impl<L: Library> Typed for Text<L> {
    fn message(&self) -> &[u8] {
        &self.message
    }

    fn read(&mut self) -> Result<String, String> {
        self.library.read(&self.message, shown)?
    }

    fn parse(&mut self, times: u32) -> u64 {
        self.library.parse::<lent::ImageText>(&self.message, times, |value| _ = black_box(&value))
    }

    fn generate(&mut self, times: u32) -> u64 {
        timed(times, || {
            self.out.clear();
            let _ = black_box(L::write(black_box(&self.value), &mut self.out));
            black_box(&self.out);
        })
    }
}

/// Makes base64 of octets, and octets of base64, into buffers that are kept.
pub(super) struct Counted<L> {
    library: L,
    value: Value,
    message: Vec<u8>,
    text: Vec<u8>,
    octets: Vec<u8>,
    out: Vec<u8>,
}

impl<L: Library + 'static> Counted<L> {
    pub(super) fn make(count: usize) -> Result<Box<dyn Typed>, String> {
        let value: Value = messages::named::image(count);
        let text = vec![0; STANDARD.encoded_length(count)];
        let mut peer = Counted::<L> {
            library: L::new(b" "),
            value,
            message: Vec::new(),
            text,
            octets: vec![0; count],
            out: Vec::new(),
        };
        peer.write();
        peer.message = peer.out.clone();
        peer.library = L::new(&peer.message);
        Ok(Box::new(peer))
    }
}

impl<L: Library> Counted<L> {
    fn write(&mut self) {
        self.out.clear();
        let value = black_box(&self.value).clone();
        let text = STANDARD.encode_as_str(value.image.0, self.text.as_out());
        let _ = black_box(L::write(&value.with_image(&*text), &mut self.out));
        black_box(&self.out);
    }
}

impl<L: Library> Typed for Counted<L> {
    fn message(&self) -> &[u8] {
        &self.message
    }

    fn read(&mut self) -> Result<String, String> {
        self.library.read(&self.message, shown)?
    }

    fn parse(&mut self, times: u32) -> u64 {
        let octets = &mut self.octets;
        self.library.parse::<lent::ImageText>(&self.message, times, |value| {
            if let Ok(octets) = STANDARD.decode(value.image.as_bytes(), octets.as_out()) {
                black_box(&value.with_image(Octets(octets)));
            }
        })
    }

    fn generate(&mut self, times: u32) -> u64 {
        timed(times, || self.write())
    }
}
