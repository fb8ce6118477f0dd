//! Values that equal the defaults of their components, by their encodings.

use foldhash::HashMap;
use tam::{Error, ErrorKind, Words};

use crate::compiled::Compiled;
use crate::values::{Level, ValueReader};
use crate::writer::Start;

/// The encodings of defaults that have content of their own, as far as needed so far; `None` for those that are being
/// encoded.
pub(crate) struct Defaults {
    encodings: HashMap<u32, Option<Vec<u8>>>,
    /// The number of nested defaults that are being encoded, and the most of them.
    within: u32,
    most: u32,
}

impl Defaults {
    /// Comparisons may nest `most` deep.
    pub(crate) fn new(most: u32) -> Defaults {
        Defaults { encodings: HashMap::default(), within: 0, most }
    }

    /// Whether octets are the encoding of a default; `write` encodes it.
    #[cold]
    #[inline(never)]
    pub(crate) fn equals(
        &mut self,
        types: &Compiled,
        number: u32,
        octets: &[u8],
        format: &'static str,
        write: impl FnOnce(&ValueReader<'_>, Start<Level>, &mut Defaults, &mut Vec<u8>) -> Result<usize, Error>,
    ) -> Result<bool, Error> {
        if !self.encodings.contains_key(&number) {
            if self.within >= self.most {
                let found = "defaults within defaults";
                let expected = Words::AtMost(self.most.into(), "compared");
                return Err(Error::new(ErrorKind::Limit, format, 0, found, expected));
            }
            // While it is being encoded, no value inside can be equal to it.
            self.encodings.insert(number, None);
            self.within += 1;
            let value = types.default_value(number);
            let (look, at) = value.source();
            let mut encoding = Vec::new();
            write(&look, Start { at, node: value.node_id(), row: false }, self, &mut encoding)?;
            self.within -= 1;
            self.encodings.insert(number, Some(encoding));
        }
        let encoding = self.encodings.get(&number).and_then(Option::as_deref);
        Ok(encoding.is_some_and(|encoding| encoding == octets))
    }
}
