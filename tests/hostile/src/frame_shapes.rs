//! Shapes of files of several messages.

use test_support::Random;

use crate::Family::{self, Counts, Parameters, References};
use crate::Shape;
use crate::readers::FRAMINGS;

const fn frames(family: Family, name: &'static str, make: fn(&mut Random, usize) -> Vec<u8>) -> Shape {
    Shape { readers: &["frames"], family, name, make }
}

const fn hex(family: Family, name: &'static str, make: fn(&mut Random, usize) -> Vec<u8>) -> Shape {
    Shape { readers: &["hexadecimal"], family, name, make }
}

const fn capture(family: Family, name: &'static str, make: fn(&mut Random, usize) -> Vec<u8>) -> Shape {
    Shape { readers: &["capture"], family, name, make }
}

pub(crate) const SHAPES: &[Shape] = &[
    frames(Counts, "levels of BER", |_, n| file(0, &[0x30, 0x80].repeat(n / 2))),
    frames(Counts, "a length beyond the file", |random, n| {
        file(random.of(&[0, 2]), &[&[0x30, 0x84, 3, 0][..], &vec![7; n]].concat())
    }),
    frames(Counts, "empty messages", |random, n| file(random.of(&[1, 2]), &vec![0; n])),
    frames(Counts, "messages of one byte", |_, n| file(3, &vec![0; n])),
    frames(Counts, "brackets", |_, n| file(6, &vec![b'['; n])),
    frames(Counts, "empty texts", |_, n| file(6, &b"{}".repeat(n / 2))),
    frames(Parameters, "a string without an end", |random, n| {
        file(random.of(&[5, 6]), &[&b"\""[..], &vec![b'\\'; n]].concat())
    }),
    frames(Parameters, "lines", |random, n| file(random.of(&[4, 5]), &b"0\n".repeat(n / 2))),
    frames(Counts, "digits", |random, n| file(random.of(&[7, 8]), &vec![b'9'; n])),
    frames(Counts, "units of TSF", |_, n| file(8, &b"0a[".repeat(n / 3))),
    frames(Parameters, "a name of TSF", |_, n| file(8, &[&b"0"[..], &vec![b'x'; n]].concat())),
    hex(Counts, "dumps of one octet", |_, n| b"0000  00\n".repeat(n / 9)),
    hex(Parameters, "a line of digits", |_, n| vec![b'0'; n]),
    hex(Parameters, "prefixes", |_, n| b"0x0".repeat(n / 3)),
    hex(Parameters, "space", |_, n| vec![b' '; n]),
    hex(Counts, "headings", |_, n| b" bytes):\n00\n".repeat(n / 12)),
    capture(References, "fragments of SCTP", |_, n| {
        let packets = (0..n as u32 / 72).map(|number| chunk(2 * number, 2, 1));
        pcap(248, packets)
    }),
    capture(References, "associations of SCTP", |_, n| pcap(248, (0..n as u32 / 72).map(|number| chunk(0, 3, number)))),
    capture(References, "connections of TCP", |_, n| pcap(101, (0..n as u32 / 60).map(|number| segment(number, 0)))),
    capture(References, "segments after a missing one", |_, n| {
        pcap(101, (0..n as u32 / 60).map(|number| segment(0, if number == 0 { 0 } else { number + 5 })))
    }),
    capture(Counts, "a packet beyond the file", |_, n| {
        [pcap(101, std::iter::empty()), vec![0; 8], [0, 0, 0xFF, 0].repeat(2), vec![0; n]].concat()
    }),
    capture(Counts, "interfaces of pcapng", |_, n| {
        let section = [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0];
        let interface = [1, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0];
        [&section[..], &[255; 8], &[28, 0, 0, 0], &interface.repeat(n / 20)].concat()
    }),
];

fn file(framing: u8, bytes: &[u8]) -> Vec<u8> {
    assert!(usize::from(framing) < FRAMINGS.len());
    [&[framing], bytes].concat()
}

/// Packets of a link type in pcap.
fn pcap(link: u8, packets: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut file = [&[0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0][..], &[0; 8], &[0, 0, 4, 0, link, 0, 0, 0]].concat();
    for packet in packets {
        let len = (packet.len() as u32).to_le_bytes();
        file.extend([&[0; 8][..], &len, &len, &packet].concat());
    }
    file
}

/// A packet of SCTP with a chunk of data.
fn chunk(number: u32, flags: u8, tag: u32) -> Vec<u8> {
    let head = [&[0, 1, 0, 2][..], &tag.to_be_bytes(), &[0; 4], &[0, flags, 0, 20]].concat();
    [&head[..], &number.to_be_bytes(), &[0; 8], &[0, 9, 7, 7]].concat()
}

/// A segment of TCP over IPv4, of a message that is longer.
fn segment(connection: u32, number: u32) -> Vec<u8> {
    let [.., a, b] = connection.to_be_bytes();
    let ip = [0x45, 0, 0, 44, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    let head = [&[0, 1, a, b][..], &number.to_be_bytes(), &[0, 0, 0, 0, 0x50, 0x10, 0xFF, 0xFF, 0, 0, 0, 0]].concat();
    [&ip[..], &head, &[0xFF, 0xFF, 7, 7]].concat()
}
