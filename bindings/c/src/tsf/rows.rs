//! A message as a table.

use crate::row::{Row, Row8};
use crate::tsf::cursor::Tsf;
use crate::tsf::fill::read;

/// Reads the message at an open cursor into `capacity` rows; the outermost unit is the first row. A message of n bytes
/// needs at most LW_TSF_ROWS(n) rows.
///
/// Returns the number of rows filled; LW_LIMIT if there are fewer than the message needs; otherwise what `lw_tsf_next`
/// returns, with the cursor at the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_rows(cursor: &mut Tsf, rows: *mut Row, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}

/// `lw_tsf_rows` into rows of 8 bytes: LW_LIMIT also for messages of 64 KiB or more, and names of 128 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_rows8(cursor: &mut Tsf, rows: *mut Row8, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}
