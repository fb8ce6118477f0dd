//! Strings of octets, bits and characters, and object identifiers (X.696 clauses 13, 14, 21, 22 and 27).

use tam::{Error, Limits};

use super::super::primitive::fixed;
use super::Writer;
use crate::compiled::{ContentString, Kind, NodeId, Size};
use crate::event::{At, Source};
use crate::schema::StringKind;
use crate::{Options, contents, equal, oid, time};

impl<S: Source> Writer<'_, '_, S> {
    pub(super) fn object_identifier(&mut self, at: At<S::Level>, node: NodeId) -> Result<(), Error> {
        let source = self.source;
        let octets = source.octets(at, node);
        if !oid::is_valid(octets) {
            return Err(self.refused(node, "octets that are not an object identifier".into()));
        }
        self.counted(octets);
        Ok(())
    }

    /// Writes a string that may contain a value.
    #[inline(never)]
    pub(super) fn containing(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        string: &ContentString,
        (value, own): (NodeId, NodeId),
        calls: u32,
    ) -> Result<(), Error> {
        let source = self.source;
        let chosen @ (_, level) = source.choice(at, node);
        let limits = Limits { depth: self.depth.left() + calls, ..Limits::DEFAULT };
        let around = Options::oer().with_canonical(self.canonical).with_limits(limits);
        let Some(octets) = contents::to_write(source, self.types, string, chosen, value, &around) else {
            return self.simple(At { level, index: 0 }, own);
        };
        let octets = octets?;
        match &string.kind {
            Kind::BitString(size, _) => self.sized_bits(octets.bits(), node, size),
            Kind::OctetString(size) => self.sized_octets(octets.bits().0, node, size),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    pub(super) fn octet_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size) -> Result<(), Error> {
        let source = self.source;
        self.sized_octets(source.octets(at, node), node, size)
    }

    fn sized_octets(&mut self, octets: &[u8], node: NodeId, size: &Size) -> Result<(), Error> {
        self.check_size(node, size, octets.len() as u64)?;
        match fixed(size) {
            Some(_) => self.out.octets(octets),
            None => self.counted(octets),
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size, named: bool) -> Result<(), Error> {
        let source = self.source;
        let (octets, mut count) = source.bit_string(at, node);
        if named {
            // Trailing zeros mean nothing: write as few as the size allows (X.696 clause 13.3).
            count = self.types.least_size(size, equal::significant_bits(octets, count));
        }
        self.sized_bits((octets, count), node, size)
    }

    fn sized_bits(&mut self, (octets, count): (&[u8], u64), node: NodeId, size: &Size) -> Result<(), Error> {
        self.check_size(node, size, count)?;
        let mark = self.out.len();
        let unused = self.out.bits(octets, count);
        if fixed(size).is_none() {
            self.out.octet(unused);
            self.length(mark);
        }
        Ok(())
    }

    #[inline(never)]
    pub(super) fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let (source, types) = (self.source, self.types);
        let ty = types.characters(number);
        let text = source.text(at, node);
        if let Some(time) = &ty.time {
            return self.time(node, time, text);
        }
        let canonical;
        let text = match self.canonical {
            true => {
                canonical = time::canonical(ty.kind, text, "oer")?;
                &*canonical
            }
            false => text,
        };
        if (ty.alphabet.is_some() || ty.size != Size::ANY)
            && let Some(found) = types.unfit(ty, text)
        {
            return Err(self.refused(node, found));
        }
        let mark = self.out.len();
        match ty.kind {
            StringKind::Utf8 => self.out.octets(text.as_bytes()),
            kind => self.out.characters(kind, text),
        }
        if ty.kind.octets_a_character().and_then(|_| fixed(&ty.size)).is_none() {
            self.length(mark);
        }
        Ok(())
    }
}
