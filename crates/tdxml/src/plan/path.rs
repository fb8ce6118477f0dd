//! The path of what is being written.

/// The path of the element that is being written. Most are short, and copied as a whole number of bytes that is
/// known when the program is compiled: that takes no call.
pub(super) struct Path {
    short: [u8; Path::SHORT],
    len: usize,
    /// All of it, where it is longer.
    long: Vec<u8>,
}

impl Path {
    const SHORT: usize = 32;

    #[inline]
    pub(super) fn new() -> Path {
        // Most steps are already there.
        Path { short: *b"[0][0][0][0][0][0][0][0][0][0][0", len: 0, long: Vec::new() }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        match self.short.get_mut(self.len) {
            Some(place) => *place = byte,
            None => self.push_long(byte),
        }
        self.len += 1;
    }

    #[cold]
    fn push_long(&mut self, byte: u8) {
        if self.long.is_empty() {
            self.long.extend_from_slice(&self.short);
        }
        self.long.push(byte);
    }

    /// Goes down to an element. Bytes that are there already are left alone: reading what was written in
    /// smaller pieces just before would have to wait.
    #[inline(always)]
    pub(super) fn step(&mut self, number: u32) {
        // Byte by byte, as they may have been written.
        let is_there = |[open, digit, close]: &[u8; 3]| {
            *open == b'[' && u32::from(*digit) == u32::from(b'0') + number && *close == b']' && number < 10
        };
        if self.short.get(self.len..).and_then(|rest| rest.first_chunk()).is_some_and(is_there) {
            self.len += 3;
        } else {
            self.push_step(number);
        }
    }

    fn push_step(&mut self, number: u32) {
        self.push(b'[');
        self.push_number(number);
        self.push(b']');
    }

    /// Goes back to a length; what was before is still there.
    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = len;
        if !self.long.is_empty() {
            self.long.truncate(if len > Path::SHORT { len } else { 0 });
        }
    }

    #[inline]
    pub(super) fn push_number(&mut self, number: u32) {
        if number < 10 {
            self.push(b'0' + number as u8);
        } else {
            itoa::Buffer::new().format(number).bytes().for_each(|digit| self.push(digit));
        }
    }

    /// Appends it.
    #[inline]
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        if self.len <= Path::SHORT {
            let end = out.len() + self.len;
            out.extend_from_slice(&self.short);
            out.truncate(end);
        } else {
            out.extend_from_slice(&self.long);
        }
    }
}
