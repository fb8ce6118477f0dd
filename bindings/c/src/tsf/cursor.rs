//! Reads one unit after another.
//!
//! At the start of each unit, every unit still owed has at least two bytes left, a digit and a type. So the first two
//! bytes of a unit can be read without checking for the end.

use core::ffi::{c_char, c_void};
use core::mem::offset_of;

use crate::bytes::{Cursor, FEW_REGISTERS, Name, copy, kept};
use crate::code::{LW_LIMIT, LW_OK};
use crate::tsf::next::{fault, next};
use crate::types::{LW_UNITS, Types};
use crate::wanted::NO_NAMES;

/// A cursor over a TSF message, and its current unit. 44 bytes on a 32-bit processor.
#[repr(C)]
#[derive(Debug)]
pub struct Tsf {
    /// The next unit; after an error, the invalid unit.
    pub at: *const c_char,
    /// The end of the bytes.
    pub end: *const c_char,
    /// The type set.
    pub types: *const Types,
    /// The type character.
    pub kind: c_char,
    /// What the unit contains: LW_DATA or LW_UNITS.
    pub holds: u8,
    /// Names to look for (`lw_tsf_names`).
    pub names: *const Name,
    /// The name that the next unit most likely has.
    pub due: *const Name,
    /// The unit's name; extended names are without their `"`, but with their escapes. LW_TSF_EXTENDED tests for these.
    pub name: *const c_char,
    /// Its data; for a unit of units, the first of these.
    pub value: *const c_char,
    /// Bytes of data, or the number of units.
    pub len: u32,
    /// Bytes of the name.
    pub name_len: u32,
    /// Units still owed: 0 after the last one of the message.
    pub owed: u32,
}

impl Tsf {
    /// Whether the unit contains units.
    #[inline(always)]
    pub(crate) fn is_structured(&self) -> bool {
        self.holds == LW_UNITS
    }

    /// Whether the name is extended: then the byte before it is a `"`, otherwise it is a digit.
    #[inline(always)]
    pub(crate) unsafe fn is_extended(&self) -> bool {
        unsafe { *self.name.wrapping_sub(1) as u8 == b'"' }
    }
}

const _: () = {
    assert!(offset_of!(Tsf, kind) == offset_of!(Cursor, kind));
    assert!(offset_of!(Tsf, names) == offset_of!(Cursor, names));
    assert!(offset_of!(Tsf, name_len) == offset_of!(Cursor, name_len));
};

/// The longest message: 320 MiB less one byte. One more digit does not overflow its length, and the highest bits show
/// whether a number exceeds a tenth of it.
pub(crate) const LONGEST: u32 = (5 << 26) - 1;

/// Whether a number is more than a tenth of [`LONGEST`].
#[inline(always)]
pub(crate) fn is_long(number: u32) -> bool {
    let high = number >> 25;
    if FEW_REGISTERS { high != 0 } else { kept(high) != 0 }
}

/// Whether `len` bytes are more than [`LONGEST`].
#[inline(always)]
pub(crate) fn is_too_long(len: u32) -> bool {
    len >> 26 >= 5
}

/// Sets a cursor to the start of `len` bytes, which begin with a message. `types` is the type set that it was written in:
/// `&lw_types_value` for messages of this library, and of the command with `--types value`; by default the command
/// writes JSON in the set `json` (`&lw_types_json`). Bytes after
/// the message are ignored: when `lw_tsf_next` has returned 0, `at` is the end of the message.
///
/// Returns LW_OK, LW_INCOMPLETE if there are fewer than two bytes, LW_SYNTAX if the first one is not a digit, LW_LIMIT
/// for 320 MiB or more. After an error the cursor has no units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_open(cursor: &mut Tsf, message: *const c_void, len: u32, types: *const Types) -> i32 {
    unsafe {
        let cursor = &raw mut *cursor;
        (*cursor).at = message.cast();
        (*cursor).end = message.cast::<c_char>().wrapping_add(len as usize);
        (*cursor).types = types;
        (*cursor).names = NO_NAMES;
        (*cursor).due = NO_NAMES;
        (*cursor).owed = 0;
        if len < 2 {
            return fault(cursor);
        }
        if is_too_long(len) {
            return LW_LIMIT;
        }
        (*cursor).owed = 1;
        LW_OK
    }
}

/// Sets the names to look for: `lw_tsf_next` then returns the code of the unit's name. The list ends with LW_NAMES_END,
/// and must stay valid.
///
/// The names should be in the order of the messages: the next name in the list is compared first, and if it matches, no
/// other is. Any order works, and a name may be repeated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_names(cursor: &mut Tsf, names: *const Name) {
    cursor.names = names;
    cursor.due = names;
}

/// Moves to the next unit. The units in a unit follow it.
///
/// Returns 1 at a unit, or the code of its name, if that is looked for; 0 after the last unit; LW_SYNTAX, LW_INCOMPLETE
/// or LW_LIMIT if there is no valid unit, and `at` then points to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_next(cursor: &mut Tsf) -> i32 {
    unsafe { next(cursor) }
}

/// Skips the units in the current unit, and everything in them. Returns 0, or what `lw_tsf_next` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_skip(cursor: &mut Tsf) -> i32 {
    if cursor.is_structured() {
        let owed = cursor.owed - cursor.len;
        while cursor.owed > owed {
            let code = unsafe { lw_tsf_next(cursor) };
            if code < 0 {
                return code;
            }
        }
    }
    0
}

/// Puts a zero after the unit's name and after its data, inside the message, which must be writable.
///
/// Both move one byte towards the front, over the last digit of the unit's number and over its type, and the zeros take
/// the bytes that become free. Nothing outside of the unit changes. The unit cannot be read again. An extended name
/// keeps its escapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_terminate(cursor: &mut Tsf) {
    unsafe {
        let type_at = cursor.value.cast_mut().cast::<u8>().wrapping_sub(1);
        let name = cursor.name.cast_mut().cast::<u8>();
        copy(name.wrapping_sub(1), name, cursor.name_len).write(0);
        cursor.name = name.wrapping_sub(1).cast();
        if !cursor.is_structured() {
            copy(type_at, type_at.add(1), cursor.len).write(0);
            cursor.value = type_at.cast();
        }
    }
}
