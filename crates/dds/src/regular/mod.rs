//! Regular mode: one pass over a message, led by the schema (the paper's sections 2.1 and 2.2).
//!
//! A tag is expected before it is read. On the way the places of all values are remembered, in a
//! [`Trace`].

mod encoding;
mod frame;
mod runs;
pub(crate) mod take;
pub(crate) mod twin;

use std::borrow::Cow;

use tam::Limits;

use self::frame::{Frame, Kind, LastRun};
use self::twin::{Follow, Old};
use crate::Version;
use crate::markup::leaf::Leaf;
use crate::markup::scan::{Scanner, Unusual};
use crate::markup::scope::{Scope, Tag};
use crate::pool::Pool;
use crate::schema::compiled::{Compiled, CompiledMember, CompiledName, CompiledType};
use crate::schema::{Occurs, TypeId};
use crate::soap::head::{self, Head};
use crate::trace::{Part, Trace};
use crate::values::{Array, Items, Value};

/// A message, read.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) head: Head,
    pub(crate) scope: Scope,
    pub(crate) method: usize,
    pub(crate) value: Value,
    pub(crate) trace: Trace,
    /// What is taken from the message before.
    pub(crate) follow: Follow,
}

/// By what messages are read, and into which memory.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    pub(crate) schema: &'c Compiled,
    pub(crate) limits: &'c Limits,
    /// Bytes of a message portion.
    pub(crate) portion: u32,
    /// Whether it is remembered how long each item of an array is.
    pub(crate) keeps_lens: bool,
    pub(crate) pool: &'c mut Pool,
    /// The message before, if items are to be taken from it.
    pub(crate) old: Option<Old<'c>>,
}

/// Why reading does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// What comes next is not there as a whole, or not for this way. Nothing of it has been taken.
    Here,
    /// The message is not for this way.
    ForGood,
}

impl From<Unusual> for Stop {
    fn from(_: Unusual) -> Stop {
        Stop::Here
    }
}

/// Reads a message the fast way.
pub(crate) fn read(message: &[u8], context: &mut Context<'_>) -> Result<Reading, Unusual> {
    if !has_room(message, context.limits, 0) {
        return Err(Unusual);
    }
    let mut progress = Progress::begin(message, context)?;
    progress.advance(message, context).map_err(|_| Unusual)?;
    progress.finish(message, context.limits)
}

/// Whether a message keeps to the limits. An element is four bytes at the least, and an attribute five. The end of an element
/// has a slash, an attribute an equals sign: these are counted only in messages that are long for the limit `units`. Members
/// that are left out count too.
pub(crate) fn has_room(message: &[u8], limits: &Limits, absent: usize) -> bool {
    let units = (limits.units as usize).saturating_sub(absent);
    message.len() <= limits.message_bytes as usize
        && limits.depth >= 4
        && (message.len() / 4 <= units
            || [b'/', b'='].map(|byte| memchr::memchr_iter(byte, message).count()).iter().sum::<usize>() <= units)
}

/// Steps of paths for each byte of the message.
const STEPS: usize = 4;

/// A message that is being read, as far as it has arrived.
#[derive(Debug)]
pub(crate) struct Progress {
    head: Head,
    /// The namespaces in scope around the message.
    base: Scope,
    method: usize,
    /// Where it goes on, and the namespaces in scope there.
    at: usize,
    pub(crate) scope: Scope,
    pub(crate) frames: Vec<Frame>,
    pub(crate) trace: Trace,
    pub(crate) follow: Follow,
    result: Option<Value>,
}

impl Progress {
    /// Reads the envelope and the first tag of the message in it, which must be there.
    pub(crate) fn begin(message: &[u8], context: &mut Context<'_>) -> Result<Progress, Unusual> {
        let schema = context.schema;
        let mut scanner = Scanner { bytes: message, at: 0 };
        let mut scope = context.pool.scope();
        let head = head::read(&mut scanner, &mut scope, schema, context.limits.depth)?;
        let base = scope.clone();
        let tag = scope.open(&mut scanner, schema)?;
        let method = schema.methods.iter().position(|method| is(&method.name, &tag, &scanner)).ok_or(Unusual)?;
        if schema.schema.refuses(method) {
            return Err(Unusual);
        }
        // SOAP 1.2 has an encoding of its own.
        if schema.methods[method].encoded && head.version == Version::Soap12 {
            return Err(Unusual);
        }
        let ty = schema.methods[method].ty;
        let content = contents(&mut scanner, schema, &tag, ty)?;
        let (start, trace) = (head.at, context.pool.trace());
        let (frames, follow) = (Vec::new(), Follow::default());
        let mut progress = Progress { head, base, method, at: 0, scope, frames, trace, follow, result: None };
        let mut regular = Regular::new(scanner, &mut progress, context);
        regular.element(&tag, start, ty, false, content)?;
        progress.at = regular.scanner.at;
        Ok(progress)
    }

    /// Reads on until the message ends.
    pub(crate) fn advance(&mut self, message: &[u8], context: &mut Context<'_>) -> Result<(), Stop> {
        let scanner = Scanner { bytes: message, at: self.at };
        let mut regular = Regular::new(scanner, self, context);
        let mut went = Ok(());
        while went.is_ok() && !regular.progress.frames.is_empty() {
            went = if regular.old.is_some() { regular.follow() } else { Ok(()) };
            if went.is_ok() {
                went = regular.step();
            }
        }
        self.at = regular.scanner.at;
        went
    }

    /// Where the next that has not been read begins.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Reads what follows the message, which must have ended.
    pub(crate) fn finish(self, message: &[u8], limits: &Limits) -> Result<Reading, Unusual> {
        let Progress { head, base, method, at, trace, follow, result, .. } = self;
        if trace.absent > 0 && !has_room(message, limits, trace.absent) {
            return Err(Unusual);
        }
        head::finish(&mut Scanner { bytes: message, at }, &head)?;
        let value = result.ok_or(Unusual)?;
        Ok(Reading { head, scope: base, method, value, trace, follow })
    }
}

fn is(name: &CompiledName, tag: &Tag, scanner: &Scanner<'_>) -> bool {
    name.uri == tag.uri && *name.local == *scanner.slice(tag.name.local, tag.name.end)
}

/// All of an element that has no elements in it: its text and its end tag.
fn contents<'m>(
    scanner: &mut Scanner<'m>,
    schema: &Compiled,
    tag: &Tag,
    ty: TypeId,
) -> Result<Option<Cow<'m, str>>, Unusual> {
    if tag.empty {
        return Ok(None);
    }
    if tag.nil {
        scanner.between()?;
        scanner.end_tag(&tag.name)?;
        return Ok(None);
    }
    if !matches!(schema.get(ty), CompiledType::Simple(_) | CompiledType::Union(_)) {
        return Ok(None);
    }
    let content = scanner.content()?;
    scanner.end_tag(&tag.name)?;
    Ok(Some(content))
}

/// A value that has just been read.
pub(crate) struct Read {
    pub(crate) value: Value,
    pub(crate) ty: TypeId,
    /// Where its element began, and how it goes on if it is nothing but text.
    pub(crate) start: usize,
    pub(crate) leaf: Option<Leaf>,
    /// Parts there were before it.
    pub(crate) parts: usize,
}

/// What the schema says of an element.
struct Expected {
    /// Its number among the members of a compound.
    member: usize,
    ty: TypeId,
    nillable: bool,
}

/// What comes next.
enum Next<'m> {
    End,
    Element { tag: Tag, start: usize, expected: Expected, content: Option<Cow<'m, str>> },
}

pub(crate) struct Regular<'m, 'p> {
    pub(crate) scanner: Scanner<'m>,
    pub(crate) progress: &'p mut Progress,
    pub(crate) schema: &'p Compiled,
    pub(crate) encoded: bool,
    depth: usize,
    units: usize,
    pub(crate) portion: u32,
    pub(crate) keeps_lens: bool,
    pub(crate) pool: &'p mut Pool,
    pub(crate) old: Option<Old<'p>>,
}

impl<'m, 'p> Regular<'m, 'p> {
    fn new(scanner: Scanner<'m>, progress: &'p mut Progress, context: &'p mut Context<'_>) -> Regular<'m, 'p> {
        let Context { schema, limits, portion, keeps_lens, pool, old } = context;
        let encoded = schema.methods.get(progress.method).is_some_and(|method| method.encoded);
        let (depth, units, portion, keeps_lens) = (limits.depth as usize, limits.units as usize, *portion, *keeps_lens);
        Regular { scanner, progress, schema, encoded, depth, units, portion, keeps_lens, pool, old: *old }
    }

    /// The next tag, and all of an element without elements.
    fn step(&mut self) -> Result<(), Stop> {
        let (at, mark) = (self.scanner.at, self.progress.scope.mark());
        let next = match self.next() {
            Ok(next) => next,
            Err(Unusual) => {
                self.scanner.at = at;
                self.progress.scope.close(mark);
                return Err(Stop::Here);
            }
        };
        let taken = match next {
            Next::End => self.close(),
            Next::Element { tag, start, expected, content } => {
                self.select(expected.member);
                self.mark(start, tag.mark);
                self.element(&tag, start, expected.ty, expected.nillable, content)
            }
        };
        let trace = &self.progress.trace;
        // What has many values many levels deep is read by way of a tree: each has a path of its own.
        let is_deep = trace.steps.len() > STEPS * self.scanner.at + 4096;
        if taken.is_err() || is_deep || trace.absent > self.units { Err(Stop::ForGood) } else { Ok(()) }
    }

    fn next(&mut self) -> Result<Next<'m>, Unusual> {
        let frame = self.progress.frames.last().ok_or(Unusual)?;
        let start = self.scanner.at;
        self.scanner.between()?;
        if self.scanner.rest().starts_with(b"</") {
            self.scanner.end_tag(&frame.name)?;
            return Ok(Next::End);
        }
        let tag = self.progress.scope.open(&mut self.scanner, self.schema)?;
        let expected = self.expected(&frame.kind, &tag)?;
        let content = contents(&mut self.scanner, self.schema, &tag, expected.ty)?;
        Ok(Next::Element { tag, start, expected, content })
    }

    /// What the schema says of the element that begins in another.
    fn expected(&self, kind: &Kind, tag: &Tag) -> Result<Expected, Unusual> {
        let scanner = &self.scanner;
        match kind {
            Kind::Array { ty, .. } => match self.schema.get(*ty) {
                CompiledType::Array { name: Some(name), .. } if !is(name, tag, scanner) => Err(Unusual),
                CompiledType::Array { item, .. } => Ok(Expected { member: 0, ty: *item, nillable: true }),
                _ => Err(Unusual),
            },
            Kind::Record { ty, values, last } => {
                let CompiledType::Complex { members, ordered, distinct, .. } = self.schema.get(*ty) else {
                    return Err(Unusual);
                };
                let has_room =
                    |n: usize| matches!(values[n], Value::Absent) || members[n].occurs == Occurs::Many && n == *last;
                let fits = |&n: &usize| n < members.len() && is(&members[n].name, tag, scanner) && has_room(n);
                let guess = if members.is_empty() || has_room(*last) { *last } else { *last + 1 };
                let found = if *distinct && fits(&guess) {
                    Some(guess)
                } else {
                    (if *ordered { *last } else { 0 }..members.len()).find(fits)
                };
                let member = found.ok_or(Unusual)?;
                let CompiledMember { ty, nillable, .. } = members[member];
                Ok(Expected { member, ty, nillable })
            }
        }
    }

    /// Goes to a member of the compound that is being read.
    fn select(&mut self, member: usize) {
        let Progress { frames, trace, .. } = &mut *self.progress;
        let Some(Frame { kind: Kind::Record { ty, values, last }, run, .. }) = frames.last_mut() else { return };
        if *last == member && !matches!(values[member], Value::Absent) {
            return;
        }
        let length = values[*last].as_array().map(Array::len);
        frame::finish(&mut trace.parts, trace.absent, &core::mem::take(run), length);
        *last = member;
        let CompiledMember { ty, occurs, .. } = self.schema.members(*ty)[member];
        if occurs == Occurs::Many {
            values[member] = Value::Array(self.pool.array(&self.schema.schema, ty));
        }
    }

    /// The element whose start tag has been read, and `content` if it has no elements in it.
    fn element(
        &mut self,
        tag: &Tag,
        start: usize,
        ty: TypeId,
        nillable: bool,
        content: Option<Cow<'_, str>>,
    ) -> Result<(), Unusual> {
        let parts = self.progress.trace.parts.len();
        if tag.refers && self.encoded {
            return Err(Unusual);
        }
        // The envelope and its body are open as well, and the element itself.
        if self.progress.frames.len() + 3 > self.depth {
            return Err(Unusual);
        }
        if tag.nil {
            if !(nillable || self.encoded) {
                return Err(Unusual);
            }
            self.progress.scope.close(tag.mark);
            return self.deliver(Read { value: Value::Nil, ty, start, leaf: None, parts });
        }
        let schema = self.schema;
        let kind = match schema.get(ty) {
            CompiledType::Simple(simple) => {
                self.check_simple_type(tag, *simple)?;
                return self.text(tag, start, ty, content);
            }
            CompiledType::Union(_) => return self.text(tag, start, ty, content),
            CompiledType::Array { item, .. } => self.array(tag, ty, *item)?,
            CompiledType::Complex { name, members, .. } => {
                self.check_complex_type(tag, name.as_ref())?;
                Kind::Record { ty, values: vec![Value::Absent; members.len()], last: 0 }
            }
        };
        let twin = if self.old.is_some() { self.twin() } else { None };
        let frame = Frame { name: tag.name, mark: tag.mark, start, parts, kind, run: LastRun::default(), twin };
        self.progress.frames.push(frame);
        if tag.empty { self.close() } else { Ok(()) }
    }

    fn text(&mut self, tag: &Tag, start: usize, ty: TypeId, content: Option<Cow<'_, str>>) -> Result<(), Unusual> {
        let value = self.schema.value(ty, content.as_deref().unwrap_or("")).ok_or(Unusual)?;
        self.progress.scope.close(tag.mark);
        let leaf = Leaf::new(&tag.name, tag.attributes_end, self.scanner.at);
        self.deliver(Read { value, ty, start, leaf, parts: self.progress.trace.parts.len() })
    }

    /// The element opened last ends.
    fn close(&mut self) -> Result<(), Unusual> {
        let Progress { frames, trace: Trace { parts, absent, .. }, scope, .. } = &mut *self.progress;
        let frame = frames.pop().ok_or(Unusual)?;
        scope.close(frame.mark);
        let value = match frame.kind {
            Kind::Array { array, declared, .. } => {
                if declared.is_some_and(|declared| declared != array.len) {
                    return Err(Unusual);
                }
                frame::finish(parts, *absent, &frame.run, Some(array.len));
                Value::Array(array)
            }
            Kind::Record { ty, mut values, last } => {
                let length = values.get(last).and_then(Value::as_array).map(Array::len);
                frame::finish(parts, *absent, &frame.run, length);
                for (member, value) in self.schema.members(ty).iter().zip(&mut values) {
                    *absent += usize::from(matches!(value, Value::Absent));
                    match (member.occurs, &value) {
                        (Occurs::Required, Value::Absent) => return Err(Unusual),
                        (Occurs::Many, Value::Absent) => {
                            *value = Value::Array(self.pool.array(&self.schema.schema, member.ty));
                        }
                        _ => {}
                    }
                }
                Value::Record(values)
            }
        };
        // The type is not asked for again where there is no text.
        self.deliver(Read { value, ty: TypeId(u32::MAX), start: frame.start, leaf: None, parts: frame.parts })
    }

    /// Puts a value where it belongs.
    fn deliver(&mut self, read: Read) -> Result<(), Unusual> {
        let schema = self.schema;
        let Progress { frames, trace: Trace { parts, steps, .. }, result, .. } = &mut *self.progress;
        let Some(frame) = frames.last_mut() else {
            if let Some(leaf) = read.leaf {
                let path = frame::path(frames, schema, steps).ok_or(Unusual)?;
                parts.push(Part::Slot { leaf, ty: read.ty, path });
            }
            *result = Some(read.value);
            return Ok(());
        };
        let item = match &mut frame.kind {
            Kind::Record { ty, values, last } => {
                let member = &schema.members(*ty)[*last];
                if member.occurs != Occurs::Many {
                    values[*last] = read.value;
                    if let Some(leaf) = read.leaf {
                        let path = frame::path(frames, schema, steps).ok_or(Unusual)?;
                        parts.push(Part::Slot { leaf, ty: read.ty, path });
                    }
                    return Ok(());
                }
                member.ty
            }
            Kind::Array { ty, array, declared, .. } => {
                if declared.is_some_and(|declared| array.len >= declared) {
                    return Err(Unusual);
                }
                schema.item(*ty)
            }
        };
        let (array, _) = frame::top_array(frames).ok_or(Unusual)?;
        if !matches!(array.items, Items::Values(_)) {
            return self.item(read, item);
        }
        if let Some(leaf) = read.leaf {
            let path = frame::path(frames, schema, steps).ok_or(Unusual)?;
            parts.push(Part::Slot { leaf, ty: read.ty, path });
        }
        let (array, run) = frame::top_array(frames).ok_or(Unusual)?;
        array.push(read.value);
        run.end = self.scanner.at;
        Ok(())
    }
}
