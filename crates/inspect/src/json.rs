//! Strings of JSON.

use std::fmt::Write;

/// Appends a text as a string of JSON, which may also be in a script of HTML: `<` is an escape.
///
/// ```
/// let mut out = String::new();
/// lengthwise_inspect::push_json_string(&mut out, "</script>\n");
/// assert_eq!(out, r#""\u003c/script>\u000a""#);
/// ```
pub fn push_json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\x1F' | '<' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}
