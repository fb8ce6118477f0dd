//! A message as a table.
//!
//! No stack is needed at any depth: the last row of a run, until it is filled, keeps where to go on
//! after the run.

use crate::bytes::gap;
use crate::code::LW_LIMIT;
use crate::row::{Row, Row8, Slot, Unit};
use crate::tsf::cursor::{Tsf, lw_tsf_next};

/// Reads the message at an open cursor into `capacity` rows; the outermost unit is the first. A message of
/// n bytes needs LW_TSF_ROWS(n) rows at the most.
///
/// Returns how many rows are filled; LW_LIMIT where there are fewer than the message needs; otherwise
/// what `lw_tsf_next` returns, the cursor being where the fault is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_rows(cursor: &mut Tsf, rows: *mut Row, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}

/// `lw_tsf_rows` into rows of 8 bytes: LW_LIMIT also for messages of 64 KiB or more, and names of 128 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_rows8(cursor: &mut Tsf, rows: *mut Row8, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}

#[inline(always)]
unsafe fn read<S: Slot>(cursor: &mut Tsf, rows: *mut S, capacity: u32) -> i32 {
    unsafe {
        let message = cursor.at.cast::<u8>();
        let mut free = 1;
        let (mut at, mut end) = (0, 1);
        if capacity == 0 || gap(message, cursor.end.cast()) > S::MAX_MESSAGE {
            return LW_LIMIT;
        }
        rows.write(S::link(0, 0));
        loop {
            let code = lw_tsf_next(cursor);
            if code <= 0 {
                return if code < 0 { code } else { free as i32 };
            }
            let extended = cursor.is_extended();
            let name_len = cursor.name_len + u32::from(extended);
            if name_len > S::MAX_NAME {
                return LW_LIMIT;
            }
            let row = rows.add(at as usize);
            at += 1;
            if at == end {
                (at, end) = (*row).linked();
            }
            let mut value = gap(message, cursor.value.cast());
            if cursor.is_structured() {
                value = free;
                let units = cursor.len;
                if units != 0 {
                    free += units;
                    if free > capacity {
                        return LW_LIMIT;
                    }
                    rows.add(free as usize - 1).write(S::link(at, end));
                    (at, end) = (value, free);
                }
            }
            row.write(S::of(Unit {
                kind: cursor.kind as u8,
                structured: cursor.is_structured(),
                escaped: extended,
                name: gap(message, cursor.name.cast()) - u32::from(extended),
                name_len,
                value,
                len: cursor.len,
            }));
        }
    }
}
