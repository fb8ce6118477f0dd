//! XML 1.0 and JSON text, to and from a [`Document`](tam::Document).

pub mod json;
pub mod xml;
