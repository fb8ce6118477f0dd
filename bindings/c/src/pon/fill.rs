//! Fills rows. Containers wait in rows until they are read.

use crate::bytes::gap;
use crate::code::LW_LIMIT;
use crate::pon::cursor::{Pon, lw_pon_enter, lw_pon_next};
use crate::row::{LW_ROW_STRUCTURED, LW_ROW8_STRUCTURED, Row, Row8, Slot};

/// A row that may be a waiting container: its data, until its values are rows.
pub(crate) trait Waiting: Slot {
    /// Type, position and length of a container.
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

/// [`lw_pon_rows`](crate::pon::rows::lw_pon_rows).
#[inline(always)]
pub(crate) unsafe fn read<S: Waiting>(cursor: &mut Pon, rows: *mut S, capacity: u32) -> i32 {
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
