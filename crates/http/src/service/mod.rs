//! A SOAP endpoint as a `tower` service.
//!
//! A [`SoapService`] takes requests of HTTP whose bodies are messages of SOAP 1.1 or 1.2, reads each by the template that it
//! is most like, and lets a [`Handler`] answer it. It can be mounted wherever a `tower` service can: in `hyper` or `axum`,
//! with layers around it.
//!
//! ```
//! # use ::soap as lengthwise_soap;
//! # use ::xsd as lengthwise_xsd;
//! use bytes::Bytes;
//! use http::Request;
//! use http_body_util::{BodyExt, Full};
//! use lengthwise_http::service::{Answer, Call, Fault, Handler, Settings, SoapService};
//! use lengthwise_soap::{Body, Name, Service};
//! use lengthwise_xsd::{Memory, Options};
//! use tower_service::Service as _;
//!
//! const DESCRIPTION: &str = r#"<definitions targetNamespace="urn:d" xmlns:t="urn:d"
//!     xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
//!     xmlns:xs="http://www.w3.org/2001/XMLSchema">
//!   <message name="Number"><part name="n" type="xs:int"/></message>
//!   <portType name="Port"><operation name="double"><input message="t:Number"/><output message="t:Number"/></operation>
//!   </portType>
//!   <binding name="Soap" type="t:Port"><soap:binding style="rpc"/><operation name="double">
//!     <input><soap:body use="literal" namespace="urn:d"/></input>
//!     <output><soap:body use="literal" namespace="urn:d"/></output></operation></binding>
//! </definitions>"#;
//!
//! #[derive(serde::Serialize)]
//! struct Number {
//!     n: i64,
//! }
//!
//! struct Double;
//!
//! impl Handler for Double {
//!     fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
//!         let number = match call.message.body() {
//!             Some(Body::Call { value, .. }) => value.get("n").and_then(|n| n.as_i64()),
//!             _ => None,
//!         };
//!         let number = number.ok_or_else(|| Fault::sender("There is no number."))?;
//!         let name = Name { namespace: "urn:d".to_owned(), local: "doubleResponse".to_owned() };
//!         call.reply.answer(&name, &Number { n: 2 * number })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let source = Memory::new().with("double.wsdl", DESCRIPTION);
//! let description = Service::read(source, "double.wsdl", &Options::default()).unwrap();
//! let mut service = SoapService::new(description, Double, Settings::default());
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
mod fault;
mod request;

use std::convert::Infallible;
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread::available_parallelism;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use serde_core::Serialize;
use serde_core::de::DeserializeOwned;
use soap::{Head, Header, Message, Name, SoapVersion};
use tam::Limits;
use tokio::sync::Semaphore;
use x694::xer::Templates;

use crate::Package;

pub use fault::{Code, Fault, escaped};
pub use x694::xer::Stats;

/// What a service does with messages.
pub trait Handler: Send + Sync + 'static {
    /// The answer to a message, or one that comes later ([`Answer::later`]). It is called on one of tokio's threads for blocking
    /// calls (`Builder::max_blocking_threads` at a time, 512 by default), so it may wait. A panic is answered by a fault. The
    /// template of the message is in use until this returns.
    ///
    /// # Errors
    /// The fault that is answered instead.
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault>;

    /// Whether [`call`](Handler::call) may wait. If not, messages of up to 64 KiB are answered where their request is read, without
    /// a change of thread. A handler that waits in spite of that stops other requests.
    fn waits(&self) -> bool {
        true
    }

    /// Whether a header block of a name, which must be understood, is.
    fn understands(&self, _name: &Name) -> bool {
        false
    }

    /// The description that `?wsdl` gets, for clients that know the service by a host; `None` if there is none.
    fn description(&self, _host: Option<&str>) -> Option<String> {
        None
    }
}

/// A message that has arrived.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Call<'m> {
    /// The message.
    pub message: Message<'m>,
    /// Its SOAPAction, empty if there is none.
    pub action: &'m str,
    /// The head of its HTTP request: the headers, such as `Authorization`, and what layers around the service have put into its
    /// extensions.
    pub request: &'m http::request::Parts,
    /// What writes the answer.
    pub reply: &'m Reply,
    options: &'m xsd::Options,
}

impl fmt::Debug for Call<'_> {
    /// Without the head of the request, which may have secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("action", &self.action).field("reply", self.reply).finish_non_exhaustive()
    }
}

impl Call<'_> {
    /// The value of the first header block of a name, which the description declares ([`soap::Service::read_element`]); `None`
    /// if there is none. [`Message::headers`] has all of them as text.
    ///
    /// # Errors
    /// A fault of the sender, if the value is not one of the element and of `T`.
    pub fn header<T: DeserializeOwned>(&self, name: &Name) -> Result<Option<T>, Fault> {
        let read = self.message.header(name).map(|block| self.reply.service.read_element(block, self.options));
        read.transpose().map_err(|error| Fault::sender(format!("The header block {name}: {error}")))
    }
}

/// What writes the answer to a message, by the service that it is for and in its version of SOAP. A clone may outlive the
/// [`Call`], for an answer that comes later ([`Answer::later`]).
#[derive(Clone)]
#[non_exhaustive]
pub struct Reply {
    /// The service.
    pub service: Arc<soap::Service>,
    /// The version of SOAP of the message, which is that of the answer.
    pub version: SoapVersion,
    /// From how many octets on those of an element are in a part of their own.
    least: usize,
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("version", &self.version).finish_non_exhaustive()
    }
}

impl Reply {
    /// The answer with an element in its body, and its value ([`soap::Service::append`]). To a message that came by MTOM,
    /// octets are in parts of their own.
    ///
    /// # Errors
    /// A fault of the service, if the value is not one of the element. Its [`cause`](Fault::cause) says why.
    pub fn answer<T: Serialize + ?Sized>(&self, name: &Name, value: &T) -> Result<Answer, Fault> {
        self.answer_with(&[], name, value)
    }

    /// The same with header blocks: the text of an element each ([`Reply::block`]).
    ///
    /// # Errors
    /// Those of [`Reply::answer`], also if a block is not one element.
    pub fn answer_with<T: Serialize + ?Sized>(
        &self,
        blocks: &[String],
        name: &Name,
        value: &T,
    ) -> Result<Answer, Fault> {
        let package = self.service.package(Head { version: self.version, blocks }, name, value, self.least);
        package.map(|package| Answer(Written::Now(package))).map_err(Fault::unwritten)
    }

    /// A header block that the description declares, for [`Reply::answer_with`] and [`Fault::with_header`].
    ///
    /// # Errors
    /// A fault of the service, if the value is not one of the element. Its [`cause`](Fault::cause) says why.
    pub fn block<T: Serialize + ?Sized>(&self, header: &Header, value: &T) -> Result<String, Fault> {
        self.service.block(self.version, header, value).map_err(Fault::unwritten)
    }

    /// An element that the description declares globally, for the detail of a fault ([`Fault::with_detail`]).
    ///
    /// # Errors
    /// A fault of the service, if the value is not one of the element. Its [`cause`](Fault::cause) says why.
    pub fn element<T: Serialize + ?Sized>(&self, name: &Name, value: &T) -> Result<String, Fault> {
        self.service.element(name, value).map_err(Fault::unwritten)
    }
}

/// An answer: one that is written, or one that comes later.
pub struct Answer(Written);

/// Whether an answer is written.
enum Written {
    Now(Package),
    Later(LaterAnswer),
}

type LaterAnswer = Pin<Box<dyn Future<Output = Result<Answer, Fault>> + Send>>;

impl Answer {
    /// An answer that a future brings, such as one that waits for a database. It takes with it what it needs of the message, and a
    /// clone of what writes the answer ([`Call::reply`]):
    ///
    /// ```
    /// # use lengthwise_http::service::{Answer, Call, Fault};
    /// # use ::soap as lengthwise_soap;
    /// # use lengthwise_soap::Name;
    /// # async fn found(_: String) -> Result<String, Fault> { Ok(String::new()) }
    /// fn call(call: &Call<'_>) -> Result<Answer, Fault> {
    ///     let (action, reply) = (call.action.to_owned(), call.reply.clone());
    ///     Ok(Answer::later(async move {
    ///         let name = Name { namespace: "urn:d".to_owned(), local: "found".to_owned() };
    ///         reply.answer(&name, &found(action).await?)
    ///     }))
    /// }
    /// ```
    ///
    /// The future runs where the request was received, and no thread waits for it. It is dropped if the client goes. A panic is
    /// answered by a fault.
    pub fn later(answer: impl Future<Output = Result<Answer, Fault>> + Send + 'static) -> Answer {
        Answer(Written::Later(Box::pin(answer)))
    }

    /// What is written, when it is.
    async fn written(mut self) -> Result<Package, Fault> {
        loop {
            let mut later = match self.0 {
                Written::Now(package) => return Ok(package),
                Written::Later(later) => later,
            };
            let next = poll_fn(|context| {
                let poll = || later.as_mut().poll(context);
                catch_unwind(AssertUnwindSafe(poll)).unwrap_or_else(|_| Poll::Ready(Err(Fault::failed())))
            });
            self = next.await?;
        }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Written::Now(package) => f.debug_tuple("Answer").field(package).finish(),
            Written::Later(_) => f.debug_tuple("Answer").finish_non_exhaustive(),
        }
    }
}

/// How a service reads requests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// What reading a message may cost. Default [`Limits::UNTRUSTED`].
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
    service: Arc<soap::Service>,
    templates: Templates,
    options: xsd::Options,
    /// Turns to read a long message as a whole.
    long: Arc<Semaphore>,
}

impl<H: Handler> SoapService<H> {
    /// A service whose messages have a description.
    pub fn new(service: soap::Service, handler: H, settings: Settings) -> SoapService<H> {
        let templates = Templates::new(settings.templates);
        let options = xsd::Options::default().with_limits(settings.limits);
        let long = Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from)));
        SoapService(Arc::new(Shared { handler, settings, service: Arc::new(service), templates, options, long }))
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.0.templates.stats()
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
