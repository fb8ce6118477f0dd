//! Values counted, and nothing kept of them.

use asn1::compiled::Kind;
use asn1::event::{At, Integer, Part, Real, Sink, Stretch};
use asn1::{Compiled, NodeId};
use tam::Error;

use crate::convert::Counts;

/// A sink that counts the values it receives; with `BITS` also the extension additions that readers skip.
#[derive(Debug)]
pub(crate) struct Counter<'t, const BITS: bool> {
    types: &'t Compiled,
    values: u32,
    most: u32,
    skipped: u32,
    /// Whether the last event was the bits of something unknown.
    unknown_bits: bool,
    /// Values of later versions and open types of unknown identifiers, of which only octets are known.
    unknown: u32,
    /// Strings that contain a value, and those that should.
    contained: u32,
    undecoded: u32,
    buffer: Vec<u8>,
}

impl<'t, const BITS: bool> Counter<'t, BITS> {
    /// A count that ends with an error beyond `most`.
    pub(crate) fn new(types: &'t Compiled, most: u32) -> Counter<'t, BITS> {
        let (skipped, unknown_bits, unknown, contained, undecoded, buffer) = (0, false, 0, 0, 0, Vec::new());
        Counter { types, values: 0, most, skipped, unknown_bits, unknown, contained, undecoded, buffer }
    }

    pub(crate) fn counts(&self) -> Counts {
        let (units, unknown) = (self.values as usize, self.unknown as usize);
        Counts { units, unknown, undecoded: self.undecoded as usize, ..Counts::default() }
    }

    /// Whether a string contains a value.
    pub(crate) fn has_contents(&self) -> bool {
        self.contained > 0
    }

    /// Extension additions of a later version that are not among the values.
    #[cfg(feature = "losses")]
    pub(crate) fn skipped(&self) -> u32 {
        self.skipped
    }

    fn count(&mut self) -> Result<(), Error> {
        self.unknown_bits = false;
        if self.values >= self.most {
            return Err(Error::limit("asn1", 0, "more values", "units", self.most.into()));
        }
        self.values += 1;
        // Octets are looked at by the reader alone.
        self.buffer.clear();
        Ok(())
    }
}

impl<const BITS: bool> Sink for Counter<'_, BITS> {
    type Level = ();

    const BITS: bool = BITS;

    fn bits(&mut self, _: At<()>, _: NodeId, part: Part, _: u64, _: u64) {
        self.unknown_bits = part == Part::Unknown;
        self.skipped += u32::from(self.unknown_bits);
    }

    fn root(&mut self, _: NodeId) {}

    fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }

    fn null(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        self.count()
    }

    fn boolean(&mut self, _: At<()>, _: NodeId, _: bool) -> Result<(), Error> {
        self.count()
    }

    fn integer(&mut self, _: At<()>, _: NodeId, _: Integer<'_>) -> Result<(), Error> {
        self.count()
    }

    fn enumerated(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.count()
    }

    fn real(&mut self, _: At<()>, _: NodeId, _: Real<'_>) -> Result<(), Error> {
        self.count()
    }

    fn bit_string(&mut self, _: At<()>, _: NodeId, _: Stretch, _: u64) -> Result<(), Error> {
        self.count()
    }

    fn octets(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.count()
    }

    fn text(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.count()
    }

    fn record(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        self.count()
    }

    fn row(&mut self, _: At<()>, _: NodeId) -> Result<(), Error> {
        self.count()
    }

    fn choice(&mut self, _: At<()>, node: NodeId, alternative: u32) -> Result<(), Error> {
        if let Kind::Open(number) = self.types.node(node).kind
            && self.types.open(number).is_string()
        {
            let counted = if alternative == 0 { &mut self.contained } else { &mut self.undecoded };
            *counted += 1;
        }
        self.count()
    }

    fn array(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.count()
    }

    fn more(&mut self, _: At<()>, _: NodeId, (): (), _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn unknown(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.unknown += 1;
        // An unknown alternative is kept.
        self.skipped -= u32::from(self.unknown_bits);
        self.count()
    }

    fn end(&mut self, _: NodeId, (): ()) -> Result<(), Error> {
        Ok(())
    }
}
