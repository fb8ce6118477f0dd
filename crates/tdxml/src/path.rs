//! Paths of numbers (paper section 2.2): element, occurrence and attribute.

use tam::Error;

use crate::place::{found, syntax};
use crate::schema::NONE;

/// A step to an element: its number in its parent, and its occurrence; [`NONE`] if it is not repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) number: u32,
    pub(crate) occurrence: u32,
}

/// The number of the attribute that holds what an element has beyond its numbers: `(*)`.
pub(crate) const REST: u32 = NONE - 1;

/// The order of attributes in rows: first [`REST`], then by number.
#[inline]
pub(crate) const fn rank(attribute: u32) -> u32 {
    attribute.wrapping_add(2)
}

/// Reads the steps in `line` at `at` into `steps`. Returns the attribute after them, and their end. Positions in errors
/// are counted from `base`.
#[inline]
pub(crate) fn read(
    line: &str,
    mut at: usize,
    base: usize,
    steps: &mut Vec<Step>,
) -> Result<(Option<u32>, usize), Error> {
    let bytes = line.as_bytes();
    while bytes.get(at) == Some(&b'[') {
        let (number, end) = digits(line, at + 1, base)?;
        if bytes.get(end) != Some(&b']') {
            return Err(syntax(base + end, found(line, end), "']'"));
        }
        at = end + 1;
        let mut occurrence = NONE;
        if bytes.get(at).is_some_and(u8::is_ascii_digit) {
            (occurrence, at) = digits(line, at, base)?;
        }
        steps.push(Step { number, occurrence });
    }
    if bytes.get(at) != Some(&b'(') {
        return Ok((None, at));
    }
    let (number, end) = match bytes.get(at + 1) {
        Some(b'*') => (REST, at + 2),
        _ => digits(line, at + 1, base)?,
    };
    if bytes.get(end) != Some(&b')') {
        return Err(syntax(base + end, found(line, end), "')'"));
    }
    Ok((Some(number), end + 1))
}

/// Reads a number without leading zeros.
#[inline]
fn digits(line: &str, at: usize, base: usize) -> Result<(u32, usize), Error> {
    let mut number: u32 = 0;
    let mut end = at;
    let bytes = line.as_bytes();
    while let Some(digit) = bytes.get(end).filter(|c| c.is_ascii_digit()) {
        let more = number.checked_mul(10).and_then(|number| number.checked_add(u32::from(digit - b'0')));
        number = more.filter(|number| *number < REST).ok_or_else(|| {
            syntax(base + at, "a number beyond 4294967293", "the number of an element, attribute or occurrence")
        })?;
        end += 1;
    }
    match end - at {
        0 => Err(syntax(base + at, found(line, at), "a number")),
        2.. if bytes.get(at) == Some(&b'0') => Err(syntax(base + at, "a leading zero", "a number without one")),
        _ => Ok((number, end)),
    }
}

/// Appends a step.
#[inline]
pub(crate) fn push_step(out: &mut Vec<u8>, step: Step) {
    if step.number < 10 {
        out.extend_from_slice(&[b'[', b'0' + step.number as u8, b']']);
    } else {
        out.push(b'[');
        push_number(out, step.number);
        out.push(b']');
    }
    if step.occurrence != NONE {
        push_number(out, step.occurrence);
    }
}

/// Appends the step to an attribute.
#[inline]
pub(crate) fn push_attribute(out: &mut Vec<u8>, number: u32) {
    out.push(b'(');
    if number == REST {
        out.push(b'*')
    } else {
        push_number(out, number)
    }
    out.push(b')');
}

#[inline]
pub(crate) fn push_number(out: &mut Vec<u8>, number: u32) {
    if number < 10 {
        out.push(b'0' + number as u8);
    } else {
        out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    }
}
