//! Reading CHOICE (X.690 clause 8.13).

use tam::Error;

use super::header::{Header, key, notation};
use super::reader::{Frame, Reader, place_of};
use crate::compiled::{Choice, Kind, Node, NodeId};
use crate::event::{At, Part, Sink, Stretch};

impl Kind {
    /// Whether values have content that is read step by step.
    #[inline(always)]
    pub(super) fn holds_others(&self) -> bool {
        matches!(self, Kind::Record(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Array(_))
    }
}

impl<S: Sink> Reader<'_, '_, S> {
    /// Reads a CHOICE, and choices in it. A value with content of its own is left on the stack.
    #[inline(never)]
    pub(super) fn choice(
        &mut self,
        at: At<S::Level>,
        node: NodeId,
        described: &Node,
        number: u32,
        header: Header,
    ) -> Result<(), Error> {
        let types = self.types;
        let base = self.stack.len();
        let (mut at, mut node, mut described, mut number, mut header) = (at, node, described, number, header);
        loop {
            let choice = types.choice(number);
            if let Some(inner) = described.tags.get(1..) {
                for tag in inner {
                    header = self.pass_tag(at, node, header)?;
                    if header.key() != key(*tag) {
                        return Err(self.unexpected(header, notation(*tag)));
                    }
                }
                header = self.pass_tag(at, node, header)?;
            }
            let alternative = match place_of(&choice.by_tag, header) {
                Some(alternative) => alternative,
                None => match self.way_through(node, choice, header)? {
                    Some(alternative) => alternative,
                    None => return self.unknown_alternative(at, node, header),
                },
            };
            let Some(chosen) = choice.alternatives.get(alternative as usize) else { return Ok(()) };
            self.check_depth(0)?;
            let level = self.sink.choice(at, node, alternative)?;
            let (inside, within) = (At { level, index: 0 }, types.node(chosen.node));
            let frame = Frame::Choice { node, level, alternative };
            match &within.kind {
                Kind::Choice(inner) => {
                    self.stack.push(frame);
                    (at, node, described, number) = (inside, chosen.node, within, *inner);
                }
                kind if !kind.holds_others() && within.tags.len() == 1 => {
                    // It leaves nothing on the stack, and the choices around it must not either.
                    if let Err(error) = self.simple(inside, chosen.node, kind, header) {
                        self.stack.push(frame);
                        return Err(error);
                    }
                    self.sink.end(node, level)?;
                    return self.end_choices(base);
                }
                _ => {
                    self.stack.push(frame);
                    let top = self.stack.len();
                    self.value(inside, chosen.node, within, header, false)?;
                    return if self.stack.len() == top { self.end_choices(base) } else { Ok(()) };
                }
            }
        }
    }

    /// Ends the choices that were opened since `base` and are on top of the stack.
    #[inline]
    pub(super) fn end_choices(&mut self, base: usize) -> Result<(), Error> {
        while self.stack.len() > base
            && let Some(Frame::Choice { node, level, .. }) = self.stack.last()
        {
            let (node, level) = (*node, *level);
            self.sink.end(node, level)?;
            self.stack.truncate(self.stack.len() - 1);
        }
        Ok(())
    }

    /// For a tag of no known alternative: the alternative that is a choice which accepts later versions, or `None` if
    /// the choice itself does.
    #[cold]
    #[inline(never)]
    fn way_through(&self, node: NodeId, choice: &Choice, header: Header) -> Result<Option<u32>, Error> {
        if let Some(place) = self.open_alternative(choice, header) {
            return Ok(Some(place));
        }
        if !header.is_end_of_contents() {
            if choice.extensible {
                return Ok(None);
            }
            if let Some(place) = choice.alternatives.iter().position(|one| self.types.takes_unknown(one.node)) {
                return Ok(Some(place as u32));
            }
        }
        let expected = format!("the tag of an alternative of {}", self.types.node(node).name);
        Err(self.unexpected(header, expected))
    }

    /// The alternative that is an open type without a tag.
    #[cold]
    pub(super) fn open_alternative(&self, choice: &Choice, header: Header) -> Option<u32> {
        let is_open = |node: &Node| node.tags.is_empty() && matches!(node.kind, Kind::Open(_));
        let place = choice.alternatives.iter().position(|one| is_open(self.types.node(one.node)))?;
        (!header.is_end_of_contents()).then_some(place as u32)
    }

    /// Reads an alternative of a later version.
    #[cold]
    #[inline(never)]
    fn unknown_alternative(&mut self, at: At<S::Level>, node: NodeId, header: Header) -> Result<(), Error> {
        // No schema has this many alternatives. The tag, which is reported too, identifies it.
        let level = self.sink.choice(at, node, u32::MAX)?;
        self.enter(Frame::Choice { node, level, alternative: u32::MAX })?;
        let start = self.start;
        self.skip(header)?;
        self.report(at, node, Part::Unknown, start, self.at);
        let octets = self.lent(Stretch::Message { start, len: self.at - start });
        self.sink.unknown(At { level, index: 0 }, node, octets)
    }
}
