//! The readers, each with its answer as yes or no.

use std::sync::LazyLock;

use asn1::{Compiled, Values};
use lengthwise::soap;
use lengthwise_compress::{Decompressor, Dictionary};
use lengthwise_frames::{Frames, Framing, Options as FrameOptions};
use tam::{Error, Limits, Table, TypeSet};
use xsd::wsdl::Description;
use xsd::{Memory, Schema};

/// What a reader may do, as far as limits say it: enough to show what grows, too little to take long.
pub const LIMITS: Limits =
    Limits { units: 1 << 14, entity_expansion: 1 << 16, decompressed_bytes: 1 << 16, ..Limits::DEFAULT };

/// Parts of an input that has several, such as a schema and its message.
pub(crate) const BETWEEN: u8 = 0;

/// A reader.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// Its name, which is that of its bound.
    pub name: &'static str,
    /// Reads an input whole, under [`LIMITS`].
    pub read: fn(&[u8]) -> Result<(), Error>,
}

/// All readers.
pub const READERS: &[Reader] = &[
    Reader { name: "tsf", read: tsf },
    Reader { name: "pon", read: pon },
    Reader { name: "pon owned", read: pon_owned },
    Reader { name: "xml", read: xml },
    Reader { name: "xml events", read: xml_events },
    Reader { name: "json", read: json },
    Reader { name: "infoset", read: infoset },
    Reader { name: "tdxml", read: tdxml },
    Reader { name: "tdxml lookup", read: tdxml_lookup },
    Reader { name: "asn1 notation", read: asn1_notation },
    Reader { name: "asn1 value", read: asn1_value },
    Reader { name: "per", read: |input| asn1_message(input, asn1::Options::uper()) },
    Reader { name: "aligned per", read: |input| asn1_message(input, asn1::Options::aper()) },
    Reader { name: "oer", read: |input| asn1_message(input, asn1::Options::oer()) },
    Reader { name: "ber", read: |input| asn1_message(input, asn1::Options::ber()) },
    Reader { name: "jer", read: jer },
    Reader { name: "xsd", read: xsd },
    Reader { name: "x694", read: x694 },
    Reader { name: "xsd instance", read: xsd_instance },
    Reader { name: "x694 instance", read: x694_instance },
    Reader { name: "x694 templates", read: x694_templates },
    Reader { name: "wsdl", read: wsdl },
    Reader { name: "soap service", read: soap_service },
    Reader { name: "soap", read: soap },
    Reader { name: "soap templates", read: soap_templates },
    Reader { name: "http body", read: http_body },
    Reader { name: "frames", read: frames },
    Reader { name: "hexadecimal", read: |input| all_frames(input, &FrameOptions::default().with_hex(true)) },
    Reader { name: "capture", read: capture },
    Reader { name: "compressed", read: compressed },
];

fn tsf(input: &[u8]) -> Result<(), Error> {
    let read = [TypeSet::XML, TypeSet::JSON, TypeSet::VALUE].map(|types| {
        let options = tsf::Options::new(types).with_limits(LIMITS);
        tsf::read(input, &options, &mut Table::new()).map(drop)
    });
    let [xml, json, value] = read;
    xml.or(json).or(value)
}

fn pon(input: &[u8]) -> Result<(), Error> {
    pon::read(input, &pon::Options::default().with_limits(LIMITS), &mut Table::new()).map(drop)
}

fn pon_owned(input: &[u8]) -> Result<(), Error> {
    pon::OwnedValue::read(input, &pon::Options::default().with_limits(LIMITS)).map(drop)
}

fn xml(input: &[u8]) -> Result<(), Error> {
    text::xml::read(input, &text::xml::Options::default().with_limits(LIMITS), &mut Table::new()).map(drop)
}

fn xml_events(input: &[u8]) -> Result<(), Error> {
    let mut reader = text::xml::Reader::new(input, &text::xml::Options::default().with_limits(LIMITS))?;
    while reader.next_event()?.is_some() {}
    Ok(())
}

fn json(input: &[u8]) -> Result<(), Error> {
    text::json::read(input, &text::json::Options::default().with_limits(LIMITS), &mut Table::new()).map(drop)
}

/// The first byte chooses the encoding rules.
fn infoset(input: &[u8]) -> Result<(), Error> {
    let Some((&choice, message)) = input.split_first() else { return Ok(()) };
    let rules = crate::xml_shapes::RULES[usize::from(choice) % 3];
    infoset::read(message, &infoset::Options::of(rules).with_limits(LIMITS), &mut Table::new()).map(drop)
}

fn tdxml(input: &[u8]) -> Result<(), Error> {
    tdxml::read(input, &tdxml::Options::default().with_limits(LIMITS), &mut Table::new()).map(drop)
}

fn tdxml_lookup(input: &[u8]) -> Result<(), Error> {
    let options = tdxml::Options::default().with_limits(LIMITS);
    let lookup = tdxml::Lookup::new(input, &options)?;
    let found = lookup.get("/a/c[2]/d").map(drop);
    lookup.index().map(drop).and(found)
}

/// The text of an input, or that it is none.
fn text(input: &[u8]) -> &str {
    std::str::from_utf8(input).unwrap_or_else(|error| {
        let (good, _) = input.split_at(error.valid_up_to());
        std::str::from_utf8(good).unwrap_or_default()
    })
}

fn asn1_notation(input: &[u8]) -> Result<(), Error> {
    let schema = asn1::notation::parse_one(text(input), &LIMITS)?;
    Compiled::new(&schema).map(drop)
}

/// A module, in which `T` is the type, and what follows it.
fn with_module(input: &[u8]) -> Result<Option<(Compiled, &[u8])>, Error> {
    let mut parts = input.splitn(2, |byte| *byte == BETWEEN);
    let (Some(module), Some(rest)) = (parts.next(), parts.next()) else { return Ok(None) };
    let types = Compiled::new(&asn1::notation::parse_one(text(module), &LIMITS)?)?;
    Ok(Some((types, rest)))
}

fn asn1_message(input: &[u8], options: asn1::Options) -> Result<(), Error> {
    let Some((types, message)) = with_module(input)? else { return Ok(()) };
    let node = types.find("T")?;
    asn1::read_prefix(message, &types, node, &options.with_limits(LIMITS), &mut Values::new()).map(drop)
}

fn asn1_value(input: &[u8]) -> Result<(), Error> {
    let Some((types, value)) = with_module(input)? else { return Ok(()) };
    let node = types.find("T")?;
    asn1::notation::read_value(text(value), &types, Some(node), &LIMITS, &mut Values::new()).map(drop)
}

fn jer(input: &[u8]) -> Result<(), Error> {
    let Some((types, value)) = with_module(input)? else { return Ok(()) };
    let node = types.find("T")?;
    let mut table = Table::new();
    let document = text::json::read(value, &text::json::Options::default().with_limits(LIMITS), &mut table)?;
    asn1::jer::read(&document, &types, node, &LIMITS, &mut Values::new()).map(drop)
}

fn options() -> xsd::Options {
    xsd::Options::default().with_limits(LIMITS).with_documents(64).with_particles(1 << 14)
}

/// A schema of documents that zero bytes part; the first is `0.xsd`.
fn schema<'i>(texts: impl Iterator<Item = &'i [u8]>) -> Result<Schema, Error> {
    let numbered = texts.take(64).enumerate();
    let memory = numbered.fold(Memory::new(), |memory, (n, text)| memory.with(format!("{n}.xsd"), text));
    Schema::read_from(memory, "0.xsd", &options())
}

fn xsd(input: &[u8]) -> Result<(), Error> {
    schema(input.split(|byte| *byte == BETWEEN)).map(drop)
}

fn x694(input: &[u8]) -> Result<(), Error> {
    types(schema(input.split(|byte| *byte == BETWEEN))?).map(drop)
}

fn types(schema: Schema) -> Result<x694::xer::Types, Error> {
    x694::xer::Types::new(schema, &x694::mapping::Options::default())
}

/// A schema and an instance of it.
fn with_schema(input: &[u8]) -> Result<Option<(Schema, &[u8])>, Error> {
    let mut parts = input.splitn(2, |byte| *byte == BETWEEN);
    let (Some(text), Some(instance)) = (parts.next(), parts.next()) else { return Ok(None) };
    Ok(Some((schema(std::iter::once(text))?, instance)))
}

fn xsd_instance(input: &[u8]) -> Result<(), Error> {
    let Some((schema, instance)) = with_schema(input)? else { return Ok(()) };
    schema.validate(instance, &options())
}

fn x694_instance(input: &[u8]) -> Result<(), Error> {
    let Some((schema, instance)) = with_schema(input)? else { return Ok(()) };
    x694::xer::read(instance, &types(schema)?, &options(), &mut Values::new()).map(drop)
}

/// A schema and an instance of it, which comes again: the same, and changed in the middle.
fn x694_templates(input: &[u8]) -> Result<(), Error> {
    let Some((schema, instance)) = with_schema(input)? else { return Ok(()) };
    let (types, templates) = (types(schema)?, x694::xer::Templates::new(1 << 20));
    let middle = instance.len() / 2;
    let changed = [&instance[..middle], b" ", &instance[middle..]].concat();
    let mut read = Ok(());
    for text in [instance, instance, &changed, instance] {
        read = templates.read(&mut text.to_vec(), &types, &options()).map(drop);
    }
    read
}

/// A description, and one that it can import as `b`.
fn descriptions(input: &[u8]) -> Memory {
    let mut parts = input.splitn(2, |byte| *byte == BETWEEN);
    ["a", "b"].into_iter().fold(Memory::new(), |source, name| match parts.next() {
        Some(text) => source.with(name, text),
        None => source,
    })
}

fn wsdl(input: &[u8]) -> Result<(), Error> {
    Description::read_from(descriptions(input), "a", &options()).map(drop)
}

/// What all templates together may keep.
const KEPT: usize = 1 << 18;

/// A description with what it imports.
fn soap_service(input: &[u8]) -> Result<(), Error> {
    soap::Service::read(descriptions(input), "a", &options()).map(drop)
}

static SERVICE: LazyLock<soap::Service> = LazyLock::new(|| {
    let source = Memory::new().with("a", crate::soap_shapes::description());
    soap::Service::read(source, "a", &xsd::Options::default()).expect("a description")
});

fn soap(input: &[u8]) -> Result<(), Error> {
    x694::xer::read(input, SERVICE.types(), &options(), &mut Values::new()).map(drop)
}

/// Messages that zero bytes part.
fn soap_templates(input: &[u8]) -> Result<(), Error> {
    let templates = x694::xer::Templates::new(KEPT);
    let mut all = Ok(());
    for message in input.split(|byte| *byte == BETWEEN) {
        let read = templates.read(&mut message.to_vec(), SERVICE.types(), &options());
        all = all.and(read.map(drop));
    }
    all
}

/// The framings of files, which the first byte chooses.
pub(crate) const FRAMINGS: [Framing; 9] = [
    Framing::Ber,
    Framing::U16Be,
    Framing::U32Be,
    Framing::Fixed(1),
    Framing::HexLines,
    Framing::Lines,
    Framing::Json,
    Framing::Pon,
    Framing::Tsf,
];

/// All messages of a file. Some errors are of one message.
fn all_frames(input: &[u8], options: &FrameOptions) -> Result<(), Error> {
    let mut frames = Frames::new(input, &options.with_limits(LIMITS))?;
    let mut all = Ok(());
    loop {
        match frames.next_frame() {
            Ok(None) => return all,
            Ok(Some(_)) => {}
            Err(error) => all = all.and(Err(error)),
        }
    }
}

fn frames(input: &[u8]) -> Result<(), Error> {
    let Some((&framing, file)) = input.split_first() else { return Ok(()) };
    all_frames(file, &FrameOptions::default().with_framing(FRAMINGS[usize::from(framing) % FRAMINGS.len()]))
}

/// The port is 1; connections of TCP hold messages with a length of 16 bits.
fn capture(input: &[u8]) -> Result<(), Error> {
    let port = "1".parse().ok();
    let listed = lengthwise_frames::ports(input).map(drop);
    all_frames(input, &FrameOptions::default().with_port(port).with_framing(Framing::U16Be)).and(listed)
}

/// Without a dictionary, and with one of a sentence.
fn compressed(input: &[u8]) -> Result<(), Error> {
    static DICTIONARY: LazyLock<Option<Dictionary>> = LazyLock::new(|| {
        let sample = "a message that is compressed with a dictionary has the number of it";
        Dictionary::train(&[sample], Dictionary::LARGEST).ok()
    });
    let with = Decompressor::new(DICTIONARY.as_ref(), &LIMITS).read(input);
    Decompressor::new(None, &LIMITS).read(input).or(with).map(drop)
}

/// Bodies, whose head the first byte chooses.
pub(crate) const HEADS: [(&str, &str); 6] = [
    ("text/xml", "gzip"),
    ("text/xml", "deflate"),
    ("multipart/related; boundary=b; type=\"text/xml\"", ""),
    ("multipart/related; boundary=b; type=\"text/xml\"", "gzip"),
    ("text/xml; charset=utf-16", ""),
    ("text/xml; charset=iso-8859-1", ""),
];

/// In pieces of few bytes, as a client may send it.
fn http_body(input: &[u8]) -> Result<(), Error> {
    let Some((&head, body)) = input.split_first() else { return Ok(()) };
    let (content_type, coding) = HEADS[usize::from(head) % HEADS.len()];
    let broken = || Error::new(tam::ErrorKind::Syntax, "http", 0, "a body that is broken", "");
    let content = lengthwise_http::Content::of(content_type, coding).map_err(|_| broken())?;
    let mut decoder = lengthwise_http::Decoder::new(&content, &LIMITS, Vec::new());
    body.chunks(3).try_for_each(|piece| decoder.feed(piece)).map_err(|_| broken())?;
    decoder.finish().map(drop).map_err(|_| broken())
}
