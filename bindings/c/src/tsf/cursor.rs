//! One unit after the other.
//!
//! Every unit still owed has two bytes left, a digit and a type: that holds at the start of each
//! unit, and is why the first two bytes of one can be read without a look at the end.

use core::ffi::{c_char, c_void};

use crate::bytes::{Name, copy, gap, is_name, plain};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SYNTAX};
use crate::types::{Types, UNITS};

/// A cursor over a message of TSF, and the unit it is at. 56 bytes on a processor of 32 bits.
#[repr(C)]
#[derive(Debug)]
pub struct Tsf {
    /// The next unit; after an error, the unit at fault.
    pub at: *const c_char,
    /// The end of the bytes.
    pub end: *const c_char,
    /// The type set.
    pub types: *const Types,
    /// Units still owed: 0 behind the last one of the message.
    pub owed: u32,
    /// The type character.
    pub kind: c_char,
    /// Whether the unit holds units.
    pub structured: bool,
    /// Whether the name is an extended one: a `\` may stand before its characters, and it is a name even
    /// if it is empty.
    pub extended: bool,
    /// Names that are looked for (`lw_tsf_names`), and how many.
    pub names: *const Name,
    /// How many.
    pub name_count: u32,
    /// Which of them the next unit likely has.
    pub due: u32,
    /// Which of them the unit has, or -1.
    pub member: i32,
    /// The unit's name; extended ones without their `"`, but with their escapes.
    pub name: *const c_char,
    /// Its data; of a unit of units, the first of these.
    pub value: *const c_char,
    /// Bytes of data, or the count of units.
    pub len: u32,
    /// Bytes of the name.
    pub name_len: u32,
}

/// Messages are shorter: their lengths stay below what a digit more would overflow.
pub(crate) const LONGEST: u32 = u32::MAX / 10 - 1;

/// Sets a cursor to the start of `len` bytes, which begin with a message; `types` may be
/// `&lw_types_value`. What follows the message is not looked at: when `lw_tsf_next` has returned 0,
/// `at` is where it ends.
///
/// Returns LW_OK, LW_INCOMPLETE where there are fewer than two bytes, LW_SYNTAX where the first one is no
/// digit, LW_LIMIT for 400 MB or more. A cursor that was refused has no units.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_open(cursor: &mut Tsf, message: *const c_void, len: u32, types: *const Types) -> i32 {
    cursor.at = message.cast();
    cursor.end = cursor.at.wrapping_add(len as usize);
    cursor.types = types;
    cursor.names = core::ptr::null();
    cursor.name_count = 0;
    cursor.due = 0;
    cursor.member = -1;
    cursor.owed = 0;
    cursor.structured = false;
    cursor.extended = false;
    if len > LONGEST {
        return LW_LIMIT;
    }
    if len < 2 {
        return unsafe { fault(cursor.at.cast(), cursor.end.cast()) };
    }
    cursor.owed = 1;
    0
}

/// Says which names are looked for, from here on: `lw_tsf_next` then leaves in `member` which of them the unit has.
///
/// They should be in the order of the messages: the name that is next in the list is compared first, and where it
/// is the one, nothing else is looked at. Any order will do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_names(cursor: &mut Tsf, names: *const Name, count: u32) {
    cursor.names = names;
    cursor.name_count = count;
    cursor.due = 0;
}

/// Goes to the next unit. The units in a unit follow it.
///
/// Returns 1; 0 behind the last unit; LW_SYNTAX, LW_INCOMPLETE or LW_LIMIT where there is no sound unit, which
/// `at` then points to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_next(cursor: &mut Tsf) -> i32 {
    unsafe {
        let owed = cursor.owed;
        if owed == 0 {
            return 0;
        }
        let end = cursor.end.cast::<u8>();
        let mut p = cursor.at.cast::<u8>();
        'fault: {
            let mut number = u32::from(*p).wrapping_sub(48);
            if number > 9 {
                break 'fault;
            }
            p = plain(p.add(1));
            let mut digit = u32::from(*p).wrapping_sub(48);
            while digit <= 9 {
                p = plain(p.add(1));
                if p == end || number > LONGEST / 10 {
                    break 'fault;
                }
                number = number * 10 + digit;
                digit = u32::from(*p).wrapping_sub(48);
            }
            cursor.len = number;
            cursor.name = p.cast();
            cursor.member = -1;
            let class_of = (*cursor.types).class_of.as_ptr();
            let mut class;
            'named: {
                'search: {
                    let due = cursor.due;
                    if due >= cursor.name_count {
                        break 'search;
                    }
                    let wanted = cursor.names.add(due as usize);
                    let mut left = (*wanted).len;
                    if gap(p, end) <= left {
                        break 'search;
                    }
                    let name = plain((*wanted).name.cast());
                    let c = *p.add(left as usize);
                    class = if c < 128 { *class_of.add(c as usize) } else { 0 };
                    if class.wrapping_sub(1) >= UNITS {
                        break 'search;
                    }
                    while left != 0 {
                        left -= 1;
                        if *p.add(left as usize) != *name.add(left as usize) {
                            break 'search;
                        }
                    }
                    // A name that is given wrongly might hold a type; a plain one does not begin with a quotation mark.
                    p = p.add((*wanted).len as usize);
                    cursor.member = due as i32;
                    cursor.due = due + 1;
                    cursor.extended = false;
                    break 'named;
                }
                let extended = *p == b'"';
                cursor.extended = extended;
                if extended {
                    p = extended_end(p, end, class_of);
                    cursor.name = cursor.name.add(1);
                    if p == end {
                        break 'fault;
                    }
                }
                loop {
                    let c = *p;
                    // A byte of a character beyond ASCII is never a type.
                    if c < 128 {
                        class = *class_of.add(c as usize);
                        if class.wrapping_sub(1) < UNITS {
                            break;
                        }
                    }
                    p = plain(p.add(1));
                    if p == end {
                        break 'fault;
                    }
                }
                if cursor.name_count != 0 {
                    find(cursor, p);
                }
            }
            cursor.name_len = gap(cursor.name.cast(), p);
            cursor.kind = *p as c_char;
            // 1 and 2 become 0 and 1.
            (&raw mut cursor.structured).cast::<u8>().write(class >> 1);
            p = p.add(1);
            cursor.value = p.cast();
            let number = cursor.len;
            let mut owed = owed - 1;
            let mut left = gap(p, end);
            // A unit of units has two bytes for each: no more units than bytes.
            if number > left {
                break 'fault;
            }
            if class == UNITS {
                owed += number;
            } else {
                left -= number;
                p = p.add(number as usize);
            }
            if owed > left / 2 {
                break 'fault;
            }
            cursor.owed = owed;
            cursor.at = p.cast();
            return 1;
        }
        fault(cursor.at.cast(), end)
    }
}

/// Looks for the unit's name, which ends at `end`, among those that are looked for.
#[inline(never)]
unsafe fn find(cursor: &mut Tsf, end: *const u8) {
    unsafe {
        let name = cursor.name.cast();
        let found = place_of(cursor.names, cursor.name_count, cursor.due, name, gap(name, end), cursor.extended);
        if found >= 0 {
            cursor.member = found;
            cursor.due = found as u32 + 1;
        }
    }
}

/// The place of a name in a list, looked for from `due` on and then from the first; -1 where it is not.
#[inline(never)]
pub(crate) unsafe fn place_of(
    names: *const Name,
    count: u32,
    due: u32,
    name: *const u8,
    len: u32,
    escaped: bool,
) -> i32 {
    unsafe {
        let mut at = due;
        let mut left = count;
        while left != 0 {
            if at >= count {
                at = 0;
            }
            if is_name(name, len, escaped, *names.add(at as usize)) {
                return at as i32;
            }
            at += 1;
            left -= 1;
        }
        -1
    }
}

/// The type that ends the extended name which begins with the `"` at `p`; `end` where there is none.
#[cold]
#[inline(never)]
unsafe fn extended_end(mut p: *const u8, end: *const u8, class_of: *const u8) -> *const u8 {
    unsafe {
        loop {
            p = p.add(1);
            if p == end {
                return end;
            }
            let c = *p;
            if c == b'\\' {
                p = p.add(1);
                if p == end {
                    return end;
                }
            } else if c < 128 && matches!(*class_of.add(c as usize), 1 | UNITS) {
                return p;
            }
        }
    }
}

/// Why no unit begins at `at`: no digit, a number beyond what 32 bits hold, or too few bytes.
#[cold]
#[inline(never)]
pub(crate) unsafe fn fault(mut at: *const u8, end: *const u8) -> i32 {
    unsafe {
        let mut number = 0;
        let mut code = LW_SYNTAX;
        while at != end {
            let digit = u32::from(*at).wrapping_sub(48);
            if digit > 9 {
                return code;
            }
            if number > u32::MAX / 10 || (number == u32::MAX / 10 && digit > 5) {
                return LW_LIMIT;
            }
            number = number * 10 + digit;
            code = LW_INCOMPLETE;
            at = at.add(1);
        }
        LW_INCOMPLETE
    }
}

/// Passes over the units in the unit the cursor is at, and all that they hold.
///
/// Returns 0, or what `lw_tsf_next` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_skip(cursor: &mut Tsf) -> i32 {
    if cursor.structured {
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

/// Puts a zero behind the unit's name and behind its data, where they stand in the message, which must be
/// writable.
///
/// Both move one byte towards the front, over the last digit of the unit's number and over its type,
/// and the zeros take the bytes that come free: nothing outside of the unit changes. The unit cannot be read
/// again. An extended name keeps its escapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_terminate(cursor: &mut Tsf) {
    unsafe {
        let type_at = cursor.value.cast_mut().cast::<u8>().wrapping_sub(1);
        let name = cursor.name.cast_mut().cast::<u8>();
        copy(name.wrapping_sub(1), name, cursor.name_len).write(0);
        cursor.name = name.wrapping_sub(1).cast();
        if !cursor.structured {
            copy(type_at, type_at.add(1), cursor.len).write(0);
            cursor.value = type_at.cast();
        }
    }
}
