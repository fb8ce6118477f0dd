//! Instances that are another text by the rules of a grammar over XML, such as SOAP's encoding.

use std::fmt;

use asn1::{Filler, Values};
use tam::Error;
use xsd::{Options, internal};

use super::expect::Memory;
use super::reader::{Instance, Read, Texts, read_root};
use super::types::Types;

/// Writes instances that the schema refuses in the way that it describes: with elements in place of references to them, for
/// example.
pub trait Rewrite: fmt::Debug + Send + Sync {
    /// The instance in the other way; `None` if it would be the same.
    ///
    /// # Errors
    /// Why it cannot be written so.
    fn rewrite(&self, xml: &[u8], options: &Options) -> Result<Option<Vec<u8>>, Error>;

    /// The number of the event, from 1, of the instance that was written at a position of the other text.
    fn event_at(&self, xml: &[u8], options: &Options, at: u64) -> u64;
}

impl Types {
    /// The instance in the way that the schema describes; `None` if it is in that way.
    pub(super) fn rewritten(&self, xml: &[u8], options: &Options) -> Result<Option<Vec<u8>>, Error> {
        self.rewrite.as_ref().map_or(Ok(None), |rewrite| rewrite.rewrite(xml, options))
    }

    /// An error in the rewritten text, with its position in the instance.
    #[cold]
    pub(super) fn at_origin(&self, error: &Error, xml: &[u8], options: &Options) -> Error {
        let event = self.rewrite.as_ref().map_or(0, |rewrite| rewrite.event_at(xml, options, error.offset()));
        internal::at_event(xml, options.limits, event, error)
    }
}

/// Reads an instance that was refused, if it can be rewritten.
pub(super) fn read_rewritten(
    refused: Error,
    Instance { xml, package }: Instance<'_>,
    types: &Types,
    options: &Options,
    values: &mut Values,
    memory: Option<&mut Memory>,
) -> Result<Read, Error> {
    let Some(text) = types.rewritten(xml, options)? else { return Err(refused) };
    let filler = Filler::new(types.compiled(), options.limits, values).with_input(text.len());
    let read = read_root(Instance { xml: &text, package }, types, options, filler, memory, Texts::Kept);
    read.map_err(|error| types.at_origin(&error, xml, options))
}
