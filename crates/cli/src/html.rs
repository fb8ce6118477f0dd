//! The page that `compare --html` writes: one file that needs no other, and is XML too.

use std::fmt::Write;
use std::time::Duration;

use lengthwise::Format;

use crate::compare::{Form, Message, given, grouped, label, shown_speed, shown_time};

const STYLE: &str = include_str!("page.css");

/// The page of several messages, the sum of them, if there is one, being the last.
pub(crate) fn page(messages: &[Message]) -> String {
    let mut out = String::new();
    let title = match messages {
        [message] => format!("Comparison of {}", message.name),
        _ => "Comparison of messages".to_owned(),
    };
    let title = escaped(&title);
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <meta name=\"color-scheme\" content=\"light dark\" />\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header>\n<p class=\"brand\">Lengthwise</p>\n<h1>{title}</h1>\n\
         <p>The same message in every format that can hold it: how large it is, and how long it takes to \
         read it into a document and to write it from one. Shorter bars are better.</p>\n</header>\n"
    );
    let (sums, single): (Vec<_>, Vec<_>) = messages.iter().partition(|message| message.messages > 1);
    for message in sums.into_iter().chain(single) {
        section(&mut out, message);
    }
    out.push_str(
        "<footer><p>Sizes are in bytes; percentages and speeds (megabytes a second) are of the message as it was \
         given. Times are medians of repeated runs on one core, memory being reused between runs. JSON travels as \
         TSF in two ways: its scalars as tokens (<code>--types json</code>) or as typed values \
         (<code>--types value</code>). Where several messages are added up, (2 of 4) tells how many of them a form is of, \
         and the bars are in proportion to those. XML exported from JSON does not come back as JSON.</p></footer>\n\
         </main>\n</body>\n</html>\n",
    );
    out
}

fn section(out: &mut String, message: &Message) {
    let (bytes, units) = (grouped(message.bytes), grouped(message.units));
    let sum = if message.messages > 1 { format!("{} messages, ", message.messages) } else { String::new() };
    let _ = write!(
        out,
        "<section>\n<h2>{}</h2>\n<p class=\"about\">{sum}{bytes} bytes, {units} units</p>\n<div class=\"charts\">\n",
        escaped(&message.name)
    );
    for chart in charts(message) {
        chart.draw(out);
    }
    out.push_str("</div>\n");
    table(out, message);
    out.push_str("</section>\n");
}

/// Bars side by side: how large one thing is in each form.
struct Chart {
    title: &'static str,
    bars: Vec<Bar>,
}

struct Bar {
    label: String,
    class: &'static str,
    length: Option<f64>,
    value: String,
}

/// Size, reading and writing. The forms of a sum need not be of the same messages: there all are
/// in proportion to the messages as they were.
fn charts(message: &Message) -> [Chart; 3] {
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

fn class(form: &Form) -> &'static str {
    if form.what.format == Format::Tsf { "wire" } else { "text" }
}

impl Chart {
    /// Width of a chart and height of a bar with its label, in units of the picture.
    const WIDTH: f64 = 300.0;
    const ROW: usize = 40;

    fn draw(&self, out: &mut String) {
        let longest = self.bars.iter().filter_map(|bar| bar.length).fold(f64::MIN_POSITIVE, f64::max);
        let (width, height) = (Chart::WIDTH, self.bars.len() * Chart::ROW);
        let _ = write!(
            out,
            "<figure>\n<figcaption>{title}</figcaption>\n\
             <svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n",
            title = self.title
        );
        for (bar, top) in self.bars.iter().zip((0..).step_by(Chart::ROW)) {
            bar.draw(out, top, longest);
        }
        out.push_str("</svg>\n</figure>\n");
    }
}

impl Bar {
    fn draw(&self, out: &mut String, top: usize, longest: f64) {
        let (text, bar, width) = (top + 14, top + 21, Chart::WIDTH);
        let _ = writeln!(
            out,
            "<text x=\"0\" y=\"{text}\">{}</text><text class=\"value\" x=\"{width}\" y=\"{text}\">{}</text>\
             <rect class=\"track\" x=\"0\" y=\"{bar}\" width=\"{width}\" height=\"8\" rx=\"2\" />",
            escaped(&self.label),
            escaped(&self.value)
        );
        if let Some(length) = self.length {
            let length = (length / longest * width).max(1.5);
            let class = self.class;
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"0\" y=\"{bar}\" width=\"{length:.1}\" height=\"8\" rx=\"2\" />"
            );
        }
    }
}

fn table(out: &mut String, message: &Message) {
    out.push_str(
        "<div class=\"wide\">\n<table>\n<thead><tr><th>Form</th><th>Bytes</th><th>%</th><th>Read</th><th>MB/s</th>\
         <th>Write</th><th>MB/s</th></tr></thead>\n<tbody>\n",
    );
    let decode = [shown_time(message.decode), shown_speed(message.bytes, message.decode)];
    let [read, speed] = decode;
    row(out, &given(message), [grouped(message.bytes), "100.0".into(), read, speed, "–".into(), "–".into()]);
    for form in &message.forms {
        let cells = [
            grouped(form.bytes),
            format!("{:.1}", form.percent()),
            shown_time(form.decode),
            shown_speed(form.of_bytes, form.decode),
            shown_time(form.encode),
            shown_speed(form.of_bytes, form.encode),
        ];
        row(out, &label(message, form), cells);
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn row(out: &mut String, name: &str, cells: [String; 6]) {
    let _ = write!(out, "<tr><th>{}</th>", escaped(name));
    for cell in cells {
        let _ = write!(out, "<td>{}</td>", escaped(&cell));
    }
    out.push_str("</tr>\n");
}

/// Text as XML holds it; a control character, which it cannot hold, becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use lengthwise::{Options, read, tam::Table};

    use super::*;
    use crate::compare::What;

    #[test]
    fn the_page_is_xml_whatever_a_file_is_called() {
        let form = |format| Form {
            label: "tsf",
            what: What { format, types: None },
            bytes: 80,
            of_bytes: 100,
            messages: 1,
            encode: Duration::from_nanos(10),
            decode: Duration::from_nanos(0),
        };
        let message = Message {
            name: "</title><script>&\"\u{1}\u{FFFF}'.xml".to_owned(),
            messages: 1,
            format: Format::Xml,
            bytes: 100,
            decode: Duration::from_micros(3),
            units: 4,
            forms: vec![form(Format::Xml), form(Format::Tsf)],
        };
        let page = page(&[message]);
        let mut table = Table::new();
        let document = read(page.as_bytes(), Format::Xml, &Options::default(), &mut table).unwrap();
        let title = document.get("/html/head/title/text()").unwrap();
        assert_eq!(title.text().unwrap(), "Comparison of </title><script>&\"\u{FFFD}\u{FFFD}'.xml");
        assert!(document.get("/html/body/main/section/div/figure[3]/svg").is_ok());
        assert!(!page.contains("<script"));
    }
}
