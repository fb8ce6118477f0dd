//! A page of its own: the view of `page/`, and the message as data that its script draws.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Inspection, array};
use crate::json::push_json_string;

/// The page.
#[cfg(feature = "page")]
const PAGE: &str = include_str!("../../page/saved.html");
/// The files whose names are comments in it. `bindings/web/package/lib/inspection.js` puts them together as well.
#[cfg(feature = "page")]
const FILES: [(&str, &str); 4] = [
    ("view.css", include_str!("../../page/view.css")),
    ("panes.html", include_str!("../../page/panes.html")),
    ("view.js", include_str!("../../page/view.js")),
    ("saved.js", include_str!("../../page/saved.js")),
];

/// The most rows and bytes of a message, and of the text of a schema, on a page. The page says what it leaves out.
const ROWS: usize = 200_000;
const BYTES: usize = 4 << 20;
const SCHEMA: usize = 1 << 20;

impl Inspection {
    /// The data of a page of HTML that shows the message and, beside it, schemas: their names and texts. It is JSON that a
    /// script of HTML may hold.
    ///
    /// It has at most 200 000 rows and 4 MiB of the message, and 1 MiB of each schema; [`left_out`](Inspection::left_out) is
    /// what it does not have.
    #[must_use]
    pub fn page_data(&self, title: &str, schemas: &[(&str, &str)]) -> String {
        let mut data = String::from("{\"title\":");
        push_json_string(&mut data, title);
        let (rows, bytes) = self.left_out();
        let _ = write!(
            data,
            ",\"format\":\"{}\",\"length\":{},\"count\":{},\"rowsLeftOut\":{rows},\"bytesLeftOut\":{bytes},\"sizes\":{}",
            self.format,
            self.message.len(),
            self.rows.len(),
            self.sizes()
        );
        if let Some(error) = &self.error {
            let _ = write!(data, ",\"error\":{{\"offset\":{},\"message\":", error.offset());
            push_json_string(&mut data, &error.to_string());
            data.push('}');
        }
        data.push_str(",\"schemas\":");
        data.push_str(&array(schemas, |(name, text), out| {
            let shown = start(text, SCHEMA);
            out.push_str("{\"name\":");
            push_json_string(out, name);
            out.push_str(",\"text\":");
            push_json_string(out, shown);
            let _ = write!(out, ",\"leftOut\":{}}}", text.len() - shown.len());
        }));
        self.push_rows(&mut data);
        data.push_str(",\"hex\":\"");
        for byte in self.message.iter().take(BYTES) {
            let _ = write!(data, "{byte:02x}");
        }
        data.push_str("\"}");
        data
    }

    /// A page with [this data](Inspection::page_data). It is one file, asks nothing of a network, and its policy allows its
    /// own script and style only. Whatever the message says is data or text in it.
    #[cfg(feature = "page")]
    #[must_use]
    pub fn page(&self, title: &str, schemas: &[(&str, &str)]) -> String {
        let data = self.page_data(title, schemas);
        let files = FILES.into_iter().chain([("data", &data[..])]);
        files.fold(PAGE.to_owned(), |page, (name, text)| page.replacen(&format!("<!-- {name} -->"), text, 1))
    }

    /// The numbers of rows and of bytes that a page of the message does not have.
    #[must_use]
    pub fn left_out(&self) -> (usize, usize) {
        (self.rows.len().saturating_sub(ROWS), self.message.len().saturating_sub(BYTES))
    }

    /// Appends rows and spans. Names and types are numbers in a list of strings.
    fn push_rows(&self, out: &mut String) {
        let mut strings = Strings::default();
        let rows = array(self.rows.iter().take(ROWS), |row, out| {
            let name = self.name(row);
            let _ = write!(out, "[{},{},{},", row.depth, row.bit, row.bits);
            let _ = write!(out, "{},{},", strings.number(&self.kind_name(row.kind)), strings.number(&name));
            // The step of the path: none, the name, or another.
            match self.step(row) {
                None => out.push('0'),
                Some(step) if step == name => out.push('1'),
                Some(step) => push_json_string(out, &step),
            }
            if let Some(value) = self.value(row) {
                out.push(',');
                push_json_string(out, &value);
            }
            out.push(']');
        });
        let spans = self.spans.iter().filter(|span| (span.row as usize) < ROWS && span.bits > 0);
        let spans = array(spans, |span, out| {
            let _ = write!(out, "{},{},{},{}", span.bit, span.bits, strings.number(span.part), span.row);
        });
        let _ = write!(out, ",\"rows\":{rows},\"spans\":{spans},\"strings\":");
        out.push_str(&array(&strings.all, |text, out| push_json_string(out, text)));
    }
}

/// The start of a text, of at most some bytes.
fn start(text: &str, bytes: usize) -> &str {
    (0..=bytes.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Different strings, and their numbers.
#[derive(Default)]
struct Strings {
    all: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Strings {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.all.len();
        self.all.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

#[cfg(all(test, feature = "page"))]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    /// A browser runs no script, and applies no style, of another hash.
    #[test]
    fn the_policy_has_the_hashes_of_the_script_and_the_style() {
        let [(_, style), _, (_, view), (_, saved)] = FILES;
        for (directive, text) in [("style-src", style), ("script-src", &[view, saved].concat())] {
            let hash = STANDARD.encode(Sha256::digest(text));
            assert!(PAGE.contains(&format!("{directive} 'sha256-{hash}';")), "{directive} must have {hash}");
            // Either would end the script or the style in the page, or begin a comment.
            assert!(["</script", "</style", "<!--"].iter().all(|end| !text.contains(end)), "{directive}");
        }
    }
}
