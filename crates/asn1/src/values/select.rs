//! Gives open types the types that their identifiers select (X.681 clause 14), once all values have been filled in.

use tam::{Error, ErrorKind};

use super::fill::Filler;
use super::look::ValueReader;
use super::store::{Level, mark};
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
    Value { at: At<Level>, node: NodeId, row: bool, step: u32 },
    End(usize),
}

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
        let mut walk =
            Walk { types, look, keys: Keys::default(), steps: vec![Step::Root], tasks: Vec::new(), found: Vec::new() };
        walk.tasks.push(Task::Value { at: At { level: root, index: 0 }, node, row: false, step: 0 });
        while let Some(task) = walk.tasks.pop() {
            match task {
                Task::Value { at, node, row, step } => walk.value(at, node, row, step)?,
                Task::End(base) => walk.keys.end(base),
            }
        }
        for (cell, alternative) in walk.found {
            let first = self.values.cell(cell) & u64::from(u32::MAX);
            self.values.set(cell, first | u64::from(alternative) << 32, mark::PLAIN);
        }
        Ok(())
    }
}

struct Walk<'v> {
    types: &'v Compiled,
    look: ValueReader<'v>,
    keys: Keys,
    steps: Vec<Step<'v>>,
    tasks: Vec<Task>,
    /// Cells of open types, and the alternatives that they are to have.
    found: Vec<(usize, u32)>,
}

impl<'v> Walk<'v> {
    /// Leaves a value for later, if something may be in it.
    fn push(&mut self, at: At<Level>, node: NodeId, row: bool, step: Step<'v>) {
        if matches!(self.types.node(node).kind, Kind::Record(_) | Kind::Array(_) | Kind::Choice(_) | Kind::Open(_)) {
            self.steps.push(step);
            self.tasks.push(Task::Value { at, node, row, step: self.steps.len() as u32 - 1 });
        }
    }

    fn value(&mut self, at: At<Level>, node: NodeId, row: bool, step: u32) -> Result<(), (Error, Level)> {
        let types = self.types;
        match types.node(node).kind {
            Kind::Record(number) => {
                let level = if row { self.look.row(at, node) } else { self.look.record(at, node) };
                let record = types.record(number);
                if record.keyed {
                    let base = self.keys.begin(record);
                    self.tasks.push(Task::End(base));
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
            }
            Kind::Array(array) => {
                let (len, level) = self.look.array(at, node);
                for index in 0..len {
                    self.push(At { level, index }, array.item, true, Step::Item(step, index));
                }
            }
            Kind::Choice(number) => {
                let (index, level) = self.look.choice(at, node);
                if let Some(chosen) = types.choice(number).alternatives.get(index as usize) {
                    self.push(At { level, index: 0 }, chosen.node, false, Step::Member(step, &chosen.name));
                }
            }
            Kind::Open(number) => {
                let (open, (mut index, level)) = (types.open(number), self.look.choice(at, node));
                if !open.is_string() {
                    let selected = self.keys.select(open);
                    if let Some(selected) =
                        selected.filter(|selected| self.is_alike(&open.alternatives, index, *selected))
                    {
                        self.found.push((at.level.cell(at.index), selected));
                        index = selected;
                    }
                    let is_known = open.alternatives.get(index as usize).is_some();
                    if selected != is_known.then_some(index) {
                        let error = self.unlike(&open.alternatives, index, selected).in_path(self.path(step));
                        return Err((error, level));
                    }
                }
                if let Some(chosen) = open.alternatives.get(index as usize) {
                    let within = if open.is_string() && index == CONTENT { CONTAINING } else { "" };
                    self.push(At { level, index: 0 }, *chosen, false, Step::Member(step, within));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether two alternatives are different types of one name whose values have the same form in the store.
    fn is_alike(&self, alternatives: &[NodeId], one: u32, other: u32) -> bool {
        let at = |index: u32| alternatives.get(index as usize).copied();
        let (Some(one), Some(other)) = (at(one), at(other)) else { return false };
        let is_same_form = match (self.types.node(one).kind, self.types.node(other).kind) {
            (Kind::Text(one), Kind::Text(other)) => {
                let [one, other] = [one, other].map(|number| self.types.characters(number).kind);
                one == other && !one.is_iso8601()
            }
            (Kind::Integer(_), Kind::Integer(_)) | (Kind::OctetString(_), Kind::OctetString(_)) => true,
            _ => false,
        };
        one != other && is_same_form && self.types.type_element(one) == self.types.type_element(other)
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

    #[cold]
    fn unlike(&self, alternatives: &[NodeId], index: u32, selected: Option<u32>) -> Error {
        let name = |index: u32| alternatives.get(index as usize).map(|node| self.types.type_element(*node));
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

    #[cold]
    fn path(&self, step: u32) -> String {
        let (mut at, mut names) = (step, Vec::new());
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
