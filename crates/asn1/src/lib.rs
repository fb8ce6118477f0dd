//! ASN.1 at run time.
#![allow(missing_docs)] // until the rooms are furnished
pub mod per;
pub mod schema;
