//! `check`: whether messages are sound.

use lengthwise::Schema;

use crate::args::Check;
use crate::inputs::{Found, Inputs};
use crate::jobs;
use crate::line::Line;
use crate::output::Standard;
use crate::report::{Failure, Reading, Status};
use crate::schema;

pub(crate) fn run(args: &Check) -> Result<Status, Failure> {
    let common = &args.common;
    let schema = schema::told(common)?;
    let inputs = Inputs::of(&args.inputs, common.from.map(|from| from.0), None);
    let mut status = inputs.tell(common.quiet);
    let mut standard = Standard::new();
    let mut closed = Ok(());
    jobs::side_by_side(
        &inputs.found,
        jobs::threads(args.threads),
        |found| check(args, schema.as_ref(), found),
        |found, result| {
            let line = Line::new().text("file", &found.input.name());
            let line = match &result {
                Ok(sound) => line.json("ok", "true").text("format", sound.format).json("units", sound.units),
                Err(failure) => failure.describe(line),
            };
            if let Err(failure) = result {
                status = status.max(failure.print(common.quiet));
            }
            if common.json && closed.is_ok() {
                closed = standard.put(line.end());
            }
        },
    );
    closed.and_then(|()| standard.end())?;
    Ok(status)
}

/// What is told of a sound message.
struct Sound {
    format: &'static str,
    units: usize,
}

fn check(args: &Check, schema: Option<&Schema>, found: &Found) -> Result<Sound, Failure> {
    let options = args.common.options(schema);
    let (bytes, told) = found.input.read(args.common.from.map(|from| from.0), &options.limits)?;
    schema::suits(schema, told.format)?;
    match lengthwise::check(&bytes, told.format, &options) {
        Ok(units) => Ok(Sound { format: told.format.as_str(), units }),
        Err(error) => Err(Failure::unread(&found.input, &Reading::new(told, &options), error, &bytes)),
    }
}
