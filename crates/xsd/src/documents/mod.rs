//! Schema documents: where they are, what stands in them, which belong together (Part 1 section 4).

mod catalog;
mod loader;

pub use catalog::Catalog;
pub use loader::{Files, Memory, Source};
