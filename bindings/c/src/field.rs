//! Fields: the layout of a struct of the caller, so that one call reads or writes it.

use core::ffi::c_char;

use crate::bytes::{Name, is_name, no_escape};
use crate::code::{LW_LIMIT, LW_OK, LW_SYNTAX, refused};
use crate::codec::{Codec, lw_codec_64, lw_codec_array, lw_codec_fixed, lw_codec_optional};
use crate::integer;
use crate::number::lw_i32;
use crate::text::text_of;
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
/// The order should be that of the messages: a field is looked for where the last one ended. Any order works, and
/// members without a field are skipped. What is described is in the first 64 KiB of the struct. Names have 1 to 255
/// characters, and consist of letters, digits (not first) and characters that need no
/// escapes: no types of TSF, no `"`, `:` or `\`.
#[repr(C)]
#[derive(Debug)]
pub struct Field {
    /// The name, followed by two characters: the types of the field in TSF (the set `value`) and in PON. At least four
    /// bytes are readable, including the final zero.
    pub name: *const c_char,
    /// The position of the field in the struct, in bytes.
    pub offset: u16,
    /// Bytes of the name.
    pub name_len: u8,
    /// The kind of the field: LW_TEXT and so on.
    pub kind: u8,
}

/// Text or bytes in a message, or to be written. Writers do not check text: it should be UTF-8 (`lw_is_utf8`).
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte. To be written, it may be NULL only if `len` is 0.
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
/// A bit in the kind of a field: its details follow it.
pub const LW_CODED: u8 = 0x80;
/// `int32_t`: a decimal number times 10.
pub const LW_FIXED1: u8 = LW_CODED | 9;
/// `int32_t`: a decimal number times 100.
pub const LW_FIXED2: u8 = LW_CODED | 10;
/// `int32_t`: a decimal number times 1000.
pub const LW_FIXED3: u8 = LW_CODED | 11;
/// `int32_t`: a decimal number times 10 000.
pub const LW_FIXED4: u8 = LW_CODED | 12;
/// `int32_t`: a decimal number times 10 to the 5.
pub const LW_FIXED5: u8 = LW_CODED | 13;
/// `int32_t`: a decimal number times 10 to the 6.
pub const LW_FIXED6: u8 = LW_CODED | 14;
/// `int32_t`: a decimal number times 10 to the 7.
pub const LW_FIXED7: u8 = LW_CODED | 15;
/// `int32_t`: a decimal number times 10 to the 8.
pub const LW_FIXED8: u8 = LW_CODED | 16;
/// `int32_t`: a decimal number times 10 to the 9.
pub const LW_FIXED9: u8 = LW_CODED | 17;
/// `int64_t`: an integer.
pub const LW_I64: u8 = LW_CODED | 18;
/// `uint64_t`: an integer.
pub const LW_U64: u8 = LW_CODED | 19;
/// Array items that are structs: see LW_OBJECTS.
pub const LW_STRUCT: u8 = LW_CODED | 20;
/// The first detail of a field: its name is the codec.
pub const LW_DETAIL: u8 = 0xFE;
/// A further detail of the same codec.
pub const LW_DETAIL_MORE: u8 = 0xFF;

/// The kind of a field, whether or not details follow it.
#[inline(always)]
pub(crate) fn kind_of(kind: u8) -> u8 {
    // The bit distinguishes the kinds with a codec of their own.
    if kind & !LW_CODED < 9 { kind & !LW_CODED } else { kind }
}

/// The types of each kind in TSF (the set `value`) and PON; the end of fields has a type that does not occur.
const TYPES: [&[u8; 2]; 21] = [
    b"00", b"#i", b"#i", b"{{", b"'s", b"*y", b"?t", b"#i", b"#i", b"%d", b"%d", b"%d", b"%d", b"%d", b"%d", b"%d",
    b"%d", b"%d", b"#i", b"#i", b"{{",
];

impl Field {
    /// The codec that a detail names.
    #[inline(always)]
    pub(crate) fn codec(&self) -> *const Codec {
        self.name.cast()
    }

    /// Its type in TSF.
    #[inline(always)]
    pub(crate) unsafe fn tsf(&self) -> u8 {
        unsafe { *self.name.add(self.name_len.into()) as u8 }
    }

    /// Its type in PON; `t` for a boolean.
    #[inline(always)]
    pub(crate) unsafe fn pon(&self) -> u8 {
        unsafe { *self.name.add(usize::from(self.name_len) + 1) as u8 }
    }
}

/// Stores a value of a plain kind.
pub(crate) unsafe fn store(kind: u8, place: *mut u8, data: *const u8, len: u32) -> i32 {
    unsafe {
        if kind <= LW_U32 {
            integer::integer(data, len, &mut *place.cast(), kind.into())
        } else {
            store_other(kind, place, data, len)
        }
    }
}

/// Stores a value of a plain kind that is not an integer of 32 bits.
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

/// Writes the text of an integer field so that it ends before `end`. Returns its first character.
#[inline(always)]
pub(crate) unsafe fn number(field: &Field, from: *const u8, end: *mut u8) -> *mut u8 {
    unsafe {
        let value = number_of(field, from);
        text_of(end, value as u32, value < 0 && field.kind != LW_U32)
    }
}

/// The value of an integer field.
#[inline(always)]
pub(crate) unsafe fn number_of(field: &Field, from: *const u8) -> i32 {
    unsafe {
        let place = from.add(field.offset as usize);
        match field.kind {
            LW_I16 => i32::from(*place.cast::<i16>()),
            LW_U16 => i32::from(*place.cast::<u16>()),
            _ => *place.cast::<i32>(),
        }
    }
}

/// The field with a name among those of the object that contains the field `near`, or of the outermost one. `escape` as
/// for [`is_name`].
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
            if nested == 0 && kind < LW_DETAIL {
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

/// The change of depth after a kind.
#[inline(always)]
fn step_of(kind: u8) -> i32 {
    match kind {
        LW_OBJECT_OF => 1,
        LW_END => -1,
        _ => 0,
    }
}

/// The end of the fields of the object that contains the field `near`, and the number of members before it; with a
/// struct, only those present in it.
#[inline(never)]
pub(crate) unsafe fn end_of_object(mut near: *const Field, from: *const u8) -> (*const Field, u32) {
    unsafe {
        let mut count = 0;
        loop {
            let kind = (*near).kind;
            near = near.add(1);
            if kind == LW_END {
                return (near, count);
            }
            if kind >= LW_DETAIL {
                if kind == LW_DETAIL && !from.is_null() {
                    let detail = near.sub(1);
                    count -= ((*(*detail).codec()).absent)(detail, from);
                }
                continue;
            }
            count += 1;
            let mut nested = u32::from(kind == LW_OBJECT_OF);
            while nested != 0 {
                let kind = (*near).kind;
                near = near.add(1);
                if kind == LW_END {
                    nested -= 1;
                } else if kind == LW_OBJECT_OF {
                    nested += 1;
                }
            }
        }
    }
}

/// The maximal depth of fields: objects in objects.
pub(crate) const LEVELS: usize = 6;

/// Checks that a table is valid: `lw_check_fields(LW_TABLE(fields))`. Returns 0, or the position of the first invalid
/// entry, from 1; that after the last entry if an end is missing. Names must need no escapes in either format, be unique
/// in their object, and objects must end and be at most six deep. The table of LW_OBJECTS is checked by a call of its
/// own. For a debug build, or a test; the compiler checks members and kinds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_check_fields(fields: *const Field, count: u32) -> u32 {
    let table = unsafe { core::slice::from_raw_parts(fields, count as usize) };
    let mut depth = 0;
    let mut rest = table;
    while let [field, after @ ..] = rest {
        let place = count - after.len() as u32;
        rest = after;
        if field.kind == LW_END {
            if depth == 0 {
                return if after.is_empty() { 0 } else { place };
            }
            depth -= 1;
            continue;
        }
        if field.kind == LW_OBJECT_OF {
            if depth == LEVELS as u32 {
                return place;
            }
            depth += 1;
        }
        match unsafe { details(field, after) } {
            Some(after) if unsafe { is_name_fit(fields, field) } => rest = after,
            _ => return place,
        }
    }
    count + 1
}

/// Whether a field has a name that is plain in both formats, and the first of this name in its object.
unsafe fn is_name_fit(fields: *const Field, field: &Field) -> bool {
    unsafe {
        let mut at = 0;
        while at < field.name_len {
            let c = *field.name.add(at.into()) as u8;
            let special = Class::of(&lw_types_value, c.into()).is_type() || matches!(c, b'"' | b':' | b'\\' | 0);
            if special || (at == 0 && c.is_ascii_digit()) {
                return false;
            }
            at += 1;
        }
        field.name_len != 0
            && core::ptr::eq(search(fields, field, field.name, field.name_len.into(), no_escape()), field)
    }
}

/// What follows the details of a field, if they and its types match its kind.
unsafe fn details<'t>(field: &Field, rest: &'t [Field]) -> Option<&'t [Field]> {
    unsafe {
        let kind = kind_of(field.kind);
        let mut types = field.name.add(field.name_len.into());
        let is = |rest: &[Field], codec: *const Codec| {
            rest.first().is_some_and(|detail| detail.kind == LW_DETAIL && detail.codec() == codec)
        };
        let mut after = rest;
        if is(after, &raw const lw_codec_optional) {
            after = after.get(1..)?;
        }
        let is_array = is(after, &raw const lw_codec_array);
        if is_array {
            let more = after.get(1)?;
            // The fields of objects are checked separately.
            let has_fields = !more.name.is_null();
            if (*types, *types.add(1)) != (b'[' as _, b'[' as _)
                || more.kind != LW_DETAIL_MORE
                || has_fields != (kind == LW_STRUCT)
            {
                return None;
            }
            types = types.add(2);
            after = after.get(2..)?;
        }
        let codec: Option<*const Codec> = match kind {
            LW_I64 | LW_U64 => Some(&raw const lw_codec_64),
            LW_FIXED1..=LW_FIXED9 => Some(&raw const lw_codec_fixed),
            _ => None,
        };
        if let Some(codec) = codec {
            if !is(after, codec) {
                return None;
            }
            after = after.get(1..)?;
        }
        let has_details = after.len() != rest.len();
        let wanted = TYPES.get(usize::from(kind & !LW_CODED))?;
        let fit = [*types as u8, *types.add(1) as u8] == **wanted
            && has_details == (field.kind & LW_CODED != 0)
            && is_array == (kind == LW_STRUCT || field.tsf() == b'[')
            && (!has_details || kind != LW_OBJECT_OF)
            && after.first().is_none_or(|next| next.kind < LW_DETAIL);
        fit.then_some(after)
    }
}
