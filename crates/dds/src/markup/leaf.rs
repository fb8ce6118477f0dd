//! Elements that have no elements in them.

use std::borrow::Cow;

use xml::chars::is_space;

use crate::markup::scan::{RawName, Scanner};

/// Bytes of text that rows go over.
const LONGEST: usize = 32 << 10;

/// The name of the element around a value: where the name begins, as a distance before the end of the
/// attributes, and how long it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeafName {
    back: u32,
    len: u32,
}

impl LeafName {
    /// The text of an element from the end of its attributes on, and the place after the element. It may be
    /// written as an empty tag, with white space in its tags, with references, comments and CDATA sections.
    #[inline]
    pub(crate) fn read<'m>(&self, bytes: &'m [u8], at: usize) -> Option<(Cow<'m, str>, usize)> {
        let mut scanner = Scanner { bytes, at };
        scanner.space();
        match scanner.rest() {
            [b'>', ..] => scanner.at += 1,
            [b'/', b'>', ..] => return Some((Cow::Borrowed(""), scanner.at + 2)),
            _ => return None,
        }
        let text = scanner.content().ok()?;
        let start = at.checked_sub(self.back as usize)?;
        scanner.end_tag(&RawName { start, local: start, end: start + self.len as usize }).ok()?;
        Some((text, scanner.at))
    }

    /// The same, if it is not too long for a row.
    #[inline]
    pub(crate) fn read_short<'m>(&self, bytes: &'m [u8], at: usize) -> Option<(Cow<'m, str>, usize)> {
        self.read(bytes, at).filter(|(_, end)| end - at <= LONGEST)
    }
}

/// The text at `at`, up to an end tag, and the place after it.
pub(crate) fn text(bytes: &[u8], at: usize) -> Option<(Cow<'_, str>, usize)> {
    let mut scanner = Scanner { bytes, at };
    let text = scanner.content().ok()?;
    (scanner.at - at <= LONGEST).then_some((text, scanner.at))
}

/// An element that has no elements in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// The place after the attributes of its start tag, or its name.
    pub(crate) start: usize,
    /// The place after it.
    pub(crate) end: usize,
    pub(crate) name: LeafName,
}

impl Leaf {
    pub(crate) fn new(name: &RawName, start: usize, end: usize) -> Option<Leaf> {
        let name =
            LeafName { back: u32::try_from(start - name.start).ok()?, len: u32::try_from(name.end - name.start).ok()? };
        Some(Leaf { start, end, name })
    }

    /// Where its text begins and ends, `None` if it is an empty tag.
    pub(crate) fn text(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        let bytes = bytes.get(..self.end)?;
        let space = bytes.get(self.start..)?.iter().take_while(|&&byte| is_space(byte)).count();
        let start = self.start + space;
        let end = memchr::memrchr(b'<', bytes)?;
        (bytes.get(start) == Some(&b'>') && start < end).then_some((start + 1, end))
    }
}
