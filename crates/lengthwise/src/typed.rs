//! Values of a schema in PER, BER and value notation, and instances where the schema is one of XML: to and from
//! documents of JSON, and between these.

use asn1::{Accepted, EncodingRules, NodeId, Value, Values, jer, notation};
use tam::{Document, Error, ErrorKind, Table, TypeSet, Vocabulary, Words};
#[cfg(feature = "xsd")]
use text::xml::{Event, Reader};
#[cfg(feature = "xsd")]
use x694::xer;

use crate::convert::Counts;
use crate::counter::Counter;
use crate::{Format, Options, Schema, Types};

/// Reads a message as a document of JSON.
pub(crate) fn read<'a>(
    input: &'a [u8],
    format: Format,
    options: &Options<'_>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    let mut values = Values::new();
    jer::write(value(input, format, schema(format, options)?, options, None, &mut values)?, table)?;
    // Text is in the message, or was copied after it.
    Ok(table.document(input, TypeSet::VALUE))
}

/// Appends a document of JSON, or an instance of a schema of XML, as a message.
pub(crate) fn append(
    document: &Document<'_>,
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    append_of(None, document, format, options, out)
}

/// The same of a value whose type is known, where the schema has several that it could be.
pub(crate) fn append_of(
    root: Option<NodeId>,
    document: &Document<'_>,
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let schema = schema(format, options)?;
    #[cfg(feature = "xsd")]
    if document.types().vocabulary() == Vocabulary::Xml && schema.is_xml() {
        let (mut text, mut values) = (Vec::new(), Values::new());
        crate::append(document, Format::Xml, &options.with_pretty(false), &mut text)?;
        let value = instance(&text, schema, options, root, &mut values).map_err(Error::with_no_place)?;
        return append_value(value, format, options, out);
    }
    has_json_values(document, format)?;
    let root = root.map_or_else(|| schema.root(), Ok)?;
    let mut values = Values::new();
    let value = jer::read(document, schema.types(), root, &options.limits, &mut values)?;
    append_value(value, format, options, out)
}

/// Converts a message between two of these formats. Nothing passes through JSON; by the same rules what
/// a later version of the schema has put in stays as it is.
pub(crate) fn convert(
    input: &[u8],
    from: Format,
    to: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    convert_of(None, input, from, to, options, out)
}

/// The same of a value whose type is known, where the schema has several that it could be.
pub(crate) fn convert_of(
    root: Option<NodeId>,
    input: &[u8],
    from: Format,
    to: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    // TSF, infosets and TDXML may hold an instance of a schema of XML.
    #[cfg(feature = "xsd")]
    let is_document = !from.needs_schema() && !from.is_json() && from != Format::Xml;
    #[cfg(not(feature = "xsd"))]
    let is_document = from.is_tsf();
    if is_document {
        let mut table = Table::new();
        return append_of(root, &crate::read(input, from, options, &mut table)?, to, options, out);
    }
    // What is unknown in BER is the same in CER.
    let rules = |format: Format| match format.rules() {
        Some(EncodingRules::Cer) => Some(EncodingRules::Ber),
        rules => rules,
    };
    // XML and JSON have a form for octets of an open type, and XML's writers refuse the rest.
    #[cfg(feature = "xsd")]
    let is_xml = to.is_xer() || options.holds_instances(to);
    #[cfg(not(feature = "xsd"))]
    let is_xml = to.is_xer();
    if from.rules().is_some() && rules(from) != rules(to) && !is_xml && !to.has_json_values() {
        let unknown = count(root, input, from, options)?.unknown;
        if unknown > 0 {
            // Its octets are by the rules that it came by.
            let values = Words::Count(unknown as u64, "values");
            let found = format!("{values} of no type that the schema has, encoded in {from}");
            let expected =
                format!("a format whose rules are those of {from}, or one that has a form for octets, as XER has");
            return Err(Error::new(ErrorKind::Unsupported, to.as_str(), 0, found, expected));
        }
    }
    let (mut values, mut table) = (Values::new(), Table::new());
    append_value(read_value(input, from, root, options, &mut table, &mut values)?, to, options, out)
}

/// Checks a message; how many values are in it. Nothing is built, except to look for what is accepted.
pub(crate) fn check(input: &[u8], format: Format, options: &Options<'_>) -> Result<Counts, Error> {
    let counter = count(None, input, format, options)?;
    let mut counts = counter.counts();
    let is_related = schema(format, options)?.types().has_relations();
    if is_related || counter.unknown > 0 || format.rules().is_some() && counter.has_strings {
        let (mut values, mut table) = (Values::new(), Table::new());
        let value = read_value(input, format, None, options, &mut table, &mut values)?;
        counts.accepted = value.accepted(&rules(format, options));
    }
    if format.rules().is_none() {
        counts.accepted = of_text(counts.accepted);
    }
    Ok(counts)
}

/// Checks that a document of JSON is a value of the schema; how many values are in it.
pub(crate) fn check_document(document: &Document<'_>, schema: &Schema, options: &Options<'_>) -> Result<Counts, Error> {
    let mut counter = Counter::new(schema.types(), options.limits.units);
    jer::read_events(document, schema.types(), schema.root()?, &options.limits, &mut counter)?;
    let mut counts = counter.counts();
    if counter.unknown > 0 || schema.types().has_relations() {
        let mut values = Values::new();
        let value = jer::read(document, schema.types(), schema.root()?, &options.limits, &mut values)?;
        counts.accepted = of_text(value.accepted(&asn1::Options::default()));
    }
    Ok(counts)
}

/// What is accepted in a text: a string of digits may be any encoding.
fn of_text(accepted: Accepted) -> Accepted {
    let mut own = Accepted::default();
    (own.unknown, own.unlike_rows) = (accepted.unknown, accepted.unlike_rows);
    own
}

/// How many extension additions of a later version of the schema a message has, which are not read.
#[cfg(feature = "losses")]
pub(crate) fn skipped(input: &[u8], format: Format, options: &Options<'_>) -> Result<u64, Error> {
    count(None, input, format, options).map(|counter| counter.skipped.into())
}

fn count<'s>(root: Option<NodeId>, input: &[u8], format: Format, options: &Options<'s>) -> Result<Counter<'s>, Error> {
    let schema = schema(format, options)?;
    let mut counter = Counter::new(schema.types(), options.limits.units);
    #[cfg(feature = "xml")]
    if format.is_xer() {
        let root = root.map_or_else(|| schema.root(), Ok)?;
        let mut table = Table::new();
        let document = text::xml::read(input, &crate::convert::xml_options(options), &mut table)?;
        asn1::xer::read_events(&document, schema.types(), root, &options.limits, &mut counter)
            .map_err(|error| format.with_line(error, input))?;
        return Ok(counter);
    }
    if format == Format::Asn1 {
        notation::read_value_events(text(input)?, schema.types(), schema.root().ok(), &options.limits, &mut counter)?;
        return Ok(counter);
    }
    let rules = rules(format, options);
    let root = root.map_or_else(|| schema.root(), Ok)?;
    let used = asn1::read_events(input, schema.types(), root, &rules, &mut counter)?;
    match input.len() - used {
        0 => Ok(counter),
        more => {
            let found = Words::Count(more as u64, "bytes after the value");
            Err(Error::new(ErrorKind::Syntax, format.as_str(), used as u64, found, "the end of the message"))
        }
    }
}

/// The schema that the options have.
pub(crate) fn schema<'s>(format: Format, options: &Options<'s>) -> Result<&'s Schema, Error> {
    let expected = "a schema that has the message's type";
    options.schema.ok_or_else(|| Error::new(ErrorKind::Unsupported, format.as_str(), 0, "no schema", expected))
}

/// Reads a message as a value of the schema in [`Options::schema`]: PER, BER, OER, value notation, JSON, PON and TSF, and XML
/// where that is an XML Schema.
///
/// The value is of the type `root`, or else of [`Schema::root`]; an instance of an XML Schema is of the type of its root
/// element, which must be `root` if that is given. `table` is used for JSON, PON and TSF alone.
///
/// ```
/// use lengthwise::{Format, Options, Schema, asn1, read_value, tam::{Limits, Table}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Celsius ::= INTEGER (-40..87) END";
/// let schema = Schema::from_notation(&[("", module)], &Limits::default())?;
/// let options = Options::default().with_schema(&schema);
/// let (mut table, mut values) = (Table::new(), asn1::Values::new());
/// let celsius = read_value(b"21", Format::Json, None, &options, &mut table, &mut values)?;
/// assert_eq!(celsius.as_i64(), Some(21));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of the reader of the format, and of [`Schema::root`]; kind unsupported without a schema, and for other formats.
pub fn read_value<'v>(
    input: &'v [u8],
    format: Format,
    root: Option<NodeId>,
    options: &Options<'v>,
    table: &'v mut Table<'_>,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let schema = schema(format, options)?;
    if !format.has_json_values() {
        return value(input, format, schema, options, root, values);
    }
    let document = json_document(input, format, options, table)?;
    let root = root.map_or_else(|| schema.root(), Ok)?;
    let value = jer::read(&document, schema.types(), root, &options.limits, values);
    value.map_err(|error| format.with_line(error, input))
}

/// Reads a message in a format of JSON's values.
pub(crate) fn json_document<'v>(
    input: &'v [u8],
    format: Format,
    options: &Options<'v>,
    table: &'v mut Table<'_>,
) -> Result<Document<'v>, Error> {
    let document = crate::read(input, format, &options.with_output_types(Types::Value), table)?;
    has_json_values(&document, format).map(|()| document)
}

fn has_json_values(document: &Document<'_>, format: Format) -> Result<(), Error> {
    if document.types().vocabulary() != Vocabulary::Xml {
        return Ok(());
    }
    let expected = "a document of JSON values, as X.697 has them";
    Err(Error::new(ErrorKind::Unsupported, format.as_str(), 0, Words::Text("an XML document"), expected))
}

/// Checks that messages in a format can be values of a schema.
#[cfg(feature = "columns")]
pub(crate) fn is_of_values(format: Format, schema: &Schema) -> Result<(), Error> {
    #[cfg(feature = "xsd")]
    if format == Format::Xml && schema.is_xml() {
        return Ok(());
    }
    let _ = schema;
    if format.has_json_values() || format.needs_schema() { Ok(()) } else { Err(no_format_of_values(format)) }
}

fn value<'v>(
    input: &'v [u8],
    format: Format,
    schema: &'v Schema,
    options: &Options<'_>,
    root: Option<NodeId>,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    match format {
        // Notation can name its type: `batch Batch ::= { … }`.
        Format::Asn1 => {
            let root = root.or_else(|| schema.root().ok());
            notation::read_value(text(input)?, schema.types(), root, &options.limits, values)
        }
        #[cfg(feature = "xml")]
        Format::Xer | Format::Cxer => {
            let root = root.map_or_else(|| schema.root(), Ok)?;
            let mut table = Table::new();
            let document = text::xml::read(input, &crate::convert::xml_options(options), &mut table)?;
            let mut filler = asn1::Filler::new(schema.types(), options.limits, values).with_input(input.len());
            asn1::xer::read_events(&document, schema.types(), root, &options.limits, &mut filler)
                .map_err(|error| format.with_line(error, input))?;
            Ok(values.value(schema.types(), root, input))
        }
        #[cfg(feature = "xsd")]
        Format::Xml => instance(input, schema, options, root, values),
        _ if format.rules().is_none() || format.is_infoset() => Err(no_format_of_values(format)),
        _ => {
            let root = root.map_or_else(|| schema.root(), Ok)?;
            asn1::read(input, schema.types(), root, &rules(format, options), values)
        }
    }
}

/// The type of a message by the schema in [`Options::schema`]: that of its root element if it is XML by an XML Schema,
/// otherwise [`Schema::root`].
///
/// # Errors
/// Those of the reader of XML up to the root element; kind schema for one that the schema does not have; those of
/// [`Schema::root`]; kind unsupported without a schema.
pub fn type_of(message: &[u8], format: Format, options: &Options<'_>) -> Result<NodeId, Error> {
    let schema = schema(format, options)?;
    #[cfg(feature = "xsd")]
    if format == Format::Xml && schema.is_xml() {
        let types = schema.described()?;
        let mut reader = Reader::new(message, &crate::convert::xml_options(options))?;
        while let Some(event) = reader.next_event()? {
            let Event::Start(tag) = event else { continue };
            let (prefix, local) = xml::name::split(tag.name());
            return type_of_root(types, tag.declared(prefix).unwrap_or_default(), local);
        }
    }
    let _ = message;
    schema.root()
}

/// The same of an instance of a schema of XML in any format.
#[cfg(feature = "losses")]
pub(crate) fn type_of_instance(instance: &Document<'_>, options: &Options<'_>) -> Result<NodeId, Error> {
    let types = schema(Format::Xml, options)?.described()?;
    let (namespace, local) = xml::namespaces::root_name(instance).unwrap_or_default();
    type_of_root(types, &namespace, &local)
}

#[cfg(feature = "xsd")]
fn type_of_root(types: &xer::Types, namespace: &str, local: &str) -> Result<NodeId, Error> {
    let name = if namespace.is_empty() { local.to_owned() } else { format!("{{{namespace}}}{local}") };
    types.root(&name).map(|root| root.node())
}

/// Checks an instance of a schema of XML.
#[cfg(feature = "xsd")]
pub(crate) fn check_instance(input: &[u8], options: &Options<'_>) -> Result<(), Error> {
    instance(input, schema(Format::Xml, options)?, options, None, &mut Values::new()).map(|_| ())
}

/// An instance of a schema of XML.
#[cfg(feature = "xsd")]
fn instance<'v>(
    input: &'v [u8],
    schema: &'v Schema,
    options: &Options<'_>,
    root: Option<NodeId>,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    let types = schema.described()?;
    let value = xer::read(input, types, &xsd::Options::default().with_limits(options.limits), values)?;
    match root.or(schema.chosen_root()) {
        Some(root) if root != value.node_id() => {
            let of = |node| types.roots().find(|one| one.node() == node);
            let name = |root: Option<xer::Root>| root.map_or("", |root| root.name(types));
            let (found, expected) = (of(value.node_id()), of(root));
            let is_alike = name(found) == name(expected);
            // Of elements of one name only the namespaces differ.
            let shown = |root: Option<xer::Root>| match root.filter(|_| is_alike) {
                Some(root) => format!("<{}> of the namespace '{}'", root.name(types), root.namespace(types)),
                None => format!("<{}>", name(root)),
            };
            let expected = format!("{}, as requested", shown(expected));
            Err(Error::new(ErrorKind::Schema, "xml", 0, shown(found), expected))
        }
        _ => Ok(value),
    }
}

/// Notation as characters.
fn text(input: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(input).map_err(|error| {
        let at = error.valid_up_to();
        let found = input.get(at).map_or(Words::End, |byte| Words::Byte(*byte));
        Error::new(ErrorKind::Syntax, "asn1", at as u64, found, "UTF-8")
    })
}

/// Appends a value as a message of any format that [`read_value`] reads; by a schema of XML also as an infoset or in TDXML.
///
/// # Errors
/// Those of the writer of the format; kind unsupported for other formats. What was in `out` before stays there, alone.
pub fn append_value(value: Value<'_>, format: Format, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    #[cfg(feature = "xsd")]
    if let Some(schema) = options.schema.filter(|_| options.holds_instances(format)) {
        let types = schema.described()?;
        if format == Format::Xml && !options.has_layout() {
            return xer::append(value, types, out);
        }
        let (mut text, mut table) = (Vec::new(), Table::new());
        xer::append(value, types, &mut text)?;
        return crate::append(&crate::read(&text, Format::Xml, options, &mut table)?, format, options, out);
    }
    #[cfg(feature = "xml")]
    if format.is_xer() {
        let canonical = options.canonical || format.is_canonical();
        if !options.pretty || canonical {
            return asn1::xer::append(value, canonical, out);
        }
        let (plain, mut table) = (asn1::xer::write(value, false)?, Table::new());
        let document = text::xml::read(plain.as_bytes(), &crate::convert::xml_options(options), &mut table)?;
        return text::xml::append(&document, &crate::convert::xml_options(options), out);
    }
    if format == Format::Asn1 {
        out.extend_from_slice(notation::write_value(value)?.as_bytes());
        return Ok(());
    }
    if format.has_json_values() {
        let mut table = Table::new();
        let write = if options.has_octets(format) { jer::write_binary } else { jer::write };
        return crate::append(&write(value, &mut table)?, format, options, out);
    }
    if format.rules().is_none() || format.is_infoset() {
        return Err(no_format_of_values(format));
    }
    asn1::append(value, &rules(format, options), out).map(|_| ())
}

#[cold]
fn no_format_of_values(format: Format) -> Error {
    let expected = "a format of values: PER, BER, OER, XER, value notation, JSON, PON, TSF, or XML by its schema";
    Error::new(ErrorKind::Unsupported, format.as_str(), 0, format.as_str(), expected)
}

/// What the options say of reading and writing by a format's rules.
pub(crate) fn rules(format: Format, options: &Options<'_>) -> asn1::Options {
    let of = asn1::Options::of(format.rules().unwrap_or_default());
    of.with_canonical(options.canonical || format.is_canonical()).with_limits(options.limits)
}
