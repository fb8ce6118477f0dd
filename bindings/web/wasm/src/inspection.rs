//! The structure of a message, next to its bits.

use lengthwise::{Format, Options};
use lengthwise_inspect::Inspection as Structure;
use wasm_bindgen::prelude::*;

use crate::failure::json;

/// The rows of a message in order. They stay in the module, and are asked for a few at a time.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Inspection(Structure);

impl Inspection {
    /// The structure of a message up to the first error in it.
    pub(crate) fn of(message: Vec<u8>, format: Format, options: &Options<'_>) -> Inspection {
        Inspection(Structure::new(message, format, options))
    }
}

#[wasm_bindgen]
impl Inspection {
    /// The number of rows.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// The error in the message, as JSON.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn error(&self) -> Option<String> {
        self.0.error().map(|error| json(error, None))
    }

    /// For each row, the number of the row after the last one below it.
    #[must_use]
    pub fn ends(&self) -> Vec<u32> {
        self.0.ends()
    }

    /// Some of the rows, as JSON.
    #[must_use]
    pub fn rows(&self, numbers: &[u32]) -> String {
        self.0.rows(numbers)
    }

    /// What the bits from `bit` on, as many as `bits`, are for: spans as JSON.
    #[must_use]
    pub fn spans(&self, bit: f64, bits: f64) -> String {
        self.0.spans(bit as u64, bits as u64)
    }

    /// The first bits of a row itself, without those of the rows below it: spans as JSON.
    #[must_use]
    pub fn parts(&self, row: u32) -> String {
        self.0.parts(row)
    }

    /// The bits of the message by the names of its rows, as JSON.
    #[must_use]
    pub fn sizes(&self) -> String {
        self.0.sizes()
    }

    /// The row that a bit belongs to.
    #[must_use]
    pub fn at(&self, bit: f64) -> Option<u32> {
        self.0.at(bit as u64)
    }

    /// The path of a row, as a query has it.
    #[must_use]
    pub fn path(&self, row: u32) -> String {
        self.0.path(row)
    }

    /// The row at a path; of several elements of a name the first.
    #[must_use]
    pub fn row_at(&self, path: &str) -> Option<u32> {
        self.0.row_at(path)
    }

    /// The next row from `from` on, starting again at the first, whose name or value contains a text. Upper and lower case
    /// of ASCII are the same.
    #[must_use]
    pub fn search(&self, text: &str, from: u32) -> Option<u32> {
        self.0.search(text, from)
    }

    /// The message.
    #[must_use]
    pub fn bytes(&self, from: usize, len: usize) -> Vec<u8> {
        let message = self.0.message();
        message.get(from..from.saturating_add(len).min(message.len())).unwrap_or_default().to_vec()
    }

    /// The data of a page of HTML of its own, with the text of a schema.
    #[must_use]
    pub fn page_data(&self, title: &str, schema: Option<String>) -> String {
        let schema = schema.iter().map(|text| ("schema", &text[..]));
        self.0.page_data(title, &schema.collect::<Vec<_>>())
    }
}
