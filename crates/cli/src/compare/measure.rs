//! Measures one message in every form, within a time.

use std::borrow::Cow;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lengthwise::tam::{Table, Vocabulary};
use lengthwise::x694::xer;
use lengthwise::xsd;
use lengthwise::{Error, ErrorKind, Format, Options, Schema, append, asn1, read};
use lengthwise_compress::{Compressor, Method};

use super::forms::{FormatSpec, forms};
use super::{Form, Message};
use crate::args::Compare;
use crate::compression;
use crate::jobs;
use crate::messages::Message as Source;
use crate::report::{Failure, Reading};
use crate::schema;

/// The time of the whole run, and that of each measurement.
pub(super) struct Budget {
    end: Instant,
    each: Option<Duration>,
}

/// The time of one message.
struct Share {
    /// When no measurement begins any more.
    measured: Instant,
    /// When no compression begins any more that would end later.
    compressed: Instant,
    each: Duration,
}

impl Budget {
    pub(super) fn of(args: &Compare) -> Budget {
        Budget { end: Instant::now() + args.within, each: args.time }
    }

    pub(super) fn is_used_up(&self) -> bool {
        Instant::now() >= self.end
    }

    /// The share of the next of `left` messages: a second at least, in which a message of some hundred kilobytes is measured whole.
    fn share(&self, left: usize) -> Share {
        const LEAST: Duration = Duration::from_secs(1);
        /// Writing and reading in each form.
        const MEASUREMENTS: u32 = 34;
        let now = Instant::now();
        let share = self.end.saturating_duration_since(now) / u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        let each = (share / 2 / MEASUREMENTS).clamp(Duration::from_millis(1), Duration::from_millis(300));
        let share = share.max(LEAST);
        Share { measured: now + share / 2, compressed: now + share, each: self.each.unwrap_or(each) }
    }
}

/// Measures a message, of which `left` are left with it.
pub(super) fn compare(
    args: &Compare,
    schema: Option<&Schema>,
    message: &Source<'_>,
    budget: &Budget,
    left: usize,
) -> Result<Message, Failure> {
    let options = args.common.options(schema);
    let share = budget.share(left);
    let Source { input, bytes, detected, .. } = message;
    let unread = |error| Failure::unread(input, &Reading::new(*detected, &options), error, bytes);
    let format = detected.format;
    schema::suits(schema, format)?;
    let mut table = Table::new();
    let decode = time(share.each, || {
        read(bytes, format, &options, &mut table).map(|document| document.units() + look_at(bytes))
    });
    let decode = decode.map_err(unread)?;
    let document = read(bytes, format, &options, &mut table).map_err(unread)?;
    let (units, vocabulary) = (document.units(), document.types().vocabulary());
    let (mut measured, mut messages, mut unmeasured) = (Vec::new(), Vec::new(), 0);
    for (label, what) in forms(vocabulary, schema) {
        if Instant::now() >= share.measured {
            unmeasured += 1;
            continue;
        }
        let measure = match schema.and_then(Schema::xml) {
            Some(types) if vocabulary == Vocabulary::Xml && what.format.needs_schema() => {
                instance(label, what, bytes, format, types, &options, share.each)
            }
            _ => form(label, what, bytes, (format, vocabulary), &options, share.each),
        };
        match measure {
            Ok((form, own)) => {
                measured.push(form);
                messages.push(own);
            }
            // A message that a format cannot hold has no row for it.
            Err(error) if error.kind() == ErrorKind::Unsupported => {}
            Err(error) if error.format() == "xsd" => return Err(unread(error)),
            Err(error) => return Err(Failure::bad(input, format.with_line(error, bytes), &[])),
        }
    }
    let all: Vec<&[u8]> = [&bytes[..]].into_iter().chain(messages.iter().map(Vec::as_slice)).collect();
    let mut sizes = compressed(&all, share.compressed).map_err(unread)?.into_iter();
    let compressed = sizes.next().unwrap_or_default();
    for (form, size) in measured.iter_mut().zip(sizes) {
        form.compressed = size;
    }
    let name = input.name();
    let bytes = bytes.len();
    Ok(Message { name, messages: 1, format, bytes, compressed, decode, units, forms: measured, unmeasured })
}

/// The size by gzip and by zstd, each with its highest level; zstd with the dictionary, if there is one. `None` where there
/// was no time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compressed {
    pub(crate) gzip: Option<usize>,
    pub(crate) zstd: Option<usize>,
}

impl Compressed {
    /// What the messages of a sum begin with.
    pub(super) const NONE: Compressed = Compressed { gzip: Some(0), zstd: Some(0) };

    pub(super) fn add(&mut self, other: Compressed) {
        let sum = |a: Option<usize>, b: Option<usize>| Some(a? + b?);
        self.gzip = sum(self.gzip, other.gzip);
        self.zstd = sum(self.zstd, other.zstd);
    }

    /// How many of the two are not known.
    pub(super) fn unknown(self) -> usize {
        [self.gzip, self.zstd].iter().filter(|size| size.is_none()).count()
    }
}

/// The sizes of messages when compressed, on all cores, unless it would take until after `end`.
fn compressed(messages: &[&[u8]], end: Instant) -> Result<Vec<Compressed>, Error> {
    /// Nanoseconds for each byte, until one has taken longer.
    const COSTS: [(Method, u64); 2] = [(Method::Gzip, 150), (Method::Zstd, 600)];
    let costs = COSTS.map(|(method, cost)| (method, AtomicU64::new(cost)));
    let jobs: Vec<_> = costs.iter().flat_map(|cost| messages.iter().map(move |message| (*message, cost))).collect();
    let mut sizes = Vec::with_capacity(jobs.len());
    let size = |(message, (method, cost)): &(&[u8], &(Method, AtomicU64))| {
        let (start, len) = (Instant::now(), message.len() as u64);
        if start + Duration::from_nanos(cost.load(Ordering::Relaxed) * len) > end {
            return Ok(None);
        }
        let dictionary = compression::dictionary().filter(|_| *method == Method::Zstd);
        let mut out = Vec::new();
        Compressor::new((*method).into(), dictionary)?.append(message, &mut out)?;
        // Short messages say little about long ones.
        if len > 1 << 16 {
            cost.fetch_max((start.elapsed().as_nanos() / u128::from(len)) as u64, Ordering::Relaxed);
        }
        Ok(Some(out.len()))
    };
    jobs::side_by_side(&jobs, jobs::threads(None), size, |_, size: Result<_, Error>| sizes.push(size));
    let sizes = sizes.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (gzip, zstd) = sizes.split_at(messages.len());
    Ok(gzip.iter().zip(zstd).map(|(gzip, zstd)| Compressed { gzip: *gzip, zstd: *zstd }).collect())
}

/// Measures a message in one form: writes it from a document of the same vocabulary, and reads it again.
fn form(
    label: &'static str,
    what: FormatSpec,
    bytes: &[u8],
    (format, vocabulary): (Format, Vocabulary),
    options: &Options<'_>,
    each: Duration,
) -> Result<(Form, Vec<u8>), Error> {
    let mut output = *options;
    output.output_types = what.types;
    output.strings = what.strings;
    output.tables.scheme = what.scheme;
    output.embed_schema = !what.by_reference;
    let own = lengthwise::convert(bytes, format, what.format, &output)?;
    // Starts from a document of the form itself, so that only its writer is measured; XML does not hold values.
    let mut itself = output;
    itself.input_types = what.types;
    let (mut table, mut out) = (Table::new(), Vec::new());
    let source = match vocabulary != Vocabulary::Xml && what.format == Format::Xml {
        true => read(bytes, format, &output.towards(what.format), &mut table)?,
        false => read(&own, what.format, &itself, &mut table)?,
    };
    let encode = time(each, || {
        out.clear();
        append(&source, what.format, &itself, &mut out).map(|()| out.len())
    })?;
    let mut table = Table::new();
    let decode =
        time(each, || read(&own, what.format, &itself, &mut table).map(|document| document.units() + look_at(&own)))?;
    Ok((Form::new(label, what, own.len(), bytes.len(), [encode, decode]), own))
}

/// Measures an XML instance as a value of its schema: writes the message from values, and reads it into values.
fn instance(
    label: &'static str,
    what: FormatSpec,
    bytes: &[u8],
    format: Format,
    types: &xer::Types,
    options: &Options<'_>,
    each: Duration,
) -> Result<(Form, Vec<u8>), Error> {
    // Errors of a document that is not XML text have no positions.
    let text = match format {
        Format::Xml => Cow::Borrowed(bytes),
        _ => Cow::Owned(lengthwise::convert(bytes, format, Format::Xml, options)?),
    };
    let rules = asn1::Options::of(what.format.rules().unwrap_or_default()).with_limits(options.limits);
    let of_xml = xsd::Options::default().with_limits(options.limits);
    let mut values = asn1::Values::new();
    let value = xer::read(&text, types, &of_xml, &mut values)?;
    let (root, own) = (value.node_id(), asn1::write(value, &rules)?);
    let mut out = Vec::new();
    let encode = time(each, || {
        out.clear();
        asn1::append(value, &rules, &mut out)
    })?;
    let mut again = asn1::Values::new();
    let decode = time(each, || asn1::read(&own, types.compiled(), root, &rules, &mut again).map(|_| look_at(&own)))?;
    Ok((Form::new(label, what, own.len(), bytes.len(), [encode, decode]), own))
}

/// Reads every byte of a message. A reader of length-prefixed formats skips long values at no cost, while a reader of
/// text has seen every byte.
fn look_at(message: &[u8]) -> usize {
    message.iter().map(|byte| usize::from(*byte)).sum()
}

/// The median time of one call, over as many calls as fit.
fn time(within: Duration, mut call: impl FnMut() -> Result<usize, Error>) -> Result<Duration, Error> {
    /// Short calls are timed in groups: reading the clock takes time too, and it counts whole nanoseconds.
    const ROUND: Duration = Duration::from_micros(100);
    const MOST: u32 = 1 << 16;
    /// Calls that take longer are not repeated for their sake.
    const SLOW: Duration = Duration::from_millis(500);
    let start = Instant::now();
    let mut round = |calls: u32| {
        let round = Instant::now();
        for _ in 0..calls {
            black_box(call()?);
        }
        Ok::<_, Error>(round.elapsed())
    };
    // The first calls are slower, and too few to be meaningful.
    let mut calls = 1;
    while round(calls)? < ROUND && calls < MOST {
        calls *= 2;
    }
    let mut rounds = Vec::new();
    while rounds.is_empty() || rounds.len() < 3 && start.elapsed() < SLOW || start.elapsed() < within {
        rounds.push(round(calls)? / calls);
    }
    rounds.sort_unstable();
    Ok(rounds[rounds.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_calls_are_measured_together() {
        let mut calls = 0_u64;
        let time = time(Duration::ZERO, || {
            calls += 1;
            Ok(black_box(1))
        });
        assert!(calls > 1_000, "{calls}");
        assert!(time.unwrap() < Duration::from_micros(1));
    }

    #[test]
    fn many_messages_get_less_time_each() {
        let budget = Budget { end: Instant::now() + Duration::from_secs(3000), each: None };
        assert_eq!(budget.share(1).each, Duration::from_millis(300));
        assert!(budget.share(1_000).each < Duration::from_millis(50));
        assert_eq!(budget.share(1_000_000).each, Duration::from_millis(1));
    }

    #[test]
    fn nothing_is_compressed_after_the_end() {
        let now = Instant::now();
        let message = [b'a'; 100];
        let unknown = |sizes: Vec<Compressed>| sizes.iter().map(|size| size.unknown()).collect::<Vec<_>>();
        assert_eq!(unknown(compressed(&[&message, &message], now).unwrap()), [2, 2]);
        let known = compressed(&[&message, b""], now + Duration::from_secs(1000)).unwrap();
        assert!(known[0].gzip < Some(40) && known[0].zstd < Some(40) && known[1].gzip < known[0].gzip);
        assert_eq!(unknown(known), [0, 0]);
    }
}
