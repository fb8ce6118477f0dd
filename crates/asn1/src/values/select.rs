//! Gives open types the types that their identifiers select (X.681 clause 14), once all values have been filled in.

use tam::{Error, ErrorKind};

use super::fill::Filler;
use super::look::ValueReader;
use super::store::{Level, mark};
use super::walk::Walk;
use crate::compiled::{Compiled, Kind, NodeId};
use crate::event::{At, Source};

impl Filler<'_> {
    /// Gives each open type in a value the alternative that its keys select, among those that have the same name in XML and the
    /// same form. `message` is what values refer to.
    ///
    /// # Errors
    /// [`Schema`](ErrorKind::Schema) with the path of an open type whose value is of another type than its keys select, and the
    /// level of this value.
    #[doc(hidden)]
    pub fn select_open_types(&mut self, root: Level, node: NodeId, message: &[u8]) -> Result<(), (Error, Level)> {
        let types = self.types;
        if !types.has_tables() {
            return Ok(());
        }
        let look = ValueReader { types, values: self.values, message };
        let mut walk = Walk::new(look, At { level: root, index: 0 }, node, false);
        // Cells of open types, and the alternatives that they are to have.
        let mut found: Vec<(usize, u32)> = Vec::new();
        while let Some(met) = walk.next() {
            let Kind::Open(number) = types.node(met.node).kind else {
                walk.enter(met, 0);
                continue;
            };
            let (open, (mut index, level)) = (types.open(number), look.choice(met.at, met.node));
            if !open.is_string() {
                let selected = walk.keys.select(open);
                if let Some(selected) = selected.filter(|other| is_alike(types, &open.alternatives, index, *other)) {
                    found.push((met.at.level.cell(met.at.index), selected));
                    index = selected;
                }
                let is_known = open.alternatives.get(index as usize).is_some();
                if selected != is_known.then_some(index) {
                    let error = unlike(types, &open.alternatives, index, selected).in_path(walk.path(met));
                    return Err((error, level));
                }
            }
            walk.enter(met, index);
        }
        for (cell, alternative) in found {
            let first = self.values.cell(cell) & u64::from(u32::MAX);
            self.values.set(cell, first | u64::from(alternative) << 32, mark::PLAIN);
        }
        Ok(())
    }
}

/// Whether two alternatives are different types of one name whose values have the same form in the store.
fn is_alike(types: &Compiled, alternatives: &[NodeId], one: u32, other: u32) -> bool {
    let at = |index: u32| alternatives.get(index as usize).copied();
    let (Some(one), Some(other)) = (at(one), at(other)) else { return false };
    let is_same_form = match (types.node(one).kind, types.node(other).kind) {
        (Kind::Text(one), Kind::Text(other)) => {
            let [one, other] = [one, other].map(|number| types.characters(number).kind);
            one == other && !one.is_iso8601()
        }
        (Kind::Integer(_), Kind::Integer(_)) | (Kind::OctetString(_), Kind::OctetString(_)) => true,
        _ => false,
    };
    one != other && is_same_form && types.type_element(one) == types.type_element(other)
}

#[cold]
fn unlike(types: &Compiled, alternatives: &[NodeId], index: u32, selected: Option<u32>) -> Error {
    let name = |index: u32| alternatives.get(index as usize).map(|node| types.type_element(*node));
    let found = match name(index) {
        Some(name) => format!("a value of {name}"),
        None => "octets of an open type".to_owned(),
    };
    let expected = match selected.and_then(name) {
        Some(name) => format!("the type that the identifier selects: {name}"),
        None => "octets, because the identifier selects no type".to_owned(),
    };
    Error::without_place(ErrorKind::Schema, "asn1", found, expected)
}
