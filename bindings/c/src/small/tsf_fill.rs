//! Rows are filled, in the least flash: by the cursor, each from what it tells.
//!
//! No stack is needed at any depth: each row keeps, until it is filled, which one comes after it.

use crate::bytes::{FEW_REGISTERS, gap, kept, plain};
use crate::code::{LW_LIMIT, refused};
use crate::row::{Row, Row8, Slot};
use crate::tsf::cursor::{Tsf, lw_tsf_next};
use crate::types::{LW_DATA, LW_UNITS};

/// A row that keeps which one comes after it.
pub(crate) trait Linked: Slot {
    /// Keeps a row.
    fn set_next(&mut self, rows: *mut Self, next: *mut Self);
    /// The row that is kept.
    fn next(&self, rows: *mut Self) -> *mut Self;
    /// Sets the name, and what kind of unit it is: `head` has its type in the lowest eight bits, and above what it holds.
    fn set_head(&mut self, name: u32, name_len: u32, escaped: u32, head: u32);
}

/// From where on a row of 16 bytes counts, where a pointer has no room in it.
#[inline(always)]
fn base(rows: *mut Row) -> usize {
    if size_of::<usize>() > size_of::<u32>() { rows as usize } else { 0 }
}

impl Linked for Row {
    #[inline(always)]
    fn set_next(&mut self, rows: *mut Row, next: *mut Row) {
        self.value = (next as usize - base(rows)) as u32;
    }

    #[inline(always)]
    fn next(&self, rows: *mut Row) -> *mut Row {
        (base(rows) + self.value as usize) as *mut Row
    }

    #[inline(always)]
    fn set_head(&mut self, name: u32, name_len: u32, escaped: u32, head: u32) {
        // A unit of data has this in place of nothing.
        let above = kept(((name_len << 2) + (escaped << 1)).wrapping_sub(LW_DATA.into()));
        self.tag = head.wrapping_add(above << 8);
        self.name = name;
    }
}

impl Linked for Row8 {
    #[inline(always)]
    fn set_next(&mut self, rows: *mut Row8, next: *mut Row8) {
        self.value = (gap(rows.cast(), next.cast()) / size_of::<Row8>() as u32) as u16;
    }

    #[inline(always)]
    fn next(&self, rows: *mut Row8) -> *mut Row8 {
        rows.wrapping_add(self.value.into())
    }

    #[inline(always)]
    fn set_head(&mut self, name: u32, name_len: u32, escaped: u32, head: u32) {
        self.set_name(name, name_len, escaped, head as u8, (head >> 8) / u32::from(LW_UNITS));
    }
}

/// [`lw_tsf_rows`](crate::tsf::rows::lw_tsf_rows).
#[inline(always)]
pub(crate) unsafe fn read<S: Linked>(cursor: &mut Tsf, rows: *mut S, capacity: u32) -> i32 {
    unsafe {
        let cursor = &raw mut *cursor;
        let message = (*cursor).at.cast::<u8>();
        'limit: {
            if S::MAX_MESSAGE != u32::MAX && gap(message, (*cursor).end.cast()) > S::MAX_MESSAGE {
                break 'limit;
            }
            // The row to be filled, how many are needed for a run in front of it, and how many are taken.
            let mut row = rows;
            let mut run = 1;
            let mut taken = 0;
            loop {
                taken += run;
                if taken > capacity {
                    break 'limit;
                }
                let mut last = rows.add(taken as usize);
                while run != 0 {
                    last = plain(last.sub(1).cast()).cast_mut().cast();
                    (*last).set_next(rows, row);
                    row = last;
                    run -= 1;
                }
                let mut code = lw_tsf_next(&mut *cursor);
                if code <= 0 {
                    if code == 0 {
                        code = kept(taken) as i32;
                    }
                    return code;
                }
                let name_len = (*cursor).name_len;
                if name_len > S::MAX_NAME {
                    break 'limit;
                }
                let filled = row;
                row = (*filled).next(rows);
                let name = (*cursor).name.cast::<u8>();
                // 2 of a `"`, 3 of a digit.
                let escaped = 3 - kept(u32::from(*name.sub(1) >> 4));
                let head = if cfg!(target_endian = "little") {
                    kept((&raw const (*cursor).kind).cast::<u16>().read().into())
                } else {
                    u32::from((*cursor).kind as u8) | u32::from((*cursor).holds) << 8
                };
                (*filled).set_head(gap(message, name), name_len, escaped, head);
                let mut value = kept(gap(message, (*cursor).value.cast()));
                let len = (*cursor).len;
                let is_units = (head >> 8) / u32::from(LW_UNITS);
                // Elsewhere what `head` would be compared with took a register.
                let asked = if FEW_REGISTERS { is_units } else { kept(is_units) };
                if asked != 0 {
                    value = taken;
                }
                run = len * is_units;
                (*filled).set_data(value, len);
            }
        }
        refused(LW_LIMIT)
    }
}
