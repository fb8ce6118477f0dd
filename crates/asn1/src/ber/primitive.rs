//! Reading simple values (X.690 clauses 8.2 to 8.6, 8.19 and 8.20).

use tam::Error;

use super::header::Header;
use super::reader::Reader;
use crate::compiled::{Integer as IntegerType, Kind, NodeId};
use crate::event::{At, Integer, Part, Sink, Stretch};
use crate::integer::{self, compare};
use crate::{oid, real};

impl<'m, S: Sink> Reader<'_, 'm, S> {
    /// Reads a simple value, and reports it.
    #[inline(always)]
    pub(super) fn simple(&mut self, at: At<S::Level>, node: NodeId, kind: &Kind, header: Header) -> Result<(), Error> {
        match kind {
            Kind::Boolean => {
                self.report_header(at, node);
                let [octet] = *self.primitive(at, node, header)? else {
                    return Err(self.fault(self.start, "a BOOLEAN of another length", "one octet"));
                };
                self.sink.boolean(at, node, octet != 0)
            }
            Kind::Null => {
                self.report_header(at, node);
                if !self.primitive(at, node, header)?.is_empty() {
                    return Err(self.fault(self.start, "a NULL that is not empty", "no octet"));
                }
                self.sink.null(at, node)
            }
            Kind::Integer(integer) => self.integer(at, node, integer, header),
            Kind::Text(number) => self.characters(at, node, *number, header),
            Kind::OctetString(size) => self.octet_string(at, node, size, header),
            _ => self.rare(at, node, kind, header),
        }
    }

    #[inline(never)]
    fn rare(&mut self, at: At<S::Level>, node: NodeId, kind: &Kind, header: Header) -> Result<(), Error> {
        self.report_header(at, node);
        match kind {
            Kind::Enumerated(number) => self.enumerated(at, node, *number, header),
            Kind::BitString(size, names) => self.bit_string(at, node, size, names.is_some(), header),
            Kind::Real => self.real(at, node, header),
            Kind::ObjectIdentifier | Kind::RelativeOid => self.object_identifier(at, node, header),
            // The other kinds have been handled before.
            _ => Ok(()),
        }
    }

    /// The contents of a value in the primitive form.
    #[inline(always)]
    pub(super) fn primitive(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<&'m [u8], Error> {
        if header.is_constructed() {
            return Err(self.fault(self.start, "the constructed form", "the primitive form of such a value"));
        }
        let contents = self.at;
        self.at = header.end;
        self.report(at, node, Part::Value, contents, header.end);
        Ok(self.message.get(contents..header.end).unwrap_or_default())
    }

    /// The contents of an INTEGER or ENUMERATED, which must be as short as possible.
    #[inline(always)]
    fn number(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<&'m [u8], Error> {
        let octets = self.primitive(at, node, header)?;
        match octets {
            [] => Err(self.fault(self.start, "a number of no octet", "one octet or more")),
            [0, 0..0x80, ..] | [0xFF, 0x80..=0xFF, ..] => {
                Err(self.fault(self.start, "a number with more octets than it needs", "its shortest form"))
            }
            octets => Ok(octets),
        }
    }

    #[inline(always)]
    fn integer(&mut self, at: At<S::Level>, node: NodeId, integer: &IntegerType, header: Header) -> Result<(), Error> {
        self.report_header(at, node);
        let octets = self.number(at, node, header)?;
        let value = match small(octets) {
            Some(number) => Integer::Small(number),
            None => Integer::Big(octets),
        };
        if !integer.extensible && !self.types.allows_integer(integer, value) {
            return Err(self.refused(node, self.start, integer::words(value)));
        }
        self.sink.integer(at, node, value)
    }

    fn enumerated(&mut self, at: At<S::Level>, node: NodeId, number: u32, header: Header) -> Result<(), Error> {
        let octets = self.number(at, node, header)?;
        let enumeration = self.types.enumeration(number);
        let by_number = &enumeration.by_number;
        let value = small(octets).map_or(Integer::Big(octets), Integer::Small);
        let place = by_number.binary_search_by(|(own, _)| compare(own.as_integer(), value)).ok();
        match place.and_then(|place| by_number.get(place)) {
            Some((_, item)) => self.sink.enumerated(at, node, *item),
            None if enumeration.extensible => {
                let octets = Stretch::Message { start: header.end - octets.len(), len: octets.len() };
                let octets = self.lent(octets);
                self.sink.unknown(at, node, octets)
            }
            None => Err(self.refused(node, self.start, integer::words(value))),
        }
    }

    fn real(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        let octets = self.primitive(at, node, header)?;
        let mut text = std::mem::take(&mut self.text);
        let result = match real::read(octets, self.types.is_decimal(node), &mut text) {
            Some(value) => self.sink.real(at, node, value),
            None => {
                let (kind, found) = real::fault(octets);
                Err(Error::new(kind, "ber", self.start as u64, found, "a REAL (X.690 clause 8.5)"))
            }
        };
        self.text = text;
        result
    }

    fn object_identifier(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        let octets = self.primitive(at, node, header)?;
        if !oid::is_valid(octets) {
            return Err(self.fault(self.start, "octets that are not an object identifier", "arcs (X.690 clause 8.19)"));
        }
        let octets = self.lent(Stretch::Message { start: header.end - octets.len(), len: octets.len() });
        self.sink.octets(at, node, octets)
    }
}

/// The number in two's complement, if it has at most 8 octets.
#[inline(always)]
fn small(octets: &[u8]) -> Option<i64> {
    let [high, rest @ ..] = octets else { return None };
    if rest.len() > 7 {
        return None;
    }
    Some(rest.iter().fold(i64::from(*high as i8), |number, octet| number << 8 | i64::from(*octet)))
}
