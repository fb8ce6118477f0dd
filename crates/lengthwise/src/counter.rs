//! Values counted, and nothing kept of them.

use asn1::compiled::Kind;
use asn1::event::{At, Integer, Real, Sink, Stretch};
use asn1::{Compiled, NodeId};
use tam::Error;

use crate::convert::Counts;

/// A sink that counts the values it receives.
#[derive(Debug)]
pub(crate) struct Counter<'t> {
    types: &'t Compiled,
    values: u32,
    most: u32,
    /// Extension additions of a later version that are not among the values.
    pub(crate) skipped: u32,
    /// Values of later versions and open types of unknown identifiers, of which only octets are known.
    pub(crate) unknown: u32,
    /// Whether a string has a contents constraint.
    pub(crate) has_strings: bool,
    buffer: Vec<u8>,
}

impl<'t> Counter<'t> {
    /// A count that ends with an error beyond `most`.
    pub(crate) fn new(types: &'t Compiled, most: u32) -> Counter<'t> {
        Counter { types, values: 0, most, skipped: 0, unknown: 0, has_strings: false, buffer: Vec::new() }
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts { units: self.values as usize, skipped: self.skipped as usize, ..Counts::default() }
    }

    fn count(&mut self) -> Result<(), Error> {
        if self.values >= self.most {
            return Err(Error::limit("asn1", 0, "more values", "units", self.most.into()));
        }
        self.values += 1;
        // Octets are looked at by the reader alone.
        self.buffer.clear();
        Ok(())
    }
}

impl Sink for Counter<'_> {
    type Level = ();

    fn skipped(&mut self) {
        self.skipped += 1;
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

    fn choice(&mut self, _: At<()>, node: NodeId, _: u32) -> Result<(), Error> {
        if let Kind::Open(number) = self.types.node(node).kind {
            self.has_strings |= self.types.open(number).is_string();
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
        self.count()
    }

    fn end(&mut self, _: NodeId, (): ()) -> Result<(), Error> {
        Ok(())
    }
}
