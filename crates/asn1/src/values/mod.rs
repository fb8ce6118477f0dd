//! Typed values: what a message says, as its schema lays it out.
//!
//! A value is a *cell* of 8 bytes with a *mark* of one byte beside it. A record is a run of cells,
//! one a component; an array of simple values is a run of them, so that its numbers lie side by
//! side; an array of records is a run a component, its *columns*. Text and octets are
//! referred to in the message if they are unchanged there; short and changed ones are copied next to the cells.
//!
//! | type | its cell |
//! | --- | --- |
//! | BOOLEAN | 0 or 1 |
//! | INTEGER | the number, in 64 bits of two's complement; a larger one: the place of its octets |
//! | ENUMERATED | the place of the enumeration |
//! | REAL | the double; a decimal one that no double holds: the place of its text |
//! | texts, octets, object identifiers | place and length in bytes |
//! | BIT STRING | place, and length in bits |
//! | SEQUENCE, SET | the first cell of its run |
//! | CHOICE | the cell of what is chosen, and which alternative it is |
//! | SEQUENCE OF, SET OF | the first cell of its run, and how many components |

mod fill;
mod look;
mod store;
mod value;

pub use fill::Filler;
pub(crate) use look::ValueReader;
pub use store::{Level, Values};
pub use value::{Column, Items, Members, Value};
