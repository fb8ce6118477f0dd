//! Values counted, and nothing kept of them.

use asn1::NodeId;
use asn1::event::{At, Integer, Real, Sink, Stretch};
use tam::Error;

/// A sink that counts the values it is told.
#[derive(Debug)]
pub(crate) struct Counter {
    values: u32,
    most: u32,
    /// Whether one was of a later version of the schema, so that only its octets are known.
    unknown: bool,
    buffer: Vec<u8>,
}

impl Counter {
    /// A count that ends with an error beyond `most`.
    pub(crate) fn new(most: u32) -> Counter {
        Counter { values: 0, most, unknown: false, buffer: Vec::new() }
    }

    pub(crate) fn values(&self) -> u32 {
        self.values
    }

    pub(crate) fn met_unknown(&self) -> bool {
        self.unknown
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

impl Sink for Counter {
    type Level = ();

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

    fn choice(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.count()
    }

    fn array(&mut self, _: At<()>, _: NodeId, _: u32) -> Result<(), Error> {
        self.count()
    }

    fn more(&mut self, _: At<()>, _: NodeId, (): (), _: u32) -> Result<(), Error> {
        Ok(())
    }

    fn unknown(&mut self, _: At<()>, _: NodeId, _: Stretch) -> Result<(), Error> {
        self.unknown = true;
        self.count()
    }

    fn end(&mut self, _: NodeId, (): ()) -> Result<(), Error> {
        Ok(())
    }
}
