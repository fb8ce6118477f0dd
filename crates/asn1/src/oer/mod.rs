//! The Octet Encoding Rules, basic and canonical (X.696).
//!
//! Every value takes whole octets, and constraints decide how many: `INTEGER (0..255)` takes one octet and no length.
//! Reading accepts every form that the basic rules allow. Writing uses the shortest forms; under the canonical rules it
//! produces the only encoding of a value.

mod primitive;
mod reader;
mod writer;

pub(crate) use reader::{read, read_content};
pub(crate) use writer::write;

/// The number of an alternative that is known only by its tag, and by these rules. BER has the number above.
pub(crate) const BY_TAG: u32 = u32::MAX - 1;
