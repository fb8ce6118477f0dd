//! Attributes, which are written after the children of their element.

use tam::xml::unit;
use tam::{Error, Row};

use super::{Collector, Fields, NO_STRING, Token};

impl<'a> Collector<'a> {
    /// Collects the attributes of an element, which are written at its end. Returns the number of the element's name,
    /// resolved with the namespaces that they bind.
    #[inline(never)]
    pub(super) fn attributes(&mut self, list: &'a Row, element: u32) -> Result<(Option<u32>, Fields), Error> {
        let rows = self.run(list.value_at(), list.len())?;
        if list.name_len() > 0 || rows.is_empty() || !list.is_structured() {
            let found = if rows.is_empty() { "an empty attribute list" } else { "a named attribute list" };
            return Err(self.refused(list, found, "an unnamed list of attributes"));
        }
        self.written.clear();
        let mut fields = Fields::default();
        for row in rows {
            if row.kind() != b'[' {
                return Err(self.refused(row, unit(row.kind()), "an attribute ('[')"));
            }
            let written = self.name(row)?;
            self.written.push(written);
            match self.scope.declares(written) {
                Some(prefix) => {
                    fields.namespace_attributes = true;
                    self.scope.bind(prefix, self.document.text(row.value_at(), row.len()));
                }
                None => fields.attributes = true,
            }
        }
        self.check_unique(rows)?;
        let name = self.element_name(element);
        for (n, row) in rows.iter().enumerate() {
            let Some(&written) = self.written.get(n) else { continue };
            let name = self.scope.attribute(written);
            let name = self.named(name);
            let value = if row.is_empty() { NO_STRING } else { self.string(row)? };
            let attribute = Token::Attribute { name, value };
            self.waiting.push((attribute, self.scope.declares(written).is_some()));
        }
        Ok((Some(name), fields))
    }

    /// Checks that no attribute occurs twice.
    fn check_unique(&self, rows: &'a [Row]) -> Result<(), Error> {
        const FEW: usize = 12;
        let twice = if self.written.len() <= FEW {
            let is_before = |n: usize, name| self.written.iter().take(n).any(|other| *other == name);
            self.written.iter().enumerate().find(|(n, name)| is_before(*n, **name)).map(|(n, _)| n)
        } else {
            let mut sorted: Vec<(u32, usize)> = self.written.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
        };
        match twice.and_then(|n| rows.get(n)) {
            Some(row) => Err(self.refused(row, "an attribute a second time", "each attribute once")),
            None => Ok(()),
        }
    }

    #[inline(never)]
    pub(super) fn waiting_attributes(&mut self, from: usize) {
        let waiting = self.waiting.get(from..).unwrap_or_default();
        let namespaces = waiting.iter().filter(|(_, namespace)| *namespace).count();
        for of_namespace in [false, true] {
            let count = if of_namespace { namespaces } else { waiting.len() - namespaces } as u32;
            if count == 0 {
                continue;
            }
            self.tokens.push(if of_namespace {
                Token::NamespaceAttributes { count, is_last: true }
            } else {
                Token::Attributes { count, is_last: namespaces == 0 }
            });
            let these = waiting.iter().filter(|(_, namespace)| *namespace == of_namespace);
            self.tokens.extend(these.map(|(token, _)| *token));
        }
        self.waiting.truncate(from);
    }
}
