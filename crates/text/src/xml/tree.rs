//! From events to a document.

use tam::{Builder, Document, Error, Row, Table, TypeSet, Words};

use super::Options;
use super::reader::{Attribute, Found, Reader, Span, Within};

/// Reads an XML document into a table (the XML vocabulary: [`TypeSet::XML`]).
///
/// * An element is a `<`. Its attributes, if it has any, are an unnamed list `=`, its first child,
///   of named `[`.
/// * Text is an unnamed `[`: everything between two tags, comments, instructions or CDATA
///   sections is one unit, references resolved. A CDATA section is a `]`.
/// * A reference to an entity whose text is not read is an unnamed `&` with the entity's name, if
///   [`Options::entity_references`] keeps it; the type set is then [`TypeSet::XML_REFERENCES`].
/// * A comment is a `+`, a processing instruction a `?` (its data is the target, a space and the
///   data, or the target alone), the DOCTYPE a `!` (the text between `<!DOCTYPE ` and `>`).
/// * The root element is the document, unless there is anything outside of it: then an unnamed `=`
///   holds everything. White space outside the root element and the XML declaration are dropped.
///
/// Names and values stay in the input where that is UTF-8 or ASCII and holds them as they should
/// be read; other ones are copied into the table.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let mut table = lengthwise_tam::Table::new();
/// let document = lengthwise_text::xml::read(b"<a b='1'>two</a>", &lengthwise_text::xml::Options::default(), &mut table)?;
/// assert_eq!(document.get("/a/@b").unwrap().value(), b"1");
/// assert_eq!(document.get("/a/text()").unwrap().value(), b"two");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the document is not well-formed (kind syntax), ends before its root element does
/// (incomplete), exceeds a limit, or needs what is outside it or in an unknown encoding
/// (unsupported). The error has byte, line, column and path.
pub fn read<'a>(input: &'a [u8], options: &Options, table: &'a mut Table<'_>) -> Result<Document<'a>, Error> {
    read_by(Reader::new(input, options)?, input, options, table, true)
}

/// The same by a reader at the start of the document, with the DOCTYPE or without it.
pub(crate) fn read_by<'a>(
    mut reader: Reader<'_>,
    input: &'a [u8],
    options: &Options,
    table: &'a mut Table<'_>,
    with_doctype: bool,
) -> Result<Document<'a>, Error> {
    // Decoded text does not outlast the reader.
    let message = if reader.is_in_place() { input } else { b"" };
    let places = Places::new(&reader, input);
    let mut builder = Builder::new(message, TypeSet::XML, levels(options), table);
    let types = build(&mut reader, &mut builder, places, options, with_doctype).map_err(|error| {
        let path = builder.path();
        // The list around everything is no step of a path.
        error.in_path(path.strip_prefix("/0").unwrap_or(&path).to_owned())
    })?;
    builder.finish().map_err(|error| error.met_in("xml", input.len() as u64))?;
    let document = table.document(message, TypeSet::XML);
    let (first, count) = document.root_rows();
    let (used, list) = (document.units() as u32, document.rows().get(first as usize).copied());
    // Content outside of the root element is known only at the end, and with it the position of the list.
    if let Some(list) = list.filter(|list| count == 1 && list.len() == 1) {
        table.fill(used - 1, list.value_at(), 1);
    } else if used > options.limits.units {
        return Err(too_many(options, input.len() as u64));
    }
    Ok(table.document(message, types))
}

/// The reader counts elements; attribute lists and the list around everything come on top.
fn levels(options: &Options) -> tam::Limits {
    tam::Limits {
        depth: options.limits.depth.saturating_add(2),
        units: options.limits.units.saturating_add(1),
        ..options.limits
    }
}

/// Builds the rows; the type set of the document.
fn build(
    reader: &mut Reader<'_>,
    builder: &mut Builder<'_, '_, '_>,
    places: Places,
    options: &Options,
    with_doctype: bool,
) -> Result<&'static TypeSet, Error> {
    builder.open(b'=', b"")?;
    let (mut joined, mut types) = (Vec::new(), TypeSet::XML);
    loop {
        let found = reader.advance()?;
        let result = match found {
            Found::Start => start(reader, builder, places),
            Found::End => builder.close(),
            Found::Text => primitive(reader, builder, places, b'['),
            Found::CData => primitive(reader, builder, places, b']'),
            Found::Comment => primitive(reader, builder, places, b'+'),
            Found::Doctype if !with_doctype => Ok(()),
            Found::Doctype => primitive(reader, builder, places, b'!'),
            Found::EntityReference => {
                types = TypeSet::XML_REFERENCES;
                primitive(reader, builder, places, b'&')
            }
            Found::Instruction => instruction(reader, builder, &mut joined),
            Found::Nothing | Found::Failed | Found::Over => break,
        };
        result.map_err(|error| placed(reader, &error, options))?;
    }
    builder.close().map(|()| types)
}

/// How pieces of the text that is read become places in the message.
#[derive(Clone, Copy)]
struct Places {
    /// Where the document's text starts in the message, if it lies in it.
    text_at: Option<u32>,
}

impl Places {
    fn new(reader: &Reader<'_>, input: &[u8]) -> Places {
        let text = reader.bytes(Span::frame(0, 0));
        let text_at = text.as_ptr().addr().wrapping_sub(input.as_ptr().addr());
        Places { text_at: reader.is_in_place().then_some(text_at as u32) }
    }

    /// The place of a piece, if it lies in the message.
    #[inline(always)]
    fn in_message(self, reader: &Reader<'_>, span: Span) -> Option<u32> {
        let text_at = self.text_at?;
        (span.source == Within::Frame && reader.in_document()).then_some(text_at + span.start)
    }

    /// The place of a piece, which is copied if it does not lie in the message.
    #[inline(always)]
    fn of(self, reader: &Reader<'_>, builder: &mut Builder<'_, '_, '_>, span: Span) -> Result<u32, Error> {
        match self.in_message(reader, span) {
            Some(at) => Ok(at),
            None => builder.place(reader.bytes(span)),
        }
    }
}

/// The class of a type of the set.
const fn class(kind: u8) -> u16 {
    TypeSet::XML_REFERENCES.class(kind)
}

#[inline(always)]
fn primitive(reader: &Reader<'_>, builder: &mut Builder<'_, '_, '_>, places: Places, kind: u8) -> Result<(), Error> {
    let at = places.of(reader, builder, reader.data)?;
    builder.primitive_row(Row::new(class(kind), 0, 0, at, reader.data.len()))
}

/// XML names hold no type of the set and begin with no digit: rows refer to them unchanged.
#[inline(always)]
fn start(reader: &Reader<'_>, builder: &mut Builder<'_, '_, '_>, places: Places) -> Result<(), Error> {
    check_name(reader.name)?;
    let at = places.of(reader, builder, reader.name)?;
    builder.open_row(Row::new(class(b'<'), at, reader.name.len(), 0, 0))?;
    if reader.attributes.is_empty() {
        return Ok(());
    }
    let list = Row::new(class(b'='), 0, 0, 0, 0);
    let mut all_in_message = true;
    for attribute in &reader.attributes {
        check_name(attribute.name)?;
        all_in_message &= attribute.name.source == Within::Frame && attribute.value.source == Within::Frame;
    }
    if let Some(text_at) = places.text_at
        && all_in_message
        && reader.in_document()
    {
        let row = |Attribute { name, value }: &Attribute| {
            Row::new(class(b'['), text_at + name.start, name.len(), text_at + value.start, value.len())
        };
        return builder.list_rows(list, reader.attributes.iter().map(row));
    }
    builder.open_row(list)?;
    for Attribute { name, value } in &reader.attributes {
        let (name_at, value_at) = (places.of(reader, builder, *name)?, places.of(reader, builder, *value)?);
        builder.primitive_row(Row::new(class(b'['), name_at, name.len(), value_at, value.len()))?;
    }
    builder.close()
}

#[inline(always)]
fn check_name(name: Span) -> Result<(), Error> {
    if name.len() as usize <= Row::MAX_NAME {
        return Ok(());
    }
    Err(Error::limit("xml", 0, "a longer name", "name", Row::MAX_NAME as u64))
}

fn instruction(reader: &Reader<'_>, builder: &mut Builder<'_, '_, '_>, joined: &mut Vec<u8>) -> Result<(), Error> {
    let (target, data) = (reader.bytes(reader.name), reader.bytes(reader.data));
    if data.is_empty() {
        return builder.primitive(b'?', b"", target);
    }
    joined.clear();
    joined.extend_from_slice(target);
    joined.push(b' ');
    joined.extend_from_slice(data);
    builder.primitive(b'?', b"", joined)
}

/// An error of the builder, which knows no place, and counts the list around everything.
#[cold]
fn placed(reader: &Reader<'_>, error: &Error, options: &Options) -> Error {
    let units = Words::AtMost(u64::from(options.limits.units) + 1, "units");
    let expected =
        if *error.expected() == units { too_many(options, 0).expected().clone() } else { error.expected().clone() };
    reader.error(error.kind(), error.found().clone(), expected)
}

#[cold]
fn too_many(options: &Options, at: u64) -> Error {
    Error::limit("xml", at, "one more unit", "units", options.limits.units.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The document in one line: kind, name, then what is inside.
    fn shown(input: &[u8]) -> String {
        let mut table = Table::new();
        let document = match read(input, &Options::default(), &mut table) {
            Ok(document) => document,
            Err(error) => return error.to_string(),
        };
        let mut out = String::new();
        for step in document.walk() {
            match step {
                tam::Step::Open(node) => out.push_str(&format!("({}{} ", node.name(), char::from(node.kind()))),
                tam::Step::Primitive(node) => {
                    let text = String::from_utf8_lossy(node.value());
                    out.push_str(&format!("{}{}{text:?} ", node.name(), char::from(node.kind())));
                }
                tam::Step::Close(_) => out.push(')'),
            }
        }
        out
    }

    #[test]
    fn documents_have_the_shape_that_the_format_page_gives() {
        for (xml, expected) in [
            ("<project></project>", "(project< )"),
            (
                "<p:a xmlns:p=\"urn:foo\"><p:b id=\"Boss\"/></p:a>",
                "(p:a< (= xmlns:p[\"urn:foo\" )(p:b< (= id[\"Boss\" )))",
            ),
            (
                "<?xml version='1.0'?>\n<?peri rset?><!--Introduction--><project>content</project><!--Epilog--><?peri sset?>\n",
                "(= ?\"peri rset\" +\"Introduction\" (project< [\"content\" )+\"Epilog\" ?\"peri sset\" )",
            ),
            (
                "<!-- comment --><!DOCTYPE doc [<!ELEMENT doc (#PCDATA)>\n]><doc/>",
                "(= +\" comment \" !\"doc [<!ELEMENT doc (#PCDATA)>\\n]\" (doc< ))",
            ),
            ("<a>x&lt;y<![CDATA[&z]]>w\r\nv</a>", "(a< [\"x<y\" ]\"&z\" [\"w\\nv\" )"),
            (
                "<!DOCTYPE a [<!ENTITY e 'x<b>&#38;#60;</b>'><!ATTLIST a k NMTOKENS ' 1  2 ' l CDATA #IMPLIED>]><a l='\t&e2;'/>",
                "syntax at byte 102 (line 1, column 103): found '&e2;', an undeclared entity, expected a declared entity",
            ),
            (
                "<!DOCTYPE a [<!ENTITY e 'x<b>&#38;#60;</b>y'><!ATTLIST a k NMTOKENS ' 1  2 ' l CDATA #IMPLIED>]><a l='\t&lt;'>0&e;z</a>",
                "(= !\"a [<!ENTITY e 'x<b>&#38;#60;</b>y'><!ATTLIST a k NMTOKENS ' 1  2 ' l CDATA #IMPLIED>]\" (a< (= l[\" <\" k[\"1 2\" )[\"0x\" (b< [\"<\" )[\"yz\" ))",
            ),
        ] {
            assert_eq!(shown(xml.as_bytes()), expected, "{xml}");
        }
    }
}
