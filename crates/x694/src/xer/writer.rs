//! Writes a value as an instance.

use std::ops::Range;

use asn1::compiled::{Kind, Open};
use asn1::{NodeId, Value};
use tam::{Error, ErrorKind};
use xml::escape::{self, Context};
use xml::xop::{self, Package};
use xsd::{ENCODING_NAMESPACE, Encoded, Name, NamespaceId, SimpleId, TypeId, XSD_NAMESPACE};

use super::form::{
    Alternative, Choice, Contained, Content, Element, FieldRef, Form, FormId, ParticleId, Simple, SimpleForm, Term,
};
use super::instructions::OCTETS;
use super::lexical::{self, unknown};
use super::place::SequenceRef;
use super::prefixes::Prefixes;
use super::types::Types;
use super::wild;

/// Writes a value of a global element's type as an instance, like [`append`].
///
/// # Errors
/// Those of [`append`].
pub fn write(value: Value<'_>, types: &Types) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(value, types, &mut out)?;
    Ok(out)
}

/// Appends a value of a global element's type as an instance, in UTF-8, without an XML declaration.
///
/// The root element declares all namespaces. If possible, its own namespace is the default namespace. The other prefixes
/// are those of the schema documents, or generated ones. Arrays of SOAP's encoding have their `arrayType`,
/// structs of a named type their `xsi:type`.
///
/// # Errors
/// [`Schema`](ErrorKind::Schema) if the value is not of a global element's type;
/// [`Unsupported`](ErrorKind::Unsupported) if no instance can have the value: it has an addition of a later version of
/// the schema, or the text of a wildcard is not an element or attribute. `out` is unchanged after an error.
pub fn append(value: Value<'_>, types: &Types, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    match append_whole(value, types, None, out) {
        Ok(_) => Ok(()),
        Err(error) => {
            out.truncate(start);
            Err(error)
        }
    }
}

/// Writes a value like [`write()`], and octets beside the document (XOP 1.0): those of the elements of base64 that have at
/// least so many. [`read_package`](super::read_package) takes it.
///
/// # Errors
/// Those of [`append`].
pub fn write_package(value: Value<'_>, types: &Types, least: usize) -> Result<Package, Error> {
    let mut out = Vec::new();
    let parts = append_whole(value, types, Some(least), &mut out)?;
    let mut package = Package::from(out);
    for (octets, number) in parts.iter().zip(1..) {
        package.begin_part(&content_id(number));
        package.push(octets);
    }
    Ok(package)
}

/// The Content-ID of a part (RFC 2392).
fn content_id(number: usize) -> String {
    format!("{number}@lengthwise")
}

/// Appends an instance. Returns the octets that are beside it: of elements that have at least so many, if that is stated.
fn append_whole<'v>(
    value: Value<'v>,
    types: &'v Types,
    least: Option<usize>,
    out: &mut Vec<u8>,
) -> Result<Vec<&'v [u8]>, Error> {
    let Some(root) = types.root_of_node(value.node_id()) else {
        let found = format!("a value of {}", value.node().name);
        return Err(Error::new(ErrorKind::Schema, "xsd", 0, found, "one of a global element's type"));
    };
    let names = &types.schema().names;
    let namespace = names.namespace(root.name);
    let default = Some(namespace).filter(|namespace| root.may_have_default && *namespace != NamespaceId::NONE);
    let mut writer = Writer {
        types,
        out,
        tasks: Vec::new(),
        mixed: Vec::new(),
        prefixes: Prefixes::new(default, &types.preferred),
        text: String::new(),
        item: None,
        least,
        parts: Vec::new(),
        ended_at: 0,
    };
    let name = writer.begin(root.name, root.of.form);
    let name_end = name.end;
    writer.element(name, root.of.form, value)?;
    while writer.step()? {}
    let declarations = writer.prefixes.declarations(names);
    writer.out.splice(name_end..name_end, declarations);
    Ok(writer.parts)
}

/// The alternative of an open type or a string that a value in it is of. It may itself be an open type or a string.
fn alternative(choice: &Choice, value: Value<'_>) -> Option<ParticleId> {
    let of = value.node_id();
    let is_in = |node: NodeId| match value.types().node(node).kind {
        Kind::Open(number) => value.types().open(number).alternatives.contains(&of),
        _ => false,
    };
    let octets = OCTETS.iter().find(|(_, rules)| value.unknown_by(*rules).is_some());
    let octets = octets.map(|(_, rules)| Open::undecoded(*rules));
    let find = |is_it: &dyn Fn(&FieldRef) -> bool| choice.alternatives.iter().find(|(place, _)| is_it(place));
    let is_typed = |place: &FieldRef| OCTETS.iter().all(|(_, rules)| place.index != Open::undecoded(*rules));
    let found = find(&|place| is_typed(place) && place.node == of)
        .or_else(|| find(&|place| is_typed(place) && is_in(place.node)))
        .or_else(|| find(&|place| Some(place.index) == octets));
    found.map(|(_, particle)| *particle)
}

pub(super) struct Writer<'v, 'o> {
    pub(super) types: &'v Types,
    pub(super) out: &'o mut Vec<u8>,
    pub(super) tasks: Vec<Task<'v>>,
    /// For each open element with mixed content, the texts between its children and the index of the next one.
    mixed: Vec<Option<(Value<'v>, usize)>>,
    prefixes: Prefixes<'v>,
    text: String,
    /// The type of the items of the array in SOAP's encoding that is open, if it is simple.
    item: Option<SimpleId>,
    /// From how many octets on those of an element are beside the document; `None` if none are.
    least: Option<usize>,
    parts: Vec<&'v [u8]>,
    /// Where the last element ended.
    pub(super) ended_at: usize,
}

/// A part of the instance that is still to be written.
pub(super) enum Task<'v> {
    /// What is at an element with processing instructions or comments, and where it begins.
    Marks(FormId, usize),
    /// The end of an element: where its name is, and where its start tag ends.
    End(Range<usize>, usize),
    /// The components of a sequence, from an index on.
    Row(SequenceRef, Value<'v>, usize),
    /// The items of a list, from an index on.
    List(ParticleId, Value<'v>, usize),
    /// The elements of an all-group: their record, the list of their order, and an index in it to continue from.
    Order(FormId, Value<'v>, Value<'v>, usize),
}

/// The first component at a place from one on that is present, and its place. An absent component is not written with its
/// default.
fn next_written<'v, T>(
    value: Value<'v>,
    all: &[T],
    from: usize,
    are_dense: bool,
    index: impl Fn(&T) -> u32,
) -> Option<(usize, Value<'v>)> {
    let rest = all.get(from..)?;
    if are_dense {
        let first = index(rest.first()?);
        let (found, component) = value.next_written(first..first + rest.len() as u32)?;
        return Some((from + (found - first) as usize, component));
    }
    rest.iter().zip(from..).find_map(|(one, at)| Some((at, value.written(index(one))?)))
}

impl<'v> Writer<'v, '_> {
    /// Begins the start tag of an element. Returns where its name is.
    fn begin(&mut self, name: Name, form: FormId) -> Range<usize> {
        self.begin_marked(form);
        self.out.push(b'<');
        let start = self.out.len();
        self.name(name, true);
        start..self.out.len()
    }

    /// The end of an element, whose start tag ends at a place: its end tag, or none if there is nothing in it.
    fn end_or_empty(&mut self, name: Range<usize>, tag_end: usize) {
        if self.out.len() > tag_end + 1 {
            return self.end(name);
        }
        self.out.truncate(tag_end);
        self.out.extend_from_slice(b"/>");
    }

    /// The end tag of an element whose name is at a place.
    fn end(&mut self, name: Range<usize>) {
        self.out.extend_from_slice(b"</");
        self.out.extend_from_within(name);
        self.out.push(b'>');
    }

    fn name(&mut self, name: Name, is_element: bool) {
        let names = &self.types.schema().names;
        let namespace = names.namespace(name);
        match is_element {
            true => self.prefixes.push_element(names, namespace, self.out),
            false => self.prefixes.push_attribute(names, namespace, self.out),
        }
        self.out.extend_from_slice(names.local(name).as_bytes());
    }

    /// Writes the next part. Returns whether there was one.
    fn step(&mut self) -> Result<bool, Error> {
        let types = self.types;
        let (particle, value) = match self.tasks.last_mut() {
            Some(Task::Row(row, value, next)) => {
                let found = types.forms.row(*row).and_then(|of| {
                    let (at, component) = next_written(*value, &of.slots, *next, of.is_dense, |one| one.place.index)?;
                    *next = at + 1;
                    Some((of.slots.get(at)?.particle, component))
                });
                let Some(found) = found else { return Ok(self.tasks.pop().is_some()) };
                found
            }
            Some(Task::List(item, value, next)) => {
                let Some(one) = value.item(*next) else { return Ok(self.tasks.pop().is_some()) };
                *next += 1;
                (*item, one)
            }
            Some(Task::Order(form, value, order, next)) => {
                let of = types.forms.row(SequenceRef::Content(*form));
                let Some((of, item)) = of.zip(order.item(*next)) else { return Ok(self.tasks.pop().is_some()) };
                *next += 1;
                let slot = item.as_item().and_then(|item| of.slots.get(item as usize));
                let found = slot.and_then(|slot| Some((slot.particle, value.member(slot.place.index)?)));
                found.ok_or_else(|| unknown("an order that names a missing element"))?
            }
            _ => return self.end_task(),
        };
        self.particle(particle, value).map(|()| true)
    }

    /// Ends an element.
    fn end_task(&mut self) -> Result<bool, Error> {
        match self.tasks.pop() {
            Some(Task::Marks(form, start)) => self.end_marked(form, start),
            Some(Task::End(name, tag_end)) => {
                // Simple items have no elements, so this is their array's.
                self.item = None;
                self.end_or_empty(name, tag_end);
                if let Some(Some((list, next))) = self.mixed.pop()
                    && next < list.len()
                {
                    return Err(unknown("more texts than positions between elements"));
                }
                self.embedded()?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Writes a particle, or leaves what is in it for later.
    fn particle(&mut self, particle: ParticleId, value: Value<'v>) -> Result<(), Error> {
        let (mut particle, mut value) = (particle, value);
        loop {
            match &self.types.forms.particle(particle).term {
                Term::Element(name, form) => {
                    let name = self.begin(*name, *form);
                    return self.element(name, *form, value);
                }
                Term::Any(_) => {
                    let text = value.as_str().unwrap_or_default();
                    let bare = wild::element(text)?.filter(|_| self.prefixes.has_default());
                    let (name, rest) = text.split_at_checked(bare.unwrap_or_default()).unwrap_or(("", text));
                    self.out.extend_from_slice(name.as_bytes());
                    if bare.is_some() {
                        self.out.extend_from_slice(b" xmlns=\"\"");
                    }
                    self.out.extend_from_slice(rest.as_bytes());
                    return self.embedded();
                }
                Term::Words(words) => {
                    let item = value.as_item().filter(|_| value.unknown().is_none());
                    let number = value.as_bool().map(u32::from).or(item);
                    let Some((name, _)) = number.and_then(|number| words.get(number as usize)) else {
                        return Err(unknown("an enumeration of a later version of the schema"));
                    };
                    self.out.push(b'<');
                    self.name(*name, true);
                    self.out.extend_from_slice(b"/>");
                    return self.embedded();
                }
                Term::Sequence(_) => {
                    self.tasks.push(Task::Row(SequenceRef::Group(particle), value, 0));
                    return Ok(());
                }
                Term::Choice(choice) if choice.is_open => match alternative(choice, value) {
                    Some(found) => particle = found,
                    None => return Err(unknown("a value of a type whose name another type of its table has")),
                },
                Term::Choice(choice) => {
                    let chosen = value.chosen_place();
                    let found = chosen.and_then(|(index, chosen)| {
                        // Most have all alternatives.
                        let is_it = |(place, _): &&(FieldRef, ParticleId)| place.index == index;
                        let likely = choice.alternatives.get(index as usize).filter(is_it);
                        let (_, particle) = likely.or_else(|| choice.alternatives.iter().find(is_it))?;
                        Some((*particle, chosen))
                    });
                    match found {
                        Some(found) => (particle, value) = found,
                        None => return Err(unknown("an alternative of a later version of the schema")),
                    }
                }
                Term::List(list) => {
                    self.tasks.push(Task::List(list.item, value, 0));
                    return Ok(());
                }
            }
        }
    }

    /// Writes the rest of an element after its name, or queues its content.
    fn element(&mut self, name: Range<usize>, form: FormId, value: Value<'v>) -> Result<(), Error> {
        let (mut form, mut value) = (form, value);
        let types = self.types;
        if let Form::Derived(alternatives) = types.forms.form(form) {
            let found = value.chosen_place().and_then(|(index, chosen)| Some((alternatives.of_index(index)?, chosen)));
            let Some((Alternative { ty, of, .. }, chosen)) = found else {
                return Err(unknown("an alternative of a later version of the schema"));
            };
            if Some(*ty) != alternatives.declared {
                self.attribute_name(NamespaceId::XSI, "type");
                let names = &types.schema().names;
                self.prefixes.push_element(names, names.namespace(*ty), self.out);
                self.out.extend_from_slice(names.local(*ty).as_bytes());
                self.out.push(b'"');
            }
            (form, value) = (of.form, chosen);
        }
        if let Some(item) = self.item {
            self.simple_type(item);
        }
        match types.forms.form(form) {
            Form::Simple(simple) => self.characters(name, *simple, value),
            Form::Named(simple) => self.named_bits(name, *simple, value),
            Form::Element(element) => self.record(name, form, element, value),
            Form::Group(particle) => {
                self.tasks.push(Task::End(name, self.out.len()));
                self.mixed.push(None);
                self.out.push(b'>');
                self.particle(*particle, value)
            }
            Form::Content(Contained { particle, form, .. }) => match (particle, value.contained()) {
                (Some(particle), Some(value)) => {
                    self.tasks.push(Task::End(name, self.out.len()));
                    self.mixed.push(None);
                    self.out.push(b'>');
                    self.particle(*particle, value)
                }
                _ => self.characters(name, *form, value),
            },
            // The particle writes words.
            Form::Nothing | Form::Word(_) => {
                self.out.extend_from_slice(b"/>");
                self.embedded()
            }
            Form::Derived(..) => Err(unknown("alternatives within alternatives")),
        }
    }

    /// The characters of an element, and its end.
    fn characters(&mut self, name: Range<usize>, form: SimpleForm, value: Value<'v>) -> Result<(), Error> {
        if let (Some(least), Simple::Octets(true)) = (self.least, self.types.forms.simple(form))
            && let Some(octets) = value.as_octets().filter(|octets| octets.len() >= least)
        {
            self.parts.push(octets);
            let (namespace, id) = (xop::NAMESPACE, content_id(self.parts.len()));
            let include = format!("><xop:Include xmlns:xop=\"{namespace}\" href=\"cid:{id}\"/>");
            self.out.extend_from_slice(include.as_bytes());
            self.end(name);
            return self.embedded();
        }
        let tag_end = self.out.len();
        self.out.push(b'>');
        self.text(form, value, Context::Content)?;
        self.end_or_empty(name, tag_end);
        self.embedded()
    }

    /// Names of bits as empty elements if all bits that are set have one, otherwise characters.
    fn named_bits(&mut self, name: Range<usize>, form: SimpleForm, value: Value<'v>) -> Result<(), Error> {
        let names = match (self.types.forms.simple(form), value.as_bits()) {
            (Simple::Bits(Some(named)), Some((octets, _))) => lexical::names_of(named, octets),
            _ => None,
        };
        let Some(names) = names.filter(|names| !names.is_empty()) else { return self.characters(name, form, value) };
        self.out.push(b'>');
        self.out.extend(names.iter().flat_map(|name| [b"<", name.as_bytes(), b"/>"].concat()));
        self.end(name);
        self.embedded()
    }

    /// The characters of a value.
    fn text(&mut self, form: SimpleForm, value: Value<'_>, context: Context) -> Result<(), Error> {
        if let Simple::Text(_) = self.types.forms.simple(form) {
            if !escape::push_plain(self.out, value.as_text_octets().unwrap_or_default(), context) {
                escape::push(self.out, value.as_str().unwrap_or_default(), context);
            }
            return Ok(());
        }
        self.text.clear();
        lexical::push(&self.types.forms, form, value, &mut self.prefixes, &mut self.text)?;
        escape::push(self.out, &self.text, context);
        Ok(())
    }

    fn record(
        &mut self,
        name: Range<usize>,
        form: FormId,
        element: &'v Element,
        value: Value<'v>,
    ) -> Result<(), Error> {
        let array = element.ty.and_then(|ty| self.types.schema().array_item(ty));
        if array.is_none() {
            self.struct_type(element);
            self.attributes(element, value)?;
        }
        let rare = element.rare();
        let content = match rare.nil {
            Some(place) => value.member(place.index),
            None => Some(value),
        };
        let Some(content) = content else {
            self.attribute_name(NamespaceId::XSI, "nil");
            self.out.extend_from_slice(b"true\"/>");
            return self.embedded();
        };
        if let Some(item) = array {
            self.array_type(form, item, value, content);
            self.item = match item {
                TypeId::Simple(item) => Some(item),
                TypeId::Complex(_) => None,
            };
        }
        if let Content::Characters(place, simple) = &element.content {
            let characters = if rare.nil.is_some() { Some(content) } else { value.member(place.index) };
            return match characters {
                Some(characters) => self.characters(name, *simple, characters),
                None => {
                    self.out.extend_from_slice(b"/>");
                    self.embedded()
                }
            };
        }
        let embedded = rare.embedded.and_then(|(place, _)| value.member(place.index));
        let tag_end = self.out.len();
        self.out.push(b'>');
        self.mixed.push(embedded.map(|list| (list, 0)));
        self.embedded()?;
        self.tasks.push(Task::End(name, tag_end));
        if let Content::Group(_, particle) = &element.content {
            return self.particle(*particle, content);
        }
        if let Content::Particles(_) = &element.content {
            match rare.order.and_then(|(place, _)| value.member(place.index)) {
                Some(order) => {
                    self.check_order(form, content, order)?;
                    self.tasks.push(Task::Order(form, content, order, 0));
                }
                None => self.tasks.push(Task::Row(SequenceRef::Content(form), content, 0)),
            }
        }
        Ok(())
    }

    fn attributes(&mut self, element: &Element, value: Value<'v>) -> Result<(), Error> {
        let schema = self.types.schema();
        let (all, are_dense, mut next) = (&element.attributes, element.has_dense_attributes, 0);
        while let Some((at, one)) = next_written(value, all, next, are_dense, |one| one.place.index) {
            let attribute = &all[at];
            self.out.push(b' ');
            self.name(attribute.name, false);
            self.out.extend_from_slice(b"=\"");
            self.text(attribute.form, one, Context::Attribute)?;
            self.out.push(b'"');
            next = at + 1;
        }
        let Some(others) = element.rare().any_attributes.and_then(|(place, _)| value.member(place.index)) else {
            return Ok(());
        };
        let mut seen: std::collections::HashSet<(&str, &str)> = std::collections::HashSet::new();
        for one in others.items() {
            let text = one.as_str().unwrap_or_default();
            let (uri, local) = wild::check_attribute(text, &mut self.text)?;
            let is_declared = schema.names.find(uri, local).is_some_and(|name| element.attribute(name).is_some());
            if is_declared || !seen.insert((uri, local)) {
                return Err(unknown("an attribute a second time"));
            }
            self.out.push(b' ');
            self.prefix(uri);
            self.out.extend_from_slice(local.as_bytes());
            self.out.extend_from_slice(b"=\"");
            escape::push(self.out, &self.text, Context::Attribute);
            self.out.push(b'"');
        }
        Ok(())
    }

    /// The `xsi:type` of a simple item of an array in SOAP's encoding.
    fn simple_type(&mut self, ty: SimpleId) {
        let (uri, local) = self.type_name(TypeId::Simple(ty));
        self.attribute_name(NamespaceId::XSI, "type");
        self.prefix(uri);
        self.out.extend_from_slice(local.as_bytes());
        self.out.push(b'"');
    }

    /// Namespace and local name of a type, or of the built-in one nearest to it.
    fn type_name(&self, ty: TypeId) -> (&'v str, &'v str) {
        let schema = self.types.schema();
        match (schema.type_name(ty), ty) {
            (Some(name), _) => (schema.names.uri(schema.names.namespace(name)), schema.names.local(name)),
            (None, TypeId::Simple(id)) => (XSD_NAMESPACE, schema.simple_types[id].lexical.name()),
            (None, TypeId::Complex(_)) => (XSD_NAMESPACE, "anyType"),
        }
    }

    /// The `xsi:type` of a struct in SOAP's encoding, which clients need that know no more of an array than that it is one.
    fn struct_type(&mut self, element: &Element) {
        let schema = self.types.schema();
        let Some(TypeId::Complex(ty)) = element.ty else { return };
        let ty = &schema.complex_types[ty];
        let (Some(name), Some(Encoded::Struct)) = (ty.name, ty.encoded) else { return };
        let uri = schema.names.uri(schema.names.namespace(name));
        self.attribute_name(NamespaceId::XSI, "type");
        self.prefix(uri);
        self.out.extend_from_slice(schema.names.local(name).as_bytes());
        self.out.push(b'"');
    }

    /// The attribute of an array in SOAP's encoding: the type of its items, and how many there are.
    fn array_type(&mut self, form: FormId, mut item: TypeId, value: Value<'v>, content: Value<'v>) {
        let schema = self.types.schema();
        let Some(encoding) = schema.names.find_uri(ENCODING_NAMESPACE) else { return };
        let mut ranks = String::new();
        while let Some(inner) = schema.array_item(item).filter(|_| schema.type_name(item).is_none()) {
            ranks.push_str("[]");
            item = inner;
        }
        let (uri, local) = self.type_name(item);
        let dimensions = value.get("dimensions").into_iter().flat_map(Value::items);
        let mut sizes: Vec<String> = dimensions.filter_map(|size| Some(size.as_i64()?.to_string())).collect();
        if sizes.is_empty() {
            let slot = self.types.forms.row(SequenceRef::Content(form)).and_then(|sequence| sequence.slots.first());
            sizes.push(slot.and_then(|slot| content.member(slot.place.index)).map_or(0, Value::len).to_string());
        }
        self.attribute_name(encoding, "arrayType");
        self.prefix(uri);
        self.out.extend_from_slice(format!("{local}{ranks}[{}]\"", sizes.join(",")).as_bytes());
    }

    /// The prefix of a name in a value, with its colon, if the name is in a namespace.
    fn prefix(&mut self, uri: &str) {
        if !uri.is_empty() {
            self.out.extend_from_slice(self.prefixes.of_value(uri).as_bytes());
            self.out.push(b':');
        }
    }

    fn attribute_name(&mut self, namespace: NamespaceId, local: &str) {
        self.out.push(b' ');
        self.prefixes.push_attribute(&self.types.schema().names, namespace, self.out);
        self.out.extend_from_slice(local.as_bytes());
        self.out.extend_from_slice(b"=\"");
    }

    /// Writes the characters after a tag in mixed content.
    fn embedded(&mut self) -> Result<(), Error> {
        self.ended_at = self.out.len();
        if let Some(Some((list, next))) = self.mixed.last_mut() {
            let Some(one) = list.item(*next) else {
                return Err(unknown("fewer texts than positions between elements"));
            };
            *next += 1;
            escape::push(self.out, one.as_str().unwrap_or_default(), Context::Content);
        }
        Ok(())
    }

    /// Checks that the order of an all-group lists each element once.
    fn check_order(&self, form: FormId, value: Value<'v>, order: Value<'v>) -> Result<(), Error> {
        let Some(sequence) = self.types.forms.row(SequenceRef::Content(form)) else { return Ok(()) };
        let mut left: Vec<bool> = sequence.slots.iter().map(|slot| value.member(slot.place.index).is_some()).collect();
        for item in order.items() {
            match item.as_item().and_then(|item| left.get_mut(item as usize)) {
                Some(left) if *left => *left = false,
                _ => return Err(unknown("an order that names a missing or duplicate element")),
            }
        }
        if left.contains(&true) {
            return Err(unknown("an order that leaves out an element"));
        }
        Ok(())
    }
}
