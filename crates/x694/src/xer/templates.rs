//! Templates of several kinds and shapes of instance.

use asn1::Value;
use dds::checkpoints::{BEGINNING, Likeness};
use tam::Error;
use xsd::Options;

use super::template::Template;
use super::types::Types;

/// Templates at the most, and bytes of all of them that an instance is compared with to choose one.
const MOST: usize = 16;
const COMPARED: usize = 8 << 10;

/// Templates for instances of a schema, within a bound of memory: one for each way in which they are written, whatever their
/// values. So instances of different elements, or of different programs, may come in turn.
#[derive(Debug)]
pub struct Templates {
    /// The one used last comes last.
    all: Vec<Template>,
    bound: usize,
    /// What those counted that have had to go.
    gone: dds::Stats,
}

impl Templates {
    /// Templates that keep at most about `bound` bytes between instances; one is always kept.
    #[must_use]
    pub fn new(bound: usize) -> Templates {
        Templates { all: Vec::new(), bound, gone: dds::Stats::default() }
    }

    /// Reads an instance by the template that it begins most like; see [`Template::read`].
    ///
    /// # Errors
    /// Those of [`Template::read`].
    pub fn read<'v>(&'v mut self, xml: &mut Vec<u8>, types: &'v Types, options: &Options) -> Result<Value<'v>, Error> {
        match self.choose(xml) {
            Some(place) => self.all[place..].rotate_left(1),
            None => self.all.push(Template::new()),
        }
        let last = self.all.len() - 1;
        let read = self.all[last].advance(xml, types, options);
        if self.all[last].last().is_empty() {
            // Nothing has been read by it.
            self.drop_template(last);
        }
        let node = read?;
        while self.all.len() > MOST || self.all.len() > 1 && self.memory() > self.bound {
            self.drop_template(0);
        }
        Ok(self.all[self.all.len() - 1].value(types, node))
    }

    fn drop_template(&mut self, place: usize) {
        self.gone += self.all.remove(place).stats();
        self.gone.memory = 0;
    }

    /// The template whose instance begins like this one; `None` for a new one.
    fn choose(&self, xml: &[u8]) -> Option<usize> {
        let window = (COMPARED / self.all.len().max(1)).min(BEGINNING);
        let beginning = &xml[..xml.len().min(window)];
        let mut best: Option<((bool, usize, usize), usize)> = None;
        for (place, template) in self.all.iter().enumerate() {
            let last = template.last();
            let likeness = Likeness::of(beginning, &last[..last.len().min(window)]);
            // Among those that are alike, the one of the nearest length.
            let rank = (likeness.is_alike, likeness.len, usize::MAX - last.len().abs_diff(xml.len()));
            if best.as_ref().is_none_or(|(known, _)| rank >= *known) {
                best = Some((rank, place));
            }
        }
        // Where the beginning differs, most of the rest may be the same; if it was not, the two go different ways.
        let is_for = |place: usize| self.all.len() >= MOST || self.all[place].takes_others();
        best.filter(|((is_alike, ..), place)| *is_alike || is_for(*place)).map(|(_, place)| place)
    }

    fn memory(&self) -> usize {
        self.all.iter().map(|template| template.stats().memory as usize).sum()
    }

    /// What differencing was worth so far, in all templates together.
    #[must_use]
    pub fn stats(&self) -> dds::Stats {
        let mut stats = self.gone;
        self.all.iter().for_each(|template| stats += template.stats());
        stats
    }
}
