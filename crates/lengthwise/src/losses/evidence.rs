//! What a comparison finds: counts, and the first place of each kind.

use std::collections::BTreeMap;

use tam::Node;

use super::{Loss, LossKind, Place};
use crate::Format;

/// The first thing of a kind. Its path is made at the end, because that walks the document.
struct First<'d> {
    offset: Option<usize>,
    node: Option<Node<'d>>,
    /// A step below the node, for what the input does not have.
    step: String,
}

/// What has been found so far.
pub(super) struct Evidence<'d, 'i> {
    input: &'i [u8],
    is_text: bool,
    found: BTreeMap<LossKind, (u64, First<'d>)>,
}

impl<'d, 'i> Evidence<'d, 'i> {
    pub(super) fn new(input: &'i [u8], from: Format) -> Evidence<'d, 'i> {
        Evidence { input, is_text: from.is_text(), found: BTreeMap::new() }
    }

    /// Counts one thing at a unit of the input; its path is that of `within`, the element around it.
    pub(super) fn at(&mut self, kind: LossKind, node: Node<'d>, within: Option<Node<'d>>) {
        let offset = start(node).or_else(|| within.and_then(start));
        self.note(kind, offset, within, String::new);
    }

    /// Counts one thing that the input does not have.
    pub(super) fn below(&mut self, kind: LossKind, within: Option<Node<'d>>, step: impl FnOnce() -> String) {
        self.note(kind, within.and_then(start), within, step);
    }

    fn note(&mut self, kind: LossKind, offset: Option<usize>, node: Option<Node<'d>>, step: impl FnOnce() -> String) {
        match self.found.get_mut(&kind) {
            Some((count, first)) => {
                *count += 1;
                let is_earlier = matches!((offset, first.offset), (Some(at), Some(known)) if at < known);
                if is_earlier {
                    *first = First { offset, node, step: step() };
                }
            }
            None => _ = self.found.insert(kind, (1, First { offset, node, step: step() })),
        }
    }

    pub(super) fn into_losses(self) -> impl Iterator<Item = Loss> {
        let (input, is_text) = (self.input, self.is_text);
        self.found.into_iter().map(move |(kind, (count, first))| {
            let mut path = first.node.map(|node| node.path()).unwrap_or_default();
            path.push_str(&first.step);
            let offset = first.offset.map(|at| at as u64);
            let position = first.offset.filter(|_| is_text).map(|at| crate::format::position(input, at));
            Loss { kind, count, first: Place { path, offset, position } }
        })
    }
}

/// Where a unit starts in the message, markup included; `None` where its text was copied beside it.
fn start(node: Node<'_>) -> Option<usize> {
    let (message, _) = node.document().texts();
    let row = node.row();
    let (at, len) = match row.name_len() {
        0 if row.is_structured() => return None,
        0 => (row.value_at() as usize, row.len() as usize),
        len => (row.name_at() as usize, len as usize),
    };
    let before = message.get(..at).filter(|_| at + len <= message.len())?;
    let opening: &[u8] = match (node.kind(), row.name_len()) {
        (b'<', _) => b"<",
        (b'+', _) => b"<!--",
        (b'&', _) => b"&",
        (b']', 0) => b"<![CDATA[",
        (b'!', _) => b"<!DOCTYPE ",
        (b'?', _) => b"<?",
        _ => b"",
    };
    Some(if before.ends_with(opening) { at - opening.len() } else { at })
}
