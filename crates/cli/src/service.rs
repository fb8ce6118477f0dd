//! Service descriptions: read for the other verbs, and printed as understood.

use std::path::{Path, PathBuf};

use lengthwise::asn1::Values;
use lengthwise::soap::LeftOut;
use lengthwise::x694::xer;
use lengthwise::xsd::{self, wsdl};
use lengthwise::{Error, ErrorKind, Limits, soap};

use crate::args::Common;
use crate::inputs::Input;
use crate::report::{Failure, note};
use crate::service_text;
use crate::xml_schema::{Documents, names, root};

/// The namespace of WSDL 1.1.
const WSDL: &str = xsd::WSDL_NAMESPACE;

/// A service by its description: the schemas in it, and the schema of its messages.
pub(crate) struct Described {
    description: wsdl::Description,
    /// Unsupported, if there is no schema for any of its messages.
    service: Result<soap::Service, Error>,
    documents: Documents,
    options: xsd::Options,
}

impl Described {
    /// The description given by the flags, if any.
    pub(crate) fn from_flags(common: &Common) -> Result<Option<Described>, Failure> {
        let described = Described::of(&common.schema, common)?;
        if described.is_some() && common.root.is_some() {
            let words = "--root does not apply to messages of a service, which identify themselves";
            return Err(Failure::Usage(words.to_owned()));
        }
        Ok(described)
    }

    /// The service that the first of some files describes.
    pub(crate) fn of(paths: &[PathBuf], common: &Common) -> Result<Option<Described>, Failure> {
        let Some((description, documents)) = description(paths, common)? else { return Ok(None) };
        let options = documents.options();
        let service = soap::Service::of(&description, &documents, &names(paths), &options);
        if let Err(error) = &service
            && (error.kind() != ErrorKind::Unsupported || !description.has_messages())
        {
            return Err(documents.bad(error.clone()));
        }
        Ok(Some(Described { description, service, documents, options }))
    }

    /// The service, whose messages can be read.
    pub(crate) fn service(&self) -> Result<&soap::Service, Failure> {
        self.service.as_ref().map_err(|error| self.documents.bad(error.clone()))
    }

    /// The options for reading messages.
    pub(crate) fn options(&self) -> &xsd::Options {
        &self.options
    }

    /// The operations of the service, their messages and types, as text for people.
    pub(crate) fn text(&self) -> Result<String, Failure> {
        Ok(service_text::text(&self.description, self.service()?))
    }

    /// The same as lines of JSON.
    pub(crate) fn lines(&self) -> Result<String, Failure> {
        Ok(service_text::lines(&self.description, self.service()?))
    }

    /// Reports on standard error the messages and bindings that cannot be read.
    pub(crate) fn report_left_out(&self) {
        let left_out = self.service.iter().flat_map(|service| service.left_out());
        left_out.for_each(|one| note(&format!("not supported: {}", why(one))));
    }

    /// The error for a message that could not be read, in the words of [`Described::check`].
    pub(crate) fn explained(&self, bytes: &[u8], error: Error) -> Error {
        self.description.check(bytes, &self.options).err().unwrap_or(error)
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

    /// The failure for a message that is not one of the service, with hints about what it could be.
    pub(crate) fn unread(&self, input: &Input, error: Error, bytes: &[u8]) -> Failure {
        const SHOWN: usize = 8;
        let failure = Failure::bad(input, error.clone(), bytes);
        if error.kind() != ErrorKind::Schema || error.expected().to_string() != "a message of the service" {
            return failure;
        }
        let Ok(service) = &self.service else { return failure };
        let all = [wsdl::SoapVersion::Soap11, wsdl::SoapVersion::Soap12].map(|version| service.messages(version));
        let mut names: Vec<String> = all.into_iter().flatten().map(ToString::to_string).collect();
        names.sort_unstable();
        names.dedup();
        let more = if names.len() > SHOWN { ", …" } else { "" };
        names.truncate(SHOWN);
        let failure = failure.with_hint(format!("the service has {}{more}", names.join(", ")));
        let left_out = service.left_out().iter().take(SHOWN);
        left_out.fold(failure, |failure, one| failure.with_hint(format!("not supported: {}", why(one))))
    }
}

/// The service that the flags describe, if it has messages that can be read.
pub(crate) fn readable(common: &Common) -> Result<Option<soap::Service>, Failure> {
    let paths = &common.schema;
    let Some((description, documents)) = description(paths, common)? else { return Ok(None) };
    match soap::Service::of(&description, &documents, &names(paths), &documents.options()) {
        Ok(service) => Ok(Some(service)),
        // Its schemas are a schema of their own.
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(None),
        Err(error) => Err(documents.bad(error)),
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
    let description = wsdl::Description::read_all(&documents, &names(paths), &options);
    let description = description.map_err(|error| documents.bad(error))?;
    Ok(Some((description, documents)))
}

/// Whether a file is a description, by its name or its root element.
fn is_description(path: &Path, text: &[u8], limits: &Limits) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let starts = || root(text, limits).is_some_and(|root| root.is(WSDL, "definitions"));
    ending.eq_ignore_ascii_case("wsdl") || text.trim_ascii_start().starts_with(b"<") && starts()
}

/// What was left out, and why.
fn why(one: &LeftOut) -> String {
    let line = one.error.position().map_or(0, |(line, _)| line);
    format!("{}: {} ({}, line {line})", one.what, one.error.found(), one.error.path())
}
