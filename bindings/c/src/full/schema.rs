//! Schemas, which are loaded once and used by any number of conversions.

use core::ffi::c_char;
use std::sync::Arc;

use lengthwise::text::xml::{self, Event, Reader};
use lengthwise::x694::mapping;
use lengthwise::xsd::{self, Memory};
use lengthwise::{Error, ErrorKind, Schema, soap};

use crate::full::error::{ErrorOut, unknown};
use crate::full::handle;
use crate::full::options::{self, OptionsIn};

/// A schema. Opaque. Any number of threads may use one.
#[derive(Debug)]
pub struct SchemaHandle(pub(crate) Arc<Schema>);

/// Loads an ASN.1 module in notation, `len` bytes of UTF-8. `root` is the type of messages; it may be NULL if there is
/// exactly one type that no other refers to. The limits in `options` apply to the notation; NULL means the defaults.
///
/// Returns the schema, for lengthwise_schema_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_schema_load(
    notation: *const c_char,
    len: usize,
    root: *const c_char,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut SchemaHandle {
    let load = || {
        let text = unsafe { bytes(notation, len) };
        let limits = unsafe { options::limits(options) }?;
        let schema = Schema::from_notation(&[("", text)], &limits).map_err(|fault| fault.error)?;
        match unsafe { word(root) }? {
            Some(root) => schema.with_root(root),
            None => Ok(schema),
        }
    };
    unsafe { handle::give(load().map(|schema| SchemaHandle(Arc::new(schema))), error) }
}

/// A file of a schema or a description: its name, by which others include it, and its content.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct FileIn {
    /// The name, which ends with a zero.
    pub name: *const c_char,
    /// The content.
    pub text: *const c_char,
    /// The number of bytes of the content.
    pub len: usize,
}

/// Loads a schema from `count` files: documents of an XML Schema, the first of them, then those that it includes or imports, by
/// their names or by their namespaces; a service described in WSDL 1.1 in the same way, whose messages are its SOAP envelopes;
/// or modules of ASN.1. `root` is the global element or the type of messages; it may be NULL if there is only one.
///
/// Returns the schema, for lengthwise_schema_free; or NULL, and fills `*error`, which may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_schema_load_files(
    files: *const FileIn,
    count: usize,
    root: *const c_char,
    options: *const OptionsIn,
    error: *mut ErrorOut,
) -> *mut SchemaHandle {
    let load = || {
        let files = unsafe { Files::of(files, count) }?;
        let limits = unsafe { options::limits(options) }?;
        let schema = if files.are_xml() {
            match files.read(&xsd::Options::default().with_limits(limits))? {
                Description::Schema(schema) => Schema::from_xsd(*schema, &mapping::Options::default())?,
                Description::Service(service) => Schema::from_service(*service),
            }
        } else {
            Schema::from_notation(&files.0, &limits).map_err(|fault| fault.error.in_path(fault.name))?
        };
        match unsafe { word(root) }? {
            Some(root) => schema.with_root(root),
            None => Ok(schema),
        }
    };
    unsafe { handle::give(load().map(|schema| SchemaHandle(Arc::new(schema))), error) }
}

/// What documents of XML describe.
pub(crate) enum Description {
    Schema(Box<xsd::Schema>),
    Service(Box<soap::Service>),
}

/// Files with their names.
pub(crate) struct Files<'f>(Vec<(&'f str, &'f [u8])>);

impl<'f> Files<'f> {
    pub(crate) unsafe fn of(files: *const FileIn, count: usize) -> Result<Files<'f>, Error> {
        let named = |file: &FileIn| {
            let name = unsafe { word(file.name) }?.unwrap_or_default();
            Ok((name, unsafe { bytes(file.text, file.len) }))
        };
        match unsafe { items(files, count) } {
            [] => Err(Error::new(ErrorKind::Schema, "any", 0, "no file", "the files of a schema or a description")),
            files => files.iter().map(named).collect::<Result<_, Error>>().map(Files),
        }
    }

    fn first(&self) -> &'f [u8] {
        self.0.first().map_or(&[], |(_, text)| text)
    }

    /// Whether they are documents of XML: they begin with a tag, or are in UTF-16.
    fn are_xml(&self) -> bool {
        let text = self.first().strip_prefix(b"\xEF\xBB\xBF").unwrap_or(self.first());
        matches!(text.trim_ascii_start(), [b'<' | 0xFE | 0xFF | 0, ..])
    }

    /// Reads a schema, or a description if the first file is no schema.
    pub(crate) fn read(&self, options: &xsd::Options) -> Result<Description, Error> {
        let source = self.0.iter().fold(Memory::new(), |source, (name, text)| source.with(*name, *text));
        let names: Vec<&str> = self.0.iter().map(|(name, _)| *name).collect();
        if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
            let found = format!("several files with the name '{}'", twice.1);
            return Err(Error::new(ErrorKind::Schema, "any", 0, found, "a name for each, by which others include it"));
        }
        match is_schema(self.first()) {
            true => xsd::Schema::read_all(source, &names, options).map(Box::new).map(Description::Schema),
            false => soap::Service::read_all(source, &names, options).map(Box::new).map(Description::Service),
        }
    }
}

/// Whether the root element of a document is `xs:schema`.
fn is_schema(text: &[u8]) -> bool {
    let Ok(mut reader) = Reader::new(text, &xml::Options::default()) else { return false };
    loop {
        match reader.next_event() {
            Ok(Some(Event::Start(tag))) => {
                let (prefix, local) = tag.name().split_once(':').unwrap_or(("", tag.name()));
                return local == "schema" && tag.declared(prefix) == Some(xsd::XSD_NAMESPACE);
            }
            Ok(Some(_)) => {}
            _ => return false,
        }
    }
}

/// Releases a schema. NULL is ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lengthwise_schema_free(schema: *mut SchemaHandle) {
    unsafe { handle::release(schema) };
}

/// The bytes at a pointer, which may be NULL if there are none.
pub(crate) unsafe fn bytes<'a>(at: *const c_char, len: usize) -> &'a [u8] {
    unsafe { items(at.cast(), len) }
}

/// The items at a pointer, which may be NULL if there are none.
pub(crate) unsafe fn items<'a, T>(at: *const T, count: usize) -> &'a [T] {
    if count == 0 { &[] } else { unsafe { core::slice::from_raw_parts(at, count) } }
}

/// A word that ends with a zero, or `None`.
pub(crate) unsafe fn word<'a>(at: *const c_char) -> Result<Option<&'a str>, lengthwise::Error> {
    if at.is_null() {
        return Ok(None);
    }
    let word = unsafe { core::ffi::CStr::from_ptr(at) }.to_str();
    word.map(Some).map_err(|_| unknown("other bytes", "a name in UTF-8"))
}
