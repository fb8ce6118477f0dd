//! CHOICE (X.696 clauses 8.7 and 20).

use tam::Error;

use super::super::BY_TAG;
use super::Writer;
use crate::compiled::NodeId;
use crate::event::{At, Source};
use crate::keys::UNKNOWN_OER;
use crate::schema::Tag;
use crate::{contents, path};

impl<S: Source> Writer<'_, '_, S> {
    #[inline(never)]
    pub(super) fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let choice = self.types.choice(number);
        let (alternative, level) = self.source.choice(at, node);
        let inside = At { level, index: 0 };
        let Some(chosen) = choice.alternatives.get(alternative as usize) else {
            return self.unknown_alternative(inside, node, choice.extensible, alternative);
        };
        let mark = self.out.len();
        let written = match self.source.is_present(inside, chosen.node) {
            true => self.value(inside, chosen.node, false, calls),
            false => Err(self.missing(node, &chosen.name)),
        };
        if let Err(error) = written {
            return self.met(path::Step::Chosen(node, alternative), error);
        }
        let tag = match self.types.node(chosen.node).tags.first() {
            Some(tag) => Ok(*tag),
            // An untagged choice starts with the tag, which comes twice (X.696 clause 20.1, note 3).
            None => Err(self.first_tag(mark)),
        };
        if alternative >= choice.root {
            self.length(mark);
        }
        match tag {
            Ok(tag) => self.tag(tag),
            Err(octets) => self.out.octets(&octets),
        }
        Ok(())
    }

    /// Writes an open type (X.696 clause 30): a value of a known type, or octets.
    #[inline(never)]
    pub(super) fn open(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let (source, open) = (self.source, self.types.open(number));
        if let (Some(string), Some(alternatives)) = (&open.string, contents::alternatives(open)) {
            return self.containing(at, node, string, alternatives, calls);
        }
        let (alternative, level) = source.choice(at, node);
        let (inside, mark) = (At { level, index: 0 }, self.out.len());
        match open.alternatives.get(alternative as usize) {
            Some(chosen) if source.is_present(inside, *chosen) => self.value(inside, *chosen, false, calls)?,
            _ => match source.unknown(inside, node) {
                Some(octets) if alternative == UNKNOWN_OER => self.out.octets(octets),
                Some(_) => return Err(Self::by_other_rules("an open type", "a type that is known")),
                None => return Err(self.refused(node, "no value of an open type".into())),
            },
        }
        self.length(mark);
        Ok(())
    }

    /// The tag at the start of what has been written since a mark.
    #[cold]
    fn first_tag(&self, mark: usize) -> Vec<u8> {
        let octets = self.out.since(mark);
        let len = match octets {
            [first, rest @ ..] if first & 0x3F == 0x3F => 2 + rest.iter().take_while(|octet| **octet >= 0x80).count(),
            _ => 1,
        };
        octets.get(..len).unwrap_or_default().to_vec()
    }

    /// Writes a tag (X.696 clause 8.7).
    #[inline(always)]
    fn tag(&mut self, tag: Tag) {
        let class = (tag.class as u8) << 6;
        if tag.number < 0x3F {
            return self.out.octet(class | tag.number as u8);
        }
        self.out.octet(tag.number as u8 & 0x7F);
        let mut rest = tag.number >> 7;
        while rest > 0 {
            self.out.octet(0x80 | rest as u8 & 0x7F);
            rest >>= 7;
        }
        self.out.octet(class | 0x3F);
    }

    /// Writes an alternative of a later version as it was read.
    #[cold]
    fn unknown_alternative(
        &mut self,
        inside: At<S::Level>,
        node: NodeId,
        extensible: bool,
        alternative: u32,
    ) -> Result<(), Error> {
        let source = self.source;
        match source.unknown(inside, node) {
            Some(octets) if extensible && alternative == BY_TAG => {
                self.out.octets(octets);
                Ok(())
            }
            Some(_) => Err(Self::by_other_rules("an alternative", "one whose tag is known")),
            None => Err(self.refused(node, "an alternative that it does not have".into())),
        }
    }
}
