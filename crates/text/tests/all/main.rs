//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_text as text;

mod json_conformance;
mod json_errors;
mod json_hostile;
mod json_oracles;
mod json_properties;
#[path = "../json_support/mod.rs"]
mod json_support;
mod json_write;
mod xml_entities;
mod xml_errors;
mod xml_expat;
mod xml_hostile;
mod xml_namespaces;
mod xml_references;
mod xml_round_trip;
mod xml_suite;
mod xml_support;
mod xml_write_undone;
