//! Hexadecimal text as tools print it.
#![allow(clippy::unwrap_used, reason = "what a test cannot set up, it cannot test")]

use std::io::Write;
use std::process::{Command, Stdio};

use lengthwise_frames::{Frames, Framing, Options, hex};
use test_support::Random;

#[test]
fn digits_are_read_in_any_groups() {
    for text in [
        "3003020105",
        "30 03 02 01 05",
        "30:03:02:01:05",
        "0x3003020105",
        "0x30, 0x3, 0x2, 0x01, 0x5,",
        "\\x30\\x03\\x02\\x01\\x05",
        "\"\\x30\\x03\\x02\\x01\\x05\"",
        "'3003020105'H",
        "  3003 0201\t05\r",
        "30030201 05",
    ] {
        assert_eq!(hex::line(text.as_bytes()).unwrap(), [0x30, 3, 2, 1, 5], "{text}");
        let dumps = hex::read(format!("# comment\n\n{text}\n").as_bytes()).unwrap();
        assert_eq!((dumps.len(), dumps[0].line, &dumps[0].bytes[..]), (1, 3, &[0x30, 3, 2, 1, 5][..]), "{text}");
    }
    assert_eq!(hex::read(b"3003\n0201\n05").unwrap()[0].bytes, [0x30, 3, 2, 1, 5]);
}

/// The layouts of Wireshark 4: `Copy as a Hex Dump`, and the same with characters; `tshark -x`.
#[test]
fn dumps_of_wireshark_are_read() {
    let octets: Vec<u8> = (0x30..0x44).collect();
    let copied = "0000   30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f\n0010   40 41 42 43\n";
    let characters = "0000  30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f   0123456789:;<=>?\n\
                      0010  40 41 42 43                                       @ABC\n";
    for text in [copied, characters] {
        let dumps = hex::read(text.as_bytes()).unwrap();
        assert_eq!((dumps.len(), &dumps[0].bytes), (1, &octets));
    }
    // Several packets, and what is put together of them.
    let tshark = format!(
        "{characters}\nFrame (20 bytes):\n{characters}Reassembled SCTP (4 bytes):\n0000  61 62 63 64   abcd\n\n"
    );
    let dumps = hex::read(tshark.as_bytes()).unwrap();
    assert_eq!(dumps.iter().map(|dump| dump.bytes.len()).collect::<Vec<_>>(), [20, 20, 4]);
    assert_eq!(dumps.iter().map(|dump| dump.line).collect::<Vec<_>>(), [1, 5, 8]);
    let mut frames = Frames::new(tshark.as_bytes(), &Options::default().with_hex(true)).unwrap();
    let mut places = Vec::new();
    while let Some(frame) = frames.next_frame().unwrap() {
        places.push(frame.place.to_string());
    }
    assert_eq!(places, ["line 1", "line 5", "line 8"]);
}

#[test]
fn messages_in_digits_are_cut_by_a_framing() {
    let options = Options::default().with_hex(true).with_framing(Framing::Ber);
    let mut frames = Frames::new(&b"020105 0500\n020106"[..], &options).unwrap();
    let mut found = Vec::new();
    while let Some(frame) = frames.next_frame().unwrap() {
        found.push(frame.bytes.to_vec());
    }
    assert_eq!(found, [vec![2, 1, 5], vec![5, 0], vec![2, 1, 6]]);
}

#[test]
fn what_is_no_octet_is_reported_with_its_line_and_column() {
    for (text, position, words) in [
        ("30 0", (1, 4), "found a single hexadecimal digit"),
        ("3003\n02 0g", (2, 4), "found a single hexadecimal digit"),
        ("30 xy", (1, 4), "found 'x'"),
        ("0x", (1, 3), "expected two"),
        ("0x30 0x333", (1, 10), "found a single"),
        ("0000  30 31 3\n", (1, 13), "expected two"),
        ("0000  30 31\n0004  32 33\n", (2, 1), "found the offset 4, expected 2 or 0"),
        ("00000000  30 31\n*\n00000020\n", (2, 1), "lines that are left out"),
        ("0010  30 31\n", (1, 1), "found the offset 10, expected 0"),
        ("\u{feff}0000  3\n", (1, 7), "expected two"),
        ("0000 30 31 32 33 34 35 36 37\n0010 38\n0008 39", (3, 1), "found the offset 8, expected 11 or 0"),
        ("0000  30 31\n30 31\n", (2, 1), "found a line without an offset"),
        ("é", (1, 1), "found byte 0xC3"),
    ] {
        let error = hex::read(text.as_bytes()).unwrap_err();
        assert_eq!(error.position(), Some(position), "{text:?}: {error}");
        assert!(error.to_string().contains(words), "{text:?}: {error}");
    }
}

/// What `xxd`, `hexdump` and `od` print is read, where they are installed, whatever the bytes and their number.
#[test]
fn dumps_of_other_tools_are_read() {
    let mut random = Random::new(11);
    for arguments in [
        &["xxd"][..],
        &["xxd", "-p"],
        &["xxd", "-g", "1"],
        &["xxd", "-i"],
        &["hexdump", "-v", "-C"],
        &["od", "-v", "-A", "x", "-t", "x1z"],
        &["od", "-v", "-A", "n", "-t", "x1"],
        // Offsets in octal.
        &["od", "-v", "-t", "x1"],
        &["od", "-v", "-t", "x1z", "-w4"],
    ] {
        for len in (1..70).chain([600]) {
            let bytes: Vec<u8> = (0..len)
                .map(|_| if random.one_in(2) { random.of(b"0123456789abcdef  ") } else { random.next() as u8 })
                .collect();
            let child =
                Command::new(arguments[0]).args(&arguments[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
            let Ok(mut child) = child else {
                test_support::skipped(format!("there is no {}", arguments[0]));
                break;
            };
            child.stdin.take().unwrap().write_all(&bytes).unwrap();
            let text = child.wait_with_output().unwrap().stdout;
            let dumps = hex::read(&text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)));
            assert_eq!((dumps.len(), &dumps[0].bytes), (1, &bytes), "{}", String::from_utf8_lossy(&text));
        }
    }
}
