//! Values in strings (X.682 clause 11): what an OCTET STRING or a BIT STRING contains, by its own rules.
//!
//! A string is read as the value in it only if all of it is the encoding of such a value. This is found out first, by a
//! walk that keeps nothing and does not look into strings within this one, so that each octet is read twice at most.

use tam::{Error, Limits};

use crate::compiled::{CONTENT, Compiled, ContentString, Kind, NodeId, Open, STRING};
use crate::event::{At, Integer, Real, Sink, Source, Stretch};
use crate::keys::Keys;
use crate::writer::{Start, append_from};
use crate::{EncodingRules, Options, ber, depth, oer, per};

/// The most strings in each other whose content is read as a value.
const NESTED: u32 = 32;

/// Where the content of a string is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content<'m> {
    /// The octets that it ends in. They go no further.
    pub(crate) octets: &'m [u8],
    /// Its first bit.
    pub(crate) start: u64,
    /// The number of bits.
    pub(crate) bits: u64,
    /// Whether the octets are the start of the caller's message, so that the sink can refer to positions in them.
    pub(crate) lend: bool,
}

/// What a reader passes on to the reader of a string's content, and takes back.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    pub(crate) keys: &'c mut Keys,
    /// The levels that are left.
    pub(crate) levels: u32,
    pub(crate) limits: &'c Limits,
    /// How many strings are around the content.
    pub(crate) nested: u32,
}

/// The alternatives of a string: the value in it, and the string itself. `None` for another open type.
pub(crate) fn alternatives(open: &Open) -> Option<(NodeId, NodeId)> {
    open.string?;
    Some((*open.alternatives.get(CONTENT as usize)?, *open.alternatives.get(STRING as usize)?))
}

/// Whether a string is the encoding of a value.
pub(crate) fn is_value<S: Sink>(
    content: &Content<'_>,
    types: &Compiled,
    node: NodeId,
    rules: EncodingRules,
    context: &mut Context<'_>,
) -> bool {
    if !S::CONTENTS || context.nested >= NESTED {
        return false;
    }
    let mark = context.keys.mark();
    let mut sink = Nothing { buffer: Vec::new() };
    let read = read_by(content, types, (At { level: (), index: 0 }, node), rules, &mut sink, context);
    context.keys.end(mark);
    let Ok(used) = read else { return false };
    match rules {
        EncodingRules::Uper | EncodingRules::Aper => {
            // A complete encoding has whole octets, and one at least (X.691 clause 11.1); some leave out the padding.
            used == content.bits || used.div_ceil(8).max(1) * 8 == content.bits
        }
        _ => used == content.bits,
    }
}

/// Reads the content of a string that is the encoding of a value.
pub(crate) fn read<S: Sink>(
    content: &Content<'_>,
    types: &Compiled,
    place: (At<S::Level>, NodeId),
    rules: EncodingRules,
    sink: &mut S,
    context: &mut Context<'_>,
) -> Result<(), Error> {
    context.nested += 1;
    let read = read_by(content, types, place, rules, sink, context);
    context.nested -= 1;
    read.map(|_| ())
}

/// Reads a string whose octets are the encoding of a value by rules that the schema names, if they are. Returns whether they are.
pub(crate) fn read_encoded<S: Sink>(
    sink: &mut S,
    types: &Compiled,
    (at, node): (At<S::Level>, NodeId),
    (octets, bits): (&[u8], u64),
    limits: &Limits,
) -> Result<bool, Error> {
    let Kind::Open(number) = types.node(node).kind else { return Ok(false) };
    let open = types.open(number);
    let rules = open.string.and_then(|string| string.rules);
    let (Some((value, _)), Some(Options { rules, .. })) = (alternatives(open), rules) else { return Ok(false) };
    let content = Content { octets, start: 0, bits, lend: false };
    let mut context = Context { keys: &mut Keys::default(), levels: limits.depth, limits, nested: 0 };
    if !is_value::<S>(&content, types, value, rules, &mut context) {
        return Ok(false);
    }
    let level = sink.choice(at, node, CONTENT)?;
    let (inside, start) = ((At { level, index: 0 }, value), sink.buffer().len());
    sink.buffer().extend_from_slice(octets);
    sink.content_octets(inside, rules, Stretch::Buffer { start }, bits)?;
    read(&content, types, inside, rules, sink, &mut context)?;
    sink.end(node, level)?;
    Ok(true)
}

/// Reads a value at the start of the content; returns the number of bits that it took.
fn read_by<S: Sink>(
    content: &Content<'_>,
    types: &Compiled,
    place: (At<S::Level>, NodeId),
    rules: EncodingRules,
    sink: &mut S,
    context: &mut Context<'_>,
) -> Result<u64, Error> {
    depth::with_room(|| match rules {
        EncodingRules::Uper => per::read_content::<S, false>(content, types, place, sink, context),
        EncodingRules::Aper => per::read_content::<S, true>(content, types, place, sink, context),
        EncodingRules::Ber | EncodingRules::Cer => ber::read_content(content, types, place, rules, sink, context),
        EncodingRules::Oer => oer::read_content(content, types, place, sink, context),
    })
}

/// The octets of a string and its number of bits: as they have been read, or those of the value in it.
pub(crate) enum Octets<'s> {
    Kept(&'s [u8], u64),
    Written(Vec<u8>),
}

impl Octets<'_> {
    pub(crate) fn bits(&self) -> (&[u8], u64) {
        match self {
            Octets::Kept(octets, bits) => (octets, *bits),
            Octets::Written(octets) => (octets, octets.len() as u64 * 8),
        }
    }
}

/// The content of a string to be written, if there is one. A string without a value in it is written as any other.
pub(crate) fn to_write<'s, S: Source>(
    source: &'s S,
    types: &Compiled,
    string: &ContentString,
    (alternative, level): (u32, S::Level),
    node: NodeId,
    around: &Options,
) -> Option<Result<Octets<'s>, Error>> {
    let at = At { level, index: 0 };
    if alternative != CONTENT || !source.is_present(at, node) {
        return None;
    }
    let options = Options { limits: around.limits, ..string.rules.unwrap_or(*around) };
    // By canonical rules a value has one encoding, in a string as well. DER is an exception, for certificates whose
    // extensions are not quite in DER: they come back as they are, and their signatures hold.
    let is_kept = string.rules.is_some() || !around.canonical || around.rules == EncodingRules::Ber;
    if let Some((rules, octets, bits)) = source.content_octets(level).filter(|_| is_kept)
        && rules == options.rules
    {
        return Some(Ok(Octets::Kept(octets, bits)));
    }
    let mut written = Vec::new();
    let start = Start { at, node, row: false };
    let done = depth::with_room(|| append_from(source, types, start, &options, &mut written));
    Some(done.map(|_| Octets::Written(written)))
}

/// A sink that keeps nothing.
struct Nothing {
    buffer: Vec<u8>,
}

impl Nothing {
    fn forget(&mut self) -> Result<(), Error> {
        self.buffer.clear();
        Ok(())
    }
}

impl Sink for Nothing {
    type Level = ();

    const CONTENTS: bool = false;

    fn root(&mut self, _: NodeId) {}

    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    fn null(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        Ok(())
    }

    fn boolean(&mut self, _: At<()>, _: NodeId, _: bool) -> Result<(), Error> {
        Ok(())
    }

    fn integer(&mut self, _: At<()>, _: NodeId, _: Integer<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn enumerated(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn real(&mut self, _: At<()>, _: NodeId, _: Real<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn bit_string(&mut self, _: At<()>, _: NodeId, _: Stretch, _: u64) -> Result<(), Error> {
        self.forget()
    }

    fn octets(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.forget()
    }

    fn text(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.forget()
    }

    fn record(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        Ok(())
    }

    fn row(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        Ok(())
    }

    fn choice(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn array(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn more(&mut self, _: At<()>, _: NodeId, (): (), _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn unknown(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.forget()
    }

    fn end(&mut self, _: NodeId, (): ()) -> Result<(), Error> {
        Ok(())
    }
}
