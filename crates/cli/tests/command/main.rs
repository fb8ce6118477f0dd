//! The command as its users meet it: run as a program.

mod compare;
mod convert;
mod look;
mod page;
mod pon;
mod program;
