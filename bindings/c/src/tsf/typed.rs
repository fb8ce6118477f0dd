//! Reads a message into a struct of the caller, or writes it, in one call.
//!
//! Fields usually come in the order of the messages. So the bytes after a unit's number are compared with the name and
//! the type of the field that is due. Only if they differ is the name parsed and looked up.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use crate::bytes::{ESCAPE, FEW_REGISTERS, WORDS, again, gap, no_escape, plain, word_at};
use crate::code::{LW_SCHEMA, LW_UNSUPPORTED, refused};
use crate::codec::{Reading, Writing};
use crate::field::{
    self, Field, LEVELS, LW_BOOL, LW_BYTES, LW_CODED, LW_DETAIL, LW_END, LW_FIXED1, LW_OBJECT_OF, LW_TEXT, LW_U32,
    LW_U64, Text, end_of_object, search, store_other,
};
use crate::integer;
use crate::out::{Number, Out};
use crate::tsf::cursor::{Tsf, is_long, lw_tsf_next, lw_tsf_skip};
use crate::tsf::next::fault;
use crate::tsf::writer::lw_tsf_put;

/// Reads the message at an open cursor, an object of the type set `value`, into a struct. Text and bytes stay in the
/// message, and `struct lw_text` points to them. A field that is absent or null in the message keeps its value, and an
/// array that is absent its count: clear the struct before each message, with the masks and values in the items of
/// arrays of structs.
///
/// JSON that the command or lengthwise_convert writes as TSF is of the set `json`, unless they get `--types value` or
/// `output_types`. In such a message numbers are LW_SCHEMA here, and texts keep their quotes and escapes.
///
/// Returns the number of fields filled, and `at` is the end of the message; LW_SCHEMA if a member has another type than
/// its field, or the message is no object; LW_SYNTAX for an invalid number; LW_LIMIT for a number or an array that does
/// not fit; LW_UNSUPPORTED for a decimal with more places than its field; otherwise like `lw_tsf_next`. After an error
/// the cursor is at the invalid unit, or at the array that contains it, and some fields may be filled; if the message is
/// no object, it is after the head or the data of that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_decode(cursor: &mut Tsf, fields: *const Field, into: *mut c_void) -> i32 {
    unsafe {
        let mut p = cursor.at.cast::<u8>();
        // Nearly every message begins with this.
        let mut count = 10;
        if cursor.owed != 0 && *p.add(1) == b'{' {
            count = u32::from(*p).wrapping_sub(48);
            p = p.add(2);
        }
        if count > 9 {
            let code = lw_tsf_next(cursor);
            if code <= 0 || cursor.kind as u8 != b'{' {
                return if code < 0 { code } else { refused(LW_SCHEMA) };
            }
            p = cursor.value.cast();
            count = cursor.len;
        }
        let into = into.cast::<u8>();
        let mut due = fields;
        let end = cursor.end.cast::<u8>();
        let cursor = &raw mut *cursor;
        // What few units need is kept in memory.
        let place = &raw const cursor;
        let mut rest = DecodeState { fields, state: count * DEPTHS, open: MaybeUninit::uninit() };
        let rest = &raw mut rest;
        // The value of `due` at the end of the object: each unit advances it by one.
        let mut last = fields.wrapping_add(count as usize);
        'units: loop {
            (*cursor_of(cursor, place)).at = p.cast();
            if due == last {
                let units = leave(rest);
                if units >= 0 {
                    (due, _) = end_of_object(due, core::ptr::null());
                    last = due.wrapping_add(units as usize);
                    continue;
                }
                (*cursor_of(cursor, place)).owed = 0;
                return ((*rest).state / DEPTHS) as i32;
            }
            let mut number;
            'found: {
                'other: {
                    // A digit, the name, a type. If the bytes ended before this, the number of bytes left after the
                    // digit is negative.
                    let mut left = u32::from((*due).name_len);
                    let start = p;
                    p = p.wrapping_add(1);
                    if gap(p, end_of(end, place)) as i32 <= left as i32 {
                        break 'other;
                    }
                    number = u32::from(*start).wrapping_sub(48);
                    if number > 9 {
                        break 'other;
                    }
                    loop {
                        let digit = u32::from(*p).wrapping_sub(48);
                        if digit > 9 {
                            break;
                        }
                        p = plain(p.add(1));
                        // Checks again whether there is room for the name.
                        if gap(p, end_of(end, place)) <= left || is_long(number) {
                            break 'other;
                        }
                        number = number * 10 + digit;
                    }
                    let before = plain(p.wrapping_sub(1));
                    p = p.wrapping_add(left as usize);
                    if WORDS {
                        // Four bytes, the type last. Before a name of fewer than three bytes is the start of the
                        // message; after a field's name are two types and the final zero.
                        let last = word_at(p.wrapping_sub(3));
                        let name = (*due).name.cast::<u8>();
                        if left < 3 {
                            let others = 24 - left * 8;
                            if (last ^ (word_at(name) << others)) >> others != 0 {
                                break 'other;
                            }
                            left = 0;
                        } else {
                            left -= 3;
                            if last != word_at(name.wrapping_add(left as usize)) {
                                break 'other;
                            }
                        }
                    }
                    let name = plain((*due).name.cast::<u8>().wrapping_sub(1));
                    if !WORDS && *p != *name.wrapping_add(left as usize + 1) {
                        break 'other;
                    }
                    'same: {
                        if WORDS && left == 0 {
                            break 'same;
                        }
                        while *before.wrapping_add(left as usize) == *name.wrapping_add(left as usize) {
                            left = left.wrapping_sub(1);
                            if left == 0 {
                                break 'same;
                            }
                        }
                        break 'other;
                    }
                    p = p.add(1);
                    if number > gap(p, end_of(end, place)) {
                        break 'other;
                    }
                    break 'found;
                }
                let cursor = cursor_of(cursor, place);
                let other = other(cursor, rest, due);
                if other.code < 0 {
                    return other.code;
                }
                if other.code == 0 {
                    p = (*cursor).at.cast();
                    (*rest).state = (*rest).state.wrapping_sub(DEPTHS);
                    last = last.wrapping_sub(1);
                    continue 'units;
                }
                last = last.wrapping_byte_offset(other.field.byte_offset_from(due));
                due = other.field;
                p = (*cursor).value.cast();
                number = (*cursor).len;
            }
            let kind = again(&raw const (*due).kind);
            let field_at = into.add((*due).offset.into());
            due = due.add(1);
            let code = if kind <= LW_U32 {
                integer::integer(p, number, &mut *field_at.cast(), kind.into())
            } else if kind == LW_OBJECT_OF {
                let code = enter(rest, units_between(due, last), number);
                last = due.wrapping_add(number as usize);
                number = 0;
                code
            } else if kind <= LW_BYTES {
                field_at.cast::<Text>().write(Text { data: p.cast(), len: number });
                0
            } else if kind < LW_CODED {
                store_other(kind, field_at, p, number)
            } else {
                let cursor = cursor_of(cursor, place);
                (*cursor).value = p.cast();
                (*cursor).len = number;
                let code = coded(cursor, due, into);
                while (*due).kind >= LW_DETAIL {
                    due = due.add(1);
                    last = last.wrapping_add(1);
                }
                p = (*cursor).value.cast();
                number = (*cursor).len;
                code
            };
            p = p.add(number as usize);
            if code < 0 {
                return code;
            }
        }
    }
}

/// The number of units between two places in the fields.
#[inline(always)]
fn units_between(due: *const Field, last: *const Field) -> u32 {
    gap(due.cast(), last.cast()) / size_of::<Field>() as u32
}

/// The cursor, which is also stored at `place`.
#[inline(always)]
unsafe fn cursor_of(cursor: *mut Tsf, place: *const *mut Tsf) -> *mut Tsf {
    if FEW_REGISTERS { unsafe { again(place) } } else { cursor }
}

/// The end of the bytes.
#[inline(always)]
unsafe fn end_of(end: *const u8, place: *const *mut Tsf) -> *const u8 {
    if FEW_REGISTERS { unsafe { again(&raw const (*again(place)).end).cast() } } else { end }
}

/// The state of reading a struct besides the current unit, which is in the cursor.
struct DecodeState {
    fields: *const Field,
    /// The number of open objects around the current one, and DEPTHS times the number of fields that will be filled if
    /// every announced unit is a field. Units that are not are subtracted.
    state: u32,
    /// The number of units left in each open object.
    open: MaybeUninit<[u32; LEVELS]>,
}

/// More than the number of levels.
const DEPTHS: u32 = 8;

/// Leaves an object. Returns the number of units left in the one around it, or -1 if there is none.
#[cold]
#[inline(never)]
unsafe fn leave(rest: *mut DecodeState) -> i32 {
    unsafe {
        let depth = (*rest).state % DEPTHS;
        if depth == 0 {
            return refused(-1);
        }
        (*rest).state -= 1;
        *(&raw const (*rest).open).cast::<i32>().add(depth as usize - 1)
    }
}

/// Enters an object of `units` units, from one with `left` units left.
#[cold]
#[inline(never)]
unsafe fn enter(rest: *mut DecodeState, left: u32, units: u32) -> i32 {
    unsafe {
        let state = (*rest).state;
        let depth = state % DEPTHS;
        if depth == LEVELS as u32 {
            return refused(LW_UNSUPPORTED);
        }
        (&raw mut (*rest).open).cast::<u32>().add(depth as usize).write(left);
        // The object is a unit but not a field.
        (*rest).state = state.wrapping_add(units.wrapping_sub(1).wrapping_mul(DEPTHS)).wrapping_add(1);
        0
    }
}

/// The result for a unit that is not the one due.
struct OtherUnit {
    /// 1: the cursor is at a unit of the field; 0: the unit is not wanted and was skipped; or an error.
    code: i32,
    field: *const Field,
}

/// Reads the unit with its own name.
#[cold]
#[inline(never)]
unsafe fn other(cursor: *mut Tsf, rest: *mut DecodeState, due: *const Field) -> OtherUnit {
    unsafe {
        let cursor = &mut *cursor;
        let (start, end) = (cursor.at.cast(), cursor.end.cast());
        let mut field = core::ptr::null();
        let mut code = if gap(start, end) < 2 {
            fault(cursor)
        } else {
            cursor.owed = 1;
            lw_tsf_next(cursor)
        };
        if code > 0 {
            let escape = if cursor.is_extended() { ESCAPE } else { no_escape() };
            field = search((*rest).fields, due, cursor.name, cursor.name_len, escape);
            let kind = cursor.kind as u8;
            if field.is_null() || kind == b'~' {
                code = lw_tsf_skip(cursor);
            } else {
                let wanted = (*field).tsf();
                if kind != wanted && (wanted != b'%' || kind != b'#') {
                    code = LW_SCHEMA;
                }
                cursor.at = start.cast();
            }
        }
        OtherUnit { code, field }
    }
}

/// What the codecs of fields need to read TSF.
static READING: Reading = Reading::Tsf { next: lw_tsf_next, decode: lw_tsf_decode };

/// Reads the field with the given details, whose unit is at the cursor.
#[cold]
#[inline(never)]
unsafe fn coded(cursor: *mut Tsf, detail: *const Field, into: *mut u8) -> i32 {
    unsafe { ((*(*detail).codec()).read)(cursor.cast(), &READING, detail.sub(1), detail, into) }
}

/// Writes a struct as a message: an object of the type set `value` without a name, with all fields that are present, in
/// their order. If every field up to the first end of an object is text, an array or optional, the message begins with a
/// zero, as `02{`, which identifies the type set. `lw_tsf_finish` returns whether it succeeded: LW_LIMIT also for an
/// array with more items than its member has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_encode(out: &mut Out, fields: *const Field, from: *const c_void) {
    unsafe {
        // A message of text only could belong to the set `json`; a leading zero says that it does not.
        let mut other = fields;
        while may_lack_other(other) {
            other = other.add(1);
        }
        if (*other).kind == LW_END {
            lw_tsf_put(out, (&raw const OBJECT).cast(), 0, core::ptr::null(), 0);
        }
        lw_tsf_put(out, (&raw const OBJECT).cast(), 1, core::ptr::null(), end_of_object(fields, from.cast()).1);
        members(out, fields, fields, from.cast(), 0);
    }
}

/// Whether a message with a field could still have no value but texts: the field is text, an array, or optional.
#[inline(always)]
unsafe fn may_lack_other(field: *const Field) -> bool {
    match unsafe { (*field).kind } {
        LW_OBJECT_OF | LW_TEXT => true,
        // They have a detail of their own, and others if they are arrays or optional.
        LW_FIXED1..=LW_U64 => unsafe { (*field.add(2)).kind >= LW_DETAIL },
        // The others have details only then.
        kind => kind >= LW_CODED,
    }
}

/// What the codecs of fields need to write TSF.
static WRITING: Writing = Writing { is_pon: false, fields: members };

/// Writes fields up to their end.
unsafe fn members(out: *mut Out, first: *const Field, _: *const Field, from: *const u8, _: u32) {
    unsafe {
        let out = &mut *out;
        let mut number = Number::new();
        let mut at = first;
        let mut depth = 0;
        loop {
            let field = &*at;
            at = at.add(1);
            let place = from.add(field.offset as usize);
            let (data, len);
            match field.kind {
                LW_END => {
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                    continue;
                }
                LW_OBJECT_OF => {
                    depth += 1;
                    (data, len) = (core::ptr::null(), end_of_object(at, from).1);
                }
                LW_TEXT | LW_BYTES => {
                    let text = &*place.cast::<Text>();
                    (data, len) = (text.data.cast(), text.len);
                }
                LW_CODED.. => {
                    if field.kind < LW_DETAIL {
                        ((*(*at).codec()).write)(out, &WRITING, field, at, from);
                    }
                    continue;
                }
                kind => {
                    let end = number.end();
                    let start = if kind == LW_BOOL {
                        let start = plain(end).cast_mut().sub(1);
                        start.write(if *place == 0 { b'f' } else { b't' });
                        start
                    } else {
                        field::number(field, from, end)
                    };
                    (data, len) = (start.cast_const(), gap(start, end));
                }
            }
            // The type in TSF follows the name.
            lw_tsf_put(out, field.name, u32::from(field.name_len) + 1, data.cast(), len);
        }
    }
}

/// The type of an object.
static OBJECT: u8 = b'{';
