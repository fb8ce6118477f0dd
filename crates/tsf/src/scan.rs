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

use tam::{Limits, Row, Table, TypeSet};

/// What a message turned out to hold.
pub(crate) struct Scanned {
    /// Bytes of the message.
    pub(crate) bytes: usize,
    /// Rows it takes.
    pub(crate) rows: u32,
}

/// Why the loop stopped before the end.
pub(crate) enum Stop {
    /// The message is not sound, not whole, or beyond a limit.
    Fault,
    /// A unit, at this byte, lies deeper than the limit.
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

/// Reads `roots` outermost units from the start of `message` into `table`.
pub(crate) fn scan<const CHARS: bool>(
    message: &[u8],
    types: &TypeSet,
    limits: &Limits,
    roots: u32,
    table: &mut Table<'_>,
) -> Result<Scanned, Stop> {
    let n = message.len();
    let mut owed = 2 * roots as usize;
    if owed > n || roots > limits.units {
        return Err(Stop::Fault);
    }
    let mut used = roots as usize;
    let mut rows = room(table, used, n)?;
    rows[used - 1] = Frame::NONE.into_row();
    let mut at = Frame { cur: 0, end: roots, level: 1 };
    let mut p = 0;
    loop {
        // Number, name, type.
        let Some(&first) = message.get(p) else { return Err(Stop::Fault) };
        let digit = first.wrapping_sub(b'0');
        if digit > 9 {
            return Err(Stop::Fault);
        }
        let mut number = digit as usize;
        let mut name = p + 1;
        let mut class;
        loop {
            let Some(&c) = message.get(name) else { return Err(Stop::Fault) };
            let digit = c.wrapping_sub(b'0');
            if digit > 9 {
                class = types.class(c);
                break;
            }
            number = number * 10 + digit as usize;
            name += 1;
            if number > u32::MAX as usize {
                return Err(Stop::Fault);
            }
        }
        let mut kind = name;
        while class == 0 {
            kind += 1;
            let Some(&c) = message.get(kind) else { return Err(Stop::Fault) };
            class = types.class(c);
        }
        let mut extended = false;
        if class == TypeSet::QUOTE {
            kind = odd_name(message, types, name).ok_or(Stop::Fault)?;
            class = types.class(message[kind]);
            extended = message[name] == b'"';
        }
        if kind - name > Row::MAX_NAME {
            return Err(Stop::Fault);
        }
        let (name_at, name_len) = (name as u32, (kind - name) as u32);
        p = kind + 1;
        owed -= 2;

        let Some(row) = rows.get_mut(at.cur as usize) else { return Err(Stop::Fault) };
        let mut after = Frame { cur: at.cur + 1, ..at };
        if after.cur == at.end {
            after = Frame::of_row(row);
        }
        if !TypeSet::is_structured_class(class) {
            let end = if CHARS { chars_end(message, p, number).ok_or(Stop::Fault)? } else { p + number };
            if end + owed > n {
                return Err(Stop::Fault);
            }
            *row = Row::new(class, name_at, name_len, p as u32, (end - p) as u32);
            if extended {
                *row = row.with_extended_name();
            }
            p = end;
            at = after;
        } else {
            owed += 2 * number;
            if p + owed > n {
                return Err(Stop::Fault);
            }
            if at.level > limits.depth {
                return Err(Stop::Depth(name));
            }
            *row = Row::new(class, name_at, name_len, used as u32, number as u32);
            if extended {
                *row = row.with_extended_name();
            }
            if number == 0 {
                at = after;
            } else {
                let first = used;
                used += number;
                if used > rows.len() {
                    if used > limits.units as usize {
                        return Err(Stop::Fault);
                    }
                    rows = room(table, used, n)?;
                }
                let Some(last) = rows.get_mut(used - 1) else { return Err(Stop::Fault) };
                *last = after.into_row();
                at = Frame { cur: first as u32, end: used as u32, level: at.level + 1 };
            }
        }
        if at.end == 0 {
            if used > limits.units as usize {
                return Err(Stop::Fault);
            }
            return Ok(Scanned { bytes: p, rows: used as u32 });
        }
    }
}

/// The place of the type behind an extended name, or behind a plain name that holds a `"`.
#[cold]
#[inline(never)]
fn odd_name(message: &[u8], types: &TypeSet, name: usize) -> Option<usize> {
    let extended = message[name] == b'"';
    let mut at = name + usize::from(extended);
    loop {
        let c = *message.get(at)?;
        if types.is_type(c) {
            return Some(at);
        }
        at += if extended && c == b'\\' { 2 } else { 1 };
    }
}

/// Where `chars` characters of UTF-8 from `start` on end; `None` beyond the message or where
/// they are not UTF-8.
#[inline(always)]
pub(crate) fn chars_end(message: &[u8], start: usize, chars: usize) -> Option<usize> {
    let ascii = message.get(start..start.checked_add(chars)?)?;
    if ascii.is_ascii() { Some(start + chars) } else { wide_end(message, start, chars) }
}

#[cold]
#[inline(never)]
fn wide_end(message: &[u8], start: usize, chars: usize) -> Option<usize> {
    let mut left = chars;
    let mut end = start;
    while left > 0 {
        let lead = *message.get(end)?;
        let len = match lead {
            0..=0x7F => 1,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return None,
        };
        end += len;
        left -= 1;
    }
    core::str::from_utf8(message.get(start..end)?).ok()?;
    Some(end)
}

/// The rows of the table, at least `needed` of them. The first guess is a row for eight bytes of
/// message; a message of smaller units makes it grow, at most twice.
#[cold]
#[inline(never)]
fn room<'t>(table: &'t mut Table<'_>, needed: usize, message: usize) -> Result<&'t mut [Row], Stop> {
    if table.capacity() < needed.max(1) {
        let most = message / 2 + 1;
        let guess = [message / 8 + 8, message / 4, most].into_iter().find(|&rows| rows >= needed).unwrap_or(needed);
        if !table.make_room(guess.min(most).max(needed)) && !table.make_room(needed) {
            return Err(Stop::Rows(table.capacity()));
        }
    }
    Ok(table.room())
}
