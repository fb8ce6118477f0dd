//! The loop that fills the table.
//!
//! It says only that a message is at fault; [`explain`](crate::explain) finds out why, by
//! reading again with care. The loop holds three things at every step:
//!
//! * every unit still owed to the open units has at least two bytes left: a digit and a type;
//! * rows `0..used` are the runs of children begun so far, and `cur..end` is what is left of the
//!   run that is being filled;
//! * the last row of a run, until it is filled itself, keeps where to go on after the run: no
//!   stack is needed, at any depth. A unit that is the last of its run hands down the place its
//!   own run returns to.
//!
//! What bounds its speed is that a unit's place is known only when the number before it has been
//! read. So everything else is kept off that path: digits are looked at one by one, where a
//! branch predictor can run ahead, and where a name ends is [found](crate::names) by a jump.

use tam::{Limits, Row, Table, TypeSet};

use crate::chars;
use crate::head::{self, Head};
use crate::names::{ByBytes, NameEnd};

/// What a message turned out to hold.
#[derive(Clone, Copy)]
pub(crate) struct Scanned {
    /// Bytes of the message.
    pub(crate) bytes: usize,
    /// Rows it takes.
    pub(crate) rows: u32,
}

/// Why the loop stopped before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The message is not sound, not whole, or beyond a limit.
    Fault,
    /// A unit, whose name starts at this byte, lies deeper than the limit.
    Depth(usize),
    /// The lent rows are fewer than the message needs: so many are there.
    Rows(usize),
}

/// Where to go on after a run: the rest of the run above, and the level of its units.
#[derive(Clone, Copy)]
struct Frame {
    cur: u32,
    end: u32,
    level: u32,
}

impl Frame {
    /// The end of the message.
    const NONE: Frame = Frame { cur: 0, end: 0, level: 0 };

    #[inline(always)]
    fn into_row(self) -> Row {
        Row::new(0, self.cur, 0, self.end, self.level)
    }

    #[inline(always)]
    fn of_row(row: &Row) -> Frame {
        Frame { cur: row.name_at(), end: row.value_at(), level: row.len() }
    }
}

/// Reads `roots` outermost units from the start of `message` into `table`. They are expected to
/// take `expected` bytes of it.
pub(crate) fn scan<const CHARS: bool>(
    message: &[u8],
    expected: usize,
    types: &TypeSet,
    limits: &Limits,
    roots: u32,
    table: &mut Table<'_>,
) -> Result<Scanned, Stop> {
    #[cfg(target_arch = "x86_64")]
    if let Some(scanned) = crate::vector::scan::<CHARS>(message, expected, types, limits, roots, table) {
        return scanned;
    }
    scan_by::<CHARS, _>(message, expected, types, limits, roots, table, ByBytes(types))
}

/// [`scan`], the ends of names being found by `names`.
#[inline(always)]
pub(crate) fn scan_by<const CHARS: bool, N: NameEnd>(
    message: &[u8],
    expected: usize,
    types: &TypeSet,
    limits: &Limits,
    roots: u32,
    table: &mut Table<'_>,
    names: N,
) -> Result<Scanned, Stop> {
    let n = message.len();
    // 64 bits on every processor: what a number claims times two is more than 32.
    let mut owed = 2 * u64::from(roots);
    if owed > n as u64 || roots > limits.units {
        return Err(Stop::Fault);
    }
    let mut used = roots as usize;
    let mut rows = room(table, used, expected, n)?;
    rows[used - 1] = Frame::NONE.into_row();
    let mut at = Frame { cur: 0, end: roots, level: 1 };
    let mut rest = message;
    loop {
        let p = n - rest.len();
        let Some(Head { number, name, kind, class }) = head::near(rest, types, names) else { return Err(Stop::Fault) };
        let content = kind + 1;
        let Some(row) = rows.get_mut(at.cur as usize) else { return Err(Stop::Fault) };
        let place = |in_rest: usize| (p + in_rest) as u32;
        if !TypeSet::is_structured_class(class) {
            owed -= 2;
            let end = if CHARS {
                chars::end(rest, content, number).ok_or(Stop::Fault)?
            } else {
                // No check where addresses have 64 bits.
                usize::try_from(content as u64 + number as u64).map_err(|_| Stop::Fault)?
            };
            rest = rest.get(end..).filter(|rest| rest.len() as u64 >= owed).ok_or(Stop::Fault)?;
            let filled = Row::new(class, place(name), (kind - name) as u32, place(content), (end - content) as u32);
            at.cur += 1;
            if at.cur == at.end {
                at = Frame::of_row(row);
                *row = filled;
                if at.end == 0 {
                    break;
                }
            } else {
                *row = filled;
            }
            continue;
        }
        owed = owed - 2 + 2 * number as u64;
        if at.level > limits.depth {
            return Err(Stop::Depth(p + name));
        }
        rest = rest.get(content..).filter(|rest| rest.len() as u64 >= owed).ok_or(Stop::Fault)?;
        let after = if at.cur + 1 == at.end { Frame::of_row(row) } else { Frame { cur: at.cur + 1, ..at } };
        *row = Row::new(class, place(name), (kind - name) as u32, used as u32, number as u32);
        if number == 0 {
            at = after;
            if at.end == 0 {
                break;
            }
            continue;
        }
        at = Frame { cur: used as u32, end: (used + number) as u32, level: at.level + 1 };
        used += number;
        if used > rows.len() {
            if used > limits.units as usize {
                return Err(Stop::Fault);
            }
            rows = room(table, used, expected, n)?;
        }
        let Some(last) = rows.get_mut(used - 1) else { return Err(Stop::Fault) };
        *last = after.into_row();
    }
    if used > limits.units as usize {
        return Err(Stop::Fault);
    }
    Ok(Scanned { bytes: n - rest.len(), rows: used as u32 })
}

/// The rows of the table, at least `needed` of them.
///
/// The first guess is a row for eight bytes of `expected`, what the message is thought to take; a
/// message of smaller units makes the table grow, at most twice. Where nothing is expected it grows
/// as it needs.
#[cold]
#[inline(never)]
fn room<'t>(table: &'t mut Table<'_>, needed: usize, expected: usize, message: usize) -> Result<&'t mut [Row], Stop> {
    if table.capacity() < needed.max(1) {
        let most = message / 2 + 1;
        let guess = [expected / 8 + 8, expected / 4, expected / 2 + 1].into_iter().find(|&rows| rows >= needed);
        let rows = guess.unwrap_or(needed.saturating_mul(2)).min(most).max(needed);
        if !table.make_room(rows) && !table.make_room(needed) {
            return Err(Stop::Rows(table.capacity()));
        }
    }
    Ok(table.room())
}
