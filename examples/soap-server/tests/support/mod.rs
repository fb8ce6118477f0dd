//! The service on a port of its own, and requests by hand.
#![allow(dead_code)] // Each test uses some of it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use lengthwise::asn1::Values;
use lengthwise::x694::xer;
use lengthwise::{soap, xsd};
use soap_server::{Limits, Server};

/// Starts the service in a thread that ends with the test.
pub(crate) fn start(limits: Limits) -> (SocketAddr, Arc<Server>) {
    let (address, server, stop, _) = start_until(limits);
    // The service goes on where nobody can stop it.
    std::mem::forget(stop);
    (address, server)
}

/// Starts the service until it is stopped; then returns whether all connections had ended.
pub(crate) fn start_until(
    limits: Limits,
) -> (SocketAddr, Arc<Server>, tokio::sync::oneshot::Sender<()>, mpsc::Receiver<bool>) {
    let server = Arc::new(Server::new(limits).unwrap());
    let (sender, receiver) = mpsc::channel();
    let (stop, stopping) = tokio::sync::oneshot::channel();
    let (stopped, is_stopped) = mpsc::channel();
    let own = server.clone();
    thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
            sender.send(listener.local_addr().unwrap()).unwrap();
            own.serve(listener, async { drop(stopping.await) }).await
        });
        runtime.shutdown_background();
        let _ = stopped.send(ended);
    });
    (receiver.recv().unwrap(), server, stop, is_stopped)
}

/// An answer: status, the head, the body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

/// Sends bytes, and reads what comes until the connection is closed.
pub(crate) fn send(address: SocketAddr, pieces: &[&[u8]]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    stream.set_nodelay(true).unwrap();
    for piece in pieces {
        // A server that has refused a message need not read the rest of it.
        let _ = stream.write_all(piece);
        thread::sleep(Duration::from_millis(2));
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

/// Posts a message.
pub(crate) fn post(address: SocketAddr, head: &str, message: &str) -> Answer {
    post_bytes(address, head, message.as_bytes())
}

pub(crate) fn post_bytes(address: SocketAddr, head: &str, message: &[u8]) -> Answer {
    let length = message.len();
    let request = format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n");
    send(address, &[request.as_bytes(), message])
}

/// Something of the message in an answer, read by the service's own description.
pub(crate) fn read<R>(answer: &Answer, then: impl FnOnce(soap::Message<'_>) -> R) -> R {
    let options = xsd::Options::default();
    let source = xsd::Memory::new().with("s", include_str!("../../../../samples/search.wsdl"));
    let service = soap::Service::read(source, "s", &options).unwrap();
    let mut values = Values::new();
    let value = xer::read_by_events(answer.body.as_bytes(), service.types(), &options, &mut values);
    then(service.message(value.unwrap_or_else(|error| panic!("{error}: {answer:?}"))))
}

/// A value in the body of an answer, as text.
pub(crate) fn text(answer: &Answer, path: &str) -> Option<String> {
    read(answer, |message| match message.body() {
        Some(soap::Body::Call { value, .. }) => value.get(path)?.as_str().map(str::to_owned),
        _ => None,
    })
}

/// The sum in an answer.
pub(crate) fn sum(answer: &Answer) -> f64 {
    let sum = read(answer, |message| match message.body() {
        Some(soap::Body::Call { value, .. }) => value.get("sum").or_else(|| value.get("return"))?.as_f64(),
        _ => None,
    });
    sum.unwrap_or_else(|| panic!("{answer:?}"))
}

pub(crate) const SOAP_11: &str = "http://schemas.xmlsoap.org/soap/envelope/";
pub(crate) const SOAP_12: &str = "http://www.w3.org/2003/05/soap-envelope";

/// A message with a body.
pub(crate) fn envelope(namespace: &str, header: &str, body: &str) -> String {
    format!("<e:Envelope xmlns:e='{namespace}'>{header}<e:Body>{body}</e:Body></e:Envelope>")
}
