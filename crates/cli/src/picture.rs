//! The self-contained picture that `compare --svg` writes.

use std::fmt::Write;

use crate::chart::{self, about, charts, escaped, sums_first, title};
use crate::compare::Message;

const STYLE: &str = include_str!("picture.css");

/// Widths in pixels: of the picture, its margin, a chart, which has room for the longest label and its value, and the
/// gap between two.
const WIDTH: usize = 2 * MARGIN + 3 * CHART + 2 * GAP;
const MARGIN: usize = 20;
const CHART: usize = 280;
const GAP: usize = 20;

/// Heights in pixels: of the part above the charts of a message, of the space between messages, and of a line below
/// them.
const HEAD: usize = 62;
const BETWEEN: usize = 20;
const LINE: usize = 18;

/// The longest name shown, in characters.
const NAME: usize = 52;

const NOTES: [&str; 2] = [
    "Shorter is better. Times are medians of repeated runs on one core, with memory reused between runs.",
    "In sums, (2 of 4) is the number of messages that a form could hold.",
];

/// The picture of several messages. If there is a sum, it is the last message.
pub(crate) fn picture(messages: &[Message]) -> String {
    let mut body = String::new();
    let mut top = MARGIN;
    for message in sums_first(messages) {
        top += panel(&mut body, message, top) + BETWEEN;
    }
    let is_sum = messages.iter().any(|message| message.messages > 1);
    for note in NOTES.iter().take(1 + usize::from(is_sum)) {
        top += LINE;
        let _ = writeln!(body, "<text class=\"note\" x=\"{MARGIN}\" y=\"{}\">{note}</text>", top - LINE / 2);
    }
    let height = top + MARGIN / 2;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\">\n<title>{}</title>\n<style>\n{}{STYLE}</style>\n\
         <rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"10\" />\n{body}</svg>\n",
        escaped(&title(messages)),
        chart::STYLE,
        WIDTH - 1,
        height - 1
    )
}

/// Draws a message from a line on, and returns the height.
fn panel(out: &mut String, message: &Message, top: usize) -> usize {
    let (name, right) = (escaped(&message.name), WIDTH - MARGIN);
    let _ = writeln!(
        out,
        "<g><title>{name}</title>\n<text class=\"name\" x=\"{MARGIN}\" y=\"{line}\">{short}</text>\
         <text class=\"about\" x=\"{right}\" y=\"{line}\">{about}</text>",
        line = top + 14,
        short = escaped(&end(&message.name)),
        about = about(message)
    );
    let mut height = 0;
    for (chart, column) in charts(message).iter().zip(0..) {
        let (left, line, rule, bars) = (MARGIN + column * (CHART + GAP), top + 42, top + 50, top + HEAD - 6);
        let _ = writeln!(
            out,
            "<text class=\"heading\" x=\"{left}\" y=\"{line}\">{}</text>\
             <rect class=\"rule\" x=\"{left}\" y=\"{rule}\" width=\"{CHART}\" height=\"1\" />\n\
             <g transform=\"translate({left} {bars})\">",
            chart.title
        );
        chart.draw(out, CHART);
        out.push_str("</g>\n");
        height = height.max(chart.height());
    }
    out.push_str("</g>\n");
    HEAD + height
}

/// The end of a name, which is more specific than its beginning.
fn end(name: &str) -> String {
    match name.char_indices().rev().nth(NAME) {
        Some((at, c)) => format!("…{}", &name[at + c.len_utf8()..]),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use lengthwise::{Format, Options, read, tam::Table};

    use super::*;
    use crate::chart::tests::message;

    #[test]
    fn the_picture_is_xml_whatever_a_file_is_called() {
        let picture = picture(&[message("</title><script>&\"\u{1}\u{FFFF}'.xml"), message("b.xml")]);
        let mut table = Table::new();
        let document = read(picture.as_bytes(), Format::Xml, &Options::default(), &mut table).unwrap();
        let text = |path: &str| document.get(path).unwrap().text().unwrap().to_owned();
        assert_eq!(text("/svg/title/text()"), "Comparison of messages");
        assert_eq!(text("/svg/g/title/text()"), "</title><script>&\"\u{FFFD}\u{FFFD}'.xml");
        assert_eq!(text("/svg/g[2]/text/text()"), "b.xml");
        assert_eq!(text("/svg/g[2]/g/text[2]/text()"), "100");
        assert!(document.get("/svg/g[2]/g[3]/rect[5]").is_ok());
        assert!(!picture.contains("<script"));
    }

    #[test]
    fn a_long_name_is_shown_by_its_end() {
        let long = format!("{}é{}", "a/".repeat(20), "b".repeat(NAME - 1));
        assert_eq!(end(&long), format!("…é{}", "b".repeat(NAME - 1)));
        assert_eq!(end("a.xml"), "a.xml");
    }
}
