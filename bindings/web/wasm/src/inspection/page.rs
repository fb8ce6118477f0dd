//! A page of its own: the structure of a message and its bytes, as HTML without a script.

use std::fmt::Write;

use super::Inspection;

const STYLE: &str = include_str!("page.css");

/// The most rows and bytes on a page; the page says how many it leaves out.
const ROWS: usize = 20_000;
const BYTES: usize = 64 << 10;

/// A page of an inspection. Whatever the message says is text in it.
pub(super) fn of(inspection: &Inspection, title: &str) -> String {
    let mut out = String::new();
    let title = escaped(title);
    let (format, bytes, rows) = (inspection.format, inspection.message.len(), inspection.rows.len());
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n<p>{format}, {bytes} bytes, {rows} rows. Made by Lengthwise.</p>\n"
    );
    if let Some(error) = &inspection.error {
        let _ = writeln!(out, "<p class=\"error\">{}</p>", escaped(error));
    }
    out.push_str("<h2>Structure</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Bytes</th><th>Bits</th><th>Name</th><th>Type</th><th>Value</th></tr></thead>\n<tbody>\n");
    for row in inspection.rows.iter().take(ROWS) {
        let (byte, bit, depth) = (row.bit / 8, row.bit % 8, row.depth.min(20));
        let _ = writeln!(
            out,
            "<tr><td>{byte}.{bit}</td><td>{}</td><td class=\"d{depth}\">{}</td><td>{}</td><td>{}</td></tr>",
            row.bits,
            escaped(&inspection.name(row)),
            escaped(&inspection.kind(row)),
            escaped(&inspection.value(row).unwrap_or_default())
        );
    }
    out.push_str("</tbody>\n</table></div>\n");
    if rows > ROWS {
        let _ = writeln!(out, "<p>{} more rows are left out.</p>", rows - ROWS);
    }
    out.push_str("<h2>Bytes</h2>\n<pre>");
    for (number, line) in inspection.message.chunks(16).take(BYTES / 16).enumerate() {
        let _ = write!(out, "{:08x} ", 16 * number);
        for byte in line {
            let _ = write!(out, " {byte:02x}");
        }
        let shown: String = line.iter().map(|c| if matches!(c, b' '..=b'~') { char::from(*c) } else { '.' }).collect();
        let _ = writeln!(out, "{:width$}  {}", "", escaped(&shown), width = 3 * (16 - line.len()));
    }
    out.push_str("</pre>\n");
    if bytes > BYTES {
        let _ = writeln!(out, "<p>{} more bytes are left out.</p>", bytes - BYTES);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// A text as text of HTML. Control characters would be invisible, or invalid.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
