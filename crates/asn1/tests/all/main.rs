//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_asn1 as asn1;

mod annex_a;
mod ber_forms;
mod ber_hostile;
mod ber_reported;
mod ber_round_trip;
#[path = "../ber_support/mod.rs"]
mod ber_support;
mod ber_written;
mod cer;
mod contents;
mod decimal;
mod elements;
mod get;
mod golden;
mod jer;
mod jer_round;
#[path = "../jer_support/mod.rs"]
mod jer_support;
mod notation;
mod notation_hostile;
mod notation_refused;
mod notation_round_trip;
mod notation_values;
mod oer_clauses;
mod open_types;
mod per_clauses;
mod per_reals;
mod published;
mod serde;
mod serde_support;
mod set_of;
#[path = "../support/mod.rs"]
mod support;
mod tags;
mod time;
mod time_layouts;
mod time_round;
mod time_types;
mod time_xsd;
mod twin;
mod values;
mod with_syntax;
mod xer;
