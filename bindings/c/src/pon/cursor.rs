//! One value after the other, containers whole.

use core::ffi::{c_char, c_void};
use core::mem::offset_of;

use crate::bytes::{Cursor, ESCAPE, Name, copy, is_name};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_OK, LW_SCHEMA};
use crate::pon::next::next;
use crate::tsf::cursor::is_too_long;
use crate::wanted::NO_NAMES;

/// A cursor over the values of a message of PON, of an object or of an array, and the value it is at.
/// `lw_pon_enter` makes a cursor over what is in the value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Pon {
    /// The next value, or its key; after an error, the one at fault.
    pub at: *const c_char,
    /// The end of the values.
    pub end: *const c_char,
    /// The first of the values.
    pub start: *const c_char,
    /// The type character: s i d y c b t f u [ {.
    pub kind: c_char,
    /// What the cursor is in: `{`, `[`, or 0 for the message.
    pub inside: c_char,
    /// Whether a `\` may stand before characters of the key.
    pub escaped: bool,
    /// Keys that are looked for (`lw_pon_names`).
    pub names: *const Name,
    /// The one that the next member likely has.
    pub due: *const Name,
    /// The key, as it is written; of an item, nothing.
    pub key: *const c_char,
    /// The data. A boolean's is its type, null has none.
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
    // What `set` writes at once.
    let kind = offset_of!(Pon, kind);
    assert!(
        kind % 4 == 0
            && kind + 1 == offset_of!(Pon, inside)
            && kind + 2 == offset_of!(Pon, escaped)
            && kind + 4 <= offset_of!(Pon, names)
    );
};

/// Whether a type has a length: `[`, d, i, s, y, `{`, by their distances from `[`, of which the last one, 32, is as good
/// as 0.
#[inline(always)]
pub(crate) fn has_length(kind: u32) -> bool {
    const WITH_LENGTH: u32 = 1 | 1 << (b'd' - b'[') | 1 << (b'i' - b'[') | 1 << (b's' - b'[') | 1 << (b'y' - b'[');
    let distance = kind.wrapping_sub(u32::from(b'['));
    distance <= 32 && WITH_LENGTH.rotate_right(distance) & 1 != 0
}

/// Sets a cursor to the start of `len` bytes, which begin with a message. `lw_pon_next` then goes to the
/// message's value, and once more to that of the next message, if one follows.
///
/// Returns LW_OK, LW_INCOMPLETE where there are no bytes, LW_LIMIT for more than 320 MiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_open(cursor: &mut Pon, message: *const c_void, len: u32) -> i32 {
    let code = match len {
        0 => LW_INCOMPLETE,
        _ if is_too_long(len - 1) => LW_LIMIT,
        _ => LW_OK,
    };
    // A cursor that was refused has no values.
    let here = if code == LW_OK { len } else { 0 };
    unsafe { set(cursor, message.cast(), here, 0) };
    code
}

/// Sets `inner` to what is in the object or the array that the cursor is at. Both may be the same.
///
/// Returns LW_OK, or LW_SCHEMA where the cursor is at another value.
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

/// Sets a cursor to values, and that no names are looked for.
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
        // These, and no kind, and nothing escaped.
        (&raw mut (*cursor).kind).cast::<u32>().write(u32::from_ne_bytes([0, inside as u8, 0, 0]));
    }
}

/// Goes to the next value, past all that is in the one before.
///
/// Returns 1, or the code of its key, if that is looked for; 0 behind the last value; LW_SYNTAX, LW_INCOMPLETE or
/// LW_LIMIT where there is no sound value, which `at` then points to. Strings and keys are not looked at (`lw_is_utf8`
/// does that), nor is what is in containers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_next(cursor: &mut Pon) -> i32 {
    unsafe { next(cursor) }
}

/// Says which keys are looked for, from here on: `lw_pon_next` then returns the code of the one that the member has. As
/// `lw_tsf_names`; `lw_pon_enter` forgets them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_names(cursor: &mut Pon, names: *const Name) {
    cursor.names = names;
    cursor.due = names;
}

/// Goes to the first member of a key among those of the object the cursor is in: LW_NAME("t"), as it is meant,
/// without escapes, and of less than 64 KiB.
///
/// The search begins at the next member, because keys are likely asked for in their order, and goes on from
/// the first one.
///
/// Returns 1; 0 where there is no such member, the cursor being where it was; otherwise as `lw_pon_next`.
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

/// Puts a zero behind the value's key and, if it is a string, behind its data, where they stand in the
/// message, which must be writable.
///
/// The key's zero takes the place of its `:`; the data moves one byte towards the front, over the type.
/// Nothing outside of the member changes. The member cannot be read again. A key keeps its escapes.
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
