//! Messages whose payloads stay in place: lists of pieces.

use core::ffi::c_void;

use crate::code::{LW_LIMIT, refused};
use crate::out::Out;
use crate::pon::writer::lw_pon_put;
use crate::tsf::writer::lw_tsf_put;

/// A piece of a message, with the layout of `struct iovec`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The start of the piece.
    pub data: *const c_void,
    /// Bytes.
    pub len: usize,
}

/// A list of pieces, in memory of the caller.
#[repr(C)]
#[derive(Debug)]
pub struct Gather {
    /// The pieces: two for each payload, and one.
    pub pieces: *mut Piece,
    /// The number of pieces that fit.
    pub capacity: u32,
    /// The number of pieces, including those that did not fit.
    pub count: u32,
    /// Bytes of the buffer that are in pieces already.
    pub taken: u32,
}

/// Begins a list of pieces for a message; the message must be begun as well.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_gather_init(gather: &mut Gather, pieces: *mut Piece, capacity: u32) {
    gather.pieces = pieces;
    gather.capacity = capacity;
    gather.count = 0;
    gather.taken = 0;
}

/// Writes a unit of TSF whose data stays in place, as a piece of its own. The data must stay valid until the message is
/// sent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_put_borrowed(
    out: &mut Out,
    gather: &mut Gather,
    name: *const core::ffi::c_char,
    name_len: u32,
    data: *const c_void,
    len: u32,
) {
    unsafe {
        lw_tsf_put(out, name, name_len, core::ptr::null(), len);
        flush(out, gather, false);
        push(gather, data, len as usize);
        out.elsewhere = out.elsewhere.saturating_add(len);
    }
}

/// Writes a value of PON whose data stays in place, like `lw_tsf_put_borrowed`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_put_borrowed(
    out: &mut Out,
    gather: &mut Gather,
    key: *const core::ffi::c_char,
    key_len: u32,
    kind: core::ffi::c_char,
    data: *const c_void,
    len: u32,
) {
    unsafe {
        flush(out, gather, true);
        push(gather, data, len as usize);
        out.elsewhere = out.elsewhere.saturating_add(len);
        lw_pon_put(out, key, key_len, kind, core::ptr::null(), len);
    }
}

/// Ends a message of TSF in pieces. Returns the number of pieces, in the order of the message; LW_LIMIT if not all of
/// them fit (`count` is the number needed), or the message does not fit in its buffer (`len`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_tsf_gathered(out: &mut Out, gather: &mut Gather) -> i32 {
    unsafe {
        flush(out, gather, false);
        result(out, gather)
    }
}

/// Ends a message of PON in pieces, like `lw_tsf_gathered`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_pon_gathered(out: &mut Out, gather: &mut Gather) -> i32 {
    unsafe {
        flush(out, gather, true);
        let count = result(out, gather);
        // PON adds the last piece first.
        let (mut front, mut back) = (0, count - 1);
        while front < back {
            gather.pieces.add(front as usize).swap(gather.pieces.add(back as usize));
            (front, back) = (front + 1, back - 1);
        }
        count
    }
}

fn result(out: &Out, gather: &Gather) -> i32 {
    let total = out.len.saturating_add(out.elsewhere);
    if out.len > out.capacity || gather.count > gather.capacity || total > i32::MAX as u32 {
        return refused(LW_LIMIT);
    }
    gather.count as i32
}

/// Makes a piece of what is in the buffer but in no piece: the last bytes written, at its start or at its end.
#[inline(never)]
unsafe fn flush(out: &Out, gather: &mut Gather, from_end: bool) {
    unsafe {
        let taken = gather.taken;
        if out.len != taken && out.len <= out.capacity {
            gather.taken = out.len;
            let at = if from_end { out.capacity - out.len } else { taken };
            push(gather, out.buffer.wrapping_add(at as usize).cast(), (out.len - taken) as usize);
        }
    }
}

unsafe fn push(gather: &mut Gather, data: *const c_void, len: usize) {
    unsafe {
        let count = gather.count;
        if count < gather.capacity {
            gather.pieces.add(count as usize).write(Piece { data, len });
        }
        gather.count = count.saturating_add(1);
    }
}
