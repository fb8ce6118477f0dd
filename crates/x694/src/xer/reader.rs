//! Reads an instance as a value.

use ::xml::escape::Context;
use ::xml::xop::Package;
use asn1::compiled::Kind;
use asn1::event::{At, Sink, Stretch};
use asn1::{Filler, Level, NodeId, Value, Values};
use tam::{Error, ErrorKind, Words};
use xsd::content::NodeId as LeafId;
use xsd::internal::{self, EventKind, Scope, State};
use xsd::{AttributeMatch, Builtin, ComplexId, ElementId, Name, Options, Schema, SimpleId, Start, TypeId, Validator};

use super::copied::Copying;
use super::expect::{self, ListItem, Memory, ReadValue, RowLesson};
use super::form::{Contained, Content, Element, FieldRef, Form, FormId, SimpleForm, TypedForm};
use super::grouping::Groupings;
use super::place::{Child, ChildForm, OpenGroup, SequenceRef, Target, no_place, target_of};
use super::rewriting::read_rewritten;
use super::trail::{Left, Trail};
use super::types::Types;
use super::value::ValueParser;

/// Reads an instance, whose root may be any global element, as a value of that element's type.
///
/// # Errors
/// Those of [`Schema::validate`](xsd::Schema::validate), and
/// [`Unsupported`](ErrorKind::Unsupported) for what the mapping does not carry: an `xsi:type` that has no alternative.
pub fn read<'v>(
    xml: &'v [u8],
    types: &'v Types,
    options: &Options,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    read_instance(Instance::of(xml), xml, types, options, values)
}

/// Reads the document of a package, like [`read`]. An element of type `xs:base64Binary` may have an `xop:Include` in place
/// of its characters (XOP section 3.2); its value are the octets of the part, which are not copied.
///
/// ```
/// # use ::asn1 as lengthwise_asn1;
/// # use ::tam as lengthwise_tam;
/// # use ::xsd as lengthwise_xsd;
/// # use lengthwise_x694::{mapping, xer};
/// use lengthwise_x694::xer::Package;
/// # use lengthwise_xsd::{Memory, Options, Schema};
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let source = Memory::new().with(
///     "photo.xsd",
///     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="photo" type="xs:base64Binary"/>
///        </xs:schema>"#,
/// );
/// let options = Options::default();
/// let types = xer::Types::new(Schema::read_from(source, "photo.xsd", &options)?, &mapping::Options::default())?;
///
/// let mut package = Package::new();
/// package.begin_document();
/// package.push(br#"<photo><i:Include xmlns:i="http://www.w3.org/2004/08/xop/include" href="cid:1"/></photo>"#);
/// package.begin_part("1");
/// package.push(b"\x89PNG");
/// let mut values = lengthwise_asn1::Values::new();
/// assert_eq!(xer::read_package(&package, &types, &options, &mut values)?.as_octets(), Some(&b"\x89PNG"[..]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`read`].
pub fn read_package<'v>(
    package: &'v Package,
    types: &'v Types,
    options: &Options,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    read_instance(Instance::in_package(package), package.bytes(), types, options, values)
}

/// Reads an instance; texts that values refer to are in `bytes`.
fn read_instance<'v>(
    instance: Instance<'v>,
    bytes: &'v [u8],
    types: &'v Types,
    options: &Options,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let mut memory = types.take_memory();
    let filler = Filler::new(types.compiled(), options.limits, values).with_input(instance.xml.len());
    let read = read_root(instance, types, options, filler, Some(&mut memory), Texts::Lent);
    let read = read.or_else(|refused| read_rewritten(refused, instance, types, options, values, Some(&mut memory)));
    types.keep_memory(memory);
    Ok(values.value(types.compiled(), read?.node, bytes))
}

/// An instance, and what it is the document of.
#[derive(Clone, Copy)]
pub(super) struct Instance<'x> {
    pub(super) xml: &'x [u8],
    pub(super) package: Option<&'x Package>,
}

impl<'x> Instance<'x> {
    pub(super) fn of(xml: &'x [u8]) -> Instance<'x> {
        Instance { xml, package: None }
    }

    pub(super) fn in_package(package: &'x Package) -> Instance<'x> {
        Instance { xml: package.document(), package: Some(package) }
    }
}

/// What becomes of the texts of an instance.
#[allow(clippy::large_enum_variant)] // There is one for each instance.
pub(super) enum Texts<'x> {
    /// Values may refer to those of the instance.
    Lent,
    /// Values have their own.
    Kept,
    /// The same, and the events that elements begin with are kept, for the error of an open type.
    Traced,
    /// The same, and checkpoints are left, and what the instance before has as well is taken.
    Followed(Trail<'x>),
}

/// Like [`read`], but event by event. The tests compare the two.
///
/// # Errors
/// Those of [`read`].
#[doc(hidden)]
pub fn read_by_events<'v>(
    xml: &'v [u8],
    types: &'v Types,
    options: &Options,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let filler = Filler::new(types.compiled(), options.limits, values).with_input(xml.len());
    let instance = Instance::of(xml);
    let read = read_root(instance, types, options, filler, None, Texts::Lent);
    let read = read.or_else(|refused| read_rewritten(refused, instance, types, options, values, None))?;
    Ok(values.value(types.compiled(), read.node, xml))
}

/// What has been read.
pub(super) struct Read {
    /// The type of the outermost value, and its level.
    pub(super) node: NodeId,
    pub(super) level: Level,
    pub(super) left: Left,
}

/// Reads an instance, with a memory by expectation.
pub(super) fn read_root<'x>(
    Instance { xml, package }: Instance<'x>,
    types: &'x Types,
    options: &'x Options,
    filler: Filler<'x>,
    memory: Option<&'x mut Memory>,
    texts: Texts<'x>,
) -> Result<Read, Error> {
    let mut validator = Validator::new(types.schema(), xml, options)?;
    validator.copy_wildcards();
    if let Some(package) = package.filter(|package| package.has_parts()) {
        validator.include_from(package);
    }
    if let Some(expected) = types.no_others {
        validator.refuse_others(expected);
    }
    let expects = memory.is_some();
    let mut none = Memory::default();
    let memory = memory.unwrap_or(&mut none);
    if expects {
        validator.remember_nothing();
        validator.exchange(&mut memory.room);
    }
    let (frames, open, checked) = memory.take();
    let used = filler.used();
    let mut reader = Reader {
        types,
        filler,
        frames,
        open,
        lists: Vec::new(),
        parser: ValueParser::default(),
        contents: Vec::new(),
        pending: String::new(),
        words: String::new(),
        any: None,
        copied: Copying::default(),
        repeated: 0,
        len: xml.len(),
        groupings: Groupings::new(xml, options),
        place: 0,
        event: 0,
        starts: matches!(texts, Texts::Traced).then(Vec::new),
        root: None,
        memory,
        scope: (None, None),
        checked,
        began: None,
        is_item: false,
        lesson: RowLesson::default(),
        levels: Vec::new(),
        lends: matches!(texts, Texts::Lent).then(|| package.map_or(0, Package::start)),
        trail: if let Texts::Followed(trail) = texts { Some(trail) } else { None },
    };
    if let Some(trail) = reader.trail.as_mut().filter(|_| !validator.reader.is_utf8()) {
        // Other characters would not be those of UTF-8.
        trail.places = None;
    }
    loop {
        if expects {
            reader.expect(&mut validator)?;
        }
        let snapshot = if expects { reader.snapshot(&mut validator) } else { None };
        let Some(kind) = validator.step()? else { break };
        let done = reader.event(kind, &mut validator);
        done.map_err(|error| validator.located(&error))?;
        if let Some(snapshot) = snapshot {
            reader.learn(&validator, &snapshot, kind);
        }
    }
    validator.exchange(&mut reader.memory.room);
    reader.memory.give((reader.frames, reader.open, reader.checked));
    let used = reader.filler.used() - used;
    let steps = validator.state.steps();
    let has_charged = reader.filler.has_charged();
    let left = reader.trail.map(|trail| trail.finish(used, steps, has_charged)).unwrap_or_default();
    let (node, level) =
        reader.root.ok_or_else(|| unsupported("a root that the mapping does not have", "one that it has"))?;
    let bytes = package.map_or(xml, Package::bytes);
    let (filler, starts) = (&mut reader.filler, reader.starts.as_deref());
    filler.select_open_types(level, node, bytes).map_err(|(error, opened)| {
        let Some(starts) = starts else { return at_element(Instance { xml, package }, types, options, error) };
        let start = starts.iter().find(|(level, _)| *level == opened);
        start.map_or(error.clone(), |(_, event)| internal::at_event(xml, options.limits, *event, &error))
    })?;
    Ok(Read { node, level, left })
}

/// The error for what is in an open type, at its element, which is looked for by reading the instance once more.
#[cold]
fn at_element(instance: Instance<'_>, types: &Types, options: &Options, error: Error) -> Error {
    let mut values = Values::new();
    let filler = Filler::new(types.compiled(), options.limits, &mut values).with_input(instance.xml.len());
    read_root(instance, types, options, filler, None, Texts::Traced).err().unwrap_or(error)
}

pub(super) struct Reader<'a> {
    pub(super) types: &'a Types,
    pub(super) filler: Filler<'a>,
    pub(super) frames: Vec<Frame>,
    /// The open groups of all elements.
    pub(super) open: Vec<OpenGroup>,
    /// The `EMBED-VALUES` and `USE-ORDER` lists of all open elements.
    pub(super) lists: Vec<List>,
    pub(super) parser: ValueParser,
    /// The open strings that may contain a value, and where each goes.
    contents: Vec<(Contained, Target)>,
    /// Characters of mixed content since the last tag.
    pending: String,
    /// The names of bits or numbers in an element.
    words: String,
    /// Where the text of a wildcard's element goes, and how many of its elements are open.
    pub(super) any: Option<(Target, u32)>,
    /// Characters in its copy.
    copied: Copying,
    /// Bytes of names of namespaces that copies repeat. As many as the instance has are free.
    repeated: usize,
    len: usize,
    pub(super) groupings: Groupings<'a>,
    /// Where the element began that an event was of last.
    place: usize,
    /// The number of that event.
    event: u64,
    /// The levels of the values in elements, and the events that these begin with, if they are kept.
    starts: Option<Vec<(Level, u64)>>,
    root: Option<(NodeId, Level)>,
    pub(super) memory: &'a mut Memory,
    /// The current prefix bindings: their numbers in the instance and in the memory.
    pub(super) scope: (Option<u32>, Option<u64>),
    /// The checked attributes of the expected element.
    pub(super) checked: Vec<ReadValue>,
    /// The leaf, the declaration and the form of the last element that began. `None` for one that matched a wildcard.
    pub(super) began: Option<(LeafId, ElementId, FormId)>,
    /// Whether the element that was read last by expectation is the item of a list, not its first, and others like it are
    /// tried after it.
    pub(super) is_item: bool,
    /// The item of a list that is being learned from, and the records of one that is read.
    pub(super) lesson: RowLesson,
    pub(super) levels: Vec<Level>,
    /// Where the instance begins in what values may refer to, if they may.
    pub(super) lends: Option<usize>,
    pub(super) trail: Option<Trail<'a>>,
}

/// An element that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// For character content: its form, its type and where the value goes.
    pub(super) characters: Option<(SimpleForm, SimpleId, Target)>,
    /// Whether it is a string that may contain a value.
    pub(super) is_content: bool,
    /// Whether there may be names of bits or numbers in the place of its characters.
    pub(super) is_named: bool,
    pub(super) nil: bool,
    /// Index of its first group in `open`.
    pub(super) base: u32,
    /// Index of its first list in `lists`.
    pub(super) lists: u32,
    /// Whether it has a list of the texts between its elements (`EMBED-VALUES`).
    pub(super) is_mixed: bool,
    /// Whether it has a list of the order of its elements (`USE-ORDER`).
    pub(super) is_ordered: bool,
    /// Its first row in the memory, or `NONE` if no elements are expected in it.
    pub(super) row: u32,
    /// Its type, if elements are expected in it.
    pub(super) ty: ComplexId,
    /// How many items an array of SOAP's encoding says it has.
    pub(super) items: Option<u64>,
    /// Where it begins, if it is an item of a list.
    pub(super) item: Option<ListItem>,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            characters: None,
            is_content: false,
            is_named: false,
            nil: false,
            base: 0,
            lists: 0,
            is_mixed: false,
            is_ordered: false,
            row: expect::NONE,
            ty: Schema::ANY_TYPE,
            items: None,
            item: None,
        }
    }
}

/// A list that grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    at: At<Level>,
    node: NodeId,
    item: NodeId,
    level: Level,
    count: u32,
}

impl List {
    pub(super) fn begin(
        filler: &mut Filler<'_>,
        level: Level,
        (place, item): (FieldRef, NodeId),
    ) -> Result<List, Error> {
        let at = At { level, index: place.index };
        let level = filler.array(at, place.node, 0)?;
        Ok(List { at, node: place.node, item, level, count: 0 })
    }

    /// Adds an item and returns its place.
    fn more(&mut self, filler: &mut Filler<'_>) -> Result<At<Level>, Error> {
        self.level = filler.more(self.at, self.node, self.level, 1)?;
        self.count += 1;
        Ok(At { level: self.level, index: self.count - 1 })
    }

    fn text(&mut self, filler: &mut Filler<'_>, text: &str) -> Result<(), Error> {
        let at = self.more(filler)?;
        let kept = filler.keep(text.as_bytes());
        filler.text(at, self.item, kept)
    }
}

impl Reader<'_> {
    #[inline(always)]
    fn event(&mut self, kind: EventKind, validator: &mut Validator<'_, '_>) -> Result<(), Error> {
        let state = &validator.state;
        match (kind, &mut self.any) {
            (EventKind::Start, Some((_, depth))) => {
                *depth += 1;
                self.note_copied(Copying::start, validator);
                Ok(())
            }
            (EventKind::End, Some((to, depth))) => {
                *depth -= 1;
                let (depth, to) = (*depth, *to);
                self.note_copied(Copying::end, validator);
                if depth == 0 { self.any(to, validator.copied()) } else { Ok(()) }
            }
            (EventKind::Start, None) => {
                (self.place, self.event) = (validator.reader.event_place(), validator.events());
                state.started().map_or(Ok(()), |start| self.start(&start, state))?;
                if self.any.is_some() {
                    self.note_copied(Copying::start, validator);
                }
                Ok(())
            }
            (EventKind::Text, None) => {
                self.pending.push_str(state.event_text());
                Ok(())
            }
            (EventKind::End, None) => self.end(state.ended().value.unwrap_or(""), state),
            (EventKind::Text, Some(_)) => {
                self.note_copied(Copying::text, validator);
                Ok(())
            }
            (EventKind::Nothing, _) => Ok(()),
        }
    }

    fn start(&mut self, start: &Start<'_>, state: &State<'_>) -> Result<(), Error> {
        let Some(parent) = self.frames.last() else {
            let Some(root) = self.types.root_of(start.name) else {
                return Err(unsupported("a root that the mapping does not have", "one that it has"));
            };
            let level = self.filler.root(root.node());
            self.root = Some((root.node(), level));
            return self.begin(root.of, target_of(level, 0, root.node()), start, state);
        };
        let (base, is_ordered) = (parent.base, parent.is_ordered);
        if parent.is_named {
            self.words.push(' ');
            self.words.push_str(self.types.schema().names.local(start.name));
            self.push_nil();
            return self.no_characters();
        }
        if parent.is_content {
            self.no_characters()?;
        }
        self.embed()?;
        self.began = None;
        if start.nil && start.element.is_some_and(|element| !self.types.schema().elements[element].nillable) {
            // In SOAP's encoding, that says the same as no element.
            self.push_nil();
            return Ok(());
        }
        let leaf = start.transition.map(|transition| transition.to);
        let child = Child { name: start.name, any: state.wildcard(), leaf: leaf.map(|leaf| leaf.index() as u32) };
        match self.place(base, is_ordered, child)? {
            Some((to, ChildForm::Element(of))) => {
                if let Some(starts) = &mut self.starts {
                    starts.push((to.at.level, self.event));
                }
                if child.any.is_none() {
                    self.began = leaf.zip(start.element).map(|(leaf, element)| (leaf, element, of.form));
                }
                self.begin(of, to, start, state)
            }
            Some((to, ChildForm::Any)) => {
                self.any = Some((to, 1));
                Ok(())
            }
            None => Err(no_place()),
        }
    }

    /// Finds the place of an element in its parent's record.
    #[inline]
    pub(super) fn place(
        &mut self,
        base: u32,
        is_ordered: bool,
        child: Child,
    ) -> Result<Option<(Target, ChildForm)>, Error> {
        let forms = &self.types.forms;
        let Some(order) = self.lists.last_mut().filter(|_| is_ordered) else {
            if self.groupings.are_open() {
                let passed = self.groupings.passed(self.frames.len());
                forms.pass(&mut self.filler, &mut self.open, base as usize, child, passed)?;
            }
            return forms.place(&mut self.filler, &mut self.open, base as usize, child);
        };
        // Elements of an all-group come in any order. A list keeps that order.
        let (Some(OpenGroup::Sequence { of, level, .. }), filler) = (self.open.last().copied(), &mut self.filler)
        else {
            return Ok(None);
        };
        let Some(sequence) = forms.row(of) else { return Ok(None) };
        let Some(found) = sequence.table.places(child.name).next() else { return Ok(None) };
        let at = order.more(filler)?;
        filler.enumerated(at, order.item, found)?;
        let Some(slot) = sequence.slots.get(found as usize) else { return Ok(None) };
        let to = slot.place.at(level);
        forms.enter_slot(filler, &mut self.open, slot, to, child, None)
    }

    /// Begins an element.
    fn begin(&mut self, of: TypedForm, to: Target, start: &Start<'_>, state: &State<'_>) -> Result<(), Error> {
        let schema = self.types.schema();
        let (mut of, mut to) = (of, to);
        // The declared type, if `xsi:type` names another one that has no alternative.
        let mut declared = None;
        if let Form::Derived(alternatives) = self.types.forms.form(of.form) {
            let name = start.ty.and_then(|ty| schema.type_name(ty));
            let Some(found) = name.and_then(|name| alternatives.of_type(name)) else {
                return Err(self.other_type(start));
            };
            let level = self.filler.choice(to.at, to.node, found.index)?;
            (of, to) = (found.of, target_of(level, 0, found.of.node));
        } else if start.other_type {
            declared = start.element.map(|element| schema.elements[element].ty);
            let is_carried = match declared {
                // A value of a derived simple type is also a value of the declared type.
                Some(TypeId::Simple(_)) => start.attributes().len() == 0,
                // xs:anyType takes any content.
                declared => declared == Some(TypeId::Complex(Schema::ANY_TYPE)),
            };
            if !is_carried {
                return Err(self.other_type(start));
            }
        }
        let (base, lists) = (self.open.len() as u32, self.lists.len() as u32);
        let mut frame = Frame { nil: start.nil, base, lists, items: start.items, ..Frame::default() };
        let simple = match declared {
            Some(TypeId::Simple(declared)) => Some(declared),
            _ => start.simple,
        };
        let characters = |form: SimpleForm, to: Target| Some((form, simple?, to));
        match self.types.forms.form(of.form) {
            Form::Simple(form) => frame.characters = characters(*form, to),
            Form::Named(form) => {
                (frame.is_named, frame.characters) = (true, Some((*form, Builtin::HexBinary.id(), to)));
            }
            Form::Element(element) => {
                let level = to.record(&mut self.filler)?;
                let rare = element.rare.as_deref();
                if let Some(rare) = rare {
                    (frame.is_mixed, frame.is_ordered) = (rare.embedded.is_some(), rare.order.is_some());
                    for list in rare.embedded.into_iter().chain(rare.order) {
                        let list = List::begin(&mut self.filler, level, list)?;
                        self.lists.push(list);
                    }
                }
                let any_attributes = rare.and_then(|rare| rare.any_attributes);
                if any_attributes.is_some() || start.attributes().len() > 0 {
                    self.attributes(element, any_attributes, level, start, state)?;
                }
                match &element.content {
                    _ if start.nil => {}
                    Content::Nothing => {}
                    Content::Characters(place, form) => frame.characters = characters(*form, place.at(level)),
                    Content::Group(place, particle) => {
                        self.open.push(OpenGroup::Content { particle: *particle, to: place.at(level) });
                    }
                    Content::Particles(sequence) => {
                        let level = match rare.and_then(|rare| rare.nil) {
                            Some(place) => place.at(level).record(&mut self.filler)?,
                            None => level,
                        };
                        sequence.begin(&mut self.filler, level)?;
                        let matched = !sequence.leaves.is_empty() && element.ty == start.ty;
                        self.open.push(OpenGroup::Sequence {
                            of: SequenceRef::Content(of.form),
                            level,
                            next: 0,
                            matched,
                        });
                        if !matched {
                            let ty = declared.or(start.ty);
                            self.groupings.begin(schema, ty, self.frames.len() + 1, self.place)?;
                        }
                        if let Some(TypeId::Complex(ty)) = start.ty.filter(|ty| element.ty == Some(*ty))
                            && !frame.is_mixed
                            && schema.model(ty).is_countable()
                        {
                            frame.row = self.memory.row(self.types, of.form, ty);
                            frame.ty = ty;
                        }
                    }
                }
            }
            Form::Group(_) if start.nil => {}
            Form::Group(particle) => self.open.push(OpenGroup::Content { particle: *particle, to }),
            Form::Content(of) => {
                frame.is_content = true;
                self.contents.push((*of, to));
                self.open.extend(of.particle.map(|particle| OpenGroup::Content { particle, to }));
            }
            Form::Nothing => self.filler.null(to.at, to.node)?,
            Form::Word(number) => match self.types.compiled().node(to.node).kind {
                Kind::Boolean => self.filler.boolean(to.at, to.node, *number == 1)?,
                _ => self.filler.enumerated(to.at, to.node, *number)?,
            },
            Form::Derived(..) => {}
        }
        self.frames.push(frame);
        Ok(())
    }

    #[inline(never)]
    fn attributes(
        &mut self,
        element: &Element,
        any_attributes: Option<(FieldRef, NodeId)>,
        level: Level,
        start: &Start<'_>,
        state: &State<'_>,
    ) -> Result<(), Error> {
        let mut others = match any_attributes {
            Some(list) => Some(List::begin(&mut self.filler, level, list)?),
            None => None,
        };
        for (one, value) in start.attributes() {
            match (element.attribute(one.name), one.declared, one.place) {
                (Some(attribute), Some(declared), Some(_)) => {
                    let to = attribute.place.at(level);
                    let form = (attribute.form, declared);
                    self.parser.fill(self.types, &mut self.filler, form, to, value, state.scope())?;
                }
                _ => {
                    if let Some(others) = &mut others {
                        let text = specification(&one, value, start, state.scope());
                        self.repeat(text.len() - value.len())?;
                        others.text(&mut self.filler, &text)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Begins an element that has no value.
    fn push_nil(&mut self) {
        let (base, lists) = (self.open.len() as u32, self.lists.len() as u32);
        self.frames.push(Frame { nil: true, base, lists, ..Frame::default() });
    }

    /// Checks that an array has as many items as it says.
    pub(super) fn check_items(&self, said: u64, base: u32) -> Result<(), Error> {
        let found = match self.open.get(base as usize..) {
            Some([.., OpenGroup::List { count, .. }]) => u64::from(*count),
            _ => 0,
        };
        if found == said {
            return Ok(());
        }
        let found = Words::Count(found, "items");
        Err(Error::new(ErrorKind::Schema, "xsd", 0, found, format!("{said} items, as the arrayType says")))
    }

    /// Adds the characters of mixed content before a tag to their list.
    fn embed(&mut self) -> Result<(), Error> {
        let mixed = self.frames.last().filter(|frame| frame.is_mixed);
        if let Some(list) = mixed.and_then(|frame| self.lists.get_mut(frame.lists as usize)) {
            list.text(&mut self.filler, &self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    fn end(&mut self, value: &str, state: &State<'_>) -> Result<(), Error> {
        let Some(last) = self.frames.last() else { return Ok(()) };
        if !last.nil {
            // The declared type is xs:anyType, but the characters are a value of the type in `xsi:type`.
            if last.is_mixed && state.ended().value.is_some() {
                self.pending.push_str(value);
            }
            self.embed()?;
        }
        if self.groupings.are_open() {
            self.groupings.end(self.frames.len());
        }
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if let Some(said) = frame.items {
            self.check_items(said, frame.base)?;
        }
        self.lists.truncate(frame.lists as usize);
        if frame.is_content {
            return self.content(frame.base as usize, state);
        }
        self.types.forms.close(&mut self.filler, &mut self.open, frame.base as usize)?;
        if let (true, Some((form, ty, to))) = (frame.is_named, frame.characters) {
            let names = std::mem::take(&mut self.words);
            let text = if names.is_empty() { std::mem::take(&mut self.pending) } else { names };
            self.no_characters()?;
            return self.parser.fill(self.types, &mut self.filler, (form, ty), to, &text, state.scope());
        }
        match (frame.characters, state.part()) {
            (Some((_, _, to)), Some((start, len))) => {
                self.filler.octets(to.at, to.node, Stretch::Message { start, len })
            }
            (Some((form, ty, to)), None) => {
                self.parser.fill(self.types, &mut self.filler, (form, ty), to, value, state.scope())
            }
            (None, _) => Ok(()),
        }
    }

    /// Ends a string that may contain a value.
    #[inline(never)]
    fn content(&mut self, base: usize, state: &State<'_>) -> Result<(), Error> {
        let Some((of, to)) = self.contents.pop() else { return Ok(()) };
        if of.particle.is_some() && !matches!(self.open.get(base), Some(OpenGroup::Content { .. })) {
            self.types.forms.close(&mut self.filler, &mut self.open, base)?;
            return self.no_characters();
        }
        self.open.truncate(base);
        let to = match of.place {
            Some(place) => {
                let level = self.filler.choice(to.at, to.node, place.index)?;
                target_of(level, 0, place.node)
            }
            None => to,
        };
        let text = std::mem::take(&mut self.pending);
        let form = (of.form, Builtin::HexBinary.id());
        self.parser.fill(self.types, &mut self.filler, form, to, &text, state.scope())
    }

    /// Checks that there are no characters beside the element in a string.
    fn no_characters(&mut self) -> Result<(), Error> {
        let text = std::mem::take(&mut self.pending);
        match ::xml::chars::is_white(text.as_bytes()) {
            true => Ok(()),
            false => {
                let found = format!("'{}' beside an element", tam::excerpt(&text));
                Err(Error::new(ErrorKind::Schema, "xsd", 0, found, "characters, or one element"))
            }
        }
    }

    /// Notes where characters of the last event are in the copy of an element that matched a wildcard, if places are noted.
    fn note_copied(&mut self, note: fn(&mut Copying, &Validator<'_, '_>), validator: &Validator<'_, '_>) {
        if self.trail.as_ref().is_some_and(|trail| trail.places.is_some()) {
            note(&mut self.copied, validator);
        }
    }

    /// Fills the text of an element that matched a wildcard.
    fn any(&mut self, to: Target, [name, declarations, rest]: [&[u8]; 3]) -> Result<(), Error> {
        self.any = None;
        self.repeat(declarations.len())?;
        let kept = self.filler.keep(name);
        self.filler.buffer().extend_from_slice(declarations);
        self.filler.buffer().extend_from_slice(rest);
        self.filler.text(to.at, to.node, kept)?;
        if let Some(places) = self.trail.as_mut().and_then(|trail| trail.places.as_mut()) {
            self.copied.keep(declarations.len(), to, &self.open, places);
        }
        Ok(())
    }

    /// Counts bytes that a copy has and the instance has only once.
    fn repeat(&mut self, bytes: usize) -> Result<(), Error> {
        let free = self.len.saturating_sub(self.repeated);
        self.repeated += bytes;
        match bytes.saturating_sub(free) {
            0 => Ok(()),
            more => self.filler.charge(more, "more text of namespaces that elements of wildcards repeat"),
        }
    }

    #[cold]
    fn other_type(&self, start: &Start<'_>) -> Error {
        let names = &self.types.schema().names;
        let name = start.ty.and_then(|ty| self.types.schema().type_name(ty)).unwrap_or(Name::UNKNOWN);
        let found = format!("xsi:type with '{}'", names.local(name));
        unsupported(found, "a type that X.694 has an alternative for")
    }
}

/// The text of an attribute that matched a wildcard: its namespace, its name and its value in quotes (X.693 clause 18).
fn specification(one: &AttributeMatch, value: &str, start: &Start<'_>, scope: &dyn Scope) -> String {
    let written = start.written(one);
    let (uri, local) = match written.split_once(':') {
        Some((prefix, local)) => (scope.uri(prefix).unwrap_or(""), local),
        None => ("", written),
    };
    let mut text = String::with_capacity(uri.len() + local.len() + value.len() + 4);
    if !uri.is_empty() {
        text.push_str(uri);
        text.push(' ');
    }
    text.push_str(local);
    text.push_str("=\"");
    let mut escaped = Vec::with_capacity(value.len());
    ::xml::escape::push(&mut escaped, value, Context::Attribute);
    text.push_str(&String::from_utf8_lossy(&escaped));
    text.push('"');
    text
}

#[cold]
fn unsupported(found: impl Into<tam::Words>, expected: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, "xsd", 0, found, expected)
}
