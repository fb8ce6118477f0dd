//! A request of HTTP (SOAP 1.1 section 6, SOAP 1.2 part 2 section 7).

use std::pin::pin;

use bytes::{Buf, Bytes};
use dds::Version;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderName,
    HeaderValue, RETRY_AFTER, USER_AGENT,
};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use tam::{Error, ErrorKind};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use tokio::time::{Instant, timeout_at};

use crate::service::body::{self, Granted, Receiver};
use crate::service::envelope::{self, Code, Fault};
use crate::service::{Account, Handler, Messages, Received, Shared};
use crate::{Charset, Coding, Content, Decoder, Refusal, Unsupported};

const SOAP_ACTION: HeaderName = HeaderName::from_static("soapaction");

/// Bytes of a toolkit's name that are considered.
const TOOLKIT: usize = 128;

/// Content types that are read, as `Accept` names them.
const TYPES: &str = "text/xml, application/soap+xml, multipart/related";

/// Answers a request.
pub(crate) async fn answer<H: Handler, B>(shared: &Shared<H>, request: Request<B>) -> Response<Full<Bytes>>
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
    let headers = request.headers();
    let kind = match Kind::of(headers) {
        Ok(kind) => kind,
        Err(unsupported) => return not_supported(&unsupported),
    };
    let length = text(headers, &CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > shared.settings.limits.message_bytes.into()) {
        return refused(Refusal::TooLong);
    }
    // All unknown actions are one kind of message.
    let action = if shared.handler.has_action(&kind.action) { kind.action.as_str() } else { "" };
    // What is text here is ASCII.
    let toolkit = text(headers, &USER_AGENT).unwrap_or_default();
    let toolkit = toolkit.get(..toolkit.len().min(TOOLKIT)).unwrap_or_default();
    let is_plain = kind.content.coding == Coding::Identity && !kind.content.is_multipart();
    let length = length.and_then(|length| usize::try_from(length).ok()).filter(|_| is_plain);
    let arriving = shared.messages.arriving(action, toolkit, length);
    let granted = Granted::none(request.extensions().get::<Account>().cloned());
    let decoder = Decoder::new(&kind.content, &shared.settings.limits, Receiver { arriving, granted });
    match receive(shared, request.into_body(), decoder).await {
        // The memory is given back when the answer is ready.
        Ok(receiver) => read(shared, receiver, &kind).await,
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
        let stats = shared.messages.stats();
        let members = [
            ("messages", stats.messages),
            ("regular", stats.regular),
            ("errors", stats.errors),
            ("bytes", stats.bytes),
            ("bytes_skipped", stats.bytes_skipped),
            ("portions", stats.portions),
            ("dirty_portions", stats.dirty_portions),
            ("switches", stats.switches),
            ("memory", stats.memory),
        ];
        let members = members.map(|(name, value)| format!("\"{name}\":{value}"));
        return response(StatusCode::OK, "application/json", format!("{{{}}}\n", members.join(",")));
    }
    plain(StatusCode::NOT_FOUND, "The description of the service is at ?wsdl.")
}

/// Reads the body while it arrives.
async fn receive<'t, H: Handler, B: http_body::Body>(
    shared: &Shared<H>,
    incoming: B,
    mut decoder: Decoder<Receiver<'t, H::Messages>>,
) -> Result<Receiver<'t, H::Messages>, Response<Full<Bytes>>> {
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

/// Messages of more bytes are read by as many threads at a time as there are processors, and do not delay other answers.
const LONG: usize = 1 << 16;

async fn read<H: Handler>(
    shared: &Shared<H>,
    receiver: Receiver<'_, H::Messages>,
    kind: &Kind,
) -> Response<Full<Bytes>> {
    // The memory stays granted until the answer is ready.
    let Receiver { arriving, granted } = receiver;
    let finish = || {
        let read =
            H::Messages::finish(arriving, |received| (received.version, call(received, &shared.handler, &kind.action)));
        let (version, result) = read.unwrap_or_else(|error| (kind.version, Err(unread(&error))));
        answered(version, result)
    };
    if granted.bytes <= LONG {
        return finish();
    }
    // The semaphore is never closed.
    let _turn = shared.long.acquire().await;
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::CurrentThread => finish(),
        _ => block_in_place(finish),
    }
}

/// The answer to a message.
fn answered(version: Version, result: Result<String, Fault>) -> Response<Full<Bytes>> {
    let content_type = match version {
        Version::Soap11 => "text/xml; charset=utf-8",
        Version::Soap12 => "application/soap+xml; charset=utf-8",
    };
    match result {
        Ok(body) => response(StatusCode::OK, content_type, envelope::write(version, &body)),
        Err(fault) => {
            let is_sender = version == Version::Soap12 && fault.code == Code::Sender;
            let status = if is_sender { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
            response(status, content_type, fault.write(version))
        }
    }
}

/// Nothing waits here, as the template is in use.
fn call<H: Handler>(
    received: Received<<H::Messages as Messages>::Message<'_>>,
    handler: &H,
    action: &str,
) -> Result<String, Fault> {
    if let Some((namespace, name)) =
        received.mandatory.iter().find(|(namespace, name)| !handler.understands(namespace, name))
    {
        let shown = if namespace.is_empty() { name.clone() } else { format!("{{{namespace}}}{name}") };
        let reason = format!("The header block {shown} is not understood.");
        return Err(Fault { code: Code::MustUnderstand, reason });
    }
    handler.call(received.message, action)
}

/// The fault for a message that is not one of the service.
fn unread(error: &Error) -> Fault {
    let is_other = error.kind() == ErrorKind::Unsupported && error.path().split('/').nth(2).is_none();
    let code = match error.expected().to_string().as_str() {
        "an Envelope of SOAP 1.1 or 1.2" if is_other => Code::VersionMismatch,
        _ => Code::Sender,
    };
    Fault { code, reason: error.to_string() }
}

/// What the head of a request says of the message.
struct Kind {
    /// That of faults about messages that cannot be read.
    version: Version,
    /// `SOAPAction`, or the parameter `action` of SOAP 1.2's content type; empty if there is none.
    action: String,
    content: Content,
}

impl Kind {
    fn of(headers: &HeaderMap) -> Result<Kind, Unsupported> {
        let content_type = text(headers, &CONTENT_TYPE).unwrap_or_default();
        let coding = text(headers, &CONTENT_ENCODING).unwrap_or_default();
        if headers.get_all(CONTENT_ENCODING).iter().count() > 1 {
            return Err(Unsupported::Coding(coding.to_owned()));
        }
        let content = Content::of(content_type, coding)?;
        let (version, action) = match content.media_type.as_str() {
            "text/xml" => {
                let action = text(headers, &SOAP_ACTION).unwrap_or_default();
                (Version::Soap11, action.trim().trim_matches('"').to_owned())
            }
            "application/soap+xml" => (Version::Soap12, content.action.clone()),
            _ => return Err(Unsupported::Type(content_type.to_owned())),
        };
        Ok(Kind { version, action, content })
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn refused(refusal: Refusal<body::Full>) -> Response<Full<Bytes>> {
    match refusal {
        Refusal::TooLong | Refusal::Sink(body::Full::TooLong) => {
            plain(StatusCode::PAYLOAD_TOO_LARGE, "The message is too long.")
        }
        Refusal::Broken(words) => plain(StatusCode::BAD_REQUEST, words),
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

fn response(status: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
