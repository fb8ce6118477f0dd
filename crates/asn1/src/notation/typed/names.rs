//! Finds components, alternatives, enumerations and named numbers by their names.

use foldhash::HashMap;

use crate::compiled::{Alternative, Compiled, Member, Number};
use crate::event::Integer;

/// What a name may belong to: an item of the schema, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Of {
    Record(u32),
    Choice(u32),
    Enumeration(u32),
    Names(u32),
}

/// The number of members after the last one that are compared before the table is used.
const AHEAD: usize = 4;

/// Tables of names, each built when first used. They bound the cost of any order of names.
#[derive(Debug)]
pub(crate) struct Names<'t> {
    types: &'t Compiled,
    tables: HashMap<Of, HashMap<&'t str, u32>>,
}

impl<'t> Names<'t> {
    pub(crate) fn new(types: &'t Compiled) -> Names<'t> {
        Names { types, tables: HashMap::default() }
    }

    /// The index of a member of a record, most likely the one at `next` or soon after.
    pub(super) fn member(&mut self, number: u32, name: &str, next: u32) -> Option<u32> {
        let members = &self.types.record(number).members;
        let ahead = members.iter().zip(0..).skip(next as usize).take(AHEAD);
        let found = ahead.into_iter().find(|(member, _)| member.identifier() == name).map(|(_, index)| index);
        found.or_else(|| self.find(Of::Record(number), name))
    }

    /// The index of a name.
    pub(crate) fn find(&mut self, of: Of, name: &str) -> Option<u32> {
        let types = self.types;
        let table = self.tables.entry(of).or_insert_with(|| match of {
            Of::Record(number) => table(types.record(number).members.iter().map(Member::identifier)),
            Of::Choice(number) => table(types.choice(number).alternatives.iter().map(Alternative::identifier)),
            Of::Enumeration(number) => table(types.enumeration(number).items.iter().map(|(name, _)| &name[..])),
            Of::Names(number) => table(types.names(number).iter().map(|(name, _)| &name[..])),
        });
        table.get(name).copied()
    }

    /// The value of a named number or bit.
    pub(crate) fn number(&mut self, names: u32, name: &str) -> Option<&'t Number> {
        let index = self.find(Of::Names(names), name)?;
        self.types.names(names).get(index as usize).map(|(_, number)| number)
    }
}

fn table<'t>(names: impl Iterator<Item = &'t str>) -> HashMap<&'t str, u32> {
    names.zip(0..).collect()
}

/// Finds the names of numbers and bits by the numbers.
#[derive(Debug)]
pub(super) struct Numbers<'t> {
    types: &'t Compiled,
    tables: HashMap<u32, HashMap<Integer<'t>, &'t str>>,
}

impl<'t> Numbers<'t> {
    pub(super) fn new(types: &'t Compiled) -> Numbers<'t> {
        Numbers { types, tables: HashMap::default() }
    }

    /// The name of a number, if it has one.
    pub(super) fn name(&mut self, names: u32, number: Integer<'_>) -> Option<&'t str> {
        let all = self.types.names(names);
        let table = self
            .tables
            .entry(names)
            .or_insert_with(|| all.iter().map(|(name, n)| (n.as_integer(), &name[..])).collect());
        table.get(&number).copied()
    }
}
