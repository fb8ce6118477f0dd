//! A reader and a writer of the grammar, byte by byte, for comparison with the crate.
//!
//! The lengths of containers let the reader continue after an error, so it finds all of them.

use super::{Data, Unit};

/// Something wrong inside a message that is there as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where, in bytes.
    pub(crate) at: usize,
    /// The path of what it lies in.
    pub(crate) path: String,
    /// Whether it is a length that no message can have.
    pub(crate) limit: bool,
}

/// Why a message is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    /// It goes on where the bytes end: so many more are needed, or at the least where not all of
    /// the length is there.
    Incomplete { needed: u64, exact: bool },
    /// At fault in these places.
    Faulty(Vec<Fault>),
}

/// What a buffer begins with: a type, where its data begins and how long it is.
enum Head {
    Node { tag: u8, data: usize, len: usize },
    Short { needed: u64, exact: bool },
    Wrong { at: usize, limit: bool },
}

/// The longest length there is: a table's rows have 32 bits for one.
const LONGEST: u64 = u32::MAX as u64;

fn head(rest: &[u8]) -> Head {
    let wrong = |at, limit| Head::Wrong { at, limit };
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    if digits == 0 {
        return match rest {
            [] => Head::Short { needed: 1, exact: false },
            [tag @ (b't' | b'f' | b'u'), ..] => Head::Node { tag: *tag, data: 1, len: 0 },
            [b'b', _, ..] => Head::Node { tag: b'b', data: 1, len: 1 },
            [b'b'] => Head::Short { needed: 1, exact: true },
            [b'c', text @ ..] => character(text),
            _ => wrong(0, false),
        };
    }
    if digits > 1 && rest[0] == b'0' {
        return wrong(0, false);
    }
    // More digits than any length has are more than any number has, too.
    let len = rest[..digits.min(18)].iter().fold(0, |len, digit| len * 10 + u64::from(digit - b'0'));
    match rest.get(digits) {
        _ if digits > 10 => wrong(0, true),
        None if len > LONGEST => wrong(0, true),
        None => Head::Short { needed: 1 + len, exact: false },
        Some(tag) if !b"sidy{[".contains(tag) => wrong(digits, false),
        _ if len > LONGEST => wrong(0, true),
        Some(tag) => {
            let left = (rest.len() - digits - 1) as u64;
            if len > left {
                return Head::Short { needed: len - left, exact: true };
            }
            Head::Node { tag: *tag, data: digits + 1, len: len as usize }
        }
    }
}

/// The character that a text begins with (RFC 3629, section 4).
fn character(text: &[u8]) -> Head {
    let len = match text.first() {
        None => return Head::Short { needed: 1, exact: false },
        Some(0..=0x7F) => 1,
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        Some(_) => return Head::Wrong { at: 1, limit: false },
    };
    for at in 1..len {
        let range = match (at, text[0]) {
            (1, 0xE0) => 0xA0..=0xBF,
            (1, 0xED) => 0x80..=0x9F,
            (1, 0xF0) => 0x90..=0xBF,
            (1, 0xF4) => 0x80..=0x8F,
            _ => 0x80..=0xBF,
        };
        match text.get(at) {
            None => return Head::Short { needed: (len - at) as u64, exact: true },
            Some(byte) if !range.contains(byte) => return Head::Wrong { at: 1, limit: false },
            Some(_) => {}
        }
    }
    Head::Node { tag: b'c', data: 1, len }
}

/// Where bytes are not UTF-8, if they are not.
fn no_text(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        match character(&bytes[at..]) {
            Head::Node { len, .. } => at += len,
            _ => return Some(at),
        }
    }
    None
}

/// Where data is no integer: `-`, then `0` or digits that begin with another one.
fn no_integer(data: &[u8]) -> Option<usize> {
    let minus = usize::from(data.first() == Some(&b'-'));
    match data.get(minus) {
        Some(b'0') if data.len() == minus + 1 => None,
        // What is wrong with `01` is the zero, but with `0.5` the point.
        Some(b'0') => Some(if data[minus + 1].is_ascii_digit() { minus } else { minus + 1 }),
        Some(b'1'..=b'9') => data[minus..].iter().position(|c| !c.is_ascii_digit()).map(|at| minus + at),
        _ => Some(minus),
    }
}

/// Where data is no float: RFC 8259, section 6, or one of three words.
fn no_float(data: &[u8]) -> Option<usize> {
    if [&b"NaN"[..], b"Infinity", b"-Infinity"].contains(&data) {
        return None;
    }
    let digits = |from: usize| data[from.min(data.len())..].iter().take_while(|c| c.is_ascii_digit()).count();
    let mut at = usize::from(data.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && data[at] == b'0' {
        return Some(at);
    }
    at += whole;
    if data.get(at) == Some(&b'.') {
        at += 1;
        if digits(at) == 0 {
            return Some(at);
        }
        at += digits(at);
    }
    if matches!(data.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(data.get(at + 1), Some(b'+' | b'-')));
        if digits(at) == 0 {
            return Some(at);
        }
        at += digits(at);
    }
    (at < data.len()).then_some(at)
}

/// A container that is being read.
struct Open {
    unit: usize,
    end: usize,
    object: bool,
    path: String,
    /// Keys and their number so far.
    keys: Vec<String>,
    count: usize,
}

/// A step of a path as errors show it: RFC 6901's escapes, and from the second of a key its number.
fn step(key: &str, nth: usize) -> String {
    let mut shown = String::from("/");
    for c in key.chars() {
        match c {
            '/' => shown.push_str("~1"),
            '~' => shown.push_str("~0"),
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    if nth > 1 {
        shown.push_str(&format!("[{nth}]"));
    }
    shown
}

/// Reads the message that a buffer begins with: its units in order, and how many bytes it took.
/// With `whole` nothing may follow it.
pub(crate) fn read(buffer: &[u8], whole: bool) -> Result<(Vec<Unit>, usize), Bad> {
    let mut faults = Vec::new();
    let taken = match head(buffer) {
        Head::Node { data, len, .. } => data + len,
        Head::Short { needed, exact } => return Err(Bad::Incomplete { needed, exact }),
        Head::Wrong { at, limit } => return Err(Bad::Faulty(vec![Fault { at, path: String::new(), limit }])),
    };
    if whole && taken < buffer.len() {
        faults.push(Fault { at: taken, path: String::new(), limit: false });
    }
    let mut units: Vec<Unit> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    loop {
        while let Some(container) = open.last().filter(|container| container.end == at) {
            let count = container.count;
            units[container.unit].data = if container.object { Data::Object(count) } else { Data::Array(count) };
            open.pop();
        }
        if at == taken {
            break;
        }
        let mut path = String::new();
        let mut name = None;
        let mut end = taken;
        if let Some(container) = open.last_mut() {
            end = container.end;
            let mut fault = None;
            if container.object {
                match key(&buffer[at..end]) {
                    Ok((text, len)) => {
                        at += len;
                        name = Some(text);
                    }
                    Err(place) => fault = Some(at + place),
                }
            }
            if let Some(fault) = fault {
                faults.push(Fault { at: fault, path: container.path.clone(), limit: false });
                at = end;
                continue;
            }
            path = container.path.clone();
            match &name {
                Some(key) => {
                    container.keys.push(key.clone());
                    let nth = container.keys.iter().filter(|other| *other == key).count();
                    path.push_str(&step(key, nth));
                }
                None => path.push_str(&format!("/{}", container.count)),
            }
            container.count += 1;
        }
        let (tag, start, len) = match head(&buffer[at..end]) {
            Head::Node { tag, data, len } => (tag, at + data, len),
            Head::Short { .. } => {
                faults.push(Fault { at, path, limit: false });
                at = end;
                continue;
            }
            Head::Wrong { at: place, limit } => {
                faults.push(Fault { at: at + place, path, limit });
                at = end;
                continue;
            }
        };
        let bytes = &buffer[start..start + len];
        let bad = match tag {
            b's' => no_text(bytes),
            b'i' => no_integer(bytes),
            b'd' => no_float(bytes),
            _ => None,
        };
        let text = || String::from_utf8(bytes.to_vec()).unwrap_or_default();
        let data = match tag {
            b'u' => Data::Null,
            b't' | b'f' => Data::Boolean(tag == b't'),
            b'i' => Data::Integer(text()),
            b'd' => Data::Float(text()),
            b's' => Data::String(text()),
            b'y' => Data::Binary(bytes.to_vec()),
            b'c' => Data::Char(text().chars().next().unwrap_or_default()),
            b'b' => Data::Byte(bytes[0]),
            _ => {
                let object = tag == b'{';
                open.push(Open { unit: units.len(), end: start + len, object, path, keys: Vec::new(), count: 0 });
                units.push(Unit { key: name, data: Data::Array(0) });
                at = start;
                continue;
            }
        };
        if let Some(place) = bad {
            faults.push(Fault { at: start + place, path, limit: false });
        }
        units.push(Unit { key: name, data });
        at = start + len;
    }
    if faults.is_empty() { Ok((units, taken)) } else { Err(Bad::Faulty(faults)) }
}

/// The key that `rest` begins with and its length as it is written, `:` included; or where it is
/// at fault.
fn key(rest: &[u8]) -> Result<(String, usize), usize> {
    let mut key = Vec::new();
    let mut at = 0;
    loop {
        match rest.get(at) {
            None => return Err(0),
            Some(b':') => break,
            Some(b'\\') => match rest.get(at + 1) {
                Some(c @ (b':' | b'\\')) => {
                    key.push(*c);
                    at += 2;
                }
                _ => return Err(at + 1),
            },
            Some(c) => {
                key.push(*c);
                at += 1;
            }
        }
    }
    // What is written is UTF-8 where the key is: escapes are ASCII.
    match no_text(&rest[..at]) {
        Some(place) => Err(place),
        None => Ok((String::from_utf8(key).unwrap(), at + 1)),
    }
}

/// A tree as its message.
pub(crate) fn write(units: &[Unit]) -> Vec<u8> {
    write_with(units, usize::MAX, None, b"")
}

/// A tree as its message, but of one unit the key (where one is given) and the node are other bytes.
pub(crate) fn write_with(units: &[Unit], changed: usize, other_key: Option<&[u8]>, other: &[u8]) -> Vec<u8> {
    // The nodes of those units from the last one on that are in no container yet, the first one last.
    let mut nodes: Vec<Vec<u8>> = Vec::new();
    for (index, unit) in units.iter().enumerate().rev() {
        let mut node = Vec::new();
        let with_length = |tag: u8, data: &[u8]| [data.len().to_string().as_bytes(), &[tag], data].concat();
        let mut inside = |count: usize| -> Vec<u8> {
            let first = nodes.len() - count;
            nodes.drain(first..).rev().flatten().collect()
        };
        let value = match &unit.data {
            Data::Null => b"u".to_vec(),
            Data::Boolean(value) => if *value { b"t" } else { b"f" }.to_vec(),
            Data::Integer(text) => with_length(b'i', text.as_bytes()),
            Data::Float(text) => with_length(b'd', text.as_bytes()),
            Data::String(text) => with_length(b's', text.as_bytes()),
            Data::Binary(octets) => with_length(b'y', octets),
            Data::Char(c) => format!("c{c}").into_bytes(),
            Data::Byte(byte) => vec![b'b', *byte],
            Data::Array(count) => with_length(b'[', &inside(*count)),
            Data::Object(count) => with_length(b'{', &inside(*count)),
        };
        match (&unit.key, other_key) {
            (Some(_), Some(other)) if index == changed => node.extend_from_slice(other),
            (Some(key), _) => {
                node.extend_from_slice(key.replace('\\', r"\\").replace(':', r"\:").as_bytes());
                node.push(b':');
            }
            _ => {}
        }
        node.extend_from_slice(if index == changed { other } else { &value });
        nodes.push(node);
    }
    nodes.pop().unwrap_or_default()
}
