//! A message in several buffers, one after another.
//!
//! No buffer is kept. Truncated data is returned in parts. A truncated head is read again together with the next
//! buffer, so the caller must copy these few bytes over. The bytes left in each open container are stored in memory of
//! the caller.

use core::ffi::c_void;

use crate::bytes::{character_len, gap};
use crate::code::{LW_INCOMPLETE, LW_LIMIT, LW_SYNTAX};
use crate::pon::cursor::{Pon, has_length, lw_pon_open};
use crate::tsf::cursor::LONGEST;

/// A reader of a message in several buffers.
#[repr(C)]
#[derive(Debug)]
pub struct PonParts {
    /// The value, as in a cursor, except that only `here` bytes of its data are at `value`. Names are not looked for.
    pub unit: Pon,
    /// Bytes of the value's data in this buffer.
    pub here: u32,
    /// Bytes of the value's data in later buffers.
    pub pending: u32,
    /// For each open container, the bytes left in it; the highest bit marks an object.
    pub open: *mut u32,
    /// The most containers that may be open.
    pub capacity: u32,
    /// The number of open containers.
    pub depth: u32,
    /// Whether the outermost value has begun.
    pub begun: bool,
}

/// In the bytes left in a container: it is an object.
const OBJECT: u32 = 1 << 31;

/// Begins a message, before its first buffer. `open` has room for `capacity` nested containers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_parts_open(parts: &mut PonParts, open: *mut u32, capacity: u32) {
    unsafe { lw_pon_open(&mut parts.unit, core::ptr::null(), 0) };
    (parts.here, parts.pending, parts.depth, parts.begun) = (0, 0, 0, false);
    (parts.open, parts.capacity) = (open, capacity);
}

/// Adds the next buffer: `len` bytes, which begin with those left over from the previous one (`unit.at` to `unit.end`
/// after LW_INCOMPLETE). These are the start of a head, which is as long as the name in it: refuse the message if they fill
/// the buffer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_parts_add(parts: &mut PonParts, buffer: *const c_void, len: u32) {
    parts.unit.at = buffer.cast();
    parts.unit.end = parts.unit.at.wrapping_add(len as usize);
}

/// Moves to the next value, or to the next part of the data of the current one.
///
/// Returns 1 at a value; after a container, its values follow, up to a 3; 2 at a further part of its data; 3 at the end
/// of a container; 0 after the message; LW_INCOMPLETE if the buffer is used up, except for the bytes to carry over;
/// LW_SYNTAX; or LW_LIMIT if containers are nested deeper than there is room for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_parts_next(parts: &mut PonParts) -> i32 {
    unsafe {
        let here = gap(parts.unit.at.cast(), parts.unit.end.cast());
        if parts.pending != 0 {
            if here == 0 {
                return LW_INCOMPLETE;
            }
            parts.unit.value = parts.unit.at;
            take(parts, here);
            return 2;
        }
        let (mut left, mut inside) = (LONGEST, 0);
        if parts.depth != 0 {
            let top = *parts.open.add(parts.depth as usize - 1);
            (left, inside) = (top & !OBJECT, if top & OBJECT != 0 { b'{' } else { b'[' });
            if left == 0 {
                parts.depth -= 1;
                return 3;
            }
        } else if parts.begun {
            return 0;
        }
        let code = head(&mut parts.unit, inside, here.min(left), if here < left { LW_INCOMPLETE } else { LW_SYNTAX });
        if code < 0 {
            return code;
        }
        let head = code as u32;
        let (kind, len) = (parts.unit.kind as u8, parts.unit.len);
        if len > left - head {
            return LW_SYNTAX;
        }
        let is_container = kind | 0x20 == b'{';
        if is_container && parts.depth == parts.capacity {
            return LW_LIMIT;
        }
        if parts.depth != 0 {
            *parts.open.add(parts.depth as usize - 1) -= head + len;
        }
        parts.begun = true;
        parts.here = 0;
        parts.unit.at = parts.unit.value;
        if is_container {
            parts.open.add(parts.depth as usize).write(len | if kind == b'{' { OBJECT } else { 0 });
            parts.depth += 1;
        } else {
            parts.pending = len;
            take(parts, here - head);
        }
        1
    }
}

/// Reads the key, the length and the type of a value with `limit` bytes in this buffer. Returns their size; `short` if
/// there are too few.
unsafe fn head(unit: &mut Pon, inside: u8, limit: u32, short: i32) -> i32 {
    unsafe {
        let start = unit.at.cast::<u8>();
        let byte = |i: u32| *start.add(i as usize);
        let mut i = 0;
        unit.inside = inside as _;
        unit.key = unit.at;
        unit.key_len = 0;
        unit.escaped = false;
        if inside == b'{' {
            while i < limit && byte(i) != b':' {
                if byte(i) == b'\\' {
                    unit.escaped = true;
                    i += 1;
                    if i < limit && byte(i) != b':' && byte(i) != b'\\' {
                        return LW_SYNTAX;
                    }
                }
                i += 1;
            }
            unit.key_len = i;
            i += 1;
        }
        if i >= limit {
            return short;
        }
        let mut kind = byte(i);
        i += 1;
        let mut len = u32::from(kind).wrapping_sub(48);
        if len <= 9 {
            loop {
                if i == limit {
                    return short;
                }
                kind = byte(i);
                i += 1;
                let digit = u32::from(kind).wrapping_sub(48);
                if digit > 9 {
                    break;
                }
                if len == 0 {
                    return LW_SYNTAX;
                }
                if len > LONGEST / 10 {
                    return LW_LIMIT;
                }
                len = len * 10 + digit;
            }
            if !has_length(kind.into()) {
                return LW_SYNTAX;
            }
        } else {
            len = match kind {
                b'u' => 0,
                b'b' => 1,
                // The data of a boolean is its type.
                b't' | b'f' => {
                    i -= 1;
                    1
                }
                b'c' if i == limit => return short,
                b'c' => match character_len(start.add(i as usize), limit - i) {
                    ..0 => return short,
                    0 => return LW_SYNTAX,
                    len => len as u32,
                },
                _ => return LW_SYNTAX,
            };
        }
        unit.kind = kind as _;
        unit.value = unit.at.add(i as usize);
        unit.len = len;
        i as i32
    }
}

/// Takes the part of the pending data in this buffer.
fn take(parts: &mut PonParts, here: u32) {
    parts.here = here.min(parts.pending);
    parts.pending -= parts.here;
    parts.unit.at = parts.unit.at.wrapping_add(parts.here as usize);
}
