//! The XML Infoset in ASN.1.
#![allow(dead_code)] // until the room is furnished

mod ber;
mod ber_writer;
mod chain;
mod chars;
mod collect;
mod compression;
mod cursor;
mod doctype;
mod intern;
mod items;
mod names;
mod options;
mod order;
mod per;
mod per_writer;
mod reader;
mod rules;
mod scan;
mod scope;
mod strings;
mod writer;

pub use options::{Options, Strings};
pub use reader::{read, read_prefix};
pub use writer::{append, write};
