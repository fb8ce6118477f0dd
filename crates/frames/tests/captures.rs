//! Messages in captures: pcap and pcapng by their specifications (draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng), packets as
//! `etherparse` builds them, chunks of SCTP by RFC 9260.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use etherparse::{IpNumber, PacketBuilder};
use lengthwise_frames::{Frames, Framing, Options, is_capture, ports};
use tam::{ErrorKind, Limits};
use test_support::Random;

/// Packets of Ethernet in pcap, numbers in the given order of bytes.
fn pcap(packets: &[Vec<u8>], big: bool, link: u32) -> Vec<u8> {
    let number = |value: u32| if big { value.to_be_bytes() } else { value.to_le_bytes() };
    let version = if big { [0, 2, 0, 4] } else { [2, 0, 4, 0] };
    let mut file = [number(0xA1B2_C3D4), version, number(0), number(0), number(0x40000), number(link)].concat();
    for packet in packets {
        let len = number(packet.len() as u32);
        file.extend([number(1), number(2), len, len].concat());
        file.extend(packet);
    }
    file
}

/// The same in pcapng, each packet on an interface of its own, with a block that nobody knows between them.
fn pcapng(packets: &[Vec<u8>]) -> Vec<u8> {
    fn block(kind: u32, body: &[u8]) -> Vec<u8> {
        let padded = body.len().next_multiple_of(4);
        let len = (padded as u32 + 12).to_le_bytes();
        [&kind.to_le_bytes(), &len, body, &vec![0; padded - body.len()][..], &len].concat()
    }
    let mut file = block(0x0A0D_0D0A, &[0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
    for (number, packet) in (0_u32..).zip(packets) {
        file.extend(block(1, &[1, 0, 0, 0, 0, 0, 4, 0]));
        file.extend(block(0x0000_0BAD, &[1, 2, 3, 4]));
        let len = (packet.len() as u32).to_le_bytes();
        file.extend(block(6, &[&number.to_le_bytes()[..], &[0; 8], &len, &len, packet].concat()));
    }
    file
}

fn ethernet() -> etherparse::PacketBuilderStep<etherparse::Ethernet2Header> {
    PacketBuilder::ethernet2([1; 6], [2; 6])
}

fn udp(source: u16, destination: u16, payload: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    ethernet().ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64).udp(source, destination).write(&mut packet, payload).unwrap();
    packet
}

fn tcp(source: u16, destination: u16, sequence: u32, syn: bool, payload: &[u8]) -> Vec<u8> {
    let mut packet = Vec::new();
    let builder = ethernet().ipv6([1; 16], [2; 16], 64).tcp(source, destination, sequence, 1000);
    let builder = if syn { builder.syn() } else { builder };
    builder.write(&mut packet, payload).unwrap();
    packet
}

fn sctp(source: u16, destination: u16, chunks: &[Vec<u8>]) -> Vec<u8> {
    let head = [&source.to_be_bytes()[..], &destination.to_be_bytes(), &[0, 0, 0, 9, 1, 2, 3, 4]].concat();
    let mut packet = Vec::new();
    let builder = ethernet().single_vlan(etherparse::VlanId::ZERO).ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64);
    builder.write(&mut packet, IpNumber(132), &[head, chunks.concat()].concat()).unwrap();
    packet
}

/// A chunk; `flags` has 2 for the first fragment and 1 for the last.
fn chunk(kind: u8, flags: u8, number: u32, data: &[u8]) -> Vec<u8> {
    let len = (16 + data.len()) as u16;
    let mut chunk =
        [&[kind, flags], &len.to_be_bytes()[..], &number.to_be_bytes(), &[0, 1, 0, 0, 0, 0, 0, 60], data].concat();
    chunk.resize(chunk.len().next_multiple_of(4), 0);
    chunk
}

type Found = (Vec<(String, Vec<u8>)>, Vec<(String, u64)>, Vec<String>);

fn read(file: &[u8], port: &str, framing: Framing) -> Found {
    let options = Options::default().with_port(Some(port.parse().unwrap())).with_framing(framing);
    read_with(file, &options)
}

/// Messages with their packet, what was skipped, errors.
fn read_with(file: &[u8], options: &Options) -> Found {
    let (mut messages, mut errors) = (Vec::new(), Vec::new());
    let mut frames = match Frames::new(file, options) {
        Ok(frames) => frames,
        Err(error) => return (messages, Vec::new(), vec![error.to_string()]),
    };
    loop {
        match frames.next_frame() {
            Ok(None) => break,
            Ok(Some(frame)) => messages.push((frame.place.to_string(), frame.bytes.to_vec())),
            Err(error) => errors.push(error.to_string()),
        }
    }
    let skipped = frames.skipped().iter().map(|skipped| (skipped.reason.to_string(), skipped.count)).collect();
    (messages, skipped, errors)
}

fn bodies(found: &Found) -> Vec<(&str, &[u8])> {
    found.0.iter().map(|(place, bytes)| (place.as_str(), bytes.as_slice())).collect()
}

#[test]
fn datagrams_are_messages_in_every_container_and_link() {
    let packets = [udp(5000, 9, b"one"), udp(9, 5000, b"two"), udp(5000, 10, b"other"), udp(9, 9, b"")];
    let expected = [("packet 1", &b"one"[..]), ("packet 2", b"two")];
    for file in [pcap(&packets, false, 1), pcap(&packets, true, 1), pcapng(&packets)] {
        assert!(is_capture(&file));
        for port in ["9", "udp:9"] {
            let found = read(&file, port, Framing::Whole);
            assert_eq!((bodies(&found), found.1.len(), found.2.len()), (expected.to_vec(), 0, 0));
        }
        assert_eq!(read(&file, "tcp:9", Framing::Whole).0, []);
        let known: Vec<String> = ports(&file).unwrap().iter().map(|(port, count)| format!("{port} {count}")).collect();
        assert_eq!(known, ["udp:5000 3", "udp:9 2", "udp:10 1"]);
    }
    // The same packets from their network layer on, after the heads of other links.
    let bare = |head: &[u8]| packets.iter().map(|packet| [head, &packet[14..]].concat()).collect::<Vec<_>>();
    let cooked = [&[0; 14][..], &[8, 0]].concat();
    let cooked_2 = [&[8, 0][..], &[0; 18]].concat();
    for (link, head) in [(101, &[][..]), (228, &[]), (0, &[2, 0, 0, 0]), (113, &cooked), (276, &cooked_2)] {
        let found = read(&pcap(&bare(head), false, link), "9", Framing::Whole);
        assert_eq!(bodies(&found), expected, "{link}");
    }
    let found = read(&pcap(&packets, false, 147), "9", Framing::Whole);
    assert_eq!(found.1, [("packets of link type 147 (for private use), which is not supported".to_owned(), 4)]);
}

#[test]
fn messages_of_sctp_are_put_together_and_come_once() {
    let packets = [
        // Two chunks in a packet, one of another kind before them.
        sctp(38412, 5, &[chunk(3, 0, 0, b""), chunk(0, 3, 10, b"a"), chunk(0, 3, 11, b"bb")]),
        sctp(38412, 5, &[chunk(0, 3, 11, b"bb")]),
        // Fragments of two messages that arrive between each other.
        sctp(38412, 5, &[chunk(0, 2, 12, b"c")]),
        sctp(38412, 5, &[chunk(0, 2, 20, b"d")]),
        sctp(38412, 5, &[chunk(0, 0, 13, b"c")]),
        sctp(38412, 5, &[chunk(0, 1, 21, b"d")]),
        sctp(38412, 5, &[chunk(0, 1, 14, b"c"), chunk(0, 2, 15, b"never ends")]),
        sctp(38412, 5, &[chunk(0, 1, 90, b"no start"), chunk(64, 3, 91, b"i-data")]),
    ];
    let found = read(&pcap(&packets, false, 1), "sctp:38412", Framing::Whole);
    let expected = [("packet 1", &b"a"[..]), ("packet 1", b"bb"), ("packet 6", b"dd"), ("packet 7", b"ccc")];
    assert_eq!((bodies(&found), found.2.len()), (expected.to_vec(), 0));
    let skipped = [
        ("fragments of SCTP without those before them", 1),
        ("I-DATA chunks of SCTP", 1),
        ("messages of SCTP that the capture does not complete", 1),
    ];
    assert_eq!(found.1, skipped.map(|(reason, count)| (reason.to_owned(), count)));
}

#[test]
fn a_stream_of_tcp_is_put_in_order_and_cut() {
    let head = |len: u16| len.to_be_bytes();
    let stream: Vec<u8> = [&head(3)[..], b"abc", &head(1), b"d", &head(4), b"efgh"].concat();
    let start = u32::MAX - 4;
    let piece = |from: usize, to: usize| tcp(700, 1, start.wrapping_add(1 + from as u32), false, &stream[from..to]);
    let packets = [
        tcp(700, 1, start, true, b""),
        piece(0, 4),
        // Later ones first, one of them twice, overlapping.
        piece(8, 11),
        piece(6, 9),
        piece(0, 4),
        piece(3, 8),
        piece(11, 14),
        // Another connection, from its middle, which loses a segment.
        tcp(1, 800, 50, false, &[0, 1, b'z', 0]),
        tcp(1, 800, 60, false, b"late"),
    ];
    let found = read(&pcap(&packets, false, 1), "tcp:1", Framing::U16Be);
    let expected = [("packet 6", &b"abc"[..]), ("packet 6", b"d"), ("packet 7", b"efgh"), ("packet 8", b"z")];
    assert_eq!((bodies(&found), found.2.len()), (expected.to_vec(), 0));
    let skipped =
        [("segments of TCP after a missing one", 1), ("messages of TCP that the capture does not complete", 1)];
    assert_eq!(found.1, skipped.map(|(reason, count)| (reason.to_owned(), count)));
    let (_, _, errors) = read(&pcap(&packets, false, 1), "1", Framing::Whole);
    assert!(errors[0].contains("a stream of TCP without a framing"), "{errors:?}");
}

/// A message that cannot be cut is an error, and those after it are read.
#[test]
fn errors_name_the_packet() {
    let packets = [
        udp(1, 2, &[0, 9, 1]),
        udp(1, 2, &[0, 1, 7, 0, 1, 8]),
        tcp(1, 2, 5, false, b"{} }"),
        tcp(1, 2, 9, false, b"{}"),
    ];
    let file = pcap(&packets, false, 1);
    let found = read(&file, "udp:1", Framing::U16Be);
    assert_eq!(bodies(&found), [("packet 2", &[7][..]), ("packet 2", &[8])]);
    assert!(found.2[0].starts_with("incomplete at byte 3 in packet 1:"), "{:?}", found.2);
    let found = read(&file, "tcp:1", Framing::Json);
    assert_eq!((bodies(&found), found.1.len()), (vec![("packet 3", &b"{}"[..])], 1));
    assert!(found.2[0].starts_with("syntax at byte 3 in packet 3:"), "{:?}", found.2);
    for (file, words) in [
        (&b"no capture"[..], "syntax at byte 0: found no capture"),
        (&[][..], "incomplete at byte 0"),
        (&file[..10], "incomplete at byte 0"),
        (&file[..file.len() - 1], "incomplete at byte"),
    ] {
        let (.., errors) = read(file, "udp:1", Framing::Whole);
        assert!(errors.len() == 1 && errors[0].contains(words), "{errors:?}");
    }
}

#[test]
fn what_is_kept_has_bounds() {
    let limits = Limits { message_bytes: 3000, units: 20, ..Limits::DEFAULT };
    let options = Options::default().with_limits(limits);
    let error = |packets: &[Vec<u8>], port: &str, framing| {
        let options = options.with_port(Some(port.parse().unwrap())).with_framing(framing);
        let mut frames = Frames::new(std::io::Cursor::new(pcap(packets, false, 1)), &options).unwrap();
        let error = frames.next_frame().unwrap_err();
        assert_eq!(frames.next_frame(), Ok(None));
        error.kind()
    };
    let open = |number| sctp(1, 2, &[chunk(0, 2, number, &[0; 300])]);
    assert_eq!(error(&(0..12).map(|n| open(2 * n)).collect::<Vec<_>>(), "1", Framing::Whole), ErrorKind::Limit);
    let small = |number| sctp(1, 2, &[chunk(0, 2, number, b"")]);
    assert_eq!(error(&(0..30).map(|n| small(2 * n)).collect::<Vec<_>>(), "1", Framing::Whole), ErrorKind::Limit);
    let flows: Vec<_> = (0..30).map(|n| tcp(1, 100 + n, 0, false, b"\0")).collect();
    assert_eq!(error(&flows, "1", Framing::U16Be), ErrorKind::Limit);
    let early: Vec<_> = (0..30).map(|n| tcp(1, 2, 500 * n + u32::from(n > 0), false, &[0; 400])).collect();
    assert_eq!(error(&early, "1", Framing::Fixed(2000)), ErrorKind::Limit);
    // A block that is longer than any.
    let long = [pcap(&[], false, 1), vec![0; 8], vec![0xFF; 4], vec![0xFF; 4], vec![0; 17 << 20]].concat();
    let options = options.with_port(Some("1".parse().unwrap()));
    let mut frames = Frames::new(&long[..], &options).unwrap();
    assert_eq!(frames.next_frame().unwrap_err().kind(), ErrorKind::Limit);
}

/// Whatever is spoiled, there is an answer.
#[test]
fn spoiled_captures_are_read_or_refused() {
    let mut random = Random::new(8);
    let packets = [
        udp(1, 2, &[0, 1, 7]),
        sctp(1, 2, &[chunk(0, 2, 1, b"a"), chunk(0, 1, 2, &[0, 1])]),
        tcp(1, 2, 7, true, b""),
        tcp(1, 2, 8, false, &[0, 2, 7, 7, 0]),
    ];
    for file in [pcap(&packets, false, 1), pcapng(&packets)] {
        for _ in 0..test_support::rounds(2_000) {
            let mut file = file.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(file.len());
                match random.below(3) {
                    0 => file[at] = random.next() as u8,
                    1 => file[at] ^= 1 << random.below(8),
                    _ => file.truncate(at.max(4)),
                }
            }
            let _ = read(&file, "1", Framing::U16Be);
            let _ = ports(&file);
        }
    }
}
