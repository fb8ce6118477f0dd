//! Clients that hold what the service has: connections, room for bodies, time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test cannot set up, it cannot test")]

mod support;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use soap_server::Limits;
use support::{SOAP_11, envelope, post, start, start_until};

const TEXT: &str = "Content-Type: text/xml\r\n";

fn message(data: usize) -> String {
    envelope(SOAP_11, "", &format!("<sum xmlns='urn:example:search'>{}</sum>", "<data>1</data>".repeat(data)))
}

fn head(length: usize) -> String {
    format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n{TEXT}\r\n")
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// A client that has sent the head of a request, and some of its body.
fn begun(address: SocketAddr, length: usize, sent: usize) -> TcpStream {
    let mut stream = connect(address);
    stream.write_all(head(length).as_bytes()).unwrap();
    stream.write_all(&vec![b' '; sent]).unwrap();
    stream
}

/// The status of the answer that comes next; 0 if the connection ends.
fn status(stream: &mut TcpStream) -> u16 {
    let mut answer = [0; 12];
    match stream.read_exact(&mut answer) {
        Ok(()) => str::from_utf8(&answer[9..]).unwrap().parse().unwrap(),
        Err(_) => 0,
    }
}

#[test]
fn a_body_that_trickles_has_a_time_in_all() {
    let (patience, body_time) = (Duration::from_secs(5), Duration::from_millis(500));
    let (address, _) = start(Limits { patience, body_time, ..Limits::default() });
    let mut stream = begun(address, 1_000, 0);
    let mut reader = stream.try_clone().unwrap();
    let began = Instant::now();
    let writer = thread::spawn(move || {
        // Each piece comes in time.
        while began.elapsed() < Duration::from_secs(15) && stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    });
    assert_eq!(status(&mut reader), 408);
    assert!(began.elapsed() < Duration::from_secs(5));
    drop(reader);
    writer.join().unwrap();
}

#[test]
fn bodies_have_room_in_all_and_for_each_peer() {
    for (bodies, peer_bodies) in [(100_000, 1 << 20), (1 << 20, 100_000)] {
        let (address, _) = start(Limits { bodies, peer_bodies, ..Limits::default() });
        let held = begun(address, 200_000, 80_000);
        thread::sleep(Duration::from_millis(300));
        let answer = post(address, TEXT, &message(5_000));
        assert!(answer.status == 503 && answer.head.contains("retry-after: 1"), "{answer:?}");
        // A small one has room, and the long one when the other is gone.
        assert_eq!(post(address, TEXT, &message(10)).status, 200);
        drop(held);
        thread::sleep(Duration::from_millis(300));
        for _ in 0..3 {
            assert_eq!(post(address, TEXT, &message(5_000)).status, 200);
        }
    }
}

#[test]
fn a_peer_has_so_many_connections() {
    let (address, _) = start(Limits { peer_connections: 3, ..Limits::default() });
    let mut held: Vec<_> = (0..3).map(|_| begun(address, 100, 1)).collect();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(status(&mut begun(address, 100, 0)), 0);
    held.pop();
    thread::sleep(Duration::from_millis(200));
    assert_eq!(post(address, TEXT, &message(1)).status, 200);
}

/// Answers that nobody takes: their connection is closed, and its place is another's.
#[test]
fn who_does_not_take_an_answer_is_left() {
    let answer_time = Duration::from_millis(400);
    let (address, _) = start(Limits { connections: 1, answer_time, ..Limits::default() });
    let mut stream = connect(address);
    stream.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
    let began = Instant::now();
    let requests = "GET /?wsdl HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000);
    while stream.write_all(requests.as_bytes()).is_ok() {
        assert!(began.elapsed() < Duration::from_secs(20));
    }
    assert!(began.elapsed() < Duration::from_secs(9));
    assert_eq!(post(address, TEXT, &message(1)).status, 200);
}

/// A stop answers what has been sent, and what is being sent.
#[test]
fn a_stop_answers_requests_that_have_begun() {
    let (address, server, stop, stopped) = start_until(Limits::default());
    let message = message(20);
    // Kept open, and known to the service.
    let mut idle = connect(address);
    idle.write_all((head(message.len()) + &message).as_bytes()).unwrap();
    assert_eq!(status(&mut idle), 200);
    let mut half: Vec<_> = (0..10).map(|n| begun(address, message.len() + n, n)).collect();
    thread::sleep(Duration::from_millis(200));
    let mut sent = connect(address);
    sent.write_all((head(message.len()) + &message).as_bytes()).unwrap();
    stop.send(()).unwrap();
    thread::sleep(Duration::from_millis(50));
    assert_eq!(status(&mut sent), 200);
    thread::sleep(Duration::from_millis(500));
    for stream in &mut half {
        stream.write_all(message.as_bytes()).unwrap();
        assert_eq!(status(stream), 200);
    }
    assert!(stopped.recv_timeout(Duration::from_secs(20)).unwrap());
    assert!(TcpStream::connect(address).is_err());
    assert_eq!(server.stats().messages, 12);
}

/// Those who do not end are not waited for.
#[test]
fn a_stop_ends_in_time() {
    let stop_time = Duration::from_millis(500);
    let (address, _, stop, stopped) = start_until(Limits { stop_time, ..Limits::default() });
    let _held = begun(address, 100, 1);
    thread::sleep(Duration::from_millis(100));
    let began = Instant::now();
    stop.send(()).unwrap();
    assert!(!stopped.recv_timeout(Duration::from_secs(20)).unwrap());
    assert!(began.elapsed() < Duration::from_secs(5));
}
