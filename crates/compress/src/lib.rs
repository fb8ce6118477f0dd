//! Messages compressed by zstd or gzip, small ones by a dictionary that both sides have.
//!
//! A compressed message is a frame of zstd (RFC 8878) or a member of gzip (RFC 1952), as other programs write and read them.
//! A [`Dictionary`] has what messages of a kind have in common, so that a message of some hundred bytes becomes small too.
//! Each frame has the number of its dictionary, which is a hash of its content: a message that is read with another one, or
//! with none, is an error that says which.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_compress::{Compression, Compressor, Decompressor, Dictionary};
//! use lengthwise_tam::Limits;
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let order = |number| format!(r#"{{"number":{number},"customer":"Boss & Daughters","lines":[]}}"#);
//! let samples: Vec<String> = (0..20).map(order).collect();
//! let dictionary = Dictionary::train(&samples, Dictionary::LARGEST)?;
//!
//! let mut compressor = Compressor::new(Compression::default(), Some(&dictionary))?;
//! let mut message = Vec::new();
//! compressor.append(order(4711).as_bytes(), &mut message)?;
//! assert!(message.len() < 30);
//!
//! let decompressor = Decompressor::new(Some(&dictionary), &Limits::default());
//! assert_eq!(decompressor.read(&message)?, order(4711).as_bytes());
//! assert!(Decompressor::new(None, &Limits::default()).read(&message).is_err());
//! # Ok(())
//! # }
//! ```

mod dictionary;
mod reader;
mod stream;
mod writer;

use std::fmt;
use std::path::Path;
use std::str::FromStr;

pub use dictionary::Dictionary;
pub use reader::Decompressor;
pub use stream::{Stream, decompressed};
pub use writer::Compressor;

/// How a message is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// A frame of zstd (RFC 8878).
    Zstd,
    /// Deflate in a member of gzip (RFC 1952), which has no dictionary.
    Gzip,
}

impl Method {
    const ZSTD: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();
    const GZIP: [u8; 3] = [0x1F, 0x8B, 8];

    /// So many bytes say how a message is compressed.
    pub const SNIFFED: usize = 4;

    /// The method that some bytes begin like, of which [`Method::SNIFFED`] are enough.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Method> {
        match bytes {
            _ if bytes.starts_with(&Method::ZSTD) => Some(Method::Zstd),
            _ if bytes.starts_with(&Method::GZIP) => Some(Method::Gzip),
            _ => None,
        }
    }

    /// Whether more bytes may make these the start of something compressed.
    fn is_begun(bytes: &[u8]) -> bool {
        let signatures: [&[u8]; 2] = [&Method::ZSTD, &Method::GZIP];
        signatures.iter().any(|signature| bytes.len() < signature.len() && signature.starts_with(bytes))
    }

    /// The method of files with an extension: `zst` or `gz`.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Method> {
        [Method::Zstd, Method::Gzip].into_iter().find(|method| extension.eq_ignore_ascii_case(method.extension()))
    }

    /// The extension of a file without that of its compression: `jsonl` of `rows.jsonl.gz`.
    ///
    /// ```
    /// use lengthwise_compress::Method;
    ///
    /// assert_eq!(Method::inner_extension("rows.jsonl.gz".as_ref()), Some("jsonl"));
    /// assert_eq!(Method::inner_extension("rows.gz".as_ref()), None);
    /// ```
    #[must_use]
    pub fn inner_extension(path: &Path) -> Option<&str> {
        match path.extension()?.to_str().and_then(Method::from_extension) {
            Some(_) => Path::new(path.file_stem()?).extension()?.to_str(),
            None => path.extension()?.to_str(),
        }
    }

    /// The extension of its files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Method::Zstd => "zst",
            Method::Gzip => "gz",
        }
    }

    /// Its name: `zstd` or `gzip`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Zstd => "zstd",
            Method::Gzip => "gzip",
        }
    }

    /// The least and the greatest level, and the one that is used where none is given.
    fn levels(self) -> (u32, u32, u32) {
        match self {
            Method::Zstd => (1, 19, 19),
            Method::Gzip => (1, 9, 9),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A method and how much work it does: as text `zstd`, `zstd:3`, `gzip`, `gzip:6`. `deflate` is another name of `gzip`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Compression {
    method: Method,
    level: u32,
}

impl Compression {
    /// The level is 1 to 19 for zstd, 1 to 9 for gzip; any other becomes the nearest of them.
    #[must_use]
    pub fn new(method: Method, level: u32) -> Compression {
        let (least, most, _) = method.levels();
        Compression { method, level: level.clamp(least, most) }
    }

    /// Its method.
    #[must_use]
    pub fn method(self) -> Method {
        self.method
    }

    /// Its level.
    #[must_use]
    pub fn level(self) -> u32 {
        self.level
    }
}

impl Default for Compression {
    /// zstd with the highest level: messages are small.
    fn default() -> Compression {
        Method::Zstd.into()
    }
}

impl From<Method> for Compression {
    fn from(method: Method) -> Compression {
        let (_, _, level) = method.levels();
        Compression { method, level }
    }
}

/// A text is not the name of a compression: what is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCompression(String);

impl fmt::Display for UnknownCompression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownCompression {}

impl FromStr for Compression {
    type Err = UnknownCompression;

    fn from_str(text: &str) -> Result<Compression, UnknownCompression> {
        let (name, level) = text.split_once(':').map_or((text, None), |(name, level)| (name, Some(level)));
        let method = match name {
            "zstd" => Method::Zstd,
            "gzip" | "deflate" => Method::Gzip,
            _ => return Err(UnknownCompression("expected zstd[:LEVEL], gzip[:LEVEL] or deflate[:LEVEL]".to_owned())),
        };
        let (least, most, default) = method.levels();
        match level.map_or(Ok(default), str::parse) {
            Ok(level) if (least..=most).contains(&level) => Ok(Compression { method, level }),
            _ => Err(UnknownCompression(format!("expected a level of {method} from {least} to {most}"))),
        }
    }
}
