//! Failures, as text and as an exit status.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use lengthwise::{Error, ErrorKind, Format, Lengths, Losses, Options, tam::Table, tam::Words};

use crate::inputs::{Detected, DetectedBy, Input};
use crate::line::Line;
use crate::visible::{is_unseen, one_line};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const ASIDE: Style = AnsiColor::Cyan.on_default();

/// The hint about an empty input.
pub(crate) const EMPTY: &str = "the input is empty";

/// The exit status. With several inputs, the highest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Status {
    Done = 0,
    Bad = 1,
    Usage = 2,
    Io = 3,
}

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An input is bad.
    Bad { input: String, error: Error, excerpt: String, hints: Vec<String> },
    /// A valid input does not contain the requested value.
    Missing { input: String, what: String, hints: Vec<String> },
    /// A conversion would lose something, and `--lossless` forbids it.
    Lossy { input: String, losses: Losses },
    /// The command line is wrong.
    Usage(String),
    /// Reading or writing failed.
    Io { path: String, doing: &'static str, error: io::Error },
    /// All errors that were found in an input.
    Several(Vec<Failure>),
    /// The reader of the output has closed it.
    Closed,
}

impl Failure {
    /// A bad input, with an excerpt at the position of the error.
    #[cold]
    pub(crate) fn bad(input: &Input, error: Error, bytes: &[u8]) -> Failure {
        let excerpt = excerpt(&error, bytes).unwrap_or_default();
        let hints = hints(&error);
        Failure::Bad { input: input.name(), error, excerpt, hints }
    }

    /// A bad input, with hints about options that may be wrong.
    #[cold]
    pub(crate) fn unread(input: &Input, reading: &Reading<'_>, error: Error, bytes: &[u8]) -> Failure {
        let hints = reading.hints(&error, bytes);
        hints.into_iter().fold(Failure::bad(input, error, bytes), Failure::with_hint)
    }

    /// The same failure with one more hint.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        if let Failure::Bad { hints, .. } | Failure::Missing { hints, .. } = &mut self {
            hints.push(hint.into());
        }
        self
    }

    /// Whether a message is the cause, after which others can be read.
    pub(crate) fn is_of_a_message(&self) -> bool {
        matches!(self, Failure::Bad { .. } | Failure::Missing { .. } | Failure::Lossy { .. } | Failure::Several(_))
    }

    pub(crate) fn status(&self) -> Status {
        match self {
            Failure::Bad { .. } | Failure::Missing { .. } | Failure::Lossy { .. } | Failure::Several(_) => Status::Bad,
            Failure::Usage(_) => Status::Usage,
            Failure::Io { .. } => Status::Io,
            Failure::Closed => Status::Done,
        }
    }

    /// Prints the failure on standard error; with `quiet`, only the error.
    #[cold]
    pub(crate) fn print(&self, quiet: bool) -> Status {
        let mut text = String::new();
        let (excerpt, hints) = match self {
            Failure::Bad { excerpt, hints, .. } => (excerpt.as_str(), hints.as_slice()),
            Failure::Missing { hints, .. } => ("", hints.as_slice()),
            Failure::Lossy { .. } | Failure::Usage(_) | Failure::Io { .. } => ("", [].as_slice()),
            Failure::Several(all) => {
                return all.iter().map(|one| one.print(quiet)).max().unwrap_or(Status::Bad);
            }
            Failure::Closed => return self.status(),
        };
        let _ = writeln!(text, "{ERROR}error:{ERROR:#} {}", one_line(&self.words()));
        if !quiet {
            text.push_str(excerpt);
            for hint in hints {
                let _ = writeln!(text, "{ASIDE}hint:{ASIDE:#} {}", one_line(hint));
            }
        }
        to_standard_error(&text);
        self.status()
    }

    /// The failure in one line.
    fn words(&self) -> String {
        match self {
            Failure::Bad { input, error, .. } => format!("{input}: {error}"),
            Failure::Missing { input, what, .. } => format!("{input}: {what}"),
            Failure::Lossy { input, losses } => format!("{input}: lossy: {losses}"),
            Failure::Usage(what) => what.clone(),
            Failure::Io { path, doing, error } => format!("{path}: io: cannot {doing}: {error}"),
            Failure::Several(_) | Failure::Closed => String::new(),
        }
    }

    /// The failure as members of a result that is JSON.
    pub(crate) fn describe(&self, line: Line) -> Line {
        if let Failure::Several(all) = self {
            // The first, and how many there are.
            let described = all.first().map(|first| first.describe(line.clone()));
            return described.unwrap_or(line).json("errors", all.len());
        }
        let line = line.json("ok", "false");
        match self {
            Failure::Bad { error, .. } => {
                let (row, column) = error.position().unzip();
                line.text("kind", error.kind().as_str())
                    .text("format", error.format())
                    .json("offset", error.offset())
                    .maybe("line", row)
                    .maybe("column", column)
                    .text("path", error.path())
                    .text("found", &error.found().to_string())
                    .text("expected", &error.expected().to_string())
            }
            Failure::Lossy { losses, .. } => line.text("kind", "lossy").json("losses", described(losses)),
            Failure::Io { .. } => line.text("kind", "io").text("message", &self.words()),
            _ => line.text("message", &self.words()),
        }
    }
}

/// Prints a remark on standard error.
pub(crate) fn note(text: &str) {
    to_standard_error(&format!("{ASIDE}note:{ASIDE:#} {}\n", one_line(text)));
}

/// Losses as JSON: an array of kind, count and first position.
pub(crate) fn described(losses: &Losses) -> String {
    let places = losses.iter().map(|loss| {
        let (row, column) = loss.first.position.unzip();
        let first = Line::new()
            .text("path", &loss.first.path)
            .maybe("offset", loss.first.offset)
            .maybe("line", row)
            .maybe("column", column);
        Line::new().text("kind", loss.kind.as_str()).json("count", loss.count).json("first", first.object()).object()
    });
    format!("[{}]", places.collect::<Vec<_>>().join(","))
}

/// Prints what is wrong with the command line, or the requested help.
pub(crate) fn usage(error: &clap::Error) -> Status {
    let is_help = !error.use_stderr();
    if is_help || std::env::args_os().all(|argument| !has_controls(&argument.to_string_lossy())) {
        return match error.print() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Status::Io,
            _ if is_help => Status::Done,
            _ => Status::Usage,
        };
    }
    // Colours would be confused with control characters in an argument.
    let text = error.to_string();
    let lines: Vec<String> = text.lines().map(one_line).collect();
    to_standard_error(&(lines.join("\n") + "\n"));
    Status::Usage
}

fn has_controls(text: &str) -> bool {
    text.chars().any(is_unseen)
}

/// Writes to standard error, without colours if it is not a terminal. A failure to write is ignored, because there is
/// nowhere to report it.
fn to_standard_error(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// How an input was read.
pub(crate) struct Reading<'o> {
    detected: Detected,
    options: &'o Options<'o>,
    from_tsf_to_tsf: bool,
}

impl<'o> Reading<'o> {
    pub(crate) fn new(detected: Detected, options: &'o Options<'o>) -> Reading<'o> {
        Reading { detected, options, from_tsf_to_tsf: false }
    }

    /// The same reading as part of a conversion: if both formats are TSF, the input has flags of its own.
    pub(crate) fn on_the_way_to(self, to: Format) -> Reading<'o> {
        Reading { from_tsf_to_tsf: self.detected.format == Format::Tsf && to == Format::Tsf, ..self }
    }

    /// What to do instead.
    fn hints(&self, error: &Error, bytes: &[u8]) -> Vec<String> {
        if bytes.is_empty() {
            return vec![EMPTY.to_owned()];
        }
        let mut hints = Vec::new();
        if error.kind() == ErrorKind::Incomplete {
            hints.push("the input ends before the message does; is the file truncated?".to_owned());
        }
        if error.kind() == ErrorKind::Unsupported && self.detected.format.is_infoset() {
            let is_shared = error.found().to_string().starts_with("strings that are shared");
            return is_shared
                .then(|| "name the file of strings with --shared-strings".to_owned())
                .into_iter()
                .collect();
        }
        if error.kind() == ErrorKind::Schema {
            // The input can be read as another format.
            return hints;
        }
        hints.extend(
            self.other_format(bytes)
                .or_else(|| self.line_end(error, bytes))
                .or_else(|| self.several(error, bytes))
                .or_else(|| self.other_lengths(bytes))
                .or_else(|| self.maybe_asn1(bytes)),
        );
        if self.from_tsf_to_tsf && self.options.output_types.is_some() && self.options.input_types.is_none() {
            hints.push("--types is for the output; set the type set of the input with --from-types".to_owned());
        }
        hints
    }

    /// A name or a flag may give the wrong format; the first bytes may look like another.
    fn other_format(&self, bytes: &[u8]) -> Option<String> {
        let format = self.detected.format;
        let other = Format::sniff(bytes).filter(|other| *other != format)?;
        if (format, other) == (Format::Pon, Format::Tsf) || format.rules().is_some() {
            // PON and TSF both begin with a number, and ASN.1 messages may begin with any byte.
            lengthwise::read(bytes, other, self.options, &mut Table::new()).ok()?;
        }
        match self.detected.by {
            DetectedBy::Flag => Some(format!("the input starts like {other}, but -f says {format}")),
            DetectedBy::Ending => {
                Some(format!("it was read as {format}, but starts like {other}: set the format with -f"))
            }
            DetectedBy::Message => None,
        }
    }

    /// ASN.1 messages may begin with any byte, so one may have been detected as another format.
    fn maybe_asn1(&self, bytes: &[u8]) -> Option<String> {
        const LOOKED_AT: usize = 64;
        let start = bytes.get(..LOOKED_AT).unwrap_or(bytes);
        let is_binary = start.iter().any(|c| c.is_ascii_control() && !c.is_ascii_whitespace());
        let format = self.detected.format;
        (self.detected.by == DetectedBy::Message && is_binary)
            .then(|| format!("it was taken for {format}; if it is PER, BER or an infoset, set the format with -f"))
    }

    /// After a whole message the next one may begin.
    fn several(&self, error: &Error, bytes: &[u8]) -> Option<String> {
        let framing = match self.detected.format {
            Format::Json => "json",
            Format::Pon => "pon",
            Format::Ber | Format::Der | Format::Cer => "ber, or parts of PEM with --framing pem",
            _ => return None,
        };
        let rest = bytes.get(usize::try_from(error.offset()).ok()?..)?.trim_ascii_start();
        let begins_alike = match (bytes.trim_ascii_start().first()?, rest.first()?) {
            (one, other) if one.is_ascii_digit() => other.is_ascii_digit(),
            (b'{' | b'[', other) => matches!(other, b'{' | b'['),
            (one, other) => one == other,
        };
        let is_end = error.expected().to_string().starts_with("the end of the");
        (begins_alike && is_end)
            .then(|| format!("if several messages follow each other, read them with --framing {framing}"))
    }

    /// A text file's final line end makes a length-prefixed message invalid.
    fn line_end(&self, error: &Error, bytes: &[u8]) -> Option<String> {
        let at = usize::try_from(error.offset()).ok()?;
        let rest = bytes.get(at..)?;
        if self.detected.format.is_text()
            || error.kind() != ErrorKind::Syntax
            || !matches!(rest, b"\n" | b"\r" | b"\r\n")
        {
            return None;
        }
        let (n, format) = (rest.len(), self.detected.format.as_str().to_uppercase());
        Some(format!(
            "a text editor or `echo` added a line end, which {format} does not allow: write the message with \
             printf '%s', or remove the line end with truncate -s -{n}"
        ))
    }

    /// TSF does not specify the unit of its lengths: checks whether the message is valid with another.
    fn other_lengths(&self, bytes: &[u8]) -> Option<String> {
        if self.detected.format != Format::Tsf {
            return None;
        }
        let (lengths, unit) = match self.options.input_lengths {
            Lengths::Chars => (Lengths::Bytes, "bytes"),
            _ => (Lengths::Chars, "chars"),
        };
        let other = self.options.with_input_lengths(lengths);
        lengthwise::read(bytes, Format::Tsf, &other, &mut Table::new()).ok()?;
        let flag = if self.from_tsf_to_tsf { "--from-lengths" } else { "--lengths" };
        Some(format!("it can be read with {flag} {unit}"))
    }
}

const KEEP_REFERENCES: &str = "convert --keep-entity-references keeps references in content, in XML and infosets";

/// Whether an error is a reference to an entity that can be kept.
fn refers_to_unknown(error: &Error) -> bool {
    let (found, expected) = (error.found().to_string(), error.expected().to_string());
    match error.format() {
        "xml" => found.ends_with("', an undeclared entity"),
        "infoset" => found.starts_with("a reference to the entity '") && expected == "its replacement",
        _ => false,
    }
}

/// What to do about an error, whatever was read.
fn hints(error: &Error) -> Vec<String> {
    match (error.kind(), error.expected()) {
        (ErrorKind::Limit, Words::AtMost(bound, name)) if lengthwise::Limits::NAMES.contains(name) => {
            let higher = bound.saturating_mul(10).min(u32::MAX.into());
            if higher == *bound {
                return Vec::new();
            }
            vec![format!("if you trust the message, raise the limit: --limit {name}={higher}")]
        }
        (ErrorKind::Unsupported, _) if error.found().to_string().starts_with("a reference to the schema") => {
            vec!["name the schema with -s, or a directory that has it with --registry".to_owned()]
        }
        (ErrorKind::Unsupported, _) if error.found().to_string().contains("', an external entity") => {
            let entities = "if you trust the document, name the directory of its entities with --entities";
            vec![entities.to_owned(), KEEP_REFERENCES.to_owned()]
        }
        (ErrorKind::Unsupported, _) if refers_to_unknown(error) => vec![KEEP_REFERENCES.to_owned()],
        (ErrorKind::Unsupported, _) if error.format() == "zstd" => {
            vec!["name the dictionary with --dictionary".to_owned()]
        }
        (ErrorKind::Unsupported, expected) if error.format() != "tsf" && expected.to_string().ends_with("in JSON") => {
            vec!["an XML Schema gives it one: name the schema with -s".to_owned()]
        }
        _ => Vec::new(),
    }
}

/// Characters of a line shown before and after the position of an error.
const BEFORE: usize = 40;
const AFTER: usize = 36;

/// The line of an error, with a caret below the position.
fn excerpt(error: &Error, bytes: &[u8]) -> Option<String> {
    let is_inside = |at: &usize| error.has_place() && *at <= bytes.len() && !bytes.is_empty();
    let at = usize::try_from(error.offset()).ok().filter(is_inside)?;
    if matches!(error.format(), "per" | "uper" | "aper" | "ber" | "oer" | "infoset") {
        return Some(octets(bytes, at));
    }
    let is_text = error.position().is_some();
    // Line ends bound the excerpt of a text. A length-prefixed message has no lines.
    let cut = |c: &u8| is_text && *c == b'\n';
    let start = bytes[..at].iter().rposition(cut).map_or(0, |end| end + 1).max(at.saturating_sub(4 * BEFORE));
    let end = bytes[at..].iter().position(cut).map_or(bytes.len(), |end| at + end).min(at + 4 * AFTER);
    let before: Vec<char> = shown(&bytes[start..at]).collect();
    let after: String = shown(&bytes[at..end]).take(AFTER).collect();
    let before = &before[before.len().saturating_sub(BEFORE)..];
    if before.is_empty() && after.is_empty() {
        return None;
    }
    let label = match error.position() {
        Some((line, _)) => line.to_string(),
        None => String::new(),
    };
    let (margin, width) = (" ".repeat(label.len()), before.len());
    let before: String = before.iter().collect();
    let line = format!("{before}{after}");
    let line = line.trim_end();
    Some(format!("{margin} |\n{label} | {line}\n{margin} | {:width$}^\n", ""))
}

/// Octets shown before and after the position of an error.
const OCTETS: usize = 8;

/// The octets around a position, for messages that are not text.
fn octets(bytes: &[u8], at: usize) -> String {
    let start = at.saturating_sub(OCTETS);
    let shown = bytes.get(start..bytes.len().min(at + OCTETS)).unwrap_or_default();
    let mut line = if start > 0 { "…".to_owned() } else { String::new() };
    let width = line.chars().count() + 3 * (at - start);
    let digits: Vec<String> = shown.iter().map(|octet| format!("{octet:02X}")).collect();
    line.push_str(&digits.join(" "));
    if start + shown.len() < bytes.len() {
        line.push('…');
    }
    format!(" |\n | {line}\n | {:width$}^\n", "")
}

/// Bytes as characters that take one column each.
fn shown(bytes: &[u8]) -> impl Iterator<Item = char> + '_ {
    bytes.utf8_chunks().flat_map(|chunk| {
        let bad = if chunk.invalid().is_empty() { None } else { Some('\u{FFFD}') };
        chunk.valid().chars().map(|c| if is_unseen(c) { ' ' } else { c }).chain(bad)
    })
}
