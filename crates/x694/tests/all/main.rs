//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_x694 as x694;

mod by_hand;
mod by_modules;
#[path = "../generated/mod.rs"]
mod generated;
#[path = "../instance_support/mod.rs"]
mod instance_support;
mod mapping_complex;
mod mapping_data;
mod mapping_simple;
mod mapping_support;
#[path = "../mutation_support/mod.rs"]
mod mutation_support;
mod mutations;
mod open_types;
mod oracle;
#[path = "../oracle_support/mod.rs"]
mod oracle_support;
mod package;
mod particles;
mod twin;
mod xer;
mod xer_data;
