//! Validates instances in one pass (the validation rules of Part 1 section 3).

mod again;
mod attribute;
mod content;
mod copy;
mod element;
mod encoded;
mod end;
mod expected;
mod identity;
mod including;
mod namespaces;
mod place;
mod recovery;
mod room;

use std::collections::HashSet;
use std::sync::Arc;

use ::xml::xop::Package;
use tam::{Error, ErrorKind};
use text::xml::{self, Event as XmlEvent, Reader};

use crate::components::{AttributeId, Builtin, ElementId, Inside, Schema, SimpleId, TypeId};
use crate::content::{MOST_WAYS, Place, Transition};
use crate::value::{Checker, Scope};
use crate::{Name, NamespaceId, Options};
use again::Children;
pub use copy::Copy;
use identity::Identities;
use including::Including;
use namespaces::Bindings;
pub use place::at_event;
pub use room::Room;

/// Steps of work out of proportion to an instance that are free for each byte. More steps count as units.
const FREE_STEPS: u64 = 64;

/// An event of a [`Validator`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'v> {
    /// An element begins. Its name and its attributes are valid.
    Start(Start<'v>),
    /// Characters in mixed content, or in an element without a type.
    Text(&'v str),
    /// An element ends. Its content is valid.
    End(End<'v>),
}

/// The beginning of an element.
#[derive(Clone, Copy, Debug)]
pub struct Start<'v> {
    /// Its name; [`Name::UNKNOWN`] if no schema document mentions it.
    pub name: Name,
    /// Its declaration; `None` for an undeclared element that matches a wildcard.
    pub element: Option<ElementId>,
    /// Its type: that of `xsi:type`, otherwise of the declaration. `None` if there is neither.
    pub ty: Option<TypeId>,
    /// Whether it has no content because of `xsi:nil`.
    pub nil: bool,
    /// Its particle in the content of its parent; `None` for the root, and if the parent has no type.
    pub transition: Option<Transition>,
    /// Whether its type is not that of the declaration.
    pub other_type: bool,
    /// The type of its characters, for simple content.
    pub simple: Option<SimpleId>,
    /// How many items an array of SOAP's encoding says it has.
    pub items: Option<u64>,
    attributes: &'v [AttributeMatch],
    text: &'v str,
}

impl<'v> Start<'v> {
    /// The written attributes in document order, with their values before the type normalises white space. Namespace
    /// declarations and attributes of `xsi` are not included.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = (AttributeMatch, &'v str)> {
        let text = self.text;
        self.attributes
            .iter()
            .map(move |one| (*one, text.get(one.value.0 as usize..one.value.1 as usize).unwrap_or("")))
    }

    /// The qualified name of an attribute that matches a wildcard, as written.
    pub fn written(self, one: &AttributeMatch) -> &'v str {
        self.text.get(one.value.1 as usize..one.written_end as usize).unwrap_or("")
    }
}

/// A written attribute and its declaration.
#[derive(Clone, Copy, Debug)]
pub struct AttributeMatch {
    /// Its name; [`Name::UNKNOWN`] if no schema document mentions it.
    pub name: Name,
    /// Its index in the [`attributes`](crate::ComplexType::attributes) of the element's type; `None` if it matches a
    /// wildcard.
    pub place: Option<u32>,
    /// Its declaration, if it has one.
    pub attribute: Option<AttributeId>,
    /// The type of the value: that of the declaration, or for a union the member type.
    pub ty: Option<SimpleId>,
    /// The type of the declaration.
    pub declared: Option<SimpleId>,
    value: (u32, u32),
    /// The end of its name in the text. If it matches a wildcard, its name comes after its value there.
    written_end: u32,
}

/// The end of an element.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct End<'v> {
    /// For simple content, its characters, or its default if it is empty. White space is not normalised. `None` for other
    /// content, and for `xsi:nil`.
    pub value: Option<&'v str>,
    /// The type of the value: that of the element, or for a union the member type.
    pub ty: Option<SimpleId>,
    /// Whether the value is the default.
    pub defaulted: bool,
}

/// Validates an instance event by event, with the declaration, the type and the particle of each element.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_xsd::{Event, Memory, Options, Schema, Validator};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let source = Memory::new().with(
///     "a.xsd",
///     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="xs:int"/></xs:schema>"#,
/// );
/// let options = Options::default();
/// let schema = Schema::read_from(source, "a.xsd", &options)?;
/// let mut validator = Validator::new(&schema, b"<a> 7 </a>", &options)?;
/// let Some(Event::Start(start)) = validator.next_event()? else { panic!() };
/// assert_eq!(start.element, schema.find_element("", "a"));
/// let Some(Event::End(end)) = validator.next_event()? else { panic!() };
/// assert_eq!(end.value, Some(" 7 "));
/// assert!(validator.next_event()?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct Validator<'s, 'x> {
    #[doc(hidden)]
    pub reader: Reader<'x>,
    #[doc(hidden)]
    pub state: State<'s>,
    input: &'x [u8],
    limits: tam::Limits,
    events: u64,
    failed: Option<Error>,
    /// Whether it went on after an error.
    is_recovered: bool,
    copying: Copying,
    /// What is said of a document type declaration or a processing instruction, if there may be none.
    no_others: Option<&'static str>,
    including: Option<Including<'x>>,
}

/// Copies the elements that match wildcards, if wanted.
#[derive(Default)]
struct Copying {
    copy: Copy,
    is_wanted: bool,
    /// Whether an element is being copied.
    is_on: bool,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
struct Frame {
    name: Name,
    element: Option<ElementId>,
    ty: Option<TypeId>,
    inside: Inside,
    place: Place,
    /// Index of its first counter.
    counters: u32,
    /// Start of its characters in the text.
    text: u32,
    nil: bool,
    /// Whether it has child elements.
    parent: bool,
    /// Whether the declaration has a default or a fixed value.
    has_value: bool,
    /// Whether the declared type is xs:anyType and `xsi:type` names another. For the declaration, its content matches
    /// wildcards.
    in_any: bool,
}

/// A violation of the schema at the current event.
#[derive(Debug)]
struct Fault {
    found: String,
    expected: String,
    /// Whether the characters of the element that ends are wrong.
    of_value: bool,
    kind: ErrorKind,
}

impl Fault {
    #[cold]
    fn new(found: impl Into<String>, expected: impl Into<String>) -> Box<Fault> {
        let (found, expected) = (shown(found.into()), shown(expected.into()));
        Box::new(Fault { found, expected, of_value: false, kind: ErrorKind::Schema })
    }

    #[cold]
    fn limit(found: impl Into<String>, expected: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { kind: ErrorKind::Limit, ..*Fault::new(found, expected) })
    }

    /// An error for content that is not allowed in any way of counting that was followed, but may be in another.
    #[cold]
    fn too_many_ways() -> Box<Fault> {
        Fault::limit(
            format!("occurrences that can be counted in more than {MOST_WAYS} ways"),
            "content with fewer nested groups that end with a number of occurrences",
        )
    }

    /// An error for too many steps. The validator replaces it by its own.
    #[cold]
    fn exhausted() -> Box<Fault> {
        Fault::limit("more steps", "fewer")
    }

    #[cold]
    fn of_value(found: impl Into<String>, expected: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { of_value: true, ..*Fault::new(found, expected) })
    }
}

/// Words of a fault, without the middle if they are long: there may be a name or a value of any length in them.
fn shown(words: String) -> String {
    const SIDE: usize = 160;
    let beginning = words.char_indices().nth(SIDE).map_or(words.len(), |(end, _)| end);
    let end = words.char_indices().rev().nth(SIDE).map_or(0, |(start, _)| start);
    match end > beginning {
        true => format!("{}…{}", &words[..beginning], &words[end..]),
        false => words,
    }
}

type Checked<T> = Result<T, Box<Fault>>;

/// The state of a validator.
pub struct State<'s> {
    schema: &'s Schema,
    frames: Vec<Frame>,
    counters: Vec<u32>,
    bindings: Bindings,
    children: Children,
    /// The characters of the open elements.
    text: String,
    checker: Checker,
    /// The attributes of the last element that began.
    attributes: Vec<AttributeMatch>,
    /// The values of these attributes.
    values: String,
    /// For each attribute use, the number of the last start tag that had it.
    seen: Vec<u64>,
    tag: u64,
    transition: Option<Transition>,
    other_type: bool,
    items: Option<u64>,
    identities: Option<Identities>,
    /// IDs and IDREFs so far.
    ids_taken: u64,
    /// The number of the current event, from 1.
    event: u64,
    /// The start of an ended element's characters, which are removed, together with its bindings, before the next event.
    forget: Option<usize>,
    /// The namespace of the last element that began.
    namespace: NamespaceId,
    /// Whether that element matches a wildcard.
    wild: bool,
    /// The start and the length of the event's characters.
    event_range: (usize, usize),
    end: Option<(SimpleId, SimpleId)>,
    defaulted: Option<&'s str>,
    /// The start and the length of the octets in a package that are the content of the innermost element, and of the one
    /// that has ended.
    included: Option<(usize, usize)>,
    part: Option<(usize, usize)>,
    outer: Option<Box<Outer>>,
    /// Whether the root is a header block.
    is_block: bool,
}

/// The envelope of a message, as far as the caller knows it.
#[derive(Debug)]
struct Outer {
    /// Elements in the body that have no declaration.
    undeclared: Arc<HashSet<Name>>,
    /// The next element in such an element, and its type.
    part: Option<(Name, Option<TypeId>)>,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An element begins.
    Start,
    /// There are characters.
    Text,
    /// An element ends.
    End,
    /// Nothing that a caller needs.
    Nothing,
}

impl Schema {
    /// Validates an instance, whose root may be any global element.
    ///
    /// # Errors
    /// When it is not well-formed (kind syntax or incomplete), when it is invalid (kind schema), or when a limit is
    /// exceeded. Errors have the path of the element, a line and a column.
    pub fn validate(&self, xml: &[u8], options: &Options) -> Result<(), Error> {
        let mut validator = Validator::new(self, xml, options)?;
        while validator.next_event()?.is_some() {}
        Ok(())
    }
}

impl<'s> State<'s> {
    /// That before the root of an instance of so many bytes.
    #[must_use]
    pub fn new(schema: &'s Schema, len: usize, options: &Options) -> State<'s> {
        State {
            schema,
            frames: Vec::new(),
            counters: Vec::new(),
            bindings: Bindings::default(),
            children: Children::default(),
            text: String::new(),
            checker: Checker::new(u64::from(options.limits.units) + FREE_STEPS * len as u64),
            attributes: Vec::new(),
            values: String::new(),
            seen: Vec::new(),
            tag: 0,
            transition: None,
            other_type: false,
            items: None,
            identities: options.identity.then(Identities::default),
            ids_taken: 0,
            event: 0,
            forget: None,
            namespace: NamespaceId::NONE,
            wild: false,
            event_range: (0, 0),
            end: None,
            defaulted: None,
            included: None,
            part: None,
            outer: None,
            is_block: options.soap_attributes,
        }
    }
}

impl<'s, 'x> Validator<'s, 'x> {
    /// A validator for an instance.
    ///
    /// # Errors
    /// Those of [`Reader::new`](text::xml::Reader::new).
    pub fn new(schema: &'s Schema, xml: &'x [u8], options: &Options) -> Result<Validator<'s, 'x>, Error> {
        let reader = Reader::new(xml, &xml::Options::default().with_limits(options.limits))?;
        let state = State::new(schema, xml.len(), options);
        Ok(Validator {
            reader,
            state,
            input: xml,
            limits: options.limits,
            events: 0,
            failed: None,
            is_recovered: false,
            copying: Copying::default(),
            no_others: None,
            including: None,
        })
    }

    /// The next event; `None` after the last.
    ///
    /// # Errors
    /// Those of [`Schema::validate`]. After an error, every call returns it again, unless [`Validator::recover`] goes on.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        match self.step() {
            Ok(Some(kind)) => Ok(self.state.event(kind)),
            Ok(None) => Ok(None),
            Err(error) => {
                self.failed = Some(error.clone());
                Err(error)
            }
        }
    }

    /// The byte offset of the last event in the instance.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// An error of the caller at the last event, with the path of the element.
    #[must_use]
    pub fn error(&self, kind: ErrorKind, found: impl Into<tam::Words>, expected: impl Into<tam::Words>) -> Error {
        self.reader.error(kind, found, expected).in_path(place::path(self.input, self.limits, self.events))
    }

    /// Assesses the root laxly (Part 1 section 5.2). Elements of the body that are in `undeclared` have no type, even if
    /// the schema declares them.
    pub(crate) fn assess_laxly(&mut self, undeclared: Arc<HashSet<Name>>) {
        self.state.outer = Some(Box::new(Outer { undeclared, part: None }));
    }

    /// Sets the name and type of the next element in an undeclared element of the body.
    pub(crate) fn expect_part(&mut self, part: Option<(Name, Option<TypeId>)>) {
        if let Some(outer) = &mut self.state.outer {
            outer.part = part;
        }
    }

    /// Refuses document type declarations and processing instructions, with words about what is expected instead.
    #[doc(hidden)]
    pub fn refuse_others(&mut self, expected: &'static str) {
        self.no_others = Some(expected);
    }

    /// Takes the octets that the instance includes from a package, whose document it is.
    #[doc(hidden)]
    pub fn include_from(&mut self, package: &'x Package) {
        self.including = Some(Including::new(package));
    }

    /// Copies the elements that match wildcards from now on.
    #[doc(hidden)]
    pub fn copy_wildcards(&mut self) {
        self.copying.is_wanted = true;
    }

    /// The text, in pieces, of the last element that ended, if it matched a wildcard.
    #[doc(hidden)]
    pub fn copied(&mut self) -> [&[u8]; 3] {
        let bindings = &self.state.bindings;
        self.copying.copy.finish(|prefix| bindings.uri(prefix))
    }

    /// What has been copied so far of the element that matches a wildcard, without the declarations that are added.
    #[doc(hidden)]
    pub fn copied_so_far(&self) -> &[u8] {
        self.copying.copy.text()
    }

    /// Moves an error to the last event.
    #[cold]
    #[doc(hidden)]
    pub fn located(&self, error: &Error) -> Error {
        self.error(error.kind(), error.found().clone(), error.expected().clone())
    }

    #[inline(always)]
    #[doc(hidden)]
    pub fn step(&mut self) -> Result<Option<EventKind>, Error> {
        loop {
            self.state.event = self.events + 1;
            self.state.settle();
            let event = self.reader.next_event()?;
            let checked = match event {
                None => {
                    return match self.state.unresolved().filter(|_| !self.is_recovered) {
                        None => Ok(None),
                        Some((name, at)) => Err(place::reference(self.input, self.limits, &name, at)),
                    };
                }
                Some(event) => {
                    let included = match &mut self.including {
                        Some(including) => including.event(event, &mut self.state),
                        None => None,
                    };
                    let (checked, begins) = match (included, event) {
                        (Some(included), _) => (included, false),
                        (None, XmlEvent::Start(tag)) => (self.state.start(tag), self.state.wild),
                        (None, XmlEvent::End(_)) => (self.state.end_element(), false),
                        (None, XmlEvent::Text(text) | XmlEvent::CData(text)) => (self.state.characters(text), false),
                        (None, XmlEvent::Instruction(_)) => (other("a processing instruction", self.no_others), false),
                        (None, XmlEvent::Doctype(_)) => (other("a document type declaration", self.no_others), false),
                        _ => (Ok(EventKind::Nothing), false),
                    };
                    if begins || self.copying.is_on {
                        self.copying.event(event);
                    }
                    checked
                }
            };
            self.events += 1;
            if self.state.checker.is_exhausted() {
                let bound = self.limits.units.into();
                return Err(self.located(&Error::limit(
                    "xsd",
                    0,
                    "more steps than the size of the instance allows",
                    "units",
                    bound,
                )));
            }
            match checked {
                Ok(EventKind::Nothing) => {}
                Ok(kind) => return Ok(Some(kind)),
                Err(fault) => {
                    let Fault { found, expected, of_value, kind } = *fault;
                    let error = self.error(kind, found, expected);
                    if of_value {
                        return Err(place::at_characters(self.input, self.limits, self.events, error));
                    }
                    return Err(error);
                }
            }
        }
    }
}

/// A document type declaration or a processing instruction, which is refused if something else is expected.
fn other(found: &'static str, expected: Option<&'static str>) -> Checked<EventKind> {
    match expected {
        Some(expected) => Err(Box::new(Fault { kind: ErrorKind::Unsupported, ..*Fault::new(found, expected) })),
        None => Ok(EventKind::Nothing),
    }
}

impl Copying {
    /// Copies an event in an element that matches a wildcard, or that begins one.
    #[inline(never)]
    fn event(&mut self, event: XmlEvent<'_>) {
        if !self.is_on && self.is_wanted {
            self.copy.clear();
            self.is_on = true;
        }
        if self.is_on {
            self.is_on = !self.copy.event(&event);
        }
    }
}

impl<'s> State<'s> {
    /// The namespace of the last element that began, if it matches a wildcard.
    pub fn wildcard(&self) -> Option<NamespaceId> {
        self.wild.then_some(self.namespace)
    }

    /// The current prefix bindings. After the end of an element, they are still its own.
    pub fn scope(&self) -> &dyn Scope {
        &self.bindings
    }

    pub(crate) fn event(&self, kind: EventKind) -> Option<Event<'_>> {
        match kind {
            EventKind::Start => self.started().map(Event::Start),
            EventKind::Text => Some(Event::Text(self.event_text())),
            EventKind::End => Some(Event::End(self.ended())),
            EventKind::Nothing => None,
        }
    }

    /// The element that has begun.
    #[inline]
    pub fn started(&self) -> Option<Start<'_>> {
        let frame = self.frames.last()?;
        Some(Start {
            name: frame.name,
            element: frame.element,
            ty: frame.ty,
            nil: frame.nil,
            transition: self.transition,
            other_type: self.other_type,
            simple: match frame.inside {
                Inside::Simple(simple) => Some(simple),
                _ => None,
            },
            items: self.items,
            attributes: &self.attributes,
            text: &self.values,
        })
    }

    /// The characters of the event.
    #[inline]
    pub fn event_text(&self) -> &str {
        self.text.get(self.event_range.0..self.event_range.0 + self.event_range.1).unwrap_or("")
    }

    /// The type that alone decides which characters the element that has begun may have: `anySimpleType` if none are refused.
    /// `None` if something else decides as well.
    pub fn type_of_characters(&self) -> Option<SimpleId> {
        let frame = self.frames.last().filter(|frame| !frame.has_value && !self.has_open_identities())?;
        match frame.inside {
            Inside::Lax | Inside::Skip | Inside::Characters | Inside::Elements { mixed: true } => {
                Some(Builtin::AnySimpleType.id())
            }
            Inside::Simple(ty) => Some(ty).filter(|ty| self.schema.is_by_itself(*ty)),
            Inside::Nothing | Inside::Elements { mixed: false } => None,
        }
    }

    /// The same for one of its attributes.
    pub fn type_of_attribute(&self, one: &AttributeMatch) -> Option<SimpleId> {
        let (frame, schema) = (self.frames.last().filter(|_| !self.has_open_identities())?, self.schema);
        let Some(attribute) = one.attribute else { return Some(Builtin::AnySimpleType.id()) };
        let value = match (frame.ty, one.place) {
            (Some(TypeId::Complex(of)), Some(place)) => &schema.complex_types[of].attributes.get(place as usize)?.value,
            _ => &schema.attributes[attribute].value,
        };
        one.declared.filter(|ty| value.is_none() && schema.is_by_itself(*ty))
    }

    /// The element that has ended.
    #[inline]
    pub fn ended(&self) -> End<'_> {
        let value = self.end.map(|_| self.defaulted.unwrap_or_else(|| self.event_text()));
        End { value, ty: self.end.map(|(_, member)| member), defaulted: self.defaulted.is_some() }
    }

    fn shown(&self, name: Name) -> &'s str {
        self.schema.names.local(name)
    }
}

impl std::fmt::Debug for Validator<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Validator").field("offset", &self.offset()).field("depth", &self.state.frames.len()).finish()
    }
}
