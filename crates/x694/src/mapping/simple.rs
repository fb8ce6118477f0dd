//! Simple types (X.694 clauses 11 and 13).

use asn1::schema::{Component, Kind, Type};
use tam::Error;
use xsd::{Builtin, SimpleId, SimpleType, TypeId, Variety};

use super::facets::{range, size};
use super::instruction::{in_namespace, named, prefix, text, with, word};
use super::mapper::Mapper;
use super::names::{NameKind, UsedNames, converted, settle_texts};
use super::plan::Source;

impl Mapper<'_> {
    /// A simple type where it is used: a reference if it has a name, otherwise its definition.
    pub(super) fn simple(&mut self, id: SimpleId) -> Result<Type, Error> {
        if let Some(reference) = self.refer(Source::Type(TypeId::Simple(id))) {
            return Ok(reference);
        }
        match self.schema.simple_types[id].builtin {
            Some(builtin) => Ok(self.builtin(builtin)),
            None => self.simple_definition(id),
        }
    }

    /// The definition of a simple type that is not built in.
    pub(super) fn simple_definition(&mut self, id: SimpleId) -> Result<Type, Error> {
        let schema = self.schema;
        let ty = &schema.simple_types[id];
        if ty.base != Builtin::AnySimpleType.id() {
            return self.within(ty.position, |mapper| mapper.restriction(id));
        }
        match &ty.variety {
            Variety::List(item) => self.within(ty.position, |mapper| mapper.list(ty, *item)),
            Variety::Union(members) => self.within(ty.position, |mapper| mapper.union(members)),
            Variety::Any | Variety::Atomic(_) => self.within(ty.position, |mapper| mapper.restriction(id)),
        }
    }

    /// `[LIST] SEQUENCE OF` (clause 13.5).
    fn list(&mut self, ty: &SimpleType, item: SimpleId) -> Result<Type, Error> {
        let item = self.simple(item)?;
        let mut list = Type::new(Kind::SequenceOf(Box::new(Component::new("", item))));
        list.constraints.extend(size(&ty.own));
        Ok(with("LIST", list))
    }

    /// `[USE-UNION] CHOICE` (clause 13.6).
    fn union(&mut self, members: &[SimpleId]) -> Result<Type, Error> {
        let names = self.member_names(members);
        let mut fields = asn1::schema::Fields::default();
        for (id, made) in members.iter().zip(names) {
            let mut ty = self.simple(*id)?;
            ty = match self.schema.simple_types[*id].name {
                Some(name) => {
                    let uri = self.uri(self.schema.names.namespace(name));
                    named(in_namespace(ty, uri), &made, self.local(name))
                }
                None => ty.prefixed(prefix("NAME", vec![word("AS"), text("")])),
            };
            let called = self.schema.simple_types[*id].name.map(|name| self.local(name).into());
            fields.root.push(Component { text: called, ..Component::new(made, ty) });
        }
        settle_texts(&mut fields.root);
        Ok(with("USE-UNION", Type::new(Kind::Choice(fields))))
    }

    /// The names of a union's alternatives: those of their types, or `alt`.
    pub(super) fn member_names(&self, members: &[SimpleId]) -> Vec<String> {
        let mut given = UsedNames::default();
        let name = |id: &SimpleId| {
            let name = self.schema.simple_types[*id].name;
            given.name(name.map_or("alt", |name| self.local(name)), NameKind::Identifier)
        };
        members.iter().map(name).collect()
    }

    /// A built-in type (clause 11, Table 2).
    pub(super) fn builtin(&mut self, builtin: Builtin) -> Type {
        let integer = |lower: Option<i128>, upper: Option<i128>| {
            let ty = Type::new(Kind::Integer(Vec::new()));
            match (lower, upper) {
                (None, None) => ty,
                (lower, upper) => ty.constrained(range(lower, upper)),
            }
        };
        let name = match builtin {
            Builtin::Boolean => return Type::new(Kind::Boolean),
            Builtin::HexBinary => return Type::new(Kind::OctetString),
            Builtin::Base64Binary => return with("BASE64", Type::new(Kind::OctetString)),
            Builtin::Integer => return integer(None, None),
            Builtin::NonNegativeInteger => return integer(Some(0), None),
            Builtin::PositiveInteger => return integer(Some(1), None),
            Builtin::NonPositiveInteger => return integer(None, Some(0)),
            Builtin::NegativeInteger => return integer(None, Some(-1)),
            Builtin::Byte => return integer(Some(-128), Some(127)),
            Builtin::UnsignedByte => return integer(Some(0), Some(255)),
            other => type_name(other),
        };
        self.built_in(&name)
    }
}

/// The name in the module `XSD` of a built-in type that is no type of ASN.1. Names of XML 1.0 types, such as NMTOKEN, are in
/// capitals; others only need a capital first letter.
pub(crate) fn type_name(builtin: Builtin) -> String {
    match builtin {
        Builtin::AnyUri => "AnyURI".to_owned(),
        other => converted(other.name(), NameKind::Reference),
    }
}
