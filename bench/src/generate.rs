//! Documents made up.
use crate::documents::Document;
pub(crate) fn xml() -> Vec<Document> { vec![] }
pub(crate) fn json() -> Vec<Document> { vec![] }
