//! Messages written by hand from the end: the same bytes as from a document, buffers too small,
//! payloads that stay where they are.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use pon::{Backward, End, Payload, Piece};
use support::generate::{Random, tree as made_up};
use support::samples::samples;
use support::{Data, Unit, build, twin};
use tam::{ErrorKind, Table, TypeSet};
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

fn shown(message: &[u8]) -> String {
    message.escape_ascii().to_string()
}

/// How binary data is put into a message.
#[derive(Clone, Copy, PartialEq)]
enum Payloads {
    Copied,
    Borrowed,
    Elsewhere,
}

/// Writes the units of a list, all of one level, the last one first.
fn put<'u>(units: &'u [Unit], payloads: Payloads, out: &mut Backward<'_, 'u>) {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < units.len() {
        starts.push(at);
        let mut owed = 1;
        while owed > 0 {
            owed += units[at].data.count().unwrap_or(0);
            owed -= 1;
            at += 1;
        }
    }
    let mut end = units.len();
    for start in starts.into_iter().rev() {
        let end_of_container = out.end();
        match &units[start].data {
            Data::Null => out.null(),
            Data::Boolean(value) => out.boolean(*value),
            Data::Integer(text) => match (text.parse::<i64>(), text.parse::<u64>()) {
                (Ok(number), _) if number.to_string() == *text => out.integer(number),
                (_, Ok(number)) => out.unsigned(number),
                _ => out.integer_text(text),
            },
            Data::Float(text) => out.float_text(text),
            Data::String(text) => out.string(text),
            Data::Binary(octets) => match payloads {
                Payloads::Copied => out.binary(octets),
                Payloads::Borrowed => out.borrowed(octets),
                Payloads::Elsewhere => out.elsewhere(octets.len()),
            },
            Data::Char(c) => out.character(*c),
            Data::Byte(byte) => out.octet(*byte),
            Data::Array(_) => {
                put(&units[start + 1..end], payloads, out);
                out.array(end_of_container);
            }
            Data::Object(_) => {
                put(&units[start + 1..end], payloads, out);
                out.object(end_of_container);
            }
        }
        if let Some(key) = &units[start].key {
            out.key(key);
        }
        end = start;
    }
}

fn documents(seed: u64, count: usize) -> impl Iterator<Item = Vec<Unit>> {
    let mut random = Random::new(seed);
    samples().into_iter().map(|sample| sample.units).chain((0..count).map(move |_| made_up(&mut random, 40)))
}

#[test]
fn by_hand_it_is_the_message_that_the_document_is() {
    for units in documents(1, test_support::rounds(5_000)) {
        let mut table = Table::new();
        build(&units, &mut table);
        let message = pon::write(&table.document(b"", TypeSet::VALUE)).unwrap();
        assert_eq!(shown(&message), shown(&twin::write(&units)));
        let mut buffer = vec![0xAA; message.len() + 3];
        let mut out = Backward::new(&mut buffer);
        assert!(out.is_empty());
        put(&units, Payloads::Copied, &mut out);
        assert_eq!((out.len(), out.is_empty()), (message.len(), false));
        let (by_hand, _, allocations) = cost(|| out.finish().unwrap());
        assert_eq!(shown(by_hand), shown(&message));
        assert_eq!(allocations, 0);
        assert_eq!(buffer[..3], [0xAA; 3], "the message is the end of the buffer");
    }
}

/// Counted by hand.
#[test]
fn numbers_are_written_in_the_fewest_digits() {
    let is = |write: &dyn Fn(&mut Backward<'_, '_>), expected: &str| {
        let mut buffer = [0; 64];
        let mut out = Backward::new(&mut buffer);
        write(&mut out);
        assert_eq!(shown(out.finish().unwrap()), expected);
    };
    is(&|out| out.integer(0), "1i0");
    is(&|out| out.integer(-1), "2i-1");
    is(&|out| out.integer(i64::MIN), "20i-9223372036854775808");
    is(&|out| out.integer(i64::MAX), "19i9223372036854775807");
    is(&|out| out.unsigned(u64::MAX), "20i18446744073709551615");
    for power in 0..20 {
        let number = 10_u64.pow(power);
        is(&|out| out.unsigned(number), &format!("{}i{number}", power + 1));
        is(&|out| out.unsigned(number - 1), &format!("{}i{}", power.max(1), number - 1));
    }
    for bits in 28..37 {
        let number = 1_u64 << bits;
        for number in [number - 1, number, number + 1] {
            is(&|out| out.unsigned(number), &format!("{}i{number}", number.to_string().len()));
        }
    }
    is(&|out| out.float(21.5), "4d21.5");
    is(&|out| out.float(1.0), "3d1.0");
    is(&|out| out.float(-0.0), "4d-0.0");
    is(&|out| out.float(f64::NAN), "3dNaN");
    is(&|out| out.float(-f64::NAN), "3dNaN");
    is(&|out| out.float(f64::INFINITY), "8dInfinity");
    is(&|out| out.float(f64::NEG_INFINITY), "9d-Infinity");
    is(&|out| out.float_text("21.50"), "5d21.50");
    is(&|out| out.float_text("1E+5"), "4d1E+5");
    is(&|out| out.integer_text("-123456789012345678901234567890"), "31i-123456789012345678901234567890");
    for len in [0, 1, 7, 8, 15, 16, 31, 32, 33, 40] {
        is(&|out| out.string(&"x".repeat(len)), &format!("{len}s{}", "x".repeat(len)));
        is(
            &|out| {
                let end = out.end();
                out.null();
                out.key(&"k".repeat(len));
                out.object(end);
            },
            &format!("{}{{{}:u", len + 2, "k".repeat(len)),
        );
    }
    is(&|out| out.character('\u{1F98B}'), r"c\xf0\x9f\xa6\x8b");
    is(&|out| out.octet(0xFF), r"b\xff");
}

#[test]
fn a_buffer_of_every_size_that_is_too_small_is_a_limit() {
    for units in documents(2, 60) {
        let message = twin::write(&units);
        for room in (0..message.len()).step_by(1 + message.len() / 300) {
            let mut buffer = vec![0; room];
            let mut out = Backward::new(&mut buffer);
            put(&units, Payloads::Copied, &mut out);
            assert_eq!(out.len(), message.len(), "what has no room is counted");
            let error = out.finish().unwrap_err();
            let s = if message.len() == 1 { "" } else { "s" };
            let words = format!(
                "limit at byte {room}: found {} byte{s} of message, expected at most {room} (limit buffer)",
                message.len()
            );
            assert_eq!((error.kind(), error.to_string()), (ErrorKind::Limit, words));
        }
    }
}

#[test]
fn texts_that_are_no_numbers_are_refused_in_the_end() {
    let refused = |write: &dyn Fn(&mut Backward<'_, '_>), expected: &str| {
        let mut buffer = [0; 64];
        let mut out = Backward::new(&mut buffer);
        out.null();
        write(&mut out);
        out.null();
        let error = out.finish().unwrap_err();
        assert_eq!(error.to_string(), format!("unsupported at byte 1: found other text, expected {expected}"));
    };
    for text in ["", "-", "+1", "01", "1.0", "1e5", "NaN", " 1", "1 ", "\u{663}"] {
        refused(&|out| out.integer_text(text), "an integer as JSON writes it");
    }
    for text in ["", "-", ".5", "5.", "1e", "nan", "inf", "+Infinity", "-NaN", "0x1", "1,5"] {
        refused(&|out| out.float_text(text), "a number as JSON writes it, NaN, Infinity or -Infinity");
    }
    // The first error is returned, even if there is no room later.
    let mut out = Backward::new(&mut []);
    out.integer_text("x");
    out.float_text("y");
    assert_eq!(out.finish().unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn payloads_stay_where_they_are_and_their_order_is_that_of_the_wire() {
    let (mut borrowed, mut several) = (0, 0);
    for units in documents(3, test_support::rounds(8_000)) {
        let message = twin::write(&units);
        let octets: Vec<&[u8]> = units
            .iter()
            .filter_map(|unit| if let Data::Binary(octets) = &unit.data { Some(&octets[..]) } else { None })
            .collect();
        for payloads in [Payloads::Borrowed, Payloads::Elsewhere] {
            let mut buffer = vec![0; message.len()];
            let mut places = vec![Payload::default(); octets.len()];
            let mut out = Backward::with_payloads(&mut buffer, &mut places);
            put(&units, payloads, &mut out);
            assert_eq!(out.len(), message.len());
            let (pieces, _, allocations) = cost(|| out.finish_pieces().unwrap());
            assert_eq!(allocations, 0);
            assert_eq!((pieces.len(), pieces.is_empty()), (message.len(), false));
            let mut again = Vec::new();
            let mut sources = octets.iter();
            let mut left = pieces.clone();
            while let Some(piece) = left.next() {
                match piece {
                    Piece::Octets(piece) => {
                        again.extend_from_slice(piece);
                        if octets.iter().any(|octets| octets.as_ptr() == piece.as_ptr() && !octets.is_empty()) {
                            assert!(payloads == Payloads::Borrowed);
                            borrowed += 1;
                        }
                    }
                    Piece::Elsewhere(len) => {
                        assert!(payloads == Payloads::Elsewhere);
                        let source = sources.next().unwrap();
                        assert_eq!(len, source.len());
                        again.extend_from_slice(source);
                    }
                }
                assert_eq!(left.len(), message.len() - again.len());
                assert_eq!(left.is_empty(), left.clone().next().is_none());
            }
            assert_eq!(left.next(), None);
            assert_eq!(shown(&again), shown(&message));
            several += usize::from(octets.len() > 1);
        }
    }
    assert!(
        borrowed > test_support::rounds(1_000) && several > test_support::rounds(500),
        "{borrowed} borrowed, {several} with several"
    );
}

#[test]
fn a_payload_can_be_the_whole_message_or_empty() {
    let octets = [7_u8; 3];
    let mut places = [Payload::default(); 3];
    let mut buffer = [0; 16];
    let mut out = Backward::with_payloads(&mut buffer, &mut places);
    out.borrowed(&octets);
    let pieces: Vec<_> = out.finish_pieces().unwrap().collect();
    assert_eq!(pieces, [Piece::Octets(b"3y"), Piece::Octets(&octets)]);
    assert!(matches!(pieces[1], Piece::Octets(piece) if piece.as_ptr() == octets.as_ptr()), "it was copied");

    // Three side by side, two of them empty: 3y and three octets, 0y, 0y are 9 bytes.
    let mut out = Backward::with_payloads(&mut buffer, &mut places);
    let end = out.end();
    out.elsewhere(0);
    out.borrowed(&[]);
    out.borrowed(&octets);
    out.array(end);
    let message: Vec<u8> = out
        .finish_pieces()
        .unwrap()
        .flat_map(|piece| match piece {
            Piece::Octets(octets) => octets.to_vec(),
            Piece::Elsewhere(len) => vec![0xEE; len],
        })
        .collect();
    assert_eq!(message, b"9[3y\x07\x07\x070y0y");

    // Nothing but what is copied is one piece, and needs no places.
    let mut out = Backward::new(&mut buffer);
    out.binary(&octets);
    let pieces: Vec<_> = out.finish_pieces().unwrap().collect();
    assert_eq!(pieces, [Piece::Octets(b"3y\x07\x07\x07")]);
}

#[test]
fn too_few_places_for_payloads_are_a_limit_and_payloads_are_no_one_piece() {
    let octets = [1_u8; 5];
    for (places, payloads) in [(0, 1), (1, 2), (2, 5)] {
        let mut buffer = [0; 64];
        let mut room = vec![Payload::default(); places];
        let mut out = Backward::with_payloads(&mut buffer, &mut room);
        for _ in 0..payloads {
            out.borrowed(&octets);
        }
        let error = out.finish_pieces().unwrap_err();
        let s = if payloads == 1 { "" } else { "s" };
        let words = format!(
            "limit at byte 0: found {payloads} payload{s} left elsewhere, expected at most {places} (limit payloads)"
        );
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Limit, words));
    }
    let (mut buffer, mut places) = ([0; 64], [Payload::default(); 2]);
    let mut out = Backward::with_payloads(&mut buffer, &mut places);
    out.borrowed(&octets);
    out.elsewhere(7);
    let words = "unsupported at byte 0: found 2 payloads left elsewhere, expected a message in one piece";
    assert_eq!(out.finish().unwrap_err().to_string(), words);
}

/// Nothing reads a message of 4 GiB and more, so nothing writes one.
#[test]
fn a_message_beyond_4_gib_is_a_limit() {
    let write = |lengths: &[usize]| {
        let (mut buffer, mut places) = ([0; 256], [Payload::default(); 4]);
        let mut out = Backward::with_payloads(&mut buffer, &mut places);
        let end = out.end();
        for &length in lengths {
            out.elsewhere(length);
            out.key("k");
        }
        out.object(end);
        out.finish_pieces().map(|pieces| pieces.len()).map_err(|error| error.to_string())
    };
    let words = "limit at byte 0: found a longer message, expected at most 4294967295 (limit message_bytes)";
    let most = u32::MAX as usize;
    // The heads of an object and of a payload of ten digits, and `k:`, are 24 bytes.
    assert_eq!(write(&[most - 24]), Ok(most));
    for lengths in [
        &[most - 23][..],
        &[most],
        &[most / 2, most / 2],
        &[usize::MAX],
        &[usize::MAX, usize::MAX],
        &[usize::MAX / 2 + 1, usize::MAX / 2 + 1],
        &[usize::MAX - 3],
        &[usize::MAX - 20],
    ] {
        assert_eq!(write(lengths), Err(words.to_owned()), "{lengths:?}");
    }
}

/// Whatever is called in whatever order, there is a message, or bytes that are none, or an error.
#[test]
fn no_order_of_calls_panics() {
    let mut random = Random::new(4);
    let octets = [0xFF_u8; 300];
    for _ in 0..test_support::rounds(20_000) {
        let mut buffer = vec![0; random.below_or(60, 4, 2000)];
        let mut places = vec![Payload::default(); random.below(4)];
        let mut out = Backward::with_payloads(&mut buffer, &mut places);
        let mut ends: Vec<End> = vec![out.end()];
        for _ in 0..random.below(30) {
            let before = out.len();
            match random.below(16) {
                0 => out.null(),
                1 => out.boolean(true),
                2 => out.integer(random.next() as i64),
                3 => out.unsigned(random.next() >> random.below(64)),
                4 => out.integer_text(random.of(&["0", "x", "99999999999999999999"])),
                5 => out.float(f64::from_bits(random.next())),
                6 => out.float_text(random.of(&["0.5", "x"])),
                7 => out.string(&"s".repeat(random.below(40))),
                8 => out.binary(&octets[..random.below(300)]),
                9 => out.borrowed(&octets[..random.below(300)]),
                10 => out.elsewhere(random.of(&[0, 1, 1000, usize::MAX / 2, usize::MAX])),
                11 => out.character(random.of(&['a', '\u{E9}', '\u{1F98B}'])),
                12 => out.octet(7),
                13 => out.key(random.of(&["", "k", ":\\", "\u{E9}"])),
                14 => ends.push(out.end()),
                _ => match random.of(&ends) {
                    end if random.one_in(2) => out.object(end),
                    end => out.array(end),
                },
            }
            assert!(out.len() >= before);
        }
        let len = out.len();
        if random.one_in(2) {
            if let Ok(message) = out.finish() {
                assert_eq!(message.len(), len);
            }
        } else if let Ok(pieces) = out.finish_pieces() {
            let pieces: usize = pieces
                .map(|piece| match piece {
                    Piece::Octets(octets) => octets.len(),
                    Piece::Elsewhere(len) => len,
                })
                .sum();
            assert_eq!(pieces, len);
        }
    }
    // An end of another writer's.
    let mut buffer = [0; 300];
    let mut long = Backward::new(&mut buffer);
    long.binary(&[0; 200]);
    let end = long.end();
    let mut buffer = [0; 8];
    let mut short = Backward::new(&mut buffer);
    short.null();
    short.array(end);
    let error = short.finish().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    let error = Backward::new(&mut [0; 8]).finish().unwrap_err();
    assert_eq!(error.to_string(), "unsupported at byte 0: found nothing written, expected a value");
}

#[cfg(feature = "std")]
mod streams {
    use super::*;
    use std::io::{self, Read, Write};

    use pon::Pieces;

    /// Two payloads from elsewhere and one borrowed: `{a: 3 octets, b: "xy", c: 4 octets, d: null}`.
    fn with_pieces<T>(work: impl FnOnce(Pieces<'_>) -> T) -> T {
        let (mut buffer, mut places) = ([0; 64], [Payload::default(); 3]);
        let mut out = Backward::with_payloads(&mut buffer, &mut places);
        let end = out.end();
        out.null();
        out.key("d");
        out.elsewhere(4);
        out.key("c");
        out.borrowed(b"xy");
        out.key("b");
        out.elsewhere(3);
        out.key("a");
        out.object(end);
        work(out.finish_pieces().unwrap())
    }

    const MESSAGE: &[u8] = b"24{a:3y\x01\x02\x03b:2yxyc:4y\x04\x05\x06\x07d:u";

    /// Gives its octets in pieces of such sizes, and in between says that it was interrupted; then
    /// fails, if it is to.
    struct Source<'o> {
        octets: &'o [u8],
        sizes: Vec<usize>,
        interrupted: bool,
        fails: bool,
    }

    impl Read for Source<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if self.octets.is_empty() && self.fails {
                return Err(io::Error::other("the disk is gone"));
            }
            let most = self.sizes.pop().unwrap_or(usize::MAX);
            let most = most.min(room.len());
            self.octets.read(&mut room[..most])
        }
    }

    fn source(octets: &[u8], fails: bool) -> Source<'_> {
        Source { octets, sizes: vec![1, 2, 1], interrupted: false, fails }
    }

    /// Takes so many bytes and fails.
    struct Full(usize, Vec<u8>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let room = (self.0 - self.1.len()).min(bytes.len());
            if room == 0 {
                return Err(io::Error::other("no space left"));
            }
            self.1.extend_from_slice(&bytes[..room]);
            Ok(room)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn payloads_are_read_from_their_sources_in_the_order_of_the_wire() {
        let mut wire = Vec::new();
        let (mut a, mut c) = (source(b"\x01\x02\x03", true), source(b"\x04\x05\x06\x07rest", true));
        with_pieces(|pieces| pieces.write_to(&mut wire, &mut [&mut a, &mut c])).unwrap();
        assert_eq!(shown(&wire), shown(MESSAGE));
        assert_eq!(c.octets, b"rest", "no more was read than was said");
        pon::read(&wire, &pon::Options::default(), &mut Table::new()).unwrap();
    }

    #[test]
    fn sources_too_short_too_few_too_many_or_failing_are_reported() {
        let fails = |sources: &mut [&mut dyn Read]| {
            let mut wire = Vec::new();
            let error = with_pieces(|pieces| pieces.write_to(&mut wire, sources)).unwrap_err();
            assert_eq!((error.kind(), error.format()), (ErrorKind::Io, "pon"), "{error}");
            assert!(MESSAGE.starts_with(&wire), "{}", shown(&wire));
            assert_eq!(error.offset(), wire.len() as u64, "{error}: where it stopped");
            error.to_string()
        };
        let mut empty: &[u8] = b"";
        // `24{a:3y` are 7 bytes; after 3 octets, `b:2yxy` and `c:4y` there are 20.
        assert_eq!(
            fails(&mut [&mut source(b"\x01\x02", false), &mut empty]),
            "io at byte 9: found 2 octets before the end of the source, expected 3 octets of payload"
        );
        assert_eq!(
            fails(&mut [&mut source(b"\x01\x02\x03", false), &mut empty]),
            "io at byte 20: found 0 octets before the end of the source, expected 4 octets of payload"
        );
        assert_eq!(
            fails(&mut [&mut source(b"\x01\x02\x03", false), &mut source(b"\x04", true)]),
            "io at byte 21: found the disk is gone, expected a payload to be read"
        );
        let number = "expected 2 sources, one for each payload from elsewhere";
        assert_eq!(fails(&mut []), format!("io at byte 0: found 0 sources, {number}"));
        assert_eq!(fails(&mut [&mut empty]), format!("io at byte 0: found 1 source, {number}"));
        let (mut second, mut third): (&[u8], &[u8]) = (b"", b"");
        assert_eq!(
            fails(&mut [&mut empty, &mut second, &mut third]),
            format!("io at byte 0: found 3 sources, {number}")
        );
    }

    #[test]
    fn a_writer_that_fails_is_reported() {
        for room in 0..MESSAGE.len() {
            let mut full = Full(room, Vec::new());
            let (mut a, mut c) = (source(b"\x01\x02\x03", false), source(b"\x04\x05\x06\x07", false));
            let error = with_pieces(|pieces| pieces.write_to(&mut full, &mut [&mut a, &mut c])).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Io, "{error}");
            assert!(error.offset() <= room as u64, "{error}");
            assert!(error.to_string().ends_with("found no space left, expected the message to be written"), "{error}");
            assert_eq!(full.1, &MESSAGE[..room]);
        }
        let mut full = Full(MESSAGE.len(), Vec::new());
        let (mut a, mut c) = (source(b"\x01\x02\x03", false), source(b"\x04\x05\x06\x07", false));
        with_pieces(|pieces| pieces.write_to(&mut full, &mut [&mut a, &mut c])).unwrap();
    }

    /// "A 500 MB image does not pass through memory."
    #[test]
    fn a_payload_of_500_mb_needs_64_kib() {
        const OCTETS: usize = 500_000_000;
        let (mut buffer, mut places) = ([0; 64], [Payload::default(); 1]);
        let mut out = Backward::with_payloads(&mut buffer, &mut places);
        let end = out.end();
        out.integer(17);
        out.key("id");
        out.elsewhere(OCTETS);
        out.key("image");
        out.object(end);
        // `500000023{image:500000000y`, the octets, `id:2i17`.
        let pieces = out.finish_pieces().unwrap();
        assert_eq!(pieces.len(), 26 + OCTETS + 7);
        let mut image = io::repeat(0xFF).take(OCTETS as u64);
        let (written, peak, _) = cost(|| pieces.write_to(&mut io::sink(), &mut [&mut image]));
        written.unwrap();
        assert_eq!(image.limit(), 0, "all of it was read");
        assert!(peak <= 64 * 1024 + 1024, "{peak} bytes");
    }

    #[test]
    fn a_payload_that_is_borrowed_needs_no_memory() {
        let image = vec![0xFF; 50_000_000];
        let (mut buffer, mut places) = ([0; 64], [Payload::default(); 1]);
        let mut out = Backward::with_payloads(&mut buffer, &mut places);
        out.borrowed(&image);
        let ((), peak, allocations) = cost(|| out.finish_pieces().unwrap().write_to(&mut io::sink(), &mut []).unwrap());
        assert_eq!((peak, allocations), (0, 0));
    }
}
