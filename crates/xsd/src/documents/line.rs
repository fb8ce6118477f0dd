//! Lines and columns of increasing positions.

/// Counts the lines and columns of a document from start to end.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    /// Whether characters are units of two bytes.
    wide: bool,
    at: usize,
    line: u32,
    /// Characters of the line so far.
    column: u32,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Lines<'t> {
        let wide = matches!(text, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, b'<', ..] | [b'<', 0, ..]);
        // A byte order mark is not part of the document.
        let at = match text {
            [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => 2,
            [0xEF, 0xBB, 0xBF, ..] => 3,
            _ => 0,
        };
        Lines { text, wide, at, line: 1, column: 0 }
    }

    /// Whether a character is at a position. In units of two bytes, the other byte must be zero.
    fn is_char(&self, at: usize, char: u8) -> bool {
        self.text.get(at) == Some(&char) && (!self.wide || self.text.get(at ^ 1) == Some(&0))
    }

    /// Line and column, from 1, of a byte, which must not be before the last one asked for. In UTF-8, columns are
    /// characters.
    pub(crate) fn of(&mut self, offset: u64) -> (u32, u32) {
        let to = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        while self.at < to {
            let rest = &self.text[self.at..to];
            let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.pass(to);
                break;
            };
            let end = self.at + end;
            let (unit, next) = if self.wide { (2, (end & !1) + 2) } else { (1, end + 1) };
            self.pass(next.min(to));
            // A line ends with LF, CR or both.
            let cr = self.is_char(end, b'\r') && !self.is_char(end + unit, b'\n');
            if cr || self.is_char(end, b'\n') {
                self.line += 1;
                self.column = 0;
            }
        }
        (self.line, self.column + 1)
    }

    /// Counts the characters up to a position.
    fn pass(&mut self, to: usize) {
        let passed = self.text.get(self.at..to).unwrap_or(&[]);
        self.column += if self.wide {
            (passed.len() / 2) as u32
        } else {
            passed.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u32
        };
        self.at = to;
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_end_with_lf_cr_or_both() {
        let mut lines = Lines::new("a\né<\r\n<\r<".as_bytes());
        assert_eq!([0, 1, 4, 7, 9].map(|at| lines.of(at)), [(1, 1), (1, 2), (2, 2), (3, 1), (4, 1)]);
    }

    #[test]
    fn in_utf_16_two_bytes_are_a_column() {
        // The letter U+0A0D looks like line ends by its bytes.
        let text = "\u{FEFF}<a\u{A0D}\n <b";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big] {
            let mut lines = Lines::new(&bytes);
            assert_eq!([lines.of(8), lines.of(12)], [(1, 4), (2, 2)]);
        }
    }
}
