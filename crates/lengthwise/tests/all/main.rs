//! The tests that need no program of their own: one program is built in less time than many, and runs them side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

mod asn1;
mod asn1_page;
mod asn1_serde;
mod base64;
mod by_xsd;
mod canonical;
mod losses;
mod own_types;
mod pon;
mod pon_page;
mod settings;
mod tables;
mod type_sets;
