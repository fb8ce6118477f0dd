//! A request of HTTP (SOAP 1.1 section 6, SOAP 1.2 part 2 section 7).

use std::pin::pin;
use std::sync::Arc;

use asn1::Value;
use bytes::{Buf, Bytes};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName,
    HeaderValue, RETRY_AFTER,
};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use soap::SoapVersion;
use tam::Error;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};
use x694::xer::check_element;

use crate::service::body::{self, Granted, Receiver};
use crate::service::fault::{Code, Fault};
use crate::service::{Account, Answer, Call, Handler, Reply, Shared};
use crate::{Charset, Coding, Content, Decoder, Package, Refusal, Unsupported, append_package};

const SOAP_ACTION: HeaderName = HeaderName::from_static("soapaction");

/// Content types that are read, as `Accept` names them.
const TYPES: &str = "text/xml, application/soap+xml, multipart/related";

/// Answers a request.
pub(crate) async fn answer<H: Handler, B>(shared: &Arc<Shared<H>>, request: Request<B>) -> Response<Full<Bytes>>
where
    B: http_body::Body,
{
    match *request.method() {
        Method::POST => {}
        Method::GET => return get(shared, &request),
        _ => {
            let mut refusal = plain(StatusCode::METHOD_NOT_ALLOWED, "Messages are posted.");
            refusal.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, POST"));
            return refusal;
        }
    }
    let (parts, body) = request.into_parts();
    let head = match Head::of(parts) {
        Ok(head) => head,
        Err(unsupported) => return not_supported(&unsupported),
    };
    let length = text(&head.parts.headers, &CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > shared.settings.limits.message_bytes.into()) {
        return too_long();
    }
    let granted = Granted::none(head.parts.extensions.get::<Account>().cloned());
    // A length that is only promised brings no memory.
    let most = shared.settings.limits.message_bytes as usize;
    let receiver = Receiver { package: Package::new(), most, granted };
    let decoder = Decoder::new(&head.content, &shared.settings.limits, receiver);
    match receive(shared, body, decoder).await {
        // The memory is given back when the answer is ready.
        Ok(receiver) => read(shared, receiver, head).await,
        Err(refusal) => refusal,
    }
}

/// The description, or the statistics.
fn get<H: Handler, B>(shared: &Shared<H>, request: &Request<B>) -> Response<Full<Bytes>> {
    let (uri, path) = (request.uri(), &shared.settings.stats_path);
    if uri.query().is_some_and(|query| query.eq_ignore_ascii_case("wsdl"))
        && let Some(description) = shared.handler.description(text(request.headers(), &HOST))
    {
        return response(StatusCode::OK, "text/xml; charset=utf-8", description);
    }
    if !path.is_empty() && uri.path() == path {
        let members = shared.templates.stats().members().map(|(name, value)| format!("\"{name}\":{value}"));
        return response(StatusCode::OK, "application/json", format!("{{{}}}\n", members.join(",")));
    }
    plain(StatusCode::NOT_FOUND, "The description of the service is at ?wsdl.")
}

/// Reads the body while it arrives.
async fn receive<H: Handler, B: http_body::Body>(
    shared: &Shared<H>,
    incoming: B,
    mut decoder: Decoder<Receiver>,
) -> Result<Receiver, Response<Full<Bytes>>> {
    let end = Instant::now() + shared.settings.body_time;
    let mut incoming = pin!(incoming);
    loop {
        let patience = (Instant::now() + shared.settings.patience).min(end);
        let frame = match timeout_at(patience, incoming.frame()).await {
            Err(_) => return Err(plain(StatusCode::REQUEST_TIMEOUT, "The message took too long.")),
            Ok(None) => return decoder.finish().map(|(receiver, _)| receiver).map_err(refused),
            Ok(Some(Err(_))) => return Err(plain(StatusCode::BAD_REQUEST, "The message broke off.")),
            Ok(Some(Ok(frame))) => frame,
        };
        let Ok(mut data) = frame.into_data() else { continue };
        while data.has_remaining() {
            let piece = data.chunk();
            let len = piece.len();
            decoder.feed(piece).map_err(refused)?;
            data.advance(len);
        }
    }
}

/// Octets of an element that are worth a part of their own, whose head takes about 130 bytes.
const LEAST: usize = 1 << 10;

/// Header blocks that are not understood of which a fault has the names.
const MOST_NAMED: usize = 16;

/// Messages of more bytes are read by as many threads at a time as there are processors, and do not delay other answers.
const LONG: usize = 1 << 16;

/// Reads a message and answers it: on a thread that may wait, unless the message is short and its handler does not wait.
async fn read<H: Handler>(shared: &Arc<Shared<H>>, receiver: Receiver, head: Head) -> Response<Full<Bytes>> {
    let (is_long, version) = (receiver.granted.bytes > LONG, head.version);
    if !is_long && !shared.handler.waits() {
        return finish(shared, receiver, &head, None).answer(shared).await;
    }
    // The semaphore is never closed.
    let turn = if is_long { shared.long.clone().acquire_owned().await.ok() } else { None };
    let of_thread = shared.clone();
    match spawn_blocking(move || finish(&of_thread, receiver, &head, turn)).await {
        Ok(handled) => handled.answer(shared).await,
        // The handler has panicked, or the program ends.
        Err(_) => answered(shared, version, Err(Fault::failed()), false),
    }
}

/// A message that the handler has seen.
struct Handled {
    version: SoapVersion,
    result: Result<Answer, Fault>,
    is_package: bool,
    /// The memory stays granted until the answer is ready.
    _granted: Granted,
}

impl Handled {
    async fn answer<H: Handler>(self, shared: &Shared<H>) -> Response<Full<Bytes>> {
        let written = match self.result {
            Ok(answer) => answer.written().await,
            Err(fault) => Err(fault),
        };
        answered(shared, self.version, written, self.is_package)
    }
}

/// Reads a message in its turn, and has the handler answer it.
fn finish<H: Handler>(
    shared: &Shared<H>,
    receiver: Receiver,
    head: &Head,
    turn: Option<OwnedSemaphorePermit>,
) -> Handled {
    let Receiver { mut package, granted, .. } = receiver;
    let read = shared.templates.read_package(&mut package, shared.service.types(), &shared.options);
    drop(turn);
    let (version, result) = match read {
        Ok(lease) => call(shared, lease.value(), head),
        Err(error) => (head.version, Err(unread(&error))),
    };
    Handled { version, result, is_package: head.content.is_package(), _granted: granted }
}

/// The answer to a message.
fn answered<H: Handler>(
    shared: &Shared<H>,
    version: SoapVersion,
    result: Result<Package, Fault>,
    is_package: bool,
) -> Response<Full<Bytes>> {
    let media_type = match version {
        SoapVersion::Soap11 => "text/xml",
        SoapVersion::Soap12 => "application/soap+xml",
    };
    let (status, package) = match result {
        Ok(package) => (StatusCode::OK, package),
        Err(fault) => {
            let is_sender = version == SoapVersion::Soap12 && fault.code == Code::Sender;
            let status = if is_sender { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
            let (code, mut message) = (fault.name(version), Vec::new());
            let (service, reason, mut fault) = (&shared.service, fault.shown(), fault);
            // What is no header block, or no element, is left out.
            fault.headers.retain(|block| service.check_block(version, block).is_ok());
            fault.details.retain(|detail| check_element(detail).is_ok());
            let head = soap::Head { version, blocks: &fault.headers };
            if service.append_fault(head, &code, &reason, &fault.details, &mut message).is_err() {
                return plain(StatusCode::INTERNAL_SERVER_ERROR, "The message cannot be answered.");
            }
            (status, Package::from(message))
        }
    };
    if is_package {
        let mut body = Vec::new();
        let content_type = append_package(&package, media_type, &mut body);
        return response(status, &content_type, body);
    }
    response(status, &format!("{media_type}; charset=utf-8"), package.into_bytes())
}

/// What the handler answers to a message, and the message's version.
fn call<H: Handler>(shared: &Shared<H>, value: Value<'_>, head: &Head) -> (SoapVersion, Result<Answer, Fault>) {
    let message = shared.service.message(value);
    let Some(version) = message.version() else {
        return (head.version, Err(Fault::sender(format!("The message is not in {ENVELOPE}."))));
    };
    let is_strange = |header: &soap::Header| !shared.handler.understands(&header.name);
    let strange: Vec<soap::Header> = message.mandatory().filter(is_strange).take(MOST_NAMED).collect();
    if !strange.is_empty() {
        return (version, Err(Fault::not_understood(version, &strange)));
    }
    let least = if head.content.is_package() { LEAST } else { usize::MAX };
    let reply = Reply { service: shared.service.clone(), version, least };
    let call = Call { message, action: &head.action, request: &head.parts, reply: &reply, options: &shared.options };
    (version, shared.handler.call(&call))
}

const ENVELOPE: &str = "an Envelope of SOAP 1.1 or 1.2";

/// The fault for a message that is not one of the service.
fn unread(error: &Error) -> Fault {
    let path = error.path().strip_prefix('/').unwrap_or_default();
    // An envelope in another namespace (SOAP 1.1 section 4.1.2).
    let is_other = path.rsplit(':').next() == Some("Envelope")
        && error.expected().to_string() == "an element that the schema declares globally";
    if is_other {
        let reason = format!("found <{path}> of another version, expected {ENVELOPE}");
        return Fault::new(Code::VersionMismatch, reason);
    }
    Fault::sender(error.to_string())
}

/// The head of a request, and what it says of the message.
struct Head {
    parts: Parts,
    /// That of faults about messages that cannot be read.
    version: SoapVersion,
    /// `SOAPAction`, or the parameter `action` of SOAP 1.2's content type; empty if there is none.
    action: String,
    content: Content,
}

impl Head {
    fn of(parts: Parts) -> Result<Head, Unsupported> {
        let headers = &parts.headers;
        let content_type = text(headers, &CONTENT_TYPE).unwrap_or_default();
        let coding = text(headers, &CONTENT_ENCODING).unwrap_or_default();
        if headers.get_all(CONTENT_ENCODING).iter().count() > 1 {
            return Err(Unsupported::Coding(coding.to_owned()));
        }
        let content = Content::of(content_type, coding)?;
        let (version, action) = match content.media_type.as_str() {
            "text/xml" => {
                let action = text(headers, &SOAP_ACTION).unwrap_or_default();
                (SoapVersion::Soap11, action.trim().trim_matches('"').to_owned())
            }
            "application/soap+xml" => (SoapVersion::Soap12, content.action.clone()),
            _ => return Err(Unsupported::Type(content_type.to_owned())),
        };
        Ok(Head { parts, version, action, content })
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn too_long() -> Response<Full<Bytes>> {
    plain(StatusCode::PAYLOAD_TOO_LARGE, "The message is too long.")
}

fn refused(refusal: Refusal<body::Full>) -> Response<Full<Bytes>> {
    match refusal {
        Refusal::TooLong(_) | Refusal::Sink(body::Full::TooLong) => too_long(),
        Refusal::Broken(words) => plain(StatusCode::BAD_REQUEST, words),
        Refusal::NotEnded => plain(StatusCode::BAD_REQUEST, "The body ends before the last boundary."),
        Refusal::Sink(body::Full::Busy) => {
            let mut refusal = plain(StatusCode::SERVICE_UNAVAILABLE, "There is no room for the message now.");
            refusal.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
            refusal
        }
    }
}

/// What is read instead, in a header and in words.
fn not_supported(unsupported: &Unsupported) -> Response<Full<Bytes>> {
    let (header, names, words) = match unsupported {
        Unsupported::Type(_) => (ACCEPT, TYPES, format!("Messages are {TYPES}.\n")),
        Unsupported::Charset(_) => {
            (ACCEPT, TYPES, format!("Messages are in one of the character sets {}.\n", Charset::NAMES))
        }
        Unsupported::Coding(_) => {
            let names = Coding::NAMES;
            (ACCEPT_ENCODING, names, format!("Messages are compressed by one of {names}, or not.\n"))
        }
    };
    let mut refusal = response(StatusCode::UNSUPPORTED_MEDIA_TYPE, "text/plain; charset=utf-8", words);
    refusal.headers_mut().insert(header, HeaderValue::from_static(names));
    refusal
}

fn plain(status: StatusCode, words: &'static str) -> Response<Full<Bytes>> {
    response(status, "text/plain; charset=utf-8", format!("{words}\n"))
}

fn response(status: StatusCode, content_type: &str, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(body.into()));
    *response.status_mut() = status;
    if let Ok(content_type) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    response
}
