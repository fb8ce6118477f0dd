//! The formats that need a heap: XML, JSON, infosets, values of a schema, through the facade `lengthwise`.
//!
//! A handle belongs to the caller, who must release it. Using a handle does not change it, so several threads can use
//! it at once.

pub mod columns;
pub mod convert;
pub mod document;
pub mod error;
mod handle;
pub mod memory;
pub mod options;
pub mod schema;
pub mod session;
