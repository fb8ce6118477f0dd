//! The service by itself: mounted in whatever runs `tower` services.
#![cfg(feature = "service")]
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use dds::{Member, Message, Options, Reader, Schema, Simple, Style, Templates};
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Full};
use lengthwise_http::service::{Account, Code, Fault, Handler, Room, Settings, SoapService};
use tam::Limits;
use tower_service::Service;

/// Counts what it gets.
struct Count;

impl Handler for Count {
    type Messages = Templates;

    fn call(&self, message: &Message, action: &str) -> Result<String, Fault> {
        let data = message.value().and_then(|value| value.member(0)?.as_array());
        match data.map_or(0, |data| data.len()) {
            0 => Err(Fault { code: Code::Receiver, reason: "There is <nothing> to count.".to_owned() }),
            n => Ok(format!("<count>{n} {action}</count>")),
        }
    }

    fn understands(&self, _namespace: &str, name: &str) -> bool {
        name == "known"
    }
}

fn service() -> SoapService<Count> {
    let mut schema = Schema::new();
    let int = schema.simple(Simple::Int);
    let data = schema.sequence([Member::new("i", int).many()]);
    schema.method("urn:c", "count", data, Style::Literal);
    let reader = Reader::new(schema, &Options::default().with_limits(Limits::UNTRUSTED));
    let times = Duration::from_millis(200);
    SoapService::new(reader, Count, Settings::default().with_stats_path("/soap/stats").with_times(times, times * 2))
}

fn message(header: &str, items: usize) -> String {
    let items = "<i xmlns=''>7</i>".repeat(items);
    format!(
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>{header}<e:Body>\
         <count xmlns='urn:c'>{items}</count></e:Body></e:Envelope>"
    )
}

async fn answer<B>(service: &mut SoapService<Count>, request: Request<B>) -> (u16, String)
where
    SoapService<Count>: Service<Request<B>, Response = Response<Full<Bytes>>, Error = std::convert::Infallible>,
{
    let response = service.call(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8_lossy(&body).into_owned())
}

fn post(body: String) -> Request<Full<Bytes>> {
    let request = Request::post("/soap").header("content-type", "text/xml").header("soapaction", "\"urn:a\"");
    request.body(Full::from(body)).unwrap()
}

/// A message that is long is read aside where there are other threads, and in its turn where there are none.
async fn answers() {
    let mut service = service();
    for items in [1, 20_000, 20_000] {
        let (status, body) = answer(&mut service, post(message("", items))).await;
        assert!(status == 200 && body.contains(&format!("<count>{items} urn:a</count>")), "{status} {body}");
    }
    let (status, body) = answer(&mut service, post(message("", 0))).await;
    let fault = "<faultcode>soap:Server</faultcode><faultstring>There is &lt;nothing&gt; to count.</faultstring>";
    assert!(status == 500 && body.contains(fault), "{body}");
    for (name, expected) in [("known", 200), ("other", 500)] {
        let header = format!("<e:Header><{name} xmlns='urn:h' e:mustUnderstand='1'/></e:Header>");
        assert_eq!(answer(&mut service, post(message(&header, 1))).await.0, expected);
    }
    let get = |path: &str| Request::get(path).body(Full::<Bytes>::default()).unwrap();
    let (status, stats) = answer(&mut service.clone(), get("/soap/stats")).await;
    assert!(status == 200 && stats.starts_with("{\"messages\":6,\"regular\":"), "{stats}");
    assert_eq!(service.stats().messages, 6);
    // There is no description.
    assert_eq!(answer(&mut service, get("/soap?wsdl")).await.0, 404);
    assert_eq!(answer(&mut service, Request::put("/").body(Full::<Bytes>::default()).unwrap()).await.0, 405);
}

#[tokio::test(flavor = "current_thread")]
async fn it_runs_on_one_thread() {
    answers().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_runs_on_several_threads() {
    answers().await;
}

/// Bytes that are left.
struct Left(AtomicUsize);

impl Room for Left {
    fn take(&self, bytes: usize) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn bodies_take_memory_from_the_account_and_give_it_back() {
    let left = Arc::new(Left(AtomicUsize::new(1_000)));
    let mut service = service();
    for (items, expected) in [(1, 200), (100, 503), (1, 200)] {
        let mut request = post(message("", items));
        request.extensions_mut().insert(Account(left.clone()));
        assert_eq!(answer(&mut service, request).await.0, expected);
        assert_eq!(left.0.load(Ordering::Relaxed), 1_000);
    }
}

/// A body of one piece, after which nothing comes, or an error.
struct Begun {
    piece: Option<Bytes>,
    breaks: bool,
}

impl Body for Begun {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        match self.piece.take() {
            Some(piece) => Poll::Ready(Some(Ok(Frame::data(piece)))),
            None if self.breaks => Poll::Ready(Some(Err(std::io::Error::other("gone")))),
            None => Poll::Pending,
        }
    }
}

#[tokio::test]
async fn bodies_that_stop_or_break_off_are_refused() {
    let mut service = service();
    for (breaks, expected) in [(false, 408), (true, 400)] {
        let body = Begun { piece: Some(Bytes::from_static(b"<e:Envelope")), breaks };
        let request = Request::post("/").header("content-type", "text/xml").body(body).unwrap();
        assert_eq!(answer(&mut service, request).await.0, expected);
    }
    assert_eq!(service.stats().messages, 0);
}
