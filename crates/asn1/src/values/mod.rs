//! Typed values: the content of a message, laid out by its schema.
//!
//! A value is a *cell* of 8 bytes with a *mark* of one byte. A record is a run of cells, one for each component. An
//! array of simple values is a run of cells, so its numbers are consecutive. An array of records is one run for each
//! component, its *columns*. Text and octets refer to the message if they are unchanged there; short and changed ones
//! are copied next to the cells.
//!
//! | type | its cell |
//! | --- | --- |
//! | BOOLEAN | 0 or 1 |
//! | INTEGER | the number, in 64 bits of two's complement; for a larger one, the position of its octets |
//! | ENUMERATED | the index of the enumeration |
//! | REAL | the double; for a decimal number that no double equals, the position of its text |
//! | texts, octets, object identifiers | position and length in bytes |
//! | BIT STRING | position, and length in bits |
//! | SEQUENCE, SET | the first cell of its run |
//! | CHOICE | the cell of the chosen value, and the index of the alternative |
//! | SEQUENCE OF, SET OF | the first cell of its run, and the number of components |

mod accepted;
mod again;
mod fill;
mod get;
mod look;
mod related;
mod select;
mod store;
mod value;
mod walk;

pub use accepted::{Accepted, Found};
pub use again::Saved;
pub use fill::Filler;
pub(crate) use look::ValueReader;
pub use store::{Level, Values};
pub use value::{Column, Items, Members, Value};
