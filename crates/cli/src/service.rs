//! Service descriptions: read for the other verbs, and printed as understood.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use lengthwise::asn1::Values;
use lengthwise::dds::{self, Complex, Member, Occurs, Simple, Style, Type, TypeId};
use lengthwise::service::{Binding, LeftOut, Operation};
use lengthwise::x694::xer;
use lengthwise::xsd::{self, wsdl};
use lengthwise::{Error, ErrorKind, Limits, Service, soap};

use crate::args::Common;
use crate::inputs::Input;
use crate::line::Line;
use crate::report::{Failure, note};
use crate::xml_schema::{Documents, names, root};

/// The namespace of WSDL 1.1.
const WSDL: &str = xsd::WSDL_NAMESPACE;

fn rooted() -> Failure {
    Failure::Usage("--root does not apply to messages of a service, which identify themselves".to_owned())
}

/// The service that the first of some files describes.
pub(crate) fn of(paths: &[PathBuf], common: &Common) -> Result<Option<Service>, Failure> {
    let Some((description, documents)) = description(paths, common)? else { return Ok(None) };
    let service = Service::from_wsdl(&description, &xsd::Options::default());
    service.map(Some).map_err(|error| documents.bad(error))
}

/// A service, as far as its messages can be read by their own schema, and the schema of its literal messages as XML, for
/// those that cannot.
pub(crate) struct Described {
    pub(crate) service: Option<Service>,
    pub(crate) envelopes: Option<soap::Service>,
}

/// The service given by the flags, if any, whatever its messages.
pub(crate) fn described(common: &Common) -> Result<Option<Described>, Failure> {
    let Some((description, mut documents)) = description(&common.schema, common)? else { return Ok(None) };
    if common.root.is_some() {
        return Err(rooted());
    }
    let service = Service::from_wsdl(&description, &xsd::Options::default());
    if service.as_ref().is_ok_and(|service| service.left_out().is_empty()) {
        return Ok(Some(Described { service: service.ok(), envelopes: None }));
    }
    let options = documents.options();
    let envelopes = soap::Service::of(&description, &mut documents, &names(&common.schema), &options);
    match (service, envelopes) {
        (Err(error), Err(_)) => Err(documents.bad(error)),
        (Err(error), Ok(_)) if !description.has_messages() => Err(documents.bad(error)),
        (service, envelopes) => {
            if let Err(error) = &envelopes {
                note(&format!("messages that are not supported are left out: {error}"));
            }
            Ok(Some(Described { service: service.ok(), envelopes: envelopes.ok() }))
        }
    }
}

/// What SOAP messages are validated against: the schemas of a description and, for bodies in SOAP's encoding, the schema of
/// its messages.
pub(crate) struct SoapValidator {
    description: wsdl::Description,
    service: Result<soap::Service, Error>,
    options: xsd::Options,
}

impl SoapValidator {
    /// The description given by the flags, if any.
    pub(crate) fn from_flags(common: &Common) -> Result<Option<SoapValidator>, Failure> {
        let Some((description, mut documents)) = description(&common.schema, common)? else { return Ok(None) };
        if common.root.is_some() {
            return Err(rooted());
        }
        let options = documents.options();
        let service = soap::Service::of(&description, &mut documents, &names(&common.schema), &options);
        if let Err(error) = &service
            && (error.kind() != ErrorKind::Unsupported || !description.has_messages())
        {
            return Err(documents.bad(error.clone()));
        }
        Ok(Some(SoapValidator { description, service, options }))
    }

    /// Checks a message.
    pub(crate) fn check(&self, input: &Input, bytes: &[u8]) -> Result<(), Failure> {
        let held = self.description.check(bytes, &self.options).map_err(|error| self.unread(input, error, bytes))?;
        match (held, &self.service) {
            (wsdl::Held::NotBody(_), Ok(service)) => {
                let mut values = Values::new();
                let read = xer::read(bytes, service.types(), &self.options, &mut values);
                read.map(drop).map_err(|error| self.unread(input, error, bytes))
            }
            (wsdl::Held::NotBody(_), Err(error)) => Err(Failure::bad(input, error.clone(), &[])),
            _ => Ok(()),
        }
    }

    fn unread(&self, input: &Input, error: Error, bytes: &[u8]) -> Failure {
        let Ok(service) = &self.service else { return Failure::bad(input, error, bytes) };
        let all = [wsdl::SoapVersion::Soap11, wsdl::SoapVersion::Soap12].map(|version| service.messages(version));
        let mut names: Vec<String> = all.into_iter().flatten().map(ToString::to_string).collect();
        names.sort_unstable();
        names.dedup();
        let left_out = service.left_out().iter().map(|one| why(&one.what, &one.error));
        with_hints(Failure::bad(input, error.clone(), bytes), &error, &names, left_out)
    }
}

/// The description and its documents, if the first file is a description; the others are descriptions and schemas.
pub(crate) fn description(
    paths: &[PathBuf],
    common: &Common,
) -> Result<Option<(wsdl::Description, Documents)>, Failure> {
    let [first, others @ ..] = paths else { return Ok(None) };
    let limits = common.limits();
    // A pipe can be read only once.
    if !first.metadata().is_ok_and(|data| data.is_file()) {
        return Ok(None);
    }
    let text = Input::File(first.clone()).bytes(&limits)?;
    if !is_description(first, &text, &limits) {
        return Ok(None);
    }
    let mut documents = Documents::new(common)?;
    documents.give(first, text)?;
    for path in others {
        documents.give(path, Input::File(path.clone()).bytes(&limits)?)?;
    }
    let options = documents.options();
    let description = wsdl::Description::read_all(&mut documents, &names(paths), &options);
    let description = description.map_err(|error| documents.bad(error))?;
    Ok(Some((description, documents)))
}

/// Whether a file is a description, by its name or its root element.
fn is_description(path: &Path, text: &[u8], limits: &Limits) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let starts = || root(text, limits).is_some_and(|root| root.is(WSDL, "definitions"));
    ending.eq_ignore_ascii_case("wsdl") || text.trim_ascii_start().starts_with(b"<") && starts()
}

/// The options for reading messages of a service.
pub(crate) fn options(common: &Common) -> dds::Options {
    dds::Options::default().with_limits(common.limits())
}

/// The failure for a message that is not one of the service, with hints about what it could be.
pub(crate) fn unread(service: &Service, input: &Input, error: Error, bytes: &[u8]) -> Failure {
    let names: Vec<String> = service.schema().methods().iter().map(|method| method.name.to_string()).collect();
    let left_out = service.left_out().iter().map(|LeftOut { what, error, .. }| why(what, error));
    with_hints(Failure::bad(input, error.clone(), bytes), &error, &names, left_out)
}

fn with_hints(failure: Failure, error: &Error, names: &[String], left_out: impl Iterator<Item = String>) -> Failure {
    const SHOWN: usize = 8;
    if error.kind() != ErrorKind::Schema || error.expected().to_string() != "a message of the service" {
        return failure;
    }
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    let failure = failure.with_hint(format!("the service has {shown}{more}"));
    left_out.take(SHOWN).fold(failure, |failure, why| failure.with_hint(format!("not supported: {why}")))
}

/// Which message was left out, and why.
fn why(what: &str, error: &Error) -> String {
    let line = error.position().map_or(0, |(line, _)| line);
    format!("{what}: {} ({}, line {line})", error.found(), error.path())
}

/// Reports on standard error the messages of a service that its text does not show. Literal ones among them are read by
/// their schema all the same.
pub(crate) fn report_not_shown(service: &Service) {
    service.left_out().iter().for_each(|one| note(&format!("not shown: {}", why(&one.what, &one.error))));
}

/// The operations of a service, their messages and types, as text for people.
pub(crate) fn text(service: &Service) -> String {
    let mut printer = Printer::new(service.schema());
    for binding in service.bindings() {
        printer.binding(binding);
    }
    printer.types();
    printer.out
}

struct Printer<'s> {
    schema: &'s dds::Schema,
    out: String,
    /// Methods and types that have been printed, and named types that still have to be.
    methods: HashSet<usize>,
    printed: HashSet<TypeId>,
    waiting: Vec<TypeId>,
}

impl<'s> Printer<'s> {
    fn new(schema: &'s dds::Schema) -> Printer<'s> {
        let (methods, printed) = (HashSet::new(), HashSet::new());
        Printer { schema, out: String::new(), methods, printed, waiting: Vec::new() }
    }

    fn binding(&mut self, binding: &Binding) {
        let _ = writeln!(self.out, "{}: {}", binding.name, version(binding.version));
        for port in &binding.ports {
            let _ = writeln!(self.out, "  {}/{} at {}", port.service, port.name, port.address);
        }
        for operation in &binding.operations {
            let action = if operation.action.is_empty() { String::new() } else { format!(" {}", operation.action) };
            let _ = writeln!(self.out, "\n  {}:{action} ({})", operation.name, self.style(operation));
            for (which, method) in [("request", operation.request), ("response", operation.response)] {
                if let Some(method) = method {
                    self.method(which, method);
                }
            }
            for fault in &operation.faults {
                let _ = writeln!(self.out, "    fault {fault}");
            }
        }
        self.out.push('\n');
    }

    fn style(&self, operation: &Operation) -> String {
        let of = operation.request.or(operation.response).and_then(|method| self.schema.methods().get(method));
        format!("{}{}", style(operation.style), of.map_or(String::new(), |method| format!(", {}", used(method.style))))
    }

    fn method(&mut self, which: &str, number: usize) {
        let schema = self.schema;
        let Some(method) = schema.methods().get(number) else { return };
        let _ = write!(self.out, "    {which} {}", method.name);
        if !self.methods.insert(number) {
            self.out.push_str(", as above\n");
            return;
        }
        match schema.get(method.ty) {
            Type::Complex(complex) if complex.name.is_none() => {
                self.out.push('\n');
                self.printed.insert(method.ty);
                self.members(complex, 6);
            }
            _ => {
                let words = self.words(method.ty);
                let _ = writeln!(self.out, ": {words}");
            }
        }
    }

    /// The members of a compound, with those of unnamed compounds below them.
    fn members(&mut self, complex: &'s Complex, indent: usize) {
        let mut waiting: Vec<(usize, usize, std::slice::Iter<'s, Member>)> = vec![column(indent, complex)];
        while let Some((indent, width, members)) = waiting.last_mut() {
            let (indent, width) = (*indent, *width);
            let Some(member) = members.next() else {
                waiting.pop();
                continue;
            };
            let name = format!("{}{}", member.name.local, mark(member));
            let nil = if member.nillable { " or nil" } else { "" };
            let words = self.words(member.ty);
            let _ = writeln!(self.out, "{:indent$}{name:<width$}  {words}{nil}", "");
            let schema = self.schema;
            let (item, _) = item(schema, member.ty);
            if let Type::Complex(inner) = schema.get(item)
                && inner.name.is_none()
                && self.printed.insert(item)
            {
                waiting.push(column(indent + 2, inner));
            }
        }
    }

    /// A short description of a type; a named one is printed later.
    fn words(&mut self, ty: TypeId) -> String {
        let (item, levels) = item(self.schema, ty);
        if let Type::Complex(Complex { name: Some(_), .. }) = self.schema.get(item)
            && self.printed.insert(item)
        {
            self.waiting.push(item);
        }
        words(self.schema, item, levels)
    }

    /// The named types, followed by those that they refer to.
    fn types(&mut self) {
        while !self.waiting.is_empty() {
            for ty in std::mem::take(&mut self.waiting) {
                let schema = self.schema;
                let Type::Complex(complex) = schema.get(ty) else { continue };
                if let Some(name) = &complex.name {
                    let order = if complex.ordered || complex.members.len() < 2 { "" } else { ", in any order" };
                    let _ = writeln!(self.out, "{name}{order}");
                }
                self.members(complex, 2);
                self.out.push('\n');
            }
        }
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
    }
}

/// The mark after a name for how often the member may occur.
fn mark(member: &Member) -> &'static str {
    match member.occurs {
        Occurs::Required => "",
        Occurs::Optional => "?",
        Occurs::Many => "*",
    }
}

/// The column of the members of a compound, the width of their names, and the members.
fn column(indent: usize, complex: &Complex) -> (usize, usize, std::slice::Iter<'_, Member>) {
    const WIDEST: usize = 40;
    let width = complex.members.iter().map(|member| member.name.local.chars().count() + mark(member).len()).max();
    (indent, width.unwrap_or_default().min(WIDEST), complex.members.iter())
}

/// The innermost item type of an array, and the number of arrays around it. An array of itself is followed only once.
fn item(schema: &dds::Schema, mut ty: TypeId) -> (TypeId, usize) {
    const SHOWN: usize = 8;
    let mut levels = 0;
    while let Type::Array { item, .. } = schema.get(ty)
        && levels < SHOWN
    {
        ty = *item;
        levels += 1;
    }
    (ty, levels)
}

fn words(schema: &dds::Schema, item: TypeId, levels: usize) -> String {
    let arrays = "array of ".repeat(levels);
    match schema.get(item) {
        Type::Simple(simple) => format!("{arrays}{}", simple_name(*simple)),
        Type::Union(alternatives) => {
            let names: Vec<&str> = alternatives.iter().map(|simple| simple_name(*simple)).collect();
            format!("{arrays}{}", names.join(" | "))
        }
        Type::Complex(Complex { name: Some(name), .. }) => format!("{arrays}{name}"),
        Type::Complex(_) => format!("{arrays}compound"),
        _ => format!("{arrays}…"),
    }
}

fn version(version: dds::Version) -> &'static str {
    match version {
        dds::Version::Soap11 => "SOAP 1.1",
        dds::Version::Soap12 => "SOAP 1.2",
    }
}

fn style(style: wsdl::Style) -> &'static str {
    match style {
        wsdl::Style::Rpc => "rpc",
        wsdl::Style::Document => "document",
    }
}

fn used(style: Style) -> &'static str {
    match style {
        Style::Encoded => "encoded",
        Style::Literal => "literal",
    }
}

fn simple_name(simple: Simple) -> &'static str {
    match simple {
        Simple::Boolean => "boolean",
        Simple::Byte => "byte",
        Simple::Short => "short",
        Simple::Int => "int",
        Simple::Long => "long",
        Simple::UnsignedByte => "unsignedByte",
        Simple::UnsignedShort => "unsignedShort",
        Simple::UnsignedInt => "unsignedInt",
        Simple::UnsignedLong => "unsignedLong",
        Simple::Float => "float",
        Simple::Double => "double",
        Simple::String => "string",
        Simple::Token => "token",
        Simple::Integer => "integer",
        Simple::Decimal => "decimal",
        Simple::Base64 => "base64Binary",
        Simple::Hex => "hexBinary",
        _ => "text",
    }
}

/// A line for each operation, and for each named type.
pub(crate) fn lines(service: &Service) -> String {
    let schema = service.schema();
    let mut out = String::new();
    let element = |method: Option<usize>| {
        let method = schema.methods().get(method?)?;
        Some(Line::string(&method.name.to_string()))
    };
    for binding in service.bindings() {
        let ports = binding.ports.iter().map(|port| {
            let line = Line::new().text("service", &port.service).text("port", &port.name);
            line.text("address", &port.address).object()
        });
        let ports = ports.collect::<Vec<_>>().join(",");
        for operation in &binding.operations {
            let faults: Vec<String> = operation.faults.iter().map(|fault| Line::string(fault)).collect();
            let of = operation.request.or(operation.response).and_then(|method| schema.methods().get(method));
            let line = Line::new()
                .text("operation", &operation.name)
                .text("binding", &binding.name)
                .text("version", version(binding.version))
                .text("style", style(operation.style))
                .maybe("use", of.map(|method| Line::string(used(method.style))))
                .text("action", &operation.action)
                .maybe("request", element(operation.request))
                .maybe("response", element(operation.response))
                .json("faults", format!("[{}]", faults.join(",")))
                .json("ports", format!("[{ports}]"));
            out.push_str(&line.end());
        }
    }
    let mut known: HashSet<TypeId> = HashSet::new();
    let mut waiting: Vec<(String, TypeId)> =
        schema.methods().iter().rev().map(|method| (method.name.to_string(), method.ty)).collect();
    while let Some((name, ty)) = waiting.pop() {
        let Type::Complex(complex) = schema.get(ty) else { continue };
        if !known.insert(ty) {
            continue;
        }
        let mut members = Vec::new();
        for member in &complex.members {
            let (item, levels) = item(schema, member.ty);
            let inner = match schema.get(item) {
                Type::Complex(Complex { name: Some(name), .. }) => Some(name.to_string()),
                Type::Complex(_) => Some(format!("{name}/{}", member.name.local)),
                _ => None,
            };
            let words = match &inner {
                Some(inner) => format!("{}{inner}", "array of ".repeat(levels)),
                None => words(schema, item, levels),
            };
            let occurs = match member.occurs {
                Occurs::Required => "once",
                Occurs::Optional => "optional",
                Occurs::Many => "many",
            };
            let line = Line::new().text("name", &member.name.to_string()).text("type", &words);
            members.push(line.text("occurs", occurs).json("nillable", member.nillable).object());
            waiting.extend(inner.map(|inner| (inner, item)));
        }
        let line = Line::new().text("type", &name).json("ordered", complex.ordered);
        out.push_str(&line.json("members", format!("[{}]", members.join(","))).end());
    }
    out
}
