//! Documents without anything outside them.

use std::borrow::Cow;

use tam::{Error, Table};

use super::reader::Found;
use super::tree::read_by;
use super::{Options, Reader, Source, write};

/// The document with everything written into it that its DOCTYPE takes from elsewhere: the text of external entities, and
/// the attribute defaults, attribute types and entities of the external subset.
///
/// The result has no DOCTYPE, no XML declaration and is in UTF-8: entities are replaced by their texts, defaults are
/// attributes. What only a DOCTYPE can say is lost: notations, unparsed entities, content models, and which attributes are
/// identifiers. A document that refers to nothing outside it is lent as it is.
///
/// `base` is the document's own name, which its system identifiers are relative to.
///
/// ```
/// # use ::tam as lengthwise_tam;
/// use lengthwise_text::xml::{self, Memory, Options};
///
/// # fn main() -> Result<(), lengthwise_tam::Error> {
/// let files = Memory::new().with("dtd/order.dtd", "<!ATTLIST order currency CDATA 'EUR'><!ENTITY sign 'Ann'>");
/// let document = b"<!DOCTYPE order SYSTEM '../dtd/order.dtd'><order>&sign;</order>";
/// let alone = xml::standalone(document, Some("in/order.xml"), &Options::default(), &files)?;
/// assert_eq!(&*alone, br#"<order currency="EUR">Ann</order>"#);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of [`read`](super::read()), and of kind io for what `source` cannot load. They have the offset of the reference in
/// the document, and name the file and the place in it.
pub fn standalone<'a>(
    input: &'a [u8],
    base: Option<&str>,
    options: &Options,
    source: &(dyn Source + Sync),
) -> Result<Cow<'a, [u8]>, Error> {
    // Without its DOCTYPE, no document may have references.
    let options = &options.with_entity_references(false);
    let reader = Reader::new(input, options)?.with_entities(source, base);
    if !refers_outside(input, options) {
        return Ok(Cow::Borrowed(input));
    }
    let mut table = Table::new();
    let document = read_by(reader, input, options, &mut table, false)?;
    Ok(Cow::Owned(write(&document, options)?))
}

/// Whether a document has an external subset or declares external entities, or its prolog is not well-formed.
fn refers_outside(input: &[u8], options: &Options) -> bool {
    let Ok(mut reader) = Reader::new(input, options) else {
        return true;
    };
    loop {
        match reader.advance() {
            Ok(Found::Comment | Found::Instruction) => {}
            Ok(_) => return reader.dtd.is_some_and(|dtd| dtd.refers_outside),
            Err(_) => return true,
        }
    }
}
