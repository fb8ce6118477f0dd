//! Messages of a schema into columns.

use arrow_array::RecordBatch;
use columns::Decoder;
use lengthwise::asn1::{self, Compiled, NodeId};
use lengthwise::tam::Table;
use lengthwise::{Error, Format, Limits, Options, Types};

use crate::batch::arrow;

/// Fills columns with messages of a format: PER, BER or OER, or documents of JSON values.
pub(crate) struct Filling<'t> {
    decoder: Decoder<'t>,
    /// The format and the room of documents.
    documents: Option<(Format, Options<'t>, Table<'static>)>,
}

impl<'t> Filling<'t> {
    pub(crate) fn new(
        types: &'t Compiled,
        node: NodeId,
        format: Format,
        limits: Limits,
        columns: Option<&[String]>,
    ) -> Result<Filling<'t>, Error> {
        let names: Option<Vec<&str>> = columns.map(|names| names.iter().map(String::as_str).collect());
        let rules = asn1::Options::of(format.rules().unwrap_or_default()).with_limits(limits);
        let options = Options::default().with_limits(limits).with_output_types(Types::Value);
        let documents = format.has_json_values().then(|| (format, options, Table::new()));
        Ok(Filling { decoder: Decoder::new(types, node, &rules, names.as_deref())?, documents })
    }

    pub(crate) fn push(&mut self, message: &[u8]) -> Result<(), Error> {
        match &mut self.documents {
            None => self.decoder.push(message),
            Some((format, options, table)) => {
                self.decoder.push_document(&lengthwise::read(message, *format, options, table)?)
            }
        }
    }

    pub(crate) fn push_null(&mut self) -> Result<(), Error> {
        self.decoder.push_null()
    }

    pub(crate) fn rows(&self) -> usize {
        self.decoder.rows()
    }

    pub(crate) fn finish(&mut self) -> Result<RecordBatch, Error> {
        self.decoder.finish().map_err(|error| arrow(&error))
    }
}
