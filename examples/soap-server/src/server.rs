//! Connections.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use lengthwise::{Error, soap, xsd};
use lengthwise_http::service::{Account, Settings, SoapService, Stats};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tower_service::Service;

use crate::deadline::Deadline;
use crate::operations::{Operations, WSDL};
use crate::peers::Peers;

/// What clients may cost. What a message may cost is [`lengthwise::Limits::UNTRUSTED`], with `message_bytes` of its own.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a message, as it is sent and as it is read. Default 16 MiB.
    pub message_bytes: u32,
    /// Connections at a time; others wait to be accepted. Default 1024.
    pub connections: usize,
    /// Connections of one peer at a time; another one is closed. A peer is an address, of IPv6 the first 64 bits. Default 256.
    pub peer_connections: usize,
    /// Bytes of all bodies that are arriving or being read. Default 64 MiB.
    pub bodies: usize,
    /// Those of one peer. Default 32 MiB.
    pub peer_bodies: usize,
    /// How long the head of a request, or the next piece of its body, may take. Default 10 seconds.
    pub patience: Duration,
    /// How long all of a body may take. Default 30 seconds.
    pub body_time: Duration,
    /// How long a client may take to receive an answer. Default 30 seconds.
    pub answer_time: Duration,
    /// How long a stop waits for requests that have begun. Default 30 seconds.
    pub stop_time: Duration,
    /// Bytes that templates may keep between messages. Default 128 MiB.
    pub templates: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: lengthwise::Limits::UNTRUSTED.message_bytes,
            connections: 1024,
            peer_connections: 256,
            bodies: 64 << 20,
            peer_bodies: 32 << 20,
            patience: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(30),
            stop_time: Duration::from_secs(30),
            templates: 128 << 20,
        }
    }
}

impl Limits {
    /// Bytes of memory that the service takes at the most, on so many processors. README.md has the formula.
    #[must_use]
    pub fn memory(&self, processors: usize) -> usize {
        BASE + self.templates
            + self.connections * CONNECTION
            + self.bodies * BODY
            + processors * (self.message_bytes as usize * READING + lengthwise::Limits::UNTRUSTED.units as usize * UNIT)
    }
}

/// What [`Limits::memory`] is made of: the program, a connection, a byte of a body that arrives; a byte and a unit of one that is
/// read as a whole.
const BASE: usize = 32 << 20;
const CONNECTION: usize = 96 << 10;
const BODY: usize = 4;
const READING: usize = 8;
const UNIT: usize = 256;

/// Bytes of the head of a request, and of a body that are waiting to be taken.
const BUFFER: usize = 64 << 10;
/// How long connections go on after a stop, so that requests that have been sent are read.
const QUIET: Duration = Duration::from_millis(250);

/// The service, shared by all connections.
#[derive(Debug)]
pub struct Server {
    limits: Limits,
    service: SoapService<Operations>,
    peers: Arc<Peers>,
    stopping: AtomicBool,
}

impl Server {
    /// The service that `samples/search.wsdl` describes.
    ///
    /// # Errors
    /// None, as the description is sound.
    pub fn new(limits: Limits) -> Result<Server, Error> {
        let source = xsd::Memory::new().with("search.wsdl", WSDL);
        let service = soap::Service::read(source, "search.wsdl", &xsd::Options::default())?;
        let messages = lengthwise::Limits { message_bytes: limits.message_bytes, ..lengthwise::Limits::UNTRUSTED };
        let operations = Operations::of(&service);
        let settings = Settings::default()
            .with_limits(messages)
            .with_templates(limits.templates)
            .with_times(limits.patience, limits.body_time)
            .with_stats_path("/stats");
        let service = SoapService::new(service, operations, settings);
        Ok(Server { limits, service, peers: Peers::new(limits), stopping: AtomicBool::new(false) })
    }

    /// What differencing was worth so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.service.stats()
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Answers the connections of a listener until `stop`. Then it takes no more of them, answers the requests that have
    /// been sent, and returns when all connections have ended, or after [`Limits::stop_time`]; whether all had.
    pub async fn serve(self: Arc<Server>, listener: TcpListener, stop: impl Future<Output = ()>) -> bool {
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let graceful = GracefulShutdown::new();
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = async {
                // The semaphore is never closed.
                let place = places.clone().acquire_owned().await;
                (place, listener.accept().await)
            };
            tokio::select! {
                biased;
                () = &mut stop => break,
                (place, accepted) = accepted => match (place, accepted) {
                    (Ok(place), Ok(connection)) => self.open(connection, place, &graceful),
                    // Out of descriptors, say: others are given back meanwhile.
                    _ => sleep(Duration::from_millis(50)).await,
                },
            }
        }
        self.stopping.store(true, Ordering::Relaxed);
        // Connections that were made before the stop wait in the listener. Clients that connect again and again must not
        // keep the service up.
        let waiting = async {
            while let Ok(place) = places.clone().try_acquire_owned()
                && let Ok(Ok(connection)) = timeout(Duration::from_millis(10), listener.accept()).await
            {
                self.open(connection, place, &graceful);
            }
        };
        let _ = timeout(QUIET, waiting).await;
        drop(listener);
        sleep(QUIET.min(self.limits.stop_time)).await;
        timeout(self.limits.stop_time, graceful.shutdown()).await.is_ok()
    }

    /// Answers a connection, unless its peer has too many.
    fn open(
        self: &Arc<Server>,
        (stream, peer): (TcpStream, SocketAddr),
        place: OwnedSemaphorePermit,
        graceful: &GracefulShutdown,
    ) {
        let Some(own) = self.peers.place(peer.ip()) else { return };
        let (server, watcher) = (self.clone(), graceful.watcher());
        tokio::spawn(async move {
            let answer = service_fn(|mut request: Request<Incoming>| {
                request.extensions_mut().insert(Account(own.clone()));
                let (mut service, server) = (server.service.clone(), &server);
                async move {
                    let mut answer = service.call(request).await?;
                    if server.is_stopping() {
                        answer.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                    }
                    Ok::<_, Infallible>(answer)
                }
            });
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(server.limits.patience).max_buf_size(BUFFER);
            let stream = TokioIo::new(Deadline::new(stream, server.limits.answer_time));
            // A client that breaks the protocol, or is gone, gets no answer.
            let _ = watcher.watch(builder.serve_connection(stream, answer)).await;
            drop(place);
        });
    }
}
