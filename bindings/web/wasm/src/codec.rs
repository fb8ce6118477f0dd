//! Options, a schema, and what can be done with both.

#[cfg(feature = "asn1")]
use lengthwise::Schema;
use lengthwise::tam::{Builder, Document, Node, Step, Table, TypeSet, Vocabulary, json};
use lengthwise::{Error, ErrorKind, Format, Lengths, Limits, Options, Types};
use lengthwise_inspect::push_json_string;
use wasm_bindgen::prelude::*;

use crate::failure::{thrown, wrong};
use crate::inspection::Inspection;
use crate::rows::Rows;
use crate::units;

/// The names of the formats of this part, separated by spaces.
#[wasm_bindgen]
#[must_use]
pub fn formats() -> String {
    Format::ALL.iter().map(|format| format.as_str()).collect::<Vec<_>>().join(" ")
}

/// The format of a message, by how it begins. ASN.1's formats are never detected.
#[wasm_bindgen]
#[must_use]
pub fn detect(message: &[u8]) -> Option<String> {
    Format::sniff(message).map(|format| format.as_str().to_owned())
}

/// Reads and writes messages with options and, from the part `asn1` on, a schema.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Codec {
    #[cfg(feature = "asn1")]
    pub(crate) schema: Option<Schema>,
    lengths: Lengths,
    types: Option<Types<'static>>,
    sort_attributes: bool,
    pretty: bool,
    plain_xml: bool,
    canonical: bool,
    limits: Limits,
}

/// The format of a name.
fn format(name: &str) -> Result<Format, JsValue> {
    Format::from_name(name).ok_or_else(|| wrong(&format!("this part has no format '{name}'")))
}

#[wasm_bindgen]
impl Codec {
    /// Without a schema, with the default options.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Codec {
        Codec::default()
    }

    /// Goes back to the default options.
    pub fn reset(&mut self) {
        let default = Codec::default();
        (self.lengths, self.types, self.limits) = (default.lengths, default.types, default.limits);
        (self.sort_attributes, self.pretty, self.plain_xml, self.canonical) = (false, false, false, false);
    }

    /// Sets an option. Limits are `limit.` and their name.
    ///
    /// # Errors
    /// If there is no such option, or it does not allow the value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), JsValue> {
        let refused = || wrong(&format!("the option '{name}' does not allow '{value}'"));
        let flag = |text: &str| text.parse().map_err(|_| refused());
        match name {
            "lengths" => {
                self.lengths = match value {
                    "bytes" => Lengths::Bytes,
                    "chars" => Lengths::Chars,
                    _ => return Err(refused()),
                }
            }
            "types" => self.types = Some(Types::from_name(value).ok_or_else(refused)?),
            "sortAttributes" => self.sort_attributes = flag(value)?,
            "pretty" if cfg!(feature = "text") => self.pretty = flag(value)?,
            "plainXml" if cfg!(feature = "text") => self.plain_xml = flag(value)?,
            "canonical" if cfg!(feature = "asn1") => self.canonical = flag(value)?,
            _ => match name.strip_prefix("limit.").and_then(|limit| self.limits.named_mut(limit)) {
                Some(limit) => *limit = value.parse().map_err(|_| refused())?,
                None => return Err(wrong(&format!("this part has no option '{name}'"))),
            },
        }
        Ok(())
    }

    /// Reads a message as rows.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(&self, message: &[u8], from: &str) -> Result<Rows, JsValue> {
        let mut table = Table::new();
        let document = lengthwise::read(message, format(from)?, &self.reading(), &mut table).map_err(|e| thrown(&e))?;
        Rows::of(&document, message).map_err(|error| thrown(&error))
    }

    /// Writes units of a type set as a message.
    ///
    /// # Errors
    /// If the format cannot hold them.
    pub fn write(&self, listed: &[u8], types: &str, to: &str) -> Result<Vec<u8>, JsValue> {
        let types = Types::from_name(types).ok_or_else(|| wrong("a type set"))?;
        let to = format(to)?;
        let mut table = Table::new();
        let mut write = || {
            units::build(listed, types.set(), self.limits, &mut table)?;
            lengthwise::write(&table.document(listed, types.set()), to, &self.options().towards(to))
        };
        write().map_err(|error| thrown(&error))
    }

    /// Converts a message to another format.
    ///
    /// # Errors
    /// If it is invalid, or the format cannot hold it.
    pub fn convert(&self, message: &[u8], from: &str, to: &str) -> Result<Vec<u8>, JsValue> {
        lengthwise::convert(message, format(from)?, format(to)?, &self.options()).map_err(|error| thrown(&error))
    }

    /// Checks a message; the number of its units, or values.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn check(&self, message: &[u8], from: &str) -> Result<usize, JsValue> {
        lengthwise::check(message, format(from)?, &self.reading()).map_err(|error| thrown(&error))
    }

    /// The structure of a message, down to bits. An error in the message is part of the result.
    ///
    /// # Errors
    /// If there is no such format.
    pub fn inspect(&self, message: Vec<u8>, from: &str) -> Result<Inspection, JsValue> {
        Ok(Inspection::of(message, format(from)?, &self.reading()))
    }

    /// The path of the unit that a query finds, as [`Inspection`] has it.
    ///
    /// # Errors
    /// If the message is invalid, or nothing is found.
    pub fn find(&self, message: &[u8], from: &str, path: &str) -> Result<String, JsValue> {
        let mut table = Table::new();
        let found = lengthwise::read(message, format(from)?, &self.reading(), &mut table)
            .and_then(|document| place(&document, path).map(|node| node.path()));
        found.map_err(|error| thrown(&error))
    }

    /// The message with another value at a path. The value keeps its type.
    ///
    /// # Errors
    /// If the message is invalid, nothing is at the path, or the type does not allow the value.
    pub fn edit(&self, message: &[u8], from: &str, path: &str, text: &str) -> Result<Vec<u8>, JsValue> {
        self.edited(message, format(from)?, path, text).map_err(|error| thrown(&error))
    }
}

impl Codec {
    #[cfg(feature = "asn1")]
    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    /// The options for writing, and for reading what says its own type set.
    fn options(&self) -> Options<'_> {
        let mut options = self.reading();
        options.input_types = None;
        options
    }

    /// The options for reading alone.
    fn reading(&self) -> Options<'_> {
        let mut options = Options::default().with_lengths(self.lengths).with_limits(self.limits);
        options.sort_attributes = self.sort_attributes;
        (options.input_types, options.output_types) = (self.types, self.types);
        #[cfg(feature = "text")]
        {
            (options.pretty, options.plain_xml) = (self.pretty, self.plain_xml);
        }
        #[cfg(feature = "asn1")]
        {
            (options.canonical, options.schema) = (self.canonical, self.schema.as_ref());
        }
        options
    }

    fn edited(&self, message: &[u8], format: Format, path: &str, text: &str) -> Result<Vec<u8>, Error> {
        let (mut table, mut changed) = (Table::new(), Table::new());
        let options = self.reading();
        let document = lengthwise::read(message, format, &options, &mut table)?;
        let found = place(&document, path)?;
        if found.is_structured() {
            return Err(unsuitable("a unit that contains others", "a single value").in_path(path));
        }
        let value = replacement(&found, text);
        rebuild(&document, found.index(), &value, self.limits, &mut changed)?;
        let document = changed.document(b"", document.types());
        if document.types().vocabulary() != Vocabulary::Xml
            && document.walk().any(|step| {
                matches!(step, Step::Primitive(node) if matches!(json::Value::new(node), json::Value::Invalid(_)))
            })
        {
            return Err(unsuitable("a text that its type does not allow", "a value of the same type")
                .in_path(path));
        }
        let mut options = options;
        options.output_types = None;
        lengthwise::write(&document, format, &options)
    }
}

/// The unit at a path.
fn place<'d>(document: &'d Document<'_>, path: &str) -> Result<Node<'d>, Error> {
    document.get(path).map_err(|error| Error::new(ErrorKind::Schema, "path", 0, error.to_string(), ""))
}

fn unsuitable(found: &'static str, expected: &'static str) -> Error {
    Error::new(ErrorKind::Unsupported, "edit", 0, found, expected)
}

/// The new data of a unit: a string of JSON's own set is a token, with quotes.
fn replacement(place: &Node<'_>, text: &str) -> Vec<u8> {
    let mut value = Vec::new();
    match (place.document().types().vocabulary(), place.kind(), place.value().first()) {
        (Vocabulary::Json, _, Some(b'"')) => {
            let mut token = String::new();
            push_json_string(&mut token, text);
            value = token.into_bytes();
        }
        (Vocabulary::Value, b'?', _) => value.extend(text.get(..1).unwrap_or_default().bytes()),
        (Vocabulary::Value, b'*' | b'`', _) => value = units::octets(text).unwrap_or_else(|| text.into()),
        _ => value.extend_from_slice(text.as_bytes()),
    }
    value
}

/// The same document with other data in one unit.
fn rebuild(
    document: &Document<'_>,
    changed: usize,
    value: &[u8],
    limits: Limits,
    table: &mut Table<'_>,
) -> Result<(), Error> {
    let types: &TypeSet = document.types();
    // The list around a whole document of XML is a level of its own.
    let limits = Limits { depth: limits.depth.saturating_add(2), ..limits };
    let mut build = Builder::new(b"", types, limits, table);
    for step in document.walk() {
        match step {
            Step::Close(_) => build.close()?,
            Step::Open(node) if node.name().is_extended() && node.name().to_bytes().is_empty() => {
                build.open_empty_name(node.kind())?;
            }
            Step::Open(node) => build.open(node.kind(), &node.name().to_bytes())?,
            Step::Primitive(node) => {
                let data = if node.index() == changed { value } else { node.value() };
                if node.name().is_extended() && node.name().to_bytes().is_empty() {
                    build.primitive_empty_name(node.kind(), data)?;
                } else {
                    build.primitive(node.kind(), &node.name().to_bytes(), data)?;
                }
            }
        }
    }
    build.finish()
}
