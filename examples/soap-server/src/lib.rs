//! A SOAP service over HTTP whose requests are deserialized by what differs from the one before.
//!
//! Two operations, as `samples/search.wsdl` describes them: a search (the paper's `doGoogleSearch`, and a literal twin), and
//! a sum of an array of doubles. The requests are read and answered by [`lengthwise_http::service::SoapService`], a `tower`
//! service; this program gives it what the operations do, and connections.
//!
//! | file | is |
//! | --- | --- |
//! | `server.rs` | limits; connections: a task each, bounded in number; the stop |
//! | `peers.rs` | what each client, and all together, hold: connections, bytes of bodies |
//! | `deadline.rs` | connections whose answers must be taken in time |
//! | `operations.rs` | what the operations do, from typed values to elements |

mod deadline;
mod operations;
mod peers;
mod server;

pub use server::{Limits, Server};
