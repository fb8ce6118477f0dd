//! Finds members, alternatives and enumerations by their names.

use std::hash::Hash;

use foldhash::HashMap;
use tam::Name;

use crate::compiled::{Choice, Enumeration, Record};

/// The number of members after the last one that are compared before the table is used.
const AHEAD: usize = 4;

/// Tables of names, each built when first used. They bound the cost of any order of members.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    members: HashMap<u32, Table<'t>>,
    alternatives: HashMap<u32, Table<'t>>,
    enumerations: HashMap<u32, Table<'t>>,
}

type Table<'t> = HashMap<&'t [u8], u32>;

impl<'t> Names<'t> {
    /// The index of the member with a name, most likely the one at `next` or soon after.
    pub(super) fn member(&mut self, number: u32, record: &'t Record, name: Name<'_>, next: u32) -> Option<u32> {
        let ahead = record.members.iter().enumerate().skip(next as usize).take(AHEAD);
        for (index, member) in ahead {
            if name == *member.name.as_str() {
                return Some(index as u32);
            }
        }
        if name.is_none() {
            return None;
        }
        let names = record.members.iter().map(|member| &member.name[..]);
        find(&mut self.members, number, names, &name.to_bytes())
    }

    /// The index of the alternative with a name.
    pub(super) fn alternative(&mut self, number: u32, choice: &'t Choice, name: Name<'_>) -> Option<u32> {
        let names = choice.alternatives.iter().map(|alternative| &alternative.name[..]);
        if name.is_none() { None } else { find(&mut self.alternatives, number, names, &name.to_bytes()) }
    }

    /// The index of an enumeration, by its text.
    pub(super) fn enumeration(&mut self, number: u32, enumeration: &'t Enumeration, name: &str) -> Option<u32> {
        find(&mut self.enumerations, number, enumeration.texts(), name.as_bytes())
    }
}

fn find<'t, K: Hash + Eq>(
    tables: &mut HashMap<K, Table<'t>>,
    number: K,
    names: impl Iterator<Item = &'t str>,
    name: &[u8],
) -> Option<u32> {
    let table = tables.entry(number).or_insert_with(|| names.map(str::as_bytes).zip(0..).collect());
    table.get(name).copied()
}
