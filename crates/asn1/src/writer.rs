//! Writing messages, with any encoding rules.

use tam::Error;

use crate::event::{At, Source};
use crate::values::Value;
use crate::{Compiled, EncodingRules, NodeId, Options, ber, oer, per};

/// The place of a value to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<L> {
    pub(crate) at: At<L>,
    pub(crate) node: NodeId,
    /// Whether it is a record in an array of records.
    pub(crate) row: bool,
}

/// Writes a value as a message.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_asn1::{Compiled, Options, Values};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let types = Compiled::from_notation(
///     "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Flags ::= SEQUENCE OF BOOLEAN END",
/// )?;
/// let flags = types.find("Flags")?;
/// let mut values = Values::new();
/// let value = lengthwise_asn1::read(&[0x03, 0xA0], &types, flags, &Options::uper(), &mut values)?;
/// assert_eq!(lengthwise_asn1::write(value, &Options::der())?, [0x30, 9, 1, 1, 0xFF, 1, 1, 0, 1, 1, 0xFF]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// * `schema` if a value does not match its constraint, or a component is missing;
/// * `limit` if it is deeper than `depth`;
/// * `unsupported` for what the rules cannot encode: an enumeration of a later version, read by other rules.
pub fn write(value: Value<'_>, options: &Options) -> Result<Vec<u8>, Error> {
    let mut message = Vec::new();
    append(value, options, &mut message)?;
    Ok(message)
}

/// Writes a value to the end of a buffer. Returns its length in bytes. On an error the buffer is unchanged.
///
/// # Errors
/// Those of [`write()`].
pub fn append(value: Value<'_>, options: &Options, out: &mut Vec<u8>) -> Result<usize, Error> {
    let (look, at) = value.source();
    let start = Start { at, node: value.node_id(), row: value.is_row() };
    append_from(&look, value.types(), start, options, out)
}

/// Writes a value of a type from a source to the end of a buffer. Returns its length in bytes. Nothing is built in
/// between. On an error the buffer is unchanged.
///
/// # Errors
/// Those of [`write()`].
pub fn append_events<S: Source>(
    source: &S,
    types: &Compiled,
    node: NodeId,
    options: &Options,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let at = At { level: source.root(), index: 0 };
    append_from(source, types, Start { at, node, row: false }, options, out)
}

pub(crate) fn append_from<S: Source>(
    source: &S,
    types: &Compiled,
    start: Start<S::Level>,
    options: &Options,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let before = out.len();
    let (canonical, depth) = (options.canonical, options.limits.depth);
    match options.rules {
        EncodingRules::Uper => per::write::<S, false>(source, types, start, canonical, depth, out)?,
        EncodingRules::Aper => per::write::<S, true>(source, types, start, canonical, depth, out)?,
        EncodingRules::Ber => {
            let form = if canonical { ber::Form::Distinguished } else { ber::Form::Basic };
            return ber::write(source, types, start, form, depth, out);
        }
        EncodingRules::Cer => return ber::write(source, types, start, ber::Form::Canonical, depth, out),
        EncodingRules::Oer => return oer::write(source, types, start, canonical, depth, out),
    };
    // A value of no bits takes an octet all the same (X.691 clause 11.1.3).
    if out.len() == before {
        out.push(0);
    }
    Ok(out.len() - before)
}

/// The most presence bits of additions that are kept from a message.
const MOST_ADDITIONS: usize = 1 << 16;

/// How many presence bits of additions a record gets: as many as another version of its type wrote, if these are enough,
/// else one for each addition of its type.
pub(crate) fn presence_bits(kept: Option<u32>, own: usize, needed: usize) -> usize {
    kept.map_or(own, |count| (count as usize).min(MOST_ADDITIONS).max(needed))
}

/// The length of a value in bytes.
///
/// # Errors
/// Those of [`write()`].
pub fn encoded_len(value: Value<'_>, options: &Options) -> Result<usize, Error> {
    // The encoding depends on every bit before it, so counting means writing.
    write(value, options).map(|message| message.len())
}
