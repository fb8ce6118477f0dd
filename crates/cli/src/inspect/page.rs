//! The page that `inspect --html` writes.

use std::path::Path;

use lengthwise::{Format, Options, Schema};
use lengthwise_inspect::Inspection;

use crate::applies::{self, Task, Verb};
use crate::args::{Common, Inspect};
use crate::inputs::Input;
use crate::messages::{self, Message};
use crate::output::Output;
use crate::report::{Failure, Reading, Status, note};
use crate::schema;

/// Writes the page of the one message of an input. An error in the message is on the page, and the result. After another error,
/// such as in a second message, there is no page.
pub(super) fn write(args: &Inspect, input: &Input, options: &Options<'_>, path: &Path) -> Result<Status, Failure> {
    let common = &args.common;
    let schemas = common.schema.iter().map(|path| Input::File(path.clone())).collect::<Vec<_>>();
    common.refuse_overwriting(input)?;
    let mut page = None;
    let result = messages::each(input, common, |message| {
        if page.is_some() {
            let words = "has several messages, but --html shows one: convert --each writes them to files";
            return Err(Failure::Usage(format!("{} {words}", input.name())));
        }
        page = Some(of(&message, common, &schemas, options)?);
        Ok(())
    });
    let (text, failure) = match (page, result) {
        (Some(page), Ok(Status::Done)) => page,
        (Some((_, Some(failure))), result) => {
            let own = failure.print(common.quiet);
            return result.map(|status| status.max(own));
        }
        (_, result) => return result,
    };
    let mut output = Output::new(Some(path))?;
    output.put(text)?;
    output.end()?;
    failure.map_or(Ok(Status::Done), Err)
}

/// The page of a message, and the error in it.
fn of(
    message: &Message<'_>,
    common: &Common,
    schemas: &[Input],
    options: &Options<'_>,
) -> Result<(String, Option<Failure>), Failure> {
    let Message { input, bytes, detected, .. } = message;
    let format = detected.format;
    applies::check(common, Task { verb: Verb::Inspect, from: Some(format), to: None })?;
    let unread = |error| Failure::unread(input, &Reading::new(*detected, options), error, bytes);
    let is_ber = matches!(format, Format::Ber | Format::Der | Format::Cer);
    if format.rules().is_some() && !(is_ber && options.schema.is_none()) {
        schema::suits(options.schema, format)?;
    }
    let infoset = Schema::infoset().map_err(unread)?;
    let mut shown = *options;
    if format.is_infoset() && shown.schema.is_none() {
        shown.schema = Some(&infoset);
    }
    let inspection = Inspection::new(bytes.to_vec(), format, &shown);
    let mut texts = Vec::with_capacity(schemas.len());
    for schema in schemas {
        texts.push((schema.name(), schema.bytes(&common.limits())?));
    }
    let texts: Vec<_> = texts.iter().map(|(name, text)| (&name[..], String::from_utf8_lossy(text))).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &text[..])).collect();
    let (rows, octets) = inspection.left_out();
    if rows + octets > 0 && !common.quiet {
        note(&format!("{}: the page leaves out {rows} rows and {octets} bytes", input.name()));
    }
    let failure = inspection.error().map(|error| unread(error.clone()));
    Ok((inspection.page(&input.name(), &texts), failure))
}
