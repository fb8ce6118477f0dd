//! The formats that need a heap: XML, JSON, infosets, values of a schema, through the facade `lengthwise`.
//!
//! A handle belongs to the caller, who gives it back. Handles are not changed by what is done with them, so that
//! several threads can use one at once.

pub mod convert;
pub mod document;
pub mod error;
pub mod memory;
pub mod options;
pub mod schema;
pub mod session;
