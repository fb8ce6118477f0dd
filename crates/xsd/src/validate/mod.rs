//! Instances held against a schema (Part 1 section 3, validation rules), in one pass.

mod again;
mod attribute;
mod content;
mod copy;
mod element;
mod end;
mod expected;
mod identity;
mod namespaces;
mod place;
mod room;

use std::collections::HashSet;
use std::sync::Arc;

use tam::{Error, ErrorKind};
use text::xml::{self, Event as XmlEvent, Reader};

use crate::components::{AttributeId, ElementId, Inside, Schema, SimpleId, TypeId};
use crate::content::{MOST_WAYS, Place, Transition};
use crate::value::{Checker, Scope};
use crate::{Name, NamespaceId, Options};
use again::Children;
pub use copy::Copy;
use identity::Identities;
use namespaces::Bindings;
pub use room::Room;

/// Steps of work out of proportion to an instance that each of its bytes allows; what is more counts as units.
const FREE_STEPS: u64 = 64;

/// What a [`Validator`] tells.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'v> {
    /// An element begins, and is what the schema says so far: its name, its attributes.
    Start(Start<'v>),
    /// Characters in mixed content, or in an element that the schema says nothing of.
    Text(&'v str),
    /// An element ends, and was what the schema says.
    End(End<'v>),
}

/// The beginning of an element.
#[derive(Clone, Copy, Debug)]
pub struct Start<'v> {
    /// Its name; [`Name::UNKNOWN`] if no schema document tells of it.
    pub name: Name,
    /// Its declaration; `None` where a wildcard stands for what is not declared.
    pub element: Option<ElementId>,
    /// Its type: that of `xsi:type`, else of the declaration. `None` where there is neither.
    pub ty: Option<TypeId>,
    /// Whether `xsi:nil` says that it has no content.
    pub nil: bool,
    /// Its particle in the content of the element around it; `None` for the root, and where the element
    /// around it has no type.
    pub transition: Option<Transition>,
    /// Whether the type is not that of the declaration.
    pub other_type: bool,
    /// The type of its characters, where these are a value.
    pub simple: Option<SimpleId>,
    attributes: &'v [AttributeMatch],
    text: &'v str,
}

impl<'v> Start<'v> {
    /// The attributes that are written and have a type or a declaration's place, in document order, with
    /// their values before white space is normalised by the type. Those of namespace declarations and
    /// of `xsi` are not among them.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = (AttributeMatch, &'v str)> {
        let text = self.text;
        self.attributes
            .iter()
            .map(move |one| (*one, text.get(one.value.0 as usize..one.value.1 as usize).unwrap_or("")))
    }

    /// The name of an attribute as it is written, where a wildcard stands for it.
    pub fn written(self, one: &AttributeMatch) -> &'v str {
        self.text.get(one.value.1 as usize..one.written_end as usize).unwrap_or("")
    }
}

/// An attribute that is written, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct AttributeMatch {
    /// Its name; [`Name::UNKNOWN`] if no schema document tells of it.
    pub name: Name,
    /// Which of the [`attributes`](crate::ComplexType::attributes) of the element's type it is; `None` where
    /// a wildcard stands for it.
    pub place: Option<u32>,
    /// Its declaration, if it has one.
    pub attribute: Option<AttributeId>,
    /// The type that the value is of: that of the declaration, of a union the member.
    pub ty: Option<SimpleId>,
    /// The type of the declaration.
    pub declared: Option<SimpleId>,
    value: (u32, u32),
    /// Where the written name ends, which stands behind the value if a wildcard stands for the attribute.
    written_end: u32,
}

/// The end of an element.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct End<'v> {
    /// Of an element with simple content its characters, or its default where there are none; white space
    /// as it stands. `None` for other content, and for `xsi:nil`.
    pub value: Option<&'v str>,
    /// The type that the value is of: that of the element, of a union the member.
    pub ty: Option<SimpleId>,
    /// Whether the value is the default.
    pub defaulted: bool,
}

/// Checks an instance, and tells each element with its declaration, its type and its particle.
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
    copying: Copying,
}

/// Copies the elements that wildcards stand for, if somebody wants them.
#[derive(Default)]
struct Copying {
    copy: Copy,
    is_wanted: bool,
    /// Whether an element is being copied.
    is_on: bool,
}

/// An element that is open.
#[derive(Clone, Copy, Debug)]
struct Frame {
    name: Name,
    element: Option<ElementId>,
    ty: Option<TypeId>,
    inside: Inside,
    place: Place,
    /// Where its counters begin.
    counters: u32,
    /// Where its characters begin.
    text: u32,
    nil: bool,
    /// Whether there are child elements.
    parent: bool,
    /// Whether the declaration has a value.
    has_value: bool,
    /// Whether it has another type in the place of xs:anyType: what is in it is of any name to the declaration.
    in_any: bool,
}

/// What is wrong with an instance where it stands.
#[derive(Debug)]
struct Fault {
    found: String,
    expected: String,
    /// Whether it is the characters of the element that ends.
    of_value: bool,
    kind: ErrorKind,
}

impl Fault {
    #[cold]
    fn new(found: impl Into<String>, expected: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { found: found.into(), expected: expected.into(), of_value: false, kind: ErrorKind::Schema })
    }

    #[cold]
    fn limit(found: impl Into<String>, expected: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { kind: ErrorKind::Limit, ..*Fault::new(found, expected) })
    }

    /// What none of the ways allows that were followed may be allowed by one that was not.
    #[cold]
    fn too_many_ways() -> Box<Fault> {
        Fault::limit(
            format!("occurrences that can be counted in more than {MOST_WAYS} ways"),
            "content with fewer nested groups that end with a number of occurrences",
        )
    }

    /// There were too many steps: the validator says so in its own words.
    #[cold]
    fn exhausted() -> Box<Fault> {
        Fault::limit("more steps", "fewer")
    }

    #[cold]
    fn of_value(found: impl Into<String>, expected: impl Into<String>) -> Box<Fault> {
        Box::new(Fault { of_value: true, ..*Fault::new(found, expected) })
    }
}

type Checked<T> = Result<T, Box<Fault>>;

/// All that is known of an instance on the way.
pub struct State<'s> {
    schema: &'s Schema,
    frames: Vec<Frame>,
    counters: Vec<u32>,
    bindings: Bindings,
    children: Children,
    /// The characters of the elements that are open.
    text: String,
    checker: Checker,
    /// The attributes of the element that began last, and their values.
    attributes: Vec<AttributeMatch>,
    values: String,
    /// For each attribute use the last element that it was seen in.
    seen: Vec<u64>,
    tag: u64,
    transition: Option<Transition>,
    other_type: bool,
    identities: Option<Identities>,
    /// The number of the event that is looked at, from 1.
    event: u64,
    /// Of an element that ended where its characters begin: nobody needs them any more, nor its bindings.
    forget: Option<usize>,
    /// The namespace of the element that began last, and whether a wildcard stands for it.
    namespace: NamespaceId,
    wild: bool,
    /// Where characters told begin, and how many there are.
    event_range: (usize, usize),
    end: Option<(SimpleId, SimpleId)>,
    defaulted: Option<&'s str>,
    outer: Option<Box<Outer>>,
}

/// What the caller knows of the elements around those that are declared: the envelope of a message.
#[derive(Debug)]
struct Outer {
    /// Elements in the body that no declaration says anything of.
    undeclared: Arc<HashSet<Name>>,
    /// The element that comes next in such an element, and its type.
    part: Option<(Name, Option<TypeId>)>,
}

/// What a step makes known.
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
    /// Checks an instance, whose root may be any global element.
    ///
    /// # Errors
    /// When it is not well-formed (kind syntax or incomplete), when it is not what the schema says (kind
    /// schema), with the path of the element, line and column, what was found and what was expected; when
    /// a limit is exceeded.
    pub fn validate(&self, xml: &[u8], options: &Options) -> Result<(), Error> {
        let mut validator = Validator::new(self, xml, options)?;
        while validator.next_event()?.is_some() {}
        Ok(())
    }
}

impl<'s, 'x> Validator<'s, 'x> {
    /// A validator of an instance.
    ///
    /// # Errors
    /// As those of [`Reader::new`](text::xml::Reader::new).
    pub fn new(schema: &'s Schema, xml: &'x [u8], options: &Options) -> Result<Validator<'s, 'x>, Error> {
        let reader = Reader::new(xml, &xml::Options::default().with_limits(options.limits))?;
        let state = State {
            schema,
            frames: Vec::new(),
            counters: Vec::new(),
            bindings: Bindings::default(),
            children: Children::default(),
            text: String::new(),
            checker: Checker::new(u64::from(options.limits.units) + FREE_STEPS * xml.len() as u64),
            attributes: Vec::new(),
            values: String::new(),
            seen: Vec::new(),
            tag: 0,
            transition: None,
            other_type: false,
            identities: options.identity.then(Identities::default),
            event: 0,
            forget: None,
            namespace: NamespaceId::NONE,
            wild: false,
            event_range: (0, 0),
            end: None,
            defaulted: None,
            outer: None,
        };
        Ok(Validator {
            reader,
            state,
            input: xml,
            limits: options.limits,
            events: 0,
            failed: None,
            copying: Copying::default(),
        })
    }

    /// The next event, `None` behind the last.
    ///
    /// # Errors
    /// As [`Schema::validate`]. Nothing is read after an error: it is told again.
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

    /// Byte offset in the instance of the last event.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.reader.offset()
    }

    /// An error at the last event, with the path of the element: what a caller who expects something
    /// else says of it.
    #[must_use]
    pub fn error(&self, kind: ErrorKind, found: impl Into<tam::Words>, expected: impl Into<tam::Words>) -> Error {
        self.reader.error(kind, found, expected).in_path(place::path(self.input, self.limits, self.events))
    }

    /// Has the root assessed laxly (Part 1 section 5.2), and the elements in the second of its children that are
    /// not declared whatever the schema says.
    pub(crate) fn assess_laxly(&mut self, undeclared: Arc<HashSet<Name>>) {
        self.state.outer = Some(Box::new(Outer { undeclared, part: None }));
    }

    /// Tells the type of an element that may come next in an element that is not declared.
    pub(crate) fn expect_part(&mut self, part: Option<(Name, Option<TypeId>)>) {
        if let Some(outer) = &mut self.state.outer {
            outer.part = part;
        }
    }

    /// Has the elements copied that wildcards stand for.
    #[doc(hidden)]
    pub fn copy_wildcards(&mut self) {
        self.copying.is_wanted = true;
    }

    /// The text of the element that ended last, if a wildcard stood for it, in pieces.
    #[doc(hidden)]
    pub fn copied(&mut self) -> [&[u8]; 3] {
        let bindings = &self.state.bindings;
        self.copying.copy.finish(|prefix| bindings.uri(prefix))
    }

    /// An error of another's, at the last event.
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
                    return match self.state.unresolved() {
                        None => Ok(None),
                        Some((name, at)) => Err(place::reference(self.input, self.limits, &name, at)),
                    };
                }
                Some(event) => {
                    let (checked, begins) = match event {
                        XmlEvent::Start(tag) => (self.state.start(tag), self.state.wild),
                        XmlEvent::End(_) => (self.state.end_element(), false),
                        XmlEvent::Text(text) | XmlEvent::CData(text) => (self.state.characters(text), false),
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

impl Copying {
    /// Takes note of an event that is within an element that a wildcard stands for, or begins one.
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
    /// The namespace of the element that began last, if a wildcard stands for it.
    pub fn wildcard(&self) -> Option<NamespaceId> {
        self.wild.then_some(self.namespace)
    }

    /// The number of the event that was read last, from 1.
    pub fn event_number(&self) -> u64 {
        self.event
    }

    /// The bindings where the instance has been read to; of an element that has just ended, its own.
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
            attributes: &self.attributes,
            text: &self.values,
        })
    }

    /// The characters that are told.
    #[inline]
    pub fn event_text(&self) -> &str {
        self.text.get(self.event_range.0..self.event_range.0 + self.event_range.1).unwrap_or("")
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
