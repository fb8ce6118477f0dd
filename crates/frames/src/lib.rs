//! Messages in files: one after the other by their framing, as hexadecimal text, and in captures of a network.
//!
//! [`Frames`] reads the messages of a file or a stream one by one, and keeps no more than one of them. How they are found
//! is in [`Options`]:
//!
//! | messages | option |
//! | --- | --- |
//! | with a length in front, of a fixed length, in BER, JSON, PON or TSF, in PEM, or one per line | [`Framing`], [`pem`] |
//! | as hexadecimal text: digits, or a dump with offsets | [`Options::hex`], [`hex`] |
//! | in SCTP, UDP or TCP to or from a port, in a capture (pcap, pcapng) | [`Port`] |
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_frames::{Frames, Framing, Options};
//!
//! # fn main() -> Result<(), lengthwise_tam::Error> {
//! let file = [0, 2, 0x30, 0, 0, 3, 2, 1, 5];
//! let mut frames = Frames::new(&file[..], &Options::default().with_framing(Framing::U16Be))?;
//! assert_eq!(frames.next_frame()?.unwrap().bytes, [0x30, 0]);
//! let frame = frames.next_frame()?.unwrap();
//! assert_eq!((frame.bytes, frame.number, frame.place.to_string()), (&[2, 1, 5][..], 2, "byte 6".to_owned()));
//! assert!(frames.next_frame()?.is_none());
//! # Ok(())
//! # }
//! ```
//!
//! Sources: RFC 7468 (PEM), RFC 9260 (SCTP), RFC 9293 (TCP), X.690 clause 8.1 (BER), RFC 8259 and 7464 (JSON). The
//! containers of captures and the heads of packets up to UDP and TCP are read by `pcap-parser` and `etherparse`.

mod ber;
mod capture;
mod cut;
mod frames;
mod framing;
pub mod hex;
mod json;
pub mod pem;
mod stream;

pub use capture::{Port, Protocol, Skipped, is_capture, ports};
pub use frames::{Frame, Frames, Options, Place};
pub use framing::Framing;
