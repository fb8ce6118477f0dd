//! Copying, comparing and counting bytes.

use core::ffi::c_char;

/// The same pointer, hidden from the optimizer. It then keeps one pointer for a loop; otherwise it makes two or three
/// of it, for which small processors have no registers.
#[inline(always)]
pub(crate) fn plain(#[allow(unused_mut)] mut pointer: *const u8) -> *const u8 {
    // The assembly has no instruction. Its leading comment lets the compiler count it as none.
    #[cfg(target_arch = "arm")]
    // SAFETY: nothing is done.
    unsafe {
        core::arch::asm!("@ {0}", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags));
    }
    pointer
}

/// The same number, which the compiler then keeps in a register.
#[inline(always)]
pub(crate) fn kept(number: u32) -> u32 {
    plain(core::ptr::without_provenance(number as usize)).addr() as u32
}

/// Reads a field of a struct when it is needed, on processors with few registers. Otherwise the compiler would keep it
/// on the stack.
#[inline(always)]
pub(crate) unsafe fn again<T: Copy>(place: *const T) -> T {
    unsafe { if FEW_REGISTERS { place.read_volatile() } else { place.read() } }
}

/// Like [`again`] on every processor, for rare paths, to save flash.
#[inline(always)]
pub(crate) unsafe fn late<T: Copy>(place: *const T) -> T {
    unsafe { place.read_volatile() }
}

/// Whether values for occasional use are better read from memory than kept: most instructions of a Cortex-M0+ can use
/// only eight registers. The stable compiler does not expose some target features; then this prefers memory.
pub(crate) const FEW_REGISTERS: bool = cfg!(all(target_arch = "arm", not(target_feature = "thumb2")));

/// Whether four bytes are read at once at any alignment, which takes more flash. A Cortex-M0+ cannot; a Cortex-M3 and
/// above can, if the compiler exposes the processor: see [`FEW_REGISTERS`].
pub(crate) const WORDS: bool = cfg!(all(
    target_endian = "little",
    any(target_arch = "x86_64", target_arch = "aarch64", all(target_arch = "arm", target_feature = "thumb2"))
));

/// Four bytes, the first one lowest. Only if [`WORDS`] is set.
#[inline(always)]
pub(crate) unsafe fn word_at(place: *const u8) -> u32 {
    unsafe { place.cast::<u32>().read_unaligned() }
}

/// Writes what [`word_at`] reads.
#[inline(always)]
pub(crate) unsafe fn put_word(place: *mut u8, word: u32) {
    unsafe { place.cast::<u32>().write_unaligned(word) }
}

/// The distance from one pointer to a later one of the same buffer, in bytes.
#[inline(always)]
pub(crate) fn gap(from: *const u8, to: *const u8) -> u32 {
    (to as usize).wrapping_sub(from as usize) as u32
}

/// Copies `len` bytes, first to last.
///
/// The stores are volatile, or the count is hidden, so that the compiler does not replace the loop by `memcpy`: a
/// device would have to link it, and most pieces are shorter than a call.
#[inline(always)]
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, len: u32) -> *mut u8 {
    unsafe {
        if len == 0 {
            return to;
        }
        let end = to.wrapping_add(len as usize);
        let from_end = from.wrapping_add(len as usize);
        // Counts up from below zero to zero, which a processor detects without a comparison.
        let mut left = kept(0u32.wrapping_sub(len));
        // Checks the length, so that the compiler does not merge this with the check after the words.
        if WORDS && len >= 4 {
            loop {
                let at = left as i32 as isize;
                put_word(end.wrapping_offset(at), word_at(from_end.wrapping_offset(at)));
                left = left.wrapping_add(4);
                if left as i32 > -4 {
                    break;
                }
            }
        }
        if !WORDS || left != 0 {
            loop {
                let at = left as i32 as isize;
                end.wrapping_offset(at).write_volatile(*from_end.wrapping_offset(at));
                left = left.wrapping_add(1);
                if left == 0 {
                    break;
                }
            }
        }
        end
    }
}

/// Copies `len` bytes, last to first, to a place that does not overlap; two instructions shorter than [`copy`].
#[inline(always)]
pub(crate) unsafe fn copy_apart(to: *mut u8, from: *const u8, len: u32) {
    unsafe {
        let (to, from) = (plain(to).cast_mut(), from);
        let mut left = len;
        if WORDS && len >= 4 {
            // Two checks, as in `copy`.
            left = kept(left);
            loop {
                left = kept(left.wrapping_sub(4));
                put_word(to.wrapping_add(left as usize), word_at(from.wrapping_add(left as usize)));
                if left < 4 {
                    break;
                }
            }
        }
        if left != 0 {
            loop {
                left = left.wrapping_sub(1);
                to.wrapping_add(left as usize).write_volatile(*from.wrapping_add(left as usize));
                if left == 0 {
                    break;
                }
            }
        }
    }
}

/// Whether `len` bytes before two places are equal.
#[inline(always)]
pub(crate) unsafe fn same_before(a: *const u8, b: *const u8, len: u32) -> bool {
    unsafe {
        // Counts up from below zero to zero, which a processor detects without a comparison.
        let mut left = 0u32.wrapping_sub(len);
        let (a, b) = (|left| a.wrapping_offset(left as i32 as isize), |left| b.wrapping_offset(left as i32 as isize));
        if WORDS {
            if left & 1 != 0 {
                if *a(left) != *b(left) {
                    return false;
                }
                left = left.wrapping_add(1);
            }
            if left != 0 {
                while a(left).cast::<u16>().read_unaligned() == b(left).cast::<u16>().read_unaligned() {
                    left = left.wrapping_add(2);
                    if left == 0 {
                        return true;
                    }
                }
            }
            return left == 0;
        }
        if left != 0 {
            while *a(left) == *b(left) {
                left = left.wrapping_add(1);
                if left == 0 {
                    return true;
                }
            }
        }
        left == 0
    }
}

/// A name to look for, and what the readers return for it: LW_WANTED("t", 2).
///
/// Names consist of letters, digits (not first) and characters that need no escapes: no types of TSF, no `"`, `:` or
/// `\`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The name.
    pub name: *const c_char,
    /// Bytes of it.
    pub len: u16,
    /// What `lw_tsf_next` and `lw_pon_next` return for it: 2 or more, or 1 as for any other name.
    pub code: i16,
}

impl Name {
    /// The code of a name. A Cortex-M0+ is faster at reading a word and shifting it than at reading a signed half.
    #[inline(always)]
    pub(crate) unsafe fn code(name: *const Name) -> i32 {
        unsafe {
            if cfg!(target_endian = "little") {
                kept((&raw const (*name).len).cast::<u32>().read()) as i32 >> 16
            } else {
                (*name).code.into()
            }
        }
    }
}

// SAFETY: it is only read.
unsafe impl Sync for Name {}

/// The character that precedes an escaped character in a name, and is not part of the name.
pub(crate) const ESCAPE: u32 = b'\\' as u32;

/// A value that no byte has, for names without [`ESCAPE`].
#[inline(always)]
pub(crate) fn no_escape() -> u32 {
    kept(0).wrapping_sub(1)
}

/// Whether a name between two places of a message is the wanted one. `escape` is [`ESCAPE`] or [`no_escape`].
#[inline(always)]
pub(crate) unsafe fn is_name(name: *const u8, end: *const u8, escape: u32, wanted: *const Name) -> bool {
    unsafe { unlike(name, end, escape, wanted) == 0 }
}

/// 0 if a name is the wanted one. Callers compare the result with 0.
#[inline(never)]
pub(crate) unsafe fn unlike(mut name: *const u8, end: *const u8, escape: u32, wanted: *const Name) -> u32 {
    unsafe {
        let mut left = u32::from((*wanted).len);
        let mut wanted = (*wanted).name.cast::<u8>();
        while name < end {
            let mut c = u32::from(*name);
            // A character follows each `\`: otherwise the name would not end here.
            if c == escape {
                name = name.add(1);
                c = (*name).into();
            }
            if left == 0 || c != u32::from(*wanted) {
                return 1;
            }
            left -= 1;
            name = name.add(1);
            wanted = wanted.add(1);
        }
        left
    }
}

/// The common start of the cursors of both formats.
#[repr(C)]
#[derive(Debug)]
pub struct Cursor {
    pub(crate) at: *const c_char,
    pub(crate) end: *const c_char,
    /// The type set of TSF, or the first value of PON.
    pub(crate) other: *const c_char,
    pub(crate) kind: c_char,
    pub(crate) more: [u8; 3],
    pub(crate) names: *const Name,
    pub(crate) due: *const Name,
    pub(crate) name: *const c_char,
    pub(crate) value: *const c_char,
    pub(crate) len: u32,
    pub(crate) name_len: u32,
}

/// Whether `len` bytes are UTF-8: 1 or 0. The readers for devices do not check text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_is_utf8(text: *const c_char, len: u32) -> i32 {
    unsafe {
        let mut at = text.cast::<u8>();
        let end = at.wrapping_add(len as usize);
        while at != end {
            let more = character_len(at, gap(at, end));
            if more <= 0 {
                return 0;
            }
            at = at.add(more as usize);
        }
        1
    }
}

/// The length of the UTF-8 character at the start of `left` bytes (at least one); 0 if it is invalid, negative if it
/// continues after them (RFC 3629, section 4).
#[inline(never)]
pub(crate) unsafe fn character_len(at: *const u8, left: u32) -> i32 {
    unsafe {
        let mut first = kept(u32::from(*at));
        let mut len = 1;
        'none: {
            if first < 0x80 {
                return len as i32;
            }
            let known = kept(first.wrapping_sub(0xC2));
            if known > 0xF4 - 0xC2 {
                break 'none;
            }
            // The bounds of the second byte depend on the first one: from here on these are the lower bits of that,
            // negative for two bytes in total, and then of both.
            let mut both = known.wrapping_sub(0xE0 - 0xC2) << 2;
            loop {
                if len == left {
                    return (len as i32).wrapping_neg();
                }
                let bits = u32::from(*at.add(len as usize)).wrapping_sub(0x80);
                if bits >= 0x40 {
                    break 'none;
                }
                both = both.wrapping_add(bits >> 4);
                // Above U+10FFFF, or an overlong form: F0 80 to F0 8F, E0 80 to E0 9F. Surrogates: ED A0 to ED BF.
                if both as i32 > 0x50 || both == 0x40 || both >> 1 == 0 || both >> 1 == 0x36 >> 1 {
                    break 'none;
                }
                // With this, all bytes that follow are valid.
                both = kept(8);
                len += 1;
                first = kept(first << 1);
                if first & 0x40 == 0 {
                    return len as i32;
                }
            }
        }
        0
    }
}
