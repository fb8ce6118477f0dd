//! `replay`: measures differential deserialization on the user's own traffic.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args as Group;
use lengthwise::asn1::{Value, Values, notation};
use lengthwise::soap::{self, Body, SoapVersion};
use lengthwise::x694::xer::{self, Package, Stats, Templates, Types};
use lengthwise::{Error, Format, Schema, xsd};

use crate::applies::{self, Task, Verb};
use crate::args::Common;
use crate::compare::{grouped, shown_time};
use crate::inputs::{Input, Inputs};
use crate::jobs::progress;
use crate::line::Line;
use crate::output::{Standard, write_file};
use crate::recorded::{Bodies, Recorded, Recording};
use crate::replay_page;
use crate::report::{Failure, Status, note};
use crate::service::Described;
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
/// Bodies may be chunked, compressed by gzip or deflate, or of
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
    /// Number of repetitions [default: as many as fit in a second].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// Also write a self-contained HTML page with charts.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
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
    let described = Described::from_flags(common)?;
    let xml = if described.is_some() { None } else { xml_schema::from_flags(common)? };
    let xml = xml.map(|schema| schema.to_schema(common)).transpose()?;
    if common.from.is_some_and(|from| from.0 != Format::Xml) {
        return Err(Failure::Usage("replay reads XML, so -f must be xml".to_owned()));
    }
    let mut traffic = match (&described, xml.as_ref().and_then(Schema::xml)) {
        (Some(described), _) => {
            let service = described.service()?;
            let soap = Soap::new(described, service);
            Traffic::new(service.types(), described.options().clone(), Some(soap))
        }
        (None, Some(types)) => Traffic::new(types, xsd::Options::default().with_limits(common.limits()), None),
        (None, None) => {
            let words =
                "replay needs a service description or an XML Schema: name it with -s SERVICE.wsdl or -s SCHEMA.xsd";
            return Err(Failure::Usage(words.to_owned()));
        }
    };
    let inputs = Inputs::of_endings(&args.inputs, common.from.is_some(), &["http", "har"]);
    let mut status = inputs.report(common)?;
    let mut files = Vec::new();
    for found in &inputs.found {
        common.refuse_overwriting(&found.input)?;
        match found.input.bytes(&common.limits()) {
            Ok(bytes) => files.push((&found.input, bytes)),
            Err(failure) => status = status.max(failure.print(common.quiet)),
        }
    }
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
    package: Option<Package>,
    kind: usize,
}

/// Messages of one operation, or with one root element.
struct MessageKind {
    operation: String,
    /// The templates with which the stream is read first, to see how each message is handled.
    templates: Templates,
    bytes: u64,
    messages: u64,
}

/// The valid messages of a stream.
struct Traffic<'s, 'f> {
    types: &'s Types,
    options: xsd::Options,
    /// The service, if they are messages of one.
    soap: Option<Soap<'s>>,
    kinds: Vec<MessageKind>,
    by_name: HashMap<(String, String), usize>,
    messages: Vec<RecordedMessage<'f>>,
    /// What of the recordings is not replayed, as lines of JSON.
    left_out: String,
}

/// The operations of a service.
struct Soap<'s> {
    described: &'s Described,
    service: &'s soap::Service,
    /// The names that several messages have in different namespaces.
    ambiguous: HashSet<&'s str>,
    /// The SOAPActions of the service.
    actions: HashSet<&'s str>,
}

impl<'s> Soap<'s> {
    fn new(described: &'s Described, service: &'s soap::Service) -> Soap<'s> {
        let all: HashSet<&soap::Name> =
            [SoapVersion::Soap11, SoapVersion::Soap12].into_iter().flat_map(|one| service.messages(one)).collect();
        let (mut known, mut ambiguous) = (HashSet::new(), HashSet::new());
        for name in all {
            if !known.insert(&name.local[..]) {
                ambiguous.insert(&name.local[..]);
            }
        }
        let actions = service.bindings().iter().flat_map(|one| &one.operations).map(|one| &one.action[..]).collect();
        Soap { described, service, ambiguous, actions }
    }

    /// The operation and the action of a message.
    fn kind(&self, value: Value<'_>, action: &str) -> (String, String) {
        let operation = match self.service.message(value).body() {
            // An operation is named by its element, with the namespace if several have the same name.
            Some(Body::Call { name, .. }) if self.ambiguous.contains(&name.local[..]) => name.to_string(),
            Some(Body::Call { name, .. }) => name.local.clone(),
            Some(_) => "Fault".to_owned(),
            None => "(empty body)".to_owned(),
        };
        // Unknown actions count as one kind of message.
        (operation, self.actions.get(action).copied().unwrap_or_default().to_owned())
    }
}

impl<'s, 'f> Traffic<'s, 'f> {
    fn new(types: &'s Types, options: xsd::Options, soap: Option<Soap<'s>>) -> Traffic<'s, 'f> {
        Traffic {
            types,
            options,
            soap,
            kinds: Vec::new(),
            by_name: HashMap::new(),
            messages: Vec::new(),
            left_out: String::new(),
        }
    }

    /// Takes the messages of a file. Bad ones are reported and omitted, and so is what is not replayed.
    fn take(&mut self, input: &Input, file: &'f [u8], common: &Common) -> Status {
        let mut status = Status::Done;
        let recording = Recording::of(file, Bodies::Xml, &common.limits());
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
                Some(soap) => soap.described.unread(input, error, bytes),
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
        let mut values = Values::new();
        let read = match &recorded.package {
            Some(package) => xer::read_package(package, self.types, &self.options, &mut values),
            None => xer::read(bytes, self.types, &self.options, &mut values),
        };
        let is_message = |value: &Value<'_>| {
            let service = self.soap.as_ref().map(|soap| soap.service);
            service.is_none_or(|service| service.message(*value).version().is_some())
        };
        let other = || Error::new(lengthwise::ErrorKind::Schema, "soap", 0, "another element", "an Envelope of SOAP");
        let read = read.and_then(|value| if is_message(&value) { Ok(value) } else { Err(other()) });
        let whole = read.map_err(|error| match &self.soap {
            Some(soap) => soap.described.explained(bytes, error),
            None => error,
        })?;
        let key = match &self.soap {
            Some(soap) => soap.kind(whole, &recorded.action),
            None => {
                let root = self.types.roots().find(|root| root.node() == whole.node_id());
                (root.map_or(String::new(), |root| root.name(self.types).to_owned()), String::new())
            }
        };
        let kind = match self.by_name.get(&key) {
            Some(kind) => *kind,
            None => {
                // Operations with the same element are distinguished by their action.
                let is_known = self.kinds.iter().any(|kind| kind.operation == key.0);
                let action = if key.1.is_empty() { "no known action" } else { &key.1 };
                let operation = if is_known { format!("{} ({action})", key.0) } else { key.0.clone() };
                let templates = Templates::new(usize::MAX);
                self.kinds.push(MessageKind { operation, templates, bytes: 0, messages: 0 });
                self.by_name.insert(key, self.kinds.len() - 1);
                self.kinds.len() - 1
            }
        };
        let known = &mut self.kinds[kind];
        let mut package = recorded.package.clone().unwrap_or_else(|| Package::from(bytes.to_vec()));
        let len = package.bytes().len() as u64;
        let again = known.templates.read_package(&mut package, self.types, &self.options)?;
        if notation::write_value(again.value()) != notation::write_value(whole) {
            let expected = "the values of the whole message: please report this as a bug";
            return Err(Error::new(lengthwise::ErrorKind::Unsupported, "xml", 0, "other values", expected));
        }
        known.messages += 1;
        known.bytes += len;
        self.messages.push(RecordedMessage { bytes: bytes.clone(), package: recorded.package.clone(), kind });
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
        let bar = progress(rounds.into(), "rounds", args.common.quiet);
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
            stats: kind.templates.stats(),
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
            let templates: Vec<Templates> = self.kinds.iter().map(|_| Templates::new(usize::MAX)).collect();
            let (mut buffer, mut values) = (Vec::new(), Values::new());
            let mut took = vec![Duration::ZERO; self.kinds.len()];
            for (sent, all) in self.messages.iter().zip(&mut times.messages[way]) {
                buffer.clear();
                buffer.extend_from_slice(&sent.bytes);
                let mut package = sent.package.clone();
                let (templates, types, options) = (&templates[sent.kind], self.types, &self.options);
                let start = Instant::now();
                // The message has been read before, so it is valid.
                let _ = match (&mut package, way) {
                    (None, 0) => black_box(xer::read(&buffer, types, options, &mut values)).is_ok(),
                    (None, _) => black_box(templates.read(&mut buffer, types, options)).is_ok(),
                    (Some(package), 0) => black_box(xer::read_package(package, types, options, &mut values)).is_ok(),
                    (Some(package), _) => black_box(templates.read_package(package, types, options)).is_ok(),
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
