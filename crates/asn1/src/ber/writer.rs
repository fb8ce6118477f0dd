//! Writing BER and DER.
use crate::compiled::Compiled;
use crate::event::Source;
use crate::per::Start;
use tam::{Error, ErrorKind};
pub(crate) fn write<S: Source>(
    _source: &S,
    _types: &Compiled,
    _start: Start<S::Level>,
    _canonical: bool,
    _depth: u32,
    _out: &mut Vec<u8>,
) -> Result<usize, Error> {
    Err(Error::new(ErrorKind::Unsupported, "ber", 0, "BER", "PER"))
}
