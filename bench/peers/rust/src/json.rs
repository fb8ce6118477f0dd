//! The peers that read JSON.

use crate::{Counts, Peer};

/// `struct json_counts` of `counts.h`.
#[derive(Default)]
struct Found {
    objects: u64,
    arrays: u64,
    strings: u64,
    numbers: u64,
    literals: u64,
    names: u64,
    text_bytes: u64,
}

impl Found {
    fn counts(&self) -> Counts {
        [self.objects, self.arrays, self.strings, self.numbers, self.literals, self.names, self.text_bytes]
    }
}

struct Serde(&'static [u8]);

pub(crate) fn serde_json(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    Ok(Box::new(Serde(document)))
}

impl Peer for Serde {
    fn read(&mut self) -> bool {
        serde_json::from_slice::<serde_json::Value>(self.0).map(std::hint::black_box).is_ok()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        let value = serde_json::from_slice(self.0).map_err(|error| error.to_string())?;
        let mut found = Found::default();
        count_serde(&value, &mut found);
        Ok(found.counts())
    }
}

struct Sonic(&'static [u8]);

pub(crate) fn sonic(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    Ok(Box::new(Sonic(document)))
}

impl Peer for Sonic {
    fn read(&mut self) -> bool {
        sonic_rs::from_slice::<sonic_rs::Value>(self.0).map(std::hint::black_box).is_ok()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        let value: sonic_rs::Value = sonic_rs::from_slice(self.0).map_err(|error| error.to_string())?;
        let mut found = Found::default();
        count_sonic(&value, &mut found);
        Ok(found.counts())
    }
}

/// What simd-json keeps between documents, and the copy it destroys.
struct SimdJson {
    document: &'static [u8],
    copy: Vec<u8>,
    buffers: simd_json::Buffers,
}

impl SimdJson {
    fn new(document: &'static [u8]) -> SimdJson {
        SimdJson { document, copy: document.to_vec(), buffers: simd_json::Buffers::new(document.len()) }
    }

    fn restore(&mut self) {
        self.copy.copy_from_slice(self.document);
    }
}

struct Tape(SimdJson);

pub(crate) fn simd_json_tape(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    Ok(Box::new(Tape(SimdJson::new(document))))
}

impl Peer for Tape {
    fn prepare(&mut self) {
        self.0.restore();
    }

    fn read(&mut self) -> bool {
        simd_json::to_tape_with_buffers(&mut self.0.copy, &mut self.0.buffers).map(std::hint::black_box).is_ok()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        let tape = simd_json::to_tape_with_buffers(&mut self.0.copy, &mut self.0.buffers);
        tape.map(|tape| count_tape(&tape.0).counts()).map_err(|error| error.to_string())
    }
}

struct Borrowed(SimdJson);

pub(crate) fn simd_json_borrowed(document: &'static [u8]) -> Result<Box<dyn Peer>, String> {
    Ok(Box::new(Borrowed(SimdJson::new(document))))
}

impl Peer for Borrowed {
    fn prepare(&mut self) {
        self.0.restore();
    }

    fn read(&mut self) -> bool {
        let value = simd_json::borrowed::to_value_with_buffers(&mut self.0.copy, &mut self.0.buffers);
        value.map(std::hint::black_box).is_ok()
    }

    fn counts(&mut self) -> Result<Counts, String> {
        let value = simd_json::borrowed::to_value_with_buffers(&mut self.0.copy, &mut self.0.buffers)
            .map_err(|error| error.to_string())?;
        let mut found = Found::default();
        count_borrowed(&value, &mut found);
        Ok(found.counts())
    }
}

/// Names and strings look alike on the tape; after an object's start every name comes before its value.
fn count_tape(tape: &[simd_json::Node<'_>]) -> Found {
    use simd_json::{Node, StaticNode};
    let mut counts = Found::default();
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

fn count_borrowed(value: &simd_json::BorrowedValue<'_>, counts: &mut Found) {
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

fn count_sonic(value: &sonic_rs::Value, counts: &mut Found) {
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

fn count_serde(value: &serde_json::Value, counts: &mut Found) {
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
            items.iter().for_each(|item| count_serde(item, counts));
        }
        Value::Object(members) => {
            counts.objects += 1;
            for (name, member) in members {
                counts.names += 1;
                counts.text_bytes += name.len() as u64;
                count_serde(member, counts);
            }
        }
    }
}
