//! `convert`: messages from one format to another.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io::IsTerminal;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;
use lengthwise::tam::{Table, Words};
use lengthwise::{Base64, BinaryCounts, Error, ErrorKind, Format, Losses, Options, Schema, Strings, Types, tsf};
use lengthwise_compress::{Compression, Compressor};
use lengthwise_frames::Framing;

use crate::applies::{self, Task, Verb};
use crate::args::{Convert, TargetArg};
use crate::compression;
use crate::embed;
use crate::inputs::{Input, InputFile, Inputs, is_standard};
use crate::jobs;
use crate::line::Line;
use crate::messages::{self, Message};
use crate::output::{Output, Standard, format_of, refuse_overwriting, write_file};
use crate::report::{Failure, Reading, Status, described, note};
use crate::schema;
use crate::tables;

pub(crate) fn run(args: &Convert) -> Result<Status, Failure> {
    args.tables.check()?;
    if args.strings_from.is_some() && args.strings.0 == Strings::None {
        return Err(Failure::Usage(
            "--strings-from is for strings that are compressed: name how with --strings".to_owned(),
        ));
    }
    let output = args.output.as_deref().filter(|path| !is_standard(path));
    let table = match args.to {
        Some(TargetArg::Table(kind)) => Some(kind),
        Some(TargetArg::Messages(_)) => None,
        None => output.filter(|path| !path.is_dir()).and_then(tables::Kind::of_file),
    };
    if let Some(kind) = table {
        return tables::run(args, kind);
    }
    if args.embeds() && (args.each || args.to_framing.is_some()) {
        let other = if args.each { "--each" } else { "--to-framing" };
        let words = format!("{} writes one document for each input: leave out {other}", args.embedding());
        return Err(Failure::Usage(words));
    }
    let several =
        args.each || args.inputs.len() > 1 || args.inputs.iter().any(|path| !is_standard(path) && path.is_dir());
    match output {
        Some(file) if several && is_of_lines(args, file) => convert_joined(args, file),
        Some(file) if several && file.exists() && !file.is_dir() => {
            let what = if args.each { "--each needs" } else { "several inputs need" };
            Err(Failure::Usage(format!("{what} an output directory, but '{}' is a file", file.display())))
        }
        None if args.each => {
            Err(Failure::Usage("--each needs an output directory: name it with -o DIRECTORY".to_owned()))
        }
        Some(directory) if several || directory.is_dir() => convert_several(args, directory),
        None if several => {
            Err(Failure::Usage("several inputs need an output directory: name it with -o DIRECTORY".to_owned()))
        }
        _ => convert_one(args, output),
    }
}

/// Whether the output is a file of JSON Lines, for the messages of all inputs.
fn is_of_lines(args: &Convert, file: &Path) -> bool {
    let is_json = args.format().is_none_or(|format| format == Format::Json);
    is_json && !args.each && !args.embeds() && !file.is_dir() && messages::framing_of_file(file).is_some()
}

/// The result of the conversion of an input.
struct Conversion {
    status: Status,
    from: Format,
    read: usize,
    written: usize,
    /// What was not kept; `None` if not checked.
    losses: Option<Losses>,
    /// If there are several messages: how many were converted, and how many of them do not keep everything.
    messages: Option<(u64, u64)>,
    /// What became of the strings that were to be binary data; `None` if none was to.
    binary: Option<BinaryCounts>,
}

/// What becomes of some messages of an input, and what is used again for the next.
#[derive(Default)]
struct Part {
    out: Vec<u8>,
    /// The number of each message, and where it ends in `out`.
    ends: Vec<(u64, usize)>,
    from: Option<Format>,
    read: usize,
    /// How many do not keep everything, and what was not kept; `None` if not checked.
    changed: u64,
    losses: Option<Losses>,
    binary: BinaryCounts,
    table: Table<'static>,
    /// The format that the options were last found to apply to.
    suited: Option<Format>,
    compressor: Option<Compressor<'static>>,
}

/// Where the messages of an input go.
#[derive(Clone, Copy)]
enum Target<'p> {
    Standard,
    File(&'p Path),
    /// Each into a file, whose name is that of a path and its number.
    Numbered(&'p Path),
    /// Into a file that messages of other inputs are in, too.
    Joined(&'p Path, &'p RefCell<Output>),
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
    args.common.refuse_overwriting(&input)?;
    let schema = schema::from_flags(&args.common)?;
    let target = output.map_or(Target::Standard, Target::File);
    let host = embed::Host::from_flags(args)?;
    let run = Run { args, to, schema: schema.as_ref(), host: host.as_ref(), threads: jobs::threads(args.threads) };
    let done = convert(&run, &input, target, false)?;
    if let Some(path) = output
        && args.common.json
    {
        let mut standard = Standard::new();
        standard.put(line(&input, path, to, &done))?;
        standard.end()?;
    }
    report(args, &input, &done);
    Ok(done.status)
}

/// What all conversions of a run have in common.
struct Run<'r> {
    args: &'r Convert,
    to: Format,
    schema: Option<&'r Schema>,
    host: Option<&'r embed::Host>,
    /// How many messages of an input are converted at once.
    threads: usize,
}

/// Converts the messages of an input. If it is one of many, options that do not apply to its format are ignored.
fn convert(run: &Run<'_>, input: &Input, target: Target<'_>, is_one_of_many: bool) -> Result<Conversion, Failure> {
    let Run { args, to, host, .. } = *run;
    let is_several = messages::are_several(&args.common, Some(input));
    let file = match target {
        Target::File(path) | Target::Numbered(path) | Target::Joined(path, _) => Some(path),
        Target::Standard => None,
    };
    let framing = framing(args, input, (to, file), is_several)?;
    let compression = compression(args, file);
    // A dictionary of another method is refused before anything is read.
    compression.map(compression::compressor).transpose()?;
    let compress = |part: &mut Part, start: usize, input: &Input| -> Result<(), Failure> {
        let Some(compression) = compression else { return Ok(()) };
        let compressor = match &mut part.compressor {
            Some(compressor) => compressor,
            none => none.insert(compression::compressor(compression)?),
        };
        let bytes = part.out.split_off(start);
        compressor.append(&bytes, &mut part.out).map_err(|error| Failure::bad(input, error, &[]))
    };
    // Without a framing there is one message, and only the first is in the host.
    let is_only_one = framing.is_none() && !matches!(target, Target::Numbered(_));
    let is_any = AtomicBool::new(false);
    let add = |message: Message<'_>, part: &mut Part| {
        let start = part.out.len();
        let is_second = is_only_one && is_any.load(Ordering::Relaxed);
        if is_second && host.is_none() && is_several {
            return Err(Failure::Usage(format!(
                "several messages in {to} do not say where they end: use --to-framing, or --each to write a file for each"
            )));
        }
        if let Some(host) = host.filter(|_| !is_second) {
            part.out.extend_from_slice(&host.before);
        }
        let (losses, binary) = self::message(run, &message, is_one_of_many, part)?;
        if args.to_framing.is_some() {
            compress(part, start, &message.input)?;
        }
        match framing {
            Some(framing) => framing.enclose(&mut part.out, start).map_err(|words| {
                Failure::bad(&message.input, Error::new(ErrorKind::Unsupported, "framing", 0, words, ""), &[])
            })?,
            // Text files end with a line end, which both formats allow.
            None if to == Format::Xml => part.out.extend_from_slice(args.line_ends.0.as_str().as_bytes()),
            None if to.is_text() => part.out.push(b'\n'),
            None => {}
        }
        if args.to_framing.is_none() {
            compress(part, start, &message.input)?;
        }
        part.ends.push((message.place.map_or(0, |(number, _)| number), part.out.len()));
        part.from = Some(message.detected.format);
        part.read += message.bytes.len();
        part.binary.add(&binary);
        part.changed += u64::from(losses.as_ref().is_some_and(|losses| !losses.is_empty()));
        match (&mut part.losses, losses) {
            (Some(all), Some(losses)) => all.add_counts(&losses),
            (all, losses) => *all = losses,
        }
        Ok(())
    };
    let work = |message: Message<'_>, part: &mut Part| {
        let start = part.out.len();
        add(message, part).inspect_err(|_| part.out.truncate(start))
    };
    let mut out = None;
    let messages = is_several.then_some((0, 0));
    let binary = args.binary_from_base64.as_ref().map(|_| BinaryCounts::default());
    let mut done = Conversion { status: Status::Done, from: to, read: 0, written: 0, losses: None, messages, binary };
    let take = |part: &mut Part| {
        if part.ends.is_empty() {
            return Ok(());
        }
        is_any.store(true, Ordering::Relaxed);
        if let Target::Joined(_, out) = target {
            out.borrow_mut().put(&part.out)?;
        } else if let Target::Numbered(path) = target {
            let mut start = 0;
            for &(number, end) in &part.ends {
                let path = numbered(path, number);
                refuse_overwriting(input, &path)?;
                make_directory(&path)?;
                write_file(&path, &part.out[mem::replace(&mut start, end)..end])?;
            }
        } else {
            let out = match (&mut out, file) {
                (Some(out), _) => out,
                (none, Some(path)) => {
                    if is_one_of_many {
                        make_directory(path)?;
                    }
                    none.insert(Output::new(Some(path))?)
                }
                (none, None) => none.insert(Output::new(args.output.as_deref())?),
            };
            out.put(&part.out)?;
            out.hand_on()?;
        }
        done.from = part.from.take().unwrap_or(to);
        done.read += mem::take(&mut part.read);
        done.written += part.out.len();
        if let Some(counts) = &mut done.binary {
            counts.add(&mem::take(&mut part.binary));
        }
        let losses = part.losses.take();
        match &mut done.messages {
            Some((count, changed)) => {
                *count += part.ends.len() as u64;
                *changed += mem::take(&mut part.changed);
                if let Some(losses) = losses {
                    done.losses.get_or_insert_default().add_counts(&losses);
                }
            }
            None => done.losses = losses,
        }
        part.out.clear();
        part.ends.clear();
        Ok(())
    };
    let threads = if is_only_one { 0 } else { run.threads };
    done.status = messages::each_in_parts(input, &args.common, threads, work, take)?;
    // Of no message there is a file without any.
    if let (None, Target::File(path), Status::Done) = (&out, target, done.status) {
        out = Some(Output::new(Some(path))?);
    }
    if let Some(mut out) = out {
        if let Some(host) = host {
            let mut after = Part { out: host.after.clone(), ..Part::default() };
            compress(&mut after, 0, input)?;
            out.put(&after.out)?;
            done.written += after.out.len();
        }
        out.end()?;
    }
    Ok(done)
}

/// How messages are compressed in a file: as the option says, or the extension.
fn compression(args: &Convert, file: Option<&Path>) -> Option<Compression> {
    args.compress.or_else(|| file.and_then(compression::of_file).map(Compression::from))
}

/// How messages follow each other in an output, if they need anything around them.
fn framing(
    args: &Convert,
    input: &Input,
    (to, file): (Format, Option<&Path>),
    is_several: bool,
) -> Result<Option<Framing>, Failure> {
    let by_name = || file.filter(|_| to == Format::Json && !args.each).and_then(messages::framing_of_file);
    if let Some(framing) = args.to_framing.or_else(by_name) {
        messages::suits("--to-framing", framing, to)?;
        return Ok(Some(framing));
    }
    match (is_several, to) {
        (false, _) if args.each => Err(Failure::Usage(format!(
            "--each is for several messages, but {} is one: say with --framing how they follow each other",
            input.name()
        ))),
        _ if args.each || args.embeds() || !is_several => Ok(None),
        (_, Format::Json) => Ok(Some(Framing::Json)),
        (_, Format::Pon) => Ok(Some(Framing::Pon)),
        (_, Format::Tsf) => Ok(Some(Framing::Tsf)),
        (_, Format::Ber | Format::Der | Format::Cer) => Ok(Some(Framing::Ber)),
        // One message needs no framing; a second one is refused.
        _ => Ok(None),
    }
}

/// The path of one of several messages.
fn numbered(path: &Path, number: u64) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let endings = if compression::of_file(path).is_some() { 2 } else { 1 };
    let (at, _) = name.rmatch_indices('.').take(endings).last().unwrap_or((name.len(), ""));
    let (stem, ending) = name.split_at(at);
    path.with_file_name(format!("{stem}-{number:06}{ending}"))
}

fn make_directory(path: &Path) -> Result<(), Failure> {
    let Some(directory) = path.parent() else { return Ok(()) };
    fs::create_dir_all(directory).map_err(|error| Failure::Io {
        path: directory.display().to_string(),
        doing: "make the directory",
        error,
    })
}

/// Prints one line about strings that became binary data, and one about what was not kept.
fn report(args: &Convert, input: &Input, done: &Conversion) {
    let quiet = args.common.quiet;
    if let (Some(counts), Some(names), false) = (&done.binary, args.binary_names(), quiet) {
        let strings = Words::Count(counts.strings as u64, "strings");
        let unmet = counts.unmet(which_binary(&names)).map(|words| format!("; {words}"));
        note(&format!("{}: {strings} became binary data{}", input.name(), unmet.unwrap_or_default()));
    }
    if let Some(losses) = done.losses.as_ref().filter(|losses| !quiet && !losses.is_empty()) {
        note(&match done.messages {
            None => format!("{}: {losses}", input.name()),
            Some((count, changed)) => {
                format!("{}: {changed} of {count} messages do not keep everything: {losses}", input.name())
            }
        });
    }
}

/// The output format. An embedded message is always TSF, whatever the name of the file.
fn target(args: &Convert, output: Option<&Path>) -> Result<Format, Failure> {
    if args.embeds() {
        return match args.format() {
            None | Some(Format::Tsf) => Ok(Format::Tsf),
            Some(_) => Err(Failure::Usage(format!("{} always writes TSF: leave out -t", args.embedding()))),
        };
    }
    let format = format_of(output, args.format())?;
    format.ok_or_else(|| Failure::Usage("no output format: name it with -t, or with the extension of -o".to_owned()))
}

/// Adds a message to a part, converted. If it is one of many inputs, options that do not apply to its format are ignored.
fn message(
    run: &Run<'_>,
    message: &Message<'_>,
    is_one_of_many: bool,
    part: &mut Part,
) -> Result<(Option<Losses>, BinaryCounts), Failure> {
    let Run { args, to, schema, .. } = *run;
    let Message { input, bytes, detected, .. } = message;
    let detected = *detected;
    let from = detected.format;
    if !is_one_of_many && part.suited != Some(from) {
        applies::check(&args.common, Task { verb: Verb::Convert, from: Some(from), to: Some(to) })?;
        part.suited = Some(from);
    }
    schema::suits_both(schema, from, to)?;
    let mut options = args.options(from, to, schema);
    let declaration = if args.declaration { lengthwise::declaration(bytes, from, &options) } else { Ok(None) };
    let declaration = declaration.map_err(|error| Failure::bad(input, error, &[]))?;
    options.declaration = declaration.as_ref();
    let names = args.binary_names();
    if let Some(names) = names.as_ref().filter(|_| from.has_json_values()) {
        takes_binary(&options, from, to)?;
        options = options.with_binary_from_base64(which_binary(names));
    }
    let options = options;
    let unread = |error| Failure::unread(input, &Reading::new(detected, &options).on_the_way_to(to), error, bytes);
    let (start, mut binary) = (part.out.len(), BinaryCounts::default());
    if options.is_by_schema(from, to) {
        part.out.append(&mut lengthwise::convert(bytes, from, to, &options).map_err(unread)?);
    } else {
        let document = lengthwise::read(bytes, from, &options, &mut part.table).map_err(unread)?;
        applies::check_schema_of(&document, [from, to], &options, input)?;
        binary = lengthwise::append_counted(&document, to, &options, &mut part.out)
            .map_err(|error| unwritten(input, from, error, bytes))?;
    }
    let losses =
        if args.no_verify { None } else { Some(losses(input, bytes, from, &part.out[start..], to, &options)?) };
    if let Some(losses) = losses.as_ref().filter(|losses| args.lossless && !losses.is_empty()) {
        return Err(Failure::Lossy { input: input.name(), losses: losses.clone() });
    }
    if args.embeds() {
        let tsf = part.out.split_off(start);
        tsf::embed(&tsf, &mut part.out).map_err(|error| Failure::bad(input, error, &[]))?;
    }
    Ok((losses, binary))
}

/// Which strings become binary data, by the names that the option lists.
fn which_binary<'n>(names: &'n [&'n str]) -> Base64<'n> {
    if names.is_empty() { Base64::Likely } else { Base64::Members(names) }
}

/// Whether the output has binary data for strings of base64: there is no schema that says what is binary, and the type set
/// that TSF is written in has it.
fn takes_binary(options: &Options<'_>, from: Format, to: Format) -> Result<(), Failure> {
    if options.schema.is_some() {
        let found =
            "--binary-from-base64 is for messages without a schema; by one, octets are binary data in PON and TSF";
        return Err(Failure::Usage(found.to_owned()));
    }
    let is_value = match options.output_types {
        None => from != Format::Json,
        Some(types) => types == Types::Value,
    };
    if to == Format::Tsf && !is_value {
        return Err(Failure::Usage("--binary-from-base64 needs --types value to write TSF".to_owned()));
    }
    Ok(())
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
        Failure::bad(input, error.with_no_place(), &[])
            .with_hint("the output could not be read back, so nothing was written; --no-verify skips this check")
    })
}

/// The error for what a format cannot hold. If a value does not match its schema, its position in the input is known.
fn unwritten(input: &Input, from: Format, error: Error, bytes: &[u8]) -> Failure {
    let is_placed = matches!(error.format(), "jer" | "tdxml" | "base64") && error.offset() > 0;
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

fn line(input: &Input, output: &Path, to: Format, done: &Conversion) -> String {
    let line = Line::new().text("file", &input.name()).json("ok", done.status == Status::Done);
    let line = match done.messages {
        Some((count, _)) => line.json("messages", count),
        None => line,
    };
    let line = match &done.binary {
        Some(counts) => line.json("binary", counts.strings),
        None => line,
    };
    line.text("output", &output.display().to_string())
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
    if args.to.is_none() && !args.embeds() {
        return Err(Failure::Usage("an output directory needs an output format: name it with -t".to_owned()));
    }
    let to = target(args, None)?;
    let from = args.common.format();
    applies::check(&args.common, Task { verb: Verb::Convert, from, to: Some(to) })?;
    let file = if args.embeds() { Format::Xml } else { to };
    let takes_all = args.common.from.is_some() || messages::are_several(&args.common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, Some(directory));
    let jobs = jobs_of(args, &inputs.found, directory, ending(file))?;
    let quiet = args.common.quiet;
    let schema = schema::from_flags(&args.common)?;
    let host = embed::Host::from_flags(args)?;
    let at_once = jobs::threads(args.threads);
    let threads = (at_once / jobs.len().max(1)).max(1);
    let run = Run { args, to, schema: schema.as_ref(), host: host.as_ref(), threads };
    let status = inputs.report(&args.common)?;
    let bar = jobs::progress(jobs.len() as u64, "files", quiet);
    let mut tally = Tally { status, ..Tally::default() };
    let mut closed = Ok(());
    jobs::side_by_side(
        &jobs,
        at_once,
        |job| convert_job(&run, job),
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
    tally.end(args, directory);
    Ok(tally.status)
}

/// Converts the messages of several inputs into one file, in their order.
fn convert_joined(args: &Convert, file: &Path) -> Result<Status, Failure> {
    let common = &args.common;
    let to = target(args, Some(file))?;
    applies::check(common, Task { verb: Verb::Convert, from: common.format(), to: Some(to) })?;
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, None);
    inputs.found.iter().try_for_each(|found| refuse_overwriting(&found.input, file))?;
    let schema = schema::from_flags(common)?;
    let run = Run { args, to, schema: schema.as_ref(), host: None, threads: jobs::threads(args.threads) };
    let status = inputs.report(common)?;
    let out = RefCell::new(Output::new(Some(file))?);
    let bar = jobs::progress(inputs.found.len() as u64, "files", common.quiet);
    let mut tally = Tally { status, ..Tally::default() };
    for found in inputs.found {
        let job = Job { input: found.input, output: file.to_owned() };
        let result = convert(&run, &job.input, Target::Joined(file, &out), true);
        bar.inc(1);
        tally.report(args, &job, to, result, &bar)?;
    }
    bar.finish_and_clear();
    out.into_inner().end()?;
    tally.end(args, file);
    Ok(tally.status)
}

/// The extension of files in a format.
fn ending(format: Format) -> &'static str {
    format.extensions().first().unwrap_or(&format.as_str())
}

/// The output of each input. Two inputs with the same output are an error before anything is done.
fn jobs_of(args: &Convert, found: &[InputFile], directory: &Path, ending: &str) -> Result<Vec<Job>, Failure> {
    // The first input of each output, and whether another differs from it in the extension.
    let mut alike: HashMap<PathBuf, (PathBuf, bool)> = HashMap::new();
    let mut places = Vec::with_capacity(found.len());
    for found in found {
        let mut place = found.place.clone();
        if found.input == Input::Standard && args.each {
            place = PathBuf::from("message");
        } else if found.input == Input::Standard {
            return Err(Failure::Usage(
                "standard input has no name for its output: name a file with -o FILE".to_owned(),
            ));
        }
        if compression::of_file(&place).is_some() {
            place.set_extension("");
        }
        let known = alike.entry(place.with_extension(ending));
        known.and_modify(|(first, differs)| *differs |= *first != place).or_insert_with(|| (place.clone(), false));
        places.push(place);
    }
    let mut taken: HashMap<PathBuf, String> = HashMap::new();
    let mut jobs = Vec::with_capacity(found.len());
    for (found, mut place) in found.iter().zip(places) {
        let short = place.with_extension(ending);
        // Of a.json and a.xml the names of the outputs are whole.
        if alike.get(&short).is_some_and(|(_, differs)| *differs) {
            place.as_mut_os_string().push(format!(".{ending}"));
        } else {
            place = short;
        }
        let mut output = directory.join(place);
        if let Some(compression) = args.compress {
            output = compression::with_extension(&output, compression.method());
        }
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

fn convert_job(run: &Run<'_>, job: &Job) -> Result<Conversion, Failure> {
    let target = if run.args.each { Target::Numbered(&job.output) } else { Target::File(&job.output) };
    convert(run, &job.input, target, true)
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
                self.status = self.status.max(done.status);
                self.done += 1;
                self.read += done.read as u64;
                self.written += done.written as u64;
                if let Some(losses) = done.losses.as_ref().filter(|losses| !losses.is_empty()) {
                    self.changed += 1;
                    self.losses.add_counts(losses);
                }
                if done.binary.is_some() || done.losses.as_ref().is_some_and(|losses| !losses.is_empty()) {
                    bar.suspend(|| report(args, &job.input, &done));
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

    /// Says what became of all, and where it is.
    fn end(&self, args: &Convert, output: &Path) {
        if args.common.quiet {
            return;
        }
        if self.changed > 1 {
            note(&format!("{} of {} files do not keep everything: {}", self.changed, self.done, self.losses));
        }
        if std::io::stderr().is_terminal() {
            note(&self.summary(output));
        }
    }

    fn summary(&self, output: &Path) -> String {
        let failed = if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        let (done, read, written) = (self.done, self.read, self.written);
        let files = if done == 1 { "file" } else { "files" };
        format!("{done} {files} converted into {}{failed}: {read} bytes became {written}", output.display())
    }
}
