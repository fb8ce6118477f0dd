//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tdxml as tdxml;

mod envelope;
#[path = "../support/hold.rs"]
mod hold;
mod hostile;
mod lookup;
mod lossless;
mod paper;
mod plan;
mod stream;
#[path = "../support/mod.rs"]
mod support;
mod twins;
