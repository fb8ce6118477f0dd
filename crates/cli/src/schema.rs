//! Schemas: read for the other verbs, and printed as understood.

mod page;

use std::path::{Path, PathBuf};

use lengthwise::asn1::notation;
use lengthwise::asn1::schema::{self as model, Meaning};
use lengthwise::x694::mapping::{self, LeftOut, Mapping};
use lengthwise::{Error, ErrorKind, Format, Schema};
use lengthwise_compress::Method;
use lengthwise_frames::Framing;

use crate::applies::{self, Task, Verb};
use crate::args::{Common, SchemaVerb, Verb as ChosenVerb};
use crate::inputs::{Input, Inputs, format_by_ending, is_standard};
use crate::line::Line;
use crate::output::{Standard, write_file};
use crate::report::{Failure, Status, note};
use crate::service::{self, Described};
use crate::tables;
use crate::tdxml;
use crate::xml_schema::{self, XmlSchema};

/// Replaces directories among the schemas by the modules in them.
pub(crate) fn list_directories(verb: &mut ChosenVerb) -> Result<(), Failure> {
    if let ChosenVerb::Schema(args) = verb {
        args.inputs = listed(&args.inputs)?;
        let more = args.inputs.split_off(1.min(args.inputs.len()));
        args.common.schema.splice(0..0, more);
    }
    let common = verb.common_mut();
    common.schema_is_directory = common.schema.first().is_some_and(|path| path.is_dir());
    common.schema = listed(&common.schema)?;
    Ok(())
}

fn listed(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let bad = |error: &dyn std::fmt::Display| Failure::Usage(format!("{}: {error}", path.display()));
        let mut inside = Vec::new();
        for entry in path.read_dir().map_err(|error| bad(&error))? {
            let file = entry.map_err(|error| bad(&error))?.path();
            if Input::File(file.clone()).is_notation() {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(bad(&"no ASN.1 modules (.asn, .asn1) in this directory"));
        }
        inside.sort();
        files.append(&mut inside);
    }
    Ok(files)
}

/// The schema given by the flags, if any.
pub(crate) fn from_flags(common: &Common) -> Result<Option<Schema>, Failure> {
    if common.schema.is_empty() {
        return match &common.root {
            None => Ok(None),
            Some(_) => Err(Failure::Usage("--root needs a schema: name one with -s".to_owned())),
        };
    }
    if let Some(service) = service::readable(common)? {
        return rooted(Schema::from_service(service), common).map(Some);
    }
    if let Some(schema) = xml_schema::from_flags(common)? {
        return schema.to_schema(common).map(Some);
    }
    let inputs: Vec<Input> = common.schema.iter().map(|path| Input::File(path.clone())).collect();
    let schema = read(&inputs, common)?;
    let schema =
        if common.root.is_none() && inputs.len() > 1 { rooted_in_first(schema, &inputs, common)? } else { schema };
    rooted(schema, common).map(Some)
}

/// The schema whose messages are of the type that the first file leaves open, if the files were named one by one.
fn rooted_in_first(schema: Schema, inputs: &[Input], common: &Common) -> Result<Schema, Failure> {
    let (Some(first), false, Err(_)) = (inputs.first(), common.schema_is_directory, schema.root()) else {
        return Ok(schema);
    };
    let Ok(model) = notation::parse(&[("", bytes(first, common)?)], &common.limits()) else { return Ok(schema) };
    let modules: Vec<&str> = model.modules.iter().map(|module| &module.name[..]).collect();
    Ok(schema.with_root_in(&modules))
}

/// The schema with the root given by `--root`.
pub(crate) fn rooted(schema: Schema, common: &Common) -> Result<Schema, Failure> {
    let Some(name) = &common.root else { return Ok(schema) };
    let near = near(&schema, name);
    schema.with_root(name).map_err(|error| Failure::Usage(format!("--root: {}{near}", error.found())))
}

/// The names of types that are like one, as the end of an error.
fn near(schema: &Schema, name: &str) -> String {
    const SHOWN: usize = 5;
    const LIKE: f64 = 0.8;
    let own = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let like = |other: &str| strsim::jaro_winkler(&own, &other.to_lowercase());
    let mut near: Vec<(f64, &str)> =
        schema.types().types().map(|(_, other, _)| (like(other), other)).filter(|(like, _)| *like > LIKE).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup();
    near.truncate(SHOWN);
    match near.iter().map(|(_, name)| *name).collect::<Vec<_>>() {
        names if names.is_empty() => String::new(),
        names => format!(" (similar: {})", names.join(", ")),
    }
}

/// Checks that the schema suits reading and writing a format.
pub(crate) fn suits(schema: Option<&Schema>, format: Format) -> Result<(), Failure> {
    suits_both(schema, format, format)
}

/// Checks that the schema suits reading one format and writing another.
pub(crate) fn suits_both(schema: Option<&Schema>, from: Format, to: Format) -> Result<(), Failure> {
    let Some(format) = [from, to].into_iter().find(|format| format.needs_schema()) else { return Ok(()) };
    let Some(schema) = schema else {
        let infoset = Format::ALL.iter().find(|other| other.is_infoset() && other.rules() == format.rules());
        let infoset = infoset.map_or(String::new(), |other| format!(" (for an infoset use {other})"));
        return Err(Failure::Usage(format!(
            "{format} needs a schema: name one with -s SCHEMA.asn1 or SCHEMA.xsd{infoset}"
        )));
    };
    // Value notation may include the type, and an XML instance does.
    match from == Format::Asn1 || from == Format::Xml && schema.xml().is_some() {
        true => Ok(()),
        false => has_root(schema),
    }
}

/// Checks that the type of messages is known.
pub(crate) fn has_root(schema: &Schema) -> Result<(), Failure> {
    schema.root().map(|_| ()).map_err(|error| {
        Failure::Usage(format!("the schema has {}: select the type of the messages with --root", error.found()))
    })
}

/// Reads modules from files.
fn read(inputs: &[Input], common: &Common) -> Result<Schema, Failure> {
    let mut texts = Vec::with_capacity(inputs.len());
    for input in inputs {
        texts.push((input.name(), bytes(input, common)?));
    }
    let sources: Vec<(&str, &[u8])> = texts.iter().map(|(name, text)| (name.as_str(), text.as_slice())).collect();
    let schema = Schema::from_notation(&sources, &common.limits()).map_err(|error| {
        let (input, text) = (inputs.get(error.index), texts.get(error.index));
        let (Some(input), Some((_, text))) = (input, text) else { return Failure::Usage(error.to_string()) };
        let found = error.error.found().to_string();
        let is_module = found.starts_with("module ") && found.contains(" not found");
        let failure = Failure::bad(input, error.error, text);
        if is_module { failure.with_hint("add the file of that module with -s") } else { failure }
    })?;
    if !common.quiet {
        schema.model().warnings.iter().for_each(|warning| note(&warning.to_string()));
    }
    Ok(schema)
}

/// The bytes of a schema, which may not be UTF-8 in comments.
fn bytes(input: &Input, common: &Common) -> Result<Vec<u8>, Failure> {
    let bytes = input.bytes(&common.limits())?;
    if let Some(method) = Method::sniff(&bytes) {
        let found = format!("a file that is compressed by {method}");
        let error = Error::new(ErrorKind::Unsupported, "asn1", 0, found, "a schema that is not compressed");
        return Err(Failure::bad(input, error, &[]));
    }
    let is_xml = bytes.trim_ascii_start().starts_with(b"<");
    if let Some(kind) = other_kind(input).or(is_xml.then_some("an XML document")) {
        let error = Error::new(ErrorKind::Unsupported, "asn1", 0, kind, "an ASN.1 module");
        return Err(Failure::bad(input, error, &[]).with_hint(
            "this needs ASN.1 modules (.asn1); `lengthwise schema FILE.xsd` prints those of an XML Schema",
        ));
    }
    Ok(bytes)
}

/// Describes a file by its name, if it is a schema of another kind.
fn other_kind(input: &Input) -> Option<&'static str> {
    let Input::File(path) = input else { return None };
    let ending = path.extension()?.to_str()?;
    let is = |other: &str| ending.eq_ignore_ascii_case(other);
    match ending {
        _ if is("xsd") => Some("an XML Schema"),
        _ if is("wsdl") => Some("a WSDL description"),
        _ => None,
    }
}

/// The verb `schema`.
pub(crate) fn run(args: &SchemaVerb) -> Result<Status, Failure> {
    let common = &args.common;
    let files = [&args.inputs[..], &common.schema].concat();
    applies::check_with(common, &files, Task { verb: Verb::Schema, from: None, to: None })?;
    let Some(input) = args.inputs.first().map(|path| Input::named(path)) else { return Ok(Status::Done) };
    let output = args.output.as_deref().filter(|path| !is_standard(path));
    if let Some(kind) = output.and_then(|path| other_kind(&Input::File(path.to_owned()))) {
        let words = "`schema` writes ASN.1 notation (.asn1), or a data schema of TDXML (.ds)";
        return Err(Failure::Usage(format!("{kind} is not written: {words}")));
    }
    let imported = common.schema.iter().map(|path| Input::File(path.clone()));
    let inputs: Vec<Input> = [input.clone()].into_iter().chain(imported).collect();
    inputs.iter().try_for_each(|input| common.refuse_overwriting(input))?;
    if let Input::File(first) = &input
        && let Ok(bytes) = input.bytes(&common.limits())
        && tdxml::is_message(first, &bytes)
    {
        if args.html.is_some() {
            let words = "--html is for ASN.1 modules, XML Schemas and WSDL descriptions";
            return Err(Failure::Usage(format!("{words}, but {} is TDXML", input.name())));
        }
        return print(&tdxml::notation(&input, &bytes, &common.limits())?, String::new, output, common);
    }
    let is_of_documents = is_of_documents(&input);
    if let Input::File(first) = &input
        && !is_of_documents
    {
        let paths: Vec<PathBuf> = [first.clone()].into_iter().chain(common.schema.iter().cloned()).collect();
        // For an output of modules, maps the schemas in the description.
        let is_notation = |path: &Path| Input::File(path.to_owned()).is_notation();
        if !output.is_some_and(is_notation)
            && let Some(described) = Described::of(&paths, common)?
        {
            if !common.quiet {
                described.report_left_out();
            }
            if let Some(path) = &args.html {
                let mapped = xml_schema::of(&paths, common)?.map(|schema| mapped(&schema, common)).transpose()?;
                return page::write(path, &input, &mapped.unwrap_or_default(), None, &described.text()?);
            }
            let lines = if common.json { described.lines()? } else { String::new() };
            return print(&described.text()?, || lines, output, common);
        }
        if let Some(schema) = xml_schema::of(&paths, common)? {
            return print_mapped(&schema, args, output);
        }
    }
    let schema = match is_of_documents {
        // As many as the default of --batch-rows.
        true => tables::inferred(common, &Inputs::of(&args.inputs, true, None), 1 << 16, "a schema")?,
        false => rooted(read(&inputs, common)?, common)?,
    };
    if !common.quiet {
        if let Some(fault) = schema.xml_fault() {
            note(&format!("XML by these modules is not usable: {fault}"));
        }
        for (module, name, error) in schema.types().refused() {
            note(&format!("{module}.{name} is not usable: {}", error.found()));
        }
    }
    if let Some(path) = &args.html {
        let root = schema.root().ok().and_then(|root| schema.types().types().find(|(.., node)| *node == root));
        return page::write(path, &input, schema.model(), root.map(|(module, name, _)| (module, name)), "");
    }
    print(&notation::print_schema(schema.model()), || lines(&schema), output, common)
}

/// Whether an input has documents, whose type can be inferred: those of JSON, PON and TSF.
fn is_of_documents(input: &Input) -> bool {
    let Input::File(path) = input else { return false };
    let is_lines = Method::inner_extension(path).and_then(Framing::from_extension).is_some();
    is_lines || format_by_ending(path).is_some_and(Format::has_json_values)
}

/// Prints modules, with `--json` as a line for each type.
fn print(
    text: &str,
    lines: impl FnOnce() -> String,
    output: Option<&Path>,
    common: &Common,
) -> Result<Status, Failure> {
    let mut standard = Standard::new();
    match output {
        Some(path) => write_file(path, text.as_bytes())?,
        None if common.json => {}
        None => standard.put(text)?,
    }
    if common.json {
        standard.put(lines())?;
    }
    standard.end()?;
    Ok(Status::Done)
}

/// Prints the X.694 mapping of an XML Schema, or its page.
fn print_mapped(schema: &XmlSchema, args: &SchemaVerb, output: Option<&Path>) -> Result<Status, Failure> {
    let common = &args.common;
    if output.is_some_and(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ds"))) {
        let schema = schema.to_schema(common)?;
        return print(&data_schema(&schema)?, || lines(&schema), output, common);
    }
    let modules = mapped(schema, common)?;
    match (&args.html, args.inputs.first()) {
        (Some(path), Some(input)) => page::write(path, &Input::named(input), &modules, None, ""),
        _ => print(&notation::print_schema(&modules), || mapped_lines(&modules), output, common),
    }
}

/// The modules that X.694 maps a schema to; reports on standard error what they leave out.
fn mapped(schema: &XmlSchema, common: &Common) -> Result<model::Schema, Failure> {
    let options = mapping::Options::default().with_version(common.mapping.0);
    let Mapping { schema: modules, left_out, .. } =
        mapping::map(schema.components(), &options).map_err(|error| schema.bad(error))?;
    if !common.quiet {
        for LeftOut { what, name, position, .. } in &left_out {
            let document = position.document.map(|id| &schema.components().documents[id].location[..]);
            let (file, line) = (document.unwrap_or_default(), position.line);
            note(&format!("not supported: {what} '{name}' ({file}, line {line})"));
        }
    }
    Ok(modules)
}

/// The data schema of TDXML for the documents of an XML Schema.
fn data_schema(schema: &Schema) -> Result<String, Failure> {
    has_root(schema)?;
    let root = schema.root().ok();
    let found = schema.xml().and_then(|types| {
        let root = types.roots().find(|one| Some(one.node()) == root)?;
        Some((root.namespace(types).to_owned(), root.name(types).to_owned()))
    });
    let (uri, local) = found.unwrap_or_default();
    let made = schema.data_schema(&uri, &local).map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(format!("{made}\n"))
}

/// A line for each assignment of mapped modules.
fn mapped_lines(modules: &model::Schema) -> String {
    let types = modules.modules.iter().flat_map(|module| {
        module.assignments.iter().map(|assignment| {
            let line = Line::new().text("module", &module.name).text("type", &assignment.name);
            let kind = match &assignment.meaning {
                Meaning::Type(ty) => Some(ty.kind.as_str()),
                _ => None,
            };
            line.maybe("kind", kind.map(Line::string)).end()
        })
    });
    types.collect()
}

/// A line for each type.
fn lines(schema: &Schema) -> String {
    let root = schema.root().ok();
    let types = schema.types();
    let line = |(module, name, node)| {
        Line::new()
            .text("module", module)
            .text("type", name)
            .text("kind", types.kind_name(node))
            .json("root", root == Some(node))
            .end()
    };
    types.types().map(line).collect()
}
