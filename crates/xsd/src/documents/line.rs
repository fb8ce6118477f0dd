//! Lines and columns of places that come one behind the other.

/// Counts lines and columns of a document on the way through it.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    /// Bytes of a character, at the least.
    unit: u64,
    at: usize,
    line: u32,
    /// Where the line begins.
    start: usize,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Lines<'t> {
        let wide = matches!(text, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]);
        Lines { text, unit: if wide { 2 } else { 1 }, at: 0, line: 1, start: 0 }
    }

    /// Line and column, from 1, of a byte that does not stand before the one asked for last. In UTF-8 the
    /// column counts characters.
    pub(crate) fn of(&mut self, offset: u64) -> (u32, u32) {
        let to = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        while self.at < to {
            let rest = &self.text[self.at..to];
            let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else { break };
            let end = self.at + end;
            // A line ends with LF, CR or both.
            if self.text[end] == b'\n' || self.text.get(end + self.unit as usize) != Some(&b'\n') {
                self.line += 1;
                self.start = end + self.unit as usize;
            }
            self.at = end + 1;
        }
        self.at = self.at.max(to);
        let line = self.text.get(self.start.min(to)..to).unwrap_or(&[]);
        let column =
            if self.unit == 1 { line.iter().filter(|byte| **byte & 0xC0 != 0x80).count() } else { line.len() / 2 };
        (self.line, column as u32 + 1)
    }
}
