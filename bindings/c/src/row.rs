//! Rows of a table, in memory of the caller.

use core::ffi::{c_char, c_void};

use crate::lookup::search;

/// A unit as a row of 16 bytes: like the row of the crate `tam`, except that extended names of TSF are without their
/// `"`, as in the cursor. The units in a unit are consecutive rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The type character in the lowest eight bits; for the others see `LW_ROW_STRUCTURED`, `LW_ROW_EXTENDED` and
    /// `LW_ROW_NAME_LEN`.
    pub tag: u32,
    /// The start of the name, in bytes from the start of the message.
    pub name: u32,
    /// The start of the data, in bytes from the start of the message; for a unit of units, its first row.
    pub value: u32,
    /// Bytes of data, or the number of units.
    pub len: u32,
}

/// A unit as a row of 8 bytes, for messages below 64 KiB and names below 128 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row8 {
    /// The start of the name, in bytes from the start of the message.
    pub name: u16,
    /// The start of the data, in bytes from the start of the message; for a unit of units, its first row.
    pub value: u16,
    /// Bytes of data, or the number of units.
    pub len: u16,
    /// Bytes of the name; the highest bit means that it may have escapes.
    pub name_len: u8,
    /// The type character; a unit of units has its highest bit set.
    pub kind: u8,
}

/// In the tag of a row: the unit contains units.
pub const LW_ROW_STRUCTURED: u32 = 1 << 8;
/// In the tag of a row: the name may have escapes (a `\` before characters); in TSF a `"` precedes it.
pub const LW_ROW_EXTENDED: u32 = 1 << 9;
/// The shift of the name's length in the tag of a row.
pub const LW_ROW_NAME_SHIFT: u32 = 10;
/// In the kind of a row of 8 bytes: the unit contains units.
pub const LW_ROW8_STRUCTURED: u8 = 0x80;
/// In the name's length of a row of 8 bytes: the name may have escapes; in TSF a `"` precedes it.
pub const LW_ROW8_EXTENDED: u8 = 0x80;

/// Rows of either size.
pub(crate) trait Slot: Copy {
    /// The longest name.
    const MAX_NAME: u32;
    /// The longest message.
    const MAX_MESSAGE: u32;
    /// Sets the name and the kind of unit: `escaped` and `structured` are 1 or 0.
    fn set_name(&mut self, name: u32, name_len: u32, escaped: u32, kind: u8, structured: u32);
    /// Sets the start and length of the data, or the first row and the number of rows.
    fn set_data(&mut self, value: u32, len: u32);
}

impl Slot for Row {
    const MAX_NAME: u32 = tam::Row::MAX_NAME as u32;
    const MAX_MESSAGE: u32 = u32::MAX;

    #[inline(always)]
    fn set_name(&mut self, name: u32, name_len: u32, escaped: u32, kind: u8, structured: u32) {
        self.tag = u32::from(kind)
            + structured * LW_ROW_STRUCTURED
            + escaped * LW_ROW_EXTENDED
            + (name_len << LW_ROW_NAME_SHIFT);
        self.name = name;
    }

    #[inline(always)]
    fn set_data(&mut self, value: u32, len: u32) {
        (self.value, self.len) = (value, len);
    }
}

impl Slot for Row8 {
    const MAX_NAME: u32 = LW_ROW8_EXTENDED as u32 - 1;
    const MAX_MESSAGE: u32 = u16::MAX as u32;

    #[inline(always)]
    fn set_name(&mut self, name: u32, name_len: u32, escaped: u32, kind: u8, structured: u32) {
        self.name = name as u16;
        self.name_len = (name_len | (escaped * u32::from(LW_ROW8_EXTENDED))) as u8;
        self.kind = (u32::from(kind) | (structured * u32::from(LW_ROW8_STRUCTURED))) as u8;
    }

    #[inline(always)]
    fn set_data(&mut self, value: u32, len: u32) {
        (self.value, self.len) = (value as u16, len as u16);
    }
}

/// Looks up a name among the units in the unit of row `of`. Returns its row, or -1. `message` is what the rows were
/// read from; the name is LW_NAME("t"), without escapes, and shorter than 64 KiB.
///
/// The search begins at row `*hint`, if that is one of them, and continues at the first; then `*hint` is the row after
/// the one found. So names that are requested in order are found at once.
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
        search(tag & LW_ROW_STRUCTURED != 0, first, len, hint, name, name_len, |at| {
            let row = &*rows.add(at as usize);
            let place = message.cast::<u8>().add(row.name as usize);
            (place, row.tag >> LW_ROW_NAME_SHIFT, row.tag & LW_ROW_EXTENDED != 0)
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
        search(kind & LW_ROW8_STRUCTURED != 0, first.into(), len.into(), hint, name, name_len, |at| {
            let row = &*rows.add(at as usize);
            let place = message.cast::<u8>().add(row.name.into());
            (place, u32::from(row.name_len & !LW_ROW8_EXTENDED), row.name_len & LW_ROW8_EXTENDED != 0)
        })
    }
}
