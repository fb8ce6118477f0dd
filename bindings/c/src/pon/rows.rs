//! A message as a table.

use crate::pon::cursor::Pon;
use crate::pon::fill::read;
use crate::row::{Row, Row8};

/// Reads the message at an open cursor, with everything in its containers, into `capacity` rows; the outermost value is
/// the first row. A message of n bytes needs at most LW_PON_ROWS(n) rows. Types are the characters of PON.
///
/// Returns the number of rows filled, and `at` is the end of the message; LW_LIMIT if there are fewer rows than the
/// message needs; otherwise what `lw_pon_next` returns, with the cursor at the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_rows(cursor: &mut Pon, rows: *mut Row, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}

/// `lw_pon_rows` into rows of 8 bytes: LW_LIMIT also for messages of 64 KiB or more, and names of 128 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_rows8(cursor: &mut Pon, rows: *mut Row8, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}
