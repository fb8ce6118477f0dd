//! Documents of a user's own type set, by what its types mean.

use tam::json::Value;
use tam::{Builder, Document, Error, ErrorKind, Limits, Meaning, Node, Step, Table, TypeSet, Words, excerpt};

/// The same values in another type set with meanings.
///
/// An integer or a float becomes a number where the set has no type of its own for it. Data that is not what its type means is an
/// error, since reading TSF does not look at it. Errors have the path of the unit.
pub(crate) fn in_types<'a>(
    document: &Document<'a>,
    types: &'a TypeSet,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    let (message, _) = document.texts();
    let mut builder = Builder::new(message, types, Limits::NONE, table);
    for step in document.walk() {
        let node = match step {
            Step::Close(_) => {
                builder.close()?;
                continue;
            }
            Step::Open(node) | Step::Primitive(node) => node,
        };
        let kind = kind(&node, types)?;
        let name = node.member_name();
        match node.is_structured() {
            true => builder.open_member(kind, name.as_deref())?,
            false => builder.primitive_member(kind, name.as_deref(), node.value())?,
        }
    }
    builder.finish()?;
    Ok(table.document(message, types))
}

/// The type that a unit has in another set.
fn kind(node: &Node<'_>, types: &TypeSet) -> Result<u8, Error> {
    let refused = |found, expected| {
        Err(Error::new(ErrorKind::Unsupported, "tsf", 0, Words::Own(found), Words::Own(expected)).in_path(node.path()))
    };
    let Some(meaning) = node.document().types().meaning(node.kind()) else {
        let found = format!("a unit of the type '{}', which has no meaning", char::from(node.kind()));
        return refused(found, "a type set that says what it means".to_owned());
    };
    let own = match (meaning, Value::new(*node)) {
        (_, Value::Invalid(_)) => {
            let data = excerpt(&String::from_utf8_lossy(node.value()));
            return refused(format!("'{data}'"), format!("the data of '{}'", meaning.as_str()));
        }
        (Meaning::Number, Value::Number(number)) if number.is_integer() => Meaning::Integer,
        (Meaning::Number, _) => Meaning::Float,
        _ => meaning,
    };
    let is_number = matches!(own, Meaning::Integer | Meaning::Float);
    let general = types.type_of(Meaning::Number).filter(|_| is_number);
    match types.type_of(own).or(general) {
        Some(kind) => Ok(kind),
        None => {
            let or_number = if is_number { " or 'number'" } else { "" };
            refused(format!("a value that is '{}'", own.as_str()), format!("a type set with that meaning{or_number}"))
        }
    }
}
