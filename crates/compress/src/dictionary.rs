//! Dictionaries of zstd (RFC 8878 section 5), made of samples.

use std::sync::Arc;

use tam::{Error, ErrorKind, Words};
use twox_hash::XxHash64;
use zstd::dict::DecoderDictionary;

/// The first bytes of a dictionary, before its number.
const MAGIC: [u8; 4] = 0xEC30_A437_u32.to_le_bytes();

/// Numbers below are registered, as are those from `REGISTERED` on (RFC 8878 section 5).
const FREE: u64 = 1 << 15;
const REGISTERED: u64 = 1 << 31;

/// Samples are cut into pieces of so many bytes to count how often bytes, lengths and distances come.
const PIECE: usize = 256;

/// The size of the part that is trained where the content is the samples themselves.
const TABLES: usize = 256;

/// Few samples are counted so many times at the most.
const TIMES: usize = 1 << 10;

/// What messages of a kind have in common: the statistics and the content of a dictionary of zstd.
#[derive(Clone)]
pub struct Dictionary {
    bytes: Vec<u8>,
    id: u32,
    prepared: Arc<DecoderDictionary<'static>>,
}

impl PartialEq for Dictionary {
    fn eq(&self, other: &Dictionary) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Dictionary {}

impl std::fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Dictionary").field("id", &self.id).field("len", &self.bytes.len()).finish()
    }
}

impl Dictionary {
    /// The size in bytes above which a dictionary is not worth more, as zstd's own program has it.
    pub const LARGEST: usize = 112_640;

    /// The least size in bytes.
    pub const SMALLEST: usize = 1 << 10;

    /// A dictionary of at most so many bytes for messages like some samples. If there is room for all samples, it has all of
    /// them, the shortest last, where they are found at the least cost; if not, those parts that come most often (the
    /// algorithm COVER of zstd). Its number is a hash of its content.
    ///
    /// # Errors
    /// If the samples together have less than 8 bytes, or `most` is less than [`Dictionary::SMALLEST`].
    pub fn train<S: AsRef<[u8]>>(samples: &[S], most: usize) -> Result<Dictionary, Error> {
        let mut samples: Vec<&[u8]> = samples.iter().map(AsRef::as_ref).collect();
        let total = samples.iter().map(|sample| sample.len()).sum::<usize>();
        if total < 8 {
            let found = Words::Count(total as u64, "bytes of samples");
            return Err(Error::new(ErrorKind::Unsupported, "dictionary", 0, found, "8 bytes or more"));
        }
        if most < Dictionary::SMALLEST {
            let found = Words::Count(most as u64, "bytes");
            return Err(Error::new(ErrorKind::Unsupported, "dictionary", 0, found, "a size of 1024 bytes or more"));
        }
        let holds_all = total <= most - TABLES;
        let mut bytes = trained(&samples, if holds_all { TABLES } else { most })?;
        if holds_all {
            samples.sort_by_key(|sample| std::cmp::Reverse(sample.len()));
            samples.dedup();
            samples.iter().for_each(|sample| bytes.extend_from_slice(sample));
        }
        let id = FREE + XxHash64::oneshot(0, bytes.get(8..).unwrap_or_default()) % (REGISTERED - FREE);
        if let Some(number) = bytes.get_mut(4..8) {
            number.copy_from_slice(&(id as u32).to_le_bytes());
        }
        Dictionary::read(bytes)
    }

    /// A dictionary from its bytes, as [`train`](Dictionary::train) and the programs of zstd make them.
    ///
    /// # Errors
    /// If it is not a dictionary of zstd: one with a number and tables.
    pub fn read(bytes: Vec<u8>) -> Result<Dictionary, Error> {
        let refused = |found: &'static str| {
            Err(Error::new(ErrorKind::Syntax, "dictionary", 0, found, "a dictionary of zstd, as train makes it"))
        };
        let id = match bytes.split_first_chunk::<8>() {
            Some(([a, b, c, d, number @ ..], _)) if [*a, *b, *c, *d] == MAGIC => u32::from_le_bytes(*number),
            _ => return refused("other bytes"),
        };
        if id == 0 || zstd::bulk::Decompressor::with_dictionary(&bytes).is_err() {
            return refused("damaged tables");
        }
        let prepared = Arc::new(DecoderDictionary::copy(&bytes));
        Ok(Dictionary { bytes, id, prepared })
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, as a decoder takes it.
    pub(crate) fn prepared(&self) -> &DecoderDictionary<'static> {
        &self.prepared
    }

    /// Its number, which messages have that are compressed with it.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }
}

/// A dictionary of at most `most` bytes.
fn trained(samples: &[&[u8]], most: usize) -> Result<Vec<u8>, Error> {
    let all = samples.concat();
    let lens: Vec<usize> = samples.iter().flat_map(|sample| sample.chunks(PIECE)).map(<[u8]>::len).collect();
    let mut times = 1;
    // Few bytes are counted several times: zstd refuses to make tables of less.
    loop {
        match zstd::dict::from_continuous(&all.repeat(times), &lens.repeat(times), most) {
            Ok(bytes) => return Ok(bytes),
            Err(_) if times < TIMES => times *= 2,
            Err(error) => {
                let found = format!("samples that zstd makes no dictionary of ({error})");
                return Err(Error::new(ErrorKind::Unsupported, "dictionary", 0, found, "samples that differ"));
            }
        }
    }
}
