//! The XML Infoset in ASN.1.
#![allow(dead_code)] // until the room is furnished

mod ber;
mod ber_run;
mod ber_writer;
mod block;
mod chain;
mod chars;
mod collect;
mod compression;
mod cursor;
mod doctype;
mod events;
mod intern;
mod items;
mod lazy;
mod message;
mod names;
mod namespaces;
mod options;
mod order;
mod outline;
mod per;
mod per_run;
mod per_writer;
mod reader;
mod rules;
mod scan;
mod scope;
mod store;
mod strings;
mod writer;

pub use events::{Event, Instruction, Name, Reader, StartTag, events};
pub use options::{Options, Strings};
pub use reader::{read, read_prefix};
pub use writer::{append, write};
