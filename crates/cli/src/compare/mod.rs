//! `compare`: measures every format on the user's own messages.

mod forms;
mod measure;
mod shown;

use std::time::Duration;

use lengthwise::{Format, Schema};

pub(crate) use forms::FormatSpec;
pub(crate) use measure::Compressed;
use measure::{Budget, compare};
pub(crate) use shown::{best, given, grouped, label, shown_size, shown_speed, shown_time};
use shown::{lines, table};

use crate::applies::{self, Task, Verb};
use crate::args::Compare;
use crate::html;
use crate::inputs::{InputFile, Inputs};
use crate::jobs::progress;
use crate::messages::{self, Message as Source};
use crate::output::{Standard, write_file};
use crate::picture;
use crate::report::{Failure, Status, note};
use crate::schema;

pub(crate) fn run(args: &Compare) -> Result<Status, Failure> {
    let common = &args.common;
    applies::check(common, Task { verb: Verb::Compare, from: common.format(), to: None })?;
    let schema = schema::from_flags(common)?;
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, None);
    let mut status = inputs.report(common)?;
    // Their number decides how long each is measured.
    let mut found = Vec::new();
    for InputFile { input, .. } in &inputs.found {
        common.refuse_overwriting(input)?;
        let read = messages::each(input, common, |message| {
            found.push(message.into_owned());
            Ok(())
        });
        status = status.max(read.unwrap_or_else(|failure| failure.print(common.quiet)));
    }
    if let [message] = &found[..] {
        applies::check(common, Task { verb: Verb::Compare, from: Some(message.detected.format), to: None })?;
    }
    if let Some(schema) = &schema
        && !found.is_empty()
        && found.iter().all(|message| is_unused(schema, message.detected.format))
    {
        let words = "--schema is for messages that are values of it, but the ASN.1 module says nothing of XML";
        return Err(Failure::Usage(format!("{words}; an XML Schema does")));
    }
    if args.summary {
        // If there is no time for all, those that are measured are from everywhere.
        fastrand::Rng::with_seed(0).shuffle(&mut found);
    }
    let (compared, failed) = compared(args, schema.as_ref(), &found)?;
    if compared.is_empty() {
        return Ok(status.max(failed));
    }
    if let Some(path) = &args.html {
        write_file(path, html::page(&compared).as_bytes())?;
    }
    if let Some(path) = &args.svg {
        write_file(path, picture::picture(&compared).as_bytes())?;
    }
    Ok(status.max(failed))
}

/// Whether no form of a message is by the schema.
fn is_unused(schema: &Schema, format: Format) -> bool {
    (format == Format::Xml || format.is_infoset()) && !schema.is_xml()
}

/// Measures the messages as the time allows and prints them; those that are printed, their sum as the last.
fn compared(args: &Compare, schema: Option<&Schema>, found: &[Source<'_>]) -> Result<(Vec<Message>, Status), Failure> {
    let common = &args.common;
    let budget = Budget::of(args);
    let mut status = Status::Done;
    let mut standard = Standard::new();
    let mut compared = Vec::new();
    let mut sum = Message::nothing();
    let (mut measured, mut incomplete) = (0, 0);
    let shown = |message: &Message| if common.json { lines(message) } else { table(message) };
    let bar = progress(found.len() as u64, "messages", common.quiet || found.len() < 2);
    for message in found {
        if measured > 0 && budget.is_used_up() {
            break;
        }
        bar.inc(1);
        let message = match compare(args, schema, message, &budget, found.len() - measured) {
            Ok(message) => message,
            Err(failure) => {
                status = status.max(bar.suspend(|| failure.print(common.quiet)));
                measured += 1;
                continue;
            }
        };
        measured += 1;
        if let Some(left_out) = message.left_out() {
            incomplete += 1;
            if !common.quiet {
                bar.suspend(|| note(&format!("{}: {left_out}; --within gives more time", message.name)));
            }
        } else {
            sum.add(&message);
        }
        if !args.summary || found.len() == 1 {
            bar.suspend(|| standard.put(shown(&message)))?;
            standard.hand_on()?;
            compared.push(message);
        }
    }
    bar.finish_and_clear();
    if sum.messages > 1 || args.summary && sum.messages > 0 && found.len() > 1 {
        sum.forms.sort_by_key(|form| forms::order(form.label));
        standard.put(shown(&sum))?;
        compared.push(sum);
    }
    standard.end()?;
    if measured < found.len() && !common.quiet {
        let all = found.len();
        note(&format!("{measured} of {all} messages were measured; --within gives more time"));
    }
    if incomplete > 0 && found.len() > 1 && !common.quiet {
        note(&format!("messages that were not measured whole, and are not in the sum: {incomplete}"));
    }
    Ok((compared, status))
}

/// A message in every format that can hold it.
pub(crate) struct Message {
    pub(crate) name: String,
    /// Number of messages this is the sum of.
    pub(crate) messages: usize,
    /// The input format, and the size in it.
    pub(crate) format: Format,
    pub(crate) bytes: usize,
    pub(crate) compressed: Compressed,
    /// Time to read the input.
    pub(crate) decode: Duration,
    pub(crate) units: usize,
    pub(crate) forms: Vec<Form>,
    /// Number of forms that there was no time for.
    pub(crate) unmeasured: usize,
}

/// A message in one format.
pub(crate) struct Form {
    pub(crate) label: &'static str,
    pub(crate) what: FormatSpec,
    pub(crate) bytes: usize,
    pub(crate) compressed: Compressed,
    /// Input size; in a sum, of the messages that have this form.
    pub(crate) of_bytes: usize,
    pub(crate) messages: usize,
    pub(crate) encode: Duration,
    pub(crate) decode: Duration,
}

impl Form {
    /// A form of a message, not yet compressed.
    fn new(label: &'static str, what: FormatSpec, bytes: usize, of_bytes: usize, times: [Duration; 2]) -> Form {
        let [encode, decode] = times;
        Form { label, what, bytes, compressed: Compressed::default(), of_bytes, messages: 1, encode, decode }
    }

    /// Size in percent of the input.
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.bytes as f64 / self.of_bytes.max(1) as f64
    }
}

impl Message {
    /// What a sum of messages begins with.
    fn nothing() -> Message {
        Message {
            name: "all messages".to_owned(),
            messages: 0,
            format: Format::Xml,
            bytes: 0,
            compressed: Compressed::NONE,
            decode: Duration::ZERO,
            units: 0,
            forms: Vec::new(),
            unmeasured: 0,
        }
    }

    /// Adds a message to a sum. A form counts for the messages that have it.
    fn add(&mut self, message: &Message) {
        self.messages += 1;
        self.bytes += message.bytes;
        self.compressed.add(message.compressed);
        self.decode += message.decode;
        self.units += message.units;
        for form in &message.forms {
            match self.forms.iter_mut().find(|known| known.label == form.label) {
                Some(known) => {
                    known.bytes += form.bytes;
                    known.compressed.add(form.compressed);
                    known.of_bytes += form.of_bytes;
                    known.messages += 1;
                    known.encode += form.encode;
                    known.decode += form.decode;
                }
                None => self.forms.push(Form { ..*form }),
            }
        }
    }

    /// What there was no time for.
    fn left_out(&self) -> Option<String> {
        let sizes = self.forms.iter().map(|form| form.compressed.unknown()).sum::<usize>() + self.compressed.unknown();
        match (self.unmeasured, sizes) {
            (0, 0) => None,
            (0, sizes) => Some(format!("sizes not compressed: {sizes}")),
            (forms, 0) => Some(format!("formats not measured: {forms}")),
            (forms, sizes) => Some(format!("formats not measured: {forms}, sizes not compressed: {sizes}")),
        }
    }
}
