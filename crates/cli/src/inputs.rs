//! Inputs: which files there are, their contents, and their formats.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lengthwise::{Error, ErrorKind, Format, Limits, Options, tam::Words};

use lengthwise_compress::Method;
use lengthwise_frames::{Place, pem};

use crate::args::Common;
use crate::compression;
use crate::entities;
use crate::line::Line;
use crate::messages;
use crate::output::Standard;
use crate::report::{EMPTY, Failure, Status, note};
use crate::stdin::Stdin;
use crate::tables;

/// The format of an input, and how it was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detected {
    pub(crate) format: Format,
    pub(crate) by: DetectedBy,
}

/// How a format is detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DetectedBy {
    /// `-f`.
    Flag,
    /// The extension of the file.
    Ending,
    /// The message: its first bytes, or the document that contains it.
    Message,
}

/// A message to read: a file, standard input, or one of the messages in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Standard,
    File(PathBuf),
    /// A message that has been read from an input of this name: its number, from 1, and where it is. It is called
    /// `calls.pcap, message 3 (packet 17)`.
    Message(Arc<str>, u64, Option<Place>),
    /// What a message is made from.
    Schema,
}

impl Input {
    /// The input that an argument names.
    pub(crate) fn named(argument: &Path) -> Input {
        if is_standard(argument) { Input::Standard } else { Input::File(argument.to_owned()) }
    }

    /// Its name in messages and errors.
    pub(crate) fn name(&self) -> String {
        match self {
            Input::Standard => "standard input".to_owned(),
            Input::File(path) => path.display().to_string(),
            Input::Message(of, number, None) => format!("{of}, message {number}"),
            Input::Message(of, number, Some(place)) => format!("{of}, message {number} ({place})"),
            Input::Schema => "the schema".to_owned(),
        }
    }

    /// Whether it is an ASN.1 module, by its name.
    pub(crate) fn is_notation(&self) -> bool {
        let Input::File(path) = self else { return false };
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["asn1", "asn"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    }

    /// Reads all of it, decompressed, and detects its format.
    pub(crate) fn read(&self, common: &Common) -> Result<(Vec<u8>, Detected), Failure> {
        let flag = common.from.map(|from| from.0);
        let bytes = compression::opened(self, self.bytes(&common.limits())?.into(), common)?;
        if lengthwise_frames::is_capture(&bytes) && flag.is_none() {
            return Err(crate::messages::is_capture(self, &bytes));
        }
        let (bytes, detected) = self.detect(bytes, flag)?;
        Ok((entities::included(self, bytes, detected.format, common)?.into_owned(), detected))
    }

    /// Detects the format of a message.
    pub(crate) fn detect<'b>(
        &self,
        bytes: Cow<'b, [u8]>,
        flag: Option<Format>,
    ) -> Result<(Cow<'b, [u8]>, Detected), Failure> {
        let detected = |format: Option<Format>, by| format.map(|format| Detected { format, by });
        let known = detected(flag, DetectedBy::Flag)
            .or_else(|| detected(self.format_by_ending(), DetectedBy::Ending))
            .or_else(|| detected(pem::is_pem(&bytes).then_some(Format::Der), DetectedBy::Message))
            .or_else(|| detected(self.sniff(&bytes), DetectedBy::Message));
        match known {
            Some(known @ Detected { format: Format::Ber | Format::Der | Format::Cer, .. }) if pem::is_pem(&bytes) => {
                let octets = pem::decode(&bytes).map_err(|error| Failure::bad(self, error, &bytes))?;
                Ok((octets.into(), known))
            }
            Some(known) => Ok((bytes, known)),
            None => Err(self.unknown(&bytes)),
        }
    }

    /// Detects the format from the first bytes. An ASN.1 module is not a message.
    fn sniff(&self, bytes: &[u8]) -> Option<Format> {
        match self {
            _ if self.is_notation() => None,
            _ => Format::sniff(bytes),
        }
    }

    pub(crate) fn bytes(&self, limits: &Limits) -> Result<Vec<u8>, Failure> {
        let bound = u64::from(limits.message_bytes);
        let mut bytes = Vec::new();
        let read = match self {
            Input::Standard => Stdin.take(bound + 1).read_to_end(&mut bytes),
            // It has been read.
            Input::Message(..) | Input::Schema => Ok(0),
            Input::File(path) => fs::File::open(path).and_then(|file| {
                let size = file.metadata()?.len();
                if size > bound {
                    return Ok(usize::try_from(size).unwrap_or(usize::MAX));
                }
                // A file that grows meanwhile may become too long.
                bytes.reserve_exact(usize::try_from(size).unwrap_or(0) + 1);
                file.take(bound + 1).read_to_end(&mut bytes)
            }),
        };
        match read {
            Ok(size) if size as u64 > bound => Err(self.too_long(size as u64, bound)),
            Ok(_) => Ok(bytes),
            Err(error) => Err(Failure::Io { path: self.name(), doing: "read", error }),
        }
    }

    /// Detects the format from the extension.
    pub(crate) fn format_by_ending(&self) -> Option<Format> {
        match self {
            Input::Standard | Input::Message(..) | Input::Schema => None,
            Input::File(path) => format_by_ending(path),
        }
    }

    #[cold]
    pub(crate) fn too_long(&self, size: u64, bound: u64) -> Failure {
        let found = match self {
            Input::Standard | Input::Message(..) | Input::Schema => Words::Text("a longer message"),
            Input::File(_) => Words::Count(size, "bytes"),
        };
        Failure::bad(self, Error::limit("any", bound, found, "message_bytes", bound), &[])
    }

    #[cold]
    fn unknown(&self, bytes: &[u8]) -> Failure {
        let found = bytes.first().map_or(Words::End, |&byte| Words::Byte(byte));
        let expected = "XML, JSON, TSF, PON or TDXML";
        let error = Error::new(ErrorKind::Unsupported, "any", 0, found, expected);
        let is_module = self.is_notation();
        let hint = match bytes {
            [] => EMPTY,
            _ if is_module => "this is a schema (ASN.1): name it with -s, or print it with `lengthwise schema`",
            _ => {
                "unknown format: name it with -f (PER, BER and infosets in them cannot be detected from their \
                 content)"
            }
        };
        Failure::bad(self, error, &[]).with_hint(hint)
    }
}

/// Whether an argument means standard input or output.
pub(crate) fn is_standard(argument: &Path) -> bool {
    argument.as_os_str() == "-"
}

/// Detects the format from the extension of a file, before that of its compression.
pub(crate) fn format_by_ending(path: &Path) -> Option<Format> {
    Method::inner_extension(path).and_then(Format::from_extension)
}

/// One of several inputs: where it is, and its path below the argument that named it.
#[derive(Debug)]
pub(crate) struct InputFile {
    pub(crate) input: Input,
    pub(crate) place: PathBuf,
}

/// The inputs for several arguments.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) found: Vec<InputFile>,
    /// Directories that cannot be read.
    failures: Vec<Failure>,
    /// Entries of directories that are left out, and why.
    skipped: Vec<(PathBuf, &'static str)>,
    /// Directories without a usable file.
    empty: Vec<PathBuf>,
    /// Endings of names that are taken without a format.
    endings: &'static [&'static str],
}

impl Inputs {
    /// The files for some arguments: files themselves, and in directories all files, or those whose format is known from
    /// their names or their contents. Hidden files are skipped, and so is `but_not`, the output directory.
    pub(crate) fn of(arguments: &[PathBuf], takes_all: bool, but_not: Option<&Path>) -> Inputs {
        Inputs::default().with(arguments, takes_all, but_not)
    }

    /// The same, with the files in directories whose names have some other endings.
    pub(crate) fn of_endings(arguments: &[PathBuf], takes_all: bool, endings: &'static [&'static str]) -> Inputs {
        Inputs { endings, ..Inputs::default() }.with(arguments, takes_all, None)
    }

    fn with(self, arguments: &[PathBuf], takes_all: bool, but_not: Option<&Path>) -> Inputs {
        let mut inputs = self;
        let but_not = but_not.and_then(|path| path.canonicalize().ok());
        for argument in arguments {
            if !is_standard(argument) && argument.is_dir() {
                let before = inputs.found.len() + inputs.failures.len();
                inputs.descend(argument, takes_all, but_not.as_deref());
                if before == inputs.found.len() + inputs.failures.len() {
                    inputs.empty.push(argument.clone());
                }
            } else {
                let place = argument.file_name().map(PathBuf::from).unwrap_or_default();
                inputs.found.push(InputFile { input: Input::named(argument), place });
            }
        }
        inputs
    }

    /// Removes inputs that are not messages. Arguments without any input left count as empty.
    pub(crate) fn retain(&mut self, arguments: &[PathBuf], keep: impl Fn(&Input) -> bool) {
        let before = self.found.len();
        self.found.retain(|found| keep(&found.input));
        if self.found.is_empty() && before > 0 {
            self.empty.extend(arguments.iter().filter(|argument| argument.is_dir()).cloned());
        }
    }

    /// Prints what could not be read and what was skipped, with `--json` as lines of the result. A directory without a
    /// message is an error.
    pub(crate) fn report(&self, common: &Common) -> Result<Status, Failure> {
        let mut status = Status::Done;
        for failure in &self.failures {
            status = status.max(failure.print(common.quiet));
        }
        for directory in &self.empty {
            status = status.max(nothing_in(directory).print(common.quiet));
        }
        if !common.quiet {
            REASONS.iter().filter_map(|reason| self.skipped_files(reason)).for_each(|words| note(&words));
        }
        if common.json {
            let mut standard = Standard::new();
            for (path, reason) in &self.skipped {
                let line = Line::new().text("file", &path.display().to_string()).json("skipped", true);
                standard.put(line.text("message", reason).end())?;
            }
            for directory in &self.empty {
                let line = Line::new().text("file", &directory.display().to_string());
                standard.put(nothing_in(directory).describe(line).end())?;
            }
            standard.end()?;
        }
        Ok(status)
    }

    /// The files that are left out for a reason, if there are any.
    fn skipped_files(&self, reason: &str) -> Option<String> {
        const SHOWN: usize = 3;
        let paths: Vec<_> = self.skipped.iter().filter(|(_, other)| *other == reason).map(|(path, _)| path).collect();
        let mut names: Vec<_> = paths.iter().take(SHOWN).map(|path| path.display().to_string()).collect();
        if paths.len() > SHOWN {
            names.push("…".to_owned());
        }
        let ports = match paths.first() {
            Some(first) if reason == CAPTURE => messages::frequent_in(first),
            _ => None,
        };
        let ports = ports.map_or(String::new(), |ports| format!(" (the most frequent of the first are {ports})"));
        let files = if paths.len() == 1 { "file" } else { "files" };
        let skipped = || format!("skipped {} {files}: {reason}: {}{ports}", paths.len(), names.join(", "));
        (!paths.is_empty()).then(skipped)
    }

    fn descend(&mut self, top: &Path, takes_all: bool, but_not: Option<&Path>) {
        let mut open = vec![PathBuf::new()];
        while let Some(place) = open.pop() {
            let directory = top.join(&place);
            let mut entries = match sorted_entries(&directory) {
                Ok(entries) => entries,
                Err(error) => {
                    let path = directory.display().to_string();
                    self.failures.push(Failure::Io { path, doing: "read", error });
                    continue;
                }
            };
            entries.retain(|name| !name.as_os_str().as_encoded_bytes().starts_with(b"."));
            // Directories are on a stack, so the first one by name must be pushed last.
            let (directories, files): (Vec<_>, Vec<_>) =
                entries.into_iter().partition(|name| is_own_directory(&directory.join(name)));
            for name in files {
                self.offer(&directory.join(&name), place.join(&name), takes_all);
            }
            let inner = directories.into_iter().rev();
            open.extend(inner.filter(|name| !is_same(&directory.join(name), but_not)).map(|name| place.join(name)));
        }
    }

    fn offer(&mut self, path: &Path, place: PathBuf, takes_all: bool) {
        if !path.is_file() {
            let reason = if path.is_symlink() { LINK } else { NO_FILE };
            return self.skipped.push((path.to_owned(), reason));
        }
        let input = Input::File(path.to_owned());
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_other = self.endings.iter().any(|other| ending.eq_ignore_ascii_case(other));
        let is_other = is_other || messages::is_recording(&input) || tables::kind_of(&input).is_some();
        if takes_all || is_other || format_by_ending(path).is_some() || is_message(&input) {
            self.found.push(InputFile { input, place });
        } else {
            let reason = if is_capture(path) { CAPTURE } else { UNKNOWN };
            self.skipped.push((path.to_owned(), reason));
        }
    }
}

/// Why an entry of a directory is skipped.
const UNKNOWN: &str = "unknown format";
const CAPTURE: &str = "a capture, whose messages --port selects";
const LINK: &str = "a link to a directory, or to nothing";
const NO_FILE: &str = "no file";
const REASONS: [&str; 4] = [UNKNOWN, CAPTURE, LINK, NO_FILE];

#[cold]
fn nothing_in(directory: &Path) -> Failure {
    let what = "this directory has no file of a known format".to_owned();
    Failure::Missing { input: directory.display().to_string(), what, hints: Vec::new() }
}

/// Whether the content of a file is a message. Plain text can look like one, so a weak signature counts only if the
/// whole file can be read.
fn is_message(input: &Input) -> bool {
    let Input::File(path) = input else { return false };
    if input.is_notation() {
        return false;
    }
    let start = start_of(path);
    if Format::sniff(&start).is_none() {
        return false;
    }
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start).trim_ascii_start();
    if text.starts_with(b"<?xml") || text.starts_with(b"{") || Format::sniff(&start) == Some(Format::Tdxml) {
        return true;
    }
    let options = Options::default();
    let Ok(bytes) = input.bytes(&options.limits) else { return false };
    Format::sniff(&bytes).is_some_and(|format| lengthwise::check(&bytes, format, &options).is_ok())
}

fn is_capture(path: &Path) -> bool {
    lengthwise_frames::is_capture(&start_of(path))
}

/// The first bytes of a file; none if it cannot be read.
fn start_of(path: &Path) -> Vec<u8> {
    const START: u64 = 64;
    let mut start = Vec::new();
    match fs::File::open(path).and_then(|file| file.take(START).read_to_end(&mut start)) {
        Ok(_) => start,
        Err(_) => Vec::new(),
    }
}

fn sorted_entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.push(PathBuf::from(entry?.file_name()));
    }
    names.sort();
    Ok(names)
}

/// A link to a directory could lead to a directory above it.
fn is_own_directory(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_dir())
}

fn is_same(path: &Path, other: Option<&Path>) -> bool {
    other.is_some() && path.canonicalize().ok().as_deref() == other
}
