//! `replay`: measures differential deserialization on the user's own traffic.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hint::black_box;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args as Group;
use indicatif::{ProgressBar, ProgressStyle};
use lengthwise::asn1::{Values, notation};
use lengthwise::dds::{self, Body, Matching, Options, Reader, Stats, Templates};
use lengthwise::x694::xer;
use lengthwise::{Error, Format, Schema, Service, soap, xsd};

use crate::applies::{self, Task, Verb};
use crate::args::Common;
use crate::choice::choice;
use crate::compare::{grouped, shown_time};
use crate::inputs::{Input, Inputs};
use crate::line::Line;
use crate::output::{Standard, write_file};
use crate::recorded::{Recorded, Recording};
use crate::replay_page;
use crate::report::{Failure, Status, note};
use crate::service;
use crate::table::Table;
use crate::xml_schema;

/// Measure differential deserialization on recorded SOAP messages, or on XML documents of a schema.
///
/// Deserializes a stream of messages twice, in the order given: once reading each message whole, once reading
/// only what differs from a similar message before it. Prints for each operation, or root element, and in total,
/// both times, the speed-up, the bytes that did not have to be read, and the number of messages that were read
/// whole.
///
/// A file holds one message or several in sequence, with or without HTTP headers, or is an HTTP archive (HAR).
/// The User-Agent header identifies the toolkit. Bodies may be chunked, compressed by gzip or deflate, or of
/// several parts (MTOM), of which the root is the message. What is skipped is counted and reported.
///
/// Both ways must give the same values; otherwise it is an error. Times are medians of repeated rounds. Each
/// round starts without templates and reuses memory between messages.
#[derive(Debug, Group)]
#[command(after_long_help = "Examples:
  lengthwise replay recorded/ -s service.wsdl
  lengthwise replay monday.xml tuesday.xml -s service.wsdl --html gains.html
  lengthwise replay captured.http archive.har -s service.wsdl --json
  lengthwise replay statements/ -s camt.053.001.02.xsd")]
pub(crate) struct Replay {
    /// Files, directories, or - for standard input.
    #[arg(required = true, value_name = "MESSAGE")]
    inputs: Vec<PathBuf>,
    /// How a message is compared with the previous one.
    #[arg(long, value_name = "HOW", default_value = "exact")]
    matching: MatchingArg,
    /// Number of repetitions [default: as many as fit in a second].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Also write a self-contained HTML page with charts.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

choice! {
    /// A matching mode, as `--matching` names it.
    MatchingArg(Matching):
        Matching::Exact => "exact", "compare bytes with the previous message, which is kept";
        Matching::Keyed => "keyed", "compare keyed hashes; arrays are not kept";
}

/// The times for the messages of an operation.
pub(crate) struct Replayed {
    pub(crate) operation: String,
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
    /// Times to read all of them, without and with differencing.
    pub(crate) without: Duration,
    pub(crate) with: Duration,
    pub(crate) stats: Stats,
}

impl Replayed {
    /// The speed-up by differencing.
    pub(crate) fn speedup(&self) -> f64 {
        self.without.as_secs_f64() / self.with.as_secs_f64().max(1e-9)
    }

    /// Bytes that were not read, in percent.
    pub(crate) fn skipped(&self) -> f64 {
        100.0 * self.stats.bytes_skipped as f64 / self.bytes.max(1) as f64
    }

    /// The cells of a row: messages, bytes, times without and with differencing, the speed-up, and bytes skipped.
    pub(crate) fn cells(&self) -> [String; 6] {
        [
            grouped(self.messages as usize),
            grouped(self.bytes as usize),
            shown_time(self.without),
            shown_time(self.with),
            format!("{:.1}x", self.speedup()),
            format!("{:.1} %", self.skipped()),
        ]
    }
}

/// The result of a replay.
pub(crate) struct Stream {
    pub(crate) files: usize,
    pub(crate) rounds: u32,
    /// The operations in the order of first occurrence, followed by their sum if there are several.
    pub(crate) operations: Vec<Replayed>,
    /// Times of the messages, without and with differencing, in the order of the stream. Messages are combined so that
    /// there are at most [`COURSE`] times.
    pub(crate) course: Vec<[Duration; 2]>,
}

/// The most times in the course of a stream.
pub(crate) const COURSE: usize = 60;

/// The times of all rounds, without and with differencing.
struct Times {
    /// For each kind, each round.
    kinds: [Vec<Vec<Duration>>; 2],
    /// For each message, all rounds together.
    messages: [Vec<Duration>; 2],
}

impl Times {
    fn of(kinds: usize, messages: usize) -> Times {
        let none = || vec![Duration::ZERO; messages];
        Times { kinds: [vec![Vec::new(); kinds], vec![Vec::new(); kinds]], messages: [none(), none()] }
    }

    /// The mean times of messages; several are combined if there are many.
    fn course(&self, rounds: u32) -> Vec<[Duration; 2]> {
        let [without, with] = &self.messages;
        let together = without.len().div_ceil(COURSE).max(1);
        let mean = |times: &[Duration]| times.iter().sum::<Duration>() / rounds.max(1) / times.len().max(1) as u32;
        let pairs = without.chunks(together).zip(with.chunks(together));
        pairs.map(|(without, with)| [mean(without), mean(with)]).collect()
    }
}

pub(crate) fn run(args: &Replay) -> Result<Status, Failure> {
    let common = &args.common;
    applies::check(common, Task { verb: Verb::Replay, from: None, to: None })?;
    let described = service::described(common)?;
    let xml = if described.is_some() { None } else { xml_schema::from_flags(common)? };
    let xml = xml.map(|schema| schema.to_schema(common)).transpose()?;
    if described.is_none() && xml.is_none() {
        let words =
            "replay needs a service description or an XML Schema: name it with -s SERVICE.wsdl or -s SCHEMA.xsd";
        return Err(Failure::Usage(words.to_owned()));
    }
    if common.from.is_some_and(|from| from.0 != Format::Xml) {
        return Err(Failure::Usage("replay reads XML, so -f must be xml".to_owned()));
    }
    let (service, envelopes) = described.map_or((None, None), |all| (all.service, all.envelopes));
    let is_xml = service.is_none() || envelopes.is_some();
    if is_xml && args.matching.0 != Matching::Exact {
        let words = "--matching keyed does not apply: messages by an XML Schema are compared byte for byte";
        return Err(Failure::Usage(words.to_owned()));
    }
    let inputs = Inputs::of_endings(&args.inputs, common.from.is_some(), &["http", "har"]);
    let mut status = inputs.report(common)?;
    let mut files = Vec::new();
    for found in &inputs.found {
        match found.input.bytes(&common.limits()) {
            Ok(bytes) => files.push((&found.input, bytes)),
            Err(failure) => status = status.max(failure.print(common.quiet)),
        }
    }
    let options = service::options(common).with_matching(args.matching.0);
    let instances = envelopes.as_ref().map(soap::Service::types).or(xml.as_ref().and_then(Schema::xml));
    let instances = instances.map(|types| (types, xsd::Options::default().with_limits(common.limits())));
    let mut traffic = Traffic::new(service.as_ref(), options, instances);
    for (input, bytes) in &files {
        status = status.max(traffic.take(input, bytes, common));
    }
    let mut standard = Standard::new();
    if common.json {
        standard.put(&traffic.left_out)?;
    }
    if traffic.messages.is_empty() {
        standard.end()?;
        return Ok(status);
    }
    let stream = traffic.replay(args, files.len());
    standard.put(if common.json { lines(&stream) } else { table(&stream) })?;
    standard.end()?;
    if let Some(path) = &args.html {
        write_file(path, replay_page::page(&stream).as_bytes())?;
    }
    Ok(status)
}

/// A message of the stream.
struct RecordedMessage<'f> {
    bytes: Cow<'f, [u8]>,
    toolkit: String,
    kind: usize,
}

/// Messages of one operation, or with one root element.
struct MessageKind {
    operation: String,
    /// The templates with which the stream is read first, to see how each message is handled.
    templates: KindTemplates,
    bytes: u64,
    messages: u64,
}

/// The templates of messages.
enum KindTemplates {
    /// Of a service.
    Soap(Templates),
    /// Of a schema.
    Xml(xer::Templates),
}

/// How instances of a schema are read.
type Instances<'s> = (&'s xer::Types, xsd::Options);

/// The valid messages of a stream.
struct Traffic<'s, 'f> {
    soap: Option<Soap<'s>>,
    xml: Option<Instances<'s>>,
    kinds: Vec<MessageKind>,
    by_name: HashMap<(String, String), usize>,
    messages: Vec<RecordedMessage<'f>>,
    /// What of the recordings is not replayed, as lines of JSON.
    left_out: String,
}

/// How messages of a service are read.
struct Soap<'s> {
    service: &'s Service,
    reader: Reader,
    never: Reader,
    names: Vec<String>,
    /// The SOAPActions of the service.
    actions: HashSet<&'s str>,
}

impl<'s> Soap<'s> {
    fn new(service: &'s Service, options: Options) -> Soap<'s> {
        let schema = service.schema();
        let mut times: HashMap<&str, u32> = HashMap::new();
        schema.methods().iter().for_each(|method| *times.entry(&method.name.local).or_default() += 1);
        // An operation is named by its element, with the namespace if several have the same name.
        let name = |method: &dds::Method| match times.get(method.name.local.as_str()) {
            Some(1) => method.name.local.clone(),
            _ => method.name.to_string(),
        };
        Soap {
            service,
            reader: Reader::new(schema.clone(), &options),
            never: Reader::new(schema.clone(), &options.with_matching(Matching::Never)),
            names: schema.methods().iter().map(name).collect(),
            actions: service.bindings().iter().flat_map(|one| &one.operations).map(|one| one.action.as_str()).collect(),
        }
    }

    /// Reads a message; its operation and its action.
    fn read(&self, recorded: &Recorded<'_>) -> Result<(dds::Message, (String, String)), Error> {
        let whole = self.reader.read(&recorded.bytes)?;
        self.service.check_version(&whole)?;
        let operation = match &whole.body {
            Body::Call { method, .. } => self.names.get(*method).cloned().unwrap_or_default(),
            Body::Fault(_) => "Fault".to_owned(),
        };
        // Unknown actions count as one kind of message.
        let action = self.actions.get(recorded.sender.action.as_str()).copied().unwrap_or_default();
        Ok((whole, (operation, action.to_owned())))
    }
}

impl<'s, 'f> Traffic<'s, 'f> {
    fn new(service: Option<&'s Service>, options: Options, xml: Option<Instances<'s>>) -> Traffic<'s, 'f> {
        Traffic {
            soap: service.map(|service| Soap::new(service, options)),
            xml,
            kinds: Vec::new(),
            by_name: HashMap::new(),
            messages: Vec::new(),
            left_out: String::new(),
        }
    }

    /// Takes the messages of a file. Bad ones are reported and omitted, and so is what is not replayed.
    fn take(&mut self, input: &Input, file: &'f [u8], common: &Common) -> Status {
        let mut status = Status::Done;
        let recording = Recording::of(file, &common.limits());
        let one = |number| Input::File(format!("{} (message {number})", input.name()).into());
        for (number, error) in &recording.failures {
            let failure = match number {
                0 => Failure::bad(input, error.clone(), file),
                number => Failure::bad(&one(*number), error.clone(), &[]),
            };
            status = status.max(failure.print(common.quiet));
        }
        if let Some(words) = recording.left_out().filter(|_| !common.quiet) {
            note(&format!("{}: {words}", input.name()));
        }
        self.left_out += &recording.left_out_lines(&input.name());
        for message in recording.messages {
            let Err(error) = self.take_message(&message) else { continue };
            let unread = |input: &Input, error, bytes: &[u8]| match &self.soap {
                Some(soap) => service::unread(soap.service, input, error, bytes),
                None => Failure::bad(input, error, bytes),
            };
            let failure = match message.at {
                Some(at) => unread(input, placed(error, file, at), file),
                None => unread(&one(message.number), error, &message.bytes),
            };
            status = status.max(failure.print(common.quiet));
        }
        status
    }

    fn take_message(&mut self, recorded: &Recorded<'f>) -> Result<(), Error> {
        let bytes = &recorded.bytes;
        let of_service = self.soap.as_ref().map(|soap| soap.read(recorded));
        let (whole, key) = match (of_service, &self.xml) {
            (Some(Ok((whole, key))), _) => (Some(whole), key),
            (Some(Err(error)), None) => return Err(error),
            (read, Some((types, options))) => {
                let mut values = Values::new();
                let name = dds::checkpoints::method(bytes);
                let name = name.iter().position(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..]);
                let operation = String::from_utf8_lossy(name).into_owned();
                let known = self.soap.as_ref().is_some_and(|soap| soap.names.contains(&operation));
                match (xer::read(bytes, types, options, &mut values), read) {
                    (Ok(_), _) => (None, (operation, recorded.sender.action.clone())),
                    (Err(_), Some(Err(error))) if known => return Err(error),
                    (Err(error), _) => return Err(error),
                }
            }
            (None, None) => return Ok(()),
        };
        let kind = match self.by_name.get(&key) {
            Some(kind) => *kind,
            None => {
                // Operations with the same element are distinguished by their action.
                let is_known = self.kinds.iter().any(|kind| kind.operation == key.0);
                let operation = if is_known { format!("{} ({})", key.0, key.1) } else { key.0.clone() };
                let templates = match (&whole, &self.soap) {
                    (Some(_), Some(soap)) => KindTemplates::Soap(Templates::new(soap.reader.clone(), usize::MAX)),
                    _ => KindTemplates::Xml(xer::Templates::new(usize::MAX)),
                };
                self.kinds.push(MessageKind { operation, templates, bytes: 0, messages: 0 });
                self.by_name.insert(key, self.kinds.len() - 1);
                self.kinds.len() - 1
            }
        };
        let known = &mut self.kinds[kind];
        let mut buffer = bytes.to_vec();
        let is_same = match (&mut known.templates, &self.xml) {
            (KindTemplates::Soap(templates), _) => {
                Some(&*templates.read(&known.operation, &recorded.sender.toolkit, &mut buffer)?) == whole.as_ref()
            }
            (KindTemplates::Xml(templates), Some((types, options))) => {
                let mut values = Values::new();
                let whole = notation::write_value(xer::read(bytes, types, options, &mut values)?);
                notation::write_value(templates.read(&mut buffer, types, options)?.value()) == whole
            }
            (KindTemplates::Xml(_), None) => true,
        };
        if !is_same {
            let expected = "the values of the whole message: please report this as a bug";
            return Err(Error::new(lengthwise::ErrorKind::Unsupported, "xml", 0, "other values", expected));
        }
        known.messages += 1;
        known.bytes += bytes.len() as u64;
        self.messages.push(RecordedMessage { bytes: bytes.clone(), toolkit: recorded.sender.toolkit.clone(), kind });
        Ok(())
    }

    /// Replays the stream in rounds.
    fn replay(&self, args: &Replay, files: usize) -> Stream {
        const ALL: Duration = Duration::from_secs(1);
        let clock = clock();
        let start = Instant::now();
        // The first round warms up.
        self.round(&mut Times::of(self.kinds.len(), self.messages.len()), 0, clock);
        let mut times = Times::of(self.kinds.len(), self.messages.len());
        let fitting = (ALL.as_nanos() / start.elapsed().as_nanos().max(1)).clamp(5, 2_000) as u32;
        let rounds = args.rounds.unwrap_or(fitting);
        let bar = progress(rounds, args.common.quiet);
        for round in 0..rounds {
            self.round(&mut times, round, clock);
            bar.inc(1);
        }
        bar.finish_and_clear();
        let course = times.course(rounds);
        let [without, with] = times.kinds;
        let replayed = self.kinds.iter().zip(without).zip(with).map(|((kind, without), with)| Replayed {
            operation: kind.operation.clone(),
            messages: kind.messages,
            bytes: kind.bytes,
            without: median(without),
            with: median(with),
            stats: match &kind.templates {
                KindTemplates::Soap(templates) => templates.stats(),
                KindTemplates::Xml(templates) => templates.stats(),
            },
        });
        let mut operations: Vec<Replayed> = replayed.collect();
        if operations.len() > 1 {
            operations.push(total(&operations));
        }
        Stream { files, rounds, operations, course }
    }

    /// One round of both ways, which take turns in going first.
    fn round(&self, times: &mut Times, round: u32, clock: Duration) {
        let first = (round % 2) as usize;
        for way in [first, 1 - first] {
            let mut templates: Vec<KindTemplates> = self.kinds.iter().map(|kind| self.fresh(kind, way)).collect();
            let (mut buffer, mut values) = (Vec::new(), Values::new());
            let mut took = vec![Duration::ZERO; self.kinds.len()];
            for (sent, all) in self.messages.iter().zip(&mut times.messages[way]) {
                buffer.clear();
                buffer.extend_from_slice(&sent.bytes);
                let operation = &self.kinds[sent.kind].operation;
                let start = Instant::now();
                // The message has been read before, so it is valid.
                let _ = match (&mut templates[sent.kind], &self.xml) {
                    (KindTemplates::Soap(templates), _) => {
                        black_box(templates.read(operation, &sent.toolkit, &mut buffer)).is_ok()
                    }
                    (KindTemplates::Xml(_), Some((types, options))) if way == 0 => {
                        black_box(xer::read(&buffer, types, options, &mut values)).is_ok()
                    }
                    (KindTemplates::Xml(templates), Some((types, options))) => {
                        black_box(templates.read(&mut buffer, types, options)).is_ok()
                    }
                    (KindTemplates::Xml(_), None) => false,
                };
                let time = start.elapsed().saturating_sub(clock);
                took[sent.kind] += time;
                *all += time;
            }
            for (all, took) in times.kinds[way].iter_mut().zip(took) {
                all.push(took);
            }
        }
    }
}

impl Traffic<'_, '_> {
    /// Templates for messages of a kind, without and with differencing.
    fn fresh(&self, kind: &MessageKind, way: usize) -> KindTemplates {
        match (&kind.templates, &self.soap) {
            (KindTemplates::Soap(_), Some(soap)) => {
                let reader = if way == 0 { &soap.never } else { &soap.reader };
                KindTemplates::Soap(Templates::new(reader.clone(), usize::MAX))
            }
            _ => KindTemplates::Xml(xer::Templates::new(usize::MAX)),
        }
    }
}

/// The time that reading the clock takes.
fn clock() -> Duration {
    let once = |_| {
        let start = Instant::now();
        start.elapsed()
    };
    median((0..1_001).map(once).collect())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn total(operations: &[Replayed]) -> Replayed {
    let mut stats = Stats::default();
    operations.iter().for_each(|one| stats += one.stats);
    Replayed {
        operation: "all messages".to_owned(),
        messages: operations.iter().map(|one| one.messages).sum(),
        bytes: operations.iter().map(|one| one.bytes).sum(),
        without: operations.iter().map(|one| one.without).sum(),
        with: operations.iter().map(|one| one.with).sum(),
        stats,
    }
}

/// Adds to the error of a message its position in the file.
fn placed(error: Error, file: &[u8], start: usize) -> Error {
    let before = file.get(..start).unwrap_or_default();
    let offset = error.offset() + start as u64;
    let format = error.format();
    let Some((line, column)) = error.position().filter(|_| start > 0) else { return error.met_in(format, offset) };
    let lines = before.iter().filter(|byte| **byte == b'\n').count() as u64;
    let last = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let columns = if line == 1 { before[last..].iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64 } else { 0 };
    error.met_in(format, offset).at_line(lines + line, columns + column)
}

fn progress(rounds: u32, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(rounds.into());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} rounds, {elapsed}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn lines(stream: &Stream) -> String {
    let line = |one: &Replayed| {
        Line::new()
            .text("operation", &one.operation)
            .json("messages", one.messages)
            .json("bytes", one.bytes)
            .json("rounds", stream.rounds)
            .json("without_ns", one.without.as_nanos())
            .json("with_ns", one.with.as_nanos())
            .json("speedup", format!("{:.2}", one.speedup()))
            .json("bytes_skipped", one.stats.bytes_skipped)
            .json("regular", one.stats.regular)
            .json("portions", one.stats.portions)
            .json("dirty_portions", one.stats.dirty_portions)
            .json("switches", one.stats.switches)
            .json("memory", one.stats.memory)
            .end()
    };
    stream.operations.iter().map(line).collect()
}

fn table(stream: &Stream) -> String {
    let mut table = Table::new(&["", "messages", "bytes", "without", "with", "faster", "skipped", "whole"]);
    for one in &stream.operations {
        let [messages, bytes, without, with, faster, skipped] = one.cells();
        let whole = grouped(one.stats.regular as usize);
        table.row([one.operation.clone(), messages, bytes, without, with, faster, skipped, whole]);
    }
    format!("{}\n{}", heading(stream), table.text())
}

/// The heading for a replay.
pub(crate) fn heading(stream: &Stream) -> String {
    let all = stream.operations.last();
    let (messages, bytes) = all.map_or((0, 0), |all| (all.messages as usize, all.bytes as usize));
    let of = |n: usize, thing: &str| format!("{} {thing}{}", grouped(n), if n == 1 { "" } else { "s" });
    let (messages, files, rounds) =
        (of(messages, "message"), of(stream.files, "file"), of(stream.rounds as usize, "round"));
    format!("{messages} of {files}, {} bytes, {rounds}", grouped(bytes))
}

#[cfg(test)]
mod tests {
    use lengthwise::ErrorKind;

    use super::*;

    #[test]
    fn the_course_of_many_messages_has_means_of_several() {
        let mut times = Times::of(1, 130);
        times.messages[0].iter_mut().enumerate().for_each(|(n, time)| *time = Duration::from_micros(2 * n as u64));
        let course = times.course(2);
        // Three at a time, the last one alone; two rounds.
        assert_eq!((course.len(), course[1]), (44, [Duration::from_micros(4), Duration::ZERO]));
        assert_eq!(course[43][0], Duration::from_micros(129));
        assert_eq!(Times::of(1, 7).course(1).len(), 7);
    }

    #[test]
    fn errors_have_their_position_in_the_file() {
        let error = |line, column| Error::new(ErrorKind::Schema, "soap", 3, "a", "b").at_line(line, column);
        let file = "é\n<é/> <a\n>".as_bytes();
        assert_eq!(
            placed(error(1, 2), file, 9).to_string(),
            "schema at byte 12 (line 2, column 7): found a, expected b"
        );
        assert_eq!(placed(error(2, 2), file, 9).position(), Some((3, 2)));
        assert_eq!(placed(error(1, 2), file, 0), error(1, 2));
    }
}
