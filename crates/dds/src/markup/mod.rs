//! XML as SOAP messages are written in it, read without a tree.

pub(crate) mod leaf;
pub(crate) mod scan;
pub(crate) mod scope;
