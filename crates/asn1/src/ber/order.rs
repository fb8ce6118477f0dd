//! Encoding order: components of SETs by their tags, those of SETs OF by their encodings (X.690 clauses 10.3 and 11.6).

use super::header::parse;
use crate::backward::Backward;
use crate::compiled::{Compiled, Kind, NodeId};
use crate::event::{At, Source};
use crate::schema::Tag;

/// The tag that a value starts with; for an untagged choice, the tag of the chosen alternative.
pub(super) fn outermost_tag<S: Source>(source: &S, types: &Compiled, at: At<S::Level>, node: NodeId) -> Option<Tag> {
    let (mut at, mut node) = (at, node);
    loop {
        let described = types.node(node);
        if let Some(tag) = described.tags.first() {
            return Some(*tag);
        }
        let (alternative, level) = match described.kind {
            Kind::Choice(_) | Kind::Open(_) => source.choice(at, node),
            _ => return None,
        };
        at = At { level, index: 0 };
        let chosen = match described.kind {
            Kind::Choice(number) => types.choice(number).alternatives.get(alternative as usize).map(|one| one.node),
            Kind::Open(number) => types.open(number).alternatives.get(alternative as usize).copied(),
            _ => None,
        };
        match chosen {
            Some(chosen) => node = chosen,
            // An alternative of a later version: its octets start with the tag.
            None => {
                let octets = source.unknown(at, node)?;
                return parse(octets, 0, octets.len()).ok().map(|(header, _)| header.tag());
            }
        }
    }
}

/// Sorts the components of a SET OF, which were written last. `marks` has the number of octets written before each.
pub(super) fn sort(out: &mut Backward<'_>, marks: &[usize]) {
    let Some(first) = marks.first().copied() else { return };
    let all = out.len() - first;
    let encodings = out.since_mut(first);
    // In their current order: what was written last comes first.
    let ends = marks.iter().rev().map(|mark| all - (mark - first));
    let mut start = 0;
    let mut components: Vec<&[u8]> = ends
        .map(|end| {
            let component = encodings.get(start..end).unwrap_or_default();
            start = end;
            component
        })
        .collect();
    // No encoding is the start of another, so trailing zeros need no special care.
    if components.is_sorted() {
        return;
    }
    components.sort_unstable();
    let sorted = components.concat();
    encodings.copy_from_slice(&sorted);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By X.690 clause 11.6.
    #[test]
    fn components_come_in_the_order_of_their_octets() {
        let mut out = vec![0xAA];
        let mut backward = Backward::new(&mut out);
        backward.octets(&[0xBB]);
        let components: [&[u8]; 5] = [&[2, 1, 5], &[4, 0], &[2, 2, 1, 0], &[2, 1, 5], &[1, 1, 0xFF]];
        let mut marks = Vec::new();
        for component in components {
            marks.push(backward.len());
            backward.octets(component);
        }
        sort(&mut backward, &marks);
        backward.finish();
        assert_eq!(out, [0xAA, 1, 1, 0xFF, 2, 1, 5, 2, 1, 5, 2, 2, 1, 0, 4, 0, 0xBB]);
    }
}
