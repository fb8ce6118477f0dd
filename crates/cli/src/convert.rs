//! `convert`: messages from one format to another.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use lengthwise::tam::{Step, Table, Vocabulary};
use lengthwise::{Error, ErrorKind, Format, Losses, Options, Schema, tsf};

use crate::applies::{self, Task, Verb};
use crate::args::{Convert, FormatArg};
use crate::inputs::{Detected, DetectedBy, Input, InputFile, Inputs, format_by_ending, is_standard};
use crate::jobs;
use crate::line::Line;
use crate::output::{Standard, refuse_overwriting, write_file};
use crate::report::{Failure, Reading, Status, described, note};
use crate::schema;

pub(crate) fn run(args: &Convert) -> Result<Status, Failure> {
    args.tables.check()?;
    let output = args.output.as_deref().filter(|path| !is_standard(path));
    let several = args.inputs.len() > 1 || args.inputs.iter().any(|path| !is_standard(path) && path.is_dir());
    match output {
        Some(file) if several && file.exists() && !file.is_dir() => {
            Err(Failure::Usage(format!("several inputs need an output directory, but '{}' is a file", file.display())))
        }
        Some(directory) if several || directory.is_dir() => convert_several(args, directory),
        None if several => {
            Err(Failure::Usage("several inputs need an output directory: name it with -o DIRECTORY".to_owned()))
        }
        _ => convert_one(args, output),
    }
}

/// The result of a conversion.
struct Conversion {
    from: Format,
    read: usize,
    written: usize,
    /// What was not kept; `None` if not checked.
    losses: Option<Losses>,
}

/// A converted message.
struct Converted {
    bytes: Vec<u8>,
    done: Conversion,
}

fn convert_one(args: &Convert, output: Option<&Path>) -> Result<Status, Failure> {
    let to = target(args, output)?;
    if args.common.json && output.is_none() {
        return Err(Failure::Usage(
            "--json prints the result on standard output: name a file for the message with -o OUTPUT".to_owned(),
        ));
    }
    let Some(input) = args.inputs.first().map(|argument| Input::named(argument)) else {
        return Ok(Status::Done);
    };
    if let Some(output) = output {
        refuse_overwriting(&input, output)?;
    }
    let schema = schema::from_flags(&args.common)?;
    let Converted { bytes, done } = message(args, &input, to, schema.as_ref(), false)?;
    let mut standard = Standard::new();
    match output {
        Some(path) => {
            write_file(path, &bytes)?;
            if args.common.json {
                standard.put(line(&input, path, to, &done))?;
            }
        }
        None => standard.put(&bytes)?,
    }
    standard.end()?;
    report(&input, &done, args.common.quiet);
    Ok(Status::Done)
}

/// Prints one line about what was not kept.
fn report(input: &Input, done: &Conversion, quiet: bool) {
    if let Some(losses) = done.losses.as_ref().filter(|losses| !quiet && !losses.is_empty()) {
        note(&format!("{}: {losses}", input.name()));
    }
}

/// The output format. An embedded message is always TSF, whatever the name of the file.
fn target(args: &Convert, output: Option<&Path>) -> Result<Format, Failure> {
    if args.embed {
        return match args.to {
            None | Some(FormatArg(Format::Tsf)) => Ok(Format::Tsf),
            Some(_) => Err(Failure::Usage("--embed always writes TSF: leave out -t".to_owned())),
        };
    }
    let by_ending = || output.and_then(format_by_ending);
    args.to.map(|to| to.0).or_else(by_ending).ok_or_else(|| {
        Failure::Usage(match output {
            Some(path) => format!("unknown extension of '{}': name the output format with -t", path.display()),
            None => "no output format: name it with -t, or with the extension of -o".to_owned(),
        })
    })
}

/// Reads an input and converts it. If it is one of many, options that do not apply to its format are ignored.
fn message(
    args: &Convert,
    input: &Input,
    to: Format,
    schema: Option<&Schema>,
    is_one_of_many: bool,
) -> Result<Converted, Failure> {
    let flag = args.common.from.map(|from| from.0);
    let (given, detected) = input.read(flag, &args.common.limits())?;
    let (bytes, detected) = match args.embedded {
        true => (
            Cow::Owned(embedded(args, input, detected, &given)?),
            Detected { format: Format::Tsf, by: DetectedBy::Message },
        ),
        false => (Cow::Borrowed(given.as_slice()), detected),
    };
    let from = detected.format;
    if !is_one_of_many {
        applies::check(&args.common, Task { verb: Verb::Convert, from: Some(from), to: Some(to) })?;
    }
    schema::suits_both(schema, from, to)?;
    let options = args.options(from, to, schema);
    let unread = |error| Failure::unread(input, &Reading::new(detected, &options).on_the_way_to(to), error, &bytes);
    let mut out = Vec::new();
    if options.is_by_schema(from, to) {
        out = lengthwise::convert(&bytes, from, to, &options).map_err(unread)?;
    } else {
        let mut table = Table::new();
        let document = lengthwise::read(&bytes, from, &options, &mut table).map_err(unread)?;
        lengthwise::append(&document, to, &options, &mut out).map_err(|error| unwritten(input, from, error, &bytes))?;
    }
    let losses = if args.no_verify { None } else { Some(losses(input, &bytes, from, &out, to, &options)?) };
    if let Some(losses) = losses.as_ref().filter(|losses| args.lossless && !losses.is_empty()) {
        return Err(Failure::Lossy { input: input.name(), losses: losses.clone() });
    }
    if args.embed {
        out = embed(&out).map_err(|error| Failure::bad(input, error, &[]))?;
    }
    if args.embed || to.is_text() {
        // Text files end with a line end, which both formats allow.
        out.push(b'\n');
    }
    let done = Conversion { from, read: given.len(), written: out.len(), losses };
    Ok(Converted { bytes: out, done })
}

/// Reads the output back. If that fails, the conversion fails, and nothing is written.
fn losses(
    input: &Input,
    bytes: &[u8],
    from: Format,
    out: &[u8],
    to: Format,
    options: &Options<'_>,
) -> Result<Losses, Failure> {
    Losses::between(bytes, from, out, to, options).map_err(|error| {
        Failure::bad(input, error, &[])
            .with_hint("the output could not be read back, so nothing was written; --no-verify skips this check")
    })
}

/// The error for what a format cannot hold. If a value does not match its schema, its position in the input is known.
fn unwritten(input: &Input, from: Format, error: Error, bytes: &[u8]) -> Failure {
    let is_placed = matches!(error.format(), "jer" | "tdxml") && error.offset() > 0;
    let error = from.with_line(error, bytes);
    let is_left_over = error.format() == "tdxml" && error.kind() == ErrorKind::Unsupported && is_placed;
    let is_text = error.found().to_string().contains("text");
    let failure = Failure::bad(input, error, if is_placed { bytes } else { &[] });
    match (is_left_over, is_text) {
        (false, _) => failure,
        (true, true) => failure.with_hint("--drop-mixed drops text after a child element, and comments"),
        (true, false) => failure.with_hint("--drop-comments drops comments, instructions and the DOCTYPE"),
    }
}

/// A document of one element that contains a message (paper section 5.6).
fn embed(message: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = b"<tsf>".to_vec();
    tsf::embed(message, &mut out)?;
    out.extend_from_slice(b"</tsf>");
    Ok(out)
}

/// The first message in an XML document.
fn embedded(args: &Convert, input: &Input, detected: Detected, bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let format = detected.format;
    let options = args.options(format, format, None);
    let mut table = Table::new();
    let document = lengthwise::read(bytes, format, &options, &mut table)
        .map_err(|error| Failure::unread(input, &Reading::new(detected, &options), error, bytes))?;
    let carried = document.walk().find_map(|step| match step {
        Step::Primitive(unit) if unit.kind() == b'?' => tsf::embedded(unit.value()),
        _ => None,
    });
    let message = carried.filter(|_| document.types().vocabulary() == Vocabulary::Xml).map(<[u8]>::to_vec);
    message.ok_or_else(|| Failure::Missing {
        input: input.name(),
        what: "the document has no <?tsf ?> instruction".to_owned(),
        hints: Vec::new(),
    })
}

fn line(input: &Input, output: &Path, to: Format, done: &Conversion) -> String {
    Line::new()
        .text("file", &input.name())
        .json("ok", "true")
        .text("output", &output.display().to_string())
        .text("from", done.from.as_str())
        .text("to", to.as_str())
        .json("bytes", done.read)
        .json("output_bytes", done.written)
        .maybe("losses", done.losses.as_ref().map(described))
        .end()
}

/// One of several inputs and its output.
struct Job {
    input: Input,
    output: PathBuf,
}

fn convert_several(args: &Convert, directory: &Path) -> Result<Status, Failure> {
    if args.to.is_none() && !args.embed {
        return Err(Failure::Usage("an output directory needs an output format: name it with -t".to_owned()));
    }
    let to = target(args, None)?;
    let from = args.common.from.map(|from| from.0).filter(|_| !args.embedded);
    applies::check(&args.common, Task { verb: Verb::Convert, from, to: Some(to) })?;
    let file = if args.embed { Format::Xml } else { to };
    let inputs = Inputs::of(&args.inputs, args.common.from.map(|from| from.0), Some(directory));
    let jobs = jobs_of(&inputs.found, directory, ending(file))?;
    let quiet = args.common.quiet;
    let schema = schema::from_flags(&args.common)?;
    let status = inputs.report(&args.common)?;
    let bar = progress(jobs.len(), quiet);
    let mut tally = Tally { status, ..Tally::default() };
    let mut closed = Ok(());
    jobs::side_by_side(
        &jobs,
        jobs::threads(args.threads),
        |job| convert_job(args, job, to, schema.as_ref()),
        |job, result| {
            bar.inc(1);
            let shown = tally.report(args, job, to, result, &bar);
            if closed.is_ok() {
                closed = shown;
            }
        },
    );
    bar.finish_and_clear();
    closed?;
    if tally.changed > 1 && !quiet {
        note(&format!("{} of {} files do not keep everything: {}", tally.changed, tally.done, tally.losses));
    }
    if !quiet && std::io::stderr().is_terminal() {
        note(&tally.summary(directory));
    }
    Ok(tally.status)
}

/// The extension of files in a format.
fn ending(format: Format) -> &'static str {
    format.extensions().first().unwrap_or(&format.as_str())
}

/// The output of each input. Two inputs with the same output are an error before anything is done.
fn jobs_of(found: &[InputFile], directory: &Path, ending: &str) -> Result<Vec<Job>, Failure> {
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut jobs = Vec::with_capacity(found.len());
    for found in found {
        if found.input == Input::Standard {
            return Err(Failure::Usage(
                "standard input has no name for its output: name a file with -o FILE".to_owned(),
            ));
        }
        let output = directory.join(found.place.with_extension(ending));
        refuse_overwriting(&found.input, &output)?;
        let name = found.input.name();
        if let Some(other) = taken.insert(output.clone(), name.clone()) {
            let output = output.display();
            return Err(Failure::Usage(format!("'{other}' and '{name}' would both become '{output}'")));
        }
        jobs.push(Job { input: found.input.clone(), output });
    }
    Ok(jobs)
}

fn convert_job(args: &Convert, job: &Job, to: Format, schema: Option<&Schema>) -> Result<Conversion, Failure> {
    let Converted { bytes, done } = message(args, &job.input, to, schema, true)?;
    if let Some(directory) = job.output.parent() {
        fs::create_dir_all(directory).map_err(|error| Failure::Io {
            path: directory.display().to_string(),
            doing: "make the directory",
            error,
        })?;
    }
    write_file(&job.output, &bytes)?;
    Ok(done)
}

/// The progress of many conversions.
struct Tally {
    status: Status,
    done: usize,
    failed: usize,
    read: u64,
    written: u64,
    /// The number of outputs that differ from their input, and the losses of all of them.
    changed: usize,
    losses: Losses,
}

impl Default for Tally {
    fn default() -> Tally {
        let losses = Losses::default();
        Tally { status: Status::Done, done: 0, failed: 0, read: 0, written: 0, changed: 0, losses }
    }
}

impl Tally {
    fn report(
        &mut self,
        args: &Convert,
        job: &Job,
        to: Format,
        result: Result<Conversion, Failure>,
        bar: &ProgressBar,
    ) -> Result<(), Failure> {
        let shown = match result {
            Ok(done) => {
                self.done += 1;
                self.read += done.read as u64;
                self.written += done.written as u64;
                if let Some(losses) = done.losses.as_ref().filter(|losses| !losses.is_empty()) {
                    self.changed += 1;
                    self.losses.add_counts(losses);
                    bar.suspend(|| report(&job.input, &done, args.common.quiet));
                }
                line(&job.input, &job.output, to, &done)
            }
            Err(failure) => {
                self.failed += 1;
                self.status = self.status.max(bar.suspend(|| failure.print(args.common.quiet)));
                failure.describe(Line::new().text("file", &job.input.name())).end()
            }
        };
        if !args.common.json {
            return Ok(());
        }
        let mut standard = Standard::new();
        standard.put(shown)?;
        standard.end()
    }

    fn summary(&self, directory: &Path) -> String {
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        let (done, read, written) = (self.done, self.read, self.written);
        let files = if done == 1 { "file" } else { "files" };
        format!("{done} {files} converted into {}{failed}: {read} bytes became {written}", directory.display())
    }
}

/// A progress bar on a terminal, nothing elsewhere.
fn progress(jobs: usize, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(jobs as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} files, {elapsed}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
