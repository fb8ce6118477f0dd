//! How messages follow each other.

use std::fmt;
use std::str::FromStr;

/// How the messages of a file follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Framing {
    /// There is one message, which takes all of the file.
    #[default]
    Whole,
    /// Encodings of BER, each with its tag and length. Outside of captures, bytes of 00 may be between them.
    Ber,
    /// Each message is preceded by its length in bytes, a number of 16 bits, most significant byte first.
    U16Be,
    /// The same, with a number of 32 bits.
    U32Be,
    /// All messages have this length in bytes.
    Fixed(u32),
    /// Each line is a message, in hexadecimal digits as [`hex::line`](crate::hex::line) reads them.
    HexLines,
    /// Each line is a message: JSON Lines.
    Lines,
    /// JSON texts, with or without space between them.
    Json,
    /// Messages of PON.
    Pon,
    /// Messages of TSF.
    Tsf,
    /// Each part of a text in PEM is a message; what is between them is not.
    Pem,
}

impl Framing {
    /// The names that [`FromStr`] reads.
    pub const NAMES: &'static str = "ber, u16be, u32be, fixed:N, hex-lines, lines, json, pon, tsf, pem";

    /// The framing of files with an extension: lines for `jsonl` and `ndjson`.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Framing> {
        ["jsonl", "ndjson"].iter().any(|known| extension.eq_ignore_ascii_case(known)).then_some(Framing::Lines)
    }

    /// Appends a message with what its framing puts around it.
    ///
    /// # Errors
    /// In words, if the framing cannot hold the message; `out` is as it was.
    pub fn append(self, message: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        let start = out.len();
        out.extend_from_slice(message);
        self.enclose(out, start).inspect_err(|_| out.truncate(start))
    }

    /// Puts what the framing has around a message around one that has been written: the bytes of `out` from `start` on.
    ///
    /// ```
    /// # use ::tam as lengthwise_tam;
    /// use lengthwise_frames::Framing;
    ///
    /// let mut out = b"{}\n[]".to_vec();
    /// Framing::Json.enclose(&mut out, 3).unwrap();
    /// assert_eq!(out, b"{}\n[]\n");
    /// ```
    ///
    /// # Errors
    /// In words, if the framing cannot hold the message.
    ///
    /// # Panics
    /// If `start` is after the end of `out`.
    pub fn enclose(self, out: &mut Vec<u8>, start: usize) -> Result<(), String> {
        let message = &out[start..];
        let len = message.len();
        match self {
            Framing::U16Be => {
                let len = u16::try_from(len).map_err(|_| format!("a message of {len} bytes is too long for u16be"))?;
                out.splice(start..start, len.to_be_bytes());
            }
            Framing::U32Be => {
                let len = u32::try_from(len).map_err(|_| format!("a message of {len} bytes is too long for u32be"))?;
                out.splice(start..start, len.to_be_bytes());
            }
            Framing::Fixed(fixed) if fixed as usize != len => {
                return Err(format!("the message has {len} bytes, but the framing is {self}"));
            }
            Framing::HexLines => {
                let message = out.split_off(start);
                out.extend(message.iter().flat_map(|byte| {
                    const DIGITS: &[u8; 16] = b"0123456789abcdef";
                    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
                }));
                out.push(b'\n');
            }
            Framing::Lines if message.contains(&b'\n') => {
                return Err("the message has a line end, but each line is a message".to_owned());
            }
            Framing::Lines | Framing::Json => out.push(b'\n'),
            Framing::Pem => return Err("PEM is not written, as its lines say what a message is".to_owned()),
            _ => {}
        }
        Ok(())
    }
}

impl FromStr for Framing {
    type Err = String;

    fn from_str(name: &str) -> Result<Framing, String> {
        if let Some(len) = name.strip_prefix("fixed:") {
            let len = len.parse().ok().filter(|len| *len > 0);
            return len.map(Framing::Fixed).ok_or_else(|| "N of fixed:N is a number of bytes above 0".to_owned());
        }
        Ok(match name {
            "ber" => Framing::Ber,
            "u16be" => Framing::U16Be,
            "u32be" => Framing::U32Be,
            "hex-lines" => Framing::HexLines,
            "lines" => Framing::Lines,
            "json" => Framing::Json,
            "pon" => Framing::Pon,
            "tsf" => Framing::Tsf,
            "pem" => Framing::Pem,
            _ => return Err(format!("the framings are {}", Framing::NAMES)),
        })
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Framing::Whole => "whole",
            Framing::Ber => "ber",
            Framing::U16Be => "u16be",
            Framing::U32Be => "u32be",
            Framing::Fixed(len) => return write!(f, "fixed:{len}"),
            Framing::HexLines => "hex-lines",
            Framing::Lines => "lines",
            Framing::Json => "json",
            Framing::Pon => "pon",
            Framing::Tsf => "tsf",
            Framing::Pem => "pem",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_printed() {
        for name in ["ber", "u16be", "u32be", "fixed:20", "hex-lines", "lines", "json", "pon", "tsf", "pem"] {
            assert_eq!(name.parse::<Framing>().map(|framing| framing.to_string()), Ok(name.to_owned()));
        }
        for wrong in ["", "whole", "fixed", "fixed:0", "fixed:-1", "fixed:99999999999", "U16BE", "u16le"] {
            assert!(wrong.parse::<Framing>().is_err(), "{wrong}");
        }
    }
}
