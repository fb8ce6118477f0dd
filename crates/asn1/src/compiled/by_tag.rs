//! Components and alternatives by their tags: the canonical order, and what BER looks them up by.

use tam::{Error, ErrorKind};

use super::build::Builder;
use super::fault;
use super::node::{Kind, NodeId};
use crate::schema::Tag;

/// Tags that the tables of a schema hold, those of untagged choices in every place where they stand.
const TAGS: usize = 1 << 22;

/// Untagged choices in untagged choices: no deeper than this.
const UNTAGGED: usize = 100;

impl Builder<'_, '_> {
    /// Puts components of SETs and alternatives of CHOICEs into the order of their tags, and makes
    /// the tables by which BER finds them.
    pub(super) fn order_by_tag(&mut self) -> Result<(), Error> {
        let mut left = TAGS;
        for number in 0..self.out.choices.len() {
            let mut tags = Vec::new();
            for alternative in &self.out.choices[number].alternatives {
                tags.push(self.tags_of(alternative.node, &mut left)?);
            }
            let choice = &mut self.out.choices[number];
            let root = choice.root as usize;
            let order = order(&tags, root, true);
            let alternatives = std::mem::take(&mut choice.alternatives);
            choice.alternatives = order.iter().filter_map(|i| alternatives.get(*i).cloned()).collect();
            let at = self.positions.choices[number];
            choice.by_tag = table(&tags, &order);
            self.apart(number, at, &self.out.choices[number].by_tag, |builder, i| {
                builder.out.choices[number].alternatives[i as usize].name.clone()
            })?;
        }
        for number in 0..self.out.records.len() {
            let mut tags = Vec::new();
            for member in &self.out.records[number].members {
                tags.push(self.tags_of(member.node, &mut left)?);
            }
            let record = &mut self.out.records[number];
            let order = order(&tags, record.root as usize, record.set);
            if order.iter().enumerate().any(|(i, from)| i != *from) {
                let members = std::mem::take(&mut record.members);
                record.members = order.iter().filter_map(|i| members.get(*i).cloned()).collect();
                let mut place = vec![0; order.len()];
                order.iter().enumerate().for_each(|(to, from)| place[*from] = to as u32);
                let declared = record.declared.take().unwrap_or_else(|| (0..order.len() as u32).collect());
                record.declared = Some(declared.iter().map(|i| place[*i as usize]).collect());
            }
            record.by_tag = table(&tags, &order);
            if record.set {
                let at = self.positions.records[number];
                self.apart(number, at, &self.out.records[number].by_tag, |builder, i| {
                    builder.out.records[number].members[i as usize].name.clone()
                })?;
            }
        }
        Ok(())
    }

    /// Refuses two of the same tag.
    fn apart(
        &self,
        _: usize,
        at: crate::schema::Position,
        by_tag: &[(Tag, u32)],
        name: impl Fn(&Self, u32) -> String,
    ) -> Result<(), Error> {
        match by_tag.windows(2).find(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1) {
            Some(two) => {
                let found = format!("{} and {} of the same tag", name(self, two[0].1), name(self, two[1].1));
                Err(fault(ErrorKind::Schema, at, "", found, "tags that differ"))
            }
            None => Ok(()),
        }
    }

    /// The tags that a value of a type may start with: its own, or those of an untagged choice.
    fn tags_of(&self, node: NodeId, left: &mut usize) -> Result<Vec<Tag>, Error> {
        let mut tags = Vec::new();
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            let node = self.out.node(node);
            match (node.tags.first(), node.kind) {
                (Some(tag), _) => tags.push(*tag),
                (None, Kind::Choice(number)) if depth < UNTAGGED && tags.len() < 1 << 16 && open.len() < 1 << 16 => {
                    open.extend(self.out.choice(number).alternatives.iter().map(|one| (one.node, depth + 1)));
                }
                _ => {
                    let found = format!("{}, untagged choices within each other", node.name);
                    return Err(Error::new(ErrorKind::Schema, "asn1", 0, found, "choices that end"));
                }
            }
        }
        tags.sort_unstable();
        match left.checked_sub(tags.len()) {
            Some(rest) => *left = rest,
            None => return Err(Error::limit("asn1", 0, "more tags of untagged choices", "tags", TAGS as u64)),
        }
        Ok(tags)
    }
}

/// The order in which things are told: those of the root by their least tag, if they are sorted.
fn order(tags: &[Vec<Tag>], root: usize, sorted: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tags.len()).collect();
    if sorted && let Some(root) = order.get_mut(..root) {
        root.sort_by_key(|i| tags[*i].first().copied());
    }
    order
}

/// Every tag with the place of its thing in the order.
fn table(tags: &[Vec<Tag>], order: &[usize]) -> Vec<(Tag, u32)> {
    let places = order.iter().enumerate();
    let mut table: Vec<(Tag, u32)> =
        places.flat_map(|(to, from)| tags[*from].iter().map(move |tag| (*tag, to as u32))).collect();
    table.sort_unstable();
    table
}
