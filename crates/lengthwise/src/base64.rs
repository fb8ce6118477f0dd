//! Strings of base64 as binary data.

#[cfg(feature = "json")]
use std::collections::HashSet;

use tam::{Document, Error};
#[cfg(feature = "json")]
use tam::{ErrorKind, Name, Node, Row, Step, Vocabulary, Words};

use crate::{BinaryCounts, Options};

/// Which strings become binary data in PON, and in TSF of the type set `value`. Octets are written for the text, which is
/// a quarter less; JSON made of them has the text again.
#[cfg(feature = "json")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Base64<'s> {
    /// None: a string stays a string.
    #[default]
    Keep,
    /// Those that are likely to be base64: in its canonical form (RFC 4648, section 4: padded, no white space), at least
    /// 16 characters long, with letters of both cases, and with a digit or padding. So words, names, paths, numbers and
    /// hexadecimal digits stay strings, and so does base64 of few or uniform octets. What is read back from a binary value
    /// is the string, letter by letter.
    Likely,
    /// Those of the members with these names: their values, and the items of arrays that are their values. One that is
    /// not base64 is an error. White space between characters is dropped.
    Members(&'s [&'s str]),
}

#[cfg(feature = "json")]
impl BinaryCounts {
    /// In words, what was named and is no binary data: values of members that are not strings, and names that no string is a
    /// member of. `None` if there is nothing of that.
    ///
    /// ```
    /// use lengthwise::{Base64, Format, Options, convert_counted};
    ///
    /// # fn main() -> Result<(), lengthwise::Error> {
    /// let which = Base64::Members(&["octets", "image"]);
    /// let options = Options::default().with_binary_from_base64(which);
    /// let (_, counts) = convert_counted(br#"{"octets":"/9j/4A=="}"#, Format::Json, Format::Pon, &options)?;
    /// assert_eq!(counts.unmet(which).unwrap(), "no string in a member 'image'");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn unmet(&self, which: Base64<'_>) -> Option<String> {
        let Base64::Members(names) = which else { return None };
        let values = Words::Count(self.not_strings as u64, "values");
        let others = (self.not_strings > 0).then(|| format!("{values} of these members not converted: not a string"));
        let unused = names.iter().filter(|name| !self.members.contains_key(**name));
        let words = others.into_iter().chain(unused.map(|name| format!("no string in a member '{name}'")));
        Some(words.collect::<Vec<_>>().join("; ")).filter(|words| !words.is_empty())
    }
}

/// Writes a document whose strings are binary data where the options say so.
///
/// `is_input` is whether positions in the document are those in the input.
#[cfg(feature = "json")]
pub(crate) fn with_binary(
    document: &Document<'_>,
    options: &Options<'_>,
    is_input: bool,
    counts: &mut BinaryCounts,
    with: impl FnOnce(&Document<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if !options.decodes_base64() {
        return with(document);
    }
    if document.types().vocabulary() != Vocabulary::Value {
        let expected = "the type set value: the others have no binary data";
        return Err(Error::new(ErrorKind::Unsupported, FORMAT, 0, "a message of another type set", expected));
    }
    let decoded = Decoded::of(document, options.binary_from_base64);
    let decoded = decoded.map_err(|error| if is_input { error } else { error.met_in(FORMAT, 0) })?;
    counts.add(&decoded.counts);
    with(&decoded.document(document))
}

/// Without JSON there are no strings for binary data.
#[cfg(not(feature = "json"))]
pub(crate) fn with_binary(
    document: &Document<'_>,
    _: &Options<'_>,
    _: bool,
    _: &mut BinaryCounts,
    with: impl FnOnce(&Document<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    with(document)
}

/// The name of the format in errors.
#[cfg(feature = "json")]
const FORMAT: &str = "base64";

/// The rows of a document, and the texts beside its message, with octets in place of strings.
#[cfg(feature = "json")]
struct Decoded {
    rows: Vec<Row>,
    beside: Vec<u8>,
    counts: BinaryCounts,
}

#[cfg(feature = "json")]
impl Decoded {
    fn of(document: &Document<'_>, which: Base64<'_>) -> Result<Decoded, Error> {
        let (message, beside) = document.texts();
        let (rows, beside) = (document.rows().to_vec(), beside.to_vec());
        let mut decoded = Decoded { rows, beside, counts: BinaryCounts::default() };
        let names: Option<HashSet<&[u8]>> = match which {
            Base64::Members(names) => Some(names.iter().map(|name| name.as_bytes()).collect()),
            _ => None,
        };
        // Of each container: the member whose items its items are, if that has one of the names.
        let mut open: Vec<Option<Name<'_>>> = Vec::new();
        for step in document.walk() {
            let node = match step {
                Step::Open(node) | Step::Primitive(node) => node,
                Step::Close(_) => {
                    open.pop();
                    continue;
                }
            };
            let member = match node.name() {
                name if name.is_none() => open.last().copied().flatten(),
                name => names.as_ref().filter(|names| names.contains(&*name.to_bytes())).map(|_| name),
            };
            decoded.counts.not_strings += usize::from(member.is_some() && !b"['*~".contains(&node.kind()));
            if node.is_structured() {
                open.push(member.filter(|_| node.kind() == b'['));
                continue;
            }
            let Some(text) = node.text().ok().filter(|_| node.kind() == b'\'') else { continue };
            let at = message.len() + decoded.beside.len();
            let read = match (&names, member) {
                (None, _) if is_likely(text) => xml::base64::decode_canonical(text, &mut decoded.beside),
                (Some(_), Some(member)) => match xml::base64::decode(text, &mut decoded.beside) {
                    None => return Err(not_base64(node, member)),
                    octets => octets,
                },
                _ => None,
            };
            if read.is_some() {
                decoded.replace(node, at, message.len())?;
                if let Some(name) = member {
                    *decoded
                        .counts
                        .members
                        .entry(String::from_utf8_lossy(&name.to_bytes()).into_owned())
                        .or_default() += 1;
                }
            }
        }
        Ok(decoded)
    }

    /// Makes a string the octets that go from `at` to the end of the texts.
    fn replace(&mut self, node: Node<'_>, at: usize, message_len: usize) -> Result<(), Error> {
        let end = message_len + self.beside.len();
        if u32::try_from(end).is_err() {
            return Err(Error::limit(FORMAT, 0, "more octets", "message_bytes", u32::MAX.into()));
        }
        let row = node.row();
        let binary = node.document().types().class(b'*');
        let class = if row.has_extended_name() { binary | Row::EXTENDED_NAME } else { binary };
        if let Some(place) = self.rows.get_mut(node.index()) {
            *place = Row::new(class, row.name_at(), row.name_len(), at as u32, (end - at) as u32);
        }
        self.counts.strings += 1;
        Ok(())
    }

    fn document<'a>(&'a self, document: &Document<'a>) -> Document<'a> {
        let (first, roots) = document.root_rows();
        Document::from_rows(document.texts().0, &self.beside, &self.rows, first, roots, document.types())
    }
}

/// Characters that a string has at least.
#[cfg(feature = "json")]
const LEAST: usize = 16;

/// Whether a string is more likely to be base64 than anything else, if it can be decoded.
#[cfg(feature = "json")]
fn is_likely(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.as_bytes().iter().any(is);
    text.len() >= LEAST
        && text.len().is_multiple_of(4)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && (has(u8::is_ascii_digit) || text.ends_with('='))
}

#[cfg(feature = "json")]
#[cold]
fn not_base64(node: Node<'_>, member: Name<'_>) -> Error {
    let row = node.row();
    let in_message = |at: u32, len: u32| at as usize + len as usize <= node.document().texts().0.len();
    let at = match row.value_at() {
        at if in_message(at, row.len()) => at,
        _ if in_message(row.name_at(), row.name_len()) => row.name_at(),
        _ => 0,
    };
    let expected = Words::Own(format!("base64 in member '{}'", member.to_text().escape_debug()));
    Error::new(ErrorKind::Schema, FORMAT, at.into(), "a string that is not base64", expected).in_path(node.path())
}
