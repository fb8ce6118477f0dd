//! IDs and identity constraints (Part 1 sections 3.11.4 and 3.3.4).
//!
//! Paths only go from an element to its descendants. So the names of the open elements decide whether a path matches.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use smallvec::SmallVec;

use super::{Checked, Fault, Frame, State};
use crate::components::{IdentityCategory, IdentityId, IdentityPath, NodeTest, Schema};
use crate::value::Key;
use crate::{Name, NamespaceId};

/// An identity constraint of an open element.
#[derive(Debug)]
struct Open {
    identity: IdentityId,
    /// The depth of the element.
    depth: usize,
    /// For a key or unique, the values so far; for a keyref, the values of its key.
    keys: HashSet<Key>,
    /// For a keyref, its values and their texts for error messages.
    references: Vec<(Key, Arc<str>)>,
}

/// An element that matches the selector of a constraint.
#[derive(Debug)]
struct Target {
    identity: IdentityId,
    /// The open elements with this constraint. The values of the fields are the same for all of them.
    opens: SmallVec<[u32; 2]>,
    depth: usize,
    fields: Vec<Field>,
}

#[derive(Clone, Debug, Default)]
struct Field {
    value: Option<(Key, Arc<str>)>,
    /// Whether it is an open element, whose value is not known yet.
    waits: bool,
}

/// A field that is an open element. Its value is known when the element ends.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    target: usize,
    field: usize,
    depth: usize,
}

/// The most pending IDs that are compared with each other.
const FEW: usize = 64;

/// Steps for the memory of an open constraint.
const STEPS_OF_OPEN: u64 = 128;

/// Steps for the memory of a key.
const STEPS_OF_KEY: u64 = 64;

/// Steps for adding a key to each of some open constraints. Many constraints cost more, because they do not fit in the
/// caches of the processor.
fn steps_of_keys(opens: usize) -> u64 {
    const NEAR: u64 = 16;
    let opens = opens as u64;
    STEPS_OF_KEY * (opens.min(NEAR) + 4 * opens.saturating_sub(NEAR))
}

/// The state of IDs and identity constraints.
#[derive(Debug, Default)]
pub(super) struct Identities {
    ids: HashSet<String>,
    /// IDREFs whose ID has not come yet, each with the event of its first occurrence.
    references: HashMap<String, u64>,
    open: Vec<Open>,
    targets: Vec<Target>,
    waiting: Vec<Waiting>,
}

impl State<'_> {
    /// Takes the IDs and IDREFs of the checked values.
    #[inline]
    pub(super) fn take_ids(&mut self) -> Checked<()> {
        if self.checker.ids.is_empty() { Ok(()) } else { self.take_some_ids() }
    }

    #[inline(never)]
    fn take_some_ids(&mut self) -> Checked<()> {
        let event = self.event;
        let Some(identities) = &mut self.identities else {
            self.checker.ids.clear();
            return Ok(());
        };
        self.ids_taken += self.checker.ids.len() as u64;
        for (is_id, name) in self.checker.ids.drain(..) {
            if !is_id {
                if !identities.ids.contains(&name) {
                    identities.references.entry(name).or_insert(event);
                }
                continue;
            }
            identities.references.remove(&name);
            if let Some(name) = identities.ids.replace(name) {
                return Err(Fault::new(format!("the ID '{name}' a second time"), "each ID once"));
            }
        }
        Ok(())
    }

    /// Whether all pending IDs are new.
    #[inline(never)]
    pub(super) fn are_ids_new(&self) -> bool {
        let Some(identities) = &self.identities else { return true };
        let waiting = &self.checker.ids;
        // The pending IDs are compared with each other, which takes quadratic time.
        if waiting.len() > FEW {
            return false;
        }
        let is_new = |(at, name): (usize, &String)| {
            !identities.ids.contains(name) && !waiting[..at].iter().any(|(is_id, other)| *is_id && other == name)
        };
        waiting.iter().enumerate().filter(|(_, (is_id, _))| *is_id).all(|(at, (_, name))| is_new((at, name)))
    }

    /// The first IDREF without an ID, and its event.
    pub(super) fn unresolved(&self) -> Option<(String, u64)> {
        let references = &self.identities.as_ref()?.references;
        references.iter().min_by_key(|(_, event)| **event).map(|(name, event)| (name.clone(), *event))
    }

    /// Whether the next value may be that of a field.
    pub(super) fn wants_keys(&self) -> bool {
        self.identities.as_ref().is_some_and(|identities| !identities.targets.is_empty())
    }

    /// Whether open elements have constraints.
    pub(super) fn has_open_identities(&self) -> bool {
        self.identities.as_ref().is_some_and(|identities| !identities.open.is_empty())
    }

    /// Begins the constraints of the element that began, and finds the paths that match it.
    #[inline(never)]
    pub(super) fn begin_identities(&mut self) -> Checked<()> {
        let schema = self.schema;
        let Some(identities) = &mut self.identities else { return Ok(()) };
        let steps = &mut self.checker.steps;
        let depth = self.frames.len();
        let Some(frame) = self.frames.last() else { return Ok(()) };
        if let Some(element) = frame.element {
            for identity in &schema.elements[element].identities {
                let (keys, references) = (HashSet::new(), Vec::new());
                identities.open.push(Open { identity: *identity, depth, keys, references });
                *steps += STEPS_OF_OPEN;
            }
        }
        let first = identities.targets.len();
        for (n, open) in identities.open.iter().enumerate() {
            let identity = &schema.identities[open.identity];
            *steps += identity.selector_steps;
            if !identity.selector_paths.iter().any(|path| leads(schema, &self.frames, open.depth, path)) {
                continue;
            }
            let own = &mut identities.targets[first..];
            *steps += own.len() as u64;
            match own.iter_mut().find(|target| target.identity == open.identity) {
                Some(target) => target.opens.push(n as u32),
                None => {
                    let fields = vec![Field::default(); identity.fields.len()];
                    *steps += identity.fields.len() as u64;
                    let opens = SmallVec::from_slice(&[n as u32]);
                    identities.targets.push(Target { identity: open.identity, opens, depth, fields });
                }
            }
        }
        for (n, target) in identities.targets.iter_mut().enumerate() {
            let identity = &schema.identities[target.identity];
            *steps += 1;
            if depth - target.depth > identity.reach {
                continue;
            }
            *steps += identity.field_steps;
            for (field, paths) in identity.field_paths.iter().enumerate() {
                let fits =
                    |path: &IdentityPath| path.attribute.is_none() && leads(schema, &self.frames, target.depth, path);
                if paths.iter().any(fits) {
                    let own = &mut target.fields[field];
                    if own.waits || own.value.is_some() {
                        return Err(second(schema, identity.name));
                    }
                    own.waits = true;
                    identities.waiting.push(Waiting { target: n, field, depth });
                }
            }
        }
        Ok(())
    }

    /// Takes the value of an attribute, which was checked last.
    pub(super) fn attribute_value(&mut self, name: Name, namespace: NamespaceId, value: &str) -> Checked<()> {
        let schema = self.schema;
        let Some(identities) = &mut self.identities else { return Ok(()) };
        let depth = self.frames.len();
        let mut known = None;
        for target in &mut identities.targets {
            let identity = &schema.identities[target.identity];
            self.checker.steps += 1;
            if depth - target.depth > identity.reach {
                continue;
            }
            self.checker.steps += identity.field_steps;
            for (field, paths) in identity.field_paths.iter().enumerate() {
                let fits = |path: &IdentityPath| {
                    path.attribute.is_some_and(|test| test.is(name, namespace))
                        && leads(schema, &self.frames, target.depth, path)
                };
                if !paths.iter().any(fits) {
                    continue;
                }
                if target.fields[field].value.is_some() {
                    return Err(second(schema, identity.name));
                }
                let value = known.get_or_insert_with(|| (self.checker.key.as_slice().into(), value.trim().into()));
                target.fields[field].value = Some(value.clone());
            }
        }
        Ok(())
    }

    /// Takes the value of the element that ends, if it is a field; `simple` if it has simple content.
    fn element_value(&mut self, depth: usize, simple: bool, frame: &Frame) -> Checked<()> {
        let schema = self.schema;
        let Some(identities) = &mut self.identities else { return Ok(()) };
        let mut known = None;
        while let Some(waiting) = identities.waiting.pop_if(|waiting| waiting.depth == depth) {
            let Some(target) = identities.targets.get_mut(waiting.target) else { continue };
            let field = &mut target.fields[waiting.field];
            field.waits = false;
            if simple {
                let text = || self.text[frame.text as usize..].trim().into();
                let value = known.get_or_insert_with(|| (self.checker.key.as_slice().into(), text()));
                field.value = Some(value.clone());
            } else if !frame.nil {
                let identity = &schema.identities[target.identity];
                let found = format!("a field of '{}' without simple content", schema.names.local(identity.name));
                return Err(Fault::new(found, "an element with simple content"));
            }
        }
        Ok(())
    }

    /// Ends the constraints of the innermost element, and the constraints that it is a target of.
    #[inline(never)]
    pub(super) fn end_identities(&mut self, frame: &Frame) -> Checked<()> {
        let depth = self.frames.len();
        self.element_value(depth, self.end.is_some(), frame)?;
        let schema = self.schema;
        let Some(identities) = &mut self.identities else { return Ok(()) };
        let (steps, most) = (&mut self.checker.steps, self.checker.most);
        while let Some(target) = identities.targets.pop_if(|target| target.depth == depth) {
            finish(schema, &mut identities.open, &target, steps)?;
        }
        let first = identities.open.iter().rposition(|open| open.depth < depth).map_or(0, |last| last + 1);
        // Keys are added to the references around them, then references are checked.
        for n in first..identities.open.len() {
            let key = identities.open[n].identity;
            if matches!(schema.identities[key].category, IdentityCategory::Keyref(_)) {
                continue;
            }
            let keys = std::mem::take(&mut identities.open[n].keys);
            *steps += identities.open.len() as u64;
            if *steps > most {
                return Err(Fault::exhausted());
            }
            let refers = |open: &&mut Open| schema.identities[open.identity].category == IdentityCategory::Keyref(key);
            for reference in identities.open.iter_mut().filter(refers) {
                *steps += STEPS_OF_KEY * keys.len() as u64;
                if *steps > most {
                    return Err(Fault::exhausted());
                }
                reference.keys.extend(keys.iter().cloned());
            }
        }
        for open in identities.open.drain(first..) {
            if let Some((_, words)) = open.references.iter().find(|(key, _)| !open.keys.contains(key)) {
                let identity = &schema.identities[open.identity];
                let found = format!("the value {words} of the keyref '{}'", schema.names.local(identity.name));
                return Err(Fault::new(found, "a value of its key"));
            }
        }
        Ok(())
    }
}

#[cold]
fn second(schema: &Schema, name: Name) -> Box<Fault> {
    let found = format!("a field of '{}' a second time", schema.names.local(name));
    Fault::new(found, "each field once in an element")
}

/// Adds the values of a target to its constraints.
fn finish(schema: &Schema, opens: &mut [Open], target: &Target, steps: &mut u64) -> Checked<()> {
    let identity = &schema.identities[target.identity];
    let name = schema.names.local(identity.name);
    let mut values = Vec::with_capacity(target.fields.len());
    for field in &target.fields {
        let Some(value) = &field.value else {
            if identity.category == IdentityCategory::Key {
                return Err(Fault::new(format!("missing value for a field of the key '{name}'"), ""));
            }
            return Ok(());
        };
        values.push(value);
    }
    let whole: Key = match &values[..] {
        [(key, _)] => key.clone(),
        values => {
            let lengths = |(key, _): &&(Key, Arc<str>)| [&(key.len() as u32).to_be_bytes()[..], key].concat();
            values.iter().flat_map(lengths).collect()
        }
    };
    let words = || -> Arc<str> {
        let texts: Vec<&str> = values.iter().map(|(_, text)| &**text).collect();
        format!("'{}'", texts.join("', '")).into()
    };
    let is_reference = matches!(identity.category, IdentityCategory::Keyref(_));
    let shown = is_reference.then(words);
    *steps += whole.len() as u64 / 16 + steps_of_keys(target.opens.len());
    for open in &target.opens {
        let Some(open) = opens.get_mut(*open as usize) else { continue };
        if let Some(words) = &shown {
            open.references.push((whole.clone(), words.clone()));
        } else if !open.keys.insert(whole.clone()) {
            return Err(Fault::new(format!("{} a second time", words()), format!("each value of '{name}' once")));
        }
    }
    Ok(())
}

/// Whether a path from the element at a depth matches the innermost one.
fn leads(schema: &Schema, frames: &[Frame], depth: usize, path: &IdentityPath) -> bool {
    let below = &frames[depth.min(frames.len())..];
    if below.len() < path.steps.len() || below.len() > path.steps.len() && !path.anywhere {
        return false;
    }
    let last = &below[below.len() - path.steps.len()..];
    let mut pairs = last.iter().zip(&path.steps);
    pairs.all(|(frame, test)| test.is(frame.name, schema.names.namespace(frame.name)))
}

impl NodeTest {
    fn is(self, name: Name, namespace: NamespaceId) -> bool {
        match self {
            NodeTest::Any => true,
            NodeTest::Namespace(other) => namespace == other,
            NodeTest::Name(other) => name == other,
        }
    }
}
