//! Lookup in a file: it finds what the cursor finds in memory, and fails as that does.
#![cfg(feature = "std")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use pon::{Kind, Options, Value};
use support::generate::Random;
use tam::{ErrorKind, Limits};

/// A node that has a length.
fn node(tag: char, data: &[u8]) -> Vec<u8> {
    [format!("{}{tag}", data.len()).as_bytes(), data].concat()
}

/// What the cursor finds: the node's first byte and its end.
fn found_in_memory(message: &[u8], path: &str) -> Result<Option<(u64, u64)>, String> {
    let value = Value::new(message).and_then(|value| value.find(path)).map_err(|error| error.to_string())?;
    Ok(value.map(|value| {
        let (at, len) = (value.offset(), value.data().len());
        let head = match value.kind() {
            Kind::Boolean => 0,
            Kind::Null | Kind::Char | Kind::Byte => 1,
            _ => len.to_string().len() + 1,
        };
        ((at - head) as u64, (at + len) as u64)
    }))
}

fn found_in_file(message: &[u8], path: &str) -> Result<Option<(u64, u64)>, String> {
    let found = pon::locate(&mut Cursor::new(message), path, &Options::default());
    found.map(|found| found.map(|found| (found.start, found.end))).map_err(|error| error.to_string())
}

fn compare(message: &[u8], path: &str) -> bool {
    let (in_file, in_memory) = (found_in_file(message, path), found_in_memory(message, path));
    let start = &message[..message.len().min(60)];
    assert_eq!(in_file, in_memory, "{path} in {} bytes {}", message.len(), start.escape_ascii());
    in_memory.is_ok_and(|found| found.is_some())
}

const PATHS: [&str; 14] =
    ["", "/", "/a", "/a/0", "/a/1/b", "/b:c", "/b~1c", "/b~0c", "/b\\c", "/0", "/2", "/2/a", "/é", "a"];

#[test]
fn small_messages_good_and_spoiled() {
    let mut found = 0;
    let objects = [
        &br"a:7[1i01{b:tb\:c:u/b:fb/c:2sxyb~c:b1b\\c:0[2:cq"[..],
        "é:1yza:14[1i713{b:1i1b:1i2".as_bytes(),
        b"a:9{b:t0:c1",
    ];
    let arrays = [&b"1i71sx19{a:7[tf2[tu2:u"[..], b"9{a:3son", b"t3{a:u6{:f2:b2"];
    let messages = objects.map(|members| node('{', members)).into_iter().chain(arrays.map(|items| node('[', items)));
    let scalars = [&b"t"[..], b"u", b"cq", "cé".as_bytes(), b"3d1.5", b"0{", b"0["];
    for message in messages.chain(scalars.map(<[u8]>::to_vec)) {
        let message = &message[..];
        for path in PATHS {
            found += usize::from(compare(message, path));
            for end in 0..message.len() {
                compare(&message[..end], path);
            }
            for at in 0..message.len() {
                for byte in [b'0', b'9', b'{', b':', b'\\', b'x', 0xFF] {
                    let mut spoiled = message.to_vec();
                    spoiled[at] = byte;
                    compare(&spoiled, path);
                }
            }
            compare(&[message, b" "].concat(), path);
        }
    }
    assert!(found > 20, "{found}");
}

/// Keys and values of sizes around those of the pieces that are read.
#[test]
fn messages_larger_than_what_is_read_at_once() {
    const SIZES: [usize; 12] = [0, 1, 9, 11, 40, 4_085, 4_096, 8_191, 20_000, 65_530, 262_144, 300_000];
    let mut random = Random::new(7);
    let mut size = |most: usize| SIZES[random.below(most)];
    let mut found = 0;
    for round in 0..8 {
        let (mut members, mut items, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..12 {
            let key = format!("{number}{}", "k".repeat(size(if round < 6 { 8 } else { 12 })));
            members.extend_from_slice(format!("{key}:").as_bytes());
            members.extend(node('y', &vec![b'x'; size(12)]));
            items.extend(node('s', &vec![b'y'; size(12)]));
            paths.push(format!("/{key}"));
            paths.push(format!("/items/{number}"));
        }
        members.extend_from_slice(b"items:");
        members.extend(node('[', &items));
        let message = node('{', &members);
        paths.extend(["/none".to_owned(), "/items/12".to_owned(), "/items/x".to_owned()]);
        for path in &paths {
            found += usize::from(compare(&message, path));
        }
        let cut = message.len() - 1 - size(9);
        compare(&message[..cut], "/items/11");
    }
    assert_eq!(found, 8 * 24);
}

/// A file of which most cannot be read.
struct Sparse<'m> {
    start: &'m [u8],
    len: u64,
    at: u64,
    read: u64,
}

impl Read for Sparse<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        for byte in out.iter_mut() {
            *byte = self.start.get(self.at as usize).copied().unwrap_or(b'0');
            self.at += 1;
        }
        self.read += out.len() as u64;
        Ok(out.len())
    }
}

impl Seek for Sparse<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(0) => self.len,
            _ => return Err(io::Error::other("not asked for")),
        };
        Ok(self.at)
    }
}

#[test]
fn what_is_skipped_is_not_read() {
    let payload = 3_000_000_000_u64;
    let start = format!("{}{{image:{payload}y", payload + 17 + 12);
    let len = start.len() as u64 + payload + 12;
    let mut file = Sparse { start: start.as_bytes(), len, at: 0, read: 0 };
    // The key after the image is all zeros.
    let error = pon::locate(&mut file, "/id", &Options::default()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, start.len() as u64 + payload));
    assert!(file.read < 20_000, "{}", file.read);
    let image = pon::locate(&mut file, "/image", &Options::default()).unwrap().unwrap();
    assert_eq!(image, 17..len - 12);

    // A key has a bound too.
    let start = "4000000000{";
    let mut file = Sparse { start: start.as_bytes(), len: 4_000_000_011, at: 0, read: 0 };
    let limits = Limits { message_bytes: 1_000_000, ..Limits::default() };
    let error = pon::locate(&mut file, "/id", &Options::default().with_limits(limits)).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Limit, 11));
    assert!(file.read < 8_000_000, "{}", file.read);
}
