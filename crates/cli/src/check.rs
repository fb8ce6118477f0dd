//! `check`: validates messages.

use std::mem;
use std::sync::OnceLock;

use lengthwise::asn1::compiled::Unchecked;
use lengthwise::asn1::schema::Position;
use lengthwise::tam::{Table, Vocabulary};
use lengthwise::{Counts, Format, Options, Schema};

use crate::applies::{self, Task, Verb};
use crate::args::Check;
use crate::inputs::{Detected, Input, InputFile, Inputs};
use crate::jobs;
use crate::line::Line;
use crate::messages::{self, Message};
use crate::output::Standard;
use crate::report::{Failure, Reading, Status, note};
use crate::schema;
use crate::service;
use crate::xml_schema::{self, Fault, XmlSchema};

pub(crate) fn run(args: &Check) -> Result<Status, Failure> {
    let common = &args.common;
    applies::check(common, Task { verb: Verb::Check, from: common.format(), to: None })?;
    let service = service::Described::from_flags(common)?;
    let xml = if service.is_some() { None } else { xml_schema::from_flags(common)? };
    let asn1 = if service.is_some() || xml.is_some() { None } else { schema::from_flags(common)? };
    let against = Validators { asn1, xml, service, mapped: OnceLock::new() };
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let mut inputs = Inputs::of(&args.inputs, takes_all, None);
    if let Some(schema) = &against.xml {
        // A directory may contain its own schema, which has been read by now.
        let is_named = |input: &Input| args.inputs.iter().any(|path| Input::named(path) == *input);
        inputs.retain(&args.inputs, |input| is_named(input) || !schema.has(input));
    }
    let mut status = inputs.report(common)?;
    let is_alone = args.inputs.len() == 1 && inputs.found.len() == 1;
    let mut standard = Standard::new();
    let mut closed = Ok(());
    let mut remarks = Remarks::default();
    let (several, single): (Vec<InputFile>, Vec<InputFile>) =
        inputs.found.into_iter().partition(|found| messages::are_several(common, Some(&found.input)));
    let threads = jobs::threads(args.threads);
    for found in several {
        let work = |message: Message<'_>, part: &mut Part| {
            let line = Line::new().text("file", &found.input.name());
            let line = message.place.map_or(line.clone(), |(number, _)| line.json("message", number));
            let result = check(args, &against, &message, is_alone);
            if common.json {
                part.lines += &described(line, &result).end();
            }
            result.map(|checked| part.remarks.take(&checked))
        };
        let read = messages::each_in_parts(&found.input, common, threads, work, |part| {
            remarks.add(mem::take(&mut part.remarks));
            standard.put(mem::take(&mut part.lines))
        });
        status = status.max(read.or_else(|failure| match failure {
            Failure::Closed => Err(failure),
            failure => {
                let line = failure.describe(Line::new().text("file", &found.input.name()));
                if common.json {
                    standard.put(line.end())?;
                }
                Ok(failure.print(common.quiet))
            }
        })?);
    }
    jobs::side_by_side(
        &single,
        threads,
        |found| {
            let (bytes, detected) = found.input.read(common)?;
            let message = Message { input: found.input.clone(), bytes: bytes.into(), detected, place: None };
            check(args, &against, &message, is_alone)
        },
        |found, result| {
            let line = described(Line::new().text("file", &found.input.name()), &result);
            match result {
                Err(failure) => status = status.max(failure.print(common.quiet)),
                Ok(checked) => remarks.take(&checked),
            }
            if common.json && closed.is_ok() {
                closed = standard.put(line.end());
            }
        },
    );
    if let Some(schema) = &against.asn1
        && common.json
        && closed.is_ok()
    {
        closed = unchecked(schema).map_or(Ok(()), |(line, _)| standard.put(line));
    }
    closed.and_then(|()| standard.end())?;
    if !common.quiet {
        remarks.print_unknown();
        if let Some((_, words)) = against.asn1.as_ref().and_then(unchecked) {
            note(&words);
        }
    }
    Ok(status)
}

/// What is reported about some messages.
#[derive(Default)]
struct Part {
    /// In JSON.
    lines: String,
    remarks: Remarks,
}

/// What of valid messages was not checked: how many values, and how many messages have them.
#[derive(Default)]
struct Remarks {
    /// Values of unknown types.
    unknown: (usize, usize),
    /// Strings that do not contain what the schema says.
    undecoded: (usize, usize),
    /// Strings that contain a value which would be written in another way.
    rewritten: (usize, usize),
    /// Components with other values than their row of a table.
    unlike_rows: (usize, usize),
}

impl Remarks {
    fn take(&mut self, checked: &Checked) {
        let Counts { unknown, undecoded, rewritten, unlike_rows, .. } = checked.counts;
        let of_one = |values| (values, usize::from(values > 0));
        self.add(Remarks {
            unknown: of_one(unknown),
            undecoded: of_one(undecoded),
            rewritten: of_one(rewritten),
            unlike_rows: of_one(unlike_rows),
        });
    }

    fn add(&mut self, more: Remarks) {
        let all = [&mut self.unknown, &mut self.undecoded, &mut self.rewritten, &mut self.unlike_rows];
        let more = [more.unknown, more.undecoded, more.rewritten, more.unlike_rows];
        for ((values, messages), (more_values, more_messages)) in all.into_iter().zip(more) {
            *values += more_values;
            *messages += more_messages;
        }
    }

    fn print_unknown(&self) {
        let print = |(values, messages): (usize, usize), one: &str, several: &str| {
            let messages = if messages == 1 { "1 message" } else { &format!("{messages} messages") };
            match values {
                0 => {}
                1 => note(&format!("1 {one} ({messages})")),
                _ => note(&format!("{values} {several} ({messages})")),
            }
        };
        print(
            self.unknown,
            "value stays octets: the schema does not know its type",
            "values stay octets: the schema does not know their types",
        );
        print(
            self.undecoded,
            "string stays octets: it does not contain what the schema says",
            "strings stay octets: they do not contain what the schema says",
        );
        print(
            self.rewritten,
            "string contains a value in other octets than would be written: it keeps them",
            "strings contain values in other octets than would be written: they keep them",
        );
        print(
            self.unlike_rows,
            "component differs from the row of its table that its identifier selects",
            "components differ from the rows of their tables that their identifiers select",
        );
    }
}

/// What values are not checked against although the modules of a schema ask for it: a line of JSON, and a note.
fn unchecked(schema: &Schema) -> Option<(String, String)> {
    let all = schema.types().unchecked();
    let Unchecked { element, path, module, position: Position { line, column, .. }, .. } = all.first()?;
    let are = if all.len() == 1 { "1 constraint is" } else { &format!("{} constraints are", all.len()) };
    let note =
        format!("{are} not checked (first: {element} of {path}, line {line}, column {column} of module {module})");
    let json = Line::new().json("not_checked", all.len()).text("constraint", element).text("type", path);
    let json = json.text("module", module).json("line", line).json("column", column);
    Some((json.end(), note))
}

/// The result for a message as JSON.
fn described(line: Line, result: &Result<Checked, Failure>) -> Line {
    match result {
        Ok(Checked { format, counts }) => {
            let line = line.json("ok", "true").text("format", format.as_str()).json("units", counts.units);
            let Counts { unknown, undecoded, rewritten, unlike_rows, .. } = *counts;
            let more = [
                ("unknown", unknown),
                ("undecoded", undecoded),
                ("rewritten", rewritten),
                ("unlike_rows", unlike_rows),
            ];
            let more = more.into_iter().filter(|(_, count)| *count > 0);
            more.fold(line, |line, (name, count)| line.json(name, count))
        }
        Err(failure) => failure.describe(line),
    }
}

/// What is reported about a valid message.
struct Checked {
    format: Format,
    counts: Counts,
}

/// What messages are validated against: at most one kind.
struct Validators {
    asn1: Option<Schema>,
    xml: Option<XmlSchema>,
    service: Option<service::Described>,
    /// The X.694 mapping of the XML Schema, once a message needs it.
    mapped: OnceLock<Schema>,
}

impl Validators {
    /// The schema for messages in PER and BER.
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

fn check(args: &Check, against: &Validators, message: &Message<'_>, is_alone: bool) -> Result<Checked, Failure> {
    let options = args.common.options(None);
    let Message { input, bytes, detected, .. } = message;
    if is_alone {
        applies::check(&args.common, Task { verb: Verb::Check, from: Some(detected.format), to: None })?;
    }
    if let Some(service) = &against.service {
        if detected.format != Format::Xml {
            let (input, format) = (input.name(), detected.format);
            return Err(Failure::Usage(format!("{input}: {format} cannot be validated against a service description")));
        }
        service.check(input, bytes)?;
    }
    let counts = match &against.xml {
        // A table by the schema is validated as the document that it holds.
        Some(schema) if detected.format == Format::Tdxml => {
            let options = args.common.options(against.values(args)?);
            let text = lengthwise::convert(bytes, Format::Tdxml, Format::Xml, &options)
                .map_err(|error| Failure::unread(input, &Reading::new(*detected, &options), error, bytes))?;
            let mut counts = Counts::default();
            let as_text = Detected { format: Format::Xml, ..*detected };
            counts.units = valid(schema, input, &text, as_text, &options, args.common.all_errors)?;
            counts
        }
        Some(schema) if !detected.format.needs_schema() => {
            let mut counts = Counts::default();
            counts.units = valid(schema, input, bytes, *detected, &options, args.common.all_errors)?;
            counts
        }
        _ => {
            let schema = if detected.format.needs_schema() { against.values(args)? } else { against.asn1.as_ref() };
            schema::suits(schema, detected.format)?;
            let options = args.common.options(schema);
            if let Some(schema) = &against.asn1 {
                suits_module(schema, input, bytes, *detected, &options)?;
            }
            lengthwise::check_counted(bytes, detected.format, &options)
                .map_err(|error| Failure::unread(input, &Reading::new(*detected, &options), error, bytes))?
        }
    };
    Ok(Checked { format: detected.format, counts })
}

/// Refuses XML for an ASN.1 module without XER encoding instructions, and checks that the type of JSON is known.
fn suits_module(
    schema: &Schema,
    input: &Input,
    bytes: &[u8],
    detected: Detected,
    options: &Options<'_>,
) -> Result<(), Failure> {
    let is_xml = match detected.format {
        Format::Xml if schema.is_xml() => return Ok(()),
        Format::Tsf => lengthwise::read(bytes, detected.format, options, &mut Table::new())
            .is_ok_and(|document| document.types().vocabulary() == Vocabulary::Xml),
        format => format == Format::Xml || format == Format::Tdxml || format.is_infoset(),
    };
    if is_xml {
        let (input, format) = (input.name(), detected.format);
        return Err(Failure::Usage(format!(
            "{input}: XML cannot be validated against an ASN.1 module (the input is {format})"
        )));
    }
    schema::has_root(schema)
}

/// Checks a document against an XML Schema.
fn valid(
    schema: &XmlSchema,
    input: &Input,
    bytes: &[u8],
    detected: Detected,
    options: &Options<'_>,
    all: bool,
) -> Result<usize, Failure> {
    let failure = |fault| {
        let (error, hint) = match fault {
            Fault::Format => {
                let (input, format) = (input.name(), detected.format);
                return Failure::Usage(format!("{input}: {format} cannot be validated against an XML Schema"));
            }
            Fault::Bad(error, hint) => (error, hint),
        };
        // If it is not XML, the error is the same as without a schema, with the path.
        let unsound =
            error.path().is_empty().then(|| lengthwise::check(bytes, detected.format, options).err()).flatten();
        let failure = Failure::unread(input, &Reading::new(detected, options), unsound.unwrap_or(error), bytes);
        hint.into_iter().fold(failure, Failure::with_hint)
    };
    schema.check(bytes, detected.format, options, all).map_err(|faults| {
        let is_full = faults.len() == xml_schema::MOST_FAULTS;
        let mut failures: Vec<Failure> = faults.into_iter().map(failure).collect();
        let last = failures.pop().unwrap_or(Failure::Closed);
        if failures.is_empty() {
            return last;
        }
        let last = last.with_hint("keys and references (xs:key, xs:ID) were not checked after the first error");
        failures.push(if is_full { last.with_hint("the rest of the document was not checked") } else { last });
        Failure::Several(failures)
    })
}
