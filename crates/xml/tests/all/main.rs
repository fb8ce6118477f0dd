//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

mod binary;
mod calendar;
mod chars;
mod durations;
mod escape;
mod names;
mod namespaces;
mod numbers;
mod scan;
mod uris;
mod white_space;
