//! Open types, and strings that contain values (X.682 clause 11): CHOICEs of what may be in their elements. No name of the notation
//! is like those of the alternatives.

use asn1::compiled::Expansion;
use asn1::schema::{
    Assignment, Component, Constraint, Constraints, Element, Field, Fields, Instruction, Kind, Meaning, Module,
    Position, Prefix, Schema, Type,
};

use crate::xer::instructions::{OCTETS, STRING};

/// The module of the CHOICEs that open types are.
const TABLES: &str = "Tables.0";

/// The modules of an expansion, with CHOICEs in place of open types and of strings with contents constraints, and types in place
/// of value sets.
pub(super) fn with_choices(Expansion { schema: mut modules, tables, opens }: Expansion) -> Schema {
    for assignment in modules.modules.iter_mut().flat_map(|module| &mut module.assignments) {
        // A set of values is a type as well (X.680 clause 16.6).
        if let Meaning::ValueSet(ty, set) = &assignment.meaning {
            assignment.meaning = Meaning::Type(ty.clone().constrained(set.clone()));
        }
        if let Meaning::Type(ty) = &mut assignment.meaning {
            make_choices(&opens, ty);
        }
    }
    if !opens.is_empty() {
        // Types of several tables are the same, and so is their CHOICE. The last one is of octets alone.
        let tables = tables.into_iter().map(Some).chain([None]).enumerate();
        let assignments = tables.map(|(number, types)| {
            let alternatives = types.clone().unwrap_or_default().into_iter().enumerate();
            let alternatives = alternatives.map(|(at, ty)| (at.to_string(), ty));
            let octets = OCTETS.map(|(name, _)| (name.to_owned(), Type::new(Kind::OctetString)));
            let name = name_of(types.map(|_| number));
            let meaning = Meaning::Type(Type::new(choice(Position::default(), alternatives.chain(octets))));
            Assignment { name, parameters: Vec::new(), meaning, position: Position::default() }
        });
        let (name, assignments) = (TABLES.to_owned(), assignments.collect());
        modules.modules.push(Module { name, assignments, ..Module::default() });
    }
    modules
}

/// The name of the CHOICE of a table; of octets if there is none. Items of a list have it without the number.
fn name_of(table: Option<usize>) -> String {
    table.map_or_else(|| "open_type.any".to_owned(), |table| format!("open_type.{table}"))
}

/// Replaces open types, and strings with contents constraints. Types are nested as deep as notation is read, which bounds the
/// recursion.
fn make_choices(opens: &[Option<usize>], ty: &mut Type) {
    let mut contents = ty.constraints.iter_mut().filter_map(contents);
    if let (Some(content), None) = (contents.next(), contents.next()) {
        let content = std::mem::replace(content, Type::new(Kind::Null));
        ty.constraints.retain_mut(|constraint| self::contents(constraint).is_none());
        let own = Type {
            prefixes: ty.prefixes.iter().filter(|prefix| is_of_characters(prefix)).cloned().collect(),
            kind: std::mem::replace(&mut ty.kind, Kind::Null),
            constraints: std::mem::take(&mut ty.constraints),
            position: ty.position,
        };
        ty.kind = choice(ty.position, [("0".to_owned(), content), (STRING.to_owned(), own)]);
    }
    match &mut ty.kind {
        Kind::Open(number) => {
            let table = opens.get(*number as usize).copied().flatten();
            ty.kind = Kind::Reference { module: Some(TABLES.to_owned()), name: name_of(table) };
        }
        Kind::Sequence(fields) | Kind::Set(fields) | Kind::Choice(fields) => {
            let additions = fields.additions.iter_mut().flatten().flat_map(|field| match field {
                Field::Component(component) => std::slice::from_mut(component),
                Field::Group(_, components) => &mut components[..],
            });
            let all = fields.root.iter_mut().chain(additions).chain(&mut fields.root_after);
            all.for_each(|component| make_choices(opens, &mut component.ty));
        }
        Kind::SequenceOf(item) | Kind::SetOf(item) => make_choices(opens, &mut item.ty),
        _ => {}
    }
}

/// The type of a contents constraint.
fn contents(constraint: &mut Constraint) -> Option<&mut Type> {
    let Constraints::Element(element) = &mut constraint.root else { return None };
    match &mut **element {
        Element::Contents(ty, _) => ty.as_mut(),
        Element::Group(inner) => contents(inner),
        _ => None,
    }
}

/// Whether a prefix of a string is about its characters.
fn is_of_characters(prefix: &Prefix) -> bool {
    matches!(prefix, Prefix::Instruction(Instruction { keyword, .. }) if keyword == "BASE64")
}

fn choice(position: Position, alternatives: impl IntoIterator<Item = (String, Type)>) -> Kind {
    let component = |(name, ty): (String, Type)| Component { position, ..Component::new(name, ty) };
    Kind::Choice(Fields { root: alternatives.into_iter().map(component).collect(), ..Fields::default() })
}
