//! Lines and columns of places that come one behind the other.

/// Counts lines and columns of a document on the way through it.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    /// Whether characters are units of two bytes.
    wide: bool,
    at: usize,
    line: u32,
    /// Where the line begins.
    start: usize,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Lines<'t> {
        let wide = matches!(text, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]);
        Lines { text, wide, at: 0, line: 1, start: 0 }
    }

    /// Whether a byte is all that a character says: of units of two bytes the other one is zero.
    fn is_char(&self, at: usize, char: u8) -> bool {
        self.text.get(at) == Some(&char) && (!self.wide || self.text.get(at ^ 1) == Some(&0))
    }

    /// Line and column, from 1, of a byte that does not stand before the one asked for last. In UTF-8 the
    /// column counts characters.
    pub(crate) fn of(&mut self, offset: u64) -> (u32, u32) {
        let to = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        while self.at < to {
            let rest = &self.text[self.at..to];
            let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else { break };
            let end = self.at + end;
            let (unit, next) = if self.wide { (2, (end & !1) + 2) } else { (1, end + 1) };
            // A line ends with LF, CR or both.
            let cr = self.is_char(end, b'\r') && !self.is_char(end + unit, b'\n');
            if cr || self.is_char(end, b'\n') {
                self.line += 1;
                self.start = next;
            }
            self.at = end + 1;
        }
        self.at = self.at.max(to);
        let line = self.text.get(self.start.min(to)..to).unwrap_or(&[]);
        let column = if !self.wide { line.iter().filter(|byte| **byte & 0xC0 != 0x80).count() } else { line.len() / 2 };
        (self.line, column as u32 + 1)
    }
}
