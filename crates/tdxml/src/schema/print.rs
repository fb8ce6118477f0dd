//! Prints data schemas in notation.

use std::fmt::{self, Formatter, Write};

use super::{Content, DataSchema, Element, Order, Record, RecordId, ValueType};

/// A record being printed, and the number of its elements printed.
struct OpenRecord<'s> {
    record: &'s Record,
    next: usize,
}

/// Prints the root, followed by the named records. Records without a name are printed where they are used, at any
/// depth.
pub(super) fn print(schema: &DataSchema, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "{} [0] ::= ", schema.root.name)?;
    body(schema, &schema.root, f)?;
    for (number, record) in schema.records.iter().enumerate() {
        if let Some(name) = &record.name {
            write!(f, "\n{name} ::= ")?;
            let content = Content::Record(RecordId(number as u32));
            whole(schema, content, false, f)?;
        }
    }
    for (prefix, uri) in &schema.namespaces {
        write!(f, "\nNAMESPACE {prefix} \"{}\"", uri.replace('"', "\"\""))?;
    }
    Ok(())
}

/// Prints the type of a value.
fn value(schema: &DataSchema, value: ValueType, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(value.builtin.as_str())?;
    schema.facets.get(value.facets as usize).map_or(Ok(()), |facets| write!(f, "{facets}"))
}

/// Prints the type of an element, by name if it has one.
fn body(schema: &DataSchema, element: &Element, f: &mut Formatter<'_>) -> fmt::Result {
    match schema.record(&element.content).and_then(|record| record.name.as_deref()) {
        Some(name) => write!(f, "{}{name}", of(element.repeated)),
        None => whole(schema, element.content, element.repeated, f),
    }
}

fn of(repeated: bool) -> &'static str {
    if repeated { "SEQUENCE OF " } else { "" }
}

/// Prints a type with everything in it.
fn whole(schema: &DataSchema, content: Content, repeated: bool, f: &mut Formatter<'_>) -> fmt::Result {
    let mut open = Vec::new();
    start(schema, content, repeated, &mut open, f)?;
    while let Some(top) = open.last_mut() {
        let Some(element) = top.record.elements.get(top.next) else {
            f.write_str(" }")?;
            open.pop();
            // What follows the type of the element that has ended.
            if let Some(above) = open.last() {
                end(&above.record.elements[above.next - 1], above, f)?;
            }
            continue;
        };
        let number = top.next;
        top.next += 1;
        line(f, open.len())?;
        write!(f, "{}[{number}] ", element.name)?;
        let depth = open.len();
        match schema.record(&element.content).and_then(|record| record.name.as_deref()) {
            Some(name) => write!(f, "{}{name}", of(element.repeated))?,
            None => start(schema, element.content, element.repeated, &mut open, f)?,
        }
        if open.len() == depth
            && let Some(above) = open.last()
        {
            end(element, above, f)?;
        }
    }
    Ok(())
}

fn end(element: &Element, above: &OpenRecord<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    if element.optional {
        f.write_str(" OPTIONAL")?;
    }
    if above.next < above.record.elements.len() { f.write_char(',') } else { Ok(()) }
}

/// The indentation is limited, so that deep levels do not make a schema long.
fn line(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "\n{:width$}", "", width = depth.min(16))
}

/// Prints a type up to its elements.
fn start<'s>(
    schema: &'s DataSchema,
    content: Content,
    repeated: bool,
    open: &mut Vec<OpenRecord<'s>>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let record = match (schema.record(&content), content) {
        (Some(record), _) => record,
        (None, Content::Value(of_values)) => {
            f.write_str(of(repeated))?;
            return value(schema, of_values, f);
        }
        (None, _) => return f.write_str("NULL"),
    };
    f.write_str(match (repeated, record.order) {
        (false, Order::Sequence) => "SEQUENCE {",
        (true, Order::Sequence) => "SEQUENCE OF {",
        (false, Order::Set) => "SET {",
        (true, Order::Set) => "SEQUENCE OF SET {",
        (false, Order::Choice) => "CHOICE {",
        (true, Order::Choice) => "SEQUENCE OF CHOICE {",
    })?;
    let depth = open.len() + 1;
    for (number, attribute) in record.attributes.iter().enumerate() {
        line(f, depth)?;
        write!(f, "{}({number}) [ATTRIBUTE] ", attribute.name)?;
        value(schema, attribute.value, f)?;
        if let Some(default) = &attribute.default {
            write!(f, " (\"{}\")", default.replace('"', "\"\""))?;
        }
        if attribute.optional {
            f.write_str(" OPTIONAL")?;
        }
    }
    if let Some(text) = record.text {
        line(f, depth)?;
        f.write_str("[TEXT] ")?;
        value(schema, text, f)?;
    }
    if record.rest {
        line(f, depth)?;
        f.write_str("[REST]")?;
    }
    let wildcards = [("[ANY-ELEMENT", &record.any_element), ("[ANY-ATTRIBUTES", &record.any_attribute)];
    for (keyword, wildcard) in wildcards.into_iter().filter_map(|(keyword, any)| Some((keyword, any.as_ref()?))) {
        line(f, depth)?;
        f.write_str(keyword)?;
        if !wildcard.except || !wildcard.listed.is_empty() {
            f.write_str(if wildcard.except { " EXCEPT" } else { " FROM" })?;
        }
        wildcard.listed.iter().try_for_each(|uri| write!(f, " \"{}\"", uri.replace('"', "\"\"")))?;
        f.write_char(']')?;
    }
    open.push(OpenRecord { record, next: 0 });
    Ok(())
}
