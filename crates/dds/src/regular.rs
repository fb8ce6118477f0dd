//! Regular mode: one pass over a message, led by the schema (the paper's sections 2.1 and 2.2).
//!
//! A tag is expected before it is read. On the way the places of all values are remembered, in a
//! [`Trace`].

use tam::Limits;

use crate::compiled::{Compiled, CompiledMember, CompiledName, CompiledType, Uri};
use crate::head::{self, Head};
use crate::lexical;
use crate::pool::Pool;
use crate::rows::{Marks, Row};
use crate::scan::{RawName, Scanner, Unusual};
use crate::schema::{Occurs, Simple, TypeId};
use crate::scope::{Scope, Tag};
use crate::trace::{Part, Run, Trace};
use crate::value::{Array, Items, Value};

/// So often an array's items may begin to be written in another way; then they are read by their tags.
const ROWS: u32 = 8;

/// A message, read.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) head: Head,
    pub(crate) scope: Scope,
    pub(crate) method: usize,
    pub(crate) value: Value,
    pub(crate) trace: Trace,
}

/// Reads a message the fast way; its memory comes out of `pool` as far as there is some.
pub(crate) fn read(
    message: &[u8],
    schema: &Compiled,
    limits: &Limits,
    portion: u32,
    pool: &mut Pool,
) -> Result<Reading, Unusual> {
    // An element is four bytes at the least, so `units` cannot be too few of them.
    let is_large = message.len() > limits.message_bytes as usize || message.len() / 4 > limits.units as usize;
    if is_large || limits.depth < 4 {
        return Err(Unusual);
    }
    let mut scanner = Scanner { bytes: message, at: 0 };
    let mut scope = pool.scope();
    let head = head::read(&mut scanner, &mut scope, schema, limits.depth)?;
    let base = scope.clone();
    let tag = scope.open(&mut scanner, schema)?;
    let method = schema.methods.iter().position(|method| is(&method.name, &tag, &scanner)).ok_or(Unusual)?;
    let mut regular = Regular {
        scanner,
        scope,
        schema,
        frames: Vec::new(),
        parts: pool.parts(),
        encoded: schema.methods[method].encoded,
        depth: limits.depth as usize,
        portion,
        result: None,
        pool,
    };
    regular.element(&tag, head.at, schema.methods[method].ty, false)?;
    while !regular.frames.is_empty() {
        regular.step()?;
    }
    let Regular { mut scanner, parts, result, .. } = regular;
    head::finish(&mut scanner, &head)?;
    let value = result.ok_or(Unusual)?;
    Ok(Reading { head, scope: base, method, value, trace: Trace { parts } })
}

fn is(name: &CompiledName, tag: &Tag, scanner: &Scanner<'_>) -> bool {
    name.uri == tag.uri && *name.local == *scanner.slice(tag.name.local, tag.name.end)
}

/// An element that is open.
struct Frame<'s> {
    name: RawName,
    mark: usize,
    /// Where it began: the place behind what stood before it.
    start: usize,
    /// Parts there were before it.
    parts: usize,
    kind: Kind<'s>,
    run: LastRun,
}

enum Kind<'s> {
    Record { members: &'s [CompiledMember], ordered: bool, distinct: bool, values: Vec<Value>, last: usize },
    Array { item: TypeId, name: Option<&'s CompiledName>, array: Array, declared: Option<usize>, count: Option<usize> },
}

/// What is known of how the items of the array are written that is being read.
#[derive(Default)]
struct LastRun {
    /// Which part the last run is, and where it ended.
    part: Option<usize>,
    end: usize,
    runs: u32,
    rows: u32,
}

/// A value that has just been read.
struct Read {
    value: Value,
    ty: TypeId,
    /// Where its element began, and where its text stands if it is nothing but text.
    start: usize,
    text: Option<(usize, usize)>,
    /// Parts there were before it.
    parts: usize,
}

struct Regular<'m, 's, 'p> {
    scanner: Scanner<'m>,
    scope: Scope,
    schema: &'s Compiled,
    frames: Vec<Frame<'s>>,
    parts: Vec<Part>,
    encoded: bool,
    depth: usize,
    portion: u32,
    result: Option<Value>,
    pool: &'p mut Pool,
}

impl<'s> Regular<'_, 's, '_> {
    /// The next tag.
    fn step(&mut self) -> Result<(), Unusual> {
        let start = self.scanner.at;
        self.scanner.between()?;
        if self.scanner.rest().starts_with(b"</") {
            return self.close(true);
        }
        let tag = self.scope.open(&mut self.scanner, self.schema)?;
        let (ty, nillable) = self.expected(&tag)?;
        self.element(&tag, start, ty, nillable)
    }

    /// What the schema says of the element that begins.
    fn expected(&mut self, tag: &Tag) -> Result<(TypeId, bool), Unusual> {
        let frame = self.frames.last_mut().ok_or(Unusual)?;
        let scanner = &self.scanner;
        match &mut frame.kind {
            Kind::Array { item, name, .. } => match name {
                Some(name) if !is(name, tag, scanner) => Err(Unusual),
                _ => Ok((*item, true)),
            },
            Kind::Record { members, ordered, distinct, values, last } => {
                let has_room =
                    |n: usize| matches!(values[n], Value::Absent) || members[n].occurs == Occurs::Many && n == *last;
                let fits = |&n: &usize| n < members.len() && is(&members[n].name, tag, scanner) && has_room(n);
                let guess = if has_room(*last) { *last } else { *last + 1 };
                let found = if *distinct && fits(&guess) {
                    Some(guess)
                } else {
                    (if *ordered { *last } else { 0 }..members.len()).find(fits)
                };
                let member = found.ok_or(Unusual)?;
                let CompiledMember { ty, occurs, nillable, .. } = members[member];
                if *last != member || matches!(values[member], Value::Absent) {
                    let run = core::mem::take(&mut frame.run);
                    finish_run(&mut self.parts, &run, values[*last].as_array().map(Array::len));
                    *last = member;
                    if occurs == Occurs::Many {
                        values[member] = Value::Array(self.pool.array(&self.schema.schema, ty));
                    }
                }
                Ok((ty, nillable))
            }
        }
    }

    /// The element whose start tag has been read.
    fn element(&mut self, tag: &Tag, start: usize, ty: TypeId, nillable: bool) -> Result<(), Unusual> {
        let parts = self.parts.len();
        if tag.refers && self.encoded {
            return Err(Unusual);
        }
        if tag.nil {
            if !(nillable || self.encoded) {
                return Err(Unusual);
            }
            if !tag.empty {
                self.scanner.between()?;
                self.scanner.end_tag(&tag.name)?;
            }
            self.scope.close(tag.mark);
            return self.deliver(Read { value: Value::Nil, ty, start, text: None, parts });
        }
        let schema = self.schema;
        let kind = match schema.get(ty) {
            CompiledType::Simple(simple) => {
                self.check_simple_type(tag, *simple)?;
                return self.text(tag, start, ty, |text| lexical::value(*simple, text));
            }
            CompiledType::Union(alternatives) => {
                return self.text(tag, start, ty, |text| {
                    let value =
                        |(n, simple): (usize, &Simple)| Some(Value::Union(n, lexical::value(*simple, text)?.into()));
                    alternatives.iter().enumerate().find_map(value)
                });
            }
            CompiledType::Array { item, name } => self.array(tag, *item, name.as_ref())?,
            CompiledType::Complex { name, members, ordered, distinct } => {
                self.check_complex_type(tag, name.as_ref())?;
                let values = vec![Value::Absent; members.len()];
                Kind::Record { members, ordered: *ordered, distinct: *distinct, values, last: 0 }
            }
        };
        // The envelope and its body are open as well.
        if self.frames.len() + 3 > self.depth {
            return Err(Unusual);
        }
        self.frames.push(Frame { name: tag.name, mark: tag.mark, start, parts, kind, run: LastRun::default() });
        if tag.empty { self.close(false) } else { Ok(()) }
    }

    fn text(
        &mut self,
        tag: &Tag,
        start: usize,
        ty: TypeId,
        value: impl FnOnce(&str) -> Option<Value>,
    ) -> Result<(), Unusual> {
        // The envelope, its body and the element itself.
        if self.frames.len() + 3 > self.depth {
            return Err(Unusual);
        }
        let parts = self.parts.len();
        let (value, text) = if tag.empty {
            (value("").ok_or(Unusual)?, None)
        } else {
            let content = self.scanner.content()?;
            self.scanner.end_tag(&tag.name)?;
            (value(&content.text).ok_or(Unusual)?, content.plain)
        };
        self.scope.close(tag.mark);
        self.deliver(Read { value, ty, start, text, parts })
    }

    fn check_simple_type(&self, tag: &Tag, simple: Simple) -> Result<(), Unusual> {
        match tag.ty {
            Some((Uri::XSD | Uri::ENCODING, (from, to))) if !simple.is_called(self.scanner.slice(from, to)) => {
                Err(Unusual)
            }
            _ => Ok(()),
        }
    }

    fn check_complex_type(&self, tag: &Tag, name: Option<&CompiledName>) -> Result<(), Unusual> {
        let Some((uri, (from, to))) = tag.ty else { return Ok(()) };
        let local = self.scanner.slice(from, to);
        let fits = match name {
            Some(name) => name.uri == uri && *name.local == *local,
            None => uri != Uri::XSD && (uri != Uri::ENCODING || local == b"Struct"),
        };
        if fits { Ok(()) } else { Err(Unusual) }
    }

    /// The frame of an array (SOAP 1.1 section 5.4.2).
    fn array(&mut self, tag: &Tag, item: TypeId, name: Option<&'s CompiledName>) -> Result<Kind<'s>, Unusual> {
        if let Some((uri, (from, to))) = tag.ty
            && (uri == Uri::XSD || uri == Uri::ENCODING && self.scanner.slice(from, to) != b"Array")
        {
            return Err(Unusual);
        }
        let mut array = self.pool.array(&self.schema.schema, item);
        let (mut declared, mut count) = (None, None);
        if let Some((start, end)) = tag.array_type.filter(|_| self.encoded) {
            let value = self.scanner.slice(start, end);
            let inner = value.strip_suffix(b"]").ok_or(Unusual)?;
            let open = inner.iter().rposition(|&byte| byte == b'[').ok_or(Unusual)?;
            let ranks = inner.iter().position(|&byte| byte == b'[').unwrap_or(open);
            if inner[ranks..open].iter().any(|byte| !matches!(byte, b'[' | b']' | b',')) {
                return Err(Unusual);
            }
            let ty = self.scope.qname(&self.scanner, (start, start + ranks))?;
            self.check_item_type(item, ty, ranks < open)?;
            let sizes = &inner[open + 1..];
            if !sizes.is_empty() {
                let sizes: Vec<u32> =
                    sizes.split(|&byte| byte == b',').map(size).collect::<Option<_>>().ok_or(Unusual)?;
                let product = sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size as usize));
                declared = Some(product.ok_or(Unusual)?);
                if sizes.len() == 1 {
                    count = Some(self.parts.len());
                    self.parts.push(Part::Count { start: start + open + 1, end: end - 1 });
                } else {
                    array.dimensions = sizes;
                }
            }
        }
        Ok(Kind::Array { item, name, array, declared, count })
    }

    fn check_item_type(
        &self,
        item: TypeId,
        (uri, (from, to)): (Uri, (usize, usize)),
        is_ranked: bool,
    ) -> Result<(), Unusual> {
        let local = self.scanner.slice(from, to);
        let is_builtin = uri == Uri::XSD || uri == Uri::ENCODING;
        let is_any = is_builtin && matches!(local, b"anyType" | b"ur-type" | b"anySimpleType") && !is_ranked;
        let fits = match self.schema.get(item) {
            CompiledType::Simple(simple) => !is_ranked && (!is_builtin || simple.is_called(local)),
            CompiledType::Union(_) => !is_ranked,
            CompiledType::Array { .. } => is_ranked || !is_builtin || local == b"Array",
            CompiledType::Complex { name: Some(name), .. } => !is_ranked && name.uri == uri && *name.local == *local,
            CompiledType::Complex { name: None, .. } => !is_ranked && !is_builtin,
        };
        if fits || is_any { Ok(()) } else { Err(Unusual) }
    }

    /// The element opened last ends.
    fn close(&mut self, has_tag: bool) -> Result<(), Unusual> {
        let frame = self.frames.pop().ok_or(Unusual)?;
        if has_tag {
            self.scanner.end_tag(&frame.name)?;
        }
        self.scope.close(frame.mark);
        let (value, ty) = match frame.kind {
            Kind::Array { item, array, declared, .. } => {
                if declared.is_some_and(|declared| declared != array.len) {
                    return Err(Unusual);
                }
                finish_run(&mut self.parts, &frame.run, Some(array.len));
                (Value::Array(array), item)
            }
            Kind::Record { members, mut values, last, .. } => {
                let length = values.get(last).and_then(Value::as_array).map(Array::len);
                finish_run(&mut self.parts, &frame.run, length);
                for (member, value) in members.iter().zip(&mut values) {
                    match (member.occurs, &value) {
                        (Occurs::Required, Value::Absent) => return Err(Unusual),
                        (Occurs::Many, Value::Absent) => {
                            *value = Value::Array(self.pool.array(&self.schema.schema, member.ty));
                        }
                        _ => {}
                    }
                }
                // The type is not asked for again.
                (Value::Record(values), TypeId(u32::MAX))
            }
        };
        self.deliver(Read { value, ty, start: frame.start, text: None, parts: frame.parts })
    }

    /// Puts a value where it belongs.
    fn deliver(&mut self, read: Read) -> Result<(), Unusual> {
        let Some(frame) = self.frames.last_mut() else {
            if let Some((start, end)) = read.text {
                self.parts.push(Part::Slot { start, end, ty: read.ty, path: Box::new([]) });
            }
            self.result = Some(read.value);
            return Ok(());
        };
        let item = match &mut frame.kind {
            Kind::Record { members, values, last, .. } if members[*last].occurs != Occurs::Many => {
                values[*last] = read.value;
                if let Some((start, end)) = read.text {
                    let path = path(&self.frames);
                    self.parts.push(Part::Slot { start, end, ty: read.ty, path });
                }
                return Ok(());
            }
            Kind::Record { members, last, .. } => members[*last].ty,
            Kind::Array { item, array, declared, .. } => {
                if declared.is_some_and(|declared| array.len >= declared) {
                    return Err(Unusual);
                }
                *item
            }
        };
        let (array, _) = top_array(&mut self.frames).ok_or(Unusual)?;
        if !matches!(array.items, Items::Values(_)) {
            return self.item(read, item);
        }
        if let Some((start, end)) = read.text {
            let path = path(&self.frames);
            self.parts.push(Part::Slot { start, end, ty: read.ty, path });
        }
        let (array, _) = top_array(&mut self.frames).ok_or(Unusual)?;
        array.push(read.value);
        Ok(())
    }

    /// An item of an array of columns: those that follow may be written like it.
    fn item(&mut self, read: Read, item: TypeId) -> Result<(), Unusual> {
        let mut holes = Vec::new();
        match (self.schema.get(item), read.text) {
            (CompiledType::Simple(simple), Some((start, end))) => holes.push((start, end, 0, *simple)),
            (CompiledType::Complex { members, .. }, _) => {
                for part in self.parts.drain(read.parts..) {
                    if let Part::Slot { start, end, ty, path } = part
                        && let CompiledType::Simple(simple) = self.schema.get(ty)
                    {
                        holes.push((start, end, path.last().map_or(0, |&member| member as usize), *simple));
                    }
                }
                if holes.len() != members.len() {
                    holes.clear();
                }
            }
            _ => {}
        }
        let at = self.scanner.at;
        let bytes = self.scanner.bytes;
        let path = array_path(&self.frames);
        let counted = match self.frames.last().map(|frame| &frame.kind) {
            Some(Kind::Array { array, count: Some(count), .. }) => array.len == 0 && count + 1 == self.parts.len(),
            _ => false,
        };
        let (array, frame_run) = top_array(&mut self.frames).ok_or(Unusual)?;
        array.push(read.value);
        if holes.is_empty() || at - read.start > 1 << 15 {
            return Ok(());
        }
        // The same row goes on where it was left.
        let last = frame_run.part.and_then(|part| self.parts.get_mut(part));
        let row = Row::learn(bytes, read.start, at, &holes);
        let run = match (last, row) {
            (Some(Part::Run(run)), Some(row)) if frame_run.end == read.start && run.row == row => run,
            (_, Some(row)) if frame_run.rows < ROWS => {
                (frame_run.rows, frame_run.runs) = (frame_run.rows + 1, frame_run.runs + 1);
                frame_run.part = Some(self.parts.len());
                let portions = self.pool.portions();
                let (start, first) = (read.start, array.len - 1);
                let run = Run { start, row, portions, path, first, whole: false, counted };
                self.parts.push(Part::Run(Box::new(run)));
                match self.parts.last_mut() {
                    Some(Part::Run(run)) => run,
                    _ => return Err(Unusual),
                }
            }
            _ => return Ok(()),
        };
        let closed: usize = run.portions.list.iter().rev().skip(1).map(|portion| portion.bytes as usize).sum();
        let mut marks = Marks::new(&mut run.portions, run.start + closed, self.portion);
        let fits = marks.has_room(at);
        let mut end = at;
        if fits {
            marks.item(at);
            let array_len = array.len;
            let frame = self.frames.last_mut().ok_or(Unusual)?;
            let (array, most) = match &mut frame.kind {
                Kind::Array { array, declared, .. } => {
                    let most = declared.map_or(usize::MAX, |declared| declared.saturating_sub(array_len));
                    (array, most)
                }
                Kind::Record { values, last, .. } => match &mut values[*last] {
                    Value::Array(array) => (array, usize::MAX),
                    _ => return Err(Unusual),
                },
            };
            let row = run.row.clone();
            end = row.run(bytes, at, array, most, &mut marks);
            frame.run.end = end;
        }
        marks.finish(end);
        self.scanner.at = end;
        Ok(())
    }
}

/// The array that the next value goes to.
fn top_array<'f>(frames: &'f mut [Frame<'_>]) -> Option<(&'f mut Array, &'f mut LastRun)> {
    let frame = frames.last_mut()?;
    let array = match &mut frame.kind {
        Kind::Array { array, .. } => array,
        Kind::Record { values, last, .. } => match &mut values[*last] {
            Value::Array(array) => array,
            _ => return None,
        },
    };
    Some((array, &mut frame.run))
}

/// Where the array stands that the next value goes to.
fn array_path(frames: &[Frame<'_>]) -> Box<[u32]> {
    let mut path = path(frames).into_vec();
    path.pop();
    path.into()
}

/// Where the next value goes.
fn path(frames: &[Frame<'_>]) -> Box<[u32]> {
    let mut path = Vec::new();
    for frame in frames {
        match &frame.kind {
            Kind::Array { array, .. } => path.push(array.len as u32),
            Kind::Record { values, last, members, .. } => {
                path.push(*last as u32);
                if members.get(*last).is_some_and(|member| member.occurs == Occurs::Many)
                    && let Some(Value::Array(array)) = values.get(*last)
                {
                    path.push(array.len as u32);
                }
            }
        }
    }
    path.into()
}

/// No item follows: whether the array is one run is known now.
fn finish_run(parts: &mut [Part], last: &LastRun, length: Option<usize>) {
    let Some(part) = last.part else { return };
    if let Some(Part::Run(run)) = parts.get_mut(part) {
        run.whole = last.runs == 1 && Some(run.portions.ends.len()) == length;
    }
}

/// A size of an `arrayType`.
fn size(text: &[u8]) -> Option<u32> {
    let digits = str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    digits?.parse().ok()
}
