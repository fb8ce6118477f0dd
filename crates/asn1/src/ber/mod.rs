//! The Basic and Distinguished Encoding Rules (X.690).
mod reader;
mod writer;
pub(crate) use reader::read;
pub(crate) use writer::write;
