//! The grammar of schema documents: which elements and attributes are allowed where (Part 1 appendix A).

use super::vocabulary::{Key, Tag};

/// An element in its context, which determines its children and attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Schema,
    Include,
    Import,
    Redefine,
    Annotation,
    GlobalElement,
    LocalElement,
    AllElement,
    GlobalAttribute,
    LocalAttribute,
    GlobalComplex,
    LocalComplex,
    GlobalSimple,
    LocalSimple,
    GroupDefinition,
    GroupReference,
    AttributeGroupDefinition,
    AttributeGroupReference,
    Group,
    NamedGroup,
    All,
    NamedAll,
    Any,
    AnyAttribute,
    SimpleContent,
    ComplexContent,
    SimpleRestriction,
    ContentRestriction,
    ComplexRestriction,
    ContentExtension,
    ComplexExtension,
    List,
    Union,
    Identity,
    Keyref,
    Path,
    Notation,
    Facet,
    FreeFacet,
}

/// A child: its rank, children of a lower rank come before it; whether it may repeat; its tag and its form.
type Child = (u8, bool, Tag, Form);

const ANNOTATION: &[Child] = &[(0, false, Tag::Annotation, Form::Annotation)];

const SIMPLE_TYPE: &[Child] = &[(1, false, Tag::SimpleType, Form::LocalSimple)];

const FACETS: &[Child] = &[
    (1, false, Tag::SimpleType, Form::LocalSimple),
    (2, true, Tag::Enumeration, Form::FreeFacet),
    (2, true, Tag::Pattern, Form::FreeFacet),
    (2, true, Tag::FractionDigits, Form::Facet),
    (2, true, Tag::Length, Form::Facet),
    (2, true, Tag::MaxExclusive, Form::Facet),
    (2, true, Tag::MaxInclusive, Form::Facet),
    (2, true, Tag::MaxLength, Form::Facet),
    (2, true, Tag::MinExclusive, Form::Facet),
    (2, true, Tag::MinInclusive, Form::Facet),
    (2, true, Tag::MinLength, Form::Facet),
    (2, true, Tag::TotalDigits, Form::Facet),
    (2, true, Tag::WhiteSpace, Form::Facet),
];

const CONTENT: &[Child] =
    &[(1, false, Tag::SimpleContent, Form::SimpleContent), (1, false, Tag::ComplexContent, Form::ComplexContent)];

const GROUP: &[Child] = &[
    (1, false, Tag::Group, Form::GroupReference),
    (1, false, Tag::All, Form::All),
    (1, false, Tag::Choice, Form::Group),
    (1, false, Tag::Sequence, Form::Group),
];

const ATTRIBUTES: &[Child] = &[
    (3, true, Tag::Attribute, Form::LocalAttribute),
    (3, true, Tag::AttributeGroup, Form::AttributeGroupReference),
    (4, false, Tag::AnyAttribute, Form::AnyAttribute),
];

impl Form {
    /// The children that it may have, in lists.
    fn children(self) -> &'static [&'static [Child]] {
        match self {
            Form::Schema => &[&[
                (0, true, Tag::Include, Form::Include),
                (0, true, Tag::Import, Form::Import),
                (0, true, Tag::Redefine, Form::Redefine),
                (0, true, Tag::Annotation, Form::Annotation),
                (1, true, Tag::SimpleType, Form::GlobalSimple),
                (1, true, Tag::ComplexType, Form::GlobalComplex),
                (1, true, Tag::Group, Form::GroupDefinition),
                (1, true, Tag::AttributeGroup, Form::AttributeGroupDefinition),
                (1, true, Tag::Element, Form::GlobalElement),
                (1, true, Tag::Attribute, Form::GlobalAttribute),
                (1, true, Tag::Notation, Form::Notation),
                (1, true, Tag::Annotation, Form::Annotation),
            ]],
            Form::Redefine => &[&[
                (0, true, Tag::Annotation, Form::Annotation),
                (0, true, Tag::SimpleType, Form::GlobalSimple),
                (0, true, Tag::ComplexType, Form::GlobalComplex),
                (0, true, Tag::Group, Form::GroupDefinition),
                (0, true, Tag::AttributeGroup, Form::AttributeGroupDefinition),
            ]],
            Form::GlobalElement | Form::LocalElement | Form::AllElement => &[
                ANNOTATION,
                SIMPLE_TYPE,
                &[
                    (1, false, Tag::ComplexType, Form::LocalComplex),
                    (2, true, Tag::Unique, Form::Identity),
                    (2, true, Tag::Key, Form::Identity),
                    (2, true, Tag::Keyref, Form::Keyref),
                ],
            ],
            Form::GlobalAttribute | Form::LocalAttribute | Form::List => &[ANNOTATION, SIMPLE_TYPE],
            Form::GlobalComplex | Form::LocalComplex => &[ANNOTATION, CONTENT, GROUP, ATTRIBUTES],
            Form::GlobalSimple | Form::LocalSimple => &[
                ANNOTATION,
                &[
                    (1, false, Tag::Restriction, Form::SimpleRestriction),
                    (1, false, Tag::List, Form::List),
                    (1, false, Tag::Union, Form::Union),
                ],
            ],
            Form::GroupDefinition => &[
                ANNOTATION,
                &[
                    (1, false, Tag::All, Form::NamedAll),
                    (1, false, Tag::Choice, Form::NamedGroup),
                    (1, false, Tag::Sequence, Form::NamedGroup),
                ],
            ],
            Form::AttributeGroupDefinition | Form::ContentExtension => &[ANNOTATION, ATTRIBUTES],
            Form::Group | Form::NamedGroup => &[
                ANNOTATION,
                &[
                    (1, true, Tag::Element, Form::LocalElement),
                    (1, true, Tag::Group, Form::GroupReference),
                    (1, true, Tag::Choice, Form::Group),
                    (1, true, Tag::Sequence, Form::Group),
                    (1, true, Tag::Any, Form::Any),
                ],
            ],
            Form::All | Form::NamedAll => &[ANNOTATION, &[(1, true, Tag::Element, Form::AllElement)]],
            Form::SimpleContent => &[
                ANNOTATION,
                &[
                    (1, false, Tag::Restriction, Form::ContentRestriction),
                    (1, false, Tag::Extension, Form::ContentExtension),
                ],
            ],
            Form::ComplexContent => &[
                ANNOTATION,
                &[
                    (1, false, Tag::Restriction, Form::ComplexRestriction),
                    (1, false, Tag::Extension, Form::ComplexExtension),
                ],
            ],
            Form::SimpleRestriction => &[ANNOTATION, FACETS],
            Form::ContentRestriction => &[ANNOTATION, FACETS, ATTRIBUTES],
            Form::ComplexRestriction | Form::ComplexExtension => &[ANNOTATION, GROUP, ATTRIBUTES],
            Form::Union => &[ANNOTATION, &[(1, true, Tag::SimpleType, Form::LocalSimple)]],
            Form::Identity | Form::Keyref => {
                &[ANNOTATION, &[(1, false, Tag::Selector, Form::Path), (2, true, Tag::Field, Form::Path)]]
            }
            Form::Include
            | Form::Import
            | Form::GroupReference
            | Form::AttributeGroupReference
            | Form::Any
            | Form::AnyAttribute
            | Form::Path
            | Form::Notation
            | Form::Facet
            | Form::FreeFacet => &[ANNOTATION],
            Form::Annotation => &[],
        }
    }

    fn attributes(self) -> &'static [Key] {
        use Key as K;
        match self {
            Form::Schema => &[
                K::AttributeFormDefault,
                K::BlockDefault,
                K::ElementFormDefault,
                K::FinalDefault,
                K::TargetNamespace,
                K::Version,
            ],
            Form::Include | Form::Redefine => &[K::SchemaLocation],
            Form::Import => &[K::Namespace, K::SchemaLocation],
            Form::GlobalElement => &[
                K::Abstract,
                K::Block,
                K::Default,
                K::Final,
                K::Fixed,
                K::Name,
                K::Nillable,
                K::SubstitutionGroup,
                K::Type,
            ],
            Form::LocalElement | Form::AllElement => &[
                K::Block,
                K::Default,
                K::Fixed,
                K::Form,
                K::MaxOccurs,
                K::MinOccurs,
                K::Name,
                K::Nillable,
                K::Ref,
                K::Type,
            ],
            Form::GlobalAttribute => &[K::Default, K::Fixed, K::Name, K::Type],
            Form::LocalAttribute => &[K::Default, K::Fixed, K::Form, K::Name, K::Ref, K::Type, K::Use],
            Form::GlobalComplex => &[K::Abstract, K::Block, K::Final, K::Mixed, K::Name],
            Form::LocalComplex | Form::ComplexContent => &[K::Mixed],
            Form::GlobalSimple => &[K::Final, K::Name],
            Form::GroupDefinition | Form::AttributeGroupDefinition => &[K::Name],
            Form::GroupReference => &[K::MaxOccurs, K::MinOccurs, K::Ref],
            Form::AttributeGroupReference => &[K::Ref],
            Form::Group | Form::All => &[K::MaxOccurs, K::MinOccurs],
            Form::Any => &[K::MaxOccurs, K::MinOccurs, K::Namespace, K::ProcessContents],
            Form::AnyAttribute => &[K::Namespace, K::ProcessContents],
            Form::SimpleRestriction
            | Form::ContentRestriction
            | Form::ComplexRestriction
            | Form::ContentExtension
            | Form::ComplexExtension => &[K::Base],
            Form::List => &[K::ItemType],
            Form::Union => &[K::MemberTypes],
            Form::Identity => &[K::Name],
            Form::Keyref => &[K::Name, K::Refer],
            Form::Path => &[K::Xpath],
            Form::Notation => &[K::Name, K::Public, K::System],
            Form::Facet => &[K::Fixed, K::Value],
            Form::FreeFacet => &[K::Value],
            Form::LocalSimple | Form::NamedGroup | Form::NamedAll | Form::SimpleContent | Form::Annotation => &[],
        }
    }

    /// Whether it may have an attribute.
    pub(crate) fn allows(self, key: Key) -> bool {
        key == Key::Id || self.attributes().contains(&key)
    }

    /// The attributes that it may have, for error messages.
    pub(crate) fn attribute_words(self) -> String {
        let names: Vec<&str> = self.attributes().iter().map(|key| key.name()).chain(["id"]).collect();
        format!("no other attributes than {}", names.join(", "))
    }
}

/// How far the children of an element have been read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grammar {
    rank: u8,
    /// Whether a child of this rank has come that is allowed once.
    taken: bool,
    /// Whether a child other than an annotation has come.
    some: bool,
    /// Whether no more children are allowed.
    closed: bool,
}

impl Grammar {
    /// The form of the next child; what was found and expected, if it is not allowed here.
    pub(crate) fn child(&mut self, form: Form, tag: Option<Tag>, name: &str) -> Result<Form, (String, String)> {
        let wrong = |grammar: &Grammar| {
            let mut tags: Vec<&str> = Vec::new();
            for (rank, many, tag, _) in form.children().iter().copied().flatten() {
                let next = *rank > grammar.rank || *rank == grammar.rank && (*many || !grammar.taken);
                if next && !grammar.closed && !tags.contains(&tag.name()) {
                    tags.push(tag.name());
                }
            }
            let expected = match tags.as_slice() {
                [] => "no more children".to_owned(),
                tags => format!("<{}>", tags.join(">, <")),
            };
            (format!("<{name}>"), expected)
        };
        let fits = |child: &&Child| {
            let (rank, many, other, _) = child;
            Some(*other) == tag && (*rank > self.rank || *rank == self.rank && (*many || !self.taken))
        };
        let Some((rank, many, tag, child)) =
            form.children().iter().copied().flatten().find(fits).filter(|_| !self.closed)
        else {
            return Err(wrong(self));
        };
        if *rank > self.rank {
            self.taken = false;
        }
        (self.rank, self.taken) = (*rank, self.taken || !many);
        self.some |= *tag != Tag::Annotation;
        self.closed |= matches!(tag, Tag::SimpleContent | Tag::ComplexContent);
        Ok(*child)
    }

    /// Checks that the children may end here.
    pub(crate) fn end(self, form: Form) -> Result<(), (String, String)> {
        let expected = match form {
            Form::GlobalSimple | Form::LocalSimple if !self.some => "<restriction>, <list> or <union>",
            Form::SimpleContent | Form::ComplexContent if !self.some => "<restriction> or <extension>",
            Form::GroupDefinition if !self.some => "<all>, <choice> or <sequence>",
            Form::Identity | Form::Keyref if self.rank < 2 => "<selector> and <field>",
            _ => return Ok(()),
        };
        Err(("an empty element".to_owned(), expected.to_owned()))
    }
}
