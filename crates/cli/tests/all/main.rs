//! The command as its users meet it: run as a program.

mod asn1;
mod compare;
mod compression;
mod convert;
mod example;
mod files;
mod html;
mod infoset;
mod installed;
mod look;
mod losses;
mod messages;
mod options;
mod page;
mod pon;
mod program;
mod service;
mod streams;
mod tables;
mod tdxml;
mod types;
mod words;
mod xsd;
