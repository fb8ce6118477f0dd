//! SOAP over HTTP: the body of a message, decoded as it arrives.
//!
//! Clients compress bodies, send them in several parts (MTOM, SOAP with attachments) and in other character sets than
//! UTF-8. [`Content`] is what the head of a message says about that, and a [`Decoder`] gives the message itself to a
//! [`Sink`], within [`Limits`](tam::Limits), such as a vector.
//!
//! * Compressed by gzip or deflate (RFC 9110 section 8.4.1), also bare deflate.
//! * `multipart/related` (RFC 2387): the root part is the message, as in MTOM and SOAP with attachments. The other parts
//!   are counted, and kept where the sink is a [`Package`]. [`append_package`] writes such a body.
//! * UTF-8, UTF-16, ISO-8859-1, US-ASCII, as the head says; what the XML declaration says is left to the reader.
//!
//! With the feature `service`, [`service`] is a SOAP endpoint for servers made of `tower` services.
//!
//! Chunks (RFC 9112 section 7.1) are decoded by a server's HTTP library; [`chunked`] does it for recordings.
//!
//! ```
//! # use ::tam as lengthwise_tam;
//! use lengthwise_http::{Content, Decoder};
//! use lengthwise_tam::Limits;
//!
//! let content = Content::of("text/xml; charset=iso-8859-1", "")?;
//! let mut decoder = Decoder::new(&content, &Limits::UNTRUSTED, Vec::new());
//! decoder.feed(b"<a>\xE9</a>").unwrap();
//! assert_eq!(decoder.finish().unwrap().0, "<a>é</a>".as_bytes());
//! # Ok::<(), lengthwise_http::Unsupported>(())
//! ```

mod charset;
mod chunked;
mod coding;
mod content;
mod decoder;
mod gzip;
mod media_type;
mod message;
mod multipart;
mod package;
#[cfg(feature = "service")]
pub mod service;

pub use charset::Charset;
pub use chunked::chunked;
pub use coding::Coding;
pub use content::{Content, Unsupported};
pub use decoder::{Decoder, Refusal, Sink};
pub use multipart::Attachments;
pub use package::append_package;
pub use xml::xop::Package;
