//! Writing the contents of simple values.

use tam::{Error, ErrorKind};

use super::string::least_size;
use super::writer::Writer;
use crate::compiled::{Characters, Kind, NodeId, Size, TimeType};
use crate::event::{At, Integer, Source};
use crate::integer::minimal_octets as minimal;
use crate::schema::{StringKind, Tag, TagClass};
use crate::{equal, integer, iso8601, oid, real, time};

/// The contents octets of a segment in CER.
const SEGMENT: usize = 1000;

impl<S: Source> Writer<'_, '_, S> {
    /// Writes the contents of a simple value.
    #[inline(always)]
    pub(super) fn simple(&mut self, at: At<S::Level>, node: NodeId, kind: &Kind) -> Result<(), Error> {
        let source = self.source;
        match kind {
            Kind::Boolean => self.out.octet(if source.boolean(at, node) { 0xFF } else { 0 }),
            Kind::Null => {}
            Kind::Integer(integer) => {
                let value = source.integer(at, node);
                if !integer.extensible && !self.types.allows_integer(integer, value) {
                    return Err(self.refused(node, integer::words(value)));
                }
                match value {
                    Integer::Small(number) => self.out.number(number),
                    Integer::Big(octets) => self.out.octets(minimal(octets)),
                }
            }
            Kind::OctetString(size) => {
                let octets = source.octets(at, node);
                self.check_size(node, size, octets.len() as u64)?;
                self.out.octets(octets);
            }
            Kind::Text(number) => self.characters(at, node, *number)?,
            kind => self.rare(at, node, kind)?,
        }
        Ok(())
    }

    #[inline(never)]
    fn rare(&mut self, at: At<S::Level>, node: NodeId, kind: &Kind) -> Result<(), Error> {
        let source = self.source;
        match kind {
            Kind::Enumerated(number) => self.enumerated(at, node, *number)?,
            Kind::BitString(size, names) => self.bit_string(at, node, size, names.is_some())?,
            Kind::Real => self.out.octets(&real::write(source.real(at, node), self.types.is_decimal(node))),
            Kind::ObjectIdentifier | Kind::RelativeOid => {
                let octets = source.octets(at, node);
                if !oid::is_valid(octets) {
                    return Err(self.refused(node, "octets that are not an object identifier".into()));
                }
                self.out.octets(octets);
            }
            // The other kinds have been handled before.
            _ => {}
        }
        Ok(())
    }

    fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let source = self.source;
        let enumeration = self.types.enumeration(number);
        if let Some(octets) = source.unknown(at, node) {
            if !enumeration.extensible {
                return Err(self.refused(node, "an enumeration that it does not have".into()));
            }
            self.out.octets(minimal(octets));
            return Ok(());
        }
        match enumeration.items.get(source.enumerated(at, node) as usize) {
            Some((_, number)) => {
                match number.as_integer() {
                    Integer::Small(number) => self.out.number(number),
                    Integer::Big(octets) => self.out.octets(octets),
                }
                Ok(())
            }
            None => {
                let found = "an enumeration of a later version, read by other rules";
                Err(Error::new(ErrorKind::Unsupported, "ber", 0, found, "one whose number is known"))
            }
        }
    }

    fn bit_string(&mut self, at: At<S::Level>, node: NodeId, size: &Size, named: bool) -> Result<(), Error> {
        let source = self.source;
        let (octets, mut count) = source.bit_string(at, node);
        if named {
            // Trailing zeros mean nothing: the size decides how many are written (X.680 clause 22.7). The canonical
            // form has none (X.690 clause 11.2.2).
            let significant = equal::significant_bits(octets, count);
            let as_it_is = size.extensible || self.types.allows_size(size, count);
            count = match least_size(self.types, size, significant) {
                None if !as_it_is => return self.check_size(node, size, significant),
                _ if self.canonical => significant,
                Some(sized) if !as_it_is => sized,
                _ => count,
            };
        } else {
            self.check_size(node, size, count)?;
        }
        self.bits(octets, count);
        Ok(())
    }

    /// Writes the contents of a string of bits.
    pub(super) fn bits(&mut self, octets: &[u8], count: u64) {
        let unused = self.out.bits(octets, count);
        self.out.octet(unused);
    }

    #[inline(always)]
    fn characters(&mut self, at: At<S::Level>, node: NodeId, number: u32) -> Result<(), Error> {
        let source = self.source;
        let ty = self.types.characters(number);
        let text = source.text(at, node);
        if let Some(time) = &ty.time {
            return self.iso8601(node, ty.kind, time, text);
        }
        if self.canonical && ty.kind.is_plain_time() {
            return self.time(node, ty, text);
        }
        self.text(node, ty, text)
    }

    /// Cuts a string of more than 1000 contents octets into segments, in CER (X.690 clause 9.2). Returns whether there
    /// are any.
    #[inline(never)]
    pub(super) fn segments(&mut self, kind: &Kind, mark: usize) -> bool {
        let is_bits = match kind {
            Kind::BitString(..) => true,
            Kind::OctetString(_) | Kind::Text(_) => false,
            _ => return false,
        };
        let written = self.out.since(mark);
        if written.len() <= SEGMENT {
            return false;
        }
        let (unused, octets) = match written {
            [unused, octets @ ..] if is_bits => (*unused, octets.to_vec()),
            octets => (0, octets.to_vec()),
        };
        self.out.take_back(mark);
        self.out.octets(&[0, 0]);
        // Segments of bits have their own number of unused bits.
        let (len, number) = if is_bits { (SEGMENT - 1, 3) } else { (SEGMENT, 4) };
        for (place, segment) in octets.chunks(len).rev().enumerate() {
            let before = self.out.len();
            self.out.octets(segment);
            if is_bits {
                self.out.octet(if place == 0 { unused } else { 0 });
            }
            self.out.header(Tag { class: TagClass::Universal, number }, false, before);
        }
        true
    }

    /// Writes a time in the only form that DER allows (X.690 clauses 11.7 and 11.8).
    #[inline(never)]
    fn time(&mut self, node: NodeId, ty: &Characters, text: &str) -> Result<(), Error> {
        let text = time::canonical(ty.kind, text, "ber")?;
        self.text(node, ty, &text)
    }

    /// Writes TIME and the like (X.690 clauses 8.25 and 8.26).
    #[cold]
    #[inline(never)]
    fn iso8601(&mut self, node: NodeId, kind: StringKind, ty: &TimeType, text: &str) -> Result<(), Error> {
        let time = match ty.read(text) {
            Ok(time) => time,
            Err(found) => return Err(self.refused(node, found.into())),
        };
        match kind {
            StringKind::Time if !self.canonical => self.out.octets(text.as_bytes()),
            _ => self.out.octets(iso8601::compact(kind, &time.text(self.canonical)).as_bytes()),
        }
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, node: NodeId, ty: &Characters, text: &str) -> Result<(), Error> {
        if (ty.alphabet.is_some() || ty.size != Size::ANY)
            && let Some(found) = self.types.unfit(ty, text)
        {
            return Err(self.refused(node, found));
        }
        if ty.kind == StringKind::Utf8 {
            self.out.octets(text.as_bytes());
        } else {
            self.out.characters(ty.kind, text);
        }
        Ok(())
    }
}
