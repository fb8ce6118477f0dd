//! Every value in a value that may hold others, with its path and the keys around it.

use super::look::ValueReader;
use super::store::Level;
use crate::compiled::{CONTENT, Compiled, Kind, NodeId, Record, RecordKey};
use crate::event::{At, Integer, Source};
use crate::jer::CONTAINING;
use crate::keys::{Key, KeySink, Keys};
use crate::writer::{Start, append_from};
use crate::{Limits, Options, per};

/// The place of a value among those above it: its parent in the list of visited values, and its step.
#[derive(Clone, Copy)]
enum Step<'t> {
    Root,
    /// A component or what is in something, with its name; the value in an open type has none.
    Member(u32, &'t str),
    Item(u32, u32),
}

enum Task {
    Value(Met),
    End(usize),
}

/// A value that is met: a SEQUENCE, SET, CHOICE, open type, string with a contents constraint, list or ENUMERATED.
#[derive(Clone, Copy)]
pub(super) struct Met {
    pub(super) at: At<Level>,
    pub(super) node: NodeId,
    /// Whether it is a record in an array of records.
    pub(super) row: bool,
    step: u32,
}

/// Meets values in the order of the message. What is in a value is met after [`Walk::enter`].
pub(super) struct Walk<'v> {
    pub(super) types: &'v Compiled,
    pub(super) look: ValueReader<'v>,
    /// Those of the records around the value.
    pub(super) keys: Keys,
    steps: Vec<Step<'v>>,
    tasks: Vec<Task>,
}

impl<'v> Walk<'v> {
    pub(super) fn new(look: ValueReader<'v>, root: At<Level>, node: NodeId, row: bool) -> Walk<'v> {
        let tasks = vec![Task::Value(Met { at: root, node, row, step: 0 })];
        Walk { types: look.types, look, keys: Keys::default(), steps: vec![Step::Root], tasks }
    }

    pub(super) fn next(&mut self) -> Option<Met> {
        loop {
            match self.tasks.pop()? {
                Task::Value(met) => return Some(met),
                Task::End(base) => self.keys.end(base),
            }
        }
    }

    /// Leaves a value for later, if something may be in it.
    fn push(&mut self, at: At<Level>, node: NodeId, row: bool, step: Step<'v>) {
        if matches!(
            self.types.node(node).kind,
            Kind::Record(_) | Kind::Array(_) | Kind::Choice(_) | Kind::Open(_) | Kind::Enumerated(_)
        ) {
            self.steps.push(step);
            self.tasks.push(Task::Value(Met { at, node, row, step: self.steps.len() as u32 - 1 }));
        }
    }

    /// Whether the values of an array may hold others.
    fn holds(&self, item: NodeId) -> bool {
        !matches!(
            self.types.node(item).kind,
            Kind::Boolean | Kind::Null | Kind::Integer(_) | Kind::Real | Kind::Text(_) | Kind::OctetString(_)
        )
    }

    /// The level of a record's components.
    pub(super) fn level(&self, met: Met) -> Level {
        if met.row { self.look.row(met.at, met.node) } else { self.look.record(met.at, met.node) }
    }

    /// Has the values in a value met next. `alternative` is that of an open type.
    pub(super) fn enter(&mut self, met: Met, alternative: u32) {
        let (Met { at, node, step, .. }, types, before) = (met, self.types, self.tasks.len());
        match types.node(node).kind {
            Kind::Record(number) => {
                let level = self.level(met);
                let record = types.record(number);
                let mut from = before;
                if record.keyed {
                    let base = self.keys.begin(record);
                    self.tasks.push(Task::End(base));
                    from += 1;
                    for (index, key) in record.keys.iter().enumerate() {
                        self.keys.set(base, index, self.key(level, record, key).unwrap_or_default());
                    }
                }
                for (member, index) in record.members.iter().zip(0..) {
                    let at = At { level, index };
                    if self.look.is_present(at, member.node) {
                        self.push(at, member.node, false, Step::Member(step, &member.name));
                    }
                }
                self.tasks[from..].reverse();
            }
            Kind::Array(array) if self.holds(array.item) => {
                let (len, level) = self.look.array(at, node);
                for index in 0..len {
                    self.push(At { level, index }, array.item, true, Step::Item(step, index));
                }
                self.tasks[before..].reverse();
            }
            Kind::Choice(number) => {
                let (index, level) = self.look.choice(at, node);
                if let Some(chosen) = types.choice(number).alternatives.get(index as usize) {
                    self.push(At { level, index: 0 }, chosen.node, false, Step::Member(step, &chosen.name));
                }
            }
            Kind::Open(number) => {
                let (open, (_, level)) = (types.open(number), self.look.choice(at, node));
                if let Some(chosen) = open.alternatives.get(alternative as usize) {
                    let within = if open.is_string() && alternative == CONTENT { CONTAINING } else { "" };
                    self.push(At { level, index: 0 }, *chosen, false, Step::Member(step, within));
                }
            }
            _ => {}
        }
    }

    /// The key of a record at a path.
    fn key(&self, level: Level, record: &Record, key: &RecordKey) -> Option<Key> {
        let member = record.members.get(key.member as usize)?;
        let (mut at, mut node) = (At { level, index: key.member }, member.node);
        if !self.look.is_present(at, node) {
            return None;
        }
        for step in key.in_member() {
            match self.types.node(node).kind {
                Kind::Record(number) => {
                    let level = self.look.record(at, node);
                    (at, node) =
                        (At { level, index: *step }, self.types.record(number).members.get(*step as usize)?.node);
                    if !self.look.is_present(at, node) {
                        return None;
                    }
                }
                Kind::Choice(number) => {
                    let (index, level) = self.look.choice(at, node);
                    let chosen = self.types.choice(number).alternatives.get(index as usize)?;
                    if index != *step {
                        return None;
                    }
                    (at, node) = (At { level, index: 0 }, chosen.node);
                }
                _ => return None,
            }
        }
        if let (Kind::Integer(_), Integer::Small(number)) = (self.types.node(node).kind, self.look.integer(at, node)) {
            return Some(Key::Number(number));
        }
        let (mut encoded, start) = (Vec::new(), Start { at, node, row: false });
        let options = Options::uper().with_canonical(true);
        append_from(&self.look, self.types, start, &options, &mut encoded).ok()?;
        let mut sink = KeySink::new(&encoded, &[]);
        let walked = per::read::<_, false>(&encoded, self.types, node, &Limits::DEFAULT, &mut sink);
        Some(sink.key(&walked.map(|_| ())))
    }

    /// The path of a value: `/list/0/id`.
    #[cold]
    pub(super) fn path(&self, met: Met) -> String {
        let (mut at, mut names) = (met.step, Vec::new());
        loop {
            at = match self.steps.get(at as usize) {
                Some(Step::Member(parent, name)) => {
                    names.extend((!name.is_empty()).then(|| (*name).to_owned()));
                    *parent
                }
                Some(Step::Item(parent, index)) => {
                    names.push(index.to_string());
                    *parent
                }
                Some(Step::Root) | None => break,
            };
        }
        names.iter().rev().flat_map(|name| ["/", name]).collect()
    }
}
