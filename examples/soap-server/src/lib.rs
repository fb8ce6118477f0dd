//! A SOAP service over HTTP whose requests are deserialized by what differs from the one before.
//!
//! Two operations, as `samples/search.wsdl` describes them: a search (the paper's `doGoogleSearch`, and a literal twin), and
//! a sum of an array of doubles. SOAP 1.1 and 1.2; requests are read while they arrive, each by the template of its
//! operation and toolkit ([`lengthwise::dds::Templates`]).
//!
//! | file | is |
//! | --- | --- |
//! | `server.rs` | limits; connections: a task each, bounded in number; the stop |
//! | `peers.rs` | what each client, and all together, hold: connections, bytes of bodies |
//! | `deadline.rs` | connections whose answers must be taken in time |
//! | `http.rs` | a request of HTTP: which it is, its body in pieces, the answer's status |
//! | `body.rs`, `charset.rs` | bodies that are compressed, or in another character set than UTF-8 |
//! | `operations.rs` | what the operations do, from typed values to elements |
//! | `envelope.rs` | envelopes and faults of both versions, written |

mod body;
mod charset;
mod deadline;
mod envelope;
mod http;
mod operations;
mod peers;
mod server;

pub use server::{Limits, Server};
