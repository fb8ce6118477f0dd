//! References in SOAP's encoding (SOAP 1.1 section 5.4.1): an element with `href` has the value of the element with that
//! `id`, which is in the message or in the body after it.
//!
//! A schema describes elements with their values. So a message with references is rewritten as one without: an element
//! that refers to another gets its attributes and its content, and the elements after the message go. What references add
//! counts against [`Limits::decompression`](tam::Limits::decompression), and an element that holds itself is refused.

mod events;
mod writer;

use std::collections::HashSet;
use std::sync::Arc;

use tam::Error;
use x694::xer::Rewrite;
use xsd::Options;

use crate::service::Name;
use events::Events;
use writer::Writer;

/// Rewrites messages in SOAP's encoding.
#[derive(Debug)]
pub(crate) struct References {
    /// The first elements of these messages.
    pub(crate) messages: Arc<HashSet<Name>>,
}

impl Rewrite for References {
    fn rewrite(&self, xml: &[u8], options: &Options) -> Result<Option<Vec<u8>>, Error> {
        let Some(events) = Events::of(xml, options, &self.messages)? else { return Ok(None) };
        let mut writer = Writer::new(&events, xml, options);
        writer.write(usize::MAX)?;
        Ok(Some(writer.into_text()))
    }

    fn event_at(&self, xml: &[u8], options: &Options, at: u64) -> u64 {
        let Ok(Some(events)) = Events::of(xml, options, &self.messages) else { return 0 };
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        Writer::new(&events, xml, options).write(at).map_or(0, u64::from)
    }
}
