//! A SOAP endpoint as a `tower` service.
//!
//! A [`SoapService`] takes requests of HTTP whose bodies are messages of SOAP 1.1 or 1.2, reads each by the template that it
//! is most like, and lets a [`Handler`] answer it. It can be mounted wherever a `tower` service can: in `hyper` or `axum`,
//! with layers around it.
//!
//! What reads messages is the handler's choice ([`Messages`]): [`Literal`] whatever a description says of literal messages
//! (feature `wsdl`), [`dds::Templates`] messages in SOAP's encoding and arrays of numbers, while they arrive.
//!
//! ```
//! # use ::dds as lengthwise_dds;
//! use bytes::Bytes;
//! use http::Request;
//! use http_body_util::{BodyExt, Full};
//! use lengthwise_dds::{Member, Message, Options, Reader, Schema, Simple, Style, Value};
//! use lengthwise_http::service::{Fault, Handler, Settings, SoapService};
//! use tower_service::Service;
//!
//! struct Double;
//!
//! impl Handler for Double {
//!     type Messages = lengthwise_dds::Templates;
//!
//!     fn call(&self, message: &Message, _action: &str) -> Result<String, Fault> {
//!         match message.value().and_then(|value| value.member(0)) {
//!             Some(Value::Int(n)) => Ok(format!("<d:doubled xmlns:d=\"urn:d\"><n>{}</n></d:doubled>", 2 * i64::from(*n))),
//!             _ => Err(Fault::sender("There is no number.")),
//!         }
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let mut schema = Schema::new();
//! let int = schema.simple(Simple::Int);
//! let number = schema.sequence([Member::new("n", int)]);
//! schema.method("urn:d", "double", number, Style::Literal);
//! let reader = Reader::new(schema, &Options::default());
//! let mut service = SoapService::new(reader, Double, Settings::default());
//!
//! let body = r#"<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
//!     <double xmlns="urn:d"><n xmlns="">21</n></double></e:Body></e:Envelope>"#;
//! let request = Request::post("/").header("Content-Type", "text/xml").body(Full::<Bytes>::from(body)).unwrap();
//! let response = service.call(request).await.unwrap();
//! assert_eq!(response.status(), 200);
//! let body = response.into_body().collect().await.unwrap().to_bytes();
//! assert!(String::from_utf8_lossy(&body).contains("<n>42</n>"));
//! assert_eq!(service.stats().messages, 1);
//! # }
//! ```

mod body;
mod envelope;
#[cfg(feature = "wsdl")]
mod literal;
mod messages;
mod request;

use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::available_parallelism;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use tam::Limits;
use tokio::sync::Semaphore;

pub use dds::Stats;
pub use envelope::{Code, Fault, escaped};
#[cfg(feature = "wsdl")]
pub use literal::{ArrivingLiteral, Literal, LiteralMessage};
pub use messages::{Messages, Received};

/// What a service does with messages.
pub trait Handler: Send + Sync + 'static {
    /// What reads the messages.
    type Messages: Messages;

    /// The content of the body of the answer: elements. The prefixes `soap`, `xsi` and `xsd` are declared around them.
    /// The message is in use by its template until this returns. `action` is the SOAPAction, empty if there is none.
    ///
    /// # Errors
    /// The fault that is answered instead.
    fn call(&self, message: <Self::Messages as Messages>::Message<'_>, action: &str) -> Result<String, Fault>;

    /// Whether a SOAPAction is one of the service. All others are one kind of message for the templates.
    fn has_action(&self, _action: &str) -> bool {
        true
    }

    /// Whether a header block that must be understood is, by the namespace and the local part of its name.
    fn understands(&self, _namespace: &str, _name: &str) -> bool {
        false
    }

    /// The description that `?wsdl` gets, for clients that know the service by a host; `None` if there is none.
    fn description(&self, _host: Option<&str>) -> Option<String> {
        None
    }
}

/// How a service reads requests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// What reading a message may cost; the reader's own limits should be the same. Default [`Limits::UNTRUSTED`].
    pub limits: Limits,
    /// Bytes that templates may keep between messages. Default 128 MiB.
    pub templates: usize,
    /// How long the next piece of a body may take. Default 10 seconds.
    pub patience: Duration,
    /// How long all of a body may take. Default 30 seconds.
    pub body_time: Duration,
    /// The path at which `GET` answers what templates counted, as JSON; an empty one is none. Default none.
    pub stats_path: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            limits: Limits::UNTRUSTED,
            templates: 128 << 20,
            patience: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            stats_path: String::new(),
        }
    }
}

impl Settings {
    /// The same with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Settings {
        self.limits = limits;
        self
    }

    /// The same with another bound of templates.
    #[must_use]
    pub fn with_templates(mut self, bytes: usize) -> Settings {
        self.templates = bytes;
        self
    }

    /// The same with other times for the next piece of a body, and for all of it.
    #[must_use]
    pub fn with_times(mut self, patience: Duration, body_time: Duration) -> Settings {
        (self.patience, self.body_time) = (patience, body_time);
        self
    }

    /// The same with a path for the statistics.
    #[must_use]
    pub fn with_stats_path(mut self, path: &str) -> Settings {
        path.clone_into(&mut self.stats_path);
        self
    }
}

/// Grants memory for the bodies of requests. A server that bounds what a client, or all clients, may have in memory puts one
/// into the extensions of a request, as an [`Account`].
pub trait Room: Send + Sync {
    /// Takes bytes; whether they are granted.
    fn take(&self, bytes: usize) -> bool;

    /// Gives back bytes that were granted.
    fn give_back(&self, bytes: usize);
}

/// What a request's body takes its memory from: an extension of the request. Without one, only `message_bytes` bounds it.
#[derive(Clone)]
pub struct Account(pub Arc<dyn Room>);

/// A SOAP endpoint: a `tower` service. Clones share their templates.
pub struct SoapService<H: Handler>(Arc<Shared<H>>);

struct Shared<H: Handler> {
    handler: H,
    settings: Settings,
    messages: H::Messages,
    /// Turns to read a long message as a whole.
    long: Semaphore,
}

impl<H: Handler> SoapService<H> {
    /// A service whose messages are read by a reader: a [`dds::Reader`], or a [`soap::Service`](Literal).
    pub fn new(reader: <H::Messages as Messages>::Reader, handler: H, settings: Settings) -> SoapService<H> {
        let messages = H::Messages::new(reader, &settings);
        let long = Semaphore::new(available_parallelism().map_or(1, usize::from));
        SoapService(Arc::new(Shared { handler, settings, messages, long }))
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.0.messages.stats()
    }
}

impl<H: Handler> Clone for SoapService<H> {
    fn clone(&self) -> SoapService<H> {
        SoapService(self.0.clone())
    }
}

impl<H: Handler> fmt::Debug for SoapService<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SoapService").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}

impl<H, B> tower_service::Service<Request<B>> for SoapService<H>
where
    H: Handler,
    B: http_body::Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = self.0.clone();
        Box::pin(async move { Ok(request::answer(&shared, request).await) })
    }
}
