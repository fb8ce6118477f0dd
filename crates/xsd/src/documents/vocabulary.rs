//! The names of the elements and attributes of schema documents.

macro_rules! vocabulary {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $enum { $($variant,)* }

        impl $enum {
            pub(crate) fn find(name: &str) -> Option<$enum> {
                match name {
                    $($name => Some($enum::$variant),)*
                    _ => None,
                }
            }

            pub(crate) fn name(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }
        }
    };
}

vocabulary! {
    /// An element of a schema document.
    Tag {
        All "all", Annotation "annotation", Any "any", AnyAttribute "anyAttribute", Attribute "attribute",
        AttributeGroup "attributeGroup", Choice "choice", ComplexContent "complexContent", ComplexType "complexType",
        Element "element", Enumeration "enumeration", Extension "extension", Field "field",
        FractionDigits "fractionDigits", Group "group", Import "import", Include "include", Key "key",
        Keyref "keyref", Length "length", List "list", MaxExclusive "maxExclusive", MaxInclusive "maxInclusive",
        MaxLength "maxLength", MinExclusive "minExclusive", MinInclusive "minInclusive", MinLength "minLength",
        Notation "notation", Pattern "pattern", Redefine "redefine", Restriction "restriction", Schema "schema",
        Selector "selector", Sequence "sequence", SimpleContent "simpleContent", SimpleType "simpleType",
        TotalDigits "totalDigits", Union "union", Unique "unique", WhiteSpace "whiteSpace",
    }
}

vocabulary! {
    /// An attribute of an element of a schema document.
    Key {
        Abstract "abstract", ArrayType "wsdl:arrayType", AttributeFormDefault "attributeFormDefault", Base "base", Block "block",
        BlockDefault "blockDefault", Default "default", ElementFormDefault "elementFormDefault", Final "final",
        FinalDefault "finalDefault", Fixed "fixed", Form "form", Id "id", ItemType "itemType",
        MaxOccurs "maxOccurs", MemberTypes "memberTypes", MinOccurs "minOccurs", Mixed "mixed", Name "name",
        Namespace "namespace", Nillable "nillable", ProcessContents "processContents", Public "public",
        Ref "ref", Refer "refer", SchemaLocation "schemaLocation", Source "source",
        SubstitutionGroup "substitutionGroup", System "system", TargetNamespace "targetNamespace", Type "type",
        Use "use", Value "value", Version "version", Xpath "xpath",
    }
}

impl Tag {
    pub(crate) fn is_facet(self) -> bool {
        matches!(
            self,
            Tag::Enumeration
                | Tag::FractionDigits
                | Tag::Length
                | Tag::MaxExclusive
                | Tag::MaxInclusive
                | Tag::MaxLength
                | Tag::MinExclusive
                | Tag::MinInclusive
                | Tag::MinLength
                | Tag::Pattern
                | Tag::TotalDigits
                | Tag::WhiteSpace
        )
    }
}
