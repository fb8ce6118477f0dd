//! The messages of an input: one, or several by their framing, in hexadecimal, or in a capture.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use lengthwise::text::xml;
use lengthwise::{Format, Types, tsf};
use lengthwise_frames::{Frames, Framing, Options, Place, ports};

use crate::args::Common;
use crate::compression;
use crate::entities;
use crate::inputs::{Detected, DetectedBy, Input};
use crate::line::Line;
use crate::recorded::{Bodies, Recording};
use crate::report::{Failure, Reading, Status, note};
use crate::stdin::Stdin;
use crate::tables;

/// Failures of one input that are reported without `--all-errors`.
const REPORTED: u64 = 10;

/// A message.
#[derive(Debug)]
pub(crate) struct Message {
    /// Its name.
    pub(crate) input: Input,
    pub(crate) bytes: Vec<u8>,
    pub(crate) detected: Detected,
    /// If the input has several: its number, from 1, and where it is.
    pub(crate) place: Option<(u64, Option<Place>)>,
}

impl Message {
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
    let ending = compression::inner_extension(path).unwrap_or_default();
    ["http", "har"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The framing of files with an extension.
fn framing_of(input: &Input) -> Option<Framing> {
    let Input::File(path) = input else { return None };
    let ending = compression::inner_extension(path)?;
    ["jsonl", "ndjson"].iter().any(|known| ending.eq_ignore_ascii_case(known)).then_some(Framing::Lines)
}

/// The format that a framing is of.
pub(crate) fn format_of(framing: Framing) -> Option<Format> {
    match framing {
        Framing::Ber => Some(Format::Ber),
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
    work: impl FnMut(Message) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    each_of(input, Failures { common, is_silent: false, count: 0, status: Status::Done }, work)
}

/// Looks at messages of an input until `look` fails. Failures of messages are not reported.
pub(crate) fn sample(
    input: &Input,
    common: &Common,
    look: impl FnMut(Message) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    each_of(input, Failures { common, is_silent: true, count: 0, status: Status::Done }, look)
}

fn each_of(
    input: &Input,
    mut failures: Failures<'_>,
    mut work: impl FnMut(Message) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let common = failures.common;
    let flag = common.from.map(|from| from.0);
    if !are_several(common, Some(input)) {
        let (bytes, detected) = input.read(common)?;
        return work(Message { input: input.clone(), bytes, detected, place: None }).map(|()| Status::Done);
    }
    let is_set = common.is_framed();
    if common.embedded {
        return each_embedded(input, failures, work);
    }
    if !is_set && is_recording(input) {
        return each_recorded(input, failures, work);
    }
    if let (Some(kind), Input::File(path)) = (tables::kind_of(input).filter(|_| !is_set), input) {
        return tables::each_row((input, path), kind, common, failures, work).map(|failures| failures.end(input));
    }
    let framing = common.framing.or_else(|| framing_of(input)).unwrap_or_default();
    if common.hex && framing == Framing::HexLines {
        return Err(Failure::Usage("--framing hex-lines is hexadecimal already: leave out --hex".to_owned()));
    }
    if common.port.is_some() && framing == Framing::HexLines {
        return Err(Failure::Usage("--framing hex-lines is for text, but --port reads a capture".to_owned()));
    }
    if let Some(format) = flag {
        suits("--framing", framing, format)?;
    }
    let options = Options::default().with_framing(framing).with_hex(common.hex).with_port(common.port);
    let options = options.with_types(common.types().map(Types::set));
    let unread = |error| Failure::bad(input, error, &[]);
    let mut frames = Frames::new(reader(input)?, &options.with_limits(common.limits())).map_err(unread)?;
    let name: Arc<str> = input.name().into();
    loop {
        let (number, message) = match frames.next_frame() {
            Ok(None) => break,
            Err(error) => {
                failures.take(unread(error))?;
                continue;
            }
            Ok(Some(frame)) => {
                let of_frame = Input::Message(name.clone(), frame.number, Some(frame.place));
                let message = of_frame.message(frame.bytes.to_vec(), flag, framing, common);
                ((frame.number, Some(frame.place)), message)
            }
        };
        let done = message.and_then(|message| work(Message { place: Some(number), ..message }));
        done.or_else(|failure| failures.take(failure))?;
    }
    let passed = frames.passed();
    for skipped in frames.skipped().iter().filter(|_| !failures.is_quiet()) {
        note(&format!("{}: not read: {} {}", input.name(), skipped.count, skipped.reason));
    }
    if passed == 0 && failures.count == 0 {
        return Err(nothing_in(input, common));
    }
    Ok(failures.end(input))
}

/// The same for the bodies in a recording of HTTP that are XML or JSON.
fn each_recorded(
    input: &Input,
    mut failures: Failures<'_>,
    mut work: impl FnMut(Message) -> Result<(), Failure>,
) -> Result<Status, Failure> {
    let common = failures.common;
    let limits = common.limits();
    let file = compression::opened(input, input.bytes(&limits)?, common)?;
    let recording = Recording::of(&file, Bodies::XmlAndJson, &limits);
    let name: Arc<str> = input.name().into();
    for recorded in &recording.messages {
        let at = recorded.at.map(|at| Place::Byte(at as u64));
        let message = Message {
            input: Input::Message(name.clone(), recorded.number as u64, at),
            bytes: recorded.bytes.to_vec(),
            detected: Detected { format: recorded.format, by: DetectedBy::Message },
            place: Some((recorded.number as u64, at)),
        };
        work(message).or_else(|failure| failures.take(failure))?;
    }
    for (number, error) in &recording.failures {
        failures.take(match number {
            0 => Failure::bad(input, error.clone(), &file),
            number => Failure::bad(&Input::Message(name.clone(), *number as u64, None), error.clone(), &[]),
        })?;
    }
    if let Some(words) = recording.left_out("not read").filter(|_| !failures.is_quiet()) {
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
    mut work: impl FnMut(Message) -> Result<(), Failure>,
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
        let bytes = instruction.data().as_bytes().to_vec();
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

impl Failures<'_> {
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
        if !matches!(failure, Failure::Bad { .. } | Failure::Missing { .. } | Failure::Lossy { .. }) {
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

impl Input {
    /// A message of several.
    fn message(
        self,
        bytes: Vec<u8>,
        flag: Option<Format>,
        framing: Framing,
        common: &Common,
    ) -> Result<Message, Failure> {
        if bytes.len() as u64 > u64::from(common.limits().message_bytes) {
            return Err(self.too_long(bytes.len() as u64, common.limits().message_bytes.into()));
        }
        let bytes = compression::opened(&self, bytes, common)?;
        let known = flag.or_else(|| format_of(framing));
        let (bytes, detected) = match known {
            Some(format) => {
                let by = if flag.is_some() { DetectedBy::Flag } else { DetectedBy::Message };
                (bytes, Detected { format, by })
            }
            None => self.detect(bytes, None)?,
        };
        let bytes = entities::included(&self, bytes, detected.format, common)?;
        Ok(Message { input: self, bytes, detected, place: None })
    }
}

/// The bytes of an input as they arrive, decompressed.
fn reader(input: &Input) -> Result<Box<dyn Read + Send>, Failure> {
    let bytes: Box<dyn Read + Send> = match input {
        Input::File(path) => Box::new(open(path)?),
        _ => Box::new(Stdin),
    };
    compression::reader(input, bytes)
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
        (Some(_), Input::File(path)) => fs::read(path).ok().and_then(|bytes| frequent(&bytes)),
        _ => None,
    };
    match known {
        Some(known) => failure.with_hint(format!("the most frequent ports are {known}")),
        None => failure,
    }
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
