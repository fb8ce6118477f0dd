//! Fills rows, optimized for speed: plain units do not go through the cursor, which looks for names first.
//!
//! No stack is needed at any depth: until it is filled, the last row of a run stores where to continue after the run.

use crate::bytes::{again, gap, kept, late, plain};
use crate::code::{LW_LIMIT, refused};
use crate::row::{Row, Row8, Slot};
use crate::tsf::cursor::{Tsf, is_long, lw_tsf_next};
use crate::types::{Class, LW_UNITS};

/// A row that stores two positions in the rows, until it is filled.
pub(crate) trait Linked: Slot {
    /// The number of bytes of rows for one unit of a position.
    const PLACES: u32;
    /// The positions that [`Slot::set_data`] has set.
    fn linked(&self) -> (u32, u32);
}

impl Linked for Row {
    const PLACES: u32 = 1;

    #[inline(always)]
    fn linked(&self) -> (u32, u32) {
        (self.value, self.len)
    }
}

impl Linked for Row8 {
    const PLACES: u32 = size_of::<Row8>() as u32;

    #[inline(always)]
    fn linked(&self) -> (u32, u32) {
        (self.value.into(), self.len.into())
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
            let mut rest = FillState { message, rows, capacity, free: 0 };
            let rest = &raw mut rest;
            // The row to fill, the end of its run, and the number of rows needed for a run.
            let (mut row, mut end) = (rows, rows);
            let mut run = 1;
            loop {
                if run != 0 {
                    let first = again(&raw const (*rest).free);
                    let free = first + run;
                    if free > again(&raw const (*rest).capacity) {
                        break 'limit;
                    }
                    (*rest).free = free;
                    let rows = again(&raw const (*rest).rows);
                    let place = |row: *mut S| gap(rows.cast(), row.cast()) / S::PLACES;
                    let (next, last) = (place(row), place(end));
                    (row, end) = (rows.add(first as usize), rows.add(free as usize));
                    (*end.sub(1)).set_data(next, last);
                }
                if again(&raw const (*cursor).owed) == 0 {
                    return again(&raw const (*rest).free) as i32;
                }
                let filled = row;
                row = row.add(1);
                if row == end {
                    let (next, last) = (*filled).linked();
                    let rows = again(&raw const (*rest).rows);
                    let at = |place: u32| rows.byte_add(place as usize * S::PLACES as usize);
                    (row, end) = (at(next), at(last));
                }
                let seen = match plain_unit(cursor, rest, filled) {
                    Some(seen) => seen,
                    None => {
                        let code = lw_tsf_next(&mut *cursor);
                        if code < 0 {
                            return code;
                        }
                        of_cursor(cursor, rest, filled)
                    }
                };
                if seen.is_too_long {
                    break 'limit;
                }
                run = 0;
                let mut value = seen.value;
                if seen.structured {
                    value = again(&raw const (*rest).free);
                    run = seen.len;
                }
                (*filled).set_data(value, seen.len);
            }
        }
        refused(LW_LIMIT)
    }
}

/// The state of reading besides the current rows.
struct FillState<S> {
    message: *const u8,
    rows: *mut S,
    capacity: u32,
    /// The number of rows that are filled or reserved.
    free: u32,
}

/// What still has to be set in a unit's row, and whether its name is too long.
#[derive(Clone, Copy)]
struct UnitHead {
    structured: bool,
    is_too_long: bool,
    value: u32,
    len: u32,
}

/// Moves to the next unit, if it is valid and its name is plain. Like `lw_tsf_next`, which looks for names first and
/// stores its result in the cursor.
#[inline(always)]
unsafe fn plain_unit<S: Slot>(cursor: *mut Tsf, rest: *const FillState<S>, row: *mut S) -> Option<UnitHead> {
    unsafe {
        let mut p = again(&raw const (*cursor).at).cast::<u8>();
        let mut number = u32::from(*p).wrapping_sub(48);
        if number > 9 {
            return None;
        }
        loop {
            p = plain(p.add(1));
            let digit = u32::from(*p).wrapping_sub(48);
            if digit > 9 {
                break;
            }
            if p.add(1) == again(&raw const (*cursor).end).cast() || is_long(number) {
                return None;
            }
            number = number * 10 + digit;
        }
        let name = p;
        if *name == b'"' {
            return None;
        }
        let (types, end) = ((*cursor).types, (*cursor).end.cast());
        let (mut kind, mut class);
        loop {
            kind = (*p).into();
            class = Class::of(types, kind);
            if class.is_type() {
                break;
            }
            p = plain(p.add(1));
            if p == end {
                return None;
            }
        }
        let name_len = gap(name, p);
        let message = again(&raw const (*rest).message);
        (*row).set_name(gap(message, name), name_len, 0, kind as u8, u32::from(class.is_units()));
        p = p.add(1);
        let value = gap(message, p);
        // Neither number exceeds 30 bits.
        let mut left = gap(p, again(&raw const (*cursor).end).cast()) as i32;
        let mut owed = again(&raw const (*cursor).owed) - 1;
        if class.is_units() {
            owed = kept(owed + number);
        } else {
            left -= number as i32;
            p = p.wrapping_add(number as usize);
        }
        if left < (owed * 2) as i32 {
            return None;
        }
        (*cursor).owed = owed;
        (*cursor).at = p.cast();
        Some(UnitHead { structured: class.is_units(), is_too_long: name_len > S::MAX_NAME, value, len: number })
    }
}

/// The unit at a cursor.
#[inline(always)]
unsafe fn of_cursor<S: Slot>(cursor: *const Tsf, rest: *const FillState<S>, row: *mut S) -> UnitHead {
    unsafe {
        let name_len = (*cursor).name_len;
        let message = late(&raw const (*rest).message);
        let holds = late(&raw const (*cursor).holds);
        let structured = u32::from(holds / LW_UNITS);
        let name = gap(message, (*cursor).name.cast());
        (*row).set_name(name, name_len, (*cursor).is_extended().into(), (*cursor).kind as u8, structured);
        UnitHead {
            structured: holds == LW_UNITS,
            is_too_long: name_len > S::MAX_NAME,
            value: gap(message, (*cursor).value.cast()),
            len: (*cursor).len,
        }
    }
}
