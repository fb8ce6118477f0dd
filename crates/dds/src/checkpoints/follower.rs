//! Where a message goes on like an earlier one.

use core::ops::Range;

use super::Span;
use xml::kernels::alignment::Alignment;

/// Spans before and after the expected one that are looked at.
const WINDOW: u32 = 16;
/// Spans in which the counterpart of an element is looked for.
const NEAR: usize = 2;
/// Places without a match before only one in [`PATIENCE`] looks at the window.
const MISSES: usize = 3;
const PATIENCE: usize = 16;

/// What looking at a span costs, in bytes that are read; and so many bytes that are compared cost as much as one.
const LOOK: usize = 4;
const COMPARED: usize = 16;
/// What a message may cost that has nothing in common with the earlier one: so much, and a part in so many of what is read.
const STAKE: usize = 4096;
const SHARE: usize = 32;

/// Bytes that decide whether it is worth comparing all.
const FIRST: usize = 16;

/// A place between two spans of the earlier message: the number of the next one, and where it begins.
#[derive(Clone, Copy, Debug)]
struct Place {
    span: usize,
    at: usize,
}

/// The element of the earlier message that an open element is compared with.
#[derive(Clone, Copy, Debug)]
struct Twin {
    /// The first span that may still be taken, the one that is likely to come next, and how many are between them.
    free: Place,
    expected: Place,
    gap: u32,
    /// The end of its spans.
    end: usize,
    /// Where in the message the expected one would begin if nothing had another length.
    since: usize,
    /// Places without a match.
    misses: usize,
}

/// Spans of the earlier message that the message has as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The numbers of the spans, those inside them included.
    pub spans: Range<usize>,
    /// Bytes of all of them.
    pub len: usize,
}

/// Compares a message with an earlier one while it is read.
#[derive(Debug)]
pub struct Follower<'o, M> {
    message: &'o [u8],
    spans: &'o [Span<M>],
    /// One for each open element.
    twins: Vec<Option<Twin>>,
    /// Places in both messages, and how many bytes are the same from there on.
    same: (usize, usize, usize),
    cost: usize,
    taken: usize,
}

impl<'o, M> Follower<'o, M> {
    /// Compares a message with an earlier one, the spans of which begin with that of its root.
    #[must_use]
    pub fn new(message: &'o [u8], spans: &'o [Span<M>]) -> Follower<'o, M> {
        Follower { message, spans, twins: Vec::new(), same: (0, 0, 0), cost: 0, taken: 0 }
    }

    /// The spans of the earlier message.
    #[must_use]
    pub fn spans(&self) -> &'o [Span<M>] {
        self.spans
    }

    /// Bytes that were found in the earlier message.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// What looking for them has cost, in bytes that are read.
    #[must_use]
    pub fn cost(&self) -> usize {
        self.cost
    }

    /// An element with child elements has begun at a place of the message: inside the innermost one, or as the root.
    /// `is_like` says which elements of the earlier message it may be compared with, by the marks of their spans.
    pub fn enter(&mut self, at: usize, is_like: impl Fn(&M) -> bool) {
        let root = Place { span: 0, at: 0 };
        let place = match self.twins.last() {
            None => self.spans.first().filter(|root| is_like(&root.mark)).map(|_| root),
            Some(None) => None,
            Some(Some(twin)) => {
                let mut places = self.places(twin.expected, twin.end).take(NEAR).chain([twin.free]);
                places
                    .find(|place| self.spans.get(place.span).is_some_and(|span| span.inside > 0 && is_like(&span.mark)))
            }
        };
        let twin = place.and_then(|place| Some((place, self.spans.get(place.span)?))).map(|(place, span)| {
            let first = Place { span: place.span + 1, at: place.at + span.content as usize };
            if let Some(Some(parent)) = self.twins.last_mut() {
                // It is likely to be this element, so the one after it is likely to come next.
                let next = Place { span: place.span + 1 + span.inside as usize, at: place.at + span.len as usize };
                if place.span >= parent.expected.span {
                    parent.free = place;
                    (parent.expected, parent.gap) = (next, 1);
                }
            }
            let end = first.span + span.inside as usize;
            Twin { free: first, expected: first, gap: 0, end, since: at, misses: 0 }
        });
        self.twins.push(twin);
    }

    /// The innermost element has ended at a place of the message.
    pub fn leave(&mut self, at: usize) {
        let ended = self.twins.pop().flatten();
        if let (Some(_), Some(Some(parent))) = (ended, self.twins.last_mut()) {
            parent.since = at;
        }
    }

    /// Whether looking for spans may be worth it at a place of the message: where the element around it is like one of the
    /// earlier message, and looking has not cost too much so far.
    #[inline]
    #[must_use]
    pub fn may_find(&self, at: usize) -> bool {
        // Where bytes are known to be the same, looking costs little.
        let is_known = at < self.same.1 + self.same.2;
        matches!(self.twins.last(), Some(Some(_))) && (is_known || self.cost <= STAKE + at / SHARE + self.taken)
    }

    /// The spans that the message goes on with from a place on, where the element around it is read. `fits` says whether a
    /// span could be read there; `goes_on` whether one is taken together with the one before it.
    pub fn find(
        &mut self,
        message: &[u8],
        at: usize,
        fits: impl Fn(&M) -> bool,
        goes_on: impl Fn(&M, &M) -> bool,
    ) -> Option<Found> {
        let mut twin = (*self.twins.last()?)?;
        while let Some(span) = self.spans.get(twin.expected.span).filter(|_| twin.expected.span < twin.end)
            && at - twin.since >= span.len as usize
        {
            twin.since += span.len as usize;
            twin.expected = self.after(twin.expected);
            twin.gap += 1;
            if twin.gap > WINDOW {
                twin.free = self.after(twin.free);
                twin.gap -= 1;
            }
        }
        twin.misses += 1;
        let is_near = twin.misses <= MISSES || twin.misses.is_multiple_of(PATIENCE);
        let near = if is_near { 2 * WINDOW as usize } else { 0 };
        let mut found = None;
        // The expected one and the one after it, which comes next where one has changed; then those around.
        let (likely, around) = (twin.expected, twin.free);
        for (place, most) in [(likely, 2), (around, near)] {
            let mut next = place;
            for _ in 0..most {
                let Some(span) = self.spans.get(next.span).filter(|_| next.span < twin.end) else { break };
                self.cost += LOOK;
                if fits(&span.mark) && self.is_same(message, next.at, at, span.len as usize) {
                    found = Some(next);
                    break;
                }
                next = self.after(next);
            }
            if found.is_some() {
                break;
            }
        }
        let Some(first) = found else {
            *self.twins.last_mut()? = Some(twin);
            return None;
        };
        let same = self.same_from(message, first.at, at);
        let (mut next, mut before): (Place, Option<&Span<M>>) = (first, None);
        while let Some(span) = self.spans.get(next.span).filter(|_| next.span < twin.end)
            && before.is_none_or(|before| goes_on(&before.mark, &span.mark))
            && next.at + span.len as usize - first.at <= same
        {
            (next, before) = (self.after(next), Some(span));
        }
        let len = next.at - first.at;
        self.taken += len;
        let last = self.twins.last_mut()?;
        *last = Some(Twin { free: next, expected: next, gap: 0, end: twin.end, since: at + len, misses: 0 });
        Some(Found { spans: first.span..next.span, len })
    }

    /// A span that has likely changed, after nothing was found at a place: its number, and where it begins in the earlier
    /// message. `fits` says whether a span could be read there.
    #[must_use]
    pub fn changed(&self, at: usize, fits: impl Fn(&M) -> bool) -> Option<(usize, usize)> {
        let twin = self.twins.last()?.as_ref().filter(|_| self.may_find(at))?;
        let mut places = self.places(twin.expected, twin.end).take(NEAR).chain([twin.free]);
        let found = places.find(|place| self.spans.get(place.span).is_some_and(|span| fits(&span.mark)))?;
        Some((found.span, found.at))
    }

    /// The message is read up to a place where a span of the earlier one ends, of which bytes were taken. Looking for them
    /// has cost so many bytes that are read.
    pub fn pass(&mut self, (span, begin): (usize, usize), at: usize, taken: usize, cost: usize) {
        let next = self.after(Place { span, at: begin });
        if let Some(Some(twin)) = self.twins.last_mut() {
            *twin = Twin { free: next, expected: next, gap: 0, since: at, misses: 0, ..*twin };
        }
        self.taken += taken;
        self.cost += cost;
    }

    fn after(&self, place: Place) -> Place {
        match self.spans.get(place.span) {
            Some(span) => Place { span: place.span + 1 + span.inside as usize, at: place.at + span.len as usize },
            None => place,
        }
    }

    /// Places from one on, in one element.
    fn places(&self, from: Place, end: usize) -> impl Iterator<Item = Place> {
        std::iter::successors(Some(from), |place| Some(self.after(*place))).take_while(move |place| place.span < end)
    }

    fn is_same(&mut self, message: &[u8], old_at: usize, at: usize, len: usize) -> bool {
        let first = len.min(FIRST);
        let (Some(old), Some(new)) = (self.message.get(old_at..old_at + first), message.get(at..at + first)) else {
            return false;
        };
        old == new && self.same_from(message, old_at, at) >= len
    }

    /// How many bytes are the same from two places on.
    fn same_from(&mut self, message: &[u8], old_at: usize, at: usize) -> usize {
        let (known_old, known_at, known) = self.same;
        if at >= known_at && at - known_at <= known && old_at.wrapping_sub(known_old) == at - known_at {
            return known - (at - known_at);
        }
        let same = Alignment::new(self.message, message, old_at, at).same();
        self.cost += same / COMPARED;
        self.same = (old_at, at, same);
        same
    }
}
