//! `train`: a dictionary of samples, by which small messages are compressed.

use lengthwise::infoset::{self, StringSamples};
use lengthwise::tam::Table;
use lengthwise::{Format, Options, SharedStrings};
use lengthwise_compress::{Compression, Compressor, Dictionary};

use crate::applies::{self, Task, Verb};
use crate::args::Train;
use crate::inputs::{Inputs, is_standard};
use crate::line::Line;
use crate::messages::{self, Message};
use crate::output::{Standard, write_file};
use crate::report::{Failure, Reading, Status, note};
use crate::schema;
use crate::shared_strings;

/// So many parts of the samples are compressed, each with a dictionary of the others.
const PARTS: usize = 10;

/// Of so many samples and more, one part is: it says as much, and a dictionary takes time.
const MANY: usize = 2_000;

pub(crate) fn run(args: &Train) -> Result<Status, Failure> {
    if is_standard(&args.output) {
        return Err(Failure::Usage("a dictionary is written to a file: name one with -o".to_owned()));
    }
    let common = &args.common;
    let kind = if shared_strings::is_named(&args.output) { Kind::Strings } else { Kind::Dictionary };
    let schema = schema::from_flags(common)?;
    let to = match (kind, args.to.map(|to| to.0)) {
        (Kind::Strings, None) => Some(Format::InfosetUper),
        (Kind::Strings, Some(to)) if !to.is_infoset() => {
            return Err(Failure::Usage(format!("strings are shared by infosets, but -t is {to}")));
        }
        (_, to) => to.or_else(|| schema.as_ref().map(|_| Format::Aper)),
    };
    let from = common.format();
    applies::check(common, Task { verb: Verb::Train, from, to })?;
    let options = common.options(schema.as_ref());
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, None);
    let mut status = inputs.report(common)?;
    let mut samples = Vec::new();
    for found in &inputs.found {
        common.refuse_overwriting(&found.input)?;
        let read = messages::each(&found.input, common, |message| {
            samples.push(sample(message, to, &options)?);
            Ok(())
        });
        status = status.max(read.or_else(|failure| match failure {
            Failure::Usage(_) | Failure::Closed => Err(failure),
            failure => Ok(failure.print(common.quiet)),
        })?);
    }
    let trained = Trained::of(kind, to, &samples, args.size)?;
    write_file(&args.output, trained.bytes())?;
    let bytes = samples.iter().map(Vec::len).sum::<usize>();
    let is_said = common.json || !common.quiet;
    let worth = if is_said { worth(kind, to, &samples, args.size)? } else { None };
    let (id, len, count) = (trained.id(), trained.bytes().len(), samples.len());
    if common.json {
        let line = Line::new().text("output", &args.output.display().to_string()).json("dictionary", id);
        let line = line.json("output_bytes", len).json("messages", count).json("bytes", bytes);
        let line = match (worth, kind) {
            (Some(Worth { measured, without, with }), Kind::Dictionary) => {
                line.json("measured", measured).json("zstd_bytes", without).json("dictionary_bytes", with)
            }
            (Some(Worth { measured, without, with }), Kind::Strings) => {
                line.json("measured", measured).json("infoset_bytes", without).json("shared_strings_bytes", with)
            }
            (None, _) => line,
        };
        let mut standard = Standard::new();
        standard.put(line.end())?;
        standard.end()?;
    } else if !common.quiet {
        let name = args.output.display();
        let messages = if count == 1 { "message" } else { "messages" };
        let of = |measured, all: &str| if measured == count { all.to_owned() } else { format!("{measured} of them") };
        let worth = match (worth, kind) {
            (Some(Worth { measured, without, with }), Kind::Dictionary) => {
                let of = of(measured, "them");
                format!("; zstd makes {of} {without} bytes, and {with} with a dictionary of the others")
            }
            (Some(Worth { measured, without, with }), Kind::Strings) => {
                let of = of(measured, "they");
                format!("; as infosets {of} are {without} bytes, and {with} with strings of the others")
            }
            (None, _) => String::new(),
        };
        let what = match &trained {
            Trained::Dictionary(_) => format!("dictionary {id}"),
            Trained::Strings(strings) => format!("{} strings ({id:08x})", strings.count()),
        };
        note(&format!("{name}: {what} of {len} bytes, of {count} {messages} of {bytes} bytes{worth}"));
    }
    Ok(status)
}

/// What is made of samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dictionary,
    Strings,
}

enum Trained {
    Dictionary(Dictionary),
    Strings(SharedStrings),
}

impl Trained {
    fn of<S: AsRef<[u8]>>(kind: Kind, to: Option<Format>, samples: &[S], size: u32) -> Result<Trained, Failure> {
        let missing = |what| Failure::Missing { input: "the samples".to_owned(), what, hints: Vec::new() };
        if kind == Kind::Dictionary {
            return Dictionary::train(samples, size as usize).map(Trained::Dictionary).map_err(|error| {
                missing(format!("no dictionary: found {}, expected {}", error.found(), error.expected()))
            });
        }
        let mut strings = StringSamples::new();
        let options = infoset_options(to);
        for sample in samples {
            let mut table = Table::new();
            let added = infoset::read(sample.as_ref(), &options, &mut table).and_then(|read| strings.add(&read));
            added.map_err(|error| Failure::Usage(error.to_string()))?;
        }
        let chosen = strings.choose(size as usize).map(Trained::Strings);
        chosen.ok_or_else(|| missing("no two of them have a string in common".to_owned()))
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Trained::Dictionary(dictionary) => dictionary.bytes(),
            Trained::Strings(strings) => strings.as_bytes(),
        }
    }

    fn id(&self) -> u32 {
        match self {
            Trained::Dictionary(dictionary) => dictionary.id(),
            Trained::Strings(strings) => strings.id(),
        }
    }
}

fn infoset_options(to: Option<Format>) -> infoset::Options<'static> {
    infoset::Options::of(to.and_then(Format::rules).unwrap_or_default())
}

/// A message in the format that will be compressed.
fn sample(message: Message<'_>, to: Option<Format>, options: &Options<'_>) -> Result<Vec<u8>, Failure> {
    let Message { input, bytes, detected, .. } = message;
    let Some(to) = to.filter(|to| *to != detected.format) else { return Ok(bytes.into_owned()) };
    schema::suits_both(options.schema, detected.format, to)?;
    let options = options.towards(to);
    lengthwise::convert(&bytes, detected.format, to, &options)
        .map_err(|error| Failure::unread(&input, &Reading::new(detected, &options).on_the_way_to(to), error, &bytes))
}

/// What a dictionary or strings are worth: how many samples were measured, their bytes compressed or as infosets, and the bytes with
/// a dictionary or strings of the others.
struct Worth {
    measured: usize,
    without: usize,
    with: usize,
}

/// Measures each part of the samples, or one of many; `None` if there are no others.
fn worth(kind: Kind, to: Option<Format>, samples: &[Vec<u8>], size: u32) -> Result<Option<Worth>, Failure> {
    let parts = PARTS.min(samples.len());
    if parts < 2 {
        return Ok(None);
    }
    let (mut measured, mut without, mut with) = (0, 0, 0);
    for part in 0..if samples.len() < MANY { parts } else { 1 } {
        let is_in = |n: &usize| n % parts == part;
        let of = |is_wanted: &dyn Fn(&usize) -> bool| -> Vec<&Vec<u8>> {
            samples.iter().enumerate().filter(|(n, _)| is_wanted(n)).map(|(_, sample)| sample).collect()
        };
        let (held, others) = (of(&is_in), of(&|n| !is_in(n)));
        let Ok(trained) = Trained::of(kind, to, &others, size) else { return Ok(None) };
        let (before, after) = match &trained {
            Trained::Dictionary(dictionary) => (compressed(&held, None)?, compressed(&held, Some(dictionary))?),
            Trained::Strings(strings) => {
                (held.iter().map(|sample| sample.len()).sum(), with_shared(&held, infoset_options(to), strings)?)
            }
        };
        measured += held.len();
        without += before;
        with += after;
    }
    Ok(Some(Worth { measured, without, with }))
}

fn with_shared(
    messages: &[&Vec<u8>],
    options: infoset::Options<'static>,
    strings: &SharedStrings,
) -> Result<usize, Failure> {
    let mut out = Vec::new();
    for message in messages {
        let mut table = Table::new();
        let document = infoset::read(message, &options, &mut table);
        let written =
            document.and_then(|document| infoset::append(&document, &options.with_shared(Some(strings)), &mut out));
        written.map_err(|error| Failure::Usage(error.to_string()))?;
    }
    Ok(out.len())
}

fn compressed(messages: &[&Vec<u8>], dictionary: Option<&Dictionary>) -> Result<usize, Failure> {
    let failed = |error: lengthwise::Error| Failure::Usage(error.to_string());
    let mut compressor = Compressor::new(Compression::default(), dictionary).map_err(failed)?;
    let mut out = Vec::new();
    messages.iter().try_for_each(|message| compressor.append(message, &mut out)).map_err(failed)?;
    Ok(out.len())
}
