//! The messages of an input: one, or several by their framing, in hexadecimal, or in a capture.

use std::borrow::Cow;
use std::fs;
use std::io::Read;
use std::mem;
use std::path::Path;
use std::sync::Arc;

use lengthwise::tam::Words;
use lengthwise::text::xml;
use lengthwise::{Error, Format, Limits, Types, tsf};
use lengthwise_compress::Method;
use lengthwise_frames::{Frame, Frames, Framing, Options, Place, ports};

use crate::args::Common;
use crate::compression;
use crate::entities;
use crate::inputs::{Detected, DetectedBy, Input};
use crate::jobs;
use crate::line::Line;
use crate::recorded::{Bodies, Recording};
use crate::report::{Failure, Reading, Status, note};
use crate::stdin::Stdin;
use crate::tables;

/// Failures of one input that are reported without `--all-errors`.
const REPORTED: u64 = 10;

/// A message.
#[derive(Debug)]
pub(crate) struct Message<'b> {
    /// Its name.
    pub(crate) input: Input,
    pub(crate) bytes: Cow<'b, [u8]>,
    pub(crate) detected: Detected,
    /// If the input has several: its number, from 1, and where it is.
    pub(crate) place: Option<(u64, Option<Place>)>,
}

impl Message<'_> {
    /// The same with bytes of its own.
    pub(crate) fn into_owned(self) -> Message<'static> {
        Message { bytes: self.bytes.into_owned().into(), ..self }
    }

    /// The line in front of the rows of one of several messages.
    pub(crate) fn heading(&self) -> String {
        match self.place {
            Some((number, place)) => {
                let blank = if number == 1 { "" } else { "\n" };
                let place = place.map_or(String::new(), |place| format!(" ({place})"));
                format!("{blank}message {number}{place}\n")
            }
            None => String::new(),
        }
    }

    /// The start of a line of JSON about the message.
    pub(crate) fn start_of_line(&self) -> Line {
        match self.place {
            Some((number, _)) => Line::new().json("message", number),
            None => Line::new(),
        }
    }
}

/// Whether the options ask for several messages in each input, or in one, by its name.
pub(crate) fn are_several(common: &Common, input: Option<&Input>) -> bool {
    let is_named = |input: &Input| common.embedded || framing_of(input).is_some() || tables::kind_of(input).is_some();
    common.is_framed() || input.is_some_and(|input| is_named(input) || common.from.is_none() && is_recording(input))
}

/// Whether an input is a recording of HTTP, by its name.
pub(crate) fn is_recording(input: &Input) -> bool {
    let Input::File(path) = input else { return false };
    let ending = Method::inner_extension(path).unwrap_or_default();
    ["http", "har"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The framing of an input by its extension; its messages are JSON.
fn framing_of(input: &Input) -> Option<Framing> {
    let Input::File(path) = input else { return None };
    framing_of_file(path)
}

/// The same of a file.
pub(crate) fn framing_of_file(path: &Path) -> Option<Framing> {
    Framing::from_extension(Method::inner_extension(path)?)
}

/// The format that a framing is of.
pub(crate) fn format_of(framing: Framing) -> Option<Format> {
    match framing {
        Framing::Ber | Framing::Pem => Some(Format::Ber),
        Framing::Json => Some(Format::Json),
        Framing::Pon => Some(Format::Pon),
        Framing::Tsf => Some(Format::Tsf),
        _ => None,
    }
}

/// Refuses a framing of another format.
pub(crate) fn suits(option: &str, framing: Framing, format: Format) -> Result<(), Failure> {
    let is_ber = matches!(format, Format::Ber | Format::Der | Format::Cer | Format::InfosetBer);
    match format_of(framing) {
        Some(of) if of != format && !(of == Format::Ber && is_ber) => {
            Err(Failure::Usage(format!("{option} {framing} is for {of}, but the format is {format}")))
        }
        _ => Ok(()),
    }
}

/// Does some work on each message of an input.
///
/// If there are several, a failure is reported and the next message is read; the result is the status of all. Work that
/// cannot be continued is the error.
pub(crate) fn each(
    input: &Input,
    common: &Common,
    work: impl FnMut(Message<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    each_of(input, Failures::new(common, false), work)
}

/// The same on several messages at once, if `threads` is not 0: `work` adds what becomes of a message to a part, and `take`
/// gets the parts in the order of the messages.
pub(crate) fn each_in_parts<P: Default + Send + 'static>(
    input: &Input,
    common: &Common,
    threads: usize,
    work: impl Fn(Message<'_>, &mut P) -> Result<(), Failure> + Sync,
    mut take: impl FnMut(&mut P) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    // Entities cause notes, which come in the order of the messages.
    if threads == 0 || !common.entities.is_empty() || !matches!(Source::of(input, common), Source::Frames) {
        let mut part = P::default();
        return each(input, common, |message| {
            let done = work(message, &mut part);
            take(&mut part).and(done)
        });
    }
    let mut failures = Failures::new(common, false);
    let (frames, origin) = frames(input, common)?;
    let work = |block: &mut Block<P>| {
        let origin = origin.copied();
        let mut start = 0;
        for found in block.found.drain(..) {
            let done = found.map_err(|error| Failure::bad(input, error, &[])).and_then(|(number, place, end)| {
                let bytes = &block.bytes[mem::replace(&mut start, end)..end];
                work(origin.message(number, place, bytes)?, &mut block.part)
            });
            if let Err(failure) = done {
                let ends_the_run = !failure.is_of_a_message();
                block.failures.push(failure);
                if ends_the_run {
                    break;
                }
            }
        }
    };
    let frames = jobs::in_blocks(frames, threads, Block::fill, work, |block| {
        // Only the last failure may end the run.
        let failed = block.failures.drain(..).try_for_each(|failure| failures.take(failure));
        take(&mut block.part).and(failed)
    })?;
    failures.end_of(input, &frames, origin.framing)
}

/// Messages of a stream, and what becomes of them.
#[derive(Default)]
struct Block<P> {
    bytes: Vec<u8>,
    /// The number of each message, its place, and where it ends in `bytes`; or why it cannot be read.
    found: Vec<Result<(u64, Place, usize), Error>>,
    failures: Vec<Failure>,
    part: P,
}

impl<P> Block<P> {
    /// Waits for a message, and takes those that have arrived by then. `None` if there is none.
    fn fill(frames: &mut Frames<'static>, block: &mut Block<P>) -> Option<usize> {
        const BYTES: usize = 256 << 10;
        const MESSAGES: usize = 8 << 10;
        block.bytes.clear();
        block.found.clear();
        while block.bytes.len() < BYTES && block.found.len() < MESSAGES {
            let found = if block.found.is_empty() { frames.next_frame() } else { frames.next_arrived() };
            block.found.push(match found {
                Ok(None) => break,
                Ok(Some(Frame { number, place, bytes, .. })) => {
                    block.bytes.extend_from_slice(bytes);
                    Ok((number, place, block.bytes.len()))
                }
                Err(error) => Err(error),
            });
        }
        (!block.found.is_empty()).then_some(block.bytes.len())
    }
}

/// Looks at messages of an input until `look` fails. Failures of messages are not reported.
pub(crate) fn sample(
    input: &Input,
    common: &Common,
    look: impl FnMut(Message<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    each_of(input, Failures::new(common, true), look)
}

/// Where the messages of an input are.
enum Source<'i> {
    /// It is one.
    Whole,
    Embedded,
    Recording,
    Table(tables::Kind, &'i Path),
    /// One follows the other, by the framing.
    Frames,
}

impl<'i> Source<'i> {
    fn of(input: &'i Input, common: &Common) -> Source<'i> {
        let is_named = !common.is_framed();
        match (tables::kind_of(input), input) {
            _ if !are_several(common, Some(input)) => Source::Whole,
            _ if common.embedded => Source::Embedded,
            _ if is_named && is_recording(input) => Source::Recording,
            (Some(kind), Input::File(path)) if is_named => Source::Table(kind, path),
            _ => Source::Frames,
        }
    }
}

fn each_of(
    input: &Input,
    mut failures: Failures<'_>,
    mut work: impl FnMut(Message<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let common = failures.common;
    match Source::of(input, common) {
        Source::Whole => {
            let (bytes, detected) = input.read(common)?;
            let message = Message { input: input.clone(), bytes: bytes.into(), detected, place: None };
            return work(message).map(|()| Status::Done);
        }
        Source::Embedded => return each_embedded(input, failures, work),
        Source::Recording => return each_recorded(input, failures, work),
        Source::Table(kind, path) => {
            return tables::each_row((input, path), kind, common, failures, work).map(|failures| failures.end(input));
        }
        Source::Frames => {}
    }
    let (mut frames, origin) = frames(input, common)?;
    loop {
        let done = match frames.next_frame() {
            Ok(None) => return failures.end_of(input, &frames, origin.framing),
            Ok(Some(frame)) => origin.message(frame.number, frame.place, frame.bytes).and_then(&mut work),
            Err(error) => Err(Failure::bad(input, error, &[])),
        };
        done.or_else(|failure| failures.take(failure))?;
    }
}

/// Messages that follow each other in an input, and what is known of them.
fn frames<'c>(input: &Input, common: &'c Common) -> Result<(Frames<'static>, Origin<'c>), Failure> {
    let framing = common.framing.or_else(|| framing_of(input)).unwrap_or_default();
    if common.hex && framing == Framing::HexLines {
        return Err(Failure::Usage("--framing hex-lines is hexadecimal already: leave out --hex".to_owned()));
    }
    if common.hex && framing == Framing::Pem {
        return Err(Failure::Usage("--framing pem is for text in base64: leave out --hex".to_owned()));
    }
    if common.port.is_some() && matches!(framing, Framing::HexLines | Framing::Pem) {
        return Err(Failure::Usage(format!("--framing {framing} is for text, but --port reads a capture")));
    }
    if let Some(format) = common.from.map(|from| from.0) {
        suits("--framing", framing, format)?;
    }
    let options = Options::default().with_framing(framing).with_hex(common.hex).with_port(common.port);
    let options = options.with_types(common.types().map(Types::set));
    let frames = Frames::new(reader(input, &common.limits())?, &options.with_limits(common.limits()));
    let frames = frames.map_err(|error| Failure::bad(input, error, &[]))?;
    let by_ending = || framing_of(input).map(|_| Format::Json).or_else(|| input.format_by_ending());
    let known = common.from.map(|from| (from.0, DetectedBy::Flag));
    let known = known.or_else(|| Some((format_of(framing)?, DetectedBy::Message)));
    let known = known.or_else(|| Some((by_ending()?, DetectedBy::Ending)));
    let format = known.map(|(format, by)| Detected { format, by });
    Ok((frames, Origin { name: input.name().into(), framing, format, common }))
}

/// What the messages of a stream have in common.
struct Origin<'c> {
    name: Arc<str>,
    framing: Framing,
    /// Their format, if it is not detected in each.
    format: Option<Detected>,
    common: &'c Common,
}

impl<'c> Origin<'c> {
    /// The same with a name of its own: threads that count the uses of one name would wait for each other.
    fn copied(&self) -> Origin<'c> {
        Origin { name: (&*self.name).into(), ..*self }
    }

    /// A message, decompressed, in the format that is set or detected.
    fn message<'b>(&self, number: u64, place: Place, bytes: &'b [u8]) -> Result<Message<'b>, Failure> {
        let Origin { ref name, format, common, .. } = *self;
        let input = Input::Message(name.clone(), number, Some(place));
        let most = common.limits().message_bytes.into();
        if bytes.len() as u64 > most {
            return Err(input.too_long(bytes.len() as u64, most));
        }
        let bytes = compression::opened(&input, bytes.into(), common)?;
        let (bytes, detected) = match format {
            Some(known) => (bytes, known),
            None => input.detect(bytes, None)?,
        };
        let bytes = entities::included(&input, bytes, detected.format, common)?;
        Ok(Message { input, bytes, detected, place: Some((number, Some(place))) })
    }
}

/// The same for the bodies in a recording of HTTP that are XML or JSON.
fn each_recorded(
    input: &Input,
    mut failures: Failures<'_>,
    mut work: impl FnMut(Message<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let common = failures.common;
    let limits = common.limits();
    let file = compression::opened(input, input.bytes(&limits)?.into(), common)?;
    let recording = Recording::of(&file, Bodies::XmlAndJson, &limits);
    let name: Arc<str> = input.name().into();
    let mut expansion = limits.decompression(file.len());
    for recorded in &recording.messages {
        let (number, at) = (recorded.number as u64, recorded.at.map(|at| Place::Byte(at as u64)));
        let input = Input::Message(name.clone(), number, at);
        let done = match recorded.document(&limits, &mut expansion) {
            Ok(bytes) => work(Message {
                input,
                bytes,
                detected: Detected { format: recorded.format, by: DetectedBy::Message },
                place: Some((number, at)),
            }),
            Err(error) => Err(Failure::bad(&input, error, &recorded.bytes)),
        };
        done.or_else(|failure| failures.take(failure))?;
    }
    for (number, error) in &recording.failures {
        failures.take(match number {
            0 => Failure::bad(input, error.clone(), &file),
            number => Failure::bad(&Input::Message(name.clone(), *number as u64, None), error.clone(), &[]),
        })?;
    }
    if let Some(words) = recording.left_out().filter(|_| !failures.is_quiet()) {
        note(&format!("{}: {words}", input.name()));
    }
    if recording.messages.is_empty() && failures.count == 0 {
        return Err(nothing_in(input, common));
    }
    Ok(failures.end(input))
}

/// The same for the messages in an XML document.
fn each_embedded(
    input: &Input,
    mut failures: Failures<'_>,
    mut work: impl FnMut(Message<'_>) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let (document, detected) = input.read(failures.common)?;
    if detected.format != Format::Xml {
        let (name, format) = (input.name(), detected.format);
        return Err(Failure::Usage(format!("--embedded is for documents in XML, but {name} is {format}")));
    }
    let options = failures.common.options(None);
    let unread = |error| Failure::unread(input, &Reading::new(detected, &options), error, &document);
    let read = xml::Options::default().with_limits(options.limits).with_namespaces(!options.plain_xml);
    let mut reader = xml::Reader::new(&document, &read).map_err(unread)?;
    let (name, mut count) = (Arc::<str>::from(input.name()), 0);
    while let Some(event) = reader.next_event().map_err(unread)? {
        let xml::Event::Instruction(instruction) = event else { continue };
        if instruction.target() != tsf::TARGET {
            continue;
        }
        let bytes = instruction.data().as_bytes().to_vec().into();
        let at = Place::Byte(reader.offset());
        count += 1;
        let message = Message {
            input: Input::Message(name.clone(), count, Some(at)),
            bytes,
            detected: Detected { format: Format::Tsf, by: DetectedBy::Message },
            place: Some((count, Some(at))),
        };
        work(message).or_else(|failure| failures.take(failure))?;
    }
    if count == 0 {
        let what = "the document has no <?tsf ?> instruction".to_owned();
        return Err(Failure::Missing { input: input.name(), what, hints: Vec::new() });
    }
    Ok(failures.end(input))
}

/// The failures of an input.
pub(crate) struct Failures<'c> {
    common: &'c Common,
    /// Whether nothing is reported.
    is_silent: bool,
    count: u64,
    status: Status,
}

impl<'c> Failures<'c> {
    fn new(common: &'c Common, is_silent: bool) -> Failures<'c> {
        Failures { common, is_silent, count: 0, status: Status::Done }
    }

    /// The status of all after the last message; an error if there was none, but of lines there may be none.
    fn end_of(self, input: &Input, frames: &Frames<'_>, framing: Framing) -> Result<Status, Failure> {
        for skipped in frames.skipped().iter().filter(|_| !self.is_quiet()) {
            note(&format!("{}: not read: {} {}", input.name(), skipped.count, skipped.reason));
        }
        if frames.filler() > 0 && !self.is_quiet() {
            let filler = Words::Count(frames.filler(), "bytes");
            note(&format!("{}: not read: {filler} of 00 between messages", input.name()));
        }
        if frames.passed() == 0 && self.count == 0 {
            if framing != Framing::Lines || self.common.port.is_some() {
                return Err(nothing_in(input, self.common));
            }
            if !self.is_quiet() {
                note(&format!("{}: no message", input.name()));
            }
        }
        Ok(self.end(input))
    }

    fn is_quiet(&self) -> bool {
        self.is_silent || self.common.quiet
    }

    /// The status of all; says how many failures were not reported.
    fn end(self, input: &Input) -> Status {
        if self.count > REPORTED && !self.common.all_errors && !self.is_quiet() {
            let more = self.count - REPORTED;
            note(&format!("{}: {more} more failed; --all-errors reports all", input.name()));
        }
        self.status
    }

    /// Reports a failure of a message; gives back one that ends the run.
    pub(crate) fn take(&mut self, failure: Failure) -> Result<(), Failure> {
        if !failure.is_of_a_message() {
            return Err(failure);
        }
        self.count += 1;
        let is_reported = (self.count <= REPORTED || self.common.all_errors) && !self.is_silent;
        self.status = self.status.max(match is_reported {
            true => failure.print(self.common.quiet),
            false => failure.status(),
        });
        Ok(())
    }
}

/// The bytes of an input as they arrive, decompressed.
fn reader(input: &Input, limits: &Limits) -> Result<Box<dyn Read + Send>, Failure> {
    let bytes: Box<dyn Read + Send> = match input {
        Input::File(path) => Box::new(open(path)?),
        _ => Box::new(Stdin),
    };
    compression::reader(input, bytes, limits)
}

fn open(path: &Path) -> Result<fs::File, Failure> {
    fs::File::open(path).map_err(|error| Failure::Io { path: path.display().to_string(), doing: "read", error })
}

/// The failure for an input without any message.
#[cold]
fn nothing_in(input: &Input, common: &Common) -> Failure {
    let what = match common.port {
        Some(port) => format!("no message to or from port {port}"),
        None => "no message".to_owned(),
    };
    let failure = Failure::Missing { input: input.name(), what, hints: Vec::new() };
    let known = match (common.port, input) {
        (Some(_), Input::File(path)) => frequent_in(path),
        _ => None,
    };
    match known {
        Some(known) => failure.with_hint(format!("the most frequent ports are {known}")),
        None => failure,
    }
}

/// The most frequent ports of a capture in a file.
pub(crate) fn frequent_in(path: &Path) -> Option<String> {
    frequent(&fs::read(path).ok()?)
}

/// The most frequent ports of a capture.
fn frequent(capture: &[u8]) -> Option<String> {
    const SHOWN: usize = 6;
    let ports = ports(capture).ok().filter(|ports| !ports.is_empty())?;
    let shown = ports.iter().take(SHOWN).map(|(port, count)| match count {
        1 => format!("{port} (1 packet)"),
        count => format!("{port} ({count} packets)"),
    });
    Some(shown.collect::<Vec<_>>().join(", "))
}

/// The failure for a capture without `--port`.
#[cold]
pub(crate) fn is_capture(input: &Input, bytes: &[u8]) -> Failure {
    let ports = frequent(bytes).map_or(String::new(), |ports| format!("; the most frequent are {ports}"));
    Failure::Usage(format!("{} is a capture: select the messages of a port with --port{ports}", input.name()))
}
