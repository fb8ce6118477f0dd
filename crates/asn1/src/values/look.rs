//! Values as a writer requests them.

use super::store::{BESIDE, Level, Values, mark};
use crate::compiled::{Compiled, Kind, NodeId};
use crate::event::{At, Integer, Real, Scalar, Source};
use crate::writer::{Start, append_from};
use crate::{EncodingRules, Options};

/// Reads [`Values`]: the [`Source`] over them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueReader<'v> {
    pub(crate) types: &'v Compiled,
    pub(crate) values: &'v Values,
    pub(crate) message: &'v [u8],
}

impl<'v> ValueReader<'v> {
    /// The octets at a position.
    #[inline]
    pub(crate) fn stretch(&self, start: u32, len: usize) -> &'v [u8] {
        let (bytes, start) = match start & BESIDE {
            0 => (self.message, start as usize),
            _ => (&self.values.text[..], (start & !BESIDE) as usize),
        };
        bytes.get(start..start + len).unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn cell(&self, at: At<Level>) -> u64 {
        self.values.cell(at.level.cell(at.index))
    }

    #[inline(always)]
    pub(crate) fn mark(&self, at: At<Level>) -> u8 {
        self.values.mark(at.level.cell(at.index))
    }

    #[inline]
    pub(crate) fn octets_at(&self, cell: u64) -> &'v [u8] {
        self.stretch(cell as u32, (cell >> 32) as usize)
    }

    /// The octets of the string around the value in a cell.
    pub(crate) fn kept_octets(&self, first: u32) -> Option<(EncodingRules, &'v [u8], u64)> {
        let kept = self.values.contents.get(&first)?;
        Some((kept.rules, self.octets_at(kept.place), kept.bits))
    }

    /// Whether the octets of the string around the value in a cell differ from those that would have been written for it.
    #[cold]
    pub(super) fn is_rewritten(&self, first: u32, options: &Options) -> bool {
        let Some(kept) = self.values.contents.get(&first) else { return false };
        let forms = match kept.rules == options.rules {
            true => [*options, *options],
            false => [Options::of(kept.rules), Options::of(kept.rules).with_canonical(true)],
        };
        let start = Start { at: At { level: Level { first, stride: 1 }, index: 0 }, node: kept.node, row: false };
        let octets = self.octets_at(kept.place);
        !forms.iter().any(|form| {
            let mut written = Vec::new();
            append_from(self, self.types, start, form, &mut written).is_ok() && written == octets
        })
    }

    #[inline]
    pub(crate) fn text_at(&self, cell: u64) -> &'v str {
        // Readers have checked the text. Only `unsafe` could avoid this second check.
        core::str::from_utf8(self.octets_at(cell)).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn array_at(&self, cell: u64, item: NodeId) -> (u32, Level) {
        let first = cell as u32;
        let stride = match self.types.node(item).kind {
            Kind::Record(_) => self.values.cell((first as usize).wrapping_sub(1)) as u32,
            _ => 1,
        };
        ((cell >> 32) as u32, Level { first, stride })
    }

    #[inline]
    pub(crate) fn integer_at(&self, cell: u64, mark: u8) -> Integer<'v> {
        match mark {
            mark::LARGE => Integer::Big(self.octets_at(cell)),
            _ => Integer::Small(cell as i64),
        }
    }

    #[inline]
    pub(crate) fn real_at(&self, cell: u64, mark: u8) -> Real<'v> {
        match mark {
            mark::LARGE => Real::Decimal(self.text_at(cell)),
            _ => Real::Double(f64::from_bits(cell)),
        }
    }
}

impl Source for ValueReader<'_> {
    type Level = Level;

    fn root(&self) -> Level {
        Level { first: 0, stride: 1 }
    }

    #[inline(always)]
    fn is_present(&self, at: At<Level>, _: NodeId) -> bool {
        self.mark(at) != mark::ABSENT
    }

    #[inline(always)]
    fn presence(&self, level: Level, count: u32) -> Option<u64> {
        if level.stride == 1 { self.values.presence(level.cell(0), count) } else { None }
    }

    #[inline(always)]
    fn scalar(&self, at: At<Level>, _: NodeId, _: Scalar) -> Option<i64> {
        (self.mark(at) == mark::PLAIN).then(|| self.cell(at) as i64)
    }

    #[inline(always)]
    fn boolean(&self, at: At<Level>, _: NodeId) -> bool {
        self.cell(at) != 0
    }

    #[inline(always)]
    fn integer(&self, at: At<Level>, _: NodeId) -> Integer<'_> {
        self.integer_at(self.cell(at), self.mark(at))
    }

    #[inline]
    fn unknown(&self, at: At<Level>, _: NodeId) -> Option<&[u8]> {
        (self.mark(at) == mark::UNKNOWN).then(|| self.octets_at(self.cell(at)))
    }

    #[inline(always)]
    fn enumerated(&self, at: At<Level>, _: NodeId) -> u32 {
        self.cell(at) as u32
    }

    #[inline(always)]
    fn real(&self, at: At<Level>, _: NodeId) -> Real<'_> {
        self.real_at(self.cell(at), self.mark(at))
    }

    #[inline(always)]
    fn decimal_octets(&self, at: At<Level>, _: NodeId) -> Option<&[u8]> {
        (self.mark(at) == mark::LARGE).then(|| self.octets_at(self.cell(at)))
    }

    #[inline]
    fn bit_string(&self, at: At<Level>, _: NodeId) -> (&[u8], u64) {
        let cell = self.cell(at);
        (self.stretch(cell as u32, (cell >> 32).div_ceil(8) as usize), cell >> 32)
    }

    #[inline]
    fn octets(&self, at: At<Level>, _: NodeId) -> &[u8] {
        self.octets_at(self.cell(at))
    }

    #[inline]
    fn text_octets(&self, at: At<Level>, _: NodeId) -> &[u8] {
        self.octets_at(self.cell(at))
    }

    #[inline]
    fn text(&self, at: At<Level>, _: NodeId) -> &str {
        self.text_at(self.cell(at))
    }

    #[inline(always)]
    fn record(&self, at: At<Level>, _: NodeId) -> Level {
        Level { first: self.cell(at) as u32, stride: 1 }
    }

    #[inline(always)]
    fn row(&self, at: At<Level>, _: NodeId) -> Level {
        at.level.row(at.index)
    }

    #[inline]
    fn additions(&self, level: Level) -> Option<u32> {
        self.values.additions.get(&level.first).copied()
    }

    fn content_octets(&self, level: Level) -> Option<(EncodingRules, &[u8], u64)> {
        self.kept_octets(level.first)
    }

    #[inline]
    fn choice(&self, at: At<Level>, _: NodeId) -> (u32, Level) {
        let cell = self.cell(at);
        ((cell >> 32) as u32, Level { first: cell as u32, stride: 1 })
    }

    #[inline]
    fn array(&self, at: At<Level>, node: NodeId) -> (u32, Level) {
        match self.types.node(node).kind {
            Kind::Array(array) => self.array_at(self.cell(at), array.item),
            _ => (0, at.level),
        }
    }
}
