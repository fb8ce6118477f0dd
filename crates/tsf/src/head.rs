//! The head of a unit: its number, its name and its type.

use tam::{Row, TypeSet};

use crate::names::NameEnd;

/// Number, name and type of a unit; places count from the unit's first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The length of the data, or the count of units.
    pub(crate) number: usize,
    /// The first byte of the name.
    pub(crate) name: usize,
    /// The type, which ends the name.
    pub(crate) kind: usize,
    /// The class of the type, with [`Row::EXTENDED_NAME`] where that holds.
    pub(crate) class: u16,
}

/// Bytes that the short way looks at: up to four digits, a name's first byte, and what
/// [`NameEnd`] wants of the name's next ones.
const WINDOW: usize = 64;

/// The head of the unit that `rest` begins with, the short way where that serves; `None` where
/// there is no sound head.
#[inline(always)]
pub(crate) fn near<N: NameEnd>(rest: &[u8], types: &TypeSet, names: N) -> Option<Head> {
    match rest.first_chunk::<WINDOW>().and_then(|window| short(window, types, names)) {
        Some(head) => Some(head),
        None => whole(rest, types),
    }
}

/// The head of a unit, if it lies in the window and is nothing unusual.
#[inline(always)]
fn short<N: NameEnd>(window: &[u8; WINDOW], types: &TypeSet, names: N) -> Option<Head> {
    let byte = |i: usize| window[i] as usize;
    if !window[0].is_ascii_digit() {
        return None;
    }
    // The '0's of all digits are taken off at once: one step less until the place of the next
    // unit is known.
    let mut number = byte(0).wrapping_sub(0x30);
    let mut name = 1;
    if window[1].is_ascii_digit() {
        number = (byte(0) * 10 + byte(1)).wrapping_sub(0x30 * 11);
        name = 2;
        if window[2].is_ascii_digit() {
            number = (number * 10 + byte(2)).wrapping_sub(0x30);
            name = 3;
            if window[3].is_ascii_digit() {
                number = (number * 10 + byte(3)).wrapping_sub(0x30);
                name = 4;
                if window[4].is_ascii_digit() {
                    return None;
                }
            }
        }
    }
    match types.class(window[name]) {
        0 => {
            let kind = names.end(window, name)?;
            Some(Head { number, name, kind, class: types.class(window[kind]) })
        }
        TypeSet::QUOTE => None,
        class => Some(Head { number, name, kind: name, class }),
    }
}

/// The head of the unit that `rest` begins with, however long.
#[cold]
#[inline(never)]
pub(crate) fn whole(rest: &[u8], types: &TypeSet) -> Option<Head> {
    let mut number = 0_u32;
    let mut name = 0;
    loop {
        let &c = rest.get(name)?;
        if !c.is_ascii_digit() {
            break;
        }
        number = number.checked_mul(10)?.checked_add(u32::from(c - b'0'))?;
        name += 1;
    }
    if name == 0 {
        return None;
    }
    let kind = name_end(rest, name, types)?;
    let extended = if rest[name] == b'"' { Row::EXTENDED_NAME } else { 0 };
    (kind - name <= Row::MAX_NAME).then(|| Head {
        number: number as usize,
        name,
        kind,
        class: types.class(rest[kind]) | extended,
    })
}

/// Where the name that starts at `name` ends: at its type.
pub(crate) fn name_end(message: &[u8], name: usize, types: &TypeSet) -> Option<usize> {
    let extended = message.get(name) == Some(&b'"');
    let mut at = name + usize::from(extended);
    loop {
        let c = *message.get(at)?;
        if types.is_type(c) {
            return Some(at);
        }
        at += if extended && c == b'\\' { 2 } else { 1 };
    }
}
