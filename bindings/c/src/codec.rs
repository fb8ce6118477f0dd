//! Optional kinds of fields: decimals, 64-bit integers, optional fields, arrays.
//!
//! The entry of such a field has the bit `LW_CODED` in its kind, and the entries after it are its details. The first one
//! points to the codec, so the linker drops every codec that no table names.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;

use crate::bytes::{Cursor, gap};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SCHEMA, refused};
use crate::field::{
    Field, LW_DETAIL, LW_END, LW_FIXED1, LW_I64, LW_OBJECT_OF, LW_TEXT, Text, end_of_object, kind_of, store,
};
use crate::number::{lw_fixed, lw_i64, lw_u64};
use crate::out::{Number, Out, lw_format_fixed};
use crate::pon::cursor::{Pon, set};
use crate::text::decimal;
use crate::tsf::cursor::Tsf;
use crate::wanted::NO_NAMES;

/// Reads and writes fields of an optional kind. Opaque: tables of fields point to it.
///
/// A field is in the struct at `base`, and `detail` is the first of its details that belongs to the codec. An item of
/// an array is also a field; its name is empty.
#[derive(Debug)]
pub struct Codec {
    /// Reads the field whose unit the cursor is at. On success its data ends `len` bytes after `value`.
    pub(crate) read: unsafe fn(*mut Cursor, &Reading, field: *const Field, detail: *const Field, base: *mut u8) -> i32,
    /// Writes the field.
    pub(crate) write: unsafe fn(*mut Out, &Writing, field: *const Field, detail: *const Field, base: *const u8),
    /// 1 for an optional field that is not present, otherwise 0.
    pub(crate) absent: unsafe fn(detail: *const Field, base: *const u8) -> u32,
}

/// What the codecs need of a format to read it: its functions `_next` and `_decode`.
pub(crate) enum Reading {
    Tsf {
        next: unsafe extern "C" fn(&mut Tsf) -> i32,
        decode: unsafe extern "C" fn(&mut Tsf, *const Field, *mut c_void) -> i32,
    },
    Pon {
        next: unsafe extern "C" fn(&mut Pon) -> i32,
        decode: unsafe extern "C" fn(&mut Pon, *const Field, *mut c_void) -> i32,
    },
}

/// What the codecs need of a format to write it.
pub(crate) struct Writing {
    pub(crate) is_pon: bool,
    /// Writes the fields from `first` up to `last`, which ends them. `end` is the end of a PON object that only begins
    /// in them.
    pub(crate) fields: unsafe fn(*mut Out, first: *const Field, last: *const Field, from: *const u8, end: u32),
}

/// Reads a field that may have more details.
unsafe fn read(cursor: *mut Cursor, format: &Reading, field: *const Field, detail: *const Field, base: *mut u8) -> i32 {
    unsafe {
        if (*detail).kind == LW_DETAIL {
            return ((*(*detail).codec()).read)(cursor, format, field, detail, base);
        }
        let place = base.add((*field).offset.into());
        store(kind_of((*field).kind), place, (*cursor).value.cast(), (*cursor).len)
    }
}

/// Writes a field that may have more details.
unsafe fn write(out: *mut Out, format: &Writing, field: *const Field, detail: *const Field, base: *const u8) {
    unsafe {
        if (*detail).kind == LW_DETAIL {
            return ((*(*detail).codec()).write)(out, format, field, detail, base);
        }
        put(out, format, field, kind_of((*field).kind), base.add((*field).offset.into()), 0);
    }
}

/// Writes the value at a place as the field, of a plain kind.
#[inline(never)]
unsafe fn put(out: *mut Out, format: &Writing, field: *const Field, kind: u8, place: *const u8, end: u32) {
    unsafe {
        let (name, name_len) = ((*field).name, (*field).name_len);
        let table = [Field { name, offset: 0, name_len, kind }, Field { name, offset: 0, name_len: 0, kind: LW_END }];
        let first = (&raw const table).cast::<Field>();
        (format.fields)(out, first, first.add(1), place, end);
    }
}

/// Writes data as the field.
unsafe fn put_text(out: *mut Out, format: &Writing, field: *const Field, data: *const u8, len: u32) {
    unsafe {
        let text = Text { data: data.cast(), len };
        put(out, format, field, LW_TEXT, (&raw const text).cast(), 0);
    }
}

unsafe fn never_absent(_: *const Field, _: *const u8) -> u32 {
    0
}

/// LW_FIXED1 to LW_FIXED9.
#[unsafe(no_mangle)]
pub static lw_codec_fixed: Codec = Codec { read: read_fixed, write: write_fixed, absent: never_absent };

/// LW_I64 and LW_U64.
#[unsafe(no_mangle)]
pub static lw_codec_64: Codec = Codec { read: read_64, write: write_64, absent: never_absent };

/// LW_OPTIONAL: the offset of the detail is that of the mask, its number is the bit.
#[unsafe(no_mangle)]
pub static lw_codec_optional: Codec = Codec { read: read_optional, write: write_optional, absent: is_absent };

/// LW_ARRAY and LW_OBJECTS: two details. Their offsets are that of the count and the size of an item in bytes, their
/// numbers the low and the high byte of the capacity. The second one points to the fields of objects.
#[unsafe(no_mangle)]
pub static lw_codec_array: Codec = Codec { read: read_array, write: write_array, absent: never_absent };

unsafe fn decimals(field: *const Field) -> u32 {
    unsafe { ((*field).kind - LW_FIXED1 + 1).into() }
}

unsafe fn read_fixed(cursor: *mut Cursor, _: &Reading, field: *const Field, _: *const Field, base: *mut u8) -> i32 {
    unsafe { lw_fixed((*cursor).value, (*cursor).len, decimals(field), base.add((*field).offset.into()).cast()) }
}

unsafe fn write_fixed(out: *mut Out, format: &Writing, field: *const Field, _: *const Field, base: *const u8) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let value = base.add((*field).offset.into()).cast::<i32>().read();
        let start = lw_format_fixed(end.cast(), value, decimals(field)).cast::<u8>();
        put_text(out, format, field, start, gap(start, end));
    }
}

unsafe fn read_64(cursor: *mut Cursor, _: &Reading, field: *const Field, _: *const Field, base: *mut u8) -> i32 {
    unsafe {
        let (text, len, place) = ((*cursor).value, (*cursor).len, base.add((*field).offset.into()));
        if (*field).kind == LW_I64 {
            lw_i64(text, len, &mut *place.cast())
        } else {
            lw_u64(text, len, &mut *place.cast())
        }
    }
}

unsafe fn write_64(out: *mut Out, format: &Writing, field: *const Field, _: *const Field, base: *const u8) {
    unsafe {
        let mut number = base.add((*field).offset.into()).cast::<u64>().read();
        let is_negative = (*field).kind == LW_I64 && (number as i64) < 0;
        if is_negative {
            number = number.wrapping_neg();
        }
        let mut text = MaybeUninit::<[u8; 20]>::uninit();
        let end = text.as_mut_ptr().cast::<u8>().add(20);
        let mut start = end;
        // Divided by ten one byte at a time, because a device cannot divide 64 bits.
        let mut bytes = number.to_le_bytes();
        let bytes = (&raw mut bytes).cast::<u8>();
        while bytes.add(4).cast::<u32>().read_unaligned() != 0 {
            let (mut rest, mut at) = (0, 8);
            while at != 0 {
                at -= 1;
                rest = rest << 8 | u32::from(bytes.add(at).read());
                let tens = (rest * 6554) >> 16;
                bytes.add(at).write(tens as u8);
                rest -= tens * 10;
            }
            start = start.sub(1);
            start.write(rest as u8 + b'0');
        }
        // The rest has 32 bits, and no leading zero.
        start = decimal(start, u32::from_le_bytes(bytes.cast::<[u8; 4]>().read()));
        if is_negative {
            start = start.sub(1);
            start.write(b'-');
        }
        put_text(out, format, field, start, gap(start, end));
    }
}

/// The word of a mask with the bit of an optional field, and the bit.
unsafe fn mask_of(detail: *const Field, base: *const u8) -> (*mut u32, u32) {
    unsafe {
        let bit = u32::from((*detail).name_len);
        let words = base.add((*detail).offset.into()).cast::<u32>();
        (words.add(bit as usize / 32).cast_mut(), 1 << (bit % 32))
    }
}

unsafe fn is_absent(detail: *const Field, base: *const u8) -> u32 {
    unsafe {
        let (word, bit) = mask_of(detail, base);
        u32::from(*word & bit == 0)
    }
}

unsafe fn read_optional(
    cursor: *mut Cursor,
    format: &Reading,
    field: *const Field,
    detail: *const Field,
    base: *mut u8,
) -> i32 {
    unsafe {
        let code = read(cursor, format, field, detail.add(1), base);
        if code >= 0 {
            let (word, bit) = mask_of(detail, base);
            *word |= bit;
        }
        code
    }
}

unsafe fn write_optional(out: *mut Out, format: &Writing, field: *const Field, detail: *const Field, base: *const u8) {
    unsafe {
        if is_absent(detail, base) == 0 {
            write(out, format, field, detail.add(1), base);
        }
    }
}

/// An array as its details describe it.
struct Array {
    count: *mut u16,
    capacity: u32,
    /// Bytes of an item.
    size: usize,
    /// The fields of objects; otherwise null.
    fields: *const Field,
    item: Field,
    /// The first item.
    place: *mut u8,
}

impl Array {
    #[inline(always)]
    unsafe fn of(field: *const Field, detail: *const Field, base: *mut u8) -> Array {
        unsafe {
            let second = detail.add(1);
            // The types of the items follow those of the array.
            let types = (*field).name.add(usize::from((*field).name_len) + 2);
            Array {
                count: base.add((*detail).offset.into()).cast(),
                capacity: u32::from((*detail).name_len) | u32::from((*second).name_len) << 8,
                size: (*second).offset.into(),
                fields: (*second).name.cast(),
                item: Field { name: types, offset: 0, name_len: 0, kind: (*field).kind },
                place: base.add((*field).offset.into()),
            }
        }
    }
}

/// Whether there are two bytes for each TSF unit that is owed, which `lw_tsf_next` requires.
fn has_room(items: &Tsf) -> bool {
    gap(items.at.cast(), items.end.cast()) / 2 >= items.owed
}

// A cursor of PON fits in the room for one of TSF.
const _: () = assert!(size_of::<Tsf>() >= size_of::<Pon>() && align_of::<Tsf>() == align_of::<Pon>());

/// Sets a cursor to the items of the array at another cursor. Returns whether a message can have this many.
unsafe fn enter(cursor: *mut Cursor, format: &Reading, items: *mut Cursor) -> bool {
    unsafe {
        let (at, len) = ((*cursor).value, (*cursor).len);
        if matches!(format, Reading::Pon { .. }) {
            set(items.cast(), at, len, b'[' as c_char);
            return true;
        }
        let (cursor, items) = (cursor.cast::<Tsf>(), items.cast::<Tsf>());
        (*items).at = at;
        (*items).end = (*cursor).end;
        (*items).types = (*cursor).types;
        (*items).names = NO_NAMES;
        (*items).due = NO_NAMES;
        (*items).owed = len;
        has_room(&*items)
    }
}

/// Reads the next item, an object. Returns 0 after the last one.
unsafe fn next_object(items: *mut Cursor, format: &Reading, fields: *const Field, place: *mut u8) -> i32 {
    unsafe {
        match format {
            Reading::Tsf { decode, .. } => {
                let items = &mut *items.cast::<Tsf>();
                let owed = items.owed;
                if owed == 0 {
                    return 0;
                }
                let code = decode(items, fields, place.cast());
                items.owed = owed - 1;
                if code < 0 {
                    return code;
                }
                if has_room(items) { 1 } else { refused(LW_INCOMPLETE) }
            }
            Reading::Pon { decode, .. } => {
                let items = &mut *items.cast::<Pon>();
                let (at, left) = (items.at, gap(items.at.cast(), items.end.cast()));
                if left == 0 {
                    return 0;
                }
                let mut own = MaybeUninit::<Pon>::uninit();
                set(own.as_mut_ptr(), at, left, b'[' as c_char);
                let own = &mut *own.as_mut_ptr();
                let code = decode(own, fields, place.cast());
                items.at = own.at;
                if code < 0 { code } else { 1 }
            }
        }
    }
}

/// Reads the next item, of any other kind. Returns 0 after the last one.
unsafe fn next_value(
    items: *mut Cursor,
    format: &Reading,
    item: &Field,
    detail: *const Field,
    is_full: bool,
    place: *mut u8,
) -> i32 {
    unsafe {
        let (code, wanted) = match format {
            Reading::Tsf { next, .. } => (next(&mut *items.cast()), item.tsf()),
            Reading::Pon { next, .. } => (next(&mut *items.cast()), item.pon()),
        };
        if code <= 0 {
            return code;
        }
        let kind = (*items).kind as u8;
        let also = match wanted {
            b'%' => b'#',
            b'd' => b'i',
            b't' => b'f',
            other => other,
        };
        if kind != wanted && kind != also {
            return refused(LW_SCHEMA);
        }
        if is_full {
            return refused(LW_LIMIT);
        }
        let code = read(items, format, item, detail, place);
        if code < 0 { code } else { 1 }
    }
}

unsafe fn read_array(
    cursor: *mut Cursor,
    format: &Reading,
    field: *const Field,
    detail: *const Field,
    base: *mut u8,
) -> i32 {
    unsafe {
        let Array { count, capacity, size, fields, item, mut place } = Array::of(field, detail, base);
        let mut items = MaybeUninit::<Tsf>::uninit();
        let items = items.as_mut_ptr().cast::<Cursor>();
        if !enter(cursor, format, items) {
            return refused(LW_INCOMPLETE);
        }
        let mut filled = 0;
        loop {
            count.write(filled as u16);
            let is_full = filled == capacity;
            let code = if fields.is_null() || is_full {
                next_value(items, format, &item, detail.add(2), is_full, place)
            } else {
                next_object(items, format, fields, place)
            };
            if code < 0 {
                return code;
            }
            if code == 0 {
                // What follows the array begins here.
                (*cursor).value = (*items).at;
                (*cursor).len = 0;
                return 0;
            }
            place = place.add(size);
            filled += 1;
        }
    }
}

unsafe fn write_array(out: *mut Out, format: &Writing, field: *const Field, detail: *const Field, base: *const u8) {
    unsafe {
        let Array { count, capacity, size, fields, item, mut place } = Array::of(field, detail, base.cast_mut());
        let count = u32::from(*count);
        if count > capacity {
            // No buffer has room for this, so the message is refused.
            return put_text(out, format, field, place, u32::MAX);
        }
        let mut step = size;
        let end = written(out);
        if format.is_pon {
            // The last item is written first.
            place = place.wrapping_add(count as usize * size).wrapping_sub(size);
            step = size.wrapping_neg();
        } else {
            put_text(out, format, field, core::ptr::null(), count);
        }
        let mut left = count;
        while left != 0 {
            if fields.is_null() {
                write(out, format, &item, detail.add(2), place);
            } else {
                write_object(out, format, &item, fields, place);
            }
            place = place.wrapping_add(step);
            left -= 1;
        }
        if format.is_pon {
            put(out, format, field, LW_OBJECT_OF, place, end);
        }
    }
}

/// Writes an item that is an object.
unsafe fn write_object(out: *mut Out, format: &Writing, item: *const Field, fields: *const Field, place: *const u8) {
    unsafe {
        let (after, members) = end_of_object(fields, place);
        let end = written(out);
        if !format.is_pon {
            put_text(out, format, item, core::ptr::null(), members);
        }
        (format.fields)(out, fields, after.sub(1), place, 0);
        if format.is_pon {
            put(out, format, item, LW_OBJECT_OF, place, end);
        }
    }
}

/// The number of bytes written, which is the end of a PON object.
unsafe fn written(out: *const Out) -> u32 {
    unsafe { (*out).len.wrapping_add((*out).elsewhere) }
}
