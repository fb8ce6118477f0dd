//! SEQUENCE OF and SET OF (X.696 clauses 17 and 19).

use tam::Error;

use super::Writer;
use crate::compiled::{Kind, NodeId};
use crate::equal::padded_order;
use crate::event::{At, Source};
use crate::path;

impl<S: Source> Writer<'_, '_, S> {
    #[inline(never)]
    pub(super) fn array(&mut self, at: At<S::Level>, node: NodeId, calls: u32) -> Result<(), Error> {
        let Kind::Array(array) = self.types.node(node).kind else { return Ok(()) };
        let (total, level) = self.source.array(at, node);
        self.check_size(node, &array.size, total.into())?;
        let row = matches!(self.types.node(array.item).kind, Kind::Record(_));
        let sorted = array.set && self.canonical && total > 1;
        let (mark, marks) = (self.out.len(), self.marks.len());
        for index in (0..total).rev() {
            let at = At { level, index };
            if sorted {
                self.marks.push(self.out.len());
            }
            let written = match row || self.source.is_present(at, array.item) {
                true => self.value(at, array.item, true, calls),
                false => Err(self.missing(node, "component")),
            };
            if let Err(error) = written {
                return self.met(path::Step::Item(index), error);
            }
        }
        if sorted {
            self.sort(mark, marks);
        }
        let octets = self.natural(total.into());
        self.out.octet(octets);
        Ok(())
    }

    /// Sorts the components written since `mark`, whose own marks are those from `first` on.
    #[inline(never)]
    fn sort(&mut self, mark: usize, first: usize) {
        let all = self.out.len() - mark;
        let encodings = self.out.since_mut(mark);
        // In their current order: what was written last comes first.
        let mut start = 0;
        let mut components: Vec<&[u8]> = Vec::new();
        for before in self.marks.get(first..).unwrap_or_default().iter().rev() {
            let end = all - (before - mark);
            components.push(encodings.get(start..end).unwrap_or_default());
            start = end;
        }
        components.sort_by(|one, other| padded_order(one, other));
        let sorted = components.concat();
        encodings.copy_from_slice(&sorted);
        self.marks.truncate(first);
    }
}
