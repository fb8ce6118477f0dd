//! Self-contained pages that are both HTML and XML. This is the page of `compare --html`.

use std::fmt::Write;

use crate::chart::{Chart, about, charts, class, escaped, sums_first, title};
use crate::compare::{Compressed, Message, best, given, grouped, label, shown_size, shown_speed, shown_time};

const STYLE: &str = concat!(include_str!("page.css"), include_str!("chart.css"), include_str!("schema/page.css"));

/// What the policy of the pages allows, which have no script: SHA-256 of the style, in base64. A test compares it.
const STYLE_HASH: &str = "4MNmQT/Mwnf5XH7ZizAg8aeAKjKPQ+ct4GqJIFQWvTo=";

/// Width of a chart, in units of the picture.
const WIDTH: usize = 300;

const INTRO: &str = "The same message in every format that can hold it: its size, and the time to read it into a \
                     document and to write it from one. Shorter bars are better.";
const NOTES: &str = "Sizes are in bytes; percentages and speeds (megabytes a second) refer to the original \
                     message. Times are medians of repeated runs on one core, with memory reused between runs. JSON \
                     is written as TSF in two ways: with scalars as tokens (<code>--types json</code>) or as typed values \
                     (<code>--types value</code>), and, with a schema, in PER and BER; XML as an infoset in \
                     PER and BER, with and without compressed strings, and as TDXML in both schemes. In sums of several \
                     messages, (2 of 4) is the number of messages that a form could hold, and the bars are in \
                     proportion to those. XML exported from JSON cannot be converted back to JSON.";

/// The page of several messages. If there is a sum, it is the last message.
pub(crate) fn page(messages: &[Message]) -> String {
    let mut body = String::new();
    for (number, message) in sums_first(messages).enumerate() {
        if number == 0 {
            lead(&mut body, message);
        }
        section(&mut body, message);
    }
    page_of(&title(messages), INTRO, &body, NOTES)
}

/// A page. The title is text; the rest is markup.
pub(crate) fn page_of(title: &str, intro: &str, body: &str, notes: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{STYLE_HASH}'; \
         base-uri 'none'; form-action 'none'\" />\n\
         <meta name=\"color-scheme\" content=\"light dark\" />\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <header>\n<p class=\"brand\">Lengthwise</p>\n<h1>{title}</h1>\n\
         <p>{intro}</p>\n</header>\n{body}<footer><p>{notes}</p></footer>\n</main>\n</body>\n</html>\n"
    )
}

/// The chart that a page begins with: which form is best for each need.
fn lead(out: &mut String, message: &Message) {
    let groups = best(message);
    let _ = write!(
        out,
        "<section class=\"best\">\n<h2>The best format for each need</h2>\n<p class=\"about\">{}: {}. Sizes are in percent of the \
         original, times of the slowest format.</p>\n",
        escaped(&message.name),
        about(message)
    );
    let is_mixed = groups.len() > 1;
    for (messages, words, best) in groups {
        out.push_str("<figure>\n");
        if is_mixed {
            let plural = if messages == 1 { "" } else { "s" };
            let _ = writeln!(out, "<figcaption>{} message{plural} in {words}</figcaption>", grouped(messages));
        }
        out.push_str("<ul>\n");
        for one in best {
            let width = (10.0 * one.percent).clamp(5.0, 1_000.0);
            let _ = writeln!(
                out,
                "<li><span class=\"need\">{}</span> <strong>{}</strong> <span>{}, {:.1} %</span>\n\
                 <svg viewBox=\"0 0 1000 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\" xmlns=\"http://www.w3.org/2000/svg\">\
                 <rect class=\"track\" width=\"1000\" height=\"8\" /><rect class=\"{}\" width=\"{width:.0}\" height=\"8\" /></svg></li>",
                one.need,
                escaped(&one.shown),
                escaped(&one.amount),
                one.percent,
                class(one.form),
            );
        }
        out.push_str("</ul>\n</figure>\n");
    }
    out.push_str("</section>\n");
}

fn section(out: &mut String, message: &Message) {
    let _ = write!(
        out,
        "<section>\n<h2>{}</h2>\n<p class=\"about\">{}</p>\n<div class=\"charts\">\n",
        escaped(&message.name),
        about(message)
    );
    for chart in charts(message) {
        figure(out, &chart);
    }
    out.push_str("</div>\n");
    table(out, message);
    out.push_str("</section>\n");
}

/// A chart with its title.
pub(crate) fn figure(out: &mut String, chart: &Chart) {
    let (title, height) = (chart.title, chart.height());
    let _ = write!(
        out,
        "<figure>\n<figcaption>{title}</figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n"
    );
    chart.draw(out, WIDTH);
    out.push_str("</svg>\n</figure>\n");
}

/// Starts a table, which scrolls where it is wider than the page, up to its rows.
pub(crate) fn start_table(out: &mut String, headings: &[&str]) {
    out.push_str("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n<table>\n<thead><tr>");
    headings.iter().for_each(|heading| _ = write!(out, "<th>{heading}</th>"));
    out.push_str("</tr></thead>\n<tbody>\n");
}

fn table(out: &mut String, message: &Message) {
    start_table(out, &["Form", "Bytes", "%", "gzip", "zstd", "Read", "MB/s", "Write", "MB/s"]);
    let small = |Compressed { gzip, zstd }: Compressed| [shown_size(gzip), shown_size(zstd)];
    let [gzip, zstd] = small(message.compressed);
    let [read, speed] = [shown_time(message.decode), shown_speed(message.bytes, message.decode)];
    let size = grouped(message.bytes);
    row(out, &given(message), [size, "100.0".into(), gzip, zstd, read, speed, "–".into(), "–".into()]);
    for form in &message.forms {
        let [gzip, zstd] = small(form.compressed);
        let cells = [
            grouped(form.bytes),
            format!("{:.1}", form.percent()),
            gzip,
            zstd,
            shown_time(form.decode),
            shown_speed(form.of_bytes, form.decode),
            shown_time(form.encode),
            shown_speed(form.of_bytes, form.encode),
        ];
        row(out, &label(message, form), cells);
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

/// A row of a table.
pub(crate) fn row<const N: usize>(out: &mut String, name: &str, cells: [String; N]) {
    let _ = write!(out, "<tr><th>{}</th>", escaped(name));
    for cell in cells {
        let _ = write!(out, "<td>{}</td>", escaped(&cell));
    }
    out.push_str("</tr>\n");
}

#[cfg(test)]
mod tests {
    use lengthwise::{Format, Options, read, tam::Table};

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::chart::tests::message;

    /// A browser applies no style of another hash.
    #[test]
    fn the_policy_has_the_hash_of_the_style() {
        assert_eq!(STYLE_HASH, STANDARD.encode(Sha256::digest(STYLE)));
        // Others would be markup in a page that is XML.
        assert!(!STYLE.contains(['<', '&']));
    }

    #[test]
    fn the_page_is_xml_whatever_a_file_is_called() {
        let page = page(&[message("</title><script>&\"\u{1}\u{FFFF}'.xml")]);
        let mut table = Table::new();
        let document = read(page.as_bytes(), Format::Xml, &Options::default(), &mut table).unwrap();
        let title = document.get("/html/head/title/text()").unwrap();
        assert_eq!(title.text().unwrap(), "Comparison of </title><script>&\"\u{FFFD}\u{FFFD}'.xml");
        assert!(document.get("/html/body/main/section[2]/div/figure[3]/svg").is_ok());
        assert!(!page.contains("<script"));
        // Both forms have 80 of 100 bytes; the first is named.
        let best = |path: &str| document.get(&format!("/html/body/main/section/figure/ul/li{path}")).unwrap();
        assert_eq!(best("/strong/text()").text().unwrap(), "tsf");
        assert_eq!(best("/span[2]/text()").text().unwrap(), "80 bytes, 80.0 %");
        assert_eq!(best("/svg/rect[2]/@width").text().unwrap(), "800");
    }
}
