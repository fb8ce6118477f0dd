//! Memory for messages, which ends where they end.

use std::ops::Deref;

/// The bytes of a message. The page after the last one is not readable.
#[cfg(all(unix, not(miri)))]
pub(super) struct Block {
    pages: *mut libc::c_void,
    size: usize,
    start: *const u8,
    len: usize,
}

#[cfg(all(unix, not(miri)))]
impl Block {
    pub(super) fn new(message: &[u8]) -> Block {
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let inside = message.len().div_ceil(page) * page;
            let size = inside + page;
            let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let pages = libc::mmap(std::ptr::null_mut(), size, protection, flags, -1, 0);
            assert_ne!(pages, libc::MAP_FAILED);
            let end = pages.cast::<u8>().add(inside);
            assert_eq!(libc::mprotect(end.cast(), page, libc::PROT_NONE), 0);
            let start = end.sub(message.len());
            start.copy_from_nonoverlapping(message.as_ptr(), message.len());
            Block { pages, size, start, len: message.len() }
        }
    }
}

#[cfg(all(unix, not(miri)))]
impl Drop for Block {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.pages, self.size) };
    }
}

#[cfg(all(unix, not(miri)))]
impl Deref for Block {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

/// The bytes of a message in a block of their own, so that Miri detects reads beyond it.
#[cfg(any(not(unix), miri))]
pub(super) struct Block(Box<[u8]>);

#[cfg(any(not(unix), miri))]
impl Block {
    pub(super) fn new(message: &[u8]) -> Block {
        Block(message.into())
    }
}

#[cfg(any(not(unix), miri))]
impl Deref for Block {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
