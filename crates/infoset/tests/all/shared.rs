//! Strings that both sides have, and strings that are not compressed.

use infoset::{Event, Options, SharedStrings, StringSamples, Strings};
use tam::{ErrorKind, Limits, Table};

use crate::support::{RULES, said, xml};

const READING: &str =
    "<reading xmlns='urn:example:weather'><station>Lund</station><temperature unit='C'>21.5</temperature></reading>";

fn strings(strings: &[&str]) -> SharedStrings {
    let text: String = strings.iter().flat_map(|string| [*string, "\0"]).collect();
    SharedStrings::new(text.as_bytes()).unwrap()
}

#[test]
fn messages_do_not_hold_what_is_shared() {
    let shared = strings(&["reading", "urn:example:weather", "station", "temperature", "unit", "C"]);
    let mut table = Table::new();
    let document = xml(READING.as_bytes(), &mut table).unwrap();
    for rules in RULES {
        let options = Options::of(rules).with_shared(Some(&shared));
        let message = infoset::write(&document, &options).unwrap();
        let plain = infoset::write(&document, &Options::of(rules)).unwrap();
        // The strings and their NULs go, and the number comes: a length of the octets, 15 of the name and its length.
        let saved = plain.len() - message.len();
        let least = shared.as_bytes().len() - 24;
        assert!(saved >= least && saved < least + 8, "{saved} {least}");
        let mut table = Table::new();
        assert_eq!(said(&infoset::read(&message, &options, &mut table).unwrap()), said(&document));

        let other = strings(&["reading"]);
        for (options, expected) in [
            (Options::of(rules), "the file of these strings".to_owned()),
            (Options::of(rules).with_shared(Some(&other)), format!("those that were given: {:08x}", other.id())),
        ] {
            let error = infoset::read(&message, &options, &mut table).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Unsupported);
            assert_eq!(error.found().to_string(), format!("strings that are shared: {:08x}", shared.id()));
            assert_eq!(error.expected().to_string(), expected);
            assert_eq!(infoset::events(&message, &options).unwrap_err().to_string(), error.to_string());
        }
    }
}

#[test]
fn strings_that_no_message_has_cost_nothing() {
    let shared = strings(&["other", "things"]);
    let mut table = Table::new();
    let document = xml(READING.as_bytes(), &mut table).unwrap();
    let options = Options::uper().with_shared(Some(&shared));
    assert_eq!(infoset::write(&document, &options), infoset::write(&document, &Options::uper()));
    // The paper's program shared none.
    let options = Options::uper().with_paper(true).with_shared(Some(crate::support::shared_strings()));
    assert_eq!(infoset::write(&document, &options), infoset::write(&document, &Options::uper().with_paper(true)));
}

#[test]
fn files_of_strings_are_checked() {
    for (file, at, found) in [
        (&b""[..], 0, "the end of the strings"),
        (b"a", 1, "the end of the strings"),
        (b"a\0\0", 2, "an empty string"),
        (b"\0", 0, "an empty string"),
        (b"a\0b\0a\0", 4, "a string that was there before"),
        (b"a\0\x01\0", 2, "U+0001"),
        (b"a\0\xFF\0", 2, "bytes that are not UTF-8"),
    ] {
        let error = SharedStrings::new(file).unwrap_err();
        assert_eq!((error.offset(), error.found().to_string().as_str()), (at, found));
    }
    let many: String = (0..2_048).map(|number| format!("{number}\0")).collect();
    assert_eq!(SharedStrings::new(many.as_bytes()).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(strings(&["a", "\u{e9}"]).count(), 2);
    // CRC-32 of "123456789" and one NUL: by Python's zlib.crc32.
    assert_eq!(strings(&["123456789"]).id(), 0x00c4_9e49);
}

#[test]
fn what_several_samples_have_is_chosen() {
    let mut samples = StringSamples::new();
    for value in ["1", "2", "3"] {
        let text = format!("<m xmlns='urn:m'><long-name>{value}</long-name><only-{value}/>x</m>");
        let mut table = Table::new();
        samples.add(&xml(text.as_bytes(), &mut table).unwrap()).unwrap();
    }
    let chosen = samples.choose(1_000).unwrap();
    // Those first that save most, by their lengths; equal ones by their letters.
    let expected = "http://www.w3.org/2000/xmlns/\0long-name\0urn:m\0xmlns\0m\0x\0";
    assert_eq!(String::from_utf8_lossy(chosen.as_bytes()), expected);
    let mut samples = StringSamples::new();
    let mut table = Table::new();
    let document = xml(READING.as_bytes(), &mut table).unwrap();
    samples.add(&document).unwrap();
    samples.add(&document).unwrap();
    let few = samples.choose(60).unwrap();
    assert!(few.as_bytes().len() <= 60 && few.count() > 1);
    assert!(StringSamples::new().choose(1_000).is_none());
}

/// Reading names and short values takes nothing out of a compressed block.
#[test]
fn short_strings_are_read_without_decompressing() {
    let long = "long ".repeat(100);
    let text = format!("<a><b>short</b><c>{long}</c></a>");
    let mut table = Table::new();
    let document = xml(text.as_bytes(), &mut table).unwrap();
    for rules in RULES {
        let options = Options::of(rules).with_strings(Strings::Zstd).with_compress_from(20);
        let message = infoset::write(&document, &options).unwrap();
        assert!(message.len() < 200);
        let limits = Limits { decompressed_bytes: 100, ..Limits::DEFAULT };
        let mut events = infoset::events(&message, &options.with_limits(limits)).unwrap();
        let mut seen = String::new();
        while let Some(event) = events.next_event().unwrap() {
            match event {
                Event::Start(tag) => seen += tag.name().as_str(),
                Event::Text(text) => seen += text.as_str().unwrap_or("(compressed)"),
                _ => {}
            }
        }
        assert_eq!(seen, "abshortc(compressed)");
        let all = Options::of(rules).with_strings(Strings::Zstd);
        assert!(infoset::events(&infoset::write(&document, &all).unwrap(), &options.with_limits(limits)).is_ok());
    }
}

/// A block that names them takes 21 octets, and all of the strings would be there again.
#[test]
fn shared_strings_are_in_the_first_block_alone() {
    let shared = strings(&["a", "b"]);
    let mut table = Table::new();
    let document = xml(b"<a>x</a>", &mut table).unwrap();
    let options = Options::ber().with_shared(Some(&shared));
    let good = infoset::write(&document, &options).unwrap();
    let name = good.windows(7).position(|part| part == b"shared:").unwrap();
    // In front of the name: the blocks (A8), this block (30) and its algorithm (80), each with a length of one octet.
    assert_eq!((good[name - 6], &good[name - 4..name]), (0xA8, &[0x30, 0x13, 0x80, 0x0F][..]));
    let block = good[name - 4..name + 17].to_vec();
    let own = good[name - 5] as usize - block.len();
    for at in [name + 17, name + 17 + own] {
        let mut twice = good.clone();
        twice.splice(at..at, block.iter().copied());
        twice[name - 5] += 21;
        twice[1] += 21;
        let error = infoset::read(&twice, &options, &mut table).unwrap_err();
        assert_eq!(
            (error.kind(), error.found().to_string().as_str()),
            (ErrorKind::Syntax, "shared strings in a later block")
        );
        assert_eq!(infoset::events(&twice, &options).unwrap_err().to_string(), error.to_string());
    }
}
