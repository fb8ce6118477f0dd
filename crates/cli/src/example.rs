//! `example`: a valid message of a schema.

use lengthwise::asn1::Values;
use lengthwise::{Format, Options};

use crate::applies::{self, Task, Verb};
use crate::args::Example;
use crate::generate::{Choose, Generator, VALUES};
use crate::inputs::{Input, is_standard};
use crate::line::Line;
use crate::messages;
use crate::output::{Output, Standard, format_of};
use crate::report::{Failure, Status};
use crate::schema;

/// Values that are tried: a constraint that only the reader knows may refuse some.
const TRIED: u64 = 200;

/// After so many tries, values are half as large.
const HALVED: u64 = 20;

pub(crate) fn run(args: &Example) -> Result<Status, Failure> {
    let common = &args.common;
    let output = args.output.as_deref().filter(|path| !is_standard(path));
    let to = format_of(output, args.to.map(|to| to.0))?.unwrap_or(Format::Json);
    let by_name = || output.filter(|_| to == Format::Json).and_then(messages::framing_of_file);
    let framing = args.to_framing.or_else(by_name);
    applies::check(common, Task { verb: Verb::Example, from: Some(to), to: Some(to) })?;
    if common.json && output.is_none() {
        return Err(Failure::Usage(
            "--json prints the result on standard output: name a file for the message with -o OUTPUT".to_owned(),
        ));
    }
    if let Some(framing) = framing {
        messages::suits("--to-framing", framing, to)?;
    }
    let Some(schema) = schema::from_flags(common)? else {
        return Err(Failure::Usage("`example` needs a schema: name one with -s".to_owned()));
    };
    schema::has_root(&schema)?;
    if args.count > 1 && framing.is_none() && to != Format::Json {
        return Err(Failure::Usage("--count needs --to-framing, which says where each message ends".to_owned()));
    }
    let options = common.options(Some(&schema)).with_pretty(args.pretty && args.count == 1);
    let generator = Generator::new(schema.types(), to.rules().unwrap_or_default());
    let mut out = Output::new(args.output.as_deref())?;
    let mut bytes = 0;
    for number in 0..args.count {
        let mut message = message(args, args.seed.wrapping_add(number), &generator, &options, to)?;
        match framing {
            Some(framing) => {
                let mut framed = Vec::new();
                framing.append(&message, &mut framed).map_err(Failure::Usage)?;
                message = framed;
            }
            None if to.is_text() => message.push(b'\n'),
            None => {}
        }
        bytes += message.len();
        out.put(&message)?;
    }
    out.end()?;
    if let Some(path) = output.filter(|_| common.json) {
        let mut standard = Standard::new();
        let line = Line::new().text("output", &path.display().to_string()).text("to", to.as_str());
        standard.put(line.json("output_bytes", bytes).json("seed", args.seed).end())?;
        standard.end()?;
    }
    Ok(Status::Done)
}

/// A message that is read back.
fn message(
    args: &Example,
    seed: u64,
    generator: &Generator<'_>,
    options: &Options<'_>,
    to: Format,
) -> Result<Vec<u8>, Failure> {
    let bad = |error| Failure::bad(&Input::Schema, error, &[]);
    let Some(schema) = options.schema else { return Ok(Vec::new()) };
    let (types, root) = (schema.types(), schema.root().map_err(bad)?);
    let choose = match (args.largest, args.smallest) {
        (true, _) => Choose::Largest,
        (_, true) => Choose::Smallest,
        _ => Choose::Any,
    };
    let mut last = None;
    for attempt in 0..TRIED {
        // The first attempts of seeds that follow each other are not those of the seed before.
        let seed = seed.wrapping_add(attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // Smaller values as tries fail: what a string contains may have to fit in a size.
        let most = VALUES >> (attempt / HALVED);
        let mut values = Values::new();
        if !generator.fill(root, (choose, most), seed, &mut values).map_err(bad)? {
            let what = format!(
                "no value of {} ends, or it holds a type that several components select",
                types.node(root).name
            );
            return Err(Failure::Missing { input: Input::Schema.name(), what, hints: Vec::new() });
        }
        let value = values.value(types, root, b"");
        let mut made = Vec::new();
        let written =
            match to.needs_schema() || matches!(to, Format::Json | Format::Pon) || to == Format::Xml && schema.is_xml()
            {
                true => lengthwise::append_value(value, to, options, &mut made).map(|()| made),
                false => lengthwise::append_value(value, Format::Uper, options, &mut made)
                    .and_then(|()| lengthwise::convert(&made, Format::Uper, to, options)),
            };
        match written.and_then(|made| lengthwise::check(&made, to, options).map(|_| made)) {
            Ok(made) => return Ok(made),
            Err(error) => last = Some(error),
        }
    }
    Err(last.map_or(Failure::Closed, |error| {
        bad(error).with_hint(format!("{TRIED} values were tried; none satisfies all constraints"))
    }))
}
