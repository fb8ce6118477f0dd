//! The end of a JSON text (RFC 8259), by its brackets and quotes.

use tam::{Error, ErrorKind, Words};

/// Finds the end of a JSON text that arrives in pieces. What is between its brackets is for a reader to judge.
#[derive(Debug, Default)]
pub(crate) struct Json {
    at: usize,
    /// Open objects and arrays.
    open: u64,
    part: Part,
}

/// Where in a text the scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// Before the text.
    #[default]
    Start,
    /// Between strings, in an object or an array.
    Between,
    String,
    /// After a backslash in a string.
    Escape,
    /// In a number or a word that is the whole text.
    Word,
}

/// White space, and the mark in front of a text of RFC 7464.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x1E)
}

impl Json {
    /// The length of the text at the start of `bytes`, which grows from call to call. `None` if more is needed.
    pub(crate) fn end(&mut self, bytes: &[u8], is_last: bool) -> Result<Option<usize>, Error> {
        while let Some(&byte) = bytes.get(self.at) {
            match self.part {
                Part::Start => {
                    self.part = match byte {
                        b'{' | b'[' => {
                            self.open = 1;
                            Part::Between
                        }
                        b'"' => Part::String,
                        b'}' | b']' | b',' | b':' => {
                            let found = Words::Byte(byte);
                            return Err(Error::new(ErrorKind::Syntax, "json", 0, found, "the start of a JSON text"));
                        }
                        _ => Part::Word,
                    };
                }
                Part::Between => match byte {
                    b'{' | b'[' => self.open += 1,
                    b'}' | b']' => {
                        self.open -= 1;
                        if self.open == 0 {
                            return Ok(self.over(1));
                        }
                    }
                    b'"' => self.part = Part::String,
                    _ => {}
                },
                Part::String => match memchr::memchr2(b'"', b'\\', &bytes[self.at..]) {
                    None => {
                        self.at = bytes.len();
                        return Ok(None);
                    }
                    Some(to) => {
                        self.at += to;
                        match bytes[self.at] {
                            b'\\' => self.part = Part::Escape,
                            _ if self.open == 0 => return Ok(self.over(1)),
                            _ => self.part = Part::Between,
                        }
                    }
                },
                Part::Escape => self.part = Part::String,
                Part::Word if is_blank(byte) || matches!(byte, b'{' | b'[' | b'"') => return Ok(self.over(0)),
                Part::Word => {}
            }
            self.at += 1;
        }
        Ok(if is_last && self.part == Part::Word { self.over(0) } else { None })
    }

    fn over(&mut self, last: usize) -> Option<usize> {
        Some(std::mem::take(self).at + last)
    }
}
