//! `check`: whether messages are sound.

use std::sync::OnceLock;

use lengthwise::{Format, Options, Schema, Service, dds};

use crate::args::Check;
use crate::inputs::{Found, Input, Inputs, Told};
use crate::jobs;
use crate::line::Line;
use crate::output::Standard;
use crate::report::{Failure, Reading, Status, note};
use crate::schema;
use crate::service;
use crate::xml_schema::{self, Fault, XmlSchema};

pub(crate) fn run(args: &Check) -> Result<Status, Failure> {
    let common = &args.common;
    let service = service::told(common)?.map(|service| {
        let reader = dds::Reader::new(service.schema().clone(), &service::options(common));
        (service, reader)
    });
    let xml = if service.is_some() { None } else { xml_schema::told(common)? };
    let asn1 = if service.is_some() || xml.is_some() { None } else { schema::told(common)? };
    let against = Against { asn1, xml, service, mapped: OnceLock::new() };
    let mut inputs = Inputs::of(&args.inputs, common.from.map(|from| from.0), None);
    if let Some(schema) = &against.xml {
        // A directory may hold its own schema, which has been read by now.
        let is_named = |input: &Input| args.inputs.iter().any(|path| Input::named(path) == *input);
        inputs.found.retain(|found| is_named(&found.input) || !schema.has(&found.input));
    }
    let mut status = inputs.tell(common.quiet);
    let mut standard = Standard::new();
    let mut closed = Ok(());
    let mut unheld = None;
    jobs::side_by_side(
        &inputs.found,
        jobs::threads(args.threads),
        |found| check(args, &against, found),
        |found, result| {
            let line = Line::new().text("file", &found.input.name());
            let line = match &result {
                Ok(sound) => line.json("ok", "true").text("format", sound.format.as_str()).json("units", sound.units),
                Err(failure) => failure.describe(line),
            };
            match result {
                Err(failure) => status = status.max(failure.print(common.quiet)),
                Ok(sound) if against.asn1.is_some() && !sound.format.needs_schema() => unheld = Some(sound.format),
                Ok(_) => {}
            }
            if common.json && closed.is_ok() {
                closed = standard.put(line.end());
            }
        },
    );
    closed.and_then(|()| standard.end())?;
    if let Some(format) = unheld.filter(|_| !common.quiet) {
        note(&format!("the module of ASN.1 says nothing of messages in {format}, which are sound in themselves"));
    }
    Ok(status)
}

/// What is told of a sound message.
struct Sound {
    format: Format,
    units: usize,
}

/// What messages are held against; of one kind, if of any.
struct Against {
    asn1: Option<Schema>,
    xml: Option<XmlSchema>,
    service: Option<(Service, dds::Reader)>,
    /// What X.694 makes of the schema of XML, once a message of it has come.
    mapped: OnceLock<Schema>,
}

impl Against {
    /// The schema that messages of PER and BER are of.
    fn values(&self, args: &Check) -> Result<Option<&Schema>, Failure> {
        match (&self.xml, self.mapped.get()) {
            (None, _) => Ok(self.asn1.as_ref()),
            (Some(_), Some(mapped)) => Ok(Some(mapped)),
            (Some(xml), None) => {
                let mapped = xml.to_schema(&args.common)?;
                Ok(Some(self.mapped.get_or_init(|| mapped)))
            }
        }
    }
}

fn check(args: &Check, against: &Against, found: &Found) -> Result<Sound, Failure> {
    let options = args.common.options(None);
    let (bytes, told) = found.input.read(args.common.from.map(|from| from.0), &options.limits)?;
    if let Some((service, reader)) = &against.service {
        if told.format != Format::Xml {
            let (input, format) = (found.input.name(), told.format);
            return Err(Failure::Usage(format!("{input}: a service says nothing of messages in {format}")));
        }
        let read = reader.read(&bytes).and_then(|message| service.check_version(&message));
        read.map_err(|error| service::unread(service, &found.input, error, &bytes))?;
    }
    let units = match &against.xml {
        Some(schema) if !told.format.needs_schema() => valid(schema, &found.input, &bytes, told, &options)?,
        _ => {
            let schema = if told.format.needs_schema() { against.values(args)? } else { against.asn1.as_ref() };
            schema::suits(schema, told.format)?;
            let options = args.common.options(schema);
            lengthwise::check(&bytes, told.format, &options)
                .map_err(|error| Failure::unread(&found.input, &Reading::new(told, &options), error, &bytes))?
        }
    };
    Ok(Sound { format: told.format, units })
}

/// Checks a document against a schema of XML.
fn valid(schema: &XmlSchema, input: &Input, bytes: &[u8], told: Told, options: &Options<'_>) -> Result<usize, Failure> {
    schema.check(bytes, told.format, options).map_err(|fault| {
        let (error, hint) = match fault {
            Fault::Format => {
                let (input, format) = (input.name(), told.format);
                return Failure::Usage(format!("{input}: a schema of XML says nothing of messages in {format}"));
            }
            Fault::Bad(error, hint) => (error, hint),
        };
        // What is no XML is told as it is without a schema, with the path.
        let unsound = error.path().is_empty().then(|| lengthwise::check(bytes, told.format, options).err()).flatten();
        let failure = Failure::unread(input, &Reading::new(told, options), unsound.unwrap_or(error), bytes);
        hint.into_iter().fold(failure, Failure::with_hint)
    })
}
