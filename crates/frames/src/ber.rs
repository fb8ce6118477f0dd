//! The end of an encoding of BER (X.690 clause 8.1).

use tam::{Error, ErrorKind, Limits, Words};

/// Finds the end of an encoding that arrives in pieces. Encodings within definite lengths are not looked at.
#[derive(Debug, Default)]
pub(crate) struct Ber {
    /// Where the next header begins.
    at: usize,
    /// Open encodings of indefinite length.
    open: u32,
}

/// The length of a header, and of the contents; `None` for the indefinite length.
type Header = (usize, Option<usize>);

impl Ber {
    /// The length of the encoding at the start of `bytes`, which grows from call to call. `None` if more is needed.
    pub(crate) fn end(&mut self, bytes: &[u8], limits: &Limits) -> Result<Option<usize>, Error> {
        loop {
            let Some((header, contents)) = header(bytes, self.at)? else { return Ok(None) };
            let is_end = bytes.get(self.at..self.at + 2) == Some(&[0, 0]);
            match contents {
                _ if is_end && self.open > 0 => {
                    self.at += 2;
                    self.open -= 1;
                }
                None if self.open >= limits.depth => {
                    let deeper = Words::Text("a deeper level");
                    return Err(Error::limit("ber", self.at as u64, deeper, "depth", limits.depth.into()));
                }
                None => {
                    self.at += header;
                    self.open += 1;
                }
                Some(contents) => {
                    let end = (self.at + header).saturating_add(contents);
                    if end as u64 > limits.message_bytes.into() {
                        let found = Words::Count(end as u64, "bytes");
                        return Err(Error::limit(
                            "ber",
                            self.at as u64,
                            found,
                            "message_bytes",
                            limits.message_bytes.into(),
                        ));
                    }
                    if end > bytes.len() {
                        return Ok(None);
                    }
                    self.at = end;
                }
            }
            if self.open == 0 {
                return Ok(Some(std::mem::take(self).at));
            }
        }
    }
}

/// The header at a place. `None` if it is not complete.
fn header(bytes: &[u8], start: usize) -> Result<Option<Header>, Error> {
    /// The most bytes of a tag's number, and of a length: more than any message has use for.
    const LONGEST: usize = 8;
    let mut at = start;
    let mut next = || {
        at += 1;
        bytes.get(at - 1).copied()
    };
    let Some(first) = next() else { return Ok(None) };
    if first & 0x1F == 0x1F {
        for number in 0.. {
            if number == LONGEST {
                return Err(Error::new(ErrorKind::Syntax, "ber", start as u64, "a tag of more than 8 bytes", "a tag"));
            }
            match next() {
                None => return Ok(None),
                Some(0x80..) => {}
                Some(_) => break,
            }
        }
    }
    let Some(length) = next() else { return Ok(None) };
    let length = match length {
        0x80 if first & 0x20 == 0 => {
            let found = "an indefinite length of a primitive encoding";
            return Err(Error::new(ErrorKind::Syntax, "ber", start as u64, found, "a definite length"));
        }
        0x80 => None,
        0..0x80 => Some(usize::from(length)),
        _ => {
            let count = usize::from(length & 0x7F);
            if count > LONGEST {
                let found = "a length of more than 8 bytes";
                return Err(Error::new(ErrorKind::Syntax, "ber", start as u64, found, "a length"));
            }
            let mut length = 0_u64;
            for _ in 0..count {
                let Some(byte) = next() else { return Ok(None) };
                length = length << 8 | u64::from(byte);
            }
            Some(usize::try_from(length).unwrap_or(usize::MAX))
        }
    };
    Ok(Some((at - start, length)))
}
