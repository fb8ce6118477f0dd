//! Fields: what is where in a struct of the caller's, so that one call reads or writes it.

use core::ffi::c_char;

use crate::bytes::{Name, is_name};
use crate::code::{LW_LIMIT, LW_OK, LW_SYNTAX};
use crate::number::{self, lw_fixed, lw_i32};

/// A field of a struct. LW_FIELD makes one:
///
/// ```c
/// static const struct lw_field fields[] = {
///     LW_FIELD(LW_TEXT, struct reading, sensor, "sensor"),
///     LW_OBJECT("r"),
///     LW_FIELD(LW_I32, struct reading, r.t, "t"),
///     LW_OBJECT_END,
///     LW_FIELDS_END,
/// };
/// ```
///
/// The order should be that of the messages: a field is looked for where the last one ended. It need not
/// be, and members that no field is for are passed over. Names are of letters, digits (not first) and what
/// needs no escapes: no types of TSF, no `"`, `:` or `\`.
#[repr(C)]
#[derive(Debug)]
pub struct Field {
    /// The name.
    pub name: *const c_char,
    /// Where the field is in the struct, in bytes.
    pub offset: u16,
    /// Bytes of the name.
    pub name_len: u8,
    /// What the field is: LW_TEXT and so on.
    pub kind: u8,
}

/// Text or bytes where they stand in a message, or are to be written from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte.
    pub data: *const c_char,
    /// Bytes.
    pub len: u32,
}

/// The end of an object's fields.
pub const LW_END: u8 = 0;
/// An object: its fields follow, and then LW_END. They are fields of the same struct.
pub const LW_OBJECT_OF: u8 = 1;
/// `struct lw_text`: a string.
pub const LW_TEXT: u8 = 2;
/// `struct lw_text`: binary data.
pub const LW_BYTES: u8 = 3;
/// `bool` of one byte: 1 or 0.
pub const LW_BOOL: u8 = 4;
/// `int32_t`: an integer.
pub const LW_I32: u8 = 5;
/// `uint32_t`: an integer.
pub const LW_U32: u8 = 6;
/// `int16_t`: an integer.
pub const LW_I16: u8 = 7;
/// `uint16_t`: an integer.
pub const LW_U16: u8 = 8;
/// `int32_t`: a decimal number times 10; LW_FIXED1 + n - 1 of one times 10 to the n, n up to 9.
pub const LW_FIXED1: u8 = 9;
/// `int32_t`: a decimal number times 100.
pub const LW_FIXED2: u8 = 10;
/// `int32_t`: a decimal number times 1000.
pub const LW_FIXED3: u8 = 11;

/// The types of TSF (the set `value`) and PON of each kind. No byte behind the number of a unit is a digit, so
/// that nothing is ever taken for LW_END.
pub(crate) static TSF_TYPES: [u8; 18] = *b"0{'*?####%%%%%%%%%";
pub(crate) static PON_TYPES: [u8; 18] = *b"0{sytiiiiddddddddd";

/// The type of a kind in a format.
#[inline(always)]
pub(crate) unsafe fn type_of(types: &'static [u8; 18], kind: u8) -> u8 {
    // Kinds are the caller's own, and lw_check_fields looks at them.
    unsafe { *types.as_ptr().add(kind.into()) }
}

/// Puts the data of a value where a field says.
#[inline(never)]
pub(crate) unsafe fn store(field: *const Field, into: *mut u8, data: *const u8, len: u32) -> i32 {
    unsafe {
        let kind = (*field).kind;
        let place = into.add((*field).offset as usize);
        if kind == LW_I32 || kind == LW_U32 {
            if number::short_natural(data, len, &mut *place.cast()) {
                return LW_OK;
            }
            return number::other_integer(data, len, kind == LW_I32, &mut *place.cast());
        }
        if kind <= LW_BYTES {
            place.cast::<Text>().write(Text { data: data.cast(), len });
            return LW_OK;
        }
        if kind == LW_BOOL {
            let value = if len == 1 { *data } else { 0 };
            if value != b't' && value != b'f' {
                return LW_SYNTAX;
            }
            place.write(u8::from(value == b't'));
            return LW_OK;
        }
        store_small(kind, place, data, len)
    }
}

/// The rarer kinds.
#[cold]
#[inline(never)]
unsafe fn store_small(kind: u8, place: *mut u8, data: *const u8, len: u32) -> i32 {
    unsafe {
        if kind >= LW_FIXED1 {
            return lw_fixed(data.cast(), len, u32::from(kind - LW_FIXED1 + 1), &mut *place.cast());
        }
        let mut wide = 0;
        let code = lw_i32(data.cast(), len, &mut wide);
        if code < 0 {
            return code;
        }
        let (least, most) = if kind == LW_I16 { (-0x8000, 0x7FFF) } else { (0, 0xFFFF) };
        if wide < least || wide > most {
            return LW_LIMIT;
        }
        place.cast::<u16>().write(wide as u16);
        LW_OK
    }
}

/// The number that a field of an integer is.
#[inline(always)]
pub(crate) unsafe fn integer(field: &Field, from: *const u8) -> i32 {
    unsafe {
        let place = from.add(field.offset as usize);
        match field.kind {
            LW_I16 => i32::from(*place.cast::<i16>()),
            LW_U16 => i32::from(*place.cast::<u16>()),
            _ => *place.cast::<i32>(),
        }
    }
}

/// The field of a name among those of the object that the field `near` is in, or of the outermost one.
#[cold]
#[inline(never)]
pub(crate) unsafe fn search(
    fields: *const Field,
    near: *const Field,
    name: *const c_char,
    len: u32,
    escaped: bool,
) -> *const Field {
    unsafe {
        let mut at = near;
        let mut nested = 0;
        while at != fields {
            let before = at.sub(1);
            let kind = (*before).kind;
            if kind == LW_OBJECT_OF && nested == 0 {
                break;
            }
            nested += step_of(kind).wrapping_neg();
            at = before;
        }
        nested = 0;
        loop {
            let kind = (*at).kind;
            if nested == 0 {
                if kind == LW_END {
                    return core::ptr::null();
                }
                let wanted = Name { name: (*at).name, len: (*at).name_len.into() };
                if is_name(name.cast(), len, escaped, wanted) {
                    return at;
                }
            }
            nested += step_of(kind);
            at = at.add(1);
        }
    }
}

/// How much deeper what follows a kind lies.
#[inline(always)]
fn step_of(kind: u8) -> i32 {
    match kind {
        LW_OBJECT_OF => 1,
        LW_END => -1,
        _ => 0,
    }
}

/// Behind the fields of the object that the field `near` is in, and how many members it still passed.
#[inline(always)]
pub(crate) unsafe fn behind(mut near: *const Field) -> (*const Field, u32) {
    unsafe {
        let mut nested = 0;
        let mut count = 0;
        loop {
            let kind = (*near).kind;
            near = near.add(1);
            if nested == 0 {
                if kind == LW_END {
                    return (near, count);
                }
                count += 1;
            }
            nested += step_of(kind);
        }
    }
}

/// How deep fields can lie: objects in objects.
pub(crate) const LEVELS: usize = 6;

/// Looks whether fields are fit for use: 0, or the place of the first that is not, from 1. Names must need no
/// escapes in either format, objects must end, and not be more than six deep. For a debug build, or a test.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_check_fields(fields: *const Field) -> u32 {
    unsafe {
        let mut depth = 0;
        let mut i = 0;
        loop {
            let field = &*fields.add(i as usize);
            i += 1;
            if field.kind == LW_END {
                if depth == 0 {
                    return 0;
                }
                depth -= 1;
                continue;
            }
            let mut at = 0;
            while at < field.name_len {
                let c = *field.name.add(at.into()) as u8;
                let special = c < 128 && *crate::types::lw_types_value.class_of.as_ptr().add(c.into()) != 0;
                if special || c == b':' || c == b'\\' || c == 0 || (at == 0 && c.is_ascii_digit()) {
                    return i;
                }
                at += 1;
            }
            if field.name_len == 0 || *field.name.add(at.into()) != 0 || field.kind > LW_FIXED1 + 8 {
                return i;
            }
            if field.kind == LW_OBJECT_OF {
                if depth == LEVELS as u32 {
                    return i;
                }
                depth += 1;
            }
        }
    }
}
