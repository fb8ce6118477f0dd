//! Connections.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use lengthwise::dds::{Options, Reader, Stats, Templates};
use lengthwise::{Error, Service, xsd};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::http;
use crate::operations::Operations;

/// The description of the service, which is a sample of the command's too.
pub(crate) const WSDL: &str = include_str!("../../../samples/search.wsdl");

/// What clients may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a message. Default 64 MiB.
    pub message_bytes: u32,
    /// Connections at a time; others wait to be accepted. Default 256.
    pub connections: usize,
    /// How long the head of a request, or the next piece of its body, may take. Default 20 seconds.
    pub patience: Duration,
    /// Bytes that templates may keep between messages. Default 256 MiB.
    pub templates: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        let patience = Duration::from_secs(20);
        Limits { message_bytes: 64 << 20, connections: 256, patience, templates: 256 << 20 }
    }
}

/// The service, shared by all connections.
#[derive(Debug)]
pub struct Server {
    pub(crate) limits: Limits,
    pub(crate) operations: Operations,
    pub(crate) templates: Templates,
}

impl Server {
    /// The service that `samples/search.wsdl` describes.
    ///
    /// # Errors
    /// None, as the description is sound.
    pub fn new(limits: Limits) -> Result<Server, Error> {
        let options = xsd::Options::default();
        let source = xsd::Memory::new().with("search.wsdl", WSDL);
        let description = xsd::wsdl::Description::read_from(source, "search.wsdl", &options)?;
        let service = Service::from_wsdl(&description, &options)?;
        let bounds = lengthwise::Limits { message_bytes: limits.message_bytes, ..lengthwise::Limits::DEFAULT };
        let reader = Reader::new(service.schema().clone(), &Options::default().with_limits(bounds));
        let templates = Templates::new(reader, limits.templates);
        Ok(Server { limits, operations: Operations::of(service), templates })
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.templates.stats()
    }

    /// Answers the connections of a listener, for ever.
    pub async fn serve(self: Arc<Server>, listener: TcpListener) {
        let places = Arc::new(Semaphore::new(self.limits.connections));
        // The semaphore is never closed.
        while let Ok(place) = places.clone().acquire_owned().await {
            let Ok((stream, _)) = listener.accept().await else {
                // Out of descriptors, say: others are given back meanwhile.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let server = self.clone();
            tokio::spawn(async move {
                let answer = service_fn(|request| async { Ok::<_, Infallible>(http::answer(&server, request).await) });
                let mut builder = http1::Builder::new();
                builder.timer(TokioTimer::new()).header_read_timeout(server.limits.patience);
                // A client that breaks the protocol, or is gone, gets no answer.
                let _ = builder.serve_connection(TokioIo::new(stream), answer).await;
                drop(place);
            });
        }
    }
}
