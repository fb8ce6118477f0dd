//! Bar charts of the pages and the picture.

use std::fmt::Write;
use std::time::Duration;

use lengthwise::Format;
use xml::chars::is_char;
use xml::escape::Context;

use crate::compare::{Form, Message, given, grouped, label, shown_time};
use crate::visible::is_unseen;

/// The style of charts. It has no variables, because some programs that show pictures do not support them.
pub(crate) const STYLE: &str = include_str!("chart.css");

/// Messages in display order: a sum comes first.
pub(crate) fn sums_first(messages: &[Message]) -> impl Iterator<Item = &Message> {
    let (sums, single): (Vec<_>, Vec<_>) = messages.iter().partition(|message| message.messages > 1);
    sums.into_iter().chain(single)
}

/// The title of a comparison of messages.
pub(crate) fn title(messages: &[Message]) -> String {
    match messages {
        [message] => format!("Comparison of {}", message.name),
        _ => "Comparison of messages".to_owned(),
    }
}

/// A description of the contents of a message.
pub(crate) fn about(message: &Message) -> String {
    let sum = if message.messages > 1 { format!("{} messages, ", message.messages) } else { String::new() };
    format!("{sum}{} bytes, {} units", grouped(message.bytes), grouped(message.units))
}

/// Bars that compare one quantity in each form.
pub(crate) struct Chart {
    pub(crate) title: &'static str,
    bars: Vec<Bar>,
}

/// A bar with its label above it.
pub(crate) struct Bar {
    pub(crate) label: String,
    /// The style class, which determines the colour.
    pub(crate) class: &'static str,
    /// In any unit; `None` for no bar.
    pub(crate) length: Option<f64>,
    /// The value as text.
    pub(crate) value: String,
}

/// Size, reading and writing. In a sum, the forms may cover different messages, so everything is relative to the input.
pub(crate) fn charts(message: &Message) -> [Chart; 3] {
    let sum = message.messages > 1;
    let size = |bytes: usize, of: usize| {
        let percent = 100.0 * bytes as f64 / of.max(1) as f64;
        if sum { (percent, format!("{percent:.1} %")) } else { (bytes as f64, grouped(bytes)) }
    };
    let time = |time: Duration, of: usize| {
        let nanos = time.as_nanos() as f64;
        let a_megabyte = nanos / (of.max(1) as f64 / 1e6);
        if sum {
            (a_megabyte, format!("{}/MB", shown_time(Duration::from_nanos(a_megabyte as u64))))
        } else {
            (nanos, shown_time(time))
        }
    };
    let chart = |title, first: Option<(f64, String)>, of: &dyn Fn(&Form) -> (f64, String)| {
        let (length, value) = first.unzip();
        let value = value.unwrap_or_else(|| "–".to_owned());
        let mut bars = vec![Bar { label: given(message), class: "given", length, value }];
        bars.extend(message.forms.iter().map(|form| {
            let (length, value) = of(form);
            Bar { label: label(message, form), class: class(form), length: Some(length), value }
        }));
        Chart { title, bars }
    };
    [
        chart(if sum { "Size" } else { "Size in bytes" }, Some(size(message.bytes, message.bytes)), &|form| {
            size(form.bytes, form.of_bytes)
        }),
        chart("Time to read", Some(time(message.decode, message.bytes)), &|form| time(form.decode, form.of_bytes)),
        chart("Time to write", None, &|form| time(form.encode, form.of_bytes)),
    ]
}

/// The style class of a form, which determines its colour.
pub(crate) fn class(form: &Form) -> &'static str {
    match form.what.format {
        Format::Tdxml => "tdxml",
        format if format.is_text() => "text",
        format if format.is_infoset() => "infoset",
        format if format.needs_schema() => "asn1",
        format => format.as_str(),
    }
}

impl Chart {
    /// Height of a bar with its label, in units of the picture.
    const ROW: usize = 32;

    /// A chart of bars.
    pub(crate) fn of(title: &'static str, bars: Vec<Bar>) -> Chart {
        Chart { title, bars }
    }

    pub(crate) fn height(&self) -> usize {
        self.bars.len() * Chart::ROW
    }

    /// Draws the bars, the longest as wide as the chart.
    pub(crate) fn draw(&self, out: &mut String, width: usize) {
        let longest = self.bars.iter().filter_map(|bar| bar.length).fold(f64::MIN_POSITIVE, f64::max);
        for (bar, top) in self.bars.iter().zip((0..).step_by(Chart::ROW)) {
            bar.draw(out, top, width, longest);
        }
    }
}

impl Bar {
    fn draw(&self, out: &mut String, top: usize, width: usize, longest: f64) {
        let (text, bar) = (top + 13, top + 18);
        let _ = writeln!(
            out,
            "<text x=\"0\" y=\"{text}\">{}</text><text class=\"value\" x=\"{width}\" y=\"{text}\">{}</text>\
             <rect class=\"track\" x=\"0\" y=\"{bar}\" width=\"{width}\" height=\"7\" rx=\"2\" />",
            escaped(&self.label),
            escaped(&self.value)
        );
        if let Some(length) = self.length {
            let length = (length / longest * width as f64).max(1.5);
            let class = self.class;
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"0\" y=\"{bar}\" width=\"{length:.1}\" height=\"7\" rx=\"2\" />"
            );
        }
    }
}

/// Text escaped for XML; control characters and invisible ones, such as marks of direction, become U+FFFD.
pub(crate) fn escaped(text: &str) -> String {
    let shown = |c: char| if is_unseen(c) || !is_char(c) { '\u{FFFD}' } else { c };
    xml::escape::escaped(&text.chars().map(shown).collect::<String>(), Context::Anywhere)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::compare::{Compressed, FormatSpec};

    /// A message in two forms.
    pub(crate) fn message(name: &str) -> Message {
        let form = |format| Form {
            label: "tsf",
            what: FormatSpec::of(format),
            bytes: 80,
            compressed: Compressed::default(),
            of_bytes: 100,
            messages: 1,
            encode: Duration::from_nanos(10),
            decode: Duration::from_nanos(0),
        };
        Message {
            name: name.to_owned(),
            messages: 1,
            format: Format::Xml,
            bytes: 100,
            compressed: Compressed::default(),
            decode: Duration::from_micros(3),
            units: 4,
            forms: vec![form(Format::Xml), form(Format::Tsf)],
            unmeasured: 0,
        }
    }

    #[test]
    fn the_longest_bar_is_as_wide_as_the_chart_and_the_shortest_is_seen() {
        let [size, read, write] = charts(&message("a.xml")).map(|chart| {
            let mut out = String::new();
            chart.draw(&mut out, 200);
            out
        });
        let widths = |out: &str| -> Vec<String> {
            let bars = out.lines().filter(|line| line.starts_with("<rect"));
            bars.filter_map(|line| Some(line.split_once("width=\"")?.1.split_once('"')?.0.to_owned())).collect()
        };
        assert_eq!(widths(&size), ["200.0", "160.0", "160.0"]);
        assert_eq!(widths(&read), ["200.0", "1.5", "1.5"]);
        assert_eq!(widths(&write), ["200.0", "200.0"]);
        assert!(write.contains(">–</text>"));
    }
}
