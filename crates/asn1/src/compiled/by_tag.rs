//! Components and alternatives by their tags: the canonical order, the lookup tables of BER, and the check that tags
//! are distinct.

use foldhash::HashMap;
use tam::{Error, ErrorKind};

use super::Compiled;
use super::build::{Builder, Place};
use super::fault;
use super::node::{Kind, NodeId, Presence, Record};
use crate::schema::{Position, Tag};

/// The most tags in the tables of a schema, counting those of untagged choices at every use.
const TAGS: usize = 1 << 22;

/// The most untagged choices that may be nested directly in each other.
const UNTAGGED: usize = 100;

/// The tags that values of a type may start with.
struct Starts {
    /// All tags, in order.
    tags: Vec<Tag>,
    /// The least of them, without additions of untagged choices, so that its position does not change when a later
    /// version has more alternatives (X.691 clauses 21.1 and 23.2).
    least: Option<Tag>,
}

impl Builder<'_, '_> {
    /// Sorts components of SETs and alternatives of CHOICEs by their tags, and makes the tables for BER. Types whose tags are not
    /// distinct are not usable, as published modules have some.
    pub(super) fn order_by_tag(&mut self) -> Result<(), Error> {
        let (mut left, mut choices, mut records) = (TAGS, HashMap::default(), HashMap::default());
        for number in 0..self.out.choices.len() {
            let Place { module, position } = self.positions.choices[number];
            let in_module = |error: Error| error.in_path(self.scope.module_name(module));
            let found = self.order_choice(number, position, &mut left).map_err(in_module)?;
            choices.extend(found.map(|error| (number as u32, in_module(error))));
        }
        for number in 0..self.out.records.len() {
            let Place { module, position } = self.positions.records[number];
            let in_module = |error: Error| error.in_path(self.scope.module_name(module));
            let found = self.order_record(number, position, &mut left).map_err(in_module)?;
            records.extend(found.map(|error| (number as u32, in_module(error))));
        }
        if choices.is_empty() && records.is_empty() {
            return Ok(());
        }
        for (node, number) in self.out.nodes.iter().zip(0..) {
            let error = match node.kind {
                Kind::Choice(number) => choices.get(&number),
                Kind::Record(number) => records.get(&number),
                _ => None,
            };
            if let Some(error) = error {
                self.broken.entry(NodeId(number)).or_insert_with(|| error.clone());
            }
        }
        Ok(())
    }

    /// Orders the alternatives of a CHOICE. Returns the error if two have the same tag.
    fn order_choice(&mut self, number: usize, at: Position, left: &mut usize) -> Result<Option<Error>, Error> {
        let mut starts = Vec::new();
        for alternative in &self.out.choices[number].alternatives {
            starts.push(self.starts_of(alternative.node, at, left)?);
        }
        let choice = &mut self.out.choices[number];
        let root = choice.root as usize;
        let order = order(&starts, root, true);
        let alternatives = std::mem::take(&mut choice.alternatives);
        choice.alternatives = order.iter().filter_map(|i| alternatives.get(*i).cloned()).collect();
        choice.by_tag = table(&starts, &order);
        Ok(apart(&choice.by_tag, at, |place| &choice.alternatives[place as usize].name).err())
    }

    /// The same of components.
    fn order_record(&mut self, number: usize, at: Position, left: &mut usize) -> Result<Option<Error>, Error> {
        let mut starts = Vec::new();
        for member in &self.out.records[number].members {
            starts.push(self.starts_of(member.node, at, left)?);
        }
        let record = &mut self.out.records[number];
        let order = order(&starts, record.root as usize, record.set);
        if order.iter().enumerate().any(|(i, from)| i != *from) {
            let members = std::mem::take(&mut record.members);
            record.members = order.iter().filter_map(|i| members.get(*i).cloned()).collect();
            let mut place = vec![0; order.len()];
            order.iter().enumerate().for_each(|(to, from)| place[*from] = to as u32);
            let declared = record.declared.take().unwrap_or_else(|| (0..order.len() as u32).collect());
            record.declared = Some(declared.iter().map(|i| place[*i as usize]).collect());
        }
        record.by_tag = table(&starts, &order);
        Ok(match record.set {
            true => apart(&record.by_tag, at, |place| &record.members[place as usize].name).err(),
            false => follow_apart(record, &starts, at).err(),
        })
    }

    /// The tags that a value of a type may start with: its own, or those of an untagged choice.
    fn starts_of(&self, node: NodeId, at: Position, left: &mut usize) -> Result<Starts, Error> {
        let (mut tags, mut least) = (Vec::new(), None::<Tag>);
        let mut open = vec![(node, 0, true)];
        while let Some((node, depth, is_root)) = open.pop() {
            // A type that uses a missing import is in no message.
            if self.broken.contains_key(&node) {
                continue;
            }
            let node = self.out.node(node);
            match (node.tags.first(), node.kind) {
                (Some(tag), _) => {
                    tags.push(*tag);
                    if is_root {
                        least = Some(least.map_or(*tag, |least| least.min(*tag)));
                    }
                }
                (None, Kind::Choice(number)) if depth < UNTAGGED && tags.len() < 1 << 16 && open.len() < 1 << 16 => {
                    let choice = self.out.choice(number);
                    let alternatives = choice.alternatives.iter().zip(0..);
                    open.extend(alternatives.map(|(one, i)| (one.node, depth + 1, is_root && i < choice.root)));
                }
                // Any tag may begin an open type.
                (None, Kind::Open(_)) => {}
                _ => {
                    let found = format!("{}, untagged choices within each other", node.name);
                    return Err(fault(ErrorKind::Schema, at, "", found, "choices that end"));
                }
            }
        }
        tags.sort_unstable();
        match left.checked_sub(tags.len()) {
            Some(rest) => *left = rest,
            None => {
                let expected = tam::Words::AtMost(TAGS as u64, "tags of all types");
                return Err(fault(ErrorKind::Limit, at, "", "more tags of untagged choices", expected));
            }
        }
        Ok(Starts { tags, least })
    }
}

impl Record {
    /// The least tag that each component may start with.
    pub(crate) fn least_tags(&self) -> Vec<Option<Tag>> {
        let mut least = vec![None; self.members.len()];
        for (tag, index) in self.by_tag.iter().rev() {
            if let Some(place) = least.get_mut(*index as usize) {
                *place = Some(*tag);
            }
        }
        least
    }
}

impl Compiled {
    /// Whether a type is an untagged choice that accepts alternatives of later versions, itself or through a choice in
    /// it.
    #[cold]
    pub(crate) fn takes_unknown(&self, node: NodeId) -> bool {
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            let described = self.node(node);
            let Kind::Choice(number) = described.kind else { continue };
            if !described.tags.is_empty() || depth > UNTAGGED || open.len() > 1 << 16 {
                continue;
            }
            let choice = self.choice(number);
            if choice.extensible {
                return true;
            }
            open.extend(choice.alternatives.iter().map(|one| (one.node, depth + 1)));
        }
        false
    }
}

/// The order of components or alternatives: those of the root by their least tag, if they are sorted.
fn order(starts: &[Starts], root: usize, sorted: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..starts.len()).collect();
    if sorted && let Some(root) = order.get_mut(..root) {
        root.sort_by_key(|i| starts[*i].least);
    }
    order
}

/// Every tag with its index in the order.
fn table(starts: &[Starts], order: &[usize]) -> Vec<(Tag, u32)> {
    let places = order.iter().enumerate();
    let mut table: Vec<(Tag, u32)> =
        places.flat_map(|(to, from)| starts[*from].tags.iter().map(move |tag| (*tag, to as u32))).collect();
    table.sort_unstable();
    table
}

/// Refuses two components of a SET, or two alternatives, with the same tag (X.680 clauses 27.3 and 29.3).
fn apart<'n>(by_tag: &[(Tag, u32)], at: Position, name: impl Fn(u32) -> &'n String) -> Result<(), Error> {
    match by_tag.windows(2).find(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1) {
        Some(two) => Err(same(at, name(two[0].1), name(two[1].1))),
        None => Ok(()),
    }
}

/// Refuses two components of a SEQUENCE with the same tag if the first one and all between them may be absent (X.680
/// clause 25.6). Before a second part of the root, all additions may be absent, as in messages of the first version.
fn follow_apart(record: &Record, starts: &[Starts], at: Position) -> Result<(), Error> {
    let meet = |absent: &mut Absent, place: u32| {
        let member = &record.members[place as usize];
        let tags = &starts[place as usize].tags;
        match absent.find(tags) {
            Some(other) => return Err(same(at, &record.members[other as usize].name, &member.name)),
            None if member.presence == Presence::Mandatory => absent.end(),
            None => absent.add(place, tags),
        }
        Ok(())
    };
    let (before, root, all) = (record.before, record.root, record.members.len() as u32);
    let mut absent = Absent::default();
    (0..before).try_for_each(|place| meet(&mut absent, place))?;
    let mut added = absent.clone();
    (root..all).try_for_each(|place| meet(&mut added, place))?;
    if before < root {
        (root..all).for_each(|place| absent.add(place, &starts[place as usize].tags));
    }
    (before..root).try_for_each(|place| meet(&mut absent, place))
}

/// The tags of consecutive components that may be absent.
#[derive(Clone, Default)]
struct Absent {
    tags: HashMap<Tag, u32>,
}

impl Absent {
    fn add(&mut self, place: u32, tags: &[Tag]) {
        self.tags.extend(tags.iter().map(|tag| (*tag, place)));
    }

    /// One of them with one of these tags.
    fn find(&self, tags: &[Tag]) -> Option<u32> {
        tags.iter().find_map(|tag| self.tags.get(tag)).copied()
    }

    /// Called at a mandatory component.
    fn end(&mut self) {
        self.tags = HashMap::default();
    }
}

#[cold]
fn same(at: Position, one: &str, other: &str) -> Error {
    let found = format!("{one} and {other} of the same tag");
    fault(ErrorKind::Schema, at, "", found, "tags that differ (AUTOMATIC TAGS do)")
}
