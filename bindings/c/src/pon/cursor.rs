//! Reads one value after another, containers as a whole.

use core::ffi::{c_char, c_void};
use core::mem::offset_of;

use crate::bytes::{Cursor, ESCAPE, Name, copy, is_name};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_OK, LW_SCHEMA};
use crate::pon::next::next;
use crate::tsf::cursor::is_too_long;
use crate::wanted::NO_NAMES;

/// A cursor over the values of a PON message, object or array, and its current value. `lw_pon_enter` makes a cursor
/// over the content of the value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Pon {
    /// The next value, or its key; after an error, the invalid one.
    pub at: *const c_char,
    /// The end of the values.
    pub end: *const c_char,
    /// The first of the values.
    pub start: *const c_char,
    /// The type character: s i d y c b t f u [ {.
    pub kind: c_char,
    /// The container of the values: `{`, `[`, or 0 for the message.
    pub inside: c_char,
    /// Whether the key may contain escapes: a `\` before characters.
    pub escaped: bool,
    /// Keys to look for (`lw_pon_names`).
    pub names: *const Name,
    /// The key that the next member most likely has.
    pub due: *const Name,
    /// The key as written; empty for an item.
    pub key: *const c_char,
    /// The data. The data of a boolean is its type; null has none.
    pub value: *const c_char,
    /// Bytes of data.
    pub len: u32,
    /// Bytes of the key.
    pub key_len: u32,
}

const _: () = {
    assert!(offset_of!(Pon, kind) == offset_of!(Cursor, kind));
    assert!(offset_of!(Pon, names) == offset_of!(Cursor, names));
    assert!(offset_of!(Pon, key_len) == offset_of!(Cursor, name_len));
    // These fields are written at once by `set`.
    let kind = offset_of!(Pon, kind);
    assert!(
        kind % 4 == 0
            && kind + 1 == offset_of!(Pon, inside)
            && kind + 2 == offset_of!(Pon, escaped)
            && kind + 4 <= offset_of!(Pon, names)
    );
};

/// Whether a type has a length: `[`, d, i, s, y, `{`, by their distances from `[`, of which the last one, 32, works
/// like 0.
#[inline(always)]
pub(crate) fn has_length(kind: u32) -> bool {
    const WITH_LENGTH: u32 = 1 | 1 << (b'd' - b'[') | 1 << (b'i' - b'[') | 1 << (b's' - b'[') | 1 << (b'y' - b'[');
    let distance = kind.wrapping_sub(u32::from(b'['));
    distance <= 32 && WITH_LENGTH.rotate_right(distance) & 1 != 0
}

/// Sets a cursor to the start of `len` bytes, which begin with a message. Then `lw_pon_next` moves to the message's
/// value, and after that to the value of the next message, if one follows.
///
/// Returns LW_OK, LW_INCOMPLETE if there are no bytes, LW_LIMIT for more than 320 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_open(cursor: &mut Pon, message: *const c_void, len: u32) -> i32 {
    let code = match len {
        0 => LW_INCOMPLETE,
        _ if is_too_long(len - 1) => LW_LIMIT,
        _ => LW_OK,
    };
    // After an error the cursor has no values.
    let here = if code == LW_OK { len } else { 0 };
    unsafe { set(cursor, message.cast(), here, 0) };
    code
}

/// Sets `inner` to the content of the object or array at the cursor. Both cursors may be the same.
///
/// Returns LW_OK, or LW_SCHEMA if the cursor is at another value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_enter(cursor: *const Pon, inner: *mut Pon) -> i32 {
    unsafe {
        let kind = (*cursor).kind;
        if kind as u8 | 0x20 != b'{' {
            return LW_SCHEMA;
        }
        set(inner, (*cursor).value, (*cursor).len, kind);
        0
    }
}

/// Sets a cursor to values, without names to look for.
#[inline(always)]
pub(crate) unsafe fn set(cursor: *mut Pon, values: *const c_char, len: u32, inside: c_char) {
    unsafe {
        place(cursor, values, len, inside);
        (*cursor).names = NO_NAMES;
        (*cursor).due = NO_NAMES;
    }
}

/// Sets a cursor to values.
#[inline(always)]
pub(crate) unsafe fn place(cursor: *mut Pon, values: *const c_char, len: u32, inside: c_char) {
    unsafe {
        (*cursor).at = values;
        (*cursor).start = values;
        (*cursor).end = values.wrapping_add(len as usize);
        // This sets `inside`, no kind, and no escapes.
        (&raw mut (*cursor).kind).cast::<u32>().write(u32::from_ne_bytes([0, inside as u8, 0, 0]));
    }
}

/// Moves to the next value, past everything in the current one.
///
/// Returns 1, or the code of its key, if that is looked for; 0 after the last value; LW_SYNTAX, LW_INCOMPLETE or
/// LW_LIMIT if there is no valid value, and `at` then points to it. The content of strings and keys is not checked
/// (`lw_is_utf8` does that), nor is that of containers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_next(cursor: &mut Pon) -> i32 {
    unsafe { next(cursor) }
}

/// Sets the keys to look for: `lw_pon_next` then returns the code of the member's key. Like `lw_tsf_names`;
/// `lw_pon_enter` clears them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_names(cursor: &mut Pon, names: *const Name) {
    cursor.names = names;
    cursor.due = names;
}

/// Moves to the first member with a key in the object that the cursor is in: LW_NAME("t"), without escapes, and shorter
/// than 64 KiB.
///
/// The search begins at the next member, because keys are usually requested in order, and continues at the first one.
///
/// Returns 1; 0 if there is no such member, and the cursor is unchanged; otherwise like `lw_pon_next`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_find(cursor: &mut Pon, key: *const c_char, key_len: u32) -> i32 {
    unsafe {
        let Ok(len) = u16::try_from(key_len) else { return 0 };
        let wanted = Name { name: key, len, code: 0 };
        let from = cursor.at;
        let mut again = false;
        loop {
            let code = lw_pon_next(cursor);
            if code < 0 {
                return code;
            }
            if code == 0 {
                if again {
                    cursor.at = from;
                    return 0;
                }
                again = true;
                cursor.at = cursor.start;
            } else if is_name(cursor.key.cast(), cursor.key.add(cursor.key_len as usize).cast(), ESCAPE, &wanted) {
                return 1;
            } else if again && cursor.at >= from {
                cursor.at = from;
                return 0;
            }
        }
    }
}

/// Puts a zero after the value's key and, if it is a string, after its data, inside the message, which must be
/// writable.
///
/// The key's zero replaces its `:`; the data moves one byte towards the front, over the type. Nothing outside of the
/// member changes. The member cannot be read again. A key keeps its escapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_terminate(cursor: &mut Pon) {
    unsafe {
        if cursor.inside as u8 == b'{' {
            cursor.key.cast_mut().add(cursor.key_len as usize).write(0);
        }
        if matches!(cursor.kind as u8, b's' | b'i' | b'd' | b'y' | b'c') {
            let data = cursor.value.cast_mut().cast::<u8>();
            copy(data.sub(1), data, cursor.len).write(0);
            cursor.value = data.sub(1).cast();
        }
    }
}
