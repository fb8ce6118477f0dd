//! A schema, which has all components (Part 1 section 3.15).

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::{
    Arena, Attribute, AttributeGroup, AttributeGroupId, AttributeId, ComplexId, ComplexType, DocumentId, Element,
    ElementId, Encoded, GroupId, Identity, IdentityId, ModelGroup, NamedGroup, NamedGroupId, Notation, NotationId,
    Outline, Particle, ParticleId, SimpleId, SimpleType, TypeId, UseOutline, Wildcard, WildcardId,
};
use crate::content::Model;
use crate::{Name, Names, NamespaceId};

/// A schema document that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// Where it was read from: its name in the [`Source`](crate::Source).
    pub location: String,
    /// The namespace of its components. A document without its own namespace takes that of the document that includes it.
    pub target: NamespaceId,
    /// The prefixes that its root element declares, with their namespaces, in order.
    pub prefixes: Vec<(String, NamespaceId)>,
}

/// A component that is a child of `xs:schema` or `xs:redefine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Global {
    /// An element declaration.
    Element(ElementId),
    /// An attribute declaration.
    Attribute(AttributeId),
    /// A type definition.
    Type(TypeId),
    /// A model group definition.
    Group(NamedGroupId),
    /// An attribute group definition.
    AttributeGroup(AttributeGroupId),
    /// A notation declaration.
    Notation(NotationId),
}

/// Components by their names.
pub(crate) type ByName<T> = HashMap<Name, T, RandomState>;

/// All components of a set of schema documents.
///
/// Components are kept in arenas and refer to each other by number:
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_xsd::{Memory, Options, Schema, TypeId};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let source = Memory::new().with(
///     "order.xsd",
///     r#"<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
///          <xs:element name="quantity" type="xs:unsignedByte"/>
///        </xs:schema>"#,
/// );
/// let schema = Schema::read_from(source, "order.xsd", &Options::default())?;
/// let quantity = schema.find_element("", "quantity").unwrap();
/// let TypeId::Simple(ty) = schema.elements[quantity].ty else { panic!() };
/// let facets = &schema.simple_types[ty].facets;
/// assert_eq!(facets.max.as_ref().unwrap().value.text, "255");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// All names of the documents.
    pub names: Names,
    /// The schema documents, beginning with the one that was asked for.
    pub documents: Arena<DocumentId, Document>,
    /// Element declarations, global ones and those within types and groups.
    pub elements: Arena<ElementId, Element>,
    /// Attribute declarations.
    pub attributes: Arena<AttributeId, Attribute>,
    /// Complex types; the first is `xs:anyType`.
    pub complex_types: Arena<ComplexId, ComplexType>,
    /// Simple types; the first are the built-in ones, in the order of
    /// [`Builtin::ALL`](super::Builtin::ALL).
    pub simple_types: Arena<SimpleId, SimpleType>,
    /// Model groups.
    pub groups: Arena<GroupId, ModelGroup>,
    /// Model group definitions.
    pub named_groups: Arena<NamedGroupId, NamedGroup>,
    /// Particles.
    pub particles: Arena<ParticleId, Particle>,
    /// Wildcards.
    pub wildcards: Arena<WildcardId, Wildcard>,
    /// Attribute group definitions.
    pub attribute_groups: Arena<AttributeGroupId, AttributeGroup>,
    /// Identity-constraint definitions.
    pub identities: Arena<IdentityId, Identity>,
    /// Notation declarations.
    pub notations: Arena<NotationId, Notation>,
    /// The global components in the order in which the documents were read. Components replaced by an `xs:redefine` are
    /// not included.
    pub globals: Vec<Global>,
    pub(crate) element_names: ByName<ElementId>,
    pub(crate) attribute_names: ByName<AttributeId>,
    pub(crate) type_names: ByName<TypeId>,
    pub(crate) group_names: ByName<NamedGroupId>,
    pub(crate) attribute_group_names: ByName<AttributeGroupId>,
    pub(crate) notation_names: ByName<NotationId>,
    pub(crate) identity_names: ByName<IdentityId>,
    /// Pairs of the head of a substitution group and a member that may substitute it.
    pub(crate) substitutions: HashSet<(ElementId, ElementId), RandomState>,
    pub(crate) has_substitution: bool,
    /// The compiled content of each complex type.
    pub(crate) models: Vec<Model>,
    /// For each complex type, the outlines of its attribute uses, sorted by name.
    pub(crate) uses: Vec<Vec<UseOutline>>,
    /// For each complex type, the indices of the required attributes.
    pub(crate) required: Vec<Vec<u32>>,
    /// For each complex type, the indices of the attributes with a default.
    pub(crate) supplied: Vec<Vec<u32>>,
    /// The outlines of all element declarations.
    pub(crate) outlines: Vec<Outline>,
    /// For each simple type, whether any text is a value of it.
    pub(crate) any_text: Vec<bool>,
}

impl Schema {
    /// `xs:anyType`, the root of all types.
    pub const ANY_TYPE: ComplexId = ComplexId(0);

    /// The global element declaration with an expanded name. An empty namespace means no namespace.
    #[must_use]
    pub fn find_element(&self, namespace: &str, local: &str) -> Option<ElementId> {
        self.element_names.get(&self.names.find(namespace, local)?).copied()
    }

    /// The global attribute declaration with an expanded name.
    #[must_use]
    pub fn find_attribute(&self, namespace: &str, local: &str) -> Option<AttributeId> {
        self.attribute_names.get(&self.names.find(namespace, local)?).copied()
    }

    /// The type definition with an expanded name.
    #[must_use]
    pub fn find_type(&self, namespace: &str, local: &str) -> Option<TypeId> {
        self.type_names.get(&self.names.find(namespace, local)?).copied()
    }

    /// The model group definition with an expanded name.
    #[must_use]
    pub fn find_group(&self, namespace: &str, local: &str) -> Option<NamedGroupId> {
        self.group_names.get(&self.names.find(namespace, local)?).copied()
    }

    /// The attribute group definition with an expanded name.
    #[must_use]
    pub fn find_attribute_group(&self, namespace: &str, local: &str) -> Option<AttributeGroupId> {
        self.attribute_group_names.get(&self.names.find(namespace, local)?).copied()
    }

    /// The global element declaration with a name.
    #[must_use]
    #[inline]
    pub fn element_of_name(&self, name: Name) -> Option<ElementId> {
        self.element_names.get(&name).copied()
    }

    /// The type definition with a name.
    #[must_use]
    pub fn type_of_name(&self, name: Name) -> Option<TypeId> {
        self.type_names.get(&name).copied()
    }

    /// Whether one element may substitute another in instances, its head or the head of that.
    #[must_use]
    pub fn may_substitute(&self, head: ElementId, member: ElementId) -> bool {
        self.substitutions.contains(&(head, member))
    }

    /// The compiled content of a complex type.
    #[must_use]
    pub fn model(&self, ty: ComplexId) -> &Model {
        &self.models[ty.0 as usize]
    }

    /// Which of the attribute uses of a complex type one of a name is.
    #[must_use]
    pub fn attribute_place(&self, ty: ComplexId, name: Name) -> Option<u32> {
        self.attribute_use(ty, name).map(|one| one.place)
    }

    /// Whether values of a type are IDREFs, one or several.
    #[doc(hidden)]
    #[must_use]
    pub fn refers(&self, ty: SimpleId) -> bool {
        use super::{Builtin, Variety};
        let of = |id: SimpleId| self.simple_types[id].lexical == Builtin::IdRef;
        of(ty) || matches!(self.simple_types[ty].variety, Variety::List(item) if of(item))
    }

    /// Whether a text is a value of a type whatever else is in the instance: IDs, references to them and prefixes are not.
    #[doc(hidden)]
    #[must_use]
    pub fn is_by_itself(&self, ty: SimpleId) -> bool {
        use super::{Builtin, Variety};
        let SimpleType { lexical, variety, .. } = &self.simple_types[ty];
        let is_plain = |of: Builtin| {
            !matches!(
                of,
                Builtin::QName
                    | Builtin::Notation
                    | Builtin::Id
                    | Builtin::IdRef
                    | Builtin::IdRefs
                    | Builtin::Entity
                    | Builtin::Entities
            )
        };
        is_plain(*lexical)
            && match variety {
                Variety::Any => true,
                Variety::Atomic(primitive) => is_plain(*primitive),
                // The members of a union are not looked at, which may be nested deep.
                Variety::List(item) => {
                    matches!(self.simple_types[*item].variety, Variety::Atomic(of) if is_plain(of))
                        && is_plain(self.simple_types[*item].lexical)
                }
                Variety::Union(_) => false,
            }
    }

    /// The type of the items of an array of SOAP's encoding; `None` if a type is not one.
    #[must_use]
    pub fn array_item(&self, ty: TypeId) -> Option<TypeId> {
        let TypeId::Complex(id) = ty else { return None };
        if self.complex_types[id].encoded != Some(Encoded::Array) {
            return None;
        }
        let model = self.model(id);
        let item = model.nodes().nth(1).and_then(|node| model.element(node))?;
        Some(self.elements[item].ty)
    }

    /// The name of a type, `None` if it is anonymous.
    #[must_use]
    pub fn type_name(&self, ty: TypeId) -> Option<Name> {
        match ty {
            TypeId::Simple(id) => self.simple_types[id].name,
            TypeId::Complex(id) => self.complex_types[id].name,
        }
    }

    /// The base of a type. The base of `xs:anySimpleType` is `xs:anyType`, whose base is itself.
    #[must_use]
    pub fn base(&self, ty: TypeId) -> TypeId {
        match ty {
            TypeId::Simple(id) if id == super::Builtin::AnySimpleType.id() => TypeId::Complex(Schema::ANY_TYPE),
            TypeId::Simple(id) => TypeId::Simple(self.simple_types[id].base),
            TypeId::Complex(id) => self.complex_types[id].base,
        }
    }
}
