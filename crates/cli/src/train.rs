//! `train`: a dictionary of samples, by which small messages are compressed.

use lengthwise::{Format, Options};
use lengthwise_compress::{Compression, Compressor, Dictionary};

use crate::applies::{self, Task, Verb};
use crate::args::Train;
use crate::inputs::{Inputs, is_standard};
use crate::line::Line;
use crate::messages::{self, Message};
use crate::output::{Standard, refuse_overwriting, write_file};
use crate::report::{Failure, Reading, Status, note};
use crate::schema;

/// So many parts of the samples are compressed, each with a dictionary of the others.
const PARTS: usize = 10;

pub(crate) fn run(args: &Train) -> Result<Status, Failure> {
    if is_standard(&args.output) {
        return Err(Failure::Usage("a dictionary is written to a file: name one with -o".to_owned()));
    }
    let common = &args.common;
    let schema = schema::from_flags(common)?;
    let to = args.to.map(|to| to.0).or_else(|| schema.as_ref().map(|_| Format::Aper));
    let from = common.format();
    applies::check(common, Task { verb: Verb::Train, from, to })?;
    let options = common.options(schema.as_ref());
    let takes_all = common.from.is_some() || messages::are_several(common, None);
    let inputs = Inputs::of(&args.inputs, takes_all, None);
    let mut status = inputs.report(common)?;
    let mut samples = Vec::new();
    for found in &inputs.found {
        refuse_overwriting(&found.input, &args.output)?;
        let read = messages::each(&found.input, common, |message| {
            samples.push(sample(message, to, &options)?);
            Ok(())
        });
        status = status.max(read.or_else(|failure| match failure {
            Failure::Usage(_) | Failure::Closed => Err(failure),
            failure => Ok(failure.print(common.quiet)),
        })?);
    }
    let dictionary = train(&samples, args.size)?;
    write_file(&args.output, dictionary.bytes())?;
    let bytes = samples.iter().map(Vec::len).sum::<usize>();
    let worth = worth(&samples, args.size)?;
    if common.json {
        let line = Line::new().text("output", &args.output.display().to_string()).json("dictionary", dictionary.id());
        let line =
            line.json("output_bytes", dictionary.bytes().len()).json("messages", samples.len()).json("bytes", bytes);
        let line = match worth {
            Some((without, with)) => line.json("zstd_bytes", without).json("dictionary_bytes", with),
            None => line,
        };
        let mut standard = Standard::new();
        standard.put(line.end())?;
        standard.end()?;
    } else if !common.quiet {
        let worth = match worth {
            Some((without, with)) => {
                format!("; zstd makes them {without} bytes, and {with} with a dictionary of the others")
            }
            None => String::new(),
        };
        let (name, id, len, count) = (args.output.display(), dictionary.id(), dictionary.bytes().len(), samples.len());
        let messages = if count == 1 { "message" } else { "messages" };
        note(&format!("{name}: dictionary {id} of {len} bytes, of {count} {messages} of {bytes} bytes{worth}"));
    }
    Ok(status)
}

/// A message in the format that will be compressed.
fn sample(message: Message, to: Option<Format>, options: &Options<'_>) -> Result<Vec<u8>, Failure> {
    let Message { input, bytes, detected, .. } = message;
    let Some(to) = to.filter(|to| *to != detected.format) else { return Ok(bytes) };
    schema::suits_both(options.schema, detected.format, to)?;
    let options = options.towards(to);
    lengthwise::convert(&bytes, detected.format, to, &options)
        .map_err(|error| Failure::unread(&input, &Reading::new(detected, &options).on_the_way_to(to), error, &bytes))
}

fn train<S: AsRef<[u8]>>(samples: &[S], size: u32) -> Result<Dictionary, Failure> {
    Dictionary::train(samples, size as usize).map_err(|error| Failure::Missing {
        input: "the samples".to_owned(),
        what: format!("no dictionary: found {}, expected {}", error.found(), error.expected()),
        hints: Vec::new(),
    })
}

/// The bytes of all samples compressed: without a dictionary, and each part of them with a dictionary of the others. `None` if
/// there are no others.
fn worth(samples: &[Vec<u8>], size: u32) -> Result<Option<(usize, usize)>, Failure> {
    let parts = PARTS.min(samples.len());
    if parts < 2 {
        return Ok(None);
    }
    let (mut without, mut with) = (0, 0);
    for part in 0..parts {
        let is_in = |n: &usize| n % parts == part;
        let of = |is_wanted: &dyn Fn(&usize) -> bool| -> Vec<&Vec<u8>> {
            samples.iter().enumerate().filter(|(n, _)| is_wanted(n)).map(|(_, sample)| sample).collect()
        };
        let (held, others) = (of(&is_in), of(&|n| !is_in(n)));
        let Ok(dictionary) = Dictionary::train(&others, size as usize) else { return Ok(None) };
        without += compressed(&held, None)?;
        with += compressed(&held, Some(&dictionary))?;
    }
    Ok(Some((without, with)))
}

fn compressed(messages: &[&Vec<u8>], dictionary: Option<&Dictionary>) -> Result<usize, Failure> {
    let failed = |error: lengthwise::Error| Failure::Usage(error.to_string());
    let mut compressor = Compressor::new(Compression::default(), dictionary).map_err(failed)?;
    let mut out = Vec::new();
    messages.iter().try_for_each(|message| compressor.append(message, &mut out)).map_err(failed)?;
    Ok(out.len())
}
