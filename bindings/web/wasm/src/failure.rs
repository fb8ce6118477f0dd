//! Errors as JSON, from which the package makes its `LengthwiseError`.

use std::fmt::Write;

use lengthwise::Error;
use lengthwise_inspect::push_json_string;
use wasm_bindgen::JsValue;

/// An error, and the name of the schema source that it is in.
pub(crate) fn json(error: &Error, source: Option<&str>) -> String {
    let mut out = String::from("{");
    let texts = [
        ("kind", error.kind().as_str()),
        ("format", error.format()),
        ("path", error.path()),
        ("found", &error.found().to_string()),
        ("expected", &error.expected().to_string()),
        ("message", &error.to_string()),
        ("source", source.unwrap_or_default()),
    ];
    for (name, text) in texts {
        let _ = write!(out, "\"{name}\":");
        push_json_string(&mut out, text);
        out.push(',');
    }
    let (line, column) = error.position().unzip();
    let numbers = [("bit", error.bit().map(u64::from)), ("line", line), ("column", column), ("needed", error.needed())];
    for (name, number) in numbers {
        if let Some(number) = number {
            let _ = write!(out, "\"{name}\":{number},");
        }
    }
    let _ = write!(out, "\"offset\":{}}}", error.offset());
    out
}

pub(crate) fn thrown(error: &Error) -> JsValue {
    JsValue::from_str(&json(error, None))
}

/// An argument that the package should not have passed on.
pub(crate) fn wrong(what: &str) -> JsValue {
    JsValue::from_str(what)
}
