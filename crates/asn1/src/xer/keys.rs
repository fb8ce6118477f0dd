//! The identifiers that select types, wherever they are in their record.

use tam::xml::Element;
use tam::{Builder, Table, TypeSet};

use super::reader::Reader;
use crate::compiled::{NodeId, Record};
use crate::jer;
use crate::keys::{Key, KeySink};

impl<'d> Reader<'d, '_, '_, '_, '_> {
    /// Keeps the keys in a record, and returns the start of these.
    pub(super) fn keep_keys(&mut self, number: u32, element: Element<'d>) -> usize {
        let record = self.types.record(number);
        if !record.keyed {
            return self.keys.begin(&Record::EMPTY);
        }
        let base = self.keys.begin(record);
        for (place, key) in record.keys.iter().enumerate() {
            // A fault is reported when the component itself is read.
            let found = self.types.find_key(record, key, element, child);
            let key = found.and_then(|(element, node)| self.key(element, node));
            self.keys.set(base, place, key.unwrap_or_default());
        }
        base
    }

    fn key(&self, element: Element<'d>, node: NodeId) -> Option<Key> {
        let mut table = Table::new();
        let mut json = Builder::new(self.message, TypeSet::VALUE, self.limits, &mut table);
        Reader::new(self.message, self.types, self.limits, &mut json).whole(element, node).ok()?;
        json.finish().ok()?;
        let document = table.document(self.message, TypeSet::VALUE);
        let mut sink = KeySink::new(self.message, &[]);
        let walked = jer::read_events(&document, self.types, node, &self.limits, &mut sink);
        Some(sink.key(&walked))
    }
}

fn child<'d>(element: Element<'d>, name: &str) -> Option<Element<'d>> {
    element.elements().find(|child| child.name() == *name)
}
