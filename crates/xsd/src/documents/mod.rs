//! Schema documents: where they are, what stands in them, which belong together (Part 1 section 4).

mod catalog;
mod encoding;
mod grammar;
mod line;
mod loader;
mod scopes;
mod set;
mod tree;
mod vocabulary;

pub use catalog::Catalog;
pub(crate) use line::Lines;
pub use loader::{Files, Memory, Source};
pub(crate) use scopes::{OUTSIDE, Scopes};
pub(crate) use set::{At, Given, Set, unread};
pub(crate) use tree::{Fault, Growing, Tree, take_room};
pub(crate) use vocabulary::{Key, Tag};
