//! Schema documents: loading them, their grammar, and which belong together (Part 1 section 4).

mod catalog;
mod encoding;
mod grammar;
mod line;
mod loading;
mod scopes;
mod set;
mod tree;
mod vocabulary;
mod well_known;

pub use catalog::Catalog;
pub(crate) use line::Lines;
pub(crate) use loading::Loading;
pub(crate) use scopes::{OUTSIDE, Scopes};
pub(crate) use set::{DocumentSet, Given, NodeRef, load_error};
pub(crate) use tree::{Fault, Tree, TreeBuilder};
pub(crate) use vocabulary::{Key, Tag};
