//! The position within a value, for errors.

use crate::compiled::{Compiled, Kind, NodeId};

/// One step from a value to a value in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// To a component: the record's number, and the index of the member.
    Member(u32, u32),
    /// To a component of an array.
    Item(u32),
    /// To the chosen alternative: the choice's type, and the index of the alternative.
    Chosen(NodeId, u32),
    /// To something without a name.
    Nameless,
}

impl Step {
    /// To the component before `next`; to none if `next` is the first.
    pub(crate) fn before(record: u32, next: u32) -> Step {
        next.checked_sub(1).map_or(Step::Nameless, |member| Step::Member(record, member))
    }
}

/// The path of the open values, outermost first, up to 64 levels.
#[cold]
pub(crate) fn path(types: &Compiled, steps: impl Iterator<Item = Step>) -> String {
    let mut path = String::new();
    let mut push = |name: &str| {
        path.push('/');
        path.push_str(name);
    };
    for (level, step) in steps.enumerate() {
        if level == 64 {
            push("…");
            break;
        }
        match step {
            Step::Member(record, member) => {
                if let Some(member) = types.record(record).members.get(member as usize) {
                    push(&member.name);
                }
            }
            Step::Item(index) => push(&index.to_string()),
            Step::Chosen(node, alternative) => {
                if let Kind::Choice(number) = types.node(node).kind
                    && let Some(chosen) = types.choice(number).alternatives.get(alternative as usize)
                {
                    push(&chosen.name);
                }
            }
            Step::Nameless => {}
        }
    }
    path
}
