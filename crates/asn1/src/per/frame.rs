//! What a walk through a value keeps of each that is open.

use crate::compiled::{Compiled, NodeId};
use crate::event::At;
use crate::path::Step;

/// Levels that are read or written by calls; what is deeper waits on the stack, however deep it is.
pub(super) const CALLS: u32 = 32;

/// One open value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame<L> {
    /// SEQUENCE and SET, in the root or in a group of additions.
    Record(RecordFrame<L>),
    /// The additions of a SEQUENCE or SET.
    Additions(AdditionsFrame<L>),
    /// SEQUENCE OF and SET OF.
    Array(ArrayFrame<L>),
    /// CHOICE whose alternative is being walked through.
    Choice { node: NodeId, level: L, alternative: u32 },
    /// An alternative that is a CHOICE again and has yet to be opened.
    Pending { at: At<L>, node: NodeId },
    /// An open type: the bit at which it ends, for a reader.
    Open { end: u64 },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RecordFrame<L> {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) level: L,
    /// The member that is next, and the one behind the last.
    pub(super) next: u32,
    pub(super) end: u32,
    /// Which members are there, the next one's bit highest: for a reader, of the optional ones alone.
    pub(super) presence: u64,
    /// For a writer: how many of these bits are left. A reader has a bit behind them.
    pub(super) left: u32,
    /// For a reader: where in the message more of them are.
    pub(super) more: u64,
    /// Whether additions come behind the root.
    pub(super) extended: bool,
    /// Whether it is a group of additions, not the record itself.
    pub(super) group: bool,
}

impl<L> RecordFrame<L> {
    /// Nothing of it has been read yet.
    pub(super) fn new(node: NodeId, number: u32, level: L) -> RecordFrame<L> {
        let (next, end, presence, left, more) = (0, 0, 0, 0, 0);
        RecordFrame { node, number, level, next, end, presence, left, more, extended: false, group: false }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct AdditionsFrame<L> {
    pub(super) node: NodeId,
    pub(super) number: u32,
    pub(super) level: L,
    /// The addition that is next, and how many the message tells of.
    pub(super) next: u64,
    pub(super) count: u64,
    /// Where the bits start that say which are there.
    pub(super) presence: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArrayFrame<L> {
    pub(super) node: NodeId,
    pub(super) item: NodeId,
    pub(super) at: At<L>,
    pub(super) level: L,
    /// The component that is next, and the one behind the last told so far.
    pub(super) next: u32,
    pub(super) end: u32,
    /// Whether another length comes behind.
    pub(super) more: bool,
    /// Whether there may be more or fewer than the root of the size constraint lets there be.
    pub(super) extended: bool,
    /// For a writer: how many there are in all, and the number of the order they come in, from 1; 0
    /// where that is theirs.
    pub(super) total: u32,
    pub(super) order: u32,
}

impl<L> Frame<L> {
    /// Where in it something is.
    pub(super) fn step(&self, types: &Compiled) -> Step {
        match self {
            // The component being read is the one before the next.
            Frame::Record(frame) => {
                frame.next.checked_sub(1).map_or(Step::Nameless, |member| Step::Member(frame.number, member))
            }
            Frame::Additions(frame) => {
                let additions = &types.record(frame.number).additions;
                let addition = frame.next.checked_sub(1).and_then(|index| additions.get(index as usize));
                match addition.filter(|addition| addition.group.is_none()) {
                    Some(addition) => Step::Member(frame.number, addition.first),
                    None => Step::Nameless,
                }
            }
            Frame::Array(frame) => Step::Item(frame.next.saturating_sub(1)),
            Frame::Choice { node, alternative, .. } => Step::Chosen(*node, *alternative),
            Frame::Open { .. } | Frame::Pending { .. } => Step::Nameless,
        }
    }
}
