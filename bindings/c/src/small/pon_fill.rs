//! Rows are filled, in the least flash: containers wait in them until it is their turn.

use core::ffi::c_char;

use crate::bytes::{gap, kept, late, plain};
use crate::code::{LW_LIMIT, refused};
use crate::pon::cursor::{Pon, lw_pon_next, place};
use crate::row::{LW_ROW_STRUCTURED, LW_ROW8_STRUCTURED, Row, Row8, Slot};

/// A row that may be a container which waits, or whose values are being read.
pub(crate) trait Waiting: Slot {
    /// As [`Slot::set_name`].
    fn set_key(&mut self, name: u32, name_len: u32, escaped: u32, kind: u8, is_container: u32);
    /// Whether it is a container.
    fn is_container(&self) -> bool;
    /// Its type.
    fn kind(&self) -> u8;
    /// Where its data begins, or which row is the first in it.
    fn value(&self) -> u32;
    /// Bytes of its data.
    fn len(&self) -> u32;
    /// One row more is in it.
    fn count(&mut self);
}

impl Waiting for Row {
    #[inline(always)]
    fn set_key(&mut self, name: u32, name_len: u32, escaped: u32, kind: u8, is_container: u32) {
        let flags = kept(kept((name_len << 1) + escaped) << 1) + is_container;
        self.tag = (kept(flags) << 8) + u32::from(kind);
        self.name = name;
    }

    #[inline(always)]
    fn is_container(&self) -> bool {
        self.tag & LW_ROW_STRUCTURED != 0
    }

    #[inline(always)]
    fn kind(&self) -> u8 {
        let tag = &raw const self.tag;
        unsafe { if cfg!(target_endian = "little") { late(tag.cast()) } else { late(tag) as u8 } }
    }

    #[inline(always)]
    fn value(&self) -> u32 {
        self.value
    }

    #[inline(always)]
    fn len(&self) -> u32 {
        self.len
    }

    #[inline(always)]
    fn count(&mut self) {
        self.len += 1;
    }
}

impl Waiting for Row8 {
    #[inline(always)]
    fn set_key(&mut self, name: u32, name_len: u32, escaped: u32, kind: u8, is_container: u32) {
        self.set_name(name, name_len, escaped, kind, is_container);
    }

    #[inline(always)]
    fn is_container(&self) -> bool {
        self.kind & LW_ROW8_STRUCTURED != 0
    }

    #[inline(always)]
    fn kind(&self) -> u8 {
        self.kind & !LW_ROW8_STRUCTURED
    }

    #[inline(always)]
    fn value(&self) -> u32 {
        self.value.into()
    }

    #[inline(always)]
    fn len(&self) -> u32 {
        self.len.into()
    }

    #[inline(always)]
    fn count(&mut self) {
        self.len += 1;
    }
}

/// [`lw_pon_rows`](crate::pon::rows::lw_pon_rows).
#[inline(always)]
pub(crate) unsafe fn read<S: Waiting>(cursor: &mut Pon, rows: *mut S, capacity: u32) -> i32 {
    unsafe {
        let cursor = &raw mut *cursor;
        let message = (*cursor).at;
        'limit: {
            if capacity == 0 || gap(message.cast(), (*cursor).end.cast()) > S::MAX_MESSAGE {
                break 'limit;
            }
            let mut after = message;
            // The row in front of the one whose turn it is, and the next one to be filled.
            let mut turn = rows.wrapping_sub(1);
            let mut row = rows;
            let mut filled = 0;
            // Of a cursor in a container, the next value: no row is in front of the first.
            (*cursor).inside = 0;
            loop {
                let code = lw_pon_next(&mut *cursor);
                if code < 0 {
                    return code;
                }
                if code != 0 {
                    let name_len = (*cursor).key_len;
                    if filled == capacity || name_len > S::MAX_NAME {
                        break 'limit;
                    }
                    let kind = (*cursor).kind as u8;
                    // Of all types those of containers alone have five lower bits that 5 more overflow.
                    let above = kept(u32::from(kind) + 5) ^ u32::from(kind);
                    let is_container = kept(above << 26) >> 31;
                    let name = gap(message.cast(), (*cursor).key.cast());
                    (*row).set_key(name, name_len, (*cursor).escaped.into(), kind, is_container);
                    (*row).set_data(gap(message.cast(), (*cursor).value.cast()), (*cursor).len);
                    row = plain(row.add(1).cast()).cast_mut().cast();
                    filled = kept(filled + 1);
                    if (*cursor).inside != 0 {
                        (*turn).count();
                        continue;
                    }
                    after = (*cursor).at;
                }
                loop {
                    turn = plain(turn.wrapping_add(1).cast()).cast_mut().cast();
                    if turn == row {
                        (*cursor).at = after;
                        return filled as i32;
                    }
                    if (*turn).is_container() {
                        break;
                    }
                }
                place(cursor, message.add((*turn).value() as usize), (*turn).len(), (*turn).kind() as c_char);
                (*turn).set_data(filled, 0);
            }
        }
        refused(LW_LIMIT)
    }
}
