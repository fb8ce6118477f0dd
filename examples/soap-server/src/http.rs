//! A request of HTTP (SOAP 1.1 section 6, SOAP 1.2 part 2 section 7).

use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap,
    HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Request, Response, StatusCode};
use lengthwise::dds::{Arriving, Lease, Version};
use lengthwise::{Error, ErrorKind};
use tokio::task::block_in_place;
use tokio::time::{Instant, timeout_at};

use crate::body::{Body, Coding, Refusal};
use crate::charset::Charset;
use crate::envelope::{self, Code, Fault};
use crate::operations::Operations;
use crate::peers::{Place, Room};
use crate::server::{Server, WSDL};

const SOAP_ACTION: HeaderName = HeaderName::from_static("soapaction");

/// Bytes of a toolkit's name that are looked at.
const TOOLKIT: usize = 128;

/// The address that the description has for the service.
const ADDRESS: &str = "http://127.0.0.1:8080/";

/// Content types that are read, as `Accept` names them.
const TYPES: &str = "text/xml, application/soap+xml";

/// Answers a request.
pub(crate) async fn answer(server: &Server, place: &Arc<Place>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    let mut response = respond(server, place, request).await;
    if server.is_stopping() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn respond(server: &Server, place: &Arc<Place>, request: Request<Incoming>) -> Response<Full<Bytes>> {
    match *request.method() {
        Method::POST => {}
        Method::GET if request.uri().query().is_some_and(|query| query.eq_ignore_ascii_case("wsdl")) => {
            return response(StatusCode::OK, "text/xml; charset=utf-8", described(request.headers()));
        }
        Method::GET => return plain(StatusCode::NOT_FOUND, "The description of the service is at ?wsdl.\n"),
        _ => {
            let mut refusal = plain(StatusCode::METHOD_NOT_ALLOWED, "Messages are posted.\n");
            refusal.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, POST"));
            return refusal;
        }
    }
    let headers = request.headers();
    let Some(kind) = Kind::of(headers) else {
        return unsupported(ACCEPT, TYPES, format!("Messages are {TYPES}.\n"));
    };
    let charset = match &kind.charset {
        None => None,
        Some(name) => match Charset::of(name) {
            Some(charset) => Some(charset),
            None => {
                let names = Charset::NAMES;
                return unsupported(ACCEPT, TYPES, format!("Messages are in one of the character sets {names}.\n"));
            }
        },
    };
    let coding = text(headers, &CONTENT_ENCODING).unwrap_or_default();
    let Some(coding) = Coding::of(coding).filter(|_| headers.get_all(CONTENT_ENCODING).iter().count() < 2) else {
        let names = Coding::NAMES;
        return unsupported(ACCEPT_ENCODING, names, format!("Messages are compressed by one of {names}, or not.\n"));
    };
    let length = text(headers, &CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if length.is_some_and(|length| length > server.limits.message_bytes.into()) {
        return refused(Refusal::TooLong);
    }
    // What is not known is one kind of message, whatever it is called.
    let action = if server.operations.has_action(&kind.action) { kind.action.as_str() } else { "" };
    // Names of toolkits are kept, so that they may not be of any length. What is text here is ASCII.
    let toolkit = text(headers, &USER_AGENT).unwrap_or_default();
    let toolkit = toolkit.get(..toolkit.len().min(TOOLKIT)).unwrap_or_default();
    let arriving = server.templates.arriving(action, toolkit);
    let body = Body::new(arriving, coding, charset, place.room(), &server.messages);
    match receive(server, request.into_body(), body).await {
        // The room is given back when the answer is there.
        Ok((arriving, room)) => read(server, arriving, room.bytes(), &kind).await,
        Err(refusal) => refusal,
    }
}

/// Reads the body while it arrives.
async fn receive<'t>(
    server: &Server,
    mut incoming: Incoming,
    mut body: Body<'t>,
) -> Result<(Arriving<'t>, Room), Response<Full<Bytes>>> {
    let end = Instant::now() + server.limits.body_time;
    loop {
        let patience = (Instant::now() + server.limits.patience).min(end);
        let frame = match timeout_at(patience, incoming.frame()).await {
            Err(_) => return Err(plain(StatusCode::REQUEST_TIMEOUT, "The message took too long.\n")),
            Ok(None) => return body.finish().map_err(refused),
            Ok(Some(Err(_))) => return Err(plain(StatusCode::BAD_REQUEST, "The message broke off.\n")),
            Ok(Some(Ok(frame))) => frame,
        };
        if let Some(piece) = frame.data_ref() {
            body.feed(piece).map_err(refused)?;
        }
    }
}

/// Messages of more bytes are read by so many threads at a time as there are processors, and keep none from answering others.
const LONG: usize = 1 << 16;

async fn read(server: &Server, arriving: Arriving<'_>, length: usize, kind: &Kind) -> Response<Full<Bytes>> {
    if length <= LONG {
        return finish(arriving, &server.operations, kind);
    }
    // The semaphore is never closed.
    let _turn = server.long.acquire().await;
    block_in_place(|| finish(arriving, &server.operations, kind))
}

/// The answer to a message that is there as a whole. Nothing waits here, as the template is in use.
fn finish(arriving: Arriving<'_>, operations: &Operations, kind: &Kind) -> Response<Full<Bytes>> {
    let (version, result) = match arriving.finish() {
        Ok(message) => (message.version, call(&message, operations, &kind.action)),
        Err(error) => (kind.version, Err(unread(&error))),
    };
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

fn call(message: &Lease<'_>, operations: &Operations, action: &str) -> Result<String, Fault> {
    // No header block is understood here.
    if let Some(header) = message.headers.iter().find(|header| header.must_understand && envelope::is_for_us(header)) {
        let reason = format!("The header block {} is not understood.", header.name);
        return Err(Fault { code: Code::MustUnderstand, reason });
    }
    operations.call(message, action)
}

/// The fault of a message that is none of the service.
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
    /// `SOAPAction`, or the parameter `action` of SOAP 1.2's content type; empty where there is none.
    action: String,
    charset: Option<String>,
}

impl Kind {
    fn of(headers: &HeaderMap) -> Option<Kind> {
        let content_type = text(headers, &CONTENT_TYPE)?;
        let mut parts = content_type.split(';').map(str::trim);
        let media_type = parts.next()?;
        let (mut action, mut charset) = (None, None);
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            match name.trim().to_ascii_lowercase().as_str() {
                "action" => action = action.or(Some(value)),
                "charset" => charset = charset.or(Some(unquoted(value))),
                _ => {}
            }
        }
        if media_type.eq_ignore_ascii_case("text/xml") {
            let action = text(headers, &SOAP_ACTION).unwrap_or_default();
            return Some(Kind { version: Version::Soap11, action: unquoted(action), charset });
        }
        if !media_type.eq_ignore_ascii_case("application/soap+xml") {
            return None;
        }
        Some(Kind { version: Version::Soap12, action: unquoted(action.unwrap_or_default()), charset })
    }
}

fn unquoted(value: &str) -> String {
    value.trim().trim_matches('"').to_owned()
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// The description, with the address that the client knows the service by.
fn described(headers: &HeaderMap) -> String {
    match text(headers, &HOST) {
        Some(host) => WSDL.replace(ADDRESS, &format!("http://{}/", envelope::escaped(host))),
        None => WSDL.to_owned(),
    }
}

fn refused(refusal: Refusal) -> Response<Full<Bytes>> {
    match refusal {
        Refusal::TooLong => plain(StatusCode::PAYLOAD_TOO_LARGE, "The message is too long.\n"),
        Refusal::Broken(words) => plain(StatusCode::BAD_REQUEST, words),
        Refusal::Busy => {
            let mut refusal = plain(StatusCode::SERVICE_UNAVAILABLE, "There is no room for the message now.\n");
            refusal.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
            refusal
        }
    }
}

/// What is read, in a header and in words.
fn unsupported(header: HeaderName, names: &'static str, words: String) -> Response<Full<Bytes>> {
    let mut refusal = response(StatusCode::UNSUPPORTED_MEDIA_TYPE, "text/plain; charset=utf-8", words);
    refusal.headers_mut().insert(header, HeaderValue::from_static(names));
    refusal
}

fn plain(status: StatusCode, words: &'static str) -> Response<Full<Bytes>> {
    response(status, "text/plain; charset=utf-8", words.to_owned())
}

fn response(status: StatusCode, content_type: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
