//! Reading messages, with any encoding rules.

use tam::{Error, ErrorKind, Words};

use crate::compiled::{Compiled, NodeId};
use crate::event::Sink;
use crate::values::{Filler, Value, Values};
use crate::{EncodingRules, Options, per};

/// Positions of octets have 31 bits.
const LONGEST: u32 = (1 << 31) - 1;

/// Reads a message, which must be exactly one value of a type.
///
/// Text and octets stay in the message if possible; the rest is in `values`.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Options, Values};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
///         Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) }
///      END",
/// )?;
/// let reading = types.find("Reading")?;
/// let mut values = Values::new();
/// let value = lengthwise_asn1::read(&[0x37, 0x80], &types, reading, &Options::uper(), &mut values)?;
/// assert_eq!(value.get("sensor").unwrap().as_i64(), Some(3));
/// assert_eq!(value.get("celsius").unwrap().as_i64(), Some(20));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// * `incomplete` if the message ends before the value does;
/// * `syntax` if the bits are not a valid encoding, or octets follow it;
/// * `schema` if a value does not match its constraint;
/// * `limit` if it is larger or deeper than the limits allow;
/// * `unsupported` for valid input that cannot be represented: a REAL that no double can hold.
pub fn read<'v>(
    message: &'v [u8],
    types: &'v Compiled,
    node: NodeId,
    options: &Options,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let (value, used) = read_prefix(message, types, node, options, values)?;
    if used < message.len() {
        let format = options.rules.format();
        let found = Words::Count((message.len() - used) as u64, "bytes after the value");
        return Err(Error::new(ErrorKind::Syntax, format, used as u64, found, "the end of the message"));
    }
    Ok(value)
}

/// Reads a value at the start of a message. Returns the value, and its length in bytes.
///
/// # Errors
/// Those of [`read`], except for octets after the value.
pub fn read_prefix<'v>(
    message: &'v [u8],
    types: &'v Compiled,
    node: NodeId,
    options: &Options,
    values: &'v mut Values,
) -> Result<(Value<'v>, usize), Error> {
    let mut filler = Filler::new(types, options.limits, values).with_input(message.len());
    let used = read_events(message, types, node, options, &mut filler)?;
    Ok((values.value(types, node, message), used))
}

/// Reads a value at the start of a message, passes it to a sink, and returns its length in bytes. Only
/// the sink builds anything.
///
/// # Errors
/// Those of [`read`], except for octets after the value, and those of the sink.
pub fn read_events<S: Sink>(
    message: &[u8],
    types: &Compiled,
    node: NodeId,
    options: &Options,
    sink: &mut S,
) -> Result<usize, Error> {
    let limit = options.limits.message_bytes.min(LONGEST);
    if message.len() > limit as usize {
        let found = Words::Count(message.len() as u64, "bytes");
        return Err(Error::limit(options.rules.format(), 0, found, "message_bytes", limit.into()));
    }
    let bits = match options.rules {
        EncodingRules::Uper => per::read::<S, false>(message, types, node, &options.limits, sink)?,
        EncodingRules::Aper => per::read::<S, true>(message, types, node, &options.limits, sink)?,
        rules @ (EncodingRules::Ber | EncodingRules::Cer) => {
            return crate::ber::read(message, types, node, rules, &options.limits, sink);
        }
        EncodingRules::Oer => return crate::oer::read(message, types, node, &options.limits, sink),
    };
    // A value of no bits takes an octet all the same (X.691 clause 11.1.3).
    let used = bits.div_ceil(8).max(1) as usize;
    if message.len() < used {
        return Err(Error::incomplete("per", 0, 1, "an octet for a value that takes no bits"));
    }
    Ok(used)
}
