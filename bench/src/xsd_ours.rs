//! Our side of documents that have a schema: mapped to ASN.1 when the program runs, sent under PER.

use std::{hint::black_box, io::Read, path::Path};

use asn1::{NodeId, Options, Value, Values};
use x694::{mapping, xer};

use crate::{alloc::allocations, compress::zlib, timing::Contestant};

/// A schema of XML, as the codecs use it.
pub(crate) struct Types {
    types: xer::Types,
    options: xsd::Options,
}

impl Types {
    /// Reads a schema, with all that it includes: documents of its folder and of those beside it.
    pub(crate) fn load(schema: &Path) -> Result<Types, tam::Error> {
        let options = xsd::Options::default();
        let unread =
            |error: std::io::Error| tam::Error::new(tam::ErrorKind::Io, "bench", 0, error.to_string(), "a schema");
        let around = schema.parent().and_then(Path::parent).unwrap_or(schema);
        let files = xsd::Files::beside(schema).and_then(|files| files.allow(around)).map_err(unread)?;
        let schema = xsd::Schema::read_from(files, &schema.to_string_lossy(), &options)?;
        Ok(Types { types: xer::Types::new(schema, &mapping::Options::default())?, options })
    }

    /// The values of a document, which is held against the schema.
    pub(crate) fn values<'v>(&'v self, xml: &'v [u8], values: &'v mut Values) -> Result<Value<'v>, tam::Error> {
        xer::read(xml, &self.types, &self.options, values)
    }

    fn read<'v>(
        &'v self,
        message: &'v [u8],
        root: NodeId,
        values: &'v mut Values,
        options: &Options,
    ) -> Result<Value<'v>, tam::Error> {
        asn1::read(message, self.types.compiled(), root, options, values)
    }

    /// A document's message. What is read from it is written as XML, which must have the same message.
    pub(crate) fn message(&self, xml: &[u8], options: &Options) -> Result<(Vec<u8>, NodeId), tam::Error> {
        let mut values = Values::new();
        let value = self.values(xml, &mut values)?;
        let (message, root) = (asn1::write(value, options)?, value.node_id());
        let mut values = Values::new();
        let value = self.read(&message, root, &mut values, options)?;
        let text = xer::write(value, &self.types)?;
        let mut values = Values::new();
        if asn1::write(self.values(&text, &mut values)?, options)? == message {
            return Ok((message, root));
        }
        Err(tam::Error::new(tam::ErrorKind::Schema, "bench", 0, "other values", "those that were written"))
    }

    /// Message into values; the room for them is kept.
    pub(crate) fn decoding<'a>(
        &'a self,
        name: &str,
        message: &'a [u8],
        root: NodeId,
        options: &'a Options,
    ) -> Contestant<'a> {
        let mut values = Values::new();
        let read = move || self.read(black_box(message), root, &mut values, options).map(|v| _ = black_box(&v)).is_ok();
        Contestant::new(name, read)
    }

    /// The same from a message under zlib.
    pub(crate) fn inflating<'a>(
        &'a self,
        name: &str,
        packed: &'a [u8],
        root: NodeId,
        options: &'a Options,
    ) -> Contestant<'a> {
        let (mut message, mut values) = (Vec::new(), Values::new());
        Contestant::new(name, move || {
            message.clear();
            let done = flate2::read::ZlibDecoder::new(black_box(packed)).read_to_end(&mut message).is_ok();
            done && self.read(&message, root, &mut values, options).map(|v| _ = black_box(&v)).is_ok()
        })
    }

    /// How often a first reading allocates, when there is no room yet.
    pub(crate) fn allocations(&self, message: &[u8], root: NodeId, options: &Options) -> u64 {
        let mut values = Values::new();
        allocations(|| _ = black_box(self.read(message, root, &mut values, options).is_ok()))
    }

    /// XML into a message, by way of values; room and buffer are kept.
    pub(crate) fn converting<'a>(&'a self, name: &str, xml: &'a [u8], options: &'a Options) -> Contestant<'a> {
        let (mut values, mut out) = (Values::new(), Vec::new());
        Contestant::new(name, move || {
            out.clear();
            let value = self.values(black_box(xml), &mut values);
            let done = value.is_ok_and(|value| asn1::append(value, options, &mut out).is_ok());
            black_box(&out);
            done
        })
    }

    /// Message into XML; room and buffer are kept.
    pub(crate) fn exporting<'a>(
        &'a self,
        name: &str,
        message: &'a [u8],
        root: NodeId,
        options: &'a Options,
    ) -> Contestant<'a> {
        let (mut values, mut out) = (Values::new(), Vec::new());
        Contestant::new(name, move || {
            out.clear();
            let value = self.read(black_box(message), root, &mut values, options);
            let done = value.is_ok_and(|value| xer::append(value, &self.types, &mut out).is_ok());
            black_box(&out);
            done
        })
    }
}

/// Values into a message; the buffer is kept.
pub(crate) fn encoding<'a>(name: &str, value: Value<'a>, options: &'a Options) -> Contestant<'a> {
    let mut out = Vec::new();
    Contestant::new(name, move || {
        out.clear();
        let done = asn1::append(black_box(value), options, &mut out).is_ok();
        black_box(&out);
        done
    })
}

/// The same, and the message under zlib.
pub(crate) fn deflating<'a>(name: &str, value: Value<'a>, options: &'a Options) -> Contestant<'a> {
    let mut out = Vec::new();
    Contestant::new(name, move || {
        out.clear();
        asn1::append(black_box(value), options, &mut out).is_ok() && !zlib(&out).is_empty()
    })
}
