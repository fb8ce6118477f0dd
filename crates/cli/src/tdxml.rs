//! TDXML: its flags, the registry, and reading one value without the rest.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use clap::Args as Group;
use lengthwise::tdxml::{Binary, DataSchema, Lookup, Options, Registry, Scheme};
use lengthwise::{Format, Limits};

use crate::args::{Common, TDXML};
use crate::choice::choice;
use crate::inputs::Input;
use crate::report::Failure;

/// How TDXML is written.
#[derive(Debug, Group)]
pub(crate) struct Flags {
    /// Layout of rows [default: whichever is smaller].
    #[arg(long, value_name = "SCHEME", help_heading = TDXML)]
    scheme: Option<SchemeArg>,
    /// Where binary data goes.
    ///
    /// With mime, base64 content goes to parts of a MIME message if the schema declares it as binary, or if every
    /// value of an element is 64 characters or more of base64.
    #[arg(long, value_name = "WHERE", default_value = "base64", help_heading = TDXML)]
    binary: BinaryArg,
    /// Drop comments, instructions and the DOCTYPE.
    #[arg(long, help_heading = TDXML)]
    drop_comments: bool,
    /// Also drop text after a child element (mixed content).
    ///
    /// Includes --drop-comments.
    #[arg(long, help_heading = TDXML)]
    drop_mixed: bool,
    /// Refer to schema ID of --registry instead of including a schema.
    #[arg(long, value_name = "ID", requires = "registry", help_heading = TDXML)]
    refer: Option<String>,
    /// Include the data schema of an XML Schema (-s) in the message.
    ///
    /// Otherwise the message has only its identifier, and reading it needs the same -s, or --registry.
    #[arg(long, help_heading = TDXML)]
    pub(crate) embed_schema: bool,
    /// Wrap the message in a SOAP envelope.
    ///
    /// If the input is a SOAP envelope, the table is that of the element in its body.
    #[arg(long, help_heading = TDXML)]
    soap: bool,
}

impl Flags {
    /// The options that the flags select.
    pub(crate) fn options(&self) -> Options<'static> {
        let scheme = self.scheme.map_or(Scheme::Smaller, |scheme| scheme.0);
        let mut options = reading().with_scheme(scheme).with_binary(self.binary.0).with_soap(self.soap);
        options.drop_comments = self.drop_comments;
        options.drop_mixed = self.drop_mixed;
        if let Some(schema) = self.refer.as_ref().and_then(|id| REGISTRY.get()?.get(id)) {
            (options.schema, options.by_reference) = (Some(&**schema), true);
        }
        options
    }

    /// # Errors
    /// If the registry has no schema of the given name.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match &self.refer {
            Some(id) if REGISTRY.get().is_none_or(|registry| registry.get(id).is_none()) => {
                Err(Failure::Usage(format!("--refer: the registry has no schema '{id}'")))
            }
            _ => Ok(()),
        }
    }
}

/// The schemas that messages may refer to, for the whole run.
static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// The options for reading, shared by all verbs.
pub(crate) fn reading() -> Options<'static> {
    let mut options = Options::default();
    options.registry = REGISTRY.get();
    options
}

/// Reads the schemas of `--registry`.
pub(crate) fn load(common: &Common) -> Result<(), Failure> {
    let Some(directory) = &common.registry else { return Ok(()) };
    let unread = |error| Failure::Io { path: directory.display().to_string(), doing: "read", error };
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(unread)? {
        paths.push(entry.map_err(unread)?.path());
    }
    paths.sort();
    let mut registry = Registry::new();
    for path in paths {
        if let Some((id, schema)) = schema(&path, &common.limits())?
            && registry.insert(id.clone(), schema).is_some()
        {
            return Err(Failure::Usage(format!("--registry: {} has a second schema '{id}'", directory.display())));
        }
    }
    let _ = REGISTRY.set(registry);
    Ok(())
}

/// The schema in a file: in notation, named by the file without its extension; or in a message, if it has an identifier
/// there.
fn schema(path: &Path, limits: &Limits) -> Result<Option<(String, DataSchema)>, Failure> {
    let input = Input::File(path.to_owned());
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if !path.is_file() || !matches!(ending, "ds" | "tdxml") {
        return Ok(None);
    }
    let bytes = input.bytes(limits)?;
    let failed = |error| Failure::bad(&input, error, &bytes);
    if ending == "tdxml" {
        let options = Options::default().with_limits(*limits);
        let schema = lengthwise::tdxml::schema_of(&bytes, &options).map_err(failed)?;
        return Ok(schema.id().map(str::to_owned).map(|id| (id, schema)));
    }
    let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some((id, DataSchema::read(&text, limits).map_err(failed)?)))
}

/// The data schema of a message, as the verb `schema` prints it.
pub(crate) fn notation(input: &Input, bytes: &[u8], limits: &Limits) -> Result<String, Failure> {
    let options = reading().with_limits(*limits);
    let schema = lengthwise::tdxml::schema_of(bytes, &options).map_err(|error| Failure::bad(input, error, bytes))?;
    Ok(format!("{schema}\n"))
}

/// The path in numbers of each unit's row, in the order of the units. The message has been read.
pub(crate) fn paths(bytes: &[u8], options: &lengthwise::Options<'_>) -> Vec<Option<String>> {
    let registry = lengthwise::referred(bytes, options).ok().flatten();
    let tables = options.tables.with_limits(options.limits);
    let tables = registry.as_ref().map_or(tables, |registry| tables.with_registry(registry));
    Lookup::new(bytes, &tables).and_then(|rows| rows.paths()).unwrap_or_default()
}

/// Whether an input is a message whose data schema can be printed.
pub(crate) fn is_message(path: &Path, bytes: &[u8]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ending.eq_ignore_ascii_case("tdxml") || ending.is_empty() && Format::sniff(bytes) == Some(Format::Tdxml)
}

choice! {
    /// A scheme, as `--scheme` names it.
    SchemeArg(Scheme):
        Scheme::Aggregated => "aggregated", "one row per value, with its path";
        Scheme::Grouped => "grouped", "one row per record, paths in the schema";
}

choice! {
    /// A place for binary data, as `--binary` names it.
    BinaryArg(Binary):
        Binary::Base64 => "base64", "as base64, in the row";
        Binary::Mime => "mime", "unchanged, in parts of a multipart/related message";
}
