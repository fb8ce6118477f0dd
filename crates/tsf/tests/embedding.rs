//! Messages inside XML documents (the paper's section 5.6): what goes in comes out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

mod support;

use support::generate::{self, Random};
use support::{Set, twin};
use tam::{ErrorKind, Table};
use tsf::Lengths;

/// The message in the instruction of a document that holds nothing else.
fn taken_out(document: &[u8]) -> Vec<u8> {
    let mut table = Table::new();
    let document = text::xml::read(document, &text::xml::Options::default(), &mut table)
        .unwrap_or_else(|error| panic!("{error}: {}", document.escape_ascii()));
    let element = document.root().unwrap();
    let instruction = element.children().next().unwrap();
    assert_eq!((instruction.kind(), element.children().len()), (b'?', 1));
    tsf::embedded(instruction.value()).unwrap().to_vec()
}

fn in_document(message: &[u8]) -> Vec<u8> {
    let mut document = b"<a>".to_vec();
    tsf::embed(message, &mut document).unwrap();
    document.extend_from_slice(b"</a>");
    document
}

#[test]
fn a_message_travels_as_an_instruction() {
    assert_eq!(in_document(b"1a<5[hello"), b"<a><?tsf 1a<5[hello?></a>");
    for message in [
        &b"0project<"[..],
        b"5=9?peri rset12+Introduction1project<7[content6+Epilog9?peri sset",
        b"3=9+ comment 31!doc [<!ELEMENT doc (#PCDATA)>\n]0doc<",
        b"3[&&]1[<1[>3[]]>",
        // Halves of what ends an instruction.
        b"1[?",
        b"1[?0a<",
        b"2[> 1[?",
        "2[\u{E9}".as_bytes(),
        "0\u{6E29}\u{1F98B}\t\n<".as_bytes(),
        b"9[ \n\t\n  \t \n",
    ] {
        tsf::check_embeddable(message).unwrap();
        assert_eq!(taken_out(&in_document(message)).escape_ascii().to_string(), message.escape_ascii().to_string());
    }
}

/// "Data that holds `?>` is refused there with a clear error", and what else XML would not keep.
#[test]
fn what_xml_would_not_keep_is_refused() {
    for (message, words) in [
        (&b"2[?>"[..], "unsupported at byte 2: found '?>', expected data without it"),
        (b"0?>x<", "unsupported at byte 1: found '?>', expected data without it"),
        (b"7[a??>b?>", "unsupported at byte 4: found '?>', expected data without it"),
    ] {
        assert_eq!(tsf::check_embeddable(message).unwrap_err().to_string(), words);
    }
    for (message, at) in [
        (&b"1[\r"[..], 2),
        (b"3[a\r\n", 3),
        (b"1[\0", 2),
        (b"1[\x1F", 2),
        (b"1[\xFF", 2),
        (b"2[a\xC3", 3),
        (b"3[\xED\xA0\x80", 2),
        (b"3[\xEF\xBF\xBE", 2),
    ] {
        let error = tsf::check_embeddable(message).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Unsupported, at), "{error}");
        let mut document = b"<a>".to_vec();
        tsf::embed(message, &mut document).unwrap_err();
        assert_eq!(document, b"<a>", "nothing is appended");
    }
}

#[test]
fn other_instructions_hold_no_message() {
    assert_eq!(tsf::embedded(b"tsf 0a<"), Some(&b"0a<"[..]));
    for other in [&b"tsfx 0a<"[..], b"xtsf 0a<", b"TSF 0a<", b"php echo", b""] {
        assert_eq!(tsf::embedded(other), None, "{}", other.escape_ascii());
    }
}

#[test]
fn whatever_can_be_embedded_comes_out_as_it_went_in() {
    let mut random = Random::new(8);
    let mut embedded = 0;
    for _ in 0..test_support::rounds(3000) {
        let set = if random.one_in(2) { Set::xml() } else { generate::set(&mut random) };
        let units = generate::tree(&mut random, &set, 8, true);
        let message = twin::write(&units, &set, Lengths::Bytes).unwrap();
        if tsf::check_embeddable(&message).is_ok() {
            assert_eq!(taken_out(&in_document(&message)), message);
            embedded += 1;
        }
    }
    assert!(embedded > test_support::rounds(500), "{embedded} messages");
}
