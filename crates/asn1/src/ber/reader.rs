//! Reading BER.
use crate::compiled::{Compiled, NodeId};
use crate::event::Sink;
use tam::{Error, ErrorKind, Limits};
pub(crate) fn read<S: Sink>(
    _message: &[u8],
    _types: &Compiled,
    _node: NodeId,
    _limits: &Limits,
    _sink: &mut S,
) -> Result<usize, Error> {
    Err(Error::new(ErrorKind::Unsupported, "ber", 0, "BER", "PER"))
}
