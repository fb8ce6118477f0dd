//! The peers that read JSON.

use crate::{counts::JsonCounts, timing::Contestant};

/// A reader of JSON: how it is timed, and what it finds in the document.
pub(crate) struct JsonPeer<'a> {
    pub(crate) contestant: Contestant<'a>,
    pub(crate) found: Result<JsonCounts, String>,
}

pub(crate) fn serde_json<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    fn count(value: &serde_json::Value, counts: &mut JsonCounts) {
        use serde_json::Value;
        match value {
            Value::Null | Value::Bool(_) => counts.literals += 1,
            Value::Number(_) => counts.numbers += 1,
            Value::String(text) => {
                counts.strings += 1;
                counts.text_bytes += text.len() as u64;
            }
            Value::Array(items) => {
                counts.arrays += 1;
                items.iter().for_each(|item| count(item, counts));
            }
            Value::Object(members) => {
                counts.objects += 1;
                for (name, member) in members {
                    counts.names += 1;
                    counts.text_bytes += name.len() as u64;
                    count(member, counts);
                }
            }
        }
    }
    let parse = move || serde_json::from_slice::<serde_json::Value>(json);
    let found = parse().map_err(|error| error.to_string()).map(|value| {
        let mut counts = JsonCounts::default();
        count(&value, &mut counts);
        counts
    });
    JsonPeer { contestant: Contestant::new("serde_json value", move || parse().is_ok()), found }
}

/// What simd-json keeps between documents, and the text it destroys.
struct SimdJson {
    buffers: simd_json::Buffers,
    copy: Vec<u8>,
}

impl SimdJson {
    fn new(json: &[u8]) -> SimdJson {
        SimdJson { buffers: simd_json::Buffers::new(json.len()), copy: json.to_vec() }
    }
}

pub(crate) fn simd_json_tape<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    let mut state = SimdJson::new(json);
    let found = simd_json::to_tape_with_buffers(&mut state.copy, &mut state.buffers)
        .map_err(|error| error.to_string())
        .map(|tape| count_tape(&tape.0));
    let contestant = Contestant::prepared(
        "simd-json tape",
        state,
        move |state| state.copy.copy_from_slice(json),
        move |state| simd_json::to_tape_with_buffers(&mut state.copy, &mut state.buffers).is_ok(),
    );
    JsonPeer { contestant, found }
}

/// Names and strings look alike on the tape; after an object's start every name comes before its value.
fn count_tape(tape: &[simd_json::Node<'_>]) -> JsonCounts {
    use simd_json::{Node, StaticNode};
    let mut counts = JsonCounts::default();
    // For each open container: values to come, and whether they have names.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut nodes = tape.iter();
    loop {
        while open.last().is_some_and(|open| open.0 == 0) {
            open.pop();
        }
        if let Some((left, named)) = open.last_mut() {
            *left -= 1;
            if *named && let Some(Node::String(name)) = nodes.next() {
                counts.names += 1;
                counts.text_bytes += name.len() as u64;
            }
        }
        match nodes.next() {
            None => return counts,
            Some(Node::String(text)) => {
                counts.strings += 1;
                counts.text_bytes += text.len() as u64;
            }
            Some(Node::Object { len, .. }) => {
                counts.objects += 1;
                open.push((*len, true));
            }
            Some(Node::Array { len, .. }) => {
                counts.arrays += 1;
                open.push((*len, false));
            }
            Some(Node::Static(StaticNode::Null | StaticNode::Bool(_))) => counts.literals += 1,
            Some(Node::Static(_)) => counts.numbers += 1,
        }
    }
}

pub(crate) fn simd_json_borrowed<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    use simd_json::borrowed::to_value_with_buffers;
    let mut state = SimdJson::new(json);
    let found =
        to_value_with_buffers(&mut state.copy, &mut state.buffers).map_err(|error| error.to_string()).map(|value| {
            let mut counts = JsonCounts::default();
            count_borrowed(&value, &mut counts);
            counts
        });
    let contestant = Contestant::prepared(
        "simd-json borrowed value",
        state,
        move |state| state.copy.copy_from_slice(json),
        move |state| to_value_with_buffers(&mut state.copy, &mut state.buffers).is_ok(),
    );
    JsonPeer { contestant, found }
}

fn count_borrowed(value: &simd_json::BorrowedValue<'_>, counts: &mut JsonCounts) {
    use simd_json::{BorrowedValue, StaticNode};
    match value {
        BorrowedValue::Static(StaticNode::Null | StaticNode::Bool(_)) => counts.literals += 1,
        BorrowedValue::Static(_) => counts.numbers += 1,
        BorrowedValue::String(text) => {
            counts.strings += 1;
            counts.text_bytes += text.len() as u64;
        }
        BorrowedValue::Array(items) => {
            counts.arrays += 1;
            items.iter().for_each(|item| count_borrowed(item, counts));
        }
        BorrowedValue::Object(members) => {
            counts.objects += 1;
            for (name, member) in members.iter() {
                counts.names += 1;
                counts.text_bytes += name.len() as u64;
                count_borrowed(member, counts);
            }
        }
    }
}

pub(crate) fn sonic<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    let parse = move || sonic_rs::from_slice::<sonic_rs::Value>(json);
    let found = parse().map_err(|error| error.to_string()).map(|value| {
        let mut counts = JsonCounts::default();
        count_sonic(&value, &mut counts);
        counts
    });
    JsonPeer { contestant: Contestant::new("sonic-rs value", move || parse().is_ok()), found }
}

fn count_sonic(value: &sonic_rs::Value, counts: &mut JsonCounts) {
    use sonic_rs::{JsonContainerTrait, JsonType, JsonValueTrait};
    match value.get_type() {
        JsonType::Null | JsonType::Boolean => counts.literals += 1,
        JsonType::Number => counts.numbers += 1,
        JsonType::String => {
            counts.strings += 1;
            counts.text_bytes += value.as_str().map_or(0, str::len) as u64;
        }
        JsonType::Array => {
            counts.arrays += 1;
            value.as_array().into_iter().flatten().for_each(|item| count_sonic(item, counts));
        }
        JsonType::Object => {
            counts.objects += 1;
            for (name, member) in value.as_object().into_iter().flatten() {
                counts.names += 1;
                counts.text_bytes += name.len() as u64;
                count_sonic(member, counts);
            }
        }
    }
}

#[cfg(simdjson)]
pub(crate) fn simdjson<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    let mut dom = crate::ffi::Simdjson::new(json);
    let found = dom.parse().map(|()| dom.counts());
    JsonPeer { contestant: Contestant::new("simdjson dom", move || dom.parse().is_ok()), found }
}

#[cfg(yyjson)]
pub(crate) fn yyjson<'a>(json: &'a [u8]) -> JsonPeer<'a> {
    let mut dom = crate::ffi::Yyjson::new(json);
    let found = dom.parse().map(|()| dom.counts());
    let contestant =
        Contestant::prepared("yyjson in situ", dom, move |dom| dom.restore(json), move |dom| dom.parse().is_ok());
    JsonPeer { contestant, found }
}
