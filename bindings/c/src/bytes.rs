//! Bytes: copied, compared, counted.

use core::ffi::c_char;

/// The same pointer, of which the compiler forgets what it knows. It then keeps one pointer for a loop, where
/// it otherwise makes two or three of it, which small processors have no registers for.
#[inline(always)]
pub(crate) fn plain(pointer: *const u8) -> *const u8 {
    #[cfg(target_arch = "arm")]
    {
        let mut pointer = pointer;
        // SAFETY: there is no instruction in it.
        unsafe { core::arch::asm!("/* {0} */", inout(reg) pointer, options(pure, nomem, nostack, preserves_flags)) };
        pointer
    }
    #[cfg(not(target_arch = "arm"))]
    pointer
}

/// The same number, which the compiler then keeps in a register.
#[inline(always)]
pub(crate) fn kept(number: u32) -> u32 {
    plain(number as usize as *const u8) as usize as u32
}

/// How far it is from one pointer to a later one of the same buffer, in bytes.
#[inline(always)]
pub(crate) fn gap(from: *const u8, to: *const u8) -> u32 {
    (to as usize).wrapping_sub(from as usize) as u32
}

/// Copies `len` bytes, first to last.
///
/// The stores are volatile so that the compiler does not see a `memcpy` in the loop: a device would
/// have to link one, and most pieces are shorter than a call.
#[inline(always)]
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, len: u32) -> *mut u8 {
    unsafe {
        let end = plain(to.wrapping_add(len as usize)).cast_mut();
        let from_end = plain(from.wrapping_add(len as usize));
        // From below zero up to it, which a processor sees without a comparison.
        let mut left = kept(0u32.wrapping_sub(len));
        while left != 0 {
            let at = left as i32 as isize;
            end.wrapping_offset(at).write_volatile(*from_end.wrapping_offset(at));
            left = left.wrapping_add(1);
        }
        end
    }
}

/// A name that is looked for, as it is meant, without escapes. LW_NAME("t") fills it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The name.
    pub name: *const c_char,
    /// Bytes of it.
    pub len: u32,
}

/// Whether a name, as a message has it, is `wanted`. `escaped` says that a `\` before a character is not part of
/// the name.
#[inline(never)]
pub(crate) unsafe fn is_name(name: *const u8, len: u32, escaped: bool, wanted: Name) -> bool {
    unsafe {
        if escaped {
            return is_escaped_name(name, len, wanted);
        }
        let mut left = wanted.len;
        if len != left {
            return false;
        }
        let wanted = plain(wanted.name.cast());
        while left != 0 {
            left -= 1;
            if *name.add(left as usize) != *wanted.add(left as usize) {
                return false;
            }
        }
        true
    }
}

#[cold]
#[inline(never)]
unsafe fn is_escaped_name(mut name: *const u8, len: u32, wanted: Name) -> bool {
    unsafe {
        let end = name.wrapping_add(len as usize);
        let mut at = wanted.name.cast::<u8>();
        let wanted_end = at.wrapping_add(wanted.len as usize);
        while name != end && at != wanted_end {
            if *name == b'\\' && name.add(1) != end {
                name = name.add(1);
            }
            if *name != *at {
                return false;
            }
            name = name.add(1);
            at = at.add(1);
        }
        name == end && at == wanted_end
    }
}

/// Whether `len` bytes are UTF-8: 1 or 0.
///
/// The readers for devices do not look at text; who wants to know asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_is_utf8(text: *const c_char, len: u32) -> i32 {
    unsafe {
        let mut at = text.cast::<u8>();
        let end = at.wrapping_add(len as usize);
        while at != end {
            let more = character_len(at, gap(at, end));
            if more == 0 {
                return 0;
            }
            at = at.add(more as usize);
        }
        1
    }
}

/// Bytes of the UTF-8 character that begins `left` bytes (one at the least); 0 where there is none
/// (RFC 3629, section 4).
#[inline(never)]
pub(crate) unsafe fn character_len(at: *const u8, left: u32) -> u32 {
    unsafe {
        let first = *at;
        // The bounds of the second byte: no overlong forms, no surrogates, nothing above U+10FFFF.
        let (len, low, high) = match first {
            ..0x80 => return 1,
            0xC2..0xE0 => (2, 0x80, 0xBF),
            0xE0 => (3, 0xA0, 0xBF),
            0xED => (3, 0x80, 0x9F),
            0xE1..0xF0 => (3, 0x80, 0xBF),
            0xF0 => (4, 0x90, 0xBF),
            0xF1..0xF4 => (4, 0x80, 0xBF),
            0xF4 => (4, 0x80, 0x8F),
            _ => return 0,
        };
        if left < len {
            return 0;
        }
        let second = *at.add(1);
        if second < low || second > high {
            return 0;
        }
        let mut i = 2;
        while i < len {
            if *at.add(i as usize) & 0xC0 != 0x80 {
                return 0;
            }
            i += 1;
        }
        len
    }
}
