//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_infoset as infoset;

mod by_hand;
mod foreign;
mod golden;
mod lossless;
mod made_up;
mod oracle;
mod properties;
mod shared;
#[path = "../support/mod.rs"]
mod support;
mod twin;
