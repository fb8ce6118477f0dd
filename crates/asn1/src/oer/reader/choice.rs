//! CHOICE (X.696 clauses 8.7 and 20).

use tam::{Error, ErrorKind};

use super::super::BY_TAG;
use super::Reader;
use crate::compiled::{Choice, NodeId};
use crate::event::{At, Part, Sink};
use crate::path;
use crate::schema::{Tag, TagClass};

impl<S: Sink> Reader<'_, '_, S> {
    #[inline(never)]
    pub(super) fn choice(&mut self, at: At<S::Level>, node: NodeId, number: u32, calls: u32) -> Result<(), Error> {
        let choice = self.types.choice(number);
        let start = self.at;
        let tag = self.tag()?;
        self.report(at, node, Part::Index, start);
        let Some(alternative) = self.alternative(node, choice, tag, start)? else {
            return self.unknown_alternative(at, node, start);
        };
        let Some(chosen) = choice.alternatives.get(alternative as usize) else { return Ok(()) };
        let level = self.sink.choice(at, node, alternative)?;
        let inside = At { level, index: 0 };
        let read = if alternative < choice.root {
            self.chosen(inside, chosen.node, start, calls)
        } else {
            // The open type is a level too.
            self.open_type(inside, chosen.node, |reader| reader.chosen(inside, chosen.node, start, calls))
        };
        match read {
            Ok(()) => self.sink.end(node, level),
            Err(error) => self.met(path::Step::Chosen(node, alternative), error),
        }
    }

    /// Reads the value of an alternative, whose tag starts at `tag`. An untagged choice repeats that tag (X.696 clause
    /// 20.1, note 3).
    #[inline(always)]
    fn chosen(&mut self, at: At<S::Level>, node: NodeId, tag: usize, calls: u32) -> Result<(), Error> {
        if self.types.node(node).tags.is_empty() {
            self.repeats(tag)?;
        }
        self.value(at, node, false, calls)
    }

    /// Checks that a tag comes twice.
    #[inline(never)]
    fn repeats(&self, tag: usize) -> Result<(), Error> {
        let before = self.message.get(tag..).unwrap_or_default();
        let len = match before {
            [first, rest @ ..] if first & 0x3F == 0x3F => 2 + rest.iter().take_while(|octet| **octet >= 0x80).count(),
            _ => 1,
        };
        let here = self.message.get(self.at..self.end).unwrap_or_default();
        let common = len.min(here.len());
        match here.get(..common) == before.get(..common) {
            true => Ok(()),
            false => Err(self.fault(self.at, "another tag than before", "the tag of an untagged CHOICE twice")),
        }
    }

    /// Reads a tag (X.696 clause 8.7).
    #[inline(always)]
    fn tag(&mut self) -> Result<Tag, Error> {
        let first = self.octet()?;
        let class = match first >> 6 {
            0 => TagClass::Universal,
            1 => TagClass::Application,
            2 => TagClass::Context,
            _ => TagClass::Private,
        };
        let number = match first & 0x3F {
            0x3F => self.long_tag()?,
            number => number.into(),
        };
        Ok(Tag { class, number })
    }

    #[inline(never)]
    fn long_tag(&mut self) -> Result<u32, Error> {
        let start = self.at;
        let mut number = 0u32;
        loop {
            let octet = self.octet()?;
            if number == 0 && octet == 0x80 {
                return Err(self.fault(start, "a tag with more octets than it needs", "its shortest form"));
            }
            if number > u32::MAX >> 7 {
                let found = "a tag beyond 32 bits";
                return Err(Error::new(ErrorKind::Unsupported, "oer", start as u64, found, "a smaller one"));
            }
            number = number << 7 | u32::from(octet & 0x7F);
            if octet < 0x80 {
                return Ok(number);
            }
        }
    }

    /// The alternative of a tag; `None` if it is of a later version.
    #[inline(always)]
    fn alternative(&self, node: NodeId, choice: &Choice, tag: Tag, start: usize) -> Result<Option<u32>, Error> {
        // Automatic tags number the alternatives, so the tag is often the index.
        match choice.by_tag.get(tag.number as usize) {
            Some((own, place)) if *own == tag => Ok(Some(*place)),
            _ => self.searched(node, choice, tag, start),
        }
    }

    #[inline(never)]
    fn searched(&self, node: NodeId, choice: &Choice, tag: Tag, start: usize) -> Result<Option<u32>, Error> {
        let by_tag = &choice.by_tag;
        if let Ok(found) = by_tag.binary_search_by(|(own, _)| own.cmp(&tag)) {
            return Ok(by_tag.get(found).map(|(_, place)| *place));
        }
        if choice.extensible {
            return Ok(None);
        }
        // An untagged choice in it may have later versions.
        if let Some(place) = choice.alternatives.iter().position(|one| self.types.takes_unknown(one.node)) {
            return Ok(Some(place as u32));
        }
        let expected = format!("the tag of an alternative of {}", self.types.node(node).name);
        Err(Error::new(ErrorKind::Syntax, "oer", start as u64, "another tag", expected))
    }

    /// Reads an alternative of a later version, which is an open type, from its tag on.
    #[cold]
    #[inline(never)]
    fn unknown_alternative(&mut self, at: At<S::Level>, node: NodeId, start: usize) -> Result<(), Error> {
        // No schema has this many alternatives. The tag, which is reported too, identifies it.
        let level = self.sink.choice(at, node, BY_TAG)?;
        let inside = At { level, index: 0 };
        let count = self.length(inside, node)?;
        let contents = self.take(count)?;
        self.report(inside, node, Part::Unknown, contents);
        let octets = self.lent(start, self.at - start);
        self.sink.unknown(inside, node, octets)?;
        self.sink.end(node, level)
    }
}
