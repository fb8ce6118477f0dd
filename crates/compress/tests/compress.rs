//! Compressed messages, against frames that are made by hand from RFC 8878 and RFC 1952.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::io::Read;

use lengthwise_compress::{Compression, Compressor, Decompressor, Dictionary, Method, Stream};
use tam::{ErrorKind, Limits};
use test_support::Random;

/// A frame of one segment with a raw block (RFC 8878 sections 3.1.1.1 and 3.1.1.2).
const RAW: &[u8] = b"\x28\xB5\x2F\xFD\x20\x05\x29\0\0hello";

/// A member with a stored block (RFC 1952 section 2.3, RFC 1951 section 3.2.4), and the CRC-32 of `hello`.
const STORED: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01\x05\0\xFA\xFFhello\x86\xA6\x10\x36\x05\0\0\0";

fn decompressed(bytes: &[u8], dictionary: Option<&Dictionary>) -> Result<Vec<u8>, tam::Error> {
    Decompressor::new(dictionary, &Limits::default()).read(bytes)
}

fn compressed(message: &[u8], compression: Compression, dictionary: Option<&Dictionary>) -> Vec<u8> {
    let mut out = Vec::new();
    Compressor::new(compression, dictionary).unwrap().append(message, &mut out).unwrap();
    out
}

/// A frame with blocks that repeat a byte 128 KiB times each, the last of them with less (section 3.1.1.2.2).
fn repeated(blocks: usize, last: u32) -> Vec<u8> {
    let mut frame = b"\x28\xB5\x2F\xFD\0\x38".to_vec();
    for n in 0..=blocks {
        let (is_last, size) = (n == blocks, if n == blocks { last } else { 128 << 10 });
        frame.extend_from_slice(&(size << 3 | 1 << 1 | u32::from(is_last)).to_le_bytes()[..3]);
        frame.push(b'a');
    }
    frame
}

fn orders(count: usize) -> Vec<String> {
    (0..count)
        .map(|n| format!("{{\"order\":{n},\"customer\":\"Boss & Daughters {n}\",\"total\":{}}}", n * 37))
        .collect()
}

#[test]
fn frames_are_read_as_the_standards_have_them() {
    assert_eq!(decompressed(RAW, None).unwrap(), b"hello");
    assert_eq!(decompressed(STORED, None).unwrap(), b"hello");
    // A frame after a skippable one (section 3.1.2), and members one after the other.
    let skippable = [&b"\x5A\x2A\x4D\x18\x03\0\0\0any"[..], RAW].concat();
    assert_eq!(decompressed(&[RAW, &skippable].concat(), None).unwrap(), b"hellohello");
    assert_eq!(decompressed(&[STORED, STORED].concat(), None).unwrap(), b"hellohello");
    // Bytes that belong to no member have a place (RFC 1952 section 2.2).
    for rest in [&b"\0\0"[..], b"abc", b"much more than a header"] {
        let error = decompressed(&[STORED, rest].concat(), None).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, STORED.len() as u64), "{error}");
        assert!(error.to_string().contains("found other bytes after the end"), "{error}");
    }
    assert_eq!(decompressed(&repeated(2, 7), None).unwrap(), vec![b'a'; (256 << 10) + 7]);
}

#[test]
fn messages_come_back() {
    let dictionary = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    for message in [&b""[..], b"a", orders(1000)[999].as_bytes(), &[0; 70_000], &repeated(3, 1)] {
        for (level, most) in [(Method::Zstd, 19), (Method::Gzip, 9)] {
            for n in 1..=most {
                let small = compressed(message, Compression::new(level, n), None);
                assert_eq!(Method::sniff(&small), Some(level));
                assert_eq!(decompressed(&small, None).unwrap(), message);
                // Whoever has a dictionary reads messages without one as well.
                assert_eq!(decompressed(&small, Some(&dictionary)).unwrap(), message);
            }
        }
        let small = compressed(message, Compression::default(), Some(&dictionary));
        assert_eq!(decompressed(&small, Some(&dictionary)).unwrap(), message);
    }
}

#[test]
fn a_dictionary_makes_small_messages_smaller() {
    let message = &orders(1000)[999];
    let dictionary = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    let (with, without) = (Some(&dictionary), None);
    let [with, without] = [with, without].map(|one| compressed(message.as_bytes(), Compression::default(), one).len());
    assert!(2 * with < without, "{with} and {without} bytes");
}

#[test]
fn another_dictionary_is_named() {
    let one = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    let other = Dictionary::train(&orders(60), Dictionary::LARGEST).unwrap();
    assert_ne!(one.id(), other.id());
    let message = compressed(b"{\"order\":1}", Compression::default(), Some(&one));
    let error = decompressed(&message, Some(&other)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains(&one.id().to_string()) && error.to_string().contains(&other.id().to_string()));
    let error = decompressed(&message, None).unwrap_err();
    assert!(error.to_string().contains(&one.id().to_string()), "{error}");
}

#[test]
fn dictionaries_are_made_of_few_samples_and_of_many() {
    assert_eq!(Dictionary::train(&[""; 9], Dictionary::LARGEST).unwrap_err().kind(), ErrorKind::Unsupported);
    for samples in [vec!["12345678".to_owned()], vec!["same".to_owned(); 40], orders(1), orders(3), orders(5000)] {
        let dictionary = Dictionary::train(&samples, 16 << 10).unwrap();
        assert!(dictionary.bytes().len() <= 16 << 10);
        // The number is one that is free (section 5), and it depends on the content alone.
        assert!((1 << 15..1 << 31).contains(&dictionary.id()));
        assert_eq!(Dictionary::train(&samples, 16 << 10).unwrap(), dictionary);
        assert_eq!(Dictionary::read(dictionary.bytes().to_vec()).unwrap(), dictionary);
        let message = compressed(samples[0].as_bytes(), Compression::default(), Some(&dictionary));
        assert_eq!(decompressed(&message, Some(&dictionary)).unwrap(), samples[0].as_bytes());
    }
    assert!(Dictionary::train(&orders(5), 1000).is_err());
}

#[test]
fn other_bytes_are_no_dictionary() {
    let dictionary = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    for bytes in [&b""[..], b"dictionary", &dictionary.bytes()[..20], &dictionary.bytes()[4..]] {
        assert_eq!(Dictionary::read(bytes.to_vec()).unwrap_err().kind(), ErrorKind::Syntax);
    }
}

#[test]
fn what_is_cut_is_incomplete() {
    let dictionary = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    let messages = [
        compressed(&[7; 300], Compression::default(), Some(&dictionary)),
        compressed(&orders(3).concat().into_bytes(), Method::Gzip.into(), None),
        RAW.to_vec(),
        STORED.to_vec(),
    ];
    for message in messages {
        for end in 4..message.len() {
            let error = decompressed(&message[..end], Some(&dictionary)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Incomplete, "{end} of {}: {error}", message.len());
            assert!(error.offset() <= end as u64);
        }
    }
}

#[test]
fn what_becomes_too_long_is_refused_at_the_limit() {
    let limits = Limits { decompressed_bytes: 1 << 20, ..Limits::default() };
    let most = Decompressor::new(None, &limits);
    assert_eq!(most.read(&repeated(7, 128 << 10)).unwrap().len(), 1 << 20);
    let bombs = [repeated(8, 1), repeated(1 << 16, 1), compressed(&vec![0; 2 << 20], Method::Gzip.into(), None)];
    for bomb in bombs {
        assert_eq!(most.read(&bomb).unwrap_err().kind(), ErrorKind::Limit);
    }
    // More than the ratio allows, beyond the threshold.
    let limits = Limits { expansion_ratio: 10, expansion_threshold: 1000, ..Limits::default() };
    let error = Decompressor::new(None, &limits).read(&repeated(0, 1001)).unwrap_err();
    assert!(error.to_string().contains("expansion_ratio"), "{error}");
    assert!(Decompressor::new(None, &limits).read(&repeated(0, 1000)).is_ok());
    // A window of 128 MiB and more, whatever is in it, unless it is allowed.
    let mut large = repeated(0, 1);
    large[5] = 0x88;
    let wide = Limits { window: 128 << 20, ..limits };
    assert_eq!(Decompressor::new(None, &wide).read(&large).unwrap(), b"a");
    for window in [0x88, 0xA0, 0xFF] {
        let mut frame = repeated(0, 1);
        frame[5] = window;
        assert_eq!(most.read(&frame).unwrap_err().kind(), ErrorKind::Limit, "{window:x}");
    }
}

#[test]
fn spoiled_messages_are_refused_or_read() {
    let dictionary = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    let whole = orders(40).concat();
    let messages = [
        compressed(whole.as_bytes(), Compression::default(), Some(&dictionary)),
        compressed(whole.as_bytes(), Compression::default(), None),
        compressed(whole.as_bytes(), Method::Gzip.into(), None),
    ];
    let limits = Limits { decompressed_bytes: 1 << 16, ..Limits::default() };
    let reader = Decompressor::new(Some(&dictionary), &limits);
    let (mut random, mut refused) = (Random::new(1), 0);
    for n in 0..3000 {
        let mut message = messages[n % messages.len()].clone();
        for _ in 0..=random.below(3) {
            let at = random.below(message.len());
            message[at] ^= 1 << random.below(8);
        }
        if let Err(error) = reader.read(&message) {
            assert!(error.offset() <= message.len() as u64 && error.kind() != ErrorKind::Io, "{error}");
            refused += 1;
        }
    }
    assert!(refused > 1000);
}

/// Gives one byte at a time.
struct Slowly<'a>(&'a [u8]);

impl Read for Slowly<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(1);
        self.0.read(&mut out[..len])
    }
}

#[test]
fn bytes_may_arrive_one_by_one() {
    let dictionary = Dictionary::train(&orders(50), Dictionary::LARGEST).unwrap();
    let mut two = compressed(&[7; 300], Compression::default(), Some(&dictionary));
    two.extend_from_slice(RAW);
    for (bytes, expected) in
        [(two, [&[7; 300][..], b"hello"].concat()), ([STORED, STORED].concat(), b"hellohello".to_vec())]
    {
        let mut read = Vec::new();
        let mut stream = Stream::new(Slowly(&bytes), Some(&dictionary), &Limits::DEFAULT).unwrap();
        stream.read_to_end(&mut read).unwrap();
        assert_eq!((read, stream.taken()), (expected, bytes.len() as u64));
    }
}

#[test]
fn methods_and_levels_have_names() {
    for (text, method, level) in [
        ("zstd", Method::Zstd, 19),
        ("zstd:3", Method::Zstd, 3),
        ("gzip:1", Method::Gzip, 1),
        ("deflate", Method::Gzip, 9),
    ] {
        assert_eq!(text.parse(), Ok(Compression::new(method, level)));
    }
    for text in ["", "zst", "zstd:", "zstd:0", "zstd:20", "gzip:10", "zstd:-1", "brotli"] {
        assert!(text.parse::<Compression>().unwrap_err().to_string().starts_with("expected "), "{text}");
    }
    assert!(Compressor::new(Method::Gzip.into(), Some(&Dictionary::train(&orders(9), 4096).unwrap())).is_err());
}
