//! Element and attribute declarations, and the additional assignments of types (X.694 clauses 14, 15 and 22 to 31).

use asn1::schema::{Component, ComponentKind, Constraint, Element as Subtype, Fields, Kind, Type};
use tam::Error;
use xsd::{AttributeId, AttributeUse, Element, ElementId, Name, Schema, SimpleId, TypeId, ValueConstraint};

use super::facets::user_defined;
use super::instruction::{in_namespace, named, prefix, text, with, word};
use super::mapper::Mapper;
use super::names::{NameKind, UsedNames, settle_texts};
use super::plan::{Source, is_abstract};

impl Mapper<'_> {
    /// A type with its name in XML, for a component named `made`.
    pub(super) fn called(&self, ty: Type, made: &str, name: Name) -> Type {
        let uri = self.uri(self.schema.names.namespace(name));
        named(in_namespace(ty, uri), made, self.local(name))
    }

    /// An alternative with its name in XML.
    fn alternative(&self, given: &mut UsedNames, ty: Type, name: Name) -> Component {
        let made = given.name(self.local(name), NameKind::Identifier);
        let text = Some(self.local(name).into());
        Component { text, ..Component::new(made.clone(), self.called(ty, &made, name)) }
    }

    /// The type of an element declaration (clause 14).
    pub(super) fn element_type(&mut self, id: ElementId) -> Result<Type, Error> {
        let element = &self.schema.elements[id];
        let mut ty = self.type_of_element(element)?;
        if let Some(value) = &element.value {
            if let ValueConstraint::Fixed(fixed) = value {
                let allowed = match element.ty {
                    TypeId::Simple(simple) if !element.nillable && !self.plan.is_substitutable(element) => {
                        self.value(simple, fixed).map(|value| Constraint::of(Subtype::Single(value)))
                    }
                    _ => None,
                };
                ty = ty.constrained(allowed.unwrap_or_else(|| user_defined("fixed", &[fixed])));
            }
            ty = ty.prefixed(prefix("DEFAULT-FOR-EMPTY", vec![word("AS"), text(value.text())]));
        }
        Ok(ty)
    }

    fn type_of_element(&mut self, element: &Element) -> Result<Type, Error> {
        if self.plan.is_substitutable(element) {
            let (ty, nillable) = (element.ty, element.nillable);
            let source = if nillable { Source::DerivNillable(ty) } else { Source::Derivations(ty) };
            if let Some(reference) = self.refer(source) {
                return Ok(reference);
            }
        }
        match element.ty {
            TypeId::Simple(id) if element.nillable => {
                self.within(element.position, |mapper| mapper.nillable_simple(id))
            }
            TypeId::Simple(id) => self.simple(id),
            TypeId::Complex(Schema::ANY_TYPE) if element.nillable => Ok(self.built_in("AnyType-nillable")),
            TypeId::Complex(Schema::ANY_TYPE) => Ok(self.built_in("AnyType")),
            TypeId::Complex(id) => {
                let source = if element.nillable { Source::Nillable(element.ty) } else { Source::Type(element.ty) };
                match self.refer(source) {
                    Some(reference) => Ok(reference),
                    None => self.complex(id, element.nillable),
                }
            }
        }
    }

    /// `[USE-NIL] SEQUENCE { content … OPTIONAL }` (clause 26).
    fn nillable_simple(&mut self, id: SimpleId) -> Result<Type, Error> {
        let content = Component { kind: ComponentKind::Optional, ..Component::new("content", self.simple(id)?) };
        let fields = Fields { root: vec![content], ..Fields::default() };
        Ok(with("USE-NIL", Type::new(Kind::Sequence(fields))))
    }

    /// The definition of a type.
    pub(super) fn definition(&mut self, ty: TypeId) -> Result<Type, Error> {
        match ty {
            TypeId::Simple(id) => self.simple_definition(id),
            TypeId::Complex(id) => self.complex(id, false),
        }
    }

    /// The definition of a type for nillable elements.
    pub(super) fn nillable_definition(&mut self, ty: TypeId) -> Result<Type, Error> {
        match ty {
            TypeId::Simple(id) => self.nillable_simple(id),
            TypeId::Complex(id) => self.complex(id, true),
        }
    }

    /// The CHOICE of a type and its derived types, for `xsi:type`; the type itself comes first.
    pub(super) fn derivations(&mut self, ty: TypeId, nillable: bool) -> Result<Type, Error> {
        let mut all = vec![ty];
        all.extend(self.plan.derived.get(&ty).into_iter().flatten().copied());
        let mut given = UsedNames::default();
        let mut fields = Fields::default();
        for one in all {
            let Some(name) = self.schema.type_name(one).filter(|_| !is_abstract(self.schema, one)) else { continue };
            let reference = match one {
                TypeId::Simple(id) if nillable => self.nillable_simple(id)?,
                TypeId::Complex(_) if nillable => match self.refer(Source::Nillable(one)) {
                    Some(reference) => reference,
                    None => self.nillable_definition(one)?,
                },
                _ => match self.refer(Source::Type(one)) {
                    Some(reference) => reference,
                    None => continue,
                },
            };
            fields.root.push(self.alternative(&mut given, reference, name));
        }
        settle_texts(&mut fields.root);
        Ok(with("USE-TYPE", Type::new(Kind::Choice(fields))))
    }

    /// The CHOICE of an element and its substitutes: the element first, the others by namespace and name.
    pub(super) fn substitution(&mut self, id: ElementId) -> Result<Type, Error> {
        let schema = self.schema;
        let head = &schema.elements[id];
        let mut members = head.substitutes.clone();
        members.sort_by_key(|member| {
            let name = schema.elements[*member].name;
            (schema.names.uri(schema.names.namespace(name)), schema.names.local(name))
        });
        let all = (!head.is_abstract).then_some(id).into_iter().chain(members);
        let mut given = UsedNames::default();
        let mut fields = Fields::default();
        for one in all {
            let name = schema.elements[one].name;
            let Some(reference) = self.refer(Source::Element(one)) else { continue };
            fields.root.push(self.alternative(&mut given, reference, name));
        }
        settle_texts(&mut fields.root);
        Ok(with("UNTAGGED", Type::new(Kind::Choice(fields))))
    }

    /// The type of an attribute declaration (clause 15).
    pub(super) fn attribute_type(&mut self, id: AttributeId) -> Result<Type, Error> {
        self.simple(self.schema.attributes[id].ty)
    }

    /// An attribute use (clause 22).
    pub(super) fn attribute(&mut self, used: &AttributeUse, given: &mut UsedNames) -> Result<Component, Error> {
        let declaration = &self.schema.attributes[used.attribute];
        let mut ty = match self.refer(Source::Attribute(used.attribute)) {
            Some(reference) => reference,
            None => self.attribute_type(used.attribute)?,
        };
        let mut kind = if used.required { ComponentKind::Mandatory } else { ComponentKind::Optional };
        if let Some(value) = &used.value {
            let made = self.value(declaration.ty, value.text());
            if let ValueConstraint::Fixed(fixed) = value {
                let allowed = made.clone().map(|value| Constraint::of(Subtype::Single(value)));
                ty = ty.constrained(allowed.unwrap_or_else(|| user_defined("fixed", &[fixed])));
            }
            match made {
                Some(value) if !used.required => kind = ComponentKind::Default(value),
                Some(_) => {}
                None => self.left_out("the default of an attribute", declaration.name, used.position),
            }
        }
        let made = given.name(self.local(declaration.name), NameKind::Identifier);
        let ty = with("ATTRIBUTE", self.called(ty, &made, declaration.name));
        let text = Some(format!("@{}", self.local(declaration.name)).into());
        Ok(Component { text, kind, ..Component::new(made, ty) })
    }
}
