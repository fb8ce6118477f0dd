//! A message as a table: containers wait in the rows until it is their turn.

use crate::bytes::gap;
use crate::code::LW_LIMIT;
use crate::pon::cursor::{Pon, lw_pon_enter, lw_pon_next};
use crate::row::{LW_ROW_STRUCTURED, LW_ROW8_STRUCTURED, Row, Row8, Slot};

/// Reads the message at an open cursor, with all that is in its containers, into `capacity` rows; the
/// outermost value is the first. A message of n bytes needs LW_PON_ROWS(n) rows at the most. Types are
/// the characters of PON.
///
/// Returns how many rows are filled, and `at` is where the message ends; LW_LIMIT where there are fewer
/// rows than the message needs; otherwise what `lw_pon_next` returns, the cursor being where the fault is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_rows(cursor: &mut Pon, rows: *mut Row, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}

/// `lw_pon_rows` into rows of 8 bytes: LW_LIMIT also for messages of 64 KiB or more, and names of 128 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_rows8(cursor: &mut Pon, rows: *mut Row8, capacity: u32) -> i32 {
    unsafe { read(cursor, rows, capacity) }
}

/// A row that may be a container which waits: its data, until its values are rows.
trait Waiting: Slot {
    /// Type, place and bytes of a container.
    fn container(self) -> Option<(u8, u32, u32)>;
}

impl Waiting for Row {
    #[inline(always)]
    fn container(self) -> Option<(u8, u32, u32)> {
        (self.tag & LW_ROW_STRUCTURED != 0).then_some((self.tag as u8, self.value, self.len))
    }
}

impl Waiting for Row8 {
    #[inline(always)]
    fn container(self) -> Option<(u8, u32, u32)> {
        let kind = self.kind;
        (kind & LW_ROW8_STRUCTURED != 0).then_some((kind & 0x7F, self.value.into(), self.len.into()))
    }
}

#[inline(always)]
unsafe fn read<S: Waiting>(cursor: &mut Pon, rows: *mut S, capacity: u32) -> i32 {
    unsafe {
        let message = cursor.at;
        if capacity == 0 || gap(message.cast(), cursor.end.cast()) > S::MAX_MESSAGE {
            return LW_LIMIT;
        }
        let (mut free, mut turn) = (0, 0);
        let mut after = message;
        loop {
            let first = free;
            loop {
                let code = lw_pon_next(cursor);
                if code < 0 {
                    return code;
                }
                if code == 0 {
                    break;
                }
                if free == capacity || cursor.key_len > S::MAX_NAME {
                    return LW_LIMIT;
                }
                let kind = cursor.kind as u8;
                let row = rows.add(free as usize);
                (*row).set_name(
                    gap(message.cast(), cursor.key.cast()),
                    cursor.key_len,
                    u32::from(cursor.escaped && cursor.key_len != 0),
                    kind,
                    u32::from(kind | 0x20 == b'{'),
                );
                (*row).set_data(gap(message.cast(), cursor.value.cast()), cursor.len);
                free += 1;
                if cursor.inside == 0 {
                    after = cursor.at;
                    break;
                }
            }
            if cursor.inside != 0 {
                (*rows.add(turn as usize)).set_data(first, free - first);
                turn += 1;
            }
            loop {
                if turn == free {
                    cursor.at = after;
                    return free as i32;
                }
                if let Some((kind, value, len)) = (*rows.add(turn as usize)).container() {
                    cursor.kind = kind as _;
                    cursor.value = message.add(value as usize);
                    cursor.len = len;
                    lw_pon_enter(cursor, cursor);
                    break;
                }
                turn += 1;
            }
        }
    }
}
