//! `compare`: measures every format on the user's own messages.

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use lengthwise::tam::{Table, Vocabulary};
use lengthwise::tdxml::Scheme;
use lengthwise::x694::xer;
use lengthwise::xsd;
use lengthwise::{Error, ErrorKind, Format, Options, Schema, Strings, Types, append, asn1, read};
use lengthwise_compress::{Compressor, Method};

use crate::applies::{self, Task, Verb};
use crate::args::Compare;
use crate::compression;
use crate::html;
use crate::inputs::{InputFile, Inputs};
use crate::line::Line;
use crate::messages::{self, Message as Source};
use crate::output::{Standard, write_file};
use crate::picture;
use crate::report::{Failure, Reading, Status};
use crate::schema;
use crate::table::Table as TextTable;
use crate::visible::one_line;

pub(crate) fn run(args: &Compare) -> Result<Status, Failure> {
    let common = &args.common;
    applies::check(common, Task { verb: Verb::Compare, from: common.from.map(|from| from.0), to: None })?;
    let schema = schema::from_flags(common)?;
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, None);
    let mut status = inputs.report(common)?;
    // Their number decides how long each is measured.
    let mut found = Vec::new();
    for InputFile { input, .. } in &inputs.found {
        let read = messages::each(input, common, |message| {
            found.push(message);
            Ok(())
        });
        status = status.max(read.unwrap_or_else(|failure| failure.print(common.quiet)));
    }
    if let [message] = &found[..] {
        applies::check(common, Task { verb: Verb::Compare, from: Some(message.detected.format), to: None })?;
    }
    let each = args.time.unwrap_or_else(|| time_for_each(found.len()));
    let mut standard = Standard::new();
    let mut compared = Vec::new();
    for message in &found {
        match compare(args, schema.as_ref(), message, each) {
            Ok(message) => {
                let shown = if common.json { lines(&message) } else { table(&message) };
                standard.put(shown)?;
                standard.hand_on()?;
                compared.push(message);
            }
            Err(failure) => status = status.max(failure.print(common.quiet)),
        }
    }
    if compared.len() > 1 {
        let total = total(&compared);
        standard.put(if common.json { lines(&total) } else { table(&total) })?;
        compared.push(total);
    }
    standard.end()?;
    if compared.is_empty() {
        return Ok(status);
    }
    if let Some(path) = &args.html {
        write_file(path, html::page(&compared).as_bytes())?;
    }
    if let Some(path) = &args.svg {
        write_file(path, picture::picture(&compared).as_bytes())?;
    }
    Ok(status)
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
}

/// A message in one format.
pub(crate) struct Form {
    pub(crate) label: &'static str,
    pub(crate) what: FormatSpec,
    pub(crate) bytes: usize,
    pub(crate) compressed: Compressed,
    /// Input size; in a total, of the messages that have this form.
    pub(crate) of_bytes: usize,
    pub(crate) messages: usize,
    pub(crate) encode: Duration,
    pub(crate) decode: Duration,
}

/// The size by gzip and by zstd, each with its highest level; zstd with the dictionary, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compressed {
    pub(crate) gzip: usize,
    pub(crate) zstd: usize,
}

impl Compressed {
    fn of(bytes: &[u8]) -> Result<Compressed, Error> {
        let size = |method: Method| {
            let dictionary = compression::dictionary().filter(|_| method == Method::Zstd);
            let mut out = Vec::new();
            Compressor::new(method.into(), dictionary)?.append(bytes, &mut out)?;
            Ok::<_, Error>(out.len())
        };
        Ok(Compressed { gzip: size(Method::Gzip)?, zstd: size(Method::Zstd)? })
    }

    fn add(&mut self, other: Compressed) {
        self.gzip += other.gzip;
        self.zstd += other.zstd;
    }
}

impl Form {
    /// Size in percent of the input.
    pub(crate) fn percent(&self) -> f64 {
        100.0 * self.bytes as f64 / self.of_bytes.max(1) as f64
    }
}

/// A format with the options that change its output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormatSpec {
    pub(crate) format: Format,
    pub(crate) types: Option<Types>,
    pub(crate) strings: Strings,
    pub(crate) scheme: Scheme,
    /// Whether TDXML refers to the data schema of an XML Schema.
    pub(crate) by_reference: bool,
}

impl FormatSpec {
    /// A format without options.
    pub(crate) const fn of(format: Format) -> FormatSpec {
        FormatSpec { format, types: None, strings: Strings::None, scheme: Scheme::Smaller, by_reference: false }
    }

    /// TSF with a type set.
    const fn tsf(types: Types) -> FormatSpec {
        FormatSpec { types: Some(types), ..FormatSpec::of(Format::Tsf) }
    }

    /// TDXML with a scheme.
    const fn tdxml(scheme: Scheme) -> FormatSpec {
        FormatSpec { scheme, ..FormatSpec::of(Format::Tdxml) }
    }

    /// TDXML by an XML Schema, without its data schema.
    const fn by_reference() -> FormatSpec {
        FormatSpec { by_reference: true, ..FormatSpec::of(Format::Tdxml) }
    }

    /// An infoset with compressed strings.
    const fn infoset(strings: Strings) -> FormatSpec {
        FormatSpec { strings, ..FormatSpec::of(Format::InfosetUper) }
    }
}

/// The forms for XML messages, in the order of output. The last ones need an XML Schema.
const XML_FORMS: [(&str, FormatSpec); 15] = [
    ("xml", FormatSpec::of(Format::Xml)),
    ("tsf", FormatSpec::tsf(Types::Xml)),
    ("infoset-uper", FormatSpec::infoset(Strings::None)),
    ("infoset-uper, deflate", FormatSpec::infoset(Strings::Deflate)),
    ("infoset-uper, bzip2", FormatSpec::infoset(Strings::Bzip2)),
    ("infoset-uper, zstd", FormatSpec::infoset(Strings::Zstd)),
    ("infoset-aper", FormatSpec::of(Format::InfosetAper)),
    ("infoset-ber", FormatSpec::of(Format::InfosetBer)),
    ("tdxml, aggregated", FormatSpec::tdxml(Scheme::Aggregated)),
    ("tdxml, grouped", FormatSpec::tdxml(Scheme::Grouped)),
    ("tdxml, by reference", FormatSpec::by_reference()),
    ("uper, by schema", FormatSpec::of(Format::Uper)),
    ("aper, by schema", FormatSpec::of(Format::Aper)),
    ("ber, by schema", FormatSpec::of(Format::Ber)),
    ("oer, by schema", FormatSpec::of(Format::Oer)),
];

/// The forms for JSON messages. The last ones need a schema.
const JSON_FORMS: [(&str, FormatSpec); 9] = [
    ("json", FormatSpec::of(Format::Json)),
    ("tsf, tokens", FormatSpec::tsf(Types::Json)),
    ("tsf, values", FormatSpec::tsf(Types::Value)),
    ("pon", FormatSpec::of(Format::Pon)),
    ("xml, exported", FormatSpec::of(Format::Xml)),
    ("uper", FormatSpec::of(Format::Uper)),
    ("aper", FormatSpec::of(Format::Aper)),
    ("ber", FormatSpec::of(Format::Ber)),
    ("oer", FormatSpec::of(Format::Oer)),
];

/// The index of a form among all.
fn order(label: &str) -> Option<usize> {
    XML_FORMS.iter().chain(&JSON_FORMS).position(|(other, _)| *other == label)
}

/// The forms for messages of a vocabulary.
fn forms(vocabulary: Vocabulary, schema: Option<&Schema>) -> impl Iterator<Item = (&'static str, FormatSpec)> {
    let is_xml = vocabulary == Vocabulary::Xml;
    let forms = if is_xml { &XML_FORMS[..] } else { &JSON_FORMS[..] };
    forms.iter().copied().filter(move |(_, what)| match is_xml && (what.format.needs_schema() || what.by_reference) {
        // An XML instance identifies its type.
        true => schema.is_some_and(|schema| schema.xml().is_some()),
        false => schema::suits(schema, what.format).is_ok(),
    })
}

fn compare(args: &Compare, schema: Option<&Schema>, message: &Source, each: Duration) -> Result<Message, Failure> {
    let options = args.common.options(schema);
    let Source { input, bytes, detected, .. } = message;
    let unread = |error| Failure::unread(input, &Reading::new(*detected, &options), error, bytes);
    let format = detected.format;
    schema::suits(schema, format)?;
    let mut table = Table::new();
    let decode =
        time(each, || read(bytes, format, &options, &mut table).map(|document| document.units() + look_at(bytes)));
    let decode = decode.map_err(unread)?;
    let document = read(bytes, format, &options, &mut table).map_err(unread)?;
    let (units, vocabulary) = (document.units(), document.types().vocabulary());
    let mut measured = Vec::new();
    for (label, what) in forms(vocabulary, schema) {
        let measure = match schema.and_then(Schema::xml) {
            Some(types) if vocabulary == Vocabulary::Xml && what.format.needs_schema() => {
                instance(label, what, bytes, format, types, &options, each)
            }
            _ => form(label, what, bytes, format, &options, each),
        };
        match measure {
            Ok(form) => measured.push(form),
            // A message that a format cannot hold has no row for it.
            Err(error) if error.kind() == ErrorKind::Unsupported => {}
            Err(error) if error.format() == "xsd" => return Err(unread(error)),
            Err(error) => return Err(Failure::bad(input, format.with_line(error, bytes), &[])),
        }
    }
    let compressed = Compressed::of(bytes).map_err(unread)?;
    let name = input.name();
    Ok(Message { name, messages: 1, format, bytes: bytes.len(), compressed, decode, units, forms: measured })
}

/// Measures a message in one form: writes it from a document of the same vocabulary, and reads it again.
fn form(
    label: &'static str,
    what: FormatSpec,
    bytes: &[u8],
    format: Format,
    options: &Options<'_>,
    each: Duration,
) -> Result<Form, Error> {
    let (mut table, mut own, mut out) = (Table::new(), Vec::new(), Vec::new());
    let mut output = *options;
    output.output_types = what.types;
    output.strings = what.strings;
    output.tables.scheme = what.scheme;
    output.embed_schema = !what.by_reference;
    let document = read(bytes, format, &output.towards(what.format), &mut table)?;
    append(&document, what.format, &output, &mut own)?;
    // Starts from a document of the form itself, so that only its writer is measured.
    let mut itself = output;
    itself.input_types = what.types;
    let mut second = Table::new();
    let form_of_itself = what.format != Format::Xml || document.types().vocabulary() == Vocabulary::Xml;
    let source = if form_of_itself { read(&own, what.format, &itself, &mut second)? } else { document };
    let encode = time(each, || {
        out.clear();
        append(&source, what.format, &itself, &mut out).map(|()| out.len())
    })?;
    let mut table = Table::new();
    let decode =
        time(each, || read(&own, what.format, &itself, &mut table).map(|document| document.units() + look_at(&own)))?;
    let compressed = Compressed::of(&own)?;
    Ok(Form { label, what, bytes: own.len(), compressed, of_bytes: bytes.len(), messages: 1, encode, decode })
}

/// Measures an XML instance as a value of its schema: writes the message from values, and reads it into values.
fn instance(
    label: &'static str,
    what: FormatSpec,
    bytes: &[u8],
    format: Format,
    types: &xer::Types,
    options: &Options<'_>,
    each: Duration,
) -> Result<Form, Error> {
    // Errors of a document that is not XML text have no positions.
    let text = match format {
        Format::Xml => Cow::Borrowed(bytes),
        _ => Cow::Owned(lengthwise::convert(bytes, format, Format::Xml, options)?),
    };
    let rules = asn1::Options::of(what.format.rules().unwrap_or_default()).with_limits(options.limits);
    let of_xml = xsd::Options::default().with_limits(options.limits);
    let mut values = asn1::Values::new();
    let value = xer::read(&text, types, &of_xml, &mut values)?;
    let (root, own) = (value.node_id(), asn1::write(value, &rules)?);
    let mut out = Vec::new();
    let encode = time(each, || {
        out.clear();
        asn1::append(value, &rules, &mut out)
    })?;
    let mut again = asn1::Values::new();
    let decode = time(each, || asn1::read(&own, types.compiled(), root, &rules, &mut again).map(|_| look_at(&own)))?;
    let compressed = Compressed::of(&own)?;
    Ok(Form { label, what, bytes: own.len(), compressed, of_bytes: bytes.len(), messages: 1, encode, decode })
}

/// The time for each measurement, shorter if there are many messages.
fn time_for_each(messages: usize) -> Duration {
    const EACH: Duration = Duration::from_millis(300);
    const LEAST: Duration = Duration::from_millis(10);
    const ALL: Duration = Duration::from_secs(30);
    const MEASUREMENTS: usize = 17;
    let share = ALL / u32::try_from(messages.max(1) * MEASUREMENTS).unwrap_or(u32::MAX);
    share.clamp(LEAST, EACH)
}

/// Reads every byte of a message. A reader of length-prefixed formats skips long values at no cost, while a reader of
/// text has seen every byte.
fn look_at(message: &[u8]) -> usize {
    message.iter().map(|byte| usize::from(*byte)).sum()
}

/// The median time of one call, over as many calls as fit.
fn time(within: Duration, mut call: impl FnMut() -> Result<usize, Error>) -> Result<Duration, Error> {
    /// Short calls are timed in groups: reading the clock takes time too, and it counts whole nanoseconds.
    const ROUND: Duration = Duration::from_micros(100);
    const MOST: u32 = 1 << 16;
    let start = Instant::now();
    let mut round = |calls: u32| {
        let round = Instant::now();
        for _ in 0..calls {
            black_box(call()?);
        }
        Ok::<_, Error>(round.elapsed())
    };
    // The first calls are slower, and too few to be meaningful.
    let mut calls = 1;
    while round(calls)? < ROUND && calls < MOST {
        calls *= 2;
    }
    let mut rounds = Vec::new();
    while rounds.len() < 3 || start.elapsed() < within {
        rounds.push(round(calls)? / calls);
    }
    rounds.sort_unstable();
    Ok(rounds[rounds.len() / 2])
}

/// The sum of several messages. A form counts for the messages that have it.
fn total(messages: &[Message]) -> Message {
    let mut sum = Message {
        name: "all messages".to_owned(),
        messages: messages.len(),
        format: Format::Xml,
        bytes: messages.iter().map(|message| message.bytes).sum(),
        compressed: Compressed::default(),
        decode: messages.iter().map(|message| message.decode).sum(),
        units: messages.iter().map(|message| message.units).sum(),
        forms: Vec::new(),
    };
    messages.iter().for_each(|message| sum.compressed.add(message.compressed));
    for form in messages.iter().flat_map(|message| &message.forms) {
        match sum.forms.iter_mut().find(|known| known.label == form.label) {
            Some(known) => {
                known.bytes += form.bytes;
                known.compressed.add(form.compressed);
                known.of_bytes += form.of_bytes;
                known.messages += 1;
                known.encode += form.encode;
                known.decode += form.decode;
            }
            None => sum.forms.push(Form { ..*form }),
        }
    }
    sum.forms.sort_by_key(|form| order(form.label));
    sum
}

fn lines(message: &Message) -> String {
    let start = || Line::new().text("file", &message.name).json("messages", message.messages);
    let speed = |bytes: usize, time: Duration| format!("{:.1}", megabytes_a_second(bytes, time));
    let given = if message.messages == 1 { message.format.as_str() } else { "original" };
    let mut out = start()
        .text("format", given)
        .json("as_given", true)
        .json("original_bytes", message.bytes)
        .json("bytes", message.bytes)
        .json("percent", 100)
        .json("gzip_bytes", message.compressed.gzip)
        .json("zstd_bytes", message.compressed.zstd)
        .json("decode_ns", message.decode.as_nanos())
        .json("decode_mb_per_s", speed(message.bytes, message.decode))
        .end();
    for form in &message.forms {
        let line = start()
            .text("format", form.what.format.as_str())
            .maybe("types", form.what.types.map(|types| Line::string(types.as_str())))
            .maybe("strings", strings(form.what))
            .maybe("scheme", scheme(form.what))
            .json("as_given", false)
            .json("original_bytes", form.of_bytes)
            .json("bytes", form.bytes)
            .json("percent", format!("{:.2}", form.percent()))
            .json("gzip_bytes", form.compressed.gzip)
            .json("zstd_bytes", form.compressed.zstd)
            .json("encode_ns", form.encode.as_nanos())
            .json("encode_mb_per_s", speed(form.of_bytes, form.encode))
            .json("decode_ns", form.decode.as_nanos())
            .json("decode_mb_per_s", speed(form.of_bytes, form.decode));
        out.push_str(&line.end());
    }
    out
}

/// The compression of the strings of an infoset.
fn strings(what: FormatSpec) -> Option<String> {
    let name = if what.strings == Strings::None { "none" } else { what.strings.as_str() };
    what.format.is_infoset().then(|| Line::string(name))
}

/// The scheme of a table.
fn scheme(what: FormatSpec) -> Option<String> {
    match what.scheme {
        Scheme::Aggregated => Some(Line::string("aggregated")),
        Scheme::Grouped => Some(Line::string("grouped")),
        Scheme::Smaller => None,
    }
}

fn table(message: &Message) -> String {
    let mut table = TextTable::new(&["", "bytes", "%", "gzip", "zstd", "encode", "MB/s", "decode", "MB/s"]);
    let of = |time: Duration, bytes: usize| [shown_time(time), shown_speed(bytes, time)];
    let small = |Compressed { gzip, zstd }: Compressed| [grouped(gzip), grouped(zstd)];
    let ([gzip, zstd], [decode, speed]) = (small(message.compressed), of(message.decode, message.bytes));
    let size = grouped(message.bytes);
    table.row([given(message), size, "100.0".into(), gzip, zstd, String::new(), String::new(), decode, speed]);
    for form in &message.forms {
        let [encode, written] = of(form.encode, form.of_bytes);
        let [decode, read] = of(form.decode, form.of_bytes);
        let ([gzip, zstd], percent) = (small(form.compressed), format!("{:.1}", form.percent()));
        table.row([label(message, form), grouped(form.bytes), percent, gzip, zstd, encode, written, decode, read]);
    }
    format!("{}\n{}{}\n", heading(message), table.text(), best(message))
}

/// The forms that are smallest, smallest when compressed, and read fastest, of those that every message has.
fn best(message: &Message) -> String {
    let all = || message.forms.iter().filter(|form| form.messages == message.messages);
    let least = |measure: fn(&Form) -> u128| all().min_by_key(|form| measure(form));
    let (Some(small), Some(smaller), Some(fast)) = (
        least(|form| form.bytes as u128),
        least(|form| form.compressed.zstd as u128),
        least(|form| form.decode.as_nanos()),
    ) else {
        return String::new();
    };
    let (bytes, zstd) = (grouped(small.bytes), grouped(smaller.compressed.zstd));
    format!(
        "  smallest: {} ({bytes}); by zstd: {} ({zstd}); read fastest: {} ({})\n",
        small.label,
        smaller.label,
        fast.label,
        shown_time(fast.decode)
    )
}

/// The name and contents of a message.
pub(crate) fn heading(message: &Message) -> String {
    format!("{}: {} bytes, {} units", one_line(&message.name), grouped(message.bytes), grouped(message.units))
}

/// The label of the input.
pub(crate) fn given(message: &Message) -> String {
    if message.messages == 1 { format!("{}, original", message.format) } else { "original".to_owned() }
}

/// The label of a form; in a sum, with the number of messages it counts for.
pub(crate) fn label(message: &Message, form: &Form) -> String {
    if form.messages == message.messages {
        return form.label.to_owned();
    }
    format!("{} ({} of {})", form.label, form.messages, message.messages)
}

fn megabytes_a_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9)
}

/// Speed in bytes of input.
pub(crate) fn shown_speed(bytes: usize, time: Duration) -> String {
    let speed = megabytes_a_second(bytes, time);
    // Measurements are accurate to three digits.
    let unit = 10_f64.powi((speed.max(1.0).log10() as i32 - 2).max(0));
    grouped(((speed / unit).round() * unit) as usize)
}

/// A time in a unit that leaves three digits or four.
pub(crate) fn shown_time(time: Duration) -> String {
    let ns = time.as_nanos() as f64;
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let places = usize::from(value < 100.0) + usize::from(value < 10.0);
    format!("{value:.places$} {unit}")
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_shown_short() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        let times = [999, 1_000, 12_345, 123_456, 99_999_999, 1_500_000_000];
        let shown = times.map(|ns| shown_time(Duration::from_nanos(ns)));
        assert_eq!(shown, ["999 ns", "1.00 µs", "12.3 µs", "123 µs", "100.0 ms", "1.50 s"]);
        let speeds = [(1_000_000, 10_000_000), (1_234_567, 1_000_000), (25_021, 20), (3, 1_000_000), (0, 5)];
        let shown = speeds.map(|(bytes, ns)| shown_speed(bytes, Duration::from_nanos(ns)));
        assert_eq!(shown, ["100", "1 230", "1 250 000", "0", "0"]);
    }

    #[test]
    fn short_calls_are_measured_together() {
        let mut calls = 0_u64;
        let time = time(Duration::ZERO, || {
            calls += 1;
            Ok(black_box(1))
        });
        assert!(calls > 1_000, "{calls}");
        assert!(time.unwrap() < Duration::from_micros(1));
    }

    #[test]
    fn many_messages_get_less_time_each() {
        assert_eq!(time_for_each(1), Duration::from_millis(300));
        assert!(time_for_each(100) < Duration::from_millis(50));
        assert_eq!(time_for_each(1_000_000), Duration::from_millis(10));
    }
}
