//! Requests by hand: what the service answers, good ones and bad ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test cannot set up, it cannot test")]

mod support;

use std::io::Write;
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use lengthwise::soap::Body;
use lengthwise_http::{Content, Decoder};
use soap_server::Limits;
use support::{Answer, SOAP_11, SOAP_12, envelope, post, post_bytes, read, send, start, sum as number, text};

const TEXT: &str = "Content-Type: text/xml; charset=utf-8\r\n";
const SOAP: &str = "Content-Type: application/soap+xml; charset=utf-8\r\n";

fn sum(data: &str) -> String {
    format!("<sum xmlns='urn:example:search'>{data}</sum>")
}

fn sum_of(address: SocketAddr, head: &str, namespace: &str, data: &str) -> Answer {
    post(address, head, &envelope(namespace, "", &sum(data)))
}

/// The code of a fault, and what is wrong.
fn fault(answer: &Answer) -> ((String, String), String) {
    read(answer, |message| {
        let Some(Body::Fault(fault)) = message.body() else { panic!("{answer:?}") };
        let (namespace, local) = fault.code().unwrap();
        ((namespace.to_owned(), local.to_owned()), fault.reason().unwrap().to_owned())
    })
}

#[test]
fn messages_of_both_versions_are_answered_in_their_own() {
    let (address, _) = start(Limits::default());
    let data = "<data>1e22</data><data>-0.25</data><data>.25</data>";
    for (head, namespace, media_type) in [(TEXT, SOAP_11, "text/xml"), (SOAP, SOAP_12, "application/soap+xml")] {
        let answer = sum_of(address, head, namespace, data);
        assert_eq!(answer.status, 200, "{answer:?}");
        assert!(answer.head.contains(&format!("content-type: {media_type}; charset=utf-8")), "{answer:?}");
        let found = read(&answer, |message| {
            let Some(Body::Call { name, value }) = message.body() else { panic!("{answer:?}") };
            let sum = (value.get("count").unwrap().as_i64(), value.get("sum").unwrap().as_f64());
            (message.version().unwrap().namespace(), name.to_string(), sum)
        });
        assert_eq!(found, (namespace, "{urn:example:search}sumResponse".to_owned(), (Some(3), Some(1e22))));
    }
    // The request of the paper's figure 1.
    let request = include_str!("../../../samples/requests/search-1.xml");
    let answer = post(address, &format!("{TEXT}SOAPAction: \"urn:GoogleSearchAction\"\r\n"), request);
    assert!(answer.status == 200 && answer.body.contains("Binghamton &amp; friends"), "{answer:?}");
    assert!(answer.body.contains(":arrayType=\"s:ResultElement[1]\""), "{answer:?}");
    let first = text(&answer, "return/resultElements/item/0/content/URL");
    assert_eq!(first.as_deref(), Some("http://grid.example/"));
    let question = "<search xmlns='urn:example:search'><q>&lt;again></q><start>0</start><maxResults>5</maxResults>\
        <lr xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/></search>";
    let found = post(address, SOAP, &envelope(SOAP_12, "", question));
    let snippet = text(&found, "result/0/snippet");
    assert_eq!(snippet.as_deref(), Some("Only what has changed is written <again>"), "{found:?}");
    assert_eq!(text(&found, "result/1/snippet"), None);
    // Nothing but INF and NaN is written otherwise than Rust does.
    let answer = sum_of(address, TEXT, SOAP_11, "<data>INF</data>");
    assert!(number(&answer) == f64::INFINITY, "{answer:?}");
    let answer = sum_of(address, TEXT, SOAP_11, "<data>INF</data><data>-INF</data>");
    assert!(number(&answer).is_nan(), "{answer:?}");
}

#[test]
fn similar_messages_are_read_by_their_differences() {
    let (address, server) = start(Limits::default());
    let array = |changed: usize| -> String {
        let item = |n: usize| format!("<data>{}.{}5</data>", n, u8::from(n == changed));
        (0..500).map(item).collect()
    };
    let head = format!("{TEXT}User-Agent: test\r\nSOAPAction: \"urn:example:search#sum\"\r\n");
    for changed in 0..20 {
        let answer = sum_of(address, &head, SOAP_11, &array(changed * 7));
        // 0.05 of each, and 0.1 of the one that has changed.
        let sum: f64 = (0..500).map(|n| format!("{n}.{}5", u8::from(n == changed * 7)).parse::<f64>().unwrap()).sum();
        assert!(number(&answer) == sum, "{answer:?}");
    }
    let stats = server.stats();
    assert_eq!((stats.messages, stats.regular, stats.errors), (20, 1, 0));
    assert!(stats.bytes_skipped > stats.bytes / 2, "{stats:?}");
}

/// As CXF and Axis2 send it where attachments are on.
#[test]
fn messages_may_be_the_root_of_several_parts() {
    let (address, server) = start(Limits::default());
    for (namespace, start_info) in [(SOAP_11, "text/xml"), (SOAP_12, "application/soap+xml")] {
        let message = envelope(namespace, "", &sum("<data>1.5</data>"));
        let body = format!(
            "\r\n--uuid:1\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"{start_info}\"\r\n\
             Content-Transfer-Encoding: binary\r\nContent-ID: <root@x>\r\n\r\n{message}\r\n--uuid:1\r\n\
             Content-ID: <a@x>\r\n\r\n\0octets\r\n--uuid:1--"
        );
        let head = format!(
            "Content-Type: multipart/related; type=\"application/xop+xml\"; boundary=\"uuid:1\"; start=\"<root@x>\"; \
             start-info=\"{start_info}\"\r\n"
        );
        // The answer is alike.
        let mut answer = post(address, &head, &body);
        let content_type = answer.head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap();
        let content = Content::of(content_type, "").unwrap();
        assert_eq!((content.is_package(), &content.media_type[..]), (true, start_info));
        let mut decoder = Decoder::new(&content, &lengthwise::Limits::UNTRUSTED, Vec::new());
        decoder.feed(answer.body.as_bytes()).unwrap();
        answer.body = String::from_utf8(decoder.finish().unwrap().0).unwrap();
        assert!(answer.status == 200 && number(&answer) == 1.5, "{answer:?}");
        let cut = post(address, &head, &body[..body.len() - 2]);
        assert!(cut.status == 400 && cut.body.contains("before the last boundary"), "{cut:?}");
    }
    assert_eq!((server.stats().messages, server.stats().errors), (2, 0));
}

#[test]
fn statistics_are_at_a_path_of_their_own() {
    let (address, server) = start(Limits::default());
    for n in 0..3 {
        assert_eq!(sum_of(address, TEXT, SOAP_11, &format!("<data>{n}</data>")).status, 200);
    }
    let get = |path: &str| {
        send(address, &[format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()])
    };
    let answer = get("/stats");
    assert!(answer.status == 200 && answer.head.contains("content-type: application/json"), "{answer:?}");
    let stats: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
    let expected = server.stats();
    assert_eq!((stats["messages"].as_u64(), stats["regular"].as_u64()), (Some(3), Some(expected.regular)), "{stats}");
    assert_eq!(stats["bytes_skipped"].as_u64(), Some(expected.bytes_skipped));
    assert!(stats["memory"].as_u64() > Some(500), "{stats}");
    assert_eq!(get("/other").status, 404);
}

#[test]
fn messages_may_come_in_pieces_and_chunks() {
    let (address, _) = start(Limits::default());
    let message = envelope(SOAP_11, "", &sum(&"<data>1.5</data>".repeat(20_000)));
    let head = format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{TEXT}Transfer-Encoding: chunked\r\n\r\n");
    let mut pieces = vec![head.into_bytes()];
    for piece in message.as_bytes().chunks(40_001) {
        pieces.push([format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat());
    }
    pieces.push(b"0\r\n\r\n".to_vec());
    let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
    let answer = send(address, &pieces);
    assert!(answer.status == 200 && number(&answer) == 30000.0, "{answer:?}");
}

#[test]
fn bad_messages_get_faults_and_the_next_one_an_answer() {
    let (address, _) = start(Limits::default());
    let good = || {
        let answer = sum_of(address, TEXT, SOAP_11, "<data>1</data>");
        assert!(answer.status == 200 && number(&answer) == 1.0, "{answer:?}");
    };
    let must = |actor: &str| format!("<e:Header><h:h xmlns:h='urn:h' e:mustUnderstand='1'{actor}/></e:Header>");
    let action = format!("{TEXT}SOAPAction: \"urn:GoogleSearchAction\"\r\n");
    let body = sum("<data>1</data>");
    for (head, message, code, reason) in [
        (TEXT, "<e:Envelope".to_owned(), "Client", "incomplete at byte"),
        (TEXT, String::new(), "Client", "incomplete at byte 0"),
        (TEXT, envelope(SOAP_11, "", "<x/>"), "Client", "found <x>, expected <doGoogleSearch>"),
        (TEXT, envelope(SOAP_11, "", &sum("<data>x</data>")), "Client", "in /e:Envelope/e:Body/sum/data"),
        (
            TEXT,
            envelope(SOAP_11, "", "<sumResponse xmlns='urn:example:search'><count>1</count><sum>1</sum></sumResponse>"),
            "Client",
            "A response is no request.",
        ),
        (
            TEXT,
            envelope(SOAP_11, "", "<e:Fault><faultcode>e:Client</faultcode><faultstring/></e:Fault>"),
            "Client",
            "A fault is no",
        ),
        (TEXT, format!("<!DOCTYPE a>{}", envelope(SOAP_11, "", &body)), "Client", "SOAP forbids it"),
        (&action, envelope(SOAP_11, "", &body), "Client", "is not that of the message"),
        (TEXT, envelope(SOAP_11, &must(""), &body), "MustUnderstand", "{urn:h}h"),
        (TEXT, envelope("urn:soap:13", "", &body), "VersionMismatch", "an Envelope of SOAP 1.1 or 1.2"),
        (
            TEXT,
            envelope(
                SOAP_11,
                "",
                "<search xmlns='urn:example:search'><q/><start>-1</start><maxResults>1</maxResults>\
          <lr xmlns:i='http://www.w3.org/2001/XMLSchema-instance' i:nil='true'/></search>",
            ),
            "Client",
            "numbers that are not negative",
        ),
    ] {
        let answer = post(address, head, &message);
        assert_eq!(answer.status, 500, "{answer:?}");
        let (found, words) = fault(&answer);
        assert_eq!(found, (SOAP_11.to_owned(), code.to_owned()), "{answer:?}\n{message}");
        assert!(words.contains(reason), "{answer:?}\n{reason}");
        good();
    }
    // What is for somebody else is not ours to understand.
    let other = must(" e:actor='urn:somebody'");
    assert_eq!(post(address, TEXT, &envelope(SOAP_11, &other, &body)).status, 200);
    // A SOAP 1.2 fault of the sender also has another HTTP status.
    let answer = sum_of(address, SOAP, SOAP_12, "<data/>");
    let (code, words) = fault(&answer);
    assert_eq!((answer.status, code), (400, (SOAP_12.to_owned(), "Sender".to_owned())), "{answer:?}");
    assert!(words.contains("expected a number"), "{words}");
    let encoded = "<n:sendDoubles xmlns:n='urn:GoogleSearch'><data><i>1</i></data></n:sendDoubles>";
    let answer = post(address, SOAP, &envelope(SOAP_12, "", encoded));
    assert!(answer.status == 400 && fault(&answer).1.contains("expected <search>"), "{answer:?}");
    let answer = post(address, SOAP, &envelope(SOAP_12, &must(""), &body));
    assert!(answer.status == 500 && fault(&answer).0.1 == "MustUnderstand", "{answer:?}");
}

#[test]
fn requests_that_are_no_messages_are_refused_by_their_status() {
    let patience = Duration::from_millis(300);
    let (address, server) = start(Limits { message_bytes: 2_000, patience, ..Limits::default() });
    let request = |line: &str, head: &str| {
        send(address, &[format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{head}\r\n").as_bytes()])
    };
    assert_eq!(request("GET /", "").status, 404);
    let answer = request("PUT /", "Content-Length: 0\r\n");
    assert!(answer.status == 405 && answer.head.contains("allow: get, post"), "{answer:?}");
    assert_eq!(post(address, "", "<a/>").status, 415);
    let answer = post(address, "Content-Type: application/json\r\n", "{}");
    assert!(answer.status == 415 && answer.head.contains("accept: text/xml, application/soap+xml"), "{answer:?}");
    // Too long, by what it says, and by what it is.
    assert_eq!(request("POST /", &format!("{TEXT}Content-Length: 2001\r\n")).status, 413);
    let chunked = format!("{TEXT}Transfer-Encoding: chunked\r\n");
    let head = format!("POST / HTTP/1.1\r\nHost: x\r\n{chunked}\r\n");
    let piece = format!("{:x}\r\n{}\r\n", 1_500, " ".repeat(1_500));
    assert_eq!(send(address, &[head.as_bytes(), piece.as_bytes(), piece.as_bytes()]).status, 413);
    // Who keeps the service waiting, and who hangs up.
    assert_eq!(request("POST /", &format!("{TEXT}Content-Length: 100\r\n")).status, 408);
    let slow = send(address, &[b"POST / HTTP/1.1\r\nHost"]);
    assert!(slow.status == 0 || slow.status == 408, "{slow:?}");
    drop(std::net::TcpStream::connect(address).unwrap());
    assert_eq!(send(address, &[b"\x16\x03\x01\x00"]).status, 400);
    let answer = sum_of(address, TEXT, SOAP_11, "<data>2</data>");
    assert!(answer.status == 200 && number(&answer) == 2.0, "{answer:?}");
    assert_eq!(server.stats().messages, 1);
}

#[test]
fn the_description_has_the_address_of_the_request() {
    let (address, _) = start(Limits::default());
    for query in ["?wsdl", "?WSDL"] {
        let request = format!("GET /{query} HTTP/1.1\r\nHost: a&b.example:80\r\nConnection: close\r\n\r\n");
        let answer = send(address, &[request.as_bytes()]);
        assert!(answer.status == 200 && answer.head.contains("content-type: text/xml"), "{answer:?}");
        assert_eq!(answer.body.matches("location=\"http://a&amp;b.example:80/\"").count(), 3, "{}", answer.body);
    }
}

#[test]
fn many_clients_at_a_time_each_get_their_own_answer() {
    let (address, server) = start(Limits { connections: 8, ..Limits::default() });
    thread::scope(|scope| {
        for client in 0..16 {
            scope.spawn(move || {
                for n in 0..20 {
                    let answer = sum_of(address, TEXT, SOAP_11, &format!("<data>{client}</data><data>{n}.5</data>"));
                    let sum = f64::from(client) + f64::from(n) + 0.5;
                    assert!(number(&answer) == sum, "{answer:?}");
                }
            });
        }
    });
    assert_eq!(server.stats().errors, 0);
}

/// Issue 22, point 12: a one-byte body between good requests.
#[test]
fn bad_requests_do_not_turn_differencing_off() {
    let (address, server) = start(Limits::default());
    let head = format!("{TEXT}User-Agent: test\r\nSOAPAction: \"urn:example:search#sum\"\r\n");
    for n in 0..101 {
        let zeros = "<data>0</data>".repeat(500);
        let answer = sum_of(address, &head, SOAP_11, &format!("{zeros}<data>{n}</data><data>0.5</data>"));
        assert!(number(&answer) == n as f64 + 0.5, "{answer:?}");
        let bad = [&b"x"[..], b"<", b""][n % 3];
        assert_eq!(post_bytes(address, &head, bad).status, 500);
    }
    let stats = server.stats();
    assert_eq!((stats.messages, stats.regular, stats.errors), (202, 1, 101), "{stats:?}");
    assert!(stats.bytes_skipped > stats.bytes * 9 / 10, "{stats:?}");
}

#[test]
fn no_doubles_sum_to_zero() {
    let (address, _) = start(Limits::default());
    let encoded = "<n:sendDoubles xmlns:n='urn:GoogleSearch'><data/></n:sendDoubles>";
    let answer = post(address, TEXT, &envelope(SOAP_11, "", encoded));
    assert!(answer.status == 200 && number(&answer).to_bits() == 0, "{answer:?}");
}

fn compressed(message: &[u8], coding: &str) -> Vec<u8> {
    let best = Compression::best();
    match coding {
        "gzip" => {
            let mut encoder = GzEncoder::new(Vec::new(), best);
            encoder.write_all(message).and_then(|()| encoder.finish()).unwrap()
        }
        "deflate" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), best);
            encoder.write_all(message).and_then(|()| encoder.finish()).unwrap()
        }
        _ => {
            let mut encoder = DeflateEncoder::new(Vec::new(), best);
            encoder.write_all(message).and_then(|()| encoder.finish()).unwrap()
        }
    }
}

/// Issue 22, point 13.
#[test]
fn compressed_bodies_are_read() {
    let (address, _) = start(Limits::default());
    let message = envelope(SOAP_11, "", &sum(&"<data>0.5</data>".repeat(3_000)));
    for (coding, name) in [("gzip", "gzip"), ("gzip", "X-GZip"), ("deflate", "deflate"), ("bare", "deflate")] {
        let body = compressed(message.as_bytes(), coding);
        let head = format!("{TEXT}Content-Encoding: {name}\r\n");
        let answer = post_bytes(address, &head, &body);
        assert!(answer.status == 200 && number(&answer) == 1500.0, "{coding}: {answer:?}");
        // A byte at a time, cut, spoiled.
        let request =
            format!("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n{head}\r\n", body.len());
        let pieces: Vec<&[u8]> = std::iter::once(request.as_bytes()).chain(body.chunks(7)).collect();
        assert_eq!(send(address, &pieces).status, 200);
        assert_eq!(post_bytes(address, &head, &body[..body.len() - 9]).status, 400, "{coding}");
        let mut spoiled = body.clone();
        spoiled[0] ^= 0x7F;
        assert_eq!(post_bytes(address, &head, &spoiled).status, 400, "{coding}");
    }
    assert_eq!(post_bytes(address, &format!("{TEXT}Content-Encoding: identity\r\n"), message.as_bytes()).status, 200);
    for coding in ["br", "zstd", "gzip, gzip"] {
        let answer = post_bytes(address, &format!("{TEXT}Content-Encoding: {coding}\r\n"), b"x");
        assert!(answer.status == 415 && answer.head.contains("accept-encoding: gzip, deflate"), "{answer:?}");
    }
}

/// What a body expands to is bounded by its length, and by that of a message.
#[test]
fn bodies_that_expand_too_far_are_refused() {
    let (address, server) = start(Limits::default());
    let head = format!("{TEXT}Content-Encoding: gzip\r\n");
    // 15 MB of spaces in 15 kB.
    let message = envelope(SOAP_11, &" ".repeat(15 << 20), &sum("<data>1</data>"));
    assert_eq!(post_bytes(address, &head, &compressed(message.as_bytes(), "gzip")).status, 413);
    // Random enough to be within the ratio, and too long as a message.
    let (small, _) = start(Limits { message_bytes: 100_000, ..Limits::default() });
    let random: String = (0..12_000_u32).map(|n| format!("{:07}", n.wrapping_mul(2_654_435_761) % 9_999_999)).collect();
    let message = envelope(SOAP_11, "", &sum(&format!("<!--{random}-->{}", " ".repeat(30_000))));
    let body = compressed(message.as_bytes(), "gzip");
    assert!(message.len() > 100_000 && body.len() < 100_000);
    assert_eq!(post_bytes(small, &head, &body).status, 413);
    assert_eq!(server.stats().regular, 0);
}

#[test]
fn the_charset_of_the_content_type_is_honoured() {
    let (address, _) = start(Limits::default());
    let question = |word: &str| {
        let body = format!(
            "<search xmlns='urn:example:search'><q>{word}</q><start>0</start><maxResults>5</maxResults><lr>lang_en</lr></search>"
        );
        envelope(SOAP_11, "", &body)
    };
    let utf16 = |text: &str, order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let latin = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<u8>>();
    let (message, wide) = (question("caf\u{E9}"), question("caf\u{E9} \u{1F600}"));
    let declared = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?>{message}");
    let cases = [
        ("utf-8", message.clone().into_bytes(), "caf\u{E9}"),
        ("\"UTF-8\"", declared("utf-8").into_bytes(), "caf\u{E9}"),
        // The head of the request is right, whatever the declaration says.
        ("utf-8", declared("iso-8859-1").into_bytes(), "caf\u{E9}"),
        ("iso-8859-1", latin(&message), "caf\u{E9}"),
        ("ISO-8859-1", latin(&declared("utf-8")), "caf\u{E9}"),
        ("iso-8859-1", latin(&declared("us-ascii")), "caf\u{E9}"),
        ("us-ascii", question("cafe").into_bytes(), "cafe"),
        ("utf-16le", utf16(&wide, u16::to_le_bytes), "caf\u{E9} \u{1F600}"),
        ("utf-16be", utf16(&wide, u16::to_be_bytes), "caf\u{E9} \u{1F600}"),
        ("utf-16", utf16(&wide, u16::to_be_bytes), "caf\u{E9} \u{1F600}"),
        ("utf-16", utf16(&format!("\u{FEFF}{}", declared("utf-16")), u16::to_le_bytes), "caf\u{E9}"),
    ];
    for (charset, body, found) in cases {
        let head = format!("Content-Type: text/xml; charset={charset}\r\nConnection: close\r\n");
        let answer = post_bytes(address, &head, &body);
        assert!(answer.status == 200 && answer.body.contains(&format!("q>{found}</")), "{charset}: {answer:?}");
        // The same in pieces that end anywhere.
        let request = format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n{head}\r\n", body.len());
        let pieces: Vec<&[u8]> = std::iter::once(request.as_bytes()).chain(body.chunks(13)).collect();
        let answer = send(address, &pieces);
        assert!(answer.status == 200 && answer.body.contains(&format!("q>{found}</")), "{charset}: {answer:?}");
    }
    for (charset, body) in [("us-ascii", message.clone().into_bytes()), ("utf-16le", b"<\0a".to_vec())] {
        assert_eq!(post_bytes(address, &format!("Content-Type: text/xml; charset={charset}\r\n"), &body).status, 400);
    }
    let answer = post(address, "Content-Type: text/xml; charset=shift_jis\r\n", &message);
    assert!(answer.status == 415 && answer.body.contains("utf-8, utf-16, iso-8859-1, us-ascii"), "{answer:?}");
    assert!(answer.head.contains("accept: text/xml"), "{answer:?}");
}

/// Output that nobody takes is an error in words, not a panic.
#[test]
#[cfg(target_os = "linux")]
fn a_closed_output_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_soap-server"));
    let ended = command.arg("127.0.0.1:0").stdout(full).output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(1) && words.starts_with("error: 127.0.0.1:0: "), "{words}");
}
