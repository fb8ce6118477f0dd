//! What is needed to read the documents of a schema.

use tam::Error;
use text::xml::{Event, Source};

use super::set::load_error;
use crate::{Names, Options};

/// The source of documents, the options, the names read so far, and what is left of the limit of elements.
pub(crate) struct Loading<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) options: &'a Options,
    pub(crate) names: &'a mut Names,
    /// How many more elements all documents together may have.
    pub(crate) room: u32,
}

impl<'a> Loading<'a> {
    pub(crate) fn new(source: &'a dyn Source, options: &'a Options, names: &'a mut Names) -> Loading<'a> {
        Loading { source, options, names, room: options.limits.units }
    }

    /// The most bytes of a document.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.options.limits.message_bytes.into()
    }

    /// Loads a document that the caller named.
    pub(crate) fn load(&mut self, name: &str, format: &'static str) -> Result<Vec<u8>, Error> {
        let most = self.most_bytes();
        self.source.load(name, most).map_err(|error| load_error(&error, format, name, most))
    }

    /// Counts the element of a start tag against the limit.
    pub(crate) fn count(&mut self, event: &Event<'_>, position: u64) -> Result<(), Error> {
        if !matches!(event, Event::Start(_)) {
            return Ok(());
        }
        let limit = || Error::limit("xsd", position, "more elements", "units", self.options.limits.units.into());
        self.room = self.room.checked_sub(1).ok_or_else(limit)?;
        Ok(())
    }
}
