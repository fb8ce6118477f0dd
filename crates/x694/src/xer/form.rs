//! The forms that values of types have in XML.

use std::collections::HashMap;

use asn1::NodeId;
use asn1::compiled::Number;
use xsd::{Name, TypeId};

use super::instructions::{Allowed, Resolved, White};
use super::leaves::Leaves;

/// The form of an element: an index in `Forms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FormId(pub(super) u32);

/// A particle of content: an index in `Forms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParticleId(pub(super) u32);

/// The form of character data: an index in `Forms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SimpleForm(pub(super) u32);

/// A form, and the type of its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedForm {
    pub(super) form: FormId,
    pub(super) node: NodeId,
}

/// A component: its place in its record, and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldRef {
    pub(super) index: u32,
    pub(super) node: NodeId,
}

/// Whether components follow each other in their record.
pub(super) fn are_dense(mut places: impl Iterator<Item = FieldRef>) -> bool {
    let first = places.next().map_or(0, |place| place.index);
    (first + 1..).zip(places).all(|(index, place)| place.index == index)
}

/// The form of an element.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Simple(SimpleForm),
    /// Characters, or empty elements that are names of bits or numbers.
    Named(SimpleForm),
    Element(Element),
    /// A CHOICE, SEQUENCE OF or SET OF that is written with tags: the particle of its content.
    Group(ParticleId),
    /// A string that may contain a value.
    Content(Contained),
    /// NULL.
    Nothing,
    /// The name of a BOOLEAN (1 for true) or of an item of an ENUMERATED.
    Word(u32),
    /// `USE-TYPE`.
    Derived(Alternatives),
}

/// A string that may contain a value: an element in place of its characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contained {
    /// The particle of the element, and the place of the string beside it; `None` if the value in the string is not read.
    pub(super) particle: Option<ParticleId>,
    pub(super) place: Option<FieldRef>,
    /// The form of the string.
    pub(super) form: SimpleForm,
}

/// An alternative for each type that `xsi:type` may name.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternatives {
    /// Sorted by their names.
    by_name: Vec<Alternative>,
    /// For the index of each alternative, its place in `by_name`.
    places: Vec<u32>,
    /// The type that needs no `xsi:type`.
    pub(super) declared: Option<Name>,
}

impl Alternatives {
    pub(super) fn new(mut by_name: Vec<Alternative>, declared: Option<Name>) -> Alternatives {
        by_name.sort_by_key(|one| one.ty);
        let mut places: Vec<u32> = (0..by_name.len() as u32).collect();
        places.sort_by_key(|place| by_name[*place as usize].index);
        Alternatives { by_name, places, declared }
    }

    pub(super) fn of_type(&self, ty: Name) -> Option<&Alternative> {
        let place = self.by_name.binary_search_by_key(&ty, |one| one.ty).ok()?;
        self.by_name.get(place)
    }

    pub(super) fn of_index(&self, index: u32) -> Option<&Alternative> {
        self.by_name.get(*self.places.get(index as usize)? as usize)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Alternative> {
        self.by_name.iter()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Alternative {
    pub(super) ty: Name,
    pub(super) index: u32,
    pub(super) of: TypedForm,
}

/// A SEQUENCE or SET that is written with tags.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) content: Content,
    /// What few elements have. It is boxed to keep the other forms small.
    pub(super) rare: Option<Box<Rare>>,
    /// In the order of their components.
    pub(super) attributes: Vec<Attribute>,
    /// Whether these components follow each other in the record.
    pub(super) has_dense_attributes: bool,
    /// The name and index of each attribute, sorted by name.
    pub(super) attribute_names: Vec<(Name, u32)>,
    /// The type that the leaves of its content belong to.
    pub(super) ty: Option<TypeId>,
}

/// Components that few elements have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rare {
    /// `EMBED-VALUES`: the component, and the type of its items.
    pub(super) embedded: Option<(FieldRef, NodeId)>,
    /// `USE-ORDER`: the component, and the type of its items.
    pub(super) order: Option<(FieldRef, NodeId)>,
    /// The component of `ANY-ATTRIBUTES`, and the type of its items.
    pub(super) any_attributes: Option<(FieldRef, NodeId)>,
    /// `USE-NIL`: the component `content`.
    pub(super) nil: Option<FieldRef>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    pub(super) name: Name,
    pub(super) place: FieldRef,
    pub(super) form: SimpleForm,
}

impl Element {
    /// The components that few elements have.
    #[inline]
    pub(super) fn rare(&self) -> Rare {
        self.rare.as_deref().copied().unwrap_or_default()
    }

    /// The attribute of a name.
    pub(super) fn attribute(&self, name: Name) -> Option<&Attribute> {
        let found = self.attribute_names.binary_search_by_key(&name, |(name, _)| *name).ok()?;
        self.attributes.get(self.attribute_names[found].1 as usize)
    }
}

/// The content of an element.
#[derive(Clone, Debug, Default)]
pub(super) enum Content {
    #[default]
    Nothing,
    /// A component of characters. With `USE-NIL` it is `content` itself.
    Characters(FieldRef, SimpleForm),
    /// Components of the record, or of `content`.
    Particles(Sequence),
    /// With `USE-NIL` a `content` that is no SEQUENCE.
    Group(FieldRef, ParticleId),
}

/// A particle of content.
#[derive(Clone, Debug)]
pub(super) struct Particle {
    pub(super) term: Term,
    /// The names of elements that it can begin with, sorted.
    pub(super) first: Vec<Name>,
    /// Whether it can begin with an element of `ANY-ELEMENT`.
    pub(super) wild: bool,
    /// Whether it may be present without an element.
    pub(super) empty: bool,
    /// How deep its particles are nested, itself included.
    pub(super) depth: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Term {
    /// An element.
    Element(Name, FormId),
    /// The text of an element.
    Any(Allowed),
    /// The names of a BOOLEAN or an ENUMERATED, as empty elements, by their numbers.
    Words(Vec<(Name, FormId)>),
    /// `UNTAGGED SEQUENCE`.
    Sequence(Sequence),
    /// `UNTAGGED CHOICE`.
    Choice(Choice),
    /// `UNTAGGED SEQUENCE OF`.
    List(List),
}

/// A list.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    /// The particle and the type of its items.
    pub(super) item: ParticleId,
    pub(super) node: NodeId,
    /// The form of the items, if these are elements.
    pub(super) element: Option<FormId>,
    /// The least and the greatest number of items.
    pub(super) least: u64,
    pub(super) most: u64,
}

/// Components that come one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub(super) slots: Vec<Slot>,
    /// Whether the components of the slots follow each other in the record.
    pub(super) is_dense: bool,
    /// Mandatory lists, which are empty without an element.
    pub(super) lists: Vec<FieldRef>,
    /// The slots of other groups that need a value even without an element, in order.
    pub(super) groups: Vec<u32>,
    pub(super) table: Table,
    pub(super) leaves: Leaves,
    /// Whether the components come in any order: a SET, or a struct of SOAP's encoding.
    pub(super) is_unordered: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) place: FieldRef,
    pub(super) particle: ParticleId,
    pub(super) kind: SlotKind,
    pub(super) optional: bool,
    /// From this slot on, all slots before this one can be without an element.
    pub(super) since: u32,
}

/// The kind of a component's particle, which saves a look at the particle.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlotKind {
    /// An element.
    Element(FormId),
    Other,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub(super) alternatives: Vec<(FieldRef, ParticleId)>,
    pub(super) table: Table,
    /// The first alternative that may be without an element.
    pub(super) empty: Option<u32>,
    /// Whether it is an open type or a string. A value of it is the value in it.
    pub(super) is_open: bool,
}

/// Which of several particles an element can begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Sorted by names, then by places.
    pub(super) by_name: Vec<(Name, u32)>,
    pub(super) wild: Vec<u32>,
}

impl Table {
    /// The places of a name, in order.
    pub(super) fn places(&self, name: Name) -> impl Iterator<Item = u32> {
        let from = self.by_name.partition_point(|(one, _)| *one < name);
        self.by_name[from..].iter().take_while(move |(one, _)| *one == name).map(|(_, place)| *place)
    }
}

/// A form of character data.
#[derive(Clone, Debug)]
pub(super) enum Simple {
    Boolean,
    Integer,
    Enumerated(Items),
    Real(Real),
    /// In base64 if true, otherwise in hexadecimal.
    Octets(bool),
    Text(Option<White>),
    /// A text of ISO 8601.
    Time,
    /// Items with spaces between them: their form and type.
    List(SimpleForm, NodeId),
    /// Alternatives of a CHOICE.
    Union(Vec<(FieldRef, SimpleForm)>),
    /// `uri` and `name`.
    QName(FieldRef, FieldRef),
    /// The digits of a BIT STRING, or the names of its bits.
    Bits(Option<Box<Named>>),
    /// The digits of an INTEGER, or a name of its numbers.
    Number(Box<Named>),
    /// The octets of an open type whose type is not known.
    Undecoded,
    /// The arcs of an OBJECT IDENTIFIER or RELATIVE-OID, with points between them.
    Arcs,
}

/// The numbers of a REAL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Real {
    Decimal,
    Double,
    /// A double that is neither infinite nor NaN: without `MODIFIED-ENCODINGS`.
    Finite,
    /// With 24 bits of mantissa.
    Float,
}

/// Named numbers, or named bits.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    /// In the order of the notation.
    pub(super) numbers: Vec<(Box<str>, Number)>,
    pub(super) by_text: HashMap<Box<str>, usize, foldhash::fast::RandomState>,
    /// Whether the names are written, and not digits.
    pub(super) is_written: bool,
}

impl Named {
    /// The number with a name.
    pub(super) fn number(&self, name: &str) -> Option<&Number> {
        self.numbers.get(*self.by_text.get(name)?).map(|(_, number)| number)
    }
}

/// The items of an ENUMERATED, or the words of a BOOLEAN.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    pub(super) texts: Vec<Box<str>>,
    pub(super) by_text: HashMap<Box<str>, u32, foldhash::fast::RandomState>,
    /// Whether they are numbers.
    pub(super) numbers: bool,
}

impl Items {
    pub(super) fn of(texts: Vec<Box<str>>) -> Items {
        let by_text = texts.iter().cloned().zip(0..).collect();
        Items { texts, by_text, numbers: false }
    }

    /// Those with names, for which a type may have other texts.
    pub(super) fn named<'n>(of: &Resolved<'_>, names: impl Iterator<Item = &'n str>) -> Items {
        let texts = of.texts();
        Items::of(names.map(|name| texts.get(name).map_or(name, |text| text).into()).collect())
    }
}
