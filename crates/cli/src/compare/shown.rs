//! How a comparison is printed: as a table, or as JSON.

use std::fmt::Write;
use std::time::Duration;

use lengthwise::tdxml::Scheme;
use lengthwise::{Format, Strings};

use super::forms::is_of_xml;
use super::{Compressed, Form, FormatSpec, Message};
use crate::line::Line;
use crate::table::Table as TextTable;
use crate::visible::one_line;

/// A line for each form.
pub(super) fn lines(message: &Message) -> String {
    let start = || Line::new().text("file", &message.name).json("messages", message.messages);
    let speed = |bytes: usize, time: Duration| format!("{:.1}", megabytes_a_second(bytes, time));
    let size = |size: Option<usize>| size.map_or_else(|| "null".to_owned(), |size| size.to_string());
    let best = best(message);
    let given = if message.messages == 1 { message.format.as_str() } else { "original" };
    let mut out = start()
        .text("format", given)
        .json("as_given", true)
        .json("original_bytes", message.bytes)
        .json("bytes", message.bytes)
        .json("percent", 100)
        .json("gzip_bytes", size(message.compressed.gzip))
        .json("zstd_bytes", size(message.compressed.zstd))
        .json("decode_ns", message.decode.as_nanos())
        .json("decode_mb_per_s", speed(message.bytes, message.decode))
        .end();
    for form in &message.forms {
        let line = start()
            .text("format", form.what.format.as_str())
            .maybe("types", form.what.types.map(|types| Line::string(types.as_str())))
            .maybe("strings", strings(form.what))
            .maybe("scheme", scheme(form.what))
            .json("as_given", false)
            .json("original_bytes", form.of_bytes)
            .json("bytes", form.bytes)
            .json("percent", format!("{:.2}", form.percent()))
            .json("gzip_bytes", size(form.compressed.gzip))
            .json("zstd_bytes", size(form.compressed.zstd))
            .json("encode_ns", form.encode.as_nanos())
            .json("encode_mb_per_s", speed(form.of_bytes, form.encode))
            .json("decode_ns", form.decode.as_nanos())
            .json("decode_mb_per_s", speed(form.of_bytes, form.decode));
        let needs = best
            .iter()
            .flat_map(|(.., best)| best)
            .filter(|best| best.form.label == form.label)
            .map(|best| Line::string(best.need));
        let needs: Vec<String> = needs.collect();
        let line = line.json("best", format!("[{}]", needs.join(",")));
        out.push_str(&line.end());
    }
    out
}

/// The compression of the strings of an infoset.
fn strings(what: FormatSpec) -> Option<String> {
    let name = if what.strings == Strings::None { "none" } else { what.strings.as_str() };
    what.format.is_infoset().then(|| Line::string(name))
}

/// The scheme of a table.
fn scheme(what: FormatSpec) -> Option<String> {
    match what.scheme {
        Scheme::Aggregated => Some(Line::string("aggregated")),
        Scheme::Grouped => Some(Line::string("grouped")),
        Scheme::Smaller => None,
    }
}

/// A heading, what is best, and a row for each form.
pub(super) fn table(message: &Message) -> String {
    let mut table = TextTable::new(&["", "bytes", "%", "gzip", "zstd", "encode", "MB/s", "decode", "MB/s"]);
    let of = |time: Duration, bytes: usize| [shown_time(time), shown_speed(bytes, time)];
    let small = |Compressed { gzip, zstd }: Compressed| [shown_size(gzip), shown_size(zstd)];
    let ([gzip, zstd], [decode, speed]) = (small(message.compressed), of(message.decode, message.bytes));
    let size = grouped(message.bytes);
    table.row([given(message), size, "100.0".into(), gzip, zstd, String::new(), String::new(), decode, speed]);
    for form in &message.forms {
        let [encode, written] = of(form.encode, form.of_bytes);
        let [decode, read] = of(form.decode, form.of_bytes);
        let ([gzip, zstd], percent) = (small(form.compressed), format!("{:.1}", form.percent()));
        table.row([label(message, form), grouped(form.bytes), percent, gzip, zstd, encode, written, decode, read]);
    }
    format!("{}\n{}{}\n", heading(message), summary(message), table.text())
}

/// The form that is best for a need.
pub(crate) struct Best<'m> {
    pub(crate) need: &'static str,
    pub(crate) form: &'m Form,
    /// The form as it is shown.
    pub(crate) shown: String,
    /// What makes it the best: a size or a time, and how much that is: of the size of the original, or of the time of the slowest
    /// form.
    pub(crate) amount: String,
    pub(crate) percent: f64,
    is_time: bool,
}

impl Best<'_> {
    /// What makes it the best, as text.
    fn why(&self) -> String {
        if self.is_time { self.amount.clone() } else { format!("{}, {:.1} %", self.amount, self.percent) }
    }
}

/// What is best for each need, of the forms that every message has; in a sum of XML and JSON, of those that every XML message
/// has, then every JSON message. With each the number of messages, and what they are.
pub(crate) fn best(message: &Message) -> Vec<(usize, &'static str, Vec<Best<'_>>)> {
    let of = |is_xml: bool| message.forms.iter().filter(move |form| is_of_xml(form.label) == is_xml);
    let most = |is_xml| of(is_xml).map(|form| form.messages).max();
    let group = |(is_xml, words)| {
        let most = most(is_xml)?;
        Some((most, words, best_of(&of(is_xml).filter(|form| form.messages == most).collect::<Vec<_>>())))
    };
    [(true, "XML"), (false, "JSON")].into_iter().filter_map(group).collect()
}

fn best_of<'m>(forms: &[&'m Form]) -> Vec<Best<'m>> {
    let all = || forms.iter().copied();
    let small = |form: &Form| (form.label.to_owned(), form.bytes);
    let is_text = |form: &&Form| matches!(form.what.format, Format::Xml | Format::Json | Format::Tdxml);
    // The formats are compared by a method that all were compressed with.
    let squeezed = |method: &'static str, size: fn(&Form) -> Option<usize>| {
        let sizes = all().map(|form| size(form).map(|size| (form, (format!("{}, {method}", form.label), size))));
        sizes.collect::<Option<Vec<_>>>()?.into_iter().min_by_key(|(_, (_, size))| *size)
    };
    let squeezed = [squeezed("gzip", |form| form.compressed.gzip), squeezed("zstd", |form| form.compressed.zstd)];
    let squeezed = squeezed.into_iter().flatten().min_by_key(|(_, (_, size))| *size);
    let smallest = all().min_by_key(|form| form.bytes).map(|form| (form, small(form)));
    let editable = all().filter(is_text).min_by_key(|form| form.bytes).map(|form| (form, small(form)));
    let sized = |need, found: Option<(&'m Form, (String, usize))>| {
        let (form, (shown, size)) = found?;
        let percent = 100.0 * size as f64 / form.of_bytes.max(1) as f64;
        let amount = format!("{} bytes", grouped(size));
        Some(Best { need, form, shown, amount, percent, is_time: false })
    };
    let timed = |need, time: fn(&Form) -> Duration| {
        let form = all().min_by_key(|form| time(form))?;
        let slowest = all().map(time).max()?.as_secs_f64().max(f64::MIN_POSITIVE);
        let percent = 100.0 * time(form).as_secs_f64() / slowest;
        let (shown, amount) = (form.label.to_owned(), shown_time(time(form)));
        Some(Best { need, form, shown, amount, percent, is_time: true })
    };
    let found = [
        sized("smallest", smallest),
        sized("smallest compressed", squeezed),
        timed("fastest to read", |form| form.decode),
        timed("fastest to write", |form| form.encode),
        sized("smallest as text", editable),
    ];
    found.into_iter().flatten().collect()
}

fn summary(message: &Message) -> String {
    let groups = best(message);
    let width = groups.iter().flat_map(|(.., best)| best).map(|best| best.shown.chars().count()).max();
    let (width, is_mixed) = (width.unwrap_or_default(), groups.len() > 1);
    let mut out = String::new();
    for (messages, words, best) in groups {
        if is_mixed {
            let _ = writeln!(out, "  of {} in {words}", grouped(messages));
        }
        for best in best {
            let _ = writeln!(out, "  {:<19}  {:<width$}  {}", best.need, best.shown, best.why());
        }
        out.push('\n');
    }
    out
}

/// The name and contents of a message.
fn heading(message: &Message) -> String {
    let sum = if message.messages > 1 { format!("{} messages, ", grouped(message.messages)) } else { String::new() };
    let (bytes, units) = (grouped(message.bytes), grouped(message.units));
    format!("{}: {sum}{bytes} bytes, {units} units", one_line(&message.name))
}

/// The label of the input.
pub(crate) fn given(message: &Message) -> String {
    if message.messages == 1 { format!("{}, original", message.format) } else { "original".to_owned() }
}

/// The label of a form; in a sum, with the number of messages it counts for.
pub(crate) fn label(message: &Message, form: &Form) -> String {
    if form.messages == message.messages {
        return form.label.to_owned();
    }
    format!("{} ({} of {})", form.label, form.messages, message.messages)
}

/// A size, if it is known.
pub(crate) fn shown_size(size: Option<usize>) -> String {
    size.map_or_else(|| "–".to_owned(), grouped)
}

fn megabytes_a_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64().max(1e-9)
}

/// Speed in bytes of input.
pub(crate) fn shown_speed(bytes: usize, time: Duration) -> String {
    let speed = megabytes_a_second(bytes, time);
    // Measurements are accurate to three digits.
    let unit = 10_f64.powi((speed.max(1.0).log10() as i32 - 2).max(0));
    grouped(((speed / unit).round() * unit) as usize)
}

/// A time in a unit that leaves three digits or four.
pub(crate) fn shown_time(time: Duration) -> String {
    let ns = time.as_nanos() as f64;
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let places = usize::from(value < 100.0) + usize::from(value < 10.0);
    format!("{value:.places$} {unit}")
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_shown_short() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1 000", "1 234 567"]);
        let times = [999, 1_000, 12_345, 123_456, 99_999_999, 1_500_000_000];
        let shown = times.map(|ns| shown_time(Duration::from_nanos(ns)));
        assert_eq!(shown, ["999 ns", "1.00 µs", "12.3 µs", "123 µs", "100.0 ms", "1.50 s"]);
        let speeds = [(1_000_000, 10_000_000), (1_234_567, 1_000_000), (25_021, 20), (3, 1_000_000), (0, 5)];
        let shown = speeds.map(|(bytes, ns)| shown_speed(bytes, Duration::from_nanos(ns)));
        assert_eq!(shown, ["100", "1 230", "1 250 000", "0", "0"]);
    }
}
