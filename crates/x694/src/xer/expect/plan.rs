//! How an expected element is read: as its declaration says, without `xsi:type`, `xsi:nil` and wildcards.

use asn1::NodeId;
use xsd::content::Place as ContentPlace;
use xsd::internal::Inside;
use xsd::{ComplexId, ElementId, NamespaceId, SimpleId, TypeId, ValueConstraint};

use super::super::form::{Content as Within, Element, FieldRef, Form, FormId, Rare, TypedForm};
use super::super::types::Types;
use super::literal::Literal;
use super::memory::NONE;
use super::value::Value;

/// Attributes of an element. A bit set marks which are present.
const MOST_ATTRIBUTES: usize = 64;

/// How an element is read.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// For `USE-TYPE`, the alternative of the declared type.
    pub(super) derived: Option<(u32, TypedForm)>,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// Event by event.
    Walk,
    /// Only characters.
    Characters(Value),
    Record(Record),
}

/// An element that may have attributes.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) attributes: Vec<Attribute>,
    /// Bits of the required attributes.
    required: u64,
    /// The attribute that came first the last time, then for each attribute the one that came after it.
    after: Vec<u8>,
    pub(super) content: Content,
    /// The `USE-ORDER` list, which begins with the record.
    pub(super) order: Option<(FieldRef, NodeId)>,
    /// The `ANY-ATTRIBUTES` list, which begins with the record.
    pub(super) any_attributes: Option<(FieldRef, NodeId)>,
    /// The component of its content, if it may be nil.
    pub(super) nil: Option<FieldRef>,
}

#[derive(Clone, Debug)]
pub(super) struct Attribute {
    /// Its name and `=`.
    pub(super) literal: Literal,
    pub(super) place: FieldRef,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Nothing,
    Characters(FieldRef, Value),
    Elements {
        /// Whether each leaf of the content model is one component.
        matched: bool,
        /// The type that has the content model.
        ty: ComplexId,
        /// Its first row in the memory.
        row: u32,
    },
}

impl Plan {
    pub(super) fn new(types: &Types, element: ElementId, form: FormId) -> Plan {
        let outline = types.schema().outline(element);
        let walk = Plan { derived: None, kind: Kind::Walk };
        let default = types.schema().elements[element].value.as_ref();
        if outline.is_abstract || outline.has_identities || matches!(default, Some(ValueConstraint::Fixed(_))) {
            return walk;
        }
        let (derived, form) = match types.forms.form(form) {
            Form::Derived(alternatives) => {
                let name = types.schema().type_name(outline.ty);
                let Some(found) = name.and_then(|name| alternatives.of_type(name)) else { return walk };
                (Some((found.index, found.of)), found.of.form)
            }
            _ => (None, form),
        };
        let kind = match (types.forms.form(form), outline.ty, outline.inside) {
            (Form::Simple(form), _, Inside::Simple(ty)) => Some(Kind::Characters(Value::new(types, *form, ty))),
            (Form::Element(of), TypeId::Complex(ty), inside) => record(types, of, ty, inside).map(Kind::Record),
            (Form::Element(of), TypeId::Simple(_), Inside::Simple(ty)) => nillable(types, of, ty).map(Kind::Record),
            _ => None,
        };
        let mut plan = Plan { derived, kind: kind.unwrap_or(Kind::Walk) };
        if let (Some(_), Some(value)) = (default, plan.value_mut()) {
            value.has_default = true;
        }
        plan
    }
}

impl Plan {
    /// The memory of its attributes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match &self.kind {
            Kind::Record(record) => record.attributes.len() * size_of::<Attribute>() + record.after.len(),
            _ => 0,
        }
    }

    fn value_mut(&mut self) -> Option<&mut Value> {
        match &mut self.kind {
            Kind::Characters(value) | Kind::Record(Record { content: Content::Characters(_, value), .. }) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// Whether the element has only characters, and its type no alternatives.
    pub(super) fn is_plain(&self) -> bool {
        self.derived.is_none() && matches!(self.kind, Kind::Characters(_))
    }

    /// Whether the element has child elements.
    #[inline(always)]
    pub(super) fn has_elements(&self) -> bool {
        matches!(self.kind, Kind::Record(Record { content: Content::Elements { .. }, .. }))
    }

    /// How an attribute of the element is read, or its characters.
    #[inline]
    pub(super) fn value_of(&self, attribute: Option<u8>) -> Option<&Value> {
        match (attribute, &self.kind) {
            (Some(number), Kind::Record(record)) => Some(&record.attributes.get(usize::from(number))?.value),
            _ => self.value(),
        }
    }

    /// How the characters of the element are read, if it has some.
    #[inline(always)]
    pub(super) fn value(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Characters(value) | Kind::Record(Record { content: Content::Characters(_, value), .. }) => {
                Some(value)
            }
            _ => None,
        }
    }
}

/// An element of a simple type that may be nil.
fn nillable(types: &Types, of: &Element, ty: SimpleId) -> Option<Record> {
    let Within::Characters(place, form) = &of.content else { return None };
    Some(Record {
        attributes: Vec::new(),
        required: 0,
        after: vec![0],
        content: Content::Characters(*place, Value::new(types, *form, ty)),
        order: None,
        any_attributes: None,
        nil: None,
    })
}

fn record(types: &Types, of: &Element, ty: ComplexId, inside: Inside) -> Option<Record> {
    let schema = types.schema();
    let Rare { embedded: None, order, any_attributes, nil } = of.rare() else { return None };
    let content = match (&of.content, inside) {
        (Within::Nothing, Inside::Nothing) => Content::Nothing,
        (Within::Characters(place, form), Inside::Simple(simple)) => {
            Content::Characters(*place, Value::new(types, *form, simple))
        }
        (Within::Particles(sequence), Inside::Elements { mixed: false })
            if schema.model(ty).is_countable() && of.ty == Some(TypeId::Complex(ty)) =>
        {
            let matched = !sequence.leaves.is_empty();
            Content::Elements { matched, ty, row: NONE }
        }
        _ => return None,
    };
    let (uses, required, supplied) = schema.uses(ty);
    let declared = &schema.complex_types[ty].attributes;
    if supplied.iter().any(|place| schema.refers(schema.attributes[declared[*place as usize].attribute].ty)) {
        return None;
    }
    let (mut attributes, mut must) = (Vec::new(), 0);
    let mut missing = required.len();
    // Attributes in SOAP's encoding are part of what is expected.
    let uses = if schema.complex_types[ty].encoded.is_some() { &[] } else { uses };
    for one in uses {
        let Some(attribute) = of.attribute(one.name) else { continue };
        let is_fixed = matches!(declared[one.place as usize].value, Some(ValueConstraint::Fixed(_)));
        let prefix = match schema.names.namespace(one.name) {
            NamespaceId::NONE => "",
            NamespaceId::XML => "xml:",
            _ => continue,
        };
        let literal = Literal::new(format!("{prefix}{}=", schema.names.local(one.name)).as_bytes());
        let Some(literal) = literal.filter(|_| !is_fixed && attributes.len() < MOST_ATTRIBUTES) else { continue };
        if required.contains(&one.place) {
            must |= 1 << attributes.len();
            missing -= 1;
        }
        attributes.push(Attribute {
            literal,
            place: attribute.place,
            value: Value::new(types, attribute.form, one.ty),
        });
    }
    let after = vec![0; attributes.len() + 1];
    (missing == 0).then_some(Record { attributes, required: must, after, content, order, any_attributes, nil })
}

impl Record {
    /// The attribute whose name is at a position; `last` is the one before, counted from 1.
    #[inline(always)]
    pub(super) fn find(&mut self, text: &[u8], at: usize, last: usize) -> Option<usize> {
        let is_at = |attribute: &Attribute| attribute.literal.is_at(text, at);
        let likely = usize::from(*self.after.get(last)?);
        if self.attributes.get(likely).is_some_and(is_at) {
            return Some(likely);
        }
        let found = self.attributes.iter().position(is_at)?;
        self.after[last] = found as u8;
        Some(found)
    }

    /// Whether child elements may follow its start tag, which ends at `at`.
    #[inline(always)]
    pub(super) fn opens(&self, text: &[u8], at: usize) -> bool {
        matches!(self.content, Content::Elements { .. }) && text.get(at) == Some(&b'>')
    }

    /// Whether it may be without child elements.
    pub(super) fn may_be_empty(&self, types: &Types) -> bool {
        match self.content {
            Content::Elements { ty, .. } => types.schema().model(ty).accepts(ContentPlace::START, &[]),
            _ => true,
        }
    }

    /// Whether all required attributes are among those present.
    #[inline(always)]
    pub(super) fn is_complete(&self, present: u64) -> bool {
        present & self.required == self.required
    }
}
