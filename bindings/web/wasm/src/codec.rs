//! Options, a schema, and what can be done with both.

#[cfg(feature = "xsd")]
use std::fmt::Write;

#[cfg(feature = "asn1")]
use lengthwise::Schema;
#[cfg(feature = "asn1")]
use lengthwise::asn1::{Values, jer};
use lengthwise::tam::{Builder, Document, Node, Step, Table, TypeSet, Vocabulary, json};
use lengthwise::{BinaryCounts, Error, ErrorKind, Format, Limits, Options, Setting, Settings, Types};
use lengthwise_inspect::push_json_string;
use wasm_bindgen::prelude::*;

use crate::failure::{thrown, wrong};
#[cfg(feature = "text")]
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
    limits: Limits,
    /// Options by their names, which are those of [`Settings`].
    given: Vec<(String, String)>,
    /// What the last message did not have of what options name.
    warning: Option<String>,
}

/// Losses as a list in JSON.
#[cfg(feature = "xsd")]
fn listed(losses: &lengthwise::Losses) -> String {
    let mut out = String::from("[");
    for loss in losses {
        let place = &loss.first;
        let separator = if out.len() > 1 { "," } else { "" };
        let _ = write!(out, "{separator}{{\"kind\":\"{}\",\"count\":{},\"path\":", loss.kind, loss.count);
        push_json_string(&mut out, &place.path);
        let (line, column) = place.position.unzip();
        for (name, number) in [("offset", place.offset), ("line", line), ("column", column)] {
            if let Some(number) = number {
                let _ = write!(out, ",\"{name}\":{number}");
            }
        }
        out.push_str(",\"message\":");
        push_json_string(&mut out, &loss.to_string());
        out.push('}');
    }
    out.push(']');
    out
}

/// The names of members for binary data that have none.
#[cfg(feature = "text")]
fn warning(counts: &BinaryCounts, options: &Options<'_>) -> Option<String> {
    counts.unmet(options.binary_from_base64).map(|words| format!("binaryFromBase64: {words}"))
}

/// Only JSON has strings for binary data.
#[cfg(not(feature = "text"))]
fn warning(_: &BinaryCounts, _: &Options<'_>) -> Option<String> {
    None
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
        (self.limits, self.given, self.warning) = (Limits::DEFAULT, Vec::new(), None);
    }

    /// Sets an option. Limits are `limit.` and their name.
    ///
    /// # Errors
    /// If there is no such option, or it does not allow the value.
    pub fn set(&mut self, name: String, value: String) -> Result<(), JsValue> {
        if !name.starts_with("limit.") && Setting::from_name(&name).is_none() {
            return Err(wrong(&format!("this part has no option '{name}'")));
        }
        Settings::default().set(&name, &value).map_err(|error| thrown(&error))?;
        match name.strip_prefix("limit.").and_then(|limit| self.limits.named_mut(limit)) {
            Some(limit) => *limit = value.parse().unwrap_or(*limit),
            None => self.given.push((name, value)),
        }
        Ok(())
    }

    /// Reads a message as rows.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(&self, message: &[u8], from: &str) -> Result<Rows, JsValue> {
        let mut table = Table::new();
        let (from, settings) = (format(from)?, self.settings());
        let mut read = || {
            #[cfg(feature = "asn1")]
            if from.needs_schema() {
                // Octets are octets, and no digits.
                let (mut texts, mut values, options) =
                    (Table::new(), Values::new(), settings.options(Some(from), None)?);
                let value = lengthwise::read_value(message, from, None, &options, &mut texts, &mut values)?;
                return Rows::of(&jer::write_binary(value, &mut table)?, message);
            }
            let document = lengthwise::read(message, from, &settings.options(Some(from), None)?, &mut table)?;
            match document.types().vocabulary() {
                Vocabulary::Custom => Err(unsuitable("types of their own", "a message in another format: convert it")),
                _ => Rows::of(&document, message),
            }
        };
        read().map_err(|error| thrown(&error))
    }

    /// Writes units of a type set as a message.
    ///
    /// # Errors
    /// If the format cannot hold them.
    pub fn write(&mut self, listed: &[u8], types: &str, to: &str) -> Result<Vec<u8>, JsValue> {
        let types = Types::from_name(types).ok_or_else(|| wrong("a type set"))?;
        let to = format(to)?;
        let (mut table, settings) = (Table::new(), self.settings());
        let mut write = || {
            units::build(listed, types.set(), self.limits, &mut table)?;
            let options = settings.options(None, Some(to))?.towards(to);
            let mut out = Vec::new();
            let counts = lengthwise::append_counted(&table.document(listed, types.set()), to, &options, &mut out)?;
            Ok((out, warning(&counts, &options)))
        };
        let (out, warning) = write().map_err(|error: Error| thrown(&error))?;
        self.warning = warning;
        Ok(out)
    }

    /// Converts a message to another format.
    ///
    /// # Errors
    /// If it is invalid, or the format cannot hold it.
    pub fn convert(&mut self, message: &[u8], from: &str, to: &str) -> Result<Vec<u8>, JsValue> {
        let (from, to, settings) = (format(from)?, format(to)?, self.settings());
        let convert = || {
            let options = settings.options(Some(from), Some(to))?;
            let (out, counts) = lengthwise::convert_counted(message, from, to, &options)?;
            Ok((out, warning(&counts, &options)))
        };
        let (out, warning) = convert().map_err(|error: Error| thrown(&error))?;
        self.warning = warning;
        Ok(out)
    }

    /// What the message that was last written did not have of what options name: once.
    pub fn warning(&mut self) -> Option<String> {
        self.warning.take()
    }

    /// What a conversion to `converted` dropped or changed: JSON, as the package lists it.
    ///
    /// # Errors
    /// If the result cannot be read back.
    #[cfg(feature = "xsd")]
    pub fn losses(&self, message: &[u8], from: &str, converted: &[u8], to: &str) -> Result<String, JsValue> {
        let (from, to, settings) = (format(from)?, format(to)?, self.settings());
        let losses = settings
            .options(Some(from), Some(to))
            .and_then(|options| lengthwise::Losses::between(message, from, converted, to, &options));
        losses.map(|losses| listed(&losses)).map_err(|error| thrown(&error))
    }

    /// Checks a message; the number of its units, or values.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn check(&self, message: &[u8], from: &str) -> Result<usize, JsValue> {
        let (from, settings) = (format(from)?, self.settings());
        let options = settings.options(Some(from), None);
        options.and_then(|options| lengthwise::check(message, from, &options)).map_err(|error| thrown(&error))
    }

    /// The structure of a message, down to bits. An error in the message is part of the result.
    ///
    /// # Errors
    /// If there is no such format.
    #[cfg(feature = "text")]
    pub fn inspect(&self, message: Vec<u8>, from: &str) -> Result<Inspection, JsValue> {
        let (from, settings) = (format(from)?, self.settings());
        let options = settings.options(Some(from), None).map_err(|error| thrown(&error))?;
        Ok(Inspection::of(message, from, &options))
    }

    /// The path of the unit that a query finds, as an inspection has it.
    ///
    /// # Errors
    /// If the message is invalid, or nothing is found.
    pub fn find(&self, message: &[u8], from: &str, path: &str) -> Result<String, JsValue> {
        let (from, settings) = (format(from)?, self.settings());
        let find = || {
            let mut table = Table::new();
            let document = lengthwise::read(message, from, &settings.options(Some(from), None)?, &mut table)?;
            place(&document, path).map(|node| node.path())
        };
        find().map_err(|error| thrown(&error))
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

    fn settings(&self) -> Settings<'_> {
        let mut settings = Settings::default();
        settings.set_limits(self.limits);
        for (name, value) in &self.given {
            // They were taken before.
            let _ = settings.set(name, value);
        }
        #[cfg(feature = "asn1")]
        if let Some(schema) = &self.schema {
            settings.set_schema(schema);
        }
        settings
    }

    fn edited(&self, message: &[u8], format: Format, path: &str, text: &str) -> Result<Vec<u8>, Error> {
        let (mut table, mut changed) = (Table::new(), Table::new());
        if self.given.iter().any(|(name, _)| name.starts_with("from-")) {
            return Err(unsuitable("an option of the input alone", "'types' and 'lengths', which hold for both sides"));
        }
        let settings = self.settings();
        let mut options = settings.options(Some(format), Some(format))?;
        // One set of types and one unit of lengths, on both sides.
        (options.input_types, options.input_lengths) = (options.output_types.take(), options.output_lengths);
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
            Step::Open(node) => build.open_member(node.kind(), node.member_name().as_deref())?,
            Step::Primitive(node) => {
                let data = if node.index() == changed { value } else { node.value() };
                build.primitive_member(node.kind(), node.member_name().as_deref(), data)?;
            }
        }
    }
    build.finish()
}
