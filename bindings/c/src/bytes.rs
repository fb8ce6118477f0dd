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
pub(crate) unsafe fn copy(mut to: *mut u8, mut from: *const u8, len: u32) -> *mut u8 {
    unsafe {
        let end = to.wrapping_add(len as usize);
        while to != end {
            to.write_volatile(*from);
            to = to.add(1);
            from = from.add(1);
        }
        end
    }
}

/// Whether a name, as a message has it, is `wanted`, which ends with a zero. `escaped` says that a `\`
/// before a character is not part of the name.
#[inline(never)]
pub(crate) unsafe fn is_name(mut name: *const u8, len: u32, escaped: bool, mut wanted: *const u8) -> bool {
    unsafe {
        let end = name.wrapping_add(len as usize);
        while name != end {
            let mut c = *name;
            name = name.add(1);
            if escaped && c == b'\\' && name != end {
                c = *name;
                name = name.add(1);
            }
            let w = *wanted;
            if c != w || w == 0 {
                return false;
            }
            wanted = wanted.add(1);
        }
        *wanted == 0
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
