//! Fields: what is where in a struct of the caller's, so that one call reads or writes it.

use core::ffi::c_char;

use crate::bytes::{Name, is_name};
use crate::code::{LW_LIMIT, LW_OK, LW_SYNTAX, refused};
use crate::number::lw_i32;
use crate::types::{Class, lw_types_value};

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
    /// The name, and behind it two characters: what the types of the field are in TSF (the set `value`) and in PON. Four
    /// bytes can be read at the least, with the zero behind them.
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
/// `int32_t`: an integer.
pub const LW_I32: u8 = 1;
/// `uint32_t`: an integer.
pub const LW_U32: u8 = 2;
/// An object: its fields follow, and then LW_END. They are fields of the same struct.
pub const LW_OBJECT_OF: u8 = 3;
/// `struct lw_text`: a string.
pub const LW_TEXT: u8 = 4;
/// `struct lw_text`: binary data.
pub const LW_BYTES: u8 = 5;
/// `bool` of one byte: 1 or 0.
pub const LW_BOOL: u8 = 6;
/// `int16_t`: an integer.
pub const LW_I16: u8 = 7;
/// `uint16_t`: an integer.
pub const LW_U16: u8 = 8;
/// `int32_t`: a decimal number times 10.
pub const LW_FIXED1: u8 = 9;
/// `int32_t`: a decimal number times 100.
pub const LW_FIXED2: u8 = 10;
/// `int32_t`: a decimal number times 1000.
pub const LW_FIXED3: u8 = 11;
/// `int32_t`: a decimal number times 10 000.
pub const LW_FIXED4: u8 = 12;
/// `int32_t`: a decimal number times 10 to the 5.
pub const LW_FIXED5: u8 = 13;
/// `int32_t`: a decimal number times 10 to the 6.
pub const LW_FIXED6: u8 = 14;
/// `int32_t`: a decimal number times 10 to the 7.
pub const LW_FIXED7: u8 = 15;
/// `int32_t`: a decimal number times 10 to the 8.
pub const LW_FIXED8: u8 = 16;
/// `int32_t`: a decimal number times 10 to the 9.
pub const LW_FIXED9: u8 = 17;

/// The types of TSF (the set `value`) and PON of each kind. Where fields end stands what is the type of nothing.
const TYPES: [&[u8; 2]; 18] = [
    b"00", b"#i", b"#i", b"{{", b"'s", b"*y", b"?t", b"#i", b"#i", b"%d", b"%d", b"%d", b"%d", b"%d", b"%d", b"%d",
    b"%d", b"%d",
];

impl Field {
    /// Its type in TSF.
    #[inline(always)]
    pub(crate) unsafe fn tsf(&self) -> u8 {
        unsafe { *self.name.add(self.name_len.into()) as u8 }
    }

    /// Its type in PON; t of what is t or f.
    #[inline(always)]
    pub(crate) unsafe fn pon(&self) -> u8 {
        unsafe { *self.name.add(usize::from(self.name_len) + 1) as u8 }
    }
}

/// The kinds that are no integers of 32 bits, and no decimals.
#[inline(never)]
pub(crate) unsafe fn store_other(kind: u8, place: *mut u8, data: *const u8, len: u32) -> i32 {
    unsafe {
        if kind <= LW_BYTES {
            place.cast::<Text>().write(Text { data: data.cast(), len });
            return LW_OK;
        }
        if kind == LW_BOOL {
            let value = if len == 1 { *data } else { 0 };
            if value != b't' && value != b'f' {
                return refused(LW_SYNTAX);
            }
            place.write(u8::from(value == b't'));
            return LW_OK;
        }
        let mut wide = 0;
        let code = lw_i32(data.cast(), len, &mut wide);
        if code == LW_OK {
            let (narrow, back) = if kind == LW_I16 {
                (wide as u16, i32::from(wide as i16))
            } else {
                (wide as u16, i32::from(wide as u16))
            };
            if back != wide {
                return refused(LW_LIMIT);
            }
            place.cast::<u16>().write(narrow);
        }
        code
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

/// The field of a name among those of the object that the field `near` is in, or of the outermost one. `escape` as for
/// [`is_name`].
#[cold]
#[inline(never)]
pub(crate) unsafe fn search(
    fields: *const Field,
    near: *const Field,
    name: *const c_char,
    len: u32,
    escape: u32,
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
                let wanted = Name { name: (*at).name, len: (*at).name_len.into(), code: 0 };
                if is_name(name.cast(), name.add(len as usize).cast(), escape, &wanted) {
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
#[inline(never)]
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
                let special = Class::of(&lw_types_value, c.into()).is_type();
                if special || c == b':' || c == b'\\' || c == 0 || (at == 0 && c.is_ascii_digit()) {
                    return i;
                }
                at += 1;
            }
            let types = TYPES.get(usize::from(field.kind));
            if field.name_len == 0 || types.is_none_or(|&&types| types != [field.tsf(), field.pon()]) {
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
