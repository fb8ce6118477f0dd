//! The built-in types (Part 1 section 3.4.7, Part 2 section 3).

use xml::white_space::WhiteSpace;

use super::{Builder, WrittenSimple};
use crate::NamespaceId;
use crate::components::{
    Bound, Builtin, ComplexType, Compositor, Content, Derivations, Facet, Facets, Holder, ModelGroup, Namespaces,
    Particle, Position, Process, SimpleType, Term, TypeId, Variety, Wildcard,
};
use crate::value::Ordered;

impl Builder<'_> {
    pub(super) fn builtins(&mut self) {
        for ty in Builtin::ALL {
            let name = self.schema.names.intern_in(NamespaceId::XSD, ty.name());
            let variety = match ty.item() {
                Some(item) => Variety::List(item.id()),
                None if *ty == Builtin::AnySimpleType => Variety::Any,
                None => Variety::Atomic(ty.primitive()),
            };
            let own = facets(*ty);
            let mut all = if *ty == Builtin::AnySimpleType {
                Facets::default()
            } else {
                self.schema.simple_types[ty.base().id()].facets.clone()
            };
            super::facets::merge(&mut all, &own);
            let id = self.schema.simple_types.push(SimpleType {
                name: Some(name),
                holder: Holder::Schema,
                builtin: Some(*ty),
                base: ty.base().id(),
                variety,
                exclusions: Derivations::NONE,
                lexical: if ty.item().is_some() { Builtin::AnySimpleType } else { *ty },
                own,
                facets: all,
                position: Position::BUILT_IN,
            });
            self.schema.type_names.insert(name, TypeId::Simple(id));
            self.simple.push(WrittenSimple::default());
        }
        self.any_type();
    }

    /// `xs:anyType`: any attributes and any mixed content. Declared elements and attributes are validated.
    fn any_type(&mut self) {
        let position = Position::BUILT_IN;
        let any = Wildcard { namespaces: Namespaces::Any, process: Process::Lax, position };
        let wildcard = self.schema.wildcards.push(any.clone());
        let attribute_wildcard = self.schema.wildcards.push(any);
        let term = Term::Wildcard(wildcard);
        let elements = self.schema.particles.push(Particle { min: 0, max: None, term, reference: None, position });
        let group = ModelGroup { compositor: Compositor::Sequence, particles: vec![elements], position };
        let term = Term::Group(self.schema.groups.push(group));
        let content = self.schema.particles.push(Particle { min: 1, max: Some(1), term, reference: None, position });
        let name = self.schema.names.intern_in(NamespaceId::XSD, "anyType");
        let id = self.schema.complex_types.push(ComplexType {
            attribute_wildcard: Some(attribute_wildcard),
            content: Content::Mixed(Some(content)),
            own_particle: Some(content),
            ..ComplexType::empty(Some(name), Holder::Schema, position)
        });
        self.schema.type_names.insert(name, TypeId::Complex(id));
    }
}

fn facet<T>(value: T, fixed: bool) -> Option<Facet<T>> {
    Some(Facet { value, fixed, position: Position::BUILT_IN })
}

fn bound(text: &str) -> Option<Facet<Bound>> {
    let value = Ordered::parse(Builtin::Decimal, text)?;
    facet(Bound { text: text.to_owned(), inclusive: true, value }, false)
}

/// The facets of a built-in type itself, without those of its base.
fn facets(ty: Builtin) -> Facets {
    let white_space = match ty {
        Builtin::AnySimpleType | Builtin::String => facet(WhiteSpace::Preserve, false),
        Builtin::NormalizedString => facet(WhiteSpace::Replace, false),
        Builtin::Token => facet(WhiteSpace::Collapse, false),
        _ if ty.is_primitive() || ty.item().is_some() => facet(WhiteSpace::Collapse, true),
        _ => None,
    };
    let (min, max) = match ty {
        Builtin::NonPositiveInteger => (None, Some("0")),
        Builtin::NegativeInteger => (None, Some("-1")),
        Builtin::Long => (Some("-9223372036854775808"), Some("9223372036854775807")),
        Builtin::Int => (Some("-2147483648"), Some("2147483647")),
        Builtin::Short => (Some("-32768"), Some("32767")),
        Builtin::Byte => (Some("-128"), Some("127")),
        Builtin::NonNegativeInteger => (Some("0"), None),
        Builtin::UnsignedLong => (None, Some("18446744073709551615")),
        Builtin::UnsignedInt => (None, Some("4294967295")),
        Builtin::UnsignedShort => (None, Some("65535")),
        Builtin::UnsignedByte => (None, Some("255")),
        Builtin::PositiveInteger => (Some("1"), None),
        _ => (None, None),
    };
    Facets {
        white_space,
        min: min.and_then(bound),
        max: max.and_then(bound),
        min_length: if ty.item().is_some() { facet(1, false) } else { None },
        fraction_digits: if ty == Builtin::Integer { facet(0, true) } else { None },
        ..Facets::default()
    }
}
