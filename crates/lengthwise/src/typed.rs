//! Values of a schema in PER, BER and value notation: to and from documents of JSON, and between
//! these.

use asn1::{EncodingRules, Value, Values, jer, notation};
use tam::{Document, Error, ErrorKind, Table, TypeSet, Vocabulary, Words};

use crate::counter::Counter;
use crate::{Format, Options, Schema};

/// Reads a message as a document of JSON.
pub(crate) fn read<'a>(
    input: &'a [u8],
    format: Format,
    options: &Options<'_>,
    table: &'a mut Table<'_>,
) -> Result<Document<'a>, Error> {
    let mut values = Values::new();
    jer::write(value(input, format, schema(format, options)?, options, &mut values)?, table)?;
    // Text stands in the message, or has been copied beside it.
    Ok(table.document(input, TypeSet::VALUE))
}

/// Appends a document of JSON as a message.
pub(crate) fn write(
    document: &Document<'_>,
    format: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let schema = schema(format, options)?;
    if document.types().vocabulary() == Vocabulary::Xml {
        let expected = "a document of JSON values, as X.697 has them";
        return Err(Error::new(ErrorKind::Unsupported, format.as_str(), 0, Words::Text("a document of XML"), expected));
    }
    let mut values = Values::new();
    let value = jer::read(document, schema.types(), schema.root()?, &mut values, &options.limits)?;
    append(value, format, options, out)
}

/// Converts a message between two of these formats. Nothing passes through JSON; by the same rules what
/// a later version of the schema has put in stays as it is.
pub(crate) fn convert(
    input: &[u8],
    from: Format,
    to: Format,
    options: &Options<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    if from.rules().is_some() && from.rules() != to.rules() && count(input, from, options)?.met_unknown() {
        // Its octets are by the rules that it came by.
        let found = "a value of a later version of the schema";
        return Err(Error::new(ErrorKind::Unsupported, to.as_str(), 0, found, "what the schema knows"));
    }
    let mut values = Values::new();
    let value = value(input, from, schema(from, options)?, options, &mut values)?;
    append(value, to, options, out)
}

/// Checks a message; how many values are in it. Nothing is built.
pub(crate) fn check(input: &[u8], format: Format, options: &Options<'_>) -> Result<usize, Error> {
    count(input, format, options).map(|counter| counter.values() as usize)
}

fn count(input: &[u8], format: Format, options: &Options<'_>) -> Result<Counter, Error> {
    let schema = schema(format, options)?;
    let mut counter = Counter::new(options.limits.units);
    if format == Format::Asn1 {
        notation::read_value_events(text(input)?, schema.types(), schema.root().ok(), &options.limits, &mut counter)?;
        return Ok(counter);
    }
    let rules = rules(format, options);
    let used = asn1::read_events(input, schema.types(), schema.root()?, &rules, &mut counter)?;
    match input.len() - used {
        0 => Ok(counter),
        more => {
            let found = Words::Count(more as u64, "bytes behind the value");
            Err(Error::new(ErrorKind::Syntax, format.as_str(), used as u64, found, "the end of the message"))
        }
    }
}

/// The schema that the options have.
fn schema<'s>(format: Format, options: &Options<'s>) -> Result<&'s Schema, Error> {
    let expected = "a schema that has the message's type";
    options.schema.ok_or_else(|| Error::new(ErrorKind::Unsupported, format.as_str(), 0, "no schema", expected))
}

fn value<'v>(
    input: &'v [u8],
    format: Format,
    schema: &'v Schema,
    options: &Options<'_>,
    values: &'v mut Values,
) -> Result<Value<'v>, Error> {
    match format {
        // Notation can tell its type: `batch Batch ::= { … }`.
        Format::Asn1 => notation::read_value(text(input)?, schema.types(), schema.root().ok(), values, &options.limits),
        _ => asn1::read(input, schema.types(), schema.root()?, values, &rules(format, options)),
    }
}

/// Notation as characters.
fn text(input: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(input).map_err(|error| {
        let at = error.valid_up_to();
        let found = input.get(at).map_or(Words::End, |byte| Words::Byte(*byte));
        Error::new(ErrorKind::Syntax, "asn1", at as u64, found, "UTF-8")
    })
}

fn append(value: Value<'_>, format: Format, options: &Options<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
    if format == Format::Asn1 {
        out.extend_from_slice(notation::write_value(value)?.as_bytes());
        return Ok(());
    }
    asn1::append(value, out, &rules(format, options)).map(|_| ())
}

/// What the options say of reading and writing by a format's rules.
fn rules(format: Format, options: &Options<'_>) -> asn1::Options {
    let of = match format.rules() {
        Some(EncodingRules::Aper) => asn1::Options::aper(),
        Some(EncodingRules::Ber) => asn1::Options::ber(),
        _ => asn1::Options::uper(),
    };
    of.with_canonical(options.canonical).with_limits(options.limits)
}
