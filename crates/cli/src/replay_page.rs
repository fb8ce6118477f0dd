//! The page that `replay --html` writes.

use std::fmt::Write;
use std::time::Duration;

use crate::chart::{Bar, Chart, escaped};
use crate::compare::{grouped, shown_time};
use crate::html;
use crate::replay::{Replayed, Stream, heading};

const INTRO: &str = "Recorded messages, deserialized twice: each one whole, and only what differs from the previous \
                     message of its kind. Shorter bars are better.";
const NOTES: &str = "Times are for all messages of an operation together, medians of repeated rounds on one core. \
                     Each round starts without templates and reuses memory between messages. Bytes are skipped if they \
                     equal those of the previous message. A message is read whole if it is the first of its kind or \
                     differs too much. In streams of more than 60 messages a column is the mean of several.";

/// The page of a stream.
pub(crate) fn page(stream: &Stream) -> String {
    let mut body = String::new();
    if let Some((last, others)) = stream.operations.split_last() {
        // The sum comes first.
        section(&mut body, last, &heading(stream));
        course(&mut body, stream);
        table(&mut body, stream);
        body.push_str("</section>\n");
        for one in others {
            let about = format!("{} messages, {} bytes", grouped(one.messages as usize), grouped(one.bytes as usize));
            section(&mut body, one, &about);
            body.push_str("</section>\n");
        }
    }
    html::page_of("Replay of recorded messages", INTRO, &body, NOTES)
}

fn section(out: &mut String, one: &Replayed, about: &str) {
    let _ = write!(
        out,
        "<section>\n<h2>{}</h2>\n<p class=\"about\">{}, {:.1} times faster</p>\n<div class=\"charts\">\n",
        escaped(&one.operation),
        escaped(about),
        one.speedup()
    );
    let bar =
        |label: &str, class, length: f64, value| Bar { label: label.to_owned(), class, length: Some(length), value };
    let pair = |title, before: (f64, String), after: (f64, String), labels: [&str; 2]| {
        let bars = vec![bar(labels[0], "given", before.0, before.1), bar(labels[1], "dds", after.0, after.1)];
        Chart::of(title, bars)
    };
    let number = |n: u64| (n as f64, grouped(n as usize));
    let time = |time: Duration| (time.as_secs_f64(), shown_time(time));
    let ways = ["without differencing", "with differencing"];
    let charts = [
        pair("Time to read", time(one.without), time(one.with), ways),
        pair("Bytes read", number(one.bytes), number(one.bytes.saturating_sub(one.stats.bytes_skipped)), ways),
        pair("Messages read whole", number(one.messages), number(one.stats.regular), ways),
    ];
    charts.iter().for_each(|chart| html::figure(out, chart));
    out.push_str("</div>\n");
}

/// The times of the messages in order: a column for each, or for several together.
fn course(out: &mut String, stream: &Stream) {
    const WIDTH: f64 = 900.0;
    const HEIGHT: f64 = 90.0;
    let longest = stream.course.iter().flatten().max().map_or(0.0, Duration::as_secs_f64).max(f64::MIN_POSITIVE);
    let _ = write!(
        out,
        "<figure class=\"course\">\n<figcaption>Time to read a message, in the order of the stream: up to {}, without and \
         with differencing</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Time to read a message\" xmlns=\"http://www.w3.org/2000/svg\">\n",
        shown_time(Duration::from_secs_f64(longest))
    );
    let step = WIDTH / stream.course.len().max(1) as f64;
    let width = (step * 0.36).min(24.0);
    for (n, pair) in stream.course.iter().enumerate() {
        for (way, (time, class)) in pair.iter().zip(["given", "dds"]).enumerate() {
            let (left, height) = (step * n as f64 + width * 1.1 * way as f64, time.as_secs_f64() / longest * HEIGHT);
            let (top, height) = (HEIGHT - height.max(1.0), height.max(1.0));
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" />"
            );
        }
    }
    out.push_str("</svg>\n</figure>\n");
}

fn table(out: &mut String, stream: &Stream) {
    html::start_table(out, &["Operation", "Messages", "Bytes", "Without", "With", "Faster", "Skipped"]);
    for one in &stream.operations {
        html::row(out, &one.operation, one.cells());
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

#[cfg(test)]
mod tests {
    use lengthwise::{Format, Options, read, tam::Table, x694::xer::Stats};

    use super::*;

    #[test]
    fn the_page_is_xml_whatever_an_operation_is_called() {
        let replayed = |operation: &str, with: u64| Replayed {
            operation: operation.to_owned(),
            messages: 3,
            bytes: 3_000,
            without: Duration::from_micros(20),
            with: Duration::from_micros(with),
            stats: Stats::default(),
        };
        let operations = vec![replayed("</h2><script>&", 5), replayed("all messages", 10)];
        let course = vec![[Duration::from_micros(4), Duration::from_micros(3)]; 5];
        let page = page(&Stream { files: 1, rounds: 5, operations, course });
        let mut table = Table::new();
        let document = read(page.as_bytes(), Format::Xml, &Options::default(), &mut table).unwrap();
        let text = |path: &str| document.get(path).unwrap().text().unwrap().to_owned();
        assert_eq!(text("/html/body/main/section/h2/text()"), "all messages");
        assert_eq!(text("/html/body/main/section[2]/h2/text()"), "</h2><script>&");
        assert_eq!(text("/html/body/main/section[2]/div/figure/svg/text[4]/text()"), "5.00 µs");
        assert_eq!(text("/html/body/main/section/div[2]/table/tbody/tr/td[5]/text()"), "4.0x");
        let columns = document.get("/html/body/main/section/figure/svg").unwrap();
        assert_eq!(columns.children().filter(|child| child.name() == "rect").count(), 10);
        assert!(page.contains("<rect class=\"dds\" x=\"26.4\" y=\"22.5\" width=\"24.0\" height=\"67.5\" />"), "{page}");
        assert!(!page.contains("<script"));
    }
}
