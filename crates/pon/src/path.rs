//! The path to a byte of a message, for errors.

use alloc::string::String;

use tam::Name;

use crate::Value;

/// A path names no more levels than these.
const LEVELS: usize = 64;

/// The path to the member or item at byte `at` of a message, inside the container whose data begins
/// at byte `container`; or to that container, where `at` is in its head or in a key.
///
/// A member that lacks its value is at the end of its container, and so may the next node be.
#[cold]
pub(crate) fn to(message: &[u8], container: usize, at: usize) -> String {
    let mut path = String::new();
    let Ok(mut inside) = Value::new(message) else { return path };
    for level in 0..=LEVELS {
        if level == LEVELS {
            path.push_str("/…");
            break;
        }
        let there = inside.offset() >= container;
        if there && at < inside.offset() {
            break;
        }
        // Data follows its type.
        let offset = if there { at } else { container - 1 };
        match member(&inside, offset, &mut path).or_else(|| item(&inside, offset, &mut path)) {
            Some(value) if !there => inside = value,
            _ => break,
        }
    }
    path
}

/// The step to the `nth` member of a key, from 1.
pub(crate) fn push_key(key: &str, nth: usize, path: &mut String) {
    // An empty name that is plain is none at all.
    let name = if key.is_empty() { Name::extended(b"\"") } else { Name::plain(key.as_bytes()) };
    name.push_step(nth, 0, path);
}

/// The member of an object that a byte lies in; the step to it is added. Of a member that is not
/// sound there is the step alone.
fn member<'m>(object: &Value<'m>, offset: usize, path: &mut String) -> Option<Value<'m>> {
    let mut members = object.members();
    let mut before = 0;
    while !members.is_empty() {
        let key = members.key().ok()?;
        if offset < members.offset() {
            // In the key itself.
            return None;
        }
        let value = members.value();
        if value.is_err() || offset < members.offset() {
            let same = |other: &_| matches!(other, Ok((name, _)) if key.chars().eq(crate::Key::chars(*name)));
            let nth = 1 + object.members().take(before).filter(same).count();
            push_key(&key.to_cow(), nth, path);
            return value.ok();
        }
        before += 1;
    }
    None
}

/// The item of an array that a byte lies in; the step to it is added. Of an item that is not sound
/// there is the step alone.
fn item<'m>(array: &Value<'m>, offset: usize, path: &mut String) -> Option<Value<'m>> {
    let mut items = array.items();
    for index in 0.. {
        let value = items.next()?;
        if value.is_err() || offset < items.offset() {
            Name::plain(b"").push_step(1, index, path);
            return value.ok();
        }
    }
    None
}
