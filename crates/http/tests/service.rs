//! The service by itself: mounted in whatever runs `tower` services.
#![cfg(feature = "service")]
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame};
use http_body_util::{BodyExt, Full};
use lengthwise_http::service::{Account, Answer, Call, Code, Fault, Handler, Room, Settings, SoapService};
use lengthwise_http::{Content, Decoder, Package};
use serde::Serialize;
use soap::{Header, Name};
use tam::Limits;
use tokio::sync::Barrier;
use tower_service::Service;
use xsd::{Memory, Options};

const DESCRIPTION: &str = r#"<definitions targetNamespace="urn:c" xmlns:t="urn:c" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <types><xs:schema targetNamespace="urn:c">
    <xs:element name="count"><xs:complexType><xs:sequence><xs:element name="i" type="xs:int" minOccurs="0"
      maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
    <xs:element name="counted" type="xs:string"/></xs:schema></types>
  <message name="Count"><part name="p" element="t:count"/></message>
  <message name="Counted"><part name="p" element="t:counted"/></message>
  <portType name="Port"><operation name="count"><input message="t:Count"/><output message="t:Counted"/></operation></portType>
  <binding name="Soap" type="t:Port"><soap:binding style="document"/><operation name="count">
    <input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
</definitions>"#;

/// A service that gets octets, and answers their sum and twice as many.
const PHOTOS: &str = r#"<definitions targetNamespace="urn:p" xmlns:t="urn:p" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
    xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <message name="Photo"><part name="name" type="xs:string"/><part name="octets" type="xs:base64Binary"/></message>
  <message name="Sum"><part name="sum" type="xs:int"/><part name="octets" type="xs:base64Binary"/></message>
  <portType name="Port"><operation name="put"><input message="t:Photo"/><output message="t:Sum"/></operation></portType>
  <binding name="Soap" type="t:Port"><soap:binding style="rpc"/><operation name="put">
    <input><soap:body use="literal" namespace="urn:p"/></input>
    <output><soap:body use="literal" namespace="urn:p"/></output></operation></binding>
</definitions>"#;

#[derive(Serialize)]
struct Sum {
    sum: u32,
    #[serde(with = "serde_bytes")]
    octets: Vec<u8>,
}

struct Photos;

impl Handler for Photos {
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
        let Some(soap::Body::Call { value, .. }) = call.message.body() else { return Err(Fault::sender("A fault.")) };
        let octets = value.get("octets").and_then(|octets| octets.as_octets());
        let octets = octets.ok_or_else(|| Fault::sender("There are no octets."))?;
        let sum = octets.iter().map(|octet| u32::from(*octet)).sum::<u32>();
        let name = Name { namespace: "urn:p".to_owned(), local: "putResponse".to_owned() };
        call.reply.answer(&name, &Sum { sum, octets: octets.repeat(2) })
    }
}

/// MTOM: what a message includes from another part, and the same in base64.
#[tokio::test]
async fn octets_may_be_in_another_part() {
    let source = Memory::new().with("p.wsdl", PHOTOS);
    let description = soap::Service::read(source, "p.wsdl", &Options::default()).unwrap();
    let mut service = SoapService::new(description, Photos, Settings::default());
    let envelope = |octets: &str| {
        format!(
            "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Body><p:put xmlns:p=\"urn:p\">\
             <name>a</name><octets>{octets}</octets></p:put></e:Body></e:Envelope>"
        )
    };
    let include = r#"<xop:Include xmlns:xop="http://www.w3.org/2004/08/xop/include" href="cid:photo@x"/>"#;
    let package = |id: &str, octets: &[u8]| {
        let head = "--b\r\nContent-Type: application/xop+xml; type=\"text/xml\"\r\nContent-ID: <root@x>\r\n\r\n";
        let part = format!("\r\n--b\r\nContent-ID: <{id}>\r\nContent-Transfer-Encoding: binary\r\n\r\n");
        [head.as_bytes(), envelope(include).as_bytes(), part.as_bytes(), octets, b"\r\n--b--"].concat()
    };
    let related =
        "multipart/related; type=\"application/xop+xml\"; boundary=b; start=\"<root@x>\"; start-info=\"text/xml\"";
    let post = |content_type: &str, body: Vec<u8>| {
        let request = Request::post("/").header("Content-Type", content_type);
        request.body(Full::<Bytes>::from(body)).unwrap()
    };
    for octets in [vec![7; 100_000], vec![8; 100_000], b"--lengthwise-\r\n".repeat(40), vec![9; 511], vec![]] {
        let sum = octets.iter().map(|octet| u32::from(*octet)).sum::<u32>();
        let mut text = String::new();
        xml::base64::push(&octets, &mut text);
        let twice = octets.repeat(2);
        let mut twice_text = String::new();
        xml::base64::push(&twice, &mut twice_text);
        let in_place = |body: &[u8]| {
            let body = String::from_utf8_lossy(body);
            let expected = format!("<sum>{sum}</sum><octets>{twice_text}</octets>");
            let expected = expected.replace("<octets></octets>", "<octets/>");
            assert!(body.contains(&expected), "{body}");
        };
        let (status, content_type, body) = sent(&mut service, post("text/xml", envelope(&text).into_bytes())).await;
        assert_eq!((status, &content_type[..]), (200, "text/xml; charset=utf-8"));
        in_place(&body);
        // The answer to MTOM is MTOM, and few octets stay in the message.
        let (status, content_type, body) = sent(&mut service, post(related, package("photo@x", &octets))).await;
        let content = Content::of(&content_type, "").unwrap();
        assert_eq!((status, content.is_package(), &content.media_type[..]), (200, true, "text/xml"));
        let mut decoder = Decoder::new(&content, &Limits::UNTRUSTED, Package::new());
        decoder.feed(&body).unwrap();
        let (read, _) = decoder.finish().unwrap();
        if twice.len() < 1024 {
            in_place(read.document());
            assert!(!read.has_parts());
        } else {
            let document = String::from_utf8_lossy(read.document());
            let included = document.split("href=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            assert_eq!(&read.bytes()[read.included(included).unwrap()], &twice[..]);
        }
    }
    let (status, body) = answer(&mut service, post(related, package("other@x", b"1"))).await;
    assert!(status == 500 && body.contains("found href='cid:photo@x', expected"), "{body}");
    // The part counts against the bound of a message.
    let (status, body) = answer(&mut service, post(related, package("photo@x", &vec![0; 17 << 20]))).await;
    assert_eq!((status, body.as_str()), (413, "The message is too long.\n"));
}

/// The service of [`DESCRIPTION`].
fn described() -> soap::Service {
    soap::Service::read(Memory::new().with("c.wsdl", DESCRIPTION), "c.wsdl", &Options::default()).unwrap()
}

/// The name of its answers.
fn counted() -> Name {
    Name { namespace: "urn:c".to_owned(), local: "counted".to_owned() }
}

#[derive(Clone)]
struct User(&'static str);

/// Counts what it gets.
struct Count;

impl Handler for Count {
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
        let Some(soap::Body::Call { value, .. }) = call.message.body() else { return Err(Fault::sender("A fault.")) };
        let items = value.get("i").map_or(0, |items| items.len());
        if items == 0 {
            let name = counted();
            let fault = Fault::new(Code::Receiver, "There is <nothing> to count.");
            // What is no header block is left out by itself.
            let fault = fault.with_header("no block").with_header("<h xmlns='urn:h'/>");
            return Err(fault.with_detail(call.reply.element(&name, "0 & none")?));
        }
        let name = counted();
        // What a layer has found out.
        let user = call.request.extensions.get::<User>().map_or(String::new(), |User(name)| format!(" of {name}"));
        let words = format!("{items} {}{user}", call.action);
        match call.header::<String>(&name)? {
            None => call.reply.answer(&name, &words),
            Some(text) => {
                let block = call.reply.block(&Header::new(name.clone()), &format!("{text} again"))?;
                call.reply.answer_with(&[block], &name, &words)
            }
        }
    }

    fn understands(&self, name: &Name) -> bool {
        name.local == "known"
    }
}

fn service() -> SoapService<Count> {
    let times = Duration::from_millis(200);
    SoapService::new(
        described(),
        Count,
        Settings::default().with_stats_path("/soap/stats").with_times(times, times * 2),
    )
}

fn message(header: &str, items: usize) -> String {
    let items = "<i xmlns=''>7</i>".repeat(items);
    format!(
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>{header}<e:Body>\
         <count xmlns='urn:c'>{items}</count></e:Body></e:Envelope>"
    )
}

async fn answer<H: Handler, B>(service: &mut SoapService<H>, request: Request<B>) -> (u16, String)
where
    SoapService<H>: Service<Request<B>, Response = Response<Full<Bytes>>, Error = std::convert::Infallible>,
{
    let (status, _, body) = sent(service, request).await;
    (status, String::from_utf8_lossy(&body).into_owned())
}

/// The status, the content type and the body of an answer.
async fn sent<H: Handler, B>(service: &mut SoapService<H>, request: Request<B>) -> (u16, String, Bytes)
where
    SoapService<H>: Service<Request<B>, Response = Response<Full<Bytes>>, Error = std::convert::Infallible>,
{
    let response = service.call(request).await.unwrap();
    let status = response.status().as_u16();
    let content_type = response.headers()["content-type"].to_str().unwrap().to_owned();
    (status, content_type, response.into_body().collect().await.unwrap().to_bytes())
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
        assert!(status == 200 && body.contains(&format!(">{items} urn:a</t:counted>")), "{status} {body}");
    }
    let (status, body) = answer(&mut service, post(message("", 0))).await;
    let fault = ":Server</faultcode><faultstring>There is &lt;nothing&gt; to count.</faultstring>";
    assert!(status == 500 && body.contains(fault), "{body}");
    assert!(body.contains("<detail><counted xmlns=\"urn:c\">0 &amp; none</counted></detail>"), "{body}");
    assert!(body.contains(":Header><h xmlns='urn:h'/></"), "{body}");
    for (name, expected) in [("known", 200), ("other", 500)] {
        let header = format!("<e:Header><{name} xmlns='urn:h' e:mustUnderstand='1'/></e:Header>");
        assert_eq!(answer(&mut service, post(message(&header, 1))).await.0, expected);
    }
    // A header block is a value, and the answer has one.
    let header = "<e:Header><counted xmlns='urn:c' e:mustUnderstand='0'>before</counted></e:Header>";
    let (status, body) = answer(&mut service, post(message(header, 1))).await;
    let block = ":Header><counted xmlns=\"urn:c\">before again</counted></";
    assert!(status == 200 && body.contains(block), "{status} {body}");
    for items in [1, 20_000] {
        let mut request = post(message("", items));
        request.extensions_mut().insert(User("Ann"));
        let (status, body) = answer(&mut service, request).await;
        assert!(status == 200 && body.contains(&format!(">{items} urn:a of Ann</")), "{status} {body}");
    }
    let get = |path: &str| Request::get(path).body(Full::<Bytes>::default()).unwrap();
    let (status, stats) = answer(&mut service.clone(), get("/soap/stats")).await;
    assert!(status == 200 && stats.starts_with("{\"messages\":9,\"regular\":"), "{stats}");
    assert_eq!(service.stats().messages, 9);
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

/// Waits until several calls are in it, and fails in other ways.
struct Meeting(AtomicUsize);

impl Handler for Meeting {
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
        let name = counted();
        match call.action {
            "panic" => std::panic::resume_unwind(Box::new("part of the test")),
            "unwritten" => {
                let fault = call.reply.answer(&name, &[1]).unwrap_err();
                assert!(fault.cause.as_ref().is_some_and(|cause| cause.to_string().contains("expected")));
                return Err(fault);
            }
            _ => {}
        }
        self.0.fetch_add(1, Ordering::SeqCst);
        for _ in 0..1000 {
            if self.0.load(Ordering::SeqCst) == 4 {
                return call.reply.answer(&name, "met");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err(Fault::sender("Nobody came."))
    }
}

fn meeting() -> SoapService<Meeting> {
    SoapService::new(described(), Meeting(AtomicUsize::new(0)), Settings::default())
}

/// Also on one thread, and while the body of another request arrives.
#[tokio::test]
async fn handlers_that_wait_stop_no_others() {
    let service = meeting();
    let calls: Vec<_> = (0..4)
        .map(|_| {
            let mut service = service.clone();
            tokio::spawn(async move { answer(&mut service, post(message("", 1))).await })
        })
        .collect();
    for call in calls {
        let (status, body) = call.await.unwrap();
        assert!(status == 200 && body.contains(">met<"), "{status} {body}");
    }
}

/// Answers when all that it waits for are there, by way of two futures.
struct Later(Arc<Barrier>);

impl Handler for Later {
    fn call(&self, call: &Call<'_>) -> Result<Answer, Fault> {
        let (all, reply, action) = (self.0.clone(), call.reply.clone(), call.action.to_owned());
        Ok(Answer::later(async move {
            match &action[..] {
                "panic" => std::panic::resume_unwind(Box::new("part of the test")),
                "fault" => return Err(Fault::sender("It was too late.")),
                _ => {}
            }
            all.wait().await;
            let name = counted();
            Ok(Answer::later(async move { reply.answer(&name, "met later") }))
        }))
    }

    fn waits(&self) -> bool {
        false
    }
}

fn later(calls: usize) -> SoapService<Later> {
    SoapService::new(described(), Later(Arc::new(Barrier::new(calls))), Settings::default())
}

/// More than there are threads for blocking calls, on one thread.
#[tokio::test]
async fn no_thread_waits_for_answers_that_come_later() {
    let service = later(1_000);
    let call = |_| {
        let mut service = service.clone();
        tokio::spawn(async move { answer(&mut service, post(message("", 1))).await })
    };
    for call in (0..1_000).map(call).collect::<Vec<_>>() {
        let (status, body) = call.await.unwrap();
        assert!(status == 200 && body.contains(">met later<"), "{status} {body}");
    }
}

#[tokio::test]
async fn answers_that_come_later_may_be_faults() {
    let failed = ("panic", ":Server</faultcode><faultstring>The service failed.<");
    for (action, words) in [failed, ("fault", ":Client</faultcode><faultstring>It was too late.<")] {
        let mut request = post(message("", 1));
        request.headers_mut().insert("soapaction", action.parse().unwrap());
        let (status, body) = answer(&mut later(1), request).await;
        assert!(status == 500 && body.contains(words), "{body}");
    }
}

/// The memory of a message stays granted until its answer is written, or the client has gone.
#[tokio::test]
async fn messages_keep_their_memory_until_they_are_answered() {
    let left = Arc::new(Left(AtomicUsize::new(1_000)));
    for is_patient in [true, false] {
        let (mut service, of_left) = (later(2), left.clone());
        let all = service.clone();
        let call = tokio::spawn(async move {
            let mut request = post(message("", 1));
            request.extensions_mut().insert(Account(of_left));
            answer(&mut service, request).await
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(left.0.load(Ordering::Relaxed) < 1_000);
        if is_patient {
            let mut other = all.clone();
            let (status, _) = answer(&mut other, post(message("", 1))).await;
            assert_eq!((status, call.await.unwrap().0), (200, 200));
        } else {
            call.abort();
            assert!(call.await.unwrap_err().is_cancelled());
        }
        assert_eq!(left.0.load(Ordering::Relaxed), 1_000);
    }
}

/// What went wrong inside is not for the client.
#[tokio::test]
async fn failures_of_a_service_are_answered_in_plain_words() {
    for (action, words) in [("panic", "The service failed."), ("unwritten", "The answer cannot be written.")] {
        let mut request = post(message("", 1));
        request.headers_mut().insert("soapaction", action.parse().unwrap());
        let (status, body) = answer(&mut meeting(), request).await;
        let fault = format!(":Server</faultcode><faultstring>{words}</faultstring>");
        assert!(status == 500 && body.contains(&fault), "{body}");
    }
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
