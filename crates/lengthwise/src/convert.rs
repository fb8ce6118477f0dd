//! Any format into a document, a document as any format.

use std::collections::BTreeMap;

#[cfg(feature = "tsf")]
use tam::Limits;
use tam::{Document, Error, Table, TypeSet, Vocabulary};
#[cfg(any(feature = "json", feature = "pon", feature = "tsf"))]
use tam::{ErrorKind, Words};

#[cfg(feature = "xml")]
use crate::Declaration;
#[cfg(any(feature = "json", feature = "pon", feature = "tsf"))]
use crate::Types;
#[cfg(any(feature = "pon", feature = "tsf"))]
use crate::base64::with_binary;
use crate::meaning::in_types;
#[cfg(feature = "tsf")]
use crate::type_set;
#[cfg(feature = "asn1")]
use crate::typed;
use crate::{Format, Options};

/// Reads a message of any format into a table.
///
/// ```
/// use lengthwise::{Format, Options, read, tam::Table};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let mut table = Table::new();
/// let document = read(b"1order<1=2id[17", Format::Tsf, &Options::default(), &mut table)?;
/// assert_eq!(document.get("/order/@id").unwrap().value(), b"17");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// What the reader of the format says: the message is not sound, not whole, beyond a limit, or
/// needs what the format's reader does not do; a value is none of the schema, or there is no schema. Of a TSF message that fits no type set, what is
/// wrong with it under the likeliest one.
pub fn read<'a>(
    input: &'a [u8],
    format: Format,
    options: &Options<'a>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    match format {
        #[cfg(feature = "xml")]
        Format::Xml => text::xml::read(input, &document_options(options), table),
        #[cfg(feature = "json")]
        Format::Json => text::json::read(input, &json_options(options, json_types(options.output_types)), table),
        #[cfg(feature = "pon")]
        Format::Pon => pon::read(input, &pon::Options::default().with_limits(options.limits), table),
        #[cfg(feature = "tsf")]
        Format::Tsf => {
            let under = |types: Types<'a>| {
                let limits = tsf_limits(types, options.limits);
                tsf::Options::new(types.set()).with_lengths(options.input_lengths).with_limits(limits)
            };
            match options.input_types {
                Some(types) => tsf::read(input, &under(types), table),
                None => type_set::read(input, under, table),
            }
        }
        #[cfg(feature = "infoset")]
        Format::InfosetUper | Format::InfosetAper | Format::InfosetBer => {
            infoset::read(input, &infoset_options(format, options), table)
        }
        #[cfg(feature = "asn1")]
        Format::Uper
        | Format::Aper
        | Format::Ber
        | Format::Der
        | Format::Cer
        | Format::Oer
        | Format::Coer
        | Format::Asn1 => typed::read(input, format, options, table),
        #[cfg(all(feature = "asn1", feature = "xml"))]
        Format::Xer | Format::Cxer => typed::read(input, format, options, table),
        #[cfg(feature = "tdxml")]
        Format::Tdxml => read_table(input, options, table),
    }
}

/// `depth` bounds the elements of XML, in TSF as in text: the list around a document and the list
/// of an element's attributes come on top, so that what one reader takes the other does too.
#[cfg(feature = "tsf")]
fn tsf_limits(types: Types<'_>, limits: Limits) -> Limits {
    match types {
        Types::Xml => Limits { depth: limits.depth.saturating_add(2), ..limits },
        _ => limits,
    }
}

/// A document as a message of any format that can hold it, as [`append`] writes it.
///
/// # Errors
/// Those of [`append`].
pub fn write(document: &Document<'_>, format: Format, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    append(document, format, options, &mut out)?;
    Ok(out)
}

/// Appends a document to `out`, written as any format that can hold it.
///
/// * Where [`Options::schema`] is a schema of XML, it makes an instance of a document of JSON for XML, infosets, TDXML and TSF
///   under the type set `xml`, and values of a document of XML for JSON, PON and TSF under the others. Else:
/// * XML holds documents of XML, and those of JSON under the conventions that
///   [`text::xml::append`] documents; the latter do not come back as JSON.
/// * JSON holds documents of JSON alone.
/// * TSF holds every document. Under another type set than the document's own the values of
///   JSON pass through JSON text (binary data becomes base64 on the way from `value` to `json`),
///   and JSON becomes XML as above.
/// * Documents of a type set of the user's own are values by its [meanings](tam::Meaning); so are those that become TSF under one.
/// * PON holds documents of the type set `value` as they are, and others of JSON by way of their
///   JSON text. To spare that, read JSON text under [`Options::towards`].
/// * An infoset holds documents of XML, and those of JSON as XML does.
/// * TDXML holds the data-oriented documents of XML, and those of JSON as XML does; by a schema of XML, with the data schema that
///   is derived from it.
/// * UPER, APER, BER and value notation hold documents of JSON that are values of the schema in
///   [`Options::schema`], in the form of [`asn1::jer`], and instances of a schema of XML.
///
/// # Errors
/// [`ErrorKind::Unsupported`] when the document holds what the format cannot, and
/// [`ErrorKind::Schema`] when it is not what the schema asks for. What was in `out`
/// before stays there, alone.
pub fn append(document: &Document<'_>, format: Format, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    append_counted(document, format, options, out).map(|_| ())
}

/// What became of the strings that were to be binary data (`Options::binary_from_base64`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BinaryCounts {
    /// The number of strings that became binary data.
    pub strings: usize,
    /// For names of members: how many of these strings are of each member that has any.
    pub members: BTreeMap<String, usize>,
    /// For names of members: how many values of these members, and items of arrays that are their values, are objects, numbers,
    /// booleans, characters or bytes. They stay as they are.
    pub not_strings: usize,
}

impl BinaryCounts {
    /// Adds the counts of another message.
    pub fn add(&mut self, other: &BinaryCounts) {
        self.strings += other.strings;
        self.not_strings += other.not_strings;
        for (name, count) in &other.members {
            *self.members.entry(name.clone()).or_default() += count;
        }
    }
}

/// [`append`], and what became of the strings that were to be binary data (`Options::binary_from_base64`).
///
/// # Errors
/// Those of [`append`].
pub fn append_counted(
    document: &Document<'_>,
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<BinaryCounts, Error> {
    let mut counts = BinaryCounts::default();
    write_in(document, format, options, &mut counts, out)?;
    Ok(counts)
}

/// [`append_counted`], with the counts of strings added to `counts`.
fn write_in(
    document: &Document<'_>,
    format: Format,
    options: &Options<'_>,
    counts: &mut BinaryCounts,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    #[cfg(not(any(feature = "pon", feature = "tsf")))]
    let _ = &counts;
    #[cfg(feature = "xsd")]
    let changes = options.changes_by_schema(document, format);
    #[cfg(not(feature = "xsd"))]
    let changes = false;
    if document.types().vocabulary() == Vocabulary::Custom && (changes || !format.is_tsf()) {
        let values = &mut Table::new();
        return write_in(&in_types(document, TypeSet::VALUE, values)?, format, options, counts, out);
    }
    #[cfg(feature = "asn1")]
    if changes {
        return typed::append(document, format, options, out);
    }
    match format {
        #[cfg(feature = "tsf")]
        Format::Tsf => write_tsf(document, options, counts, out),
        #[cfg(feature = "pon")]
        Format::Pon => write_pon(document, options, counts, out),
        #[cfg(feature = "xml")]
        Format::Xml => {
            let start = out.len();
            let own = xml_options(options);
            options.declaration.inspect(|declaration| declaration.append(&own, out));
            let written = text::xml::append(document, &own, out);
            written.inspect_err(|_| out.truncate(start))
        }
        #[cfg(feature = "json")]
        Format::Json => match document.types().vocabulary() {
            Vocabulary::Xml => Err(xml_is_not_json("json")),
            _ => text::json::append(document, &json_options(options, text::json::Types::default()), out),
        },
        #[cfg(feature = "infoset")]
        Format::InfosetUper | Format::InfosetAper | Format::InfosetBer => {
            let own = infoset_options(format, options);
            as_xml(document, options, |document| infoset::append_with(document, &properties(options), &own, out))
        }
        #[cfg(feature = "asn1")]
        Format::Uper
        | Format::Aper
        | Format::Ber
        | Format::Der
        | Format::Cer
        | Format::Oer
        | Format::Coer
        | Format::Asn1 => typed::append(document, format, options, out),
        #[cfg(all(feature = "asn1", feature = "xml"))]
        Format::Xer | Format::Cxer => typed::append(document, format, options, out),
        #[cfg(feature = "tdxml")]
        Format::Tdxml => as_xml(document, options, |document| write_table(document, options, out)),
    }
}

/// Converts a message from one format to another.
///
/// ```
/// use lengthwise::{Format, Options, Types, convert};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let reading = br#"{"room":"attic","t":21.50}"#;
/// let as_tokens = convert(reading, Format::Json, Format::Tsf, &Options::default())?;
/// assert_eq!(as_tokens, br#"2{7room'"attic"5t'21.50"#);
///
/// let typed = Options::default().with_output_types(Types::Value);
/// let as_values = convert(reading, Format::Json, Format::Tsf, &typed)?;
/// assert_eq!(as_values, b"2{5room'attic5t%21.50");
/// assert_eq!(convert(&as_values, Format::Tsf, Format::Json, &Options::default())?, reading);
/// # Ok(())
/// # }
/// ```
///
/// With a schema, octets are binary data in PON and in TSF under the type set `value`, hexadecimal digits in JSON; without one,
/// binary data becomes base64 in JSON. With a schema of XML an instance of it (in XML, TSF, an infoset or TDXML) becomes a value
/// (in UPER, APER, BER, OER, XER, value notation, JSON, PON or TSF), and is made of one.
///
/// # Errors
/// As [`read`] and [`write()`].
pub fn convert(input: &[u8], from: Format, to: Format, options: &Options<'_>) -> Result<Vec<u8>, Error> {
    convert_counted(input, from, to, options).map(|(out, _)| out)
}

/// [`convert`], and what became of the strings that were to be binary data (`Options::binary_from_base64`).
///
/// ```
/// use lengthwise::{Base64, Format, Options, convert_counted};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let options = Options::default().with_binary_from_base64(Base64::Members(&["octets", "image"]));
/// let (_, counts) = convert_counted(br#"{"octets":"/9j/4A=="}"#, Format::Json, Format::Pon, &options)?;
/// assert_eq!((counts.strings, counts.members.contains_key("image")), (1, false));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`convert`].
pub fn convert_counted(
    input: &[u8],
    from: Format,
    to: Format,
    options: &Options<'_>,
) -> Result<(Vec<u8>, BinaryCounts), Error> {
    let options = options.towards(to);
    let (mut out, mut counts) = (Vec::new(), BinaryCounts::default());
    #[cfg(feature = "asn1")]
    if options.is_by_schema(from, to) {
        typed::convert(input, from, to, &options, &mut out)?;
        return Ok((out, counts));
    }
    let mut table = Table::new();
    let document = read(input, from, &options, &mut table)?;
    write_in(&document, to, &options, &mut counts, &mut out).map_err(|error| from.with_line(error, input))?;
    Ok((out, counts))
}

/// Checks that a message is sound: how many units, or values of a schema, it has.
///
/// Where there is [`Options::schema`], documents of JSON in any format are checked against its types, and documents of XML against a
/// schema of XML, and against modules with XER encoding instructions.
///
/// ```
/// use lengthwise::{Format, Options, check};
///
/// assert_eq!(check(b"[1, 2]", Format::Json, &Options::default()).unwrap(), 3);
/// assert!(check(b"[1, 2", Format::Json, &Options::default()).is_err());
/// ```
///
/// # Errors
/// As [`read`]; but of values of a schema those are sound too that have no form in JSON. Kind schema where a
/// document of JSON is not a value of the schema.
pub fn check(input: &[u8], format: Format, options: &Options<'_>) -> Result<usize, Error> {
    check_counted(input, format, options).map(|counts| counts.units)
}

/// What [`check_counted`] counts in a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Units of a document, or values of a schema.
    pub units: usize,
    /// Extension additions of a later version of the schema, which are passed over.
    pub skipped: usize,
    /// What is accepted although the schema says more about it.
    #[cfg(feature = "asn1")]
    pub accepted: asn1::Accepted,
}

/// [`check`], with more counts.
///
/// # Errors
/// Those of [`check`].
pub fn check_counted(input: &[u8], format: Format, options: &Options<'_>) -> Result<Counts, Error> {
    #[cfg(feature = "asn1")]
    if format.needs_schema() {
        return typed::check(input, format, options);
    }
    let mut table = Table::new();
    let document = read(input, format, options, &mut table)?;
    #[cfg(feature = "xsd")]
    if document.types().vocabulary() == Vocabulary::Xml && options.schema.is_some_and(crate::Schema::is_xml) {
        match format {
            Format::Xml => typed::check_instance(input, options)?,
            _ => {
                let text = write(&document, Format::Xml, &options.with_pretty(false))?;
                typed::check_instance(&text, options).map_err(Error::with_no_place)?;
            }
        }
    }
    #[cfg(feature = "asn1")]
    if document.types().vocabulary() != Vocabulary::Xml
        && let Some(schema) = options.schema
    {
        return typed::check_document(&document, schema, options).map_err(|error| format.with_line(error, input));
    }
    Ok(Counts { units: document.units(), ..Counts::default() })
}

#[cfg(feature = "tsf")]
fn write_tsf(
    document: &Document<'_>,
    options: &Options<'_>,
    counts: &mut BinaryCounts,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let own = document.types();
    let under = |types| {
        tsf::Options::new(types)
            .with_lengths(options.output_lengths)
            .with_sorted_attributes(options.sort_attributes)
            .with_limits(options.limits)
    };
    let is_own = |types: &Types<'_>| {
        types.set() == own || (types.vocabulary(), own.vocabulary()) == (Vocabulary::Xml, Vocabulary::Xml)
    };
    let Some(types) = options.output_types.filter(|types| !is_own(types)) else {
        return with_binary(document, options, true, counts, |document| append_tsf(document, &under(own), out));
    };
    let (mut text, mut table, mut values) = (Vec::new(), Table::new(), Table::new());
    let other = match (own.vocabulary(), types) {
        (Vocabulary::Xml, _) => return Err(xml_is_not_json("tsf")),
        (Vocabulary::Custom | Vocabulary::Value, Types::Own(_) | Types::Value) => {
            in_types(document, types.set(), &mut table)?
        }
        (Vocabulary::Custom, _) => {
            return write_tsf(&in_types(document, TypeSet::VALUE, &mut values)?, options, counts, out);
        }
        (_, Types::Own(set)) => {
            in_types(&through_text(document, Types::Value, options, &mut text, &mut values)?, set, &mut table)?
        }
        #[cfg(not(feature = "xml"))]
        (_, Types::Xml) => return Err(without_text("tsf", "a document of JSON, in a build without the feature 'xml'")),
        #[cfg(feature = "xml")]
        (_, Types::Xml) => {
            text::xml::append(document, &xml_options(options).with_pretty(false), &mut text)?;
            text::xml::read(&text, &xml_options(options), &mut table)?
        }
        _ => through_text(document, types, options, &mut text, &mut table)?,
    };
    with_binary(&other, options, false, counts, |document| append_tsf(document, &under(types.set()), out))
}

/// Writes a message that [`read`] takes for one of the type set it is in.
#[cfg(feature = "tsf")]
fn append_tsf(document: &Document<'_>, options: &tsf::Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    // Names that need no escapes in the set `json` have those of the set `value`, which has all its types.
    let mut options = *options;
    if type_set::is_ambiguous(document, &options) {
        options.types = TypeSet::VALUE;
    }
    tsf::append(document, &options, out)
}

/// A document of XML; documents of JSON become XML as in TSF of the type set `xml`.
#[cfg(any(feature = "infoset", feature = "tdxml"))]
fn as_xml(
    document: &Document<'_>,
    options: &Options<'_>,
    with: impl FnOnce(&Document<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if document.types().vocabulary() == Vocabulary::Xml {
        return with(document);
    }
    let (mut text, mut table) = (Vec::new(), Table::new());
    text::xml::append(document, &xml_options(options).with_pretty(false), &mut text)?;
    with(&text::xml::read(&text, &xml_options(options), &mut table)?)
}

#[cfg(feature = "infoset")]
fn infoset_options<'s>(format: Format, options: &Options<'s>) -> infoset::Options<'s> {
    let of = infoset::Options::of(format.rules().unwrap_or_default());
    let of = of.with_strings(options.strings).with_compress_from(options.strings_from);
    let of = of.with_shared(options.shared_strings).with_paper(options.paper).with_limits(options.limits);
    of.with_entity_references(options.entity_references)
}

/// The properties of an infoset that an XML declaration has.
#[cfg(feature = "infoset")]
fn properties<'o>(options: &Options<'o>) -> infoset::Properties<'o> {
    let none = infoset::Properties::default();
    let Some(said) = options.declaration else { return none };
    let encoding = said.encoding.as_deref().unwrap_or_default();
    infoset::Properties { version: Some(&said.version), encoding, standalone: said.standalone, ..none }
}

/// The XML declaration of a document in XML, or the properties of an infoset that are one. `None` if there is none, or the
/// format has none.
///
/// ```
/// use lengthwise::{Format, Options, convert, declaration};
///
/// # fn main() -> Result<(), lengthwise::Error> {
/// let xml = b"<?xml version='1.0' standalone='yes'?><a/>";
/// let said = declaration(xml, Format::Xml, &Options::default())?;
/// let options = Options::default().with_declaration(said.as_ref());
/// let infoset = convert(xml, Format::Xml, Format::InfosetUper, &options)?;
/// assert_eq!(declaration(&infoset, Format::InfosetUper, &Options::default())?, said);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of reading the message; of kind unsupported if the version of an infoset is none of XML.
#[cfg(feature = "xml")]
pub fn declaration(message: &[u8], format: Format, options: &Options<'_>) -> Result<Option<Declaration>, Error> {
    if format == Format::Xml {
        return Ok(text::xml::Reader::new(message, &xml_options(options))?.declaration());
    }
    #[cfg(feature = "infoset")]
    if format.is_infoset() {
        let events = infoset::events(message, &infoset_options(format, options))?;
        let properties = events.properties()?;
        let Some(version) = properties.version else { return Ok(None) };
        let declaration = Declaration::new(version);
        let mut declaration = declaration.map_err(|error| error.met_in("infoset", 0))?;
        declaration.encoding = Some(properties.encoding.to_owned()).filter(|encoding| !encoding.is_empty());
        declaration.standalone = properties.standalone;
        return Ok(Some(declaration));
    }
    Ok(None)
}

#[cfg(feature = "tdxml")]
fn table_options<'s>(options: &Options<'s>) -> tdxml::Options<'s> {
    let mut of = options.tables;
    of.limits = options.limits;
    of
}

/// Reads a table, by the data schema that is derived from the schema of XML if the message refers to it.
#[cfg(feature = "tdxml")]
fn read_table<'a>(input: &'a [u8], options: &Options<'_>, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    let tables = table_options(options);
    #[cfg(feature = "xsd")]
    if let Some(registry) = referred(input, options)? {
        return tdxml::read(input, &tables.with_registry(&registry), table);
    }
    tdxml::read(input, &tables, table)
}

/// A registry with the data schema that a message refers to, if [`Options::schema`] has it and
/// [`tdxml::Options::registry`] does not.
///
/// # Errors
/// Kind unsupported when the schema has the root element that the message names, but is another one.
#[cfg(all(feature = "tdxml", feature = "xsd"))]
pub fn referred(input: &[u8], options: &Options<'_>) -> Result<Option<tdxml::Registry>, Error> {
    let tables = table_options(options);
    let Some(schema) = options.schema.filter(|schema| schema.is_xml()) else { return Ok(None) };
    let Some(id) = tdxml::reference(input, &tables)? else { return Ok(None) };
    if tables.registry.is_some_and(|registry| registry.get(&id).is_some()) {
        return Ok(None);
    }
    let Some(found) = schema.data_schema_of(&id)? else { return Ok(None) };
    let mut registry = tdxml::Registry::new();
    registry.insert_shared(id, found);
    Ok(Some(registry))
}

/// By the schema of XML, where there is one, a document becomes a table of the data schema that is derived from it.
#[cfg(feature = "tdxml")]
fn write_table(document: &Document<'_>, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    let tables = table_options(options);
    #[cfg(feature = "xsd")]
    let mut body = tam::Table::new();
    #[cfg(feature = "xsd")]
    let body = if tables.soap { tdxml::soap_body(document, &mut body)? } else { None };
    #[cfg(feature = "xsd")]
    let document = body.as_ref().unwrap_or(document);
    #[cfg(feature = "xsd")]
    if let Some(schema) = options.schema.filter(|schema| tables.schema.is_none() && schema.is_xml()) {
        let (uri, local) = tdxml::root_name(document)?;
        let schema = schema.data_schema(&uri, &local)?;
        let mut tables = tables.with_schema(&schema).with_reference(!options.embed_schema);
        if tables.by_reference && tables.tags == tdxml::Tags::Short {
            tables.tags = tdxml::Tags::Bare;
        }
        return tdxml::append(document, &tables, out);
    }
    tdxml::append(document, &tables, out)
}

#[cfg(feature = "pon")]
fn write_pon(
    document: &Document<'_>,
    options: &Options<'_>,
    counts: &mut BinaryCounts,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    match document.types().vocabulary() {
        Vocabulary::Value => with_binary(document, options, true, counts, |document| pon::append(document, out)),
        Vocabulary::Xml => Err(xml_is_not_json("pon")),
        _ => {
            let (mut text, mut table) = (Vec::new(), Table::new());
            let document = through_text(document, Types::Value, options, &mut text, &mut table)?;
            with_binary(&document, options, false, counts, |document| pon::append(document, out))
        }
    }
}

/// A document of JSON under the other of its type sets: only the text says what is equal.
#[cfg(all(feature = "json", any(feature = "pon", feature = "tsf")))]
pub(crate) fn through_text<'a>(
    document: &Document<'_>,
    types: Types<'_>,
    options: &Options<'_>,
    text: &'a mut Vec<u8>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    text::json::append(document, &text::json::Options::default(), text)?;
    text::json::read(text, &json_options(options, json_types(Some(types))), table)
}

/// Only text says what is equal, and there is none.
#[cfg(all(any(feature = "pon", feature = "tsf"), not(feature = "json")))]
fn through_text<'a>(
    _: &Document<'_>,
    _: Types<'_>,
    _: &Options<'_>,
    _: &'a mut Vec<u8>,
    _: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    Err(without_text("json", "a document of JSON's other type set, in a build without the feature 'json'"))
}

#[cfg(all(any(feature = "pon", feature = "tsf"), not(all(feature = "json", feature = "xml"))))]
fn without_text(format: &'static str, found: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, format, 0, found, "a document of the type set that is written")
}

#[cfg(any(feature = "json", feature = "pon", feature = "tsf"))]
fn xml_is_not_json(format: &'static str) -> Error {
    let expected = "a document of JSON values: XML has no single form in JSON";
    Error::new(ErrorKind::Unsupported, format, 0, Words::Text("an XML document"), expected)
}

#[cfg(feature = "xml")]
pub(crate) fn xml_options(options: &Options<'_>) -> text::xml::Options {
    text::xml::Options::default()
        .with_limits(options.limits)
        .with_pretty(options.pretty)
        .with_namespaces(!options.plain_xml)
        .with_numbered_items(options.numbered_items)
        .with_empty_tags(options.empty_tags)
        .with_line_ends(options.line_ends)
}

/// Options of reading a document of XML that need not be one of a schema.
#[cfg(feature = "xml")]
pub(crate) fn document_options(options: &Options<'_>) -> text::xml::Options {
    xml_options(options).with_entity_references(options.entity_references)
}

#[cfg(feature = "json")]
fn json_options(options: &Options<'_>, types: text::json::Types) -> text::json::Options {
    text::json::Options::default().with_limits(options.limits).with_pretty(options.pretty).with_types(types)
}

/// The type set JSON text is read into on its way to a type set.
#[cfg(feature = "json")]
fn json_types(types: Option<Types<'_>>) -> text::json::Types {
    match types {
        Some(Types::Value | Types::Own(_)) => text::json::Types::Value,
        _ => text::json::Types::Json,
    }
}

#[cfg(test)]
#[cfg(all(feature = "losses", feature = "infoset"))]
mod tests {
    use super::*;

    fn converted(input: &str, from: Format, to: Format, options: &Options<'_>) -> String {
        String::from_utf8(convert(input.as_bytes(), from, to, options).unwrap()).unwrap()
    }

    #[test]
    fn a_prefix_that_is_not_declared_is_refused_unless_xml_is_plain() {
        let (xml, tsf) = ("<p:a>1</p:a>", "1p:a<1[1");
        let plain = Options::default().with_plain_xml(true);
        assert_eq!(converted(xml, Format::Xml, Format::Tsf, &plain), tsf);
        assert_eq!(converted(tsf, Format::Tsf, Format::Xml, &plain), xml);
        let refused = |input: &str, from, to| convert(input.as_bytes(), from, to, &Options::default()).unwrap_err();
        assert_eq!(refused(xml, Format::Xml, Format::Tsf).kind(), ErrorKind::Syntax);
        assert_eq!(refused(tsf, Format::Tsf, Format::Xml).kind(), ErrorKind::Unsupported);
    }

    #[test]
    fn json_keeps_its_letters_through_its_own_type_set() {
        let text = r#"{"a":"\u0041\/","a":[1.50,1E+2,null,{}],"":""}"#;
        let message = converted(text, Format::Json, Format::Tsf, &Options::default());
        assert_eq!(converted(&message, Format::Tsf, Format::Json, &Options::default()), text);
    }

    #[test]
    fn strings_that_look_like_numbers_stay_strings() {
        let text = r#"["17","true",17]"#;
        for types in [Types::Json, Types::Value] {
            let to = Options::default().with_output_types(types);
            let message = converted(text, Format::Json, Format::Tsf, &to);
            assert_eq!(converted(&message, Format::Tsf, Format::Json, &Options::default()), text);
        }
    }

    #[test]
    fn both_type_sets_of_json_become_each_other() {
        let tokens = r#"3{4a'"°"3b[4'null5'false3'-124c'2.50"#;
        let values = "3{2a'°3b[0~1?f3#-124c%2.50";
        for (from, types, to) in [(tokens, Types::Value, values), (values, Types::Json, tokens)] {
            let options = Options::default().with_output_types(types);
            assert_eq!(converted(from, Format::Tsf, Format::Tsf, &options), to);
        }
    }

    #[test]
    fn a_list_around_the_root_element_alone_can_be_there_or_not() {
        let default = Options::default();
        for (list, alone, xml) in [
            ("1=1a<5[hello", "1a<5[hello", "<a>hello</a>"),
            ("1=0a<", "0a<", "<a/>"),
            ("1=2a<1=1k[v0b<", "2a<1=1k[v0b<", "<a k=\"v\"><b/></a>"),
        ] {
            assert_eq!(converted(list, Format::Tsf, Format::Xml, &default), xml);
            assert_eq!(converted(&format!(" {xml} "), Format::Xml, Format::Tsf, &default), alone);
            // Nothing is lost on the way to the same format.
            assert_eq!(converted(list, Format::Tsf, Format::Tsf, &default), list);
            for to in [Format::InfosetUper, Format::InfosetAper, Format::InfosetBer, Format::Tdxml] {
                let [of_list, of_alone] =
                    [list, alone].map(|input| convert(input.as_bytes(), Format::Tsf, to, &default).unwrap());
                assert_eq!(of_list, of_alone, "{to}");
                let back = convert(&of_list, to, Format::Xml, &default).unwrap();
                assert_eq!(String::from_utf8(back).unwrap(), xml, "{to}");
            }
            let mut table = Table::new();
            let document = read(list.as_bytes(), Format::Tsf, &default, &mut table).unwrap();
            assert_eq!(document.get("/a").unwrap().kind(), b'<');
        }
    }

    #[test]
    fn tsf_becomes_tsf_with_other_lengths() {
        let chars = Options::default().with_output_lengths(tsf::Lengths::Chars);
        let counted = converted("1a<6[grüß", Format::Tsf, Format::Tsf, &chars);
        assert_eq!(counted, "1a<4[grüß");
        let back = Options::default().with_input_lengths(tsf::Lengths::Chars);
        assert_eq!(converted(&counted, Format::Tsf, Format::Tsf, &back), "1a<6[grüß");
    }

    #[test]
    fn json_becomes_xml_by_the_conventions_of_the_paper() {
        let options = Options::default().with_output_types(Types::Xml);
        let message = converted(r#"{"a":1}"#, Format::Json, Format::Tsf, &options);
        assert_eq!(converted(&message, Format::Tsf, Format::Xml, &Options::default()), "<e0s1><a>1</a></e0s1>");
    }

    #[test]
    fn xml_as_deep_as_the_limit_is_not_too_deep_in_tsf() {
        let xml = format!("<!--c-->{}{}", "<a k=\"v\">".repeat(999), "<a k=\"v\"/>") + &"</a>".repeat(999);
        let message = converted(&xml, Format::Xml, Format::Tsf, &Options::default());
        assert_eq!(converted(&message, Format::Tsf, Format::Xml, &Options::default()), xml);
    }

    #[test]
    fn the_two_levels_on_top_are_for_the_vocabulary_of_xml_alone() {
        let limits = Limits { depth: 3, ..Limits::default() };
        let reads = |format, input: &str, types: Option<Types<'_>>| {
            let options = Options { input_types: types, limits, ..Options::default() };
            read(input.as_bytes(), format, &options, &mut Table::new()).map(|_| ()).map_err(|error| error.kind())
        };
        for types in [None, Some(Types::Json), Some(Types::Value)] {
            assert_eq!(reads(Format::Tsf, "1[1[1[1'1", types), Ok(()));
            assert_eq!(reads(Format::Tsf, "1[1[1[0[", types), Err(ErrorKind::Limit));
        }
        assert_eq!(reads(Format::Json, "[[[1]]]", None), Ok(()));
        assert_eq!(reads(Format::Json, "[[[[]]]]", None), Err(ErrorKind::Limit));
        for types in [None, Some(Types::Xml)] {
            assert_eq!(reads(Format::Tsf, "1=1a<1a<1a<1=1k[v", types), Ok(()));
            assert_eq!(reads(Format::Tsf, "1=1a<1a<1a<1a<1=1k[v", types), Err(ErrorKind::Limit));
        }
        assert_eq!(reads(Format::Xml, "<a><a><a k='v'/></a></a>", None), Ok(()));
        assert_eq!(reads(Format::Xml, "<a><a><a><a/></a></a></a>", None), Err(ErrorKind::Limit));
    }

    #[test]
    fn pon_is_written_from_typed_values_whatever_was_read() {
        let pon = r"35{room:5sattict:5d21.50a\:b:7[2i17utf";
        let json = r#"{"room":"attic","t":21.50,"a:b":[17,null,true,false]}"#;
        let tokens = r#"3{7room'"attic"5t'21.504a:b["#.to_owned() + "2'174'null4'true5'false";
        let values = "3{5room'attic5t%21.504a:b[2#170~1?t1?f";
        let default = Options::default();
        for (input, from) in [(json, Format::Json), (&tokens, Format::Tsf), (values, Format::Tsf), (pon, Format::Pon)] {
            assert_eq!(converted(input, from, Format::Pon, &default), pon, "{from}");
        }
        // What TSF is to be written under is nothing to PON.
        for types in Types::ALL {
            assert_eq!(converted(json, Format::Json, Format::Pon, &default.with_output_types(*types)), pon);
        }
        assert_eq!(converted(pon, Format::Pon, Format::Json, &default), json);
        assert_eq!(converted(pon, Format::Pon, Format::Tsf, &default), values);
        assert_eq!(converted(pon, Format::Pon, Format::Tsf, &default.with_output_types(Types::Json)), tokens);
    }

    #[test]
    fn xml_does_not_become_json_and_nothing_is_written() {
        let mut table = Table::new();
        let document = read(b"<a/>", Format::Xml, &Options::default(), &mut table).unwrap();
        for (format, types) in [
            (Format::Json, None),
            (Format::Tsf, Some(Types::Json)),
            (Format::Tsf, Some(Types::Value)),
            (Format::Pon, None),
        ] {
            let mut out = b"kept".to_vec();
            let options = Options { output_types: types, ..Options::default() };
            let error = append(&document, format, &options, &mut out).unwrap_err();
            assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, format.as_str()));
            assert_eq!(out, b"kept");
        }
    }

    #[test]
    fn what_is_partly_written_is_taken_back() {
        let mut table = Table::new();
        let document = read(b"1a<2[\x01\x02", Format::Tsf, &Options::default(), &mut table).unwrap();
        let mut out = b"kept".to_vec();
        assert!(append(&document, Format::Xml, &Options::default(), &mut out).is_err());
        assert_eq!(out, b"kept");
    }
}
