//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tam as tam;

mod builder;
mod json_view;
mod limits;
mod names;
mod path;
mod query;
mod support;
