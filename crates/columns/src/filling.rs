//! Values of rows, whose open types are octets.

use asn1::event::{At, Integer, Real, Scalar, Sink, Stretch};
use asn1::{EncodingRules, Filler, Level, NodeId};
use tam::Error;

/// A filler for values of open types that are octets, whatever type a table selects for them.
pub(crate) struct Undecoded<'f>(pub(crate) Filler<'f>);

impl Sink for Undecoded<'_> {
    type Level = Level;

    const KEYS: bool = false;

    fn root(&mut self, node: NodeId) -> Level {
        self.0.root(node)
    }

    fn buffer(&mut self) -> &mut Vec<u8> {
        self.0.buffer()
    }

    fn null(&mut self, at: At<Level>, node: NodeId) -> Result<(), Error> {
        self.0.null(at, node)
    }

    fn boolean(&mut self, at: At<Level>, node: NodeId, value: bool) -> Result<(), Error> {
        self.0.boolean(at, node, value)
    }

    fn integer(&mut self, at: At<Level>, node: NodeId, value: Integer<'_>) -> Result<(), Error> {
        self.0.integer(at, node, value)
    }

    fn enumerated(&mut self, at: At<Level>, node: NodeId, item: u32) -> Result<(), Error> {
        self.0.enumerated(at, node, item)
    }

    fn scalar(&mut self, at: At<Level>, node: NodeId, scalar: Scalar, number: i64) -> Result<(), Error> {
        self.0.scalar(at, node, scalar, number)
    }

    fn real(&mut self, at: At<Level>, node: NodeId, value: Real<'_>) -> Result<(), Error> {
        self.0.real(at, node, value)
    }

    fn decimal(&mut self, at: At<Level>, node: NodeId, start: usize) -> Result<(), Error> {
        self.0.decimal(at, node, start)
    }

    fn bit_string(&mut self, at: At<Level>, node: NodeId, octets: Stretch, len: u64) -> Result<(), Error> {
        self.0.bit_string(at, node, octets, len)
    }

    fn octets(&mut self, at: At<Level>, node: NodeId, octets: Stretch) -> Result<(), Error> {
        self.0.octets(at, node, octets)
    }

    fn text(&mut self, at: At<Level>, node: NodeId, text: Stretch) -> Result<(), Error> {
        self.0.text(at, node, text)
    }

    fn record(&mut self, at: At<Level>, node: NodeId) -> Result<Level, Error> {
        self.0.record(at, node)
    }

    fn row(&mut self, at: At<Level>, node: NodeId) -> Result<Level, Error> {
        self.0.row(at, node)
    }

    fn choice(&mut self, at: At<Level>, node: NodeId, alternative: u32) -> Result<Level, Error> {
        self.0.choice(at, node, alternative)
    }

    fn array(&mut self, at: At<Level>, node: NodeId, len: u32) -> Result<Level, Error> {
        self.0.array(at, node, len)
    }

    fn more(&mut self, at: At<Level>, node: NodeId, level: Level, more: u32) -> Result<Level, Error> {
        self.0.more(at, node, level, more)
    }

    fn unknown(&mut self, at: At<Level>, node: NodeId, octets: Stretch) -> Result<(), Error> {
        self.0.unknown(at, node, octets)
    }

    fn content_octets(
        &mut self,
        place: (At<Level>, NodeId),
        rules: EncodingRules,
        octets: Stretch,
        bits: u64,
    ) -> Result<(), Error> {
        self.0.content_octets(place, rules, octets, bits)
    }

    fn additions(&mut self, level: Level, count: u32) {
        self.0.additions(level, count);
    }

    fn end(&mut self, node: NodeId, level: Level) -> Result<(), Error> {
        self.0.end(node, level)
    }
}
