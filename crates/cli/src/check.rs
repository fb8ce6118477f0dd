//! `check`: validates messages.

use std::borrow::Cow;
use std::mem;
use std::sync::OnceLock;

use lengthwise::asn1::Accepted;
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
        remarks.print();
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

/// What of valid messages was not checked.
#[derive(Default)]
struct Remarks([Remark; KINDS.len()]);

/// How many values a remark is about, how many messages have them, and where the first is.
#[derive(Default)]
struct Remark {
    values: usize,
    messages: usize,
    first: String,
}

/// What is remarked: its name in JSON, and its words for one value and for several.
const KINDS: [(&str, &str, &str); 5] = [
    (
        "unknown",
        "value stays octets: the schema does not know its type",
        "values stay octets: the schema does not know their types",
    ),
    (
        "undecoded",
        "string stays octets: it does not contain what the schema says",
        "strings stay octets: they do not contain what the schema says",
    ),
    (
        "rewritten",
        "string contains a value in other octets than would be written: it keeps them",
        "strings contain values in other octets than would be written: they keep them",
    ),
    (
        "unlike_rows",
        "component differs from the row of its table that its identifier selects",
        "components differ from the rows of their tables that their identifiers select",
    ),
    (
        "skipped",
        "extension of a later version of the schema is passed over",
        "extensions of later versions of the schema are passed over",
    ),
];

/// What is remarked about a message, in the order of [`KINDS`]: how many values, and the path of the first, if it has one.
fn remarked(counts: &Counts) -> [(usize, &str); KINDS.len()] {
    let Accepted { unknown, undecoded, rewritten, unlike_rows, .. } = &counts.accepted;
    let [a, b, c, d] = [unknown, undecoded, rewritten, unlike_rows].map(|found| (found.count, &found.first[..]));
    [a, b, c, d, (counts.skipped, "")]
}

impl Remarks {
    fn take(&mut self, checked: &Checked) {
        for (remark, (values, first)) in self.0.iter_mut().zip(remarked(&checked.counts)) {
            let first = if remark.messages == 0 { first } else { "" };
            remark.add(Remark { values, messages: usize::from(values > 0), first: first.to_owned() });
        }
    }

    fn add(&mut self, more: Remarks) {
        self.0.iter_mut().zip(more.0).for_each(|(remark, more)| remark.add(more));
    }

    fn print(&self) {
        for (Remark { values, messages, first }, (_, one, several)) in self.0.iter().zip(KINDS) {
            let words = match values {
                0 => continue,
                1 => format!("1 {one}"),
                _ => format!("{values} {several}"),
            };
            let messages = if *messages == 1 { "1 message" } else { &format!("{messages} messages") };
            let first = if first.is_empty() { String::new() } else { format!("; first: {first}") };
            note(&format!("{words} ({messages}{first})"));
        }
    }
}

impl Remark {
    fn add(&mut self, more: Remark) {
        if self.messages == 0 {
            self.first = more.first;
        }
        self.values += more.values;
        self.messages += more.messages;
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
            let more = KINDS.iter().zip(remarked(counts)).filter(|(_, (count, _))| *count > 0);
            more.fold(line, |line, ((name, ..), (count, first))| {
                let line = line.json(name, count);
                if first.is_empty() { line } else { line.text(&format!("first_{name}"), first) }
            })
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

    /// Checks a document against the XML Schema; one in another format than XML as the instance that it is.
    fn valid(&self, schema: &XmlSchema, args: &Check, message: &Message<'_>) -> Result<usize, Failure> {
        let Message { input, bytes, detected, .. } = message;
        let is_xml = detected.format == Format::Xml;
        let options = args.common.options(if is_xml { None } else { self.values(args)? });
        let unread = |error| Failure::unread(input, &Reading::new(*detected, &options), error, bytes);
        let text = match is_xml {
            true => Cow::Borrowed(&bytes[..]),
            false => lengthwise::convert(bytes, detected.format, Format::Xml, &options).map_err(unread)?.into(),
        };
        let failure = |Fault { error, hint }| {
            let failure = match is_xml {
                // If it is not XML, the error is the same as without a schema, with the path.
                true if error.path().is_empty() => {
                    unread(lengthwise::check(&text, Format::Xml, &options).err().unwrap_or(error))
                }
                true => unread(error),
                false => unread(error.with_no_place()),
            };
            hint.into_iter().fold(failure, Failure::with_hint)
        };
        schema.check(&text, &options, args.common.all_errors).map_err(|faults| {
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
}

fn check(args: &Check, against: &Validators, message: &Message<'_>, is_alone: bool) -> Result<Checked, Failure> {
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
        Some(schema) if !detected.format.needs_schema() => {
            let mut counts = Counts::default();
            counts.units = against.valid(schema, args, message)?;
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
