//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_xsd as xsd;

mod attribution;
mod clauses;
mod documents;
mod events;
mod hostile;
mod wsdl;
