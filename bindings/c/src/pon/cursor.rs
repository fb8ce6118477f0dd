//! One value after the other, containers whole.

use core::ffi::{c_char, c_void};

use crate::bytes::{Name, character_len, copy, gap, is_name, plain};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SCHEMA, LW_SYNTAX};
use crate::tsf::cursor::{LONGEST, place_of};

/// A cursor over the values of a message of PON, of an object or of an array, and the value it is at.
/// A copy is a cursor of its own: `lw_pon_enter` makes of one a cursor over what is in the value.
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
    /// Whether a `\` stands before characters of the key.
    pub escaped: bool,
    /// Keys that are looked for (`lw_pon_names`).
    pub names: *const Name,
    /// How many.
    pub name_count: u32,
    /// Which of them the next member likely has.
    pub due: u32,
    /// Which of them the member has, or -1.
    pub member: i32,
    /// The key, as it is written; of an item, nothing.
    pub key: *const c_char,
    /// The data. A boolean's is its type, null has none.
    pub value: *const c_char,
    /// Bytes of data.
    pub len: u32,
    /// Bytes of the key.
    pub key_len: u32,
}

/// The types that have a length, by their lowest five bits: `[`, d, i, s, y, `{`.
const WITH_LENGTH: u32 = 1 << (b'[' & 31) | 1 << (b'd' & 31) | 1 << (b'i' & 31) | 1 << (b's' & 31) | 1 << (b'y' & 31);

/// Sets a cursor to the start of `len` bytes, which begin with a message. `lw_pon_next` then goes to the
/// message's value, and once more to that of the next message, if one follows.
///
/// Returns LW_OK, LW_INCOMPLETE where there are no bytes, LW_LIMIT for 400 MB or more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_open(cursor: &mut Pon, message: *const c_void, len: u32) -> i32 {
    cursor.at = message.cast();
    cursor.start = cursor.at;
    cursor.end = cursor.at;
    cursor.names = core::ptr::null();
    cursor.name_count = 0;
    cursor.due = 0;
    cursor.member = -1;
    cursor.inside = 0;
    cursor.len = 0;
    cursor.kind = 0;
    cursor.escaped = false;
    if len > LONGEST {
        return LW_LIMIT;
    }
    cursor.end = cursor.at.wrapping_add(len as usize);
    if len == 0 { LW_INCOMPLETE } else { 0 }
}

/// Sets the cursor to what is in the object or the array it is at.
///
/// Returns LW_OK, or LW_SCHEMA where it is at another value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_enter(cursor: &mut Pon) -> i32 {
    let kind = cursor.kind;
    if kind as u8 | 0x20 != b'{' {
        return LW_SCHEMA;
    }
    cursor.inside = kind;
    cursor.start = cursor.value;
    cursor.at = cursor.value;
    cursor.end = cursor.value.wrapping_add(cursor.len as usize);
    cursor.name_count = 0;
    0
}

/// Goes to the next value, past all that is in the one before.
///
/// Returns 1; 0 behind the last value; LW_SYNTAX, LW_INCOMPLETE or LW_LIMIT where there is no sound value, which
/// `at` then points to. Strings and keys are not looked at (`lw_is_utf8` does that), nor is what is in
/// containers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_next(cursor: &mut Pon) -> i32 {
    unsafe {
        let end = cursor.end.cast::<u8>();
        let mut p = cursor.at.cast::<u8>();
        if p == end {
            return 0;
        }
        cursor.key = p.cast();
        'fault: {
            cursor.key_len = 0;
            if cursor.inside as u8 == b'{' {
                p = key(cursor, p, end);
                if p.is_null() {
                    return LW_SYNTAX;
                }
            }
            if p == end {
                break 'fault;
            }
            let node = p;
            let mut kind = *p;
            p = p.add(1);
            let mut len = u32::from(kind).wrapping_sub(48);
            if len <= 9 {
                loop {
                    if p == end {
                        break 'fault;
                    }
                    kind = *p;
                    p = p.add(1);
                    let digit = u32::from(kind).wrapping_sub(48);
                    if digit > 9 {
                        break;
                    }
                    if len == 0 || len > LONGEST / 10 {
                        break 'fault;
                    }
                    len = len * 10 + digit;
                }
                if u32::from(kind).wrapping_sub(0x5B) > 0x20 || WITH_LENGTH >> (kind & 31) & 1 == 0 {
                    break 'fault;
                }
            } else {
                // The data of a boolean is its type.
                len = 1;
                match kind {
                    b't' | b'f' => p = node,
                    b'u' => len = 0,
                    b'b' => {}
                    b'c' if p != end => {
                        len = character_len(p, gap(p, end));
                        if len == 0 {
                            break 'fault;
                        }
                    }
                    _ => break 'fault,
                }
            }
            if len > gap(p, end) {
                break 'fault;
            }
            cursor.kind = kind as c_char;
            cursor.value = p.cast();
            cursor.len = len;
            cursor.at = p.wrapping_add(len as usize).cast();
            return 1;
        }
        fault(cursor)
    }
}

/// Reads the key at `p`; what follows its `:`, or null where there is none.
#[inline(always)]
unsafe fn key(cursor: &mut Pon, mut p: *const u8, end: *const u8) -> *const u8 {
    unsafe {
        let start = p;
        let due = cursor.due;
        cursor.member = -1;
        cursor.escaped = false;
        'search: {
            if due >= cursor.name_count {
                break 'search;
            }
            let wanted = cursor.names.add(due as usize);
            let mut left = (*wanted).len;
            if gap(p, end) <= left || *p.add(left as usize) != b':' {
                break 'search;
            }
            let name = plain((*wanted).name.cast());
            while left != 0 {
                left -= 1;
                if *p.add(left as usize) != *name.add(left as usize) {
                    break 'search;
                }
            }
            cursor.member = due as i32;
            cursor.due = due + 1;
            cursor.key_len = (*wanted).len;
            return p.add((*wanted).len as usize + 1);
        }
        loop {
            let c = *p;
            if c == b':' {
                break;
            }
            p = plain(p.add(1));
            if p == end {
                return core::ptr::null();
            }
            if c == b'\\' {
                cursor.escaped = true;
                if *p != b':' && *p != b'\\' {
                    return core::ptr::null();
                }
                p = plain(p.add(1));
                if p == end {
                    return core::ptr::null();
                }
            }
        }
        cursor.key_len = gap(start, p);
        if cursor.name_count != 0 {
            find(cursor);
        }
        p.add(1)
    }
}

/// Looks for the member's key among those that are looked for.
#[inline(never)]
unsafe fn find(cursor: &mut Pon) {
    unsafe {
        let (key, len) = (cursor.key.cast(), cursor.key_len);
        let found = place_of(cursor.names, cursor.name_count, cursor.due, key, len, cursor.escaped);
        if found >= 0 {
            cursor.member = found;
            cursor.due = found as u32 + 1;
        }
    }
}

/// Says which keys are looked for, from here on: `lw_pon_next` then leaves in `member` which of them the member
/// has. As `lw_tsf_names`; `lw_pon_enter` forgets them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_names(cursor: &mut Pon, names: *const Name, count: u32) {
    cursor.names = names;
    cursor.name_count = count;
    cursor.due = 0;
}

/// Why no value begins, given where its key ends. Inside a container what is cut is as wrong as anything else.
#[cold]
#[inline(never)]
unsafe fn fault(cursor: &Pon) -> i32 {
    unsafe {
        let end = cursor.end.cast::<u8>();
        let mut p = cursor.at.cast::<u8>();
        if cursor.inside as u8 == b'{' {
            p = p.wrapping_add(cursor.key_len as usize + 1);
        }
        let start = p;
        let outermost = if cursor.inside == 0 { LW_INCOMPLETE } else { LW_SYNTAX };
        if p == end {
            return outermost;
        }
        let first = *p;
        if first == b'b' || first == b'c' {
            return cut_character(p.add(1), end, first, outermost);
        }
        let mut number = 0;
        let mut too_long = false;
        while p != end {
            let digit = u32::from(*p).wrapping_sub(48);
            if digit > 9 {
                let kind = *p;
                let has_length = kind.wrapping_sub(0x5B) <= 0x20 && WITH_LENGTH >> (kind & 31) & 1 != 0;
                return if p == start || (gap(start, p) <= 10 && !has_length) {
                    LW_SYNTAX
                } else if too_long {
                    LW_LIMIT
                } else {
                    outermost
                };
            }
            if first == b'0' && p != start {
                return LW_SYNTAX;
            }
            too_long |= number > u32::MAX / 10 || (number == u32::MAX / 10 && digit > 5);
            number = number.wrapping_mul(10).wrapping_add(digit);
            p = p.add(1);
        }
        if too_long { LW_LIMIT } else { outermost }
    }
}

/// A byte or a character that is not all there, or is none.
unsafe fn cut_character(p: *const u8, end: *const u8, first: u8, outermost: i32) -> i32 {
    unsafe {
        let left = gap(p, end);
        if first == b'b' || left == 0 {
            return outermost;
        }
        // Would it be a character if it went on as one can?
        let mut whole = [0x80; 4];
        let mut i = 0;
        while i < left && i < 3 {
            whole[i as usize] = *p.add(i as usize);
            i += 1;
        }
        let lows = [0x80, 0x90, 0xA0];
        for low in lows {
            if left == 1 {
                whole[1] = low;
            }
            if character_len(whole.as_ptr(), 4) > left {
                return outermost;
            }
        }
        LW_SYNTAX
    }
}

/// Goes to the first member of a key among those of the object the cursor is in: LW_NAME("t"), as it is meant,
/// without escapes.
///
/// The search begins at the next member, because keys are likely asked for in their order, and goes on from
/// the first one.
///
/// Returns 1; 0 where there is no such member, the cursor being where it was; otherwise as `lw_pon_next`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_find(cursor: &mut Pon, key: *const c_char, key_len: u32) -> i32 {
    unsafe {
        let wanted = Name { name: key, len: key_len };
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
            } else if is_name(cursor.key.cast(), cursor.key_len, cursor.escaped, wanted) {
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
