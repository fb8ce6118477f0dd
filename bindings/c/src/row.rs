//! Rows of a table, in memory that the caller owns.

use core::ffi::{c_char, c_void};

use crate::bytes::{ESCAPE, Name, is_name, kept, plain, same_before};

/// A unit as a row of 16 bytes: the row of the crate `tam`. The units in a unit are rows side by side.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// In the lowest eight bits the type character; above, see `LW_ROW_STRUCTURED`, `LW_ROW_EXTENDED` and
    /// `LW_ROW_NAME_LEN`.
    pub tag: u32,
    /// Where the name begins, in bytes from the start of the message.
    pub name: u32,
    /// Where the data begins, in bytes from the start of the message; of a unit of units, its first row.
    pub value: u32,
    /// Bytes of data, or the count of units.
    pub len: u32,
}

/// A unit as a row of 8 bytes, for messages below 64 KiB and names below 128 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row8 {
    /// Where the name begins, in bytes from the start of the message.
    pub name: u16,
    /// Where the data begins, in bytes from the start of the message; of a unit of units, its first row.
    pub value: u16,
    /// Bytes of data, or the count of units.
    pub len: u16,
    /// Bytes of the name; the highest bit says that it has escapes, and in TSF a `"` in front.
    pub name_len: u8,
    /// The type character; a unit of units has its highest bit set.
    pub kind: u8,
}

/// In the tag of a row: the unit holds units.
pub const LW_ROW_STRUCTURED: u32 = 1 << 8;
/// In the tag of a row: the name has escapes (a `\` before characters), and in TSF a `"` in front.
pub const LW_ROW_EXTENDED: u32 = 1 << 9;
/// How far the length of the name is shifted in the tag of a row.
pub const LW_ROW_NAME_SHIFT: u32 = 10;
/// In the kind of a row of 8 bytes: the unit holds units.
pub const LW_ROW8_STRUCTURED: u8 = 0x80;
/// In the name's length of a row of 8 bytes: the name has escapes, and in TSF a `"` in front.
pub const LW_ROW8_EXTENDED: u8 = 0x80;

/// Rows of either size.
pub(crate) trait Slot: Copy {
    /// The longest name.
    const MAX_NAME: u32;
    /// The longest message.
    const MAX_MESSAGE: u32;
    /// Sets the name, and what kind of unit it is.
    fn set_name(&mut self, name: u32, name_len: u32, escaped: bool, kind: u8, structured: bool);
    /// Sets where the data begins and how long it is, or the first row and how many there are.
    fn set_data(&mut self, value: u32, len: u32);
    /// A row that stands for two numbers until it is filled.
    fn link(a: u32, b: u32) -> Self;
    fn linked(self) -> (u32, u32);
}

impl Slot for Row {
    const MAX_NAME: u32 = tam::Row::MAX_NAME as u32;
    const MAX_MESSAGE: u32 = u32::MAX;

    #[inline(always)]
    fn set_name(&mut self, name: u32, name_len: u32, escaped: bool, kind: u8, structured: bool) {
        let flags = if structured { LW_ROW_STRUCTURED } else { 0 } | if escaped { LW_ROW_EXTENDED } else { 0 };
        self.tag = u32::from(kind) | flags | name_len << LW_ROW_NAME_SHIFT;
        self.name = name;
    }

    #[inline(always)]
    fn set_data(&mut self, value: u32, len: u32) {
        (self.value, self.len) = (value, len);
    }

    #[inline(always)]
    fn link(a: u32, b: u32) -> Row {
        Row { tag: 0, name: 0, value: a, len: b }
    }

    #[inline(always)]
    fn linked(self) -> (u32, u32) {
        (self.value, self.len)
    }
}

impl Slot for Row8 {
    const MAX_NAME: u32 = LW_ROW8_EXTENDED as u32 - 1;
    const MAX_MESSAGE: u32 = u16::MAX as u32;

    #[inline(always)]
    fn set_name(&mut self, name: u32, name_len: u32, escaped: bool, kind: u8, structured: bool) {
        self.name = name as u16;
        self.name_len = name_len as u8 | if escaped { LW_ROW8_EXTENDED } else { 0 };
        self.kind = kind | if structured { LW_ROW8_STRUCTURED } else { 0 };
    }

    #[inline(always)]
    fn set_data(&mut self, value: u32, len: u32) {
        (self.value, self.len) = (value as u16, len as u16);
    }

    #[inline(always)]
    fn link(a: u32, b: u32) -> Row8 {
        Row8 { name: 0, value: a as u16, len: b as u16, name_len: 0, kind: 0 }
    }

    #[inline(always)]
    fn linked(self) -> (u32, u32) {
        (self.value.into(), self.len.into())
    }
}

/// Looks a name up among the units in the unit of row `of`: the row that has it, or -1. `message` is what
/// the rows were read from; the name is LW_NAME("t"), as it is meant, without escapes, and of less than 64 KiB.
///
/// The search begins at row `*hint`, if that is one of them, and goes on from the first; then `*hint` is
/// the row behind the one found. Whoever asks for names in their order finds each at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_rows_find(
    rows: *const Row,
    message: *const c_void,
    of: u32,
    name: *const c_char,
    name_len: u32,
    hint: &mut u32,
) -> i32 {
    unsafe {
        let Row { tag, value: first, len, .. } = *rows.add(of as usize);
        let count = if tag & LW_ROW_STRUCTURED != 0 { len } else { 0 };
        search(first, count, hint, |at| {
            let row = &*rows.add(at as usize);
            let place = message.cast::<u8>().add(row.name as usize);
            is_named(place, row.tag >> LW_ROW_NAME_SHIFT, row.tag & LW_ROW_EXTENDED != 0, name, name_len)
        })
    }
}

/// `lw_rows_find` in rows of 8 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_rows8_find(
    rows: *const Row8,
    message: *const c_void,
    of: u32,
    name: *const c_char,
    name_len: u32,
    hint: &mut u32,
) -> i32 {
    unsafe {
        let Row8 { kind, value: first, len, .. } = *rows.add(of as usize);
        let count = if kind & LW_ROW8_STRUCTURED != 0 { len } else { 0 };
        search(first.into(), count.into(), hint, |at| {
            let row = &*rows.add(at as usize);
            let place = message.cast::<u8>().add(row.name.into());
            let len = u32::from(row.name_len & !LW_ROW8_EXTENDED);
            is_named(place, len, row.name_len & LW_ROW8_EXTENDED != 0, name, name_len)
        })
    }
}

/// Whether a name of a row is the one wanted. An extended one begins with its `"`, in PON with none.
#[inline(always)]
unsafe fn is_named(place: *const u8, len: u32, escaped: bool, wanted: *const c_char, wanted_len: u32) -> bool {
    unsafe {
        if escaped {
            return is_escaped_name(place, len, wanted, wanted_len);
        }
        let (end, wanted_end) = (plain(place.add(len as usize)), plain(wanted.cast::<u8>().add(len as usize)));
        len == wanted_len && same_before(end, wanted_end, kept(len))
    }
}

#[cold]
#[inline(never)]
unsafe fn is_escaped_name(place: *const u8, len: u32, wanted: *const c_char, wanted_len: u32) -> bool {
    unsafe {
        let Ok(wanted_len) = u16::try_from(wanted_len) else { return false };
        let wanted = Name { name: wanted, len: wanted_len, code: 0 };
        let quote = usize::from(*place == b'"');
        is_name(place.add(quote), place.add(len as usize), ESCAPE, &wanted)
    }
}

#[inline(always)]
fn search(first: u32, count: u32, hint: &mut u32, is_wanted: impl Fn(u32) -> bool) -> i32 {
    let mut at = *hint;
    let mut left = count;
    while left != 0 {
        if at.wrapping_sub(first) >= count {
            at = first;
        }
        if is_wanted(at) {
            *hint = at + 1;
            return at as i32;
        }
        at += 1;
        left -= 1;
    }
    -1
}
