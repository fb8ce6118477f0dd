//! Messages by their framing, whole and in pieces that end anywhere.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::io::{self, Cursor, Read};

use lengthwise_frames::{Frames, Framing, Options};
use tam::{Error, ErrorKind, Limits};
use test_support::Random;

/// Gives few bytes a call.
struct Slow<'b>(&'b [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(self.0.len()).min(buffer.len());
        buffer[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

/// The messages and where they are, up to an error.
fn all(reader: impl Read + Send, options: &Options) -> (Vec<(Vec<u8>, String)>, Option<Error>) {
    let mut found = Vec::new();
    let mut frames = match Frames::new(reader, options) {
        Ok(frames) => frames,
        Err(error) => return (found, Some(error)),
    };
    loop {
        match frames.next_frame() {
            Ok(Some(frame)) => {
                assert_eq!(frame.number as usize, found.len() + 1);
                found.push((frame.bytes.to_vec(), frame.place.to_string()));
            }
            Ok(None) => return (found, None),
            Err(error) => {
                let is_over = framing_ends(options.framing);
                assert!(!is_over || matches!(frames.next_frame(), Ok(None)), "{error}");
                return (found, Some(error));
            }
        }
    }
}

/// Whether nothing can be read after an error.
fn framing_ends(framing: Framing) -> bool {
    !matches!(framing, Framing::HexLines | Framing::Pem)
}

/// The same in pieces of every small length.
fn messages(file: &[u8], options: &Options) -> (Vec<Vec<u8>>, Option<Error>) {
    let whole = all(file, options);
    for len in 1..9 {
        assert_eq!(all(Slow(file, len), options), whole, "{len}");
    }
    (whole.0.into_iter().map(|(bytes, _)| bytes).collect(), whole.1)
}

fn framed(framing: Framing) -> Options {
    Options::default().with_framing(framing)
}

/// A framing, a file, and its messages.
type Case<'c> = (Framing, &'c [u8], &'c [&'c [u8]]);

#[test]
fn messages_are_cut_by_their_framing() {
    let cases: &[Case] = &[
        (Framing::Whole, b"\n ab ", &[b"\n ab "]),
        (Framing::U16Be, &[0, 1, 7, 0, 0, 0, 2, 8, 9], &[&[7], &[], &[8, 9]]),
        (Framing::U32Be, &[0, 0, 0, 1, 7, 0, 0, 0, 0], &[&[7], &[]]),
        (Framing::Fixed(2), &[1, 2, 3, 4], &[&[1, 2], &[3, 4]]),
        // X.690: definite, long form, indefinite with inner definite and indefinite, high tag number, empty.
        (
            Framing::Ber,
            &[
                0x02, 1, 5, 0x30, 0x81, 3, 2, 1, 5, 0x30, 0x80, 0x04, 2, 0, 0, 0xA0, 0x80, 0, 0, 0, 0, 0x9F, 0x81, 1,
                1, 7, 5, 0,
            ],
            &[
                &[0x02, 1, 5],
                &[0x30, 0x81, 3, 2, 1, 5],
                &[0x30, 0x80, 0x04, 2, 0, 0, 0xA0, 0x80, 0, 0, 0, 0],
                &[0x9F, 0x81, 1, 1, 7],
                &[5, 0],
            ],
        ),
        // Filler, as files of charging records have it.
        (Framing::Ber, &[0, 2, 1, 5, 0, 0, 0, 5, 0, 0, 0, 2, 1, 0, 0], &[&[2, 1, 5], &[5, 0], &[2, 1, 0]]),
        (Framing::HexLines, b"# log\n30 03\n\n0x0201,0x5\r\n'FF'H", &[&[0x30, 3], &[2, 1, 5], &[0xFF]]),
        (
            Framing::Pem,
            b"# one\n-----BEGIN X-----\nMAA=\n-----END X-----\ntwo\n-----BEGIN Y-----\r\nBQ\r\nA=\r\n-----END Y-----\r\n end",
            &[&[0x30, 0], &[5, 0]],
        ),
        (Framing::Pem, b"no part", &[]),
        (Framing::Lines, b"{}\n\n [1,\r\n]\n x ", &[b"{}", b"[1,", b"]", b"x"]),
        (
            Framing::Json,
            b"{\"a\":[\"}\\\"\\\\\"]} [1,\n{}]\x1e\"a]\\\"\"12 true{}null",
            &[b"{\"a\":[\"}\\\"\\\\\"]}", b"[1,\n{}]", b"\"a]\\\"\"", b"12", b"true", b"{}", b"null"],
        ),
        // The messages of docs/formats/pon.md.
        (
            Framing::Pon,
            "5shello26{key1:6svalue1key2:6svalue216[6svalue16svalue27sgrüß!".as_bytes(),
            &[b"5shello", b"26{key1:6svalue1key2:6svalue2", b"16[6svalue16svalue2", "7sgrüß!".as_bytes()],
        ),
        (Framing::Tsf, b"5a[hello2b<1c[x0d[0e<", &[b"5a[hello", b"2b<1c[x0d[", b"0e<"]),
    ];
    for (framing, file, expected) in cases {
        let (found, error) = messages(file, &framed(*framing));
        assert_eq!(
            (found.as_slice(), error),
            (&expected.iter().map(|m| m.to_vec()).collect::<Vec<_>>()[..], None),
            "{framing}"
        );
    }
}

/// {"a":1}, {"b":"x"}, [1] and "s" with values: by the set `json` the first two are one message, whose member is named a#11.
#[test]
fn of_two_type_sets_the_one_with_more_messages_is_taken() {
    let expected: Vec<Vec<u8>> = ["1{1a#1", "1{1b'x", "1[1#1", "1's"].map(Vec::from).to_vec();
    assert_eq!(messages(b"1{1a#11{1b'x1[1#11's", &framed(Framing::Tsf)), (expected, None));
}

/// The type set of TSF is found by the first 32 KiB. Each of these has no type of another set in long stretches, so that by that set
/// a name goes on to the end.
#[test]
fn the_type_set_of_a_long_file_is_detected() {
    let text = "x".repeat(100);
    for message in [
        // {"n":1,"text":"xxx"} with tokens, the same with values, and an element, as docs/formats/tsf.md has them.
        format!("2{{1n'1102text'\"{text}\""),
        format!("02{{1n#1100text'{text}"),
        format!("1a<100[{text}"),
    ] {
        let file = message.repeat(1_000);
        let (found, error) = messages(file.as_bytes(), &framed(Framing::Tsf));
        assert_eq!((found.len(), error), (1_000, None), "{message}");
        // The first message may be longer than that.
        let long = message.replace(&text, &"x".repeat(50_000)).replace("102", "50002").replace("100", "50000");
        let (found, error) = messages(format!("{long}{file}").as_bytes(), &framed(Framing::Tsf));
        assert_eq!((found.len(), error), (1_001, None), "{message}");
    }
}

#[test]
fn what_a_framing_appends_it_cuts_again() {
    let mut random = Random::new(3);
    for framing in [Framing::U16Be, Framing::U32Be, Framing::Fixed(5), Framing::HexLines] {
        let given: Vec<Vec<u8>> = (0..50)
            .map(|_| {
                let len = if framing == Framing::Fixed(5) { 5 } else { 1 + random.below(40) };
                (0..len).map(|_| random.next() as u8).collect()
            })
            .collect();
        let mut file = Vec::new();
        given.iter().for_each(|message| framing.append(message, &mut file).unwrap());
        assert_eq!(messages(&file, &framed(framing)), (given, None), "{framing}");
    }
    let mut out = Vec::new();
    assert!(Framing::Fixed(2).append(&[1], &mut out).is_err() && Framing::Lines.append(b"a\nb", &mut out).is_err());
    assert!(Framing::U16Be.append(&[0; 70_000], &mut out).is_err() && out.is_empty());
}

/// The number of messages before it, the kind of the error, and its offset.
#[test]
fn what_is_broken_is_reported_where_it_is() {
    use ErrorKind::{Incomplete, Limit, Syntax};
    for (framing, file, count, kind, offset) in [
        (Framing::U16Be, &[0, 1, 7, 0, 3, 1][..], 1, Incomplete, 6),
        (Framing::U16Be, &[0, 1, 7, 0], 1, Incomplete, 4),
        (Framing::U32Be, &[0, 0, 0, 1, 7, 255, 255, 255, 255], 1, Limit, 5),
        (Framing::Fixed(2), &[1, 2, 3], 1, Incomplete, 3),
        (Framing::Ber, &[2, 1, 5, 0x30, 5, 1], 1, Incomplete, 6),
        (Framing::Ber, &[2, 1, 5, 0x04, 0x80, 1], 1, Syntax, 3),
        (Framing::Ber, &[0x30, 0x80, 2, 1, 5, 0], 0, Incomplete, 6),
        (Framing::Ber, &[0x30, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1], 0, Syntax, 0),
        (Framing::Ber, &[0x30, 0x88, 255, 255, 255, 255, 255, 255, 255, 255], 0, Limit, 0),
        (Framing::Ber, &[0x3F, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0], 0, Syntax, 0),
        (Framing::Json, b"{} }", 1, Syntax, 3),
        (Framing::Json, b"{} [1", 1, Incomplete, 5),
        (Framing::HexLines, b"00\n0\n11", 1, Syntax, 3),
        (Framing::Pem, b"-----BEGIN X-----\nMAA=\n-----END X-----\n-----BEGIN X-----\nM", 1, Incomplete, 58),
        (Framing::Pem, b"\n-----BEGIN X-----\nMAA=\n-----END Y-----\n", 0, Syntax, 24),
        (Framing::Tsf, b"1a[xb", 1, Syntax, 4),
        (Framing::Pon, b"x", 0, Syntax, 0),
    ] {
        let (found, error) = messages(file, &framed(framing));
        let error = error.unwrap();
        assert_eq!(
            (found.len(), error.kind(), error.offset()),
            (count, kind, offset),
            "{framing} {file:02x?}: {error}"
        );
    }
    let limits = Limits { message_bytes: 100_000, depth: 50, ..Limits::DEFAULT };
    let options = framed(Framing::Whole).with_limits(limits);
    assert_eq!(all(io::repeat(1), &options).1.unwrap().kind(), Limit);
    assert_eq!(all(io::repeat(b'['), &options.with_framing(Framing::Json)).1.unwrap().kind(), Limit);
    assert_eq!(all(io::repeat(b' '), &options.with_hex(true)).1.unwrap().kind(), Limit);
    let deep = [0x30, 0x80].repeat(60);
    assert_eq!(all(&deep[..], &options.with_framing(Framing::Ber)).1.unwrap().kind(), Limit);
}

#[test]
fn a_line_after_a_broken_line_of_digits_is_read() {
    let mut frames = Frames::new(&b"zz\n01\n0\n02\n"[..], &framed(Framing::HexLines)).unwrap();
    let mut seen = Vec::new();
    loop {
        match frames.next_frame() {
            Ok(None) => break,
            Ok(Some(frame)) => seen.push((frame.number, frame.bytes.to_vec())),
            Err(_) => seen.push((0, Vec::new())),
        }
    }
    assert_eq!(seen, [(0, vec![]), (2, vec![1]), (0, vec![]), (4, vec![2])]);
}

/// However long a stream is, one message is kept.
#[test]
fn memory_does_not_grow_with_the_stream() {
    let line = b"{\"a\":[1,2,3],\"b\":\"a value of some length\"}\n";
    let many = io::repeat(0).take(0).chain(Repeated { bytes: line, at: 0, left: 2_000_000 * line.len() });
    let mut frames = Frames::new(many, &framed(Framing::Json)).unwrap();
    let mut count = 0;
    while let Some(frame) = frames.next_frame().unwrap() {
        assert_eq!(frame.bytes.len(), line.len() - 1);
        count += 1;
    }
    assert_eq!((count, frames.passed()), (2_000_000, 2_000_000));
}

struct Repeated {
    bytes: &'static [u8],
    at: usize,
    left: usize,
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.left.min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..len].copy_from_slice(&self.bytes[self.at..self.at + len]);
        self.at = (self.at + len) % self.bytes.len();
        self.left -= len;
        Ok(len)
    }
}

/// A message and its place, or the offset of an error and its words.
type Met = Result<(Vec<u8>, String), (u64, String)>;

/// The messages and errors of some frames, with their places in the file.
fn met(mut frames: Frames<'_>) -> Vec<Met> {
    let mut met = Vec::new();
    loop {
        match frames.next_frame() {
            Ok(Some(frame)) => met.push(Ok((frame.bytes.to_vec(), frame.place.to_string()))),
            Ok(None) => return met,
            Err(error) => met.push(Err((error.offset(), error.to_string()))),
        }
    }
}

#[test]
fn the_parts_of_a_file_have_all_of_its_messages_once() {
    let mut random = Random::new(9);
    for round in 0..test_support::rounds(400) {
        let framing = [Framing::HexLines, Framing::Lines, Framing::Fixed(1 + random.below(7) as u32)][round % 3];
        let pieces: &[&[u8]] = &[b"3003020105", b"\n", b"\n  ", b" \r\n\n", b"# 12\n", b"0g\n", b"12", b"\t"];
        let file: Vec<u8> = (0..random.below(30)).flat_map(|_| random.of(pieces).to_vec()).collect();
        let options = framed(framing);
        let whole = met(Frames::new(&file[..], &options).unwrap());
        // A part may be empty, or begin after the end of the file.
        let step = 1 + random.below(20) as u64;
        let ends = (0..).map(|n| n * step).take_while(|begin| *begin < file.len() as u64 + 3);
        let parts =
            ends.flat_map(|begin| met(Frames::of_part(Cursor::new(&file), begin..begin + step, &options).unwrap()));
        assert_eq!(parts.collect::<Vec<_>>(), whole, "{framing} {step} {:?}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn other_files_have_no_parts() {
    let part = |options: &Options| Frames::of_part(Cursor::new(b"30"), 0..1, options).err().map(|error| error.kind());
    for framing in ["ber", "u16be", "u32be", "json", "pon", "tsf"] {
        assert_eq!(part(&framed(framing.parse().unwrap())), Some(ErrorKind::Unsupported), "{framing}");
    }
    assert_eq!(part(&Options::default()), Some(ErrorKind::Unsupported));
    let lines = framed(Framing::Lines);
    assert_eq!(part(&lines.with_hex(true)), Some(ErrorKind::Unsupported));
    assert_eq!(part(&lines.with_port("tcp:9".parse().ok())), Some(ErrorKind::Unsupported));
}

/// Blank lines that arrive in small pieces, of the whole file and of a part of it.
#[test]
fn blank_lines_take_linear_time() {
    let file = b" \n".repeat(1 << 20);
    let options = framed(Framing::Lines);
    test_support::cost::within(2, "blank lines", || {
        assert_eq!(met(Frames::new(Slow(&file, 1 << 12), &options).unwrap()), []);
        assert_eq!(met(Frames::of_part(Cursor::new(&file), 7..u64::MAX, &options).unwrap()), []);
    });
}

/// Each piece has another call, and what has not arrived is not waited for.
#[test]
fn messages_that_have_arrived_are_read_without_waiting() {
    for (framing, pieces, expected) in [
        (Framing::Lines, ["[1]\n[2]\n[", "3]\n", "[4]"], [&["[1]", "[2]"][..], &["[3]"], &["[4]"]]),
        (Framing::Json, ["[1] {}", "[2", "]3 "], [&["[1]", "{}"], &["[2]", "3"], &[]]),
        (Framing::Pon, ["3[1i1t3", "[1i2f", "t"], [&["3[1i1", "t"], &["3[1i2", "f"], &["t"]]),
        (Framing::Fixed(2), ["abc", "d", "ef"], [&["ab"], &["cd"], &["ef"]]),
    ] {
        let reader = pieces
            .map(str::as_bytes)
            .into_iter()
            .fold(Box::new(io::empty()) as Box<dyn Read + Send>, |all, piece| Box::new(all.chain(piece)));
        let mut frames = Frames::new(reader, &Options::default().with_framing(framing)).unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        assert_eq!(frames.next_arrived(), Ok(None));
        for expected in expected.iter().filter(|expected| !expected.is_empty()) {
            let mut found = vec![text(frames.next_frame().unwrap().unwrap().bytes)];
            while let Some(frame) = frames.next_arrived().unwrap() {
                found.push(text(frame.bytes));
            }
            assert_eq!(found, *expected, "{framing}");
        }
        assert_eq!(frames.next_frame(), Ok(None));
    }
}
