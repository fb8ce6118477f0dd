//! The plain way to read a message: into a tree, and then by the schema.
//!
//! It is the twin that the fast way is held against, it reads what the fast way leaves to it
//! (multi-reference values, faults, other encodings than UTF-8), and every error of a message is its
//! finding.

mod bind;
mod envelope;
mod tree;

use tam::Error;

use crate::options::Options;
use crate::schema::Schema;
use crate::soap::envelope::Message;

/// Reads a message.
pub(crate) fn read(message: &[u8], schema: &Schema, options: &Options) -> Result<Message, Error> {
    let tree = tree::Tree::read(message, options.limits)?;
    envelope::read(&tree, schema, options)
}
