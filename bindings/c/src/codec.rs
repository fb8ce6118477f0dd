//! Kinds of fields that not every program has: decimals, 64-bit integers, optional fields, arrays.
//!
//! The entry of such a field has the bit `LW_CODED` in its kind, and the entries after it are its details. The first one
//! points to the codec, so the linker drops every codec that no table names.

use core::ffi::c_char;
use core::mem::MaybeUninit;

use crate::bytes::{Cursor, gap};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SCHEMA, refused};
use crate::field::{Field, LW_DETAIL, LW_END, LW_FIXED1, LW_I64, LW_OBJECT_OF, LW_TEXT, Text, behind, kind_of, store};
use crate::number::{lw_fixed, lw_i64, lw_u64};
use crate::out::{Number, Out, lw_format_fixed};
use crate::pon::cursor::{Pon, set};
use crate::text::decimal;
use crate::tsf::cursor::Tsf;
use crate::wanted::NO_NAMES;

/// Reads and writes fields of a kind that not every program has. Opaque: tables of fields point to it.
#[derive(Debug)]
pub struct Codec {
    /// Reads the field of a table whose unit the cursor is at. On success, data ends `len` bytes after `value`.
    pub(crate) read: unsafe fn(cursor: *mut Cursor, format: &Reading, field: *const Field, base: *mut u8) -> i32,
    /// Writes the field of a table.
    pub(crate) write: unsafe fn(out: *mut Out, format: &Writing, field: *const Field, base: *const u8),
    /// How many members the field is less than one: 1, where it is optional and not present.
    pub(crate) absent: unsafe fn(detail: *const Field, base: *const u8) -> u32,
    read_value: unsafe fn(cursor: *mut Cursor, format: &Reading, value: &Value) -> i32,
    write_value: unsafe fn(out: *mut Out, format: &Writing, value: &Value),
}

/// What the codecs need of a format to read it.
pub(crate) struct Reading {
    pub(crate) is_pon: bool,
    /// Goes to the next unit: `lw_tsf_next`, `lw_pon_next`.
    pub(crate) next: unsafe fn(*mut Cursor) -> i32,
    /// Reads the object that the cursor is at into a struct.
    pub(crate) object: unsafe fn(*mut Cursor, fields: *const Field, into: *mut u8) -> i32,
}

/// What the codecs need of a format to write it.
pub(crate) struct Writing {
    pub(crate) is_pon: bool,
    /// Writes the fields from `first` up to `last`, which ends them. `end` is where an object of PON ends that only begins in
    /// them.
    pub(crate) fields: unsafe fn(*mut Out, first: *const Field, last: *const Field, from: *const u8, end: u32),
}

/// A value of a field: the field itself, or an item of its array.
struct Value {
    /// The name, and behind it the types of both formats.
    name: *const c_char,
    name_len: u8,
    kind: u8,
    /// The next one of the field's details, if there is one.
    detail: *const Field,
    place: *mut u8,
    /// The struct that the field is in.
    base: *mut u8,
}

impl Value {
    unsafe fn of(field: *const Field, base: *mut u8) -> Value {
        unsafe {
            Value {
                name: (*field).name,
                name_len: (*field).name_len,
                kind: kind_of((*field).kind),
                detail: field.add(1),
                place: base.add((*field).offset.into()),
                base,
            }
        }
    }

    unsafe fn codec(&self) -> Option<&Codec> {
        unsafe { if (*self.detail).kind == LW_DETAIL { (*self.detail).name.cast::<Codec>().as_ref() } else { None } }
    }

    unsafe fn read(&self, cursor: *mut Cursor, format: &Reading) -> i32 {
        unsafe {
            match self.codec() {
                Some(codec) => (codec.read_value)(cursor, format, self),
                None => store(self.kind, self.place, (*cursor).value.cast(), (*cursor).len),
            }
        }
    }

    unsafe fn write(&self, out: *mut Out, format: &Writing) {
        unsafe {
            match self.codec() {
                Some(codec) => (codec.write_value)(out, format, self),
                None => self.put(out, format, self.kind, self.place, 0),
            }
        }
    }

    /// Writes a field of a plain kind.
    unsafe fn put(&self, out: *mut Out, format: &Writing, kind: u8, place: *const u8, end: u32) {
        unsafe {
            let own = Field { name: self.name, offset: 0, name_len: self.name_len, kind };
            let table = [own, Field { name: self.name, offset: 0, name_len: 0, kind: LW_END }];
            let first = (&raw const table).cast::<Field>();
            (format.fields)(out, first, first.add(1), place, end);
        }
    }

    /// Writes data as text.
    unsafe fn put_text(&self, out: *mut Out, format: &Writing, data: *const u8, len: u32) {
        unsafe {
            let text = Text { data: data.cast(), len };
            self.put(out, format, LW_TEXT, (&raw const text).cast(), 0);
        }
    }
}

unsafe fn read_field(cursor: *mut Cursor, format: &Reading, field: *const Field, base: *mut u8) -> i32 {
    unsafe { Value::of(field, base).read(cursor, format) }
}

unsafe fn write_field(out: *mut Out, format: &Writing, field: *const Field, base: *const u8) {
    unsafe { Value::of(field, base.cast_mut()).write(out, format) }
}

unsafe fn never_absent(_: *const Field, _: *const u8) -> u32 {
    0
}

const fn codec(
    read_value: unsafe fn(*mut Cursor, &Reading, &Value) -> i32,
    write_value: unsafe fn(*mut Out, &Writing, &Value),
    absent: unsafe fn(*const Field, *const u8) -> u32,
) -> Codec {
    Codec { read: read_field, write: write_field, absent, read_value, write_value }
}

/// LW_FIXED1 to LW_FIXED9.
#[unsafe(no_mangle)]
pub static lw_codec_fixed: Codec = codec(read_fixed, write_fixed, never_absent);

/// LW_I64 and LW_U64.
#[unsafe(no_mangle)]
pub static lw_codec_64: Codec = codec(read_64, write_64, never_absent);

/// LW_OPTIONAL: the offset of the detail is that of the mask, its number is the bit.
#[unsafe(no_mangle)]
pub static lw_codec_optional: Codec = codec(read_optional, write_optional, is_absent);

/// LW_ARRAY and LW_OBJECTS: two details. Their offsets are that of the count and the bytes of an item, their numbers the low
/// and the high byte of the capacity. The second one points to the fields of objects.
#[unsafe(no_mangle)]
pub static lw_codec_array: Codec = codec(read_array, write_array, never_absent);

fn decimals(kind: u8) -> u32 {
    (kind - LW_FIXED1 + 1).into()
}

unsafe fn read_fixed(cursor: *mut Cursor, _: &Reading, value: &Value) -> i32 {
    unsafe { lw_fixed((*cursor).value, (*cursor).len, decimals(value.kind), value.place.cast()) }
}

unsafe fn write_fixed(out: *mut Out, format: &Writing, value: &Value) {
    unsafe {
        let mut number = Number::new();
        let end = number.end();
        let start = lw_format_fixed(end.cast(), value.place.cast::<i32>().read(), decimals(value.kind)).cast::<u8>();
        value.put_text(out, format, start, gap(start, end));
    }
}

unsafe fn read_64(cursor: *mut Cursor, _: &Reading, value: &Value) -> i32 {
    unsafe {
        let (text, len) = ((*cursor).value, (*cursor).len);
        if value.kind == LW_I64 {
            lw_i64(text, len, &mut *value.place.cast())
        } else {
            lw_u64(text, len, &mut *value.place.cast())
        }
    }
}

unsafe fn write_64(out: *mut Out, format: &Writing, value: &Value) {
    unsafe {
        let mut number = value.place.cast::<u64>().read();
        let is_negative = value.kind == LW_I64 && (number as i64) < 0;
        if is_negative {
            number = number.wrapping_neg();
        }
        let mut text = MaybeUninit::<[u8; 20]>::uninit();
        let end = text.as_mut_ptr().cast::<u8>().add(20);
        let mut start = end;
        // Divided by ten a byte at a time, because a device divides no 64 bits.
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
        // What is left has 32 bits, and begins with no zero.
        start = decimal(start, u32::from_le_bytes(bytes.cast::<[u8; 4]>().read()));
        if is_negative {
            start = start.sub(1);
            start.write(b'-');
        }
        value.put_text(out, format, start, gap(start, end));
    }
}

/// The word of a mask that has the bit of an optional field, and the bit.
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

unsafe fn read_optional(cursor: *mut Cursor, format: &Reading, value: &Value) -> i32 {
    unsafe {
        let code = Value { detail: value.detail.add(1), ..*value }.read(cursor, format);
        if code >= 0 {
            let (word, bit) = mask_of(value.detail, value.base);
            *word |= bit;
        }
        code
    }
}

unsafe fn write_optional(out: *mut Out, format: &Writing, value: &Value) {
    unsafe {
        if is_absent(value.detail, value.base) == 0 {
            Value { detail: value.detail.add(1), ..*value }.write(out, format);
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
    /// The first item.
    item: Value,
}

impl Array {
    unsafe fn of(value: &Value) -> Array {
        unsafe {
            let (first, second) = (value.detail, value.detail.add(1));
            Array {
                count: value.base.add((*first).offset.into()).cast(),
                capacity: u32::from((*first).name_len) | u32::from((*second).name_len) << 8,
                size: (*second).offset.into(),
                fields: (*second).name.cast(),
                item: Value {
                    name: value.name.add(usize::from(value.name_len) + 2),
                    name_len: 0,
                    detail: value.detail.add(2),
                    ..*value
                },
            }
        }
    }
}

/// A cursor over the items of an array.
union Items {
    tsf: core::mem::ManuallyDrop<Tsf>,
    pon: Pon,
}

/// Whether there are two bytes for each unit of TSF that is owed, which `lw_tsf_next` relies on.
fn has_room(at: *const c_char, end: *const c_char, owed: u32) -> bool {
    gap(at.cast(), end.cast()) / 2 >= owed
}

unsafe fn read_array(cursor: *mut Cursor, format: &Reading, value: &Value) -> i32 {
    unsafe {
        let Array { count, capacity, size, fields, mut item } = Array::of(value);
        let mut items = MaybeUninit::<Items>::uninit();
        let items = items.as_mut_ptr();
        let (at, len) = ((*cursor).value, (*cursor).len);
        if format.is_pon {
            set((&raw mut (*items).pon).cast(), at, len, b'[' as c_char);
        } else {
            if !has_room(at, (*cursor).end, len) {
                return refused(LW_INCOMPLETE);
            }
            let cursor = cursor.cast::<Tsf>();
            let items = (&raw mut (*items).tsf).cast::<Tsf>();
            (*items).at = at;
            (*items).end = (*cursor).end;
            (*items).types = (*cursor).types;
            (*items).names = NO_NAMES;
            (*items).due = NO_NAMES;
            (*items).owed = len;
        }
        let items = items.cast::<Cursor>();
        let mut filled = 0;
        loop {
            count.write(filled as u16);
            let mut code = (format.next)(items);
            if code <= 0 {
                // What follows the array begins there.
                (*cursor).value = (*items).at;
                (*cursor).len = 0;
                return code;
            }
            let kind = (*items).kind as u8;
            let wanted = *item.name.add(format.is_pon.into()) as u8;
            let also = match wanted {
                b'%' => b'#',
                b'd' => b'i',
                b't' => b'f',
                other => other,
            };
            if kind != wanted && kind != also {
                return refused(LW_SCHEMA);
            }
            if filled == capacity {
                return refused(LW_LIMIT);
            }
            if fields.is_null() {
                code = item.read(items, format);
            } else if format.is_pon {
                code = (format.object)(items, fields, item.place);
            } else {
                let items = items.cast::<Tsf>();
                // The units in the object are read, and no longer owed.
                let owed = (*items).owed - (*items).len;
                code = (format.object)(items.cast(), fields, item.place);
                (*items).owed = owed;
                if code >= 0 && !has_room((*items).at, (*items).end, owed) {
                    return refused(LW_INCOMPLETE);
                }
            }
            if code < 0 {
                return code;
            }
            item.place = item.place.add(size);
            filled += 1;
        }
    }
}

unsafe fn write_array(out: *mut Out, format: &Writing, value: &Value) {
    unsafe {
        let Array { count, capacity, size, fields, mut item } = Array::of(value);
        let count = u32::from(*count).min(capacity);
        let end = (*out).len.wrapping_add((*out).elsewhere);
        if !format.is_pon {
            value.put_text(out, format, core::ptr::null(), count);
        } else {
            // The last item is written first.
            item.place = item.place.add(count as usize * size).wrapping_sub(size);
        }
        let mut left = count;
        while left != 0 {
            if fields.is_null() {
                item.write(out, format);
            } else {
                write_object(out, format, &item, fields);
            }
            let step = if format.is_pon { size.wrapping_neg() } else { size };
            item.place = item.place.wrapping_add(step);
            left -= 1;
        }
        if format.is_pon {
            value.put(out, format, LW_OBJECT_OF, value.place, end);
        }
    }
}

/// Writes an item that is an object.
unsafe fn write_object(out: *mut Out, format: &Writing, item: &Value, fields: *const Field) {
    unsafe {
        let (after, members) = behind(fields, item.place);
        let end = (*out).len.wrapping_add((*out).elsewhere);
        if !format.is_pon {
            item.put_text(out, format, core::ptr::null(), members);
        }
        (format.fields)(out, fields, after.sub(1), item.place, 0);
        if format.is_pon {
            item.put(out, format, LW_OBJECT_OF, item.place, end);
        }
    }
}
