//! The grammar, example by example: bytes, tree, and for what is no message the error.
//!
//! Examples are those of the paper (its sections are named) and of the project's decisions on
//! what the paper leaves open; trees are written down by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tsf as tsf;

mod support;

use support::{Set, Unit, bytes, data, holds, tree};
use tam::{Builder, ErrorKind, Limits, Table, TypeSet};
use tsf::{Lengths, Options};

const BOTH: [Lengths; 2] = [Lengths::Bytes, Lengths::Chars];

/// The message has this tree, whatever follows it.
fn reads(message: &[u8], set: &Set, lengths: Lengths, expected: &[Unit<'_>]) {
    let shown = message.escape_ascii();
    let options = Options::new(&set.types).with_lengths(lengths);
    let mut table = Table::new();
    let document = tsf::read(message, &options, &mut table).unwrap_or_else(|error| panic!("{shown}: {error}"));
    assert_eq!(tree(&document), expected, "{shown}");
    assert_eq!(document.units(), expected.len(), "{shown}: rows");
    if document.roots().len() == 1 {
        let followed = [message, b"9 no unit"].concat();
        let mut table = Table::new();
        let (document, taken) = tsf::read_prefix(&followed, &options, &mut table).unwrap();
        assert_eq!((tree(&document), taken), (expected.to_vec(), message.len()), "{shown}: with more after it");
    }
}

/// The message has this tree, and the tree is written as this message, however it is written.
fn is(message: &[u8], set: &Set, lengths: Lengths, expected: &[Unit<'_>]) {
    reads(message, set, lengths, expected);
    let shown = message.escape_ascii();
    let options = Options::new(&set.types).with_lengths(lengths);
    let mut table = Table::new();
    let document = tsf::read(message, &options, &mut table).unwrap();
    assert_eq!(tsf::write(&document, &options).unwrap().escape_ascii().to_string(), shown.to_string());
    assert_eq!(tsf::encoded_len(&document, &options).unwrap(), message.len(), "{shown}");
    let mut room = vec![0xAA; message.len()];
    assert_eq!(tsf::write_into(&document, &options, &mut room).unwrap(), message.len(), "{shown}");
    assert_eq!(room, message, "{shown}");
    let mut out = b"before".to_vec();
    tsf::append(&document, &options, &mut out).unwrap();
    assert_eq!(out, [b"before", message].concat(), "{shown}");
}

/// The message is refused in these words, whether it may end there or not.
fn refused(message: &[u8], set: &Set, lengths: Lengths, words: &str) {
    let shown = message.escape_ascii();
    let options = Options::new(&set.types).with_lengths(lengths);
    let mut table = Table::new();
    let error = tsf::read(message, &options, &mut table).expect_err(&shown.to_string());
    assert_eq!(error.to_string(), words, "{shown}");
    assert_eq!(error.format(), "tsf");
    assert_eq!(error.kind() == ErrorKind::Incomplete, error.needed().is_some(), "{shown}");
}

fn xml_set() -> Set {
    Set::xml()
}

#[test]
fn the_paper_s_documents_are_read_and_written_as_it_prints_them() {
    for lengths in BOTH {
        // Table 11, the first row.
        is(b"0project<", &xml_set(), lengths, &[holds('<', "project", 0)]);
        // Table 11, the second row (the scan lost the counts of two lists; they are in the text).
        is(
            b"3ns:personnel<1=7xmlns:ns[urn:foo1ns:person<1=4id[Boss1ns:person<1=6id[worker",
            &xml_set(),
            lengths,
            &[
                holds('<', "ns:personnel", 3),
                holds('=', "", 1),
                data('[', "xmlns:ns", "urn:foo"),
                holds('<', "ns:person", 1),
                holds('=', "", 1),
                data('[', "id", "Boss"),
                holds('<', "ns:person", 1),
                holds('=', "", 1),
                data('[', "id", "worker"),
            ],
        );
        is(
            b"2p:a<1=7xmlns:p[urn:foo1p:b<1=4id[Boss",
            &xml_set(),
            lengths,
            &[
                holds('<', "p:a", 2),
                holds('=', "", 1),
                data('[', "xmlns:p", "urn:foo"),
                holds('<', "p:b", 1),
                holds('=', "", 1),
                data('[', "id", "Boss"),
            ],
        );
        // Table 11, the third row.
        is(
            b"5=9?peri rset12+Introduction1project<7[content6+Epilog9?peri sset",
            &xml_set(),
            lengths,
            &[
                holds('=', "", 5),
                data('?', "", "peri rset"),
                data('+', "", "Introduction"),
                holds('<', "project", 1),
                data('[', "", "content"),
                data('+', "", "Epilog"),
                data('?', "", "peri sset"),
            ],
        );
        // Figure 5.
        is(
            b"3=9+ comment 31!doc [<!ELEMENT doc (#PCDATA)>\n]0doc<",
            &xml_set(),
            lengths,
            &[
                holds('=', "", 3),
                data('+', "", " comment "),
                data('!', "", "doc [<!ELEMENT doc (#PCDATA)>\n]"),
                holds('<', "doc", 0),
            ],
        );
    }
}

#[test]
fn every_type_of_the_built_in_sets_is_one() {
    for lengths in BOTH {
        is(
            b"6@1a[t1b]c1c!d1d?p1e+c0f=",
            &xml_set(),
            lengths,
            &[
                holds('@', "", 6),
                data('[', "a", "t"),
                data(']', "b", "c"),
                data('!', "c", "d"),
                data('?', "d", "p"),
                data('+', "e", "c"),
                holds('=', "f", 0),
            ],
        );
        is(
            br#"2{3a"'"b"1list[4'true"#,
            &Set::json(),
            lengths,
            &[holds('{', "", 2), data('\'', "a\"", "\"b\""), holds('[', "list", 1), data('\'', "", "true")],
        );
        is(
            b"9{1a'x1b#13c%1.51d?t0e~1f*b1g^c1h`70i[",
            &Set::value(),
            lengths,
            &[
                holds('{', "", 9),
                data('\'', "a", "x"),
                data('#', "b", "1"),
                data('%', "c", "1.5"),
                data('?', "d", "t"),
                data('~', "e", ""),
                data('*', "f", "b"),
                data('^', "g", "c"),
                data('`', "h", "7"),
                holds('[', "i", 0),
            ],
        );
    }
}

#[test]
fn names_that_hold_types_or_begin_with_digits_are_in_the_extended_form() {
    for lengths in BOTH {
        // The paper's two examples, section 3.1.4.
        is(br#"1"\{\\\[\''x"#, &Set::json(), lengths, &[data('\'', "{\\['", "x")]);
        is(br#"1"64th'x"#, &Set::json(), lengths, &[data('\'', "64th", "x")]);
        is(br#"0"\"quoted\"{"#, &Set::json(), lengths, &[holds('{', "\"quoted\"", 0)]);
        is(br#"0"0{"#, &Set::json(), lengths, &[holds('{', "0", 0)]);
        is(b"0\"\\<<", &xml_set(), lengths, &[holds('<', "<", 0)]);
        // What is a type in one set is none in another.
        is(b"1<b>'x", &Set::json(), lengths, &[data('\'', "<b>", "x")]);
        is(br#"1'{}'[x"#, &xml_set(), lengths, &[data('[', "'{}'", "x")]);
    }
}

#[test]
fn plain_names_hold_whatever_is_no_type() {
    for lengths in BOTH {
        // A quote later on, a backslash anywhere, digits later on.
        is(br#"1a"b'x"#, &Set::json(), lengths, &[data('\'', "a\"b", "x")]);
        is(br#"1\a\'x"#, &Set::json(), lengths, &[data('\'', "\\a\\", "x")]);
        is(br#"1a1"2\'x"#, &Set::json(), lengths, &[data('\'', "a1\"2\\", "x")]);
        is(b"1a b\tc\nd\0e'x", &Set::json(), lengths, &[data('\'', "a b\tc\nd\0e", "x")]);
        is("1n\u{E9}\u{6E29}\u{1F98B}'x".as_bytes(), &Set::json(), lengths, &[data('\'', "né温\u{1F98B}", "x")]);
        is(b"1 '2", &Set::json(), lengths, &[data('\'', " ", "2")]);
        is(b"1-'2", &Set::json(), lengths, &[data('\'', "-", "2")]);
    }
}

#[test]
fn an_empty_extended_name_is_a_name() {
    for lengths in BOTH {
        is(br#"1"'x"#, &Set::json(), lengths, &[data('\'', "", "x").with_empty_name()]);
        is(br#"1{0"{"#, &Set::json(), lengths, &[holds('{', "", 1), holds('{', "", 0).with_empty_name()]);
    }
}

#[test]
fn names_of_every_length_end_at_their_type() {
    for lengths in BOTH {
        for len in 1..200 {
            let name = "n".repeat(len);
            let after = "z".repeat(70);
            let plain = format!("1{{2{name}'xy{after}");
            let units = [holds('{', "", 1), data('\'', &name, "xy")];
            let mut table = Table::new();
            let options = Options::new(TypeSet::JSON).with_lengths(lengths);
            let (document, taken) = tsf::read_prefix(plain.as_bytes(), &options, &mut table).unwrap();
            assert_eq!((tree(&document), taken), (units.to_vec(), plain.len() - 70), "{len}");
            is(&plain.as_bytes()[..taken], &Set::json(), lengths, &units);
            // The same, its last character being escaped.
            let quoted = format!("{name}[");
            let extended = format!("1{{2\"{name}\\['xy");
            is(extended.as_bytes(), &Set::json(), lengths, &[holds('{', "", 1), data('\'', &quoted, "xy")]);
        }
    }
}

#[test]
fn escapes_and_the_extended_form_without_need_are_read_all_the_same() {
    for lengths in BOTH {
        reads(br#"1"ab'x"#, &Set::json(), lengths, &[data('\'', "ab", "x")]);
        reads(br#"1"\a\b'x"#, &Set::json(), lengths, &[data('\'', "ab", "x")]);
        reads(br#"1"a"b'x"#, &Set::json(), lengths, &[data('\'', "a\"b", "x")]);
        // An escaped digit, and an escaped character of more than a byte.
        reads(br#"1"\6th'x"#, &Set::json(), lengths, &[data('\'', "6th", "x")]);
        reads("1\"\\é\\温'x".as_bytes(), &Set::json(), lengths, &[data('\'', "é温", "x")]);
    }
}

/// "A writer uses the `"` form only when a name needs it."
#[test]
fn a_writer_uses_the_extended_form_only_where_a_name_needs_it() {
    for (read, written) in [
        (&br#"1"ab'x"#[..], &b"1ab'x"[..]),
        (br#"1"\a\b'x"#, b"1ab'x"),
        (br#"1"a"b'x"#, br#"1a"b'x"#),
        (br#"1"a\\b'x"#, br#"1a\b'x"#),
        (br#"1"\64th'x"#, br#"1"64th'x"#),
        (br#"1"\a\['x"#, br#"1"a\['x"#),
        (br#"1""a'x"#, br#"1"\"a'x"#),
        (br#"0005ab'12345"#, b"5ab'12345"),
    ] {
        let mut table = Table::new();
        let options = Options::new(TypeSet::JSON);
        let document = tsf::read(read, &options, &mut table).unwrap();
        let again = tsf::write(&document, &options).unwrap();
        assert_eq!(again.escape_ascii().to_string(), written.escape_ascii().to_string());
        // The same in the middle of a message, where short units may be copied in one piece.
        let around = |unit: &[u8]| [b"3[70'", &[b'x'; 70][..], unit, b"70'", &[b'y'; 70][..]].concat();
        let message = around(read);
        let document = tsf::read(&message, &options, &mut table).unwrap();
        let again = tsf::write(&document, &options).unwrap();
        assert_eq!(again.escape_ascii().to_string(), around(written).escape_ascii().to_string());
    }
}

#[test]
fn names_take_the_form_that_the_set_of_the_writer_needs() {
    let to = Set::of(b"{[<", b"'!x");
    for (read, written) in [
        (&b"1{1a<b'z"[..], &b"1{1\"a\\<b'z"[..]),
        (br#"1{1"\[b'z"#, br#"1{1"\[b'z"#),
        (br#"1{1"64th'z"#, br#"1{1"64th'z"#),
        (br#"1{1"'z"#, br#"1{1"'z"#),
        (b"1{1xyz'z", br#"1{1"\xyz'z"#),
        (br#"1{1a\!"'z"#, br#"1{1"a\\\!\"'z"#),
    ] {
        let mut table = Table::new();
        let document = tsf::read(read, &Options::new(TypeSet::JSON), &mut table).unwrap();
        let again = tsf::write(&document, &Options::new(&to.types)).unwrap();
        assert_eq!(again.escape_ascii().to_string(), written.escape_ascii().to_string());
        // And back again.
        let mut table = Table::new();
        let document = tsf::read(&again, &Options::new(&to.types), &mut table).unwrap();
        let back = tsf::write(&document, &Options::new(TypeSet::JSON)).unwrap();
        assert_eq!(back.escape_ascii().to_string(), read.escape_ascii().to_string());
    }
}

#[test]
fn a_type_that_the_writer_s_set_lacks_is_refused() {
    let mut table = Table::new();
    let document = tsf::read(b"1{1a'z", &Options::new(TypeSet::JSON), &mut table).unwrap();
    let error = tsf::write(&document, &Options::new(TypeSet::XML)).unwrap_err();
    assert_eq!(error.to_string(), "unsupported at byte 1: found '{', expected a structured type of the set");
    // `[` is structured in one set and primitive in the other.
    let document = tsf::read(b"1@1[z", &Options::default(), &mut table).unwrap();
    let other = Set::of(b"@[", b"'");
    let error = tsf::write(&document, &Options::new(&other.types)).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Unsupported, 3), "{error}");
    let mut out = b"kept".to_vec();
    tsf::append(&document, &Options::new(&other.types), &mut out).unwrap_err();
    assert_eq!(out, b"kept");
}

#[test]
fn zeros_in_front_of_a_number_count_for_nothing() {
    for lengths in BOTH {
        for zeros in [1, 2, 3, 4, 5, 9, 10, 19, 20, 21, 300] {
            let zeros = "0".repeat(zeros);
            let message = format!("{zeros}2a<{zeros}5[hello{zeros}0[");
            reads(
                message.as_bytes(),
                &xml_set(),
                lengths,
                &[holds('<', "a", 2), data('[', "", "hello"), data('[', "", "")],
            );
        }
    }
}

#[test]
fn numbers_of_every_length_count() {
    for lengths in BOTH {
        for len in [0, 1, 9, 10, 31, 32, 33, 99, 100, 999, 1000, 9999, 10_000, 99_999, 100_000] {
            let text = "d".repeat(len);
            is(format!("{len}[{text}").as_bytes(), &xml_set(), lengths, &[data('[', "", &text)]);
            let named = format!("2a<{len}name[{text}0b<");
            let units = [holds('<', "a", 2), data('[', "name", &text), holds('<', "b", 0)];
            is(named.as_bytes(), &xml_set(), lengths, &units);
            let many = format!("{len}<{}", "0[".repeat(len));
            let mut units = vec![holds('<', "", len)];
            units.resize(len + 1, data('[', "", ""));
            is(many.as_bytes(), &xml_set(), lengths, &units);
        }
    }
}

#[test]
fn data_is_never_looked_into() {
    for lengths in BOTH {
        is(b"10[2a<0[\"\\\\99", &xml_set(), lengths, &[data('[', "", "2a<0[\"\\\\99")]);
        is(b"2@3[1<21a[<", &xml_set(), lengths, &[holds('@', "", 2), data('[', "", "1<2"), data('[', "a", "<")]);
    }
}

#[test]
fn empty_units_are_units() {
    for lengths in BOTH {
        is(b"0[", &xml_set(), lengths, &[data('[', "", "")]);
        is(b"0<", &xml_set(), lengths, &[holds('<', "", 0)]);
        is(
            b"3<0<0[0=",
            &xml_set(),
            lengths,
            &[holds('<', "", 3), holds('<', "", 0), data('[', "", ""), holds('=', "", 0)],
        );
    }
}

#[test]
fn a_message_holds_one_outermost_unit_or_more() {
    for lengths in BOTH {
        is(b"0a<0b<", &xml_set(), lengths, &[holds('<', "a", 0), holds('<', "b", 0)]);
        is(
            b"1a<1[x2b<0c<0[3[end",
            &xml_set(),
            lengths,
            &[
                holds('<', "a", 1),
                data('[', "", "x"),
                holds('<', "b", 2),
                holds('<', "c", 0),
                data('[', "", ""),
                data('[', "", "end"),
            ],
        );
        let many = "0[".repeat(5000);
        is(many.as_bytes(), &xml_set(), lengths, &vec![data('[', "", ""); 5000]);
    }
}

#[test]
fn messages_back_to_back_are_read_one_by_one() {
    let messages: [&[u8]; 5] = [b"0project<", b"2a<1=1b[c0[", b"3[abc", b"0002<0[0[", b"5=0[0[0[0[0["];
    let buffer = messages.concat();
    let options = Options::default();
    let mut table = Table::new();
    let mut rest = &buffer[..];
    for message in messages {
        let (document, taken) = tsf::read_prefix(rest, &options, &mut table).unwrap();
        assert_eq!(&rest[..taken], message);
        assert_eq!(document.roots().len(), 1);
        rest = &rest[taken..];
    }
    let error = tsf::read_prefix(rest, &options, &mut table).unwrap_err();
    assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(2)));
}

/// Anything may follow a message, even half a character.
#[test]
fn what_follows_a_message_is_not_looked_at() {
    for message in
        ["2[\u{E9}x", "1[\u{E9}", "1[x", "0[", "9[12345678\u{E9}", "33[12345678901234567890123456789012\u{E9}"]
    {
        for after in [&b"\x80"[..], b"\xFF", b"\xC3", b"\"", b"x", b"99999999999999999999", b"\x80\x80\x80\x80"] {
            let buffer = [message.as_bytes(), after].concat();
            let mut table = Table::new();
            let options = Options::default().with_lengths(Lengths::Chars);
            let (document, taken) = tsf::read_prefix(&buffer, &options, &mut table)
                .unwrap_or_else(|error| panic!("{}: {error}", buffer.escape_ascii()));
            assert_eq!((document.units(), taken), (1, message.len()));
        }
    }
}

#[test]
fn a_set_of_the_user_s_is_as_good_as_a_built_in_one() {
    for lengths in BOTH {
        // Letters as types: names cannot hold them any more.
        let letters = Set::of(b"X", b"Y");
        is(
            b"3X1aYq0aX3bYyes",
            &letters,
            lengths,
            &[holds('X', "", 3), data('Y', "a", "q"), holds('X', "a", 0), data('Y', "b", "yes")],
        );
        is(br#"1"\X\YxyY2"#, &letters, lengths, &[data('Y', "XYxy", "2")]);
        // Types of one low nibble: two, three and more of them.
        let twins = Set::of(b"a", b"A");
        is(b"2ba0A1cAd", &twins, lengths, &[holds('a', "b", 2), data('A', "", ""), data('A', "c", "d")]);
        let triplets = Set::of(b"q", b"Aa");
        is(
            b"3bq0a1bAz3c!QaxyZ",
            &triplets,
            lengths,
            &[holds('q', "b", 3), data('a', "", ""), data('A', "b", "z"), data('a', "c!Q", "xyZ")],
        );
        // Blanks and letters; sets without data, and without structure.
        let blank = Set::of(b" ", b"~");
        is(
            b"2list 1~a0name\n~",
            &blank,
            lengths,
            &[holds(' ', "list", 2), data('~', "", "a"), data('~', "name\n", "")],
        );
        let only_structure = Set::of(b"<", b"");
        is(
            b"2a<0b<1c<0<",
            &only_structure,
            lengths,
            &[holds('<', "a", 2), holds('<', "b", 0), holds('<', "c", 1), holds('<', "", 0)],
        );
        let only_data = Set::of(b"", b"'");
        is(b"1a'x0'3b'yes", &only_data, lengths, &[data('\'', "a", "x"), data('\'', "", ""), data('\'', "b", "yes")]);
    }
}

/// "A type character is ASCII 0x20-0x7E, not a digit, not `"` and not `\`."
#[test]
fn every_character_that_may_be_a_type_can_be_one() {
    for c in 0..=255_u8 {
        let allowed = matches!(c, 0x20..=0x7E) && !c.is_ascii_digit() && c != b'"' && c != b'\\';
        assert_eq!(TypeSet::new(&[c], b"").is_ok(), allowed, "{c:#x}");
        assert_eq!(TypeSet::new(b"", &[c]).is_ok(), allowed, "{c:#x}");
        if !allowed {
            continue;
        }
        let other = if c == b'~' { b'}' } else { b'~' };
        let set = Set::of(&[other], &[c]);
        let (kind, name) = (char::from(c), char::from(c ^ 1).to_string());
        let message = [&[b'2', other, b'1', c, b'1'], &b"1\x0F\x1F"[..], &[c, b'z']].concat();
        is(
            &message,
            &set,
            Lengths::Bytes,
            &[holds(char::from(other), "", 2), data(kind, "", "1"), data(kind, "\x0F\x1F", "z")],
        );
        let mut table = Table::new();
        let mut build = Builder::new(b"", &set.types, Limits::default(), &mut table);
        build.primitive(c, name.as_bytes(), b"data").unwrap();
        build.finish().unwrap();
        let document = table.document(b"", &set.types);
        let message = tsf::write(&document, &Options::new(&set.types)).unwrap();
        reads(&message, &set, Lengths::Bytes, &[data(kind, &name, "data")]);
    }
    assert!(TypeSet::new(b"", b"").is_err(), "no type at all");
    assert!(TypeSet::new(b"<", b"<").is_err() && TypeSet::new(b"<<", b"").is_err(), "a type named twice");
}

#[test]
fn lengths_count_bytes_or_characters() {
    // Two, three and four bytes a character: 10 bytes are 4 characters.
    let text = "a\u{E9}\u{6E29}\u{1F98B}";
    let units = |value| [holds('<', "a", 2), data('[', "n\u{E9}", value), data('[', "", "z")];
    is("2a<10n\u{E9}[a\u{E9}\u{6E29}\u{1F98B}1[z".as_bytes(), &xml_set(), Lengths::Bytes, &units(text));
    is("2a<4n\u{E9}[a\u{E9}\u{6E29}\u{1F98B}1[z".as_bytes(), &xml_set(), Lengths::Chars, &units(text));
    // A combining mark is a character, and so is a zero.
    is("4[e\u{301}\0\u{FEFF}".as_bytes(), &xml_set(), Lengths::Chars, &[data('[', "", "e\u{301}\0\u{FEFF}")]);
    for (len, wide) in (0..150).flat_map(|len| (0..4).map(move |wide| (len, wide))) {
        let text: String = (0..len).map(|n| if n % (wide + 2) == wide { "\u{6E29}" } else { "x" }).collect();
        let message = format!("2a<{len}[{text}1[z");
        is(
            message.as_bytes(),
            &xml_set(),
            Lengths::Chars,
            &[holds('<', "a", 2), data('[', "", &text), data('[', "", "z")],
        );
        let message = format!("2a<{}[{text}1[z", text.len());
        is(
            message.as_bytes(),
            &xml_set(),
            Lengths::Bytes,
            &[holds('<', "a", 2), data('[', "", &text), data('[', "", "z")],
        );
    }
}

#[test]
fn data_can_be_any_bytes_at_all() {
    let all: Vec<u8> = (0..=255).collect();
    let message = [b"1blob{256*", &all[..]].concat();
    is(&message, &Set::value(), Lengths::Bytes, &[holds('{', "blob", 1), bytes('*', "", &all)]);
    for c in 0..=255 {
        is(
            &[b"2{1*", &[c][..], b"1'z"].concat(),
            &Set::value(),
            Lengths::Bytes,
            &[holds('{', "", 2), bytes('*', "", &[c]), data('\'', "", "z")],
        );
    }
}

#[test]
fn characters_are_asked_of_text_only() {
    let mut table = Table::new();
    let document = tsf::read(b"1{3*a\xFFb", &Options::new(TypeSet::VALUE), &mut table).unwrap();
    let error = tsf::write(&document, &Options::new(TypeSet::VALUE).with_lengths(Lengths::Chars)).unwrap_err();
    assert_eq!(error.to_string(), "unsupported at byte 2: found byte 0xFF, expected UTF-8, for lengths in characters");
}

#[test]
fn what_is_no_unit_is_refused_with_its_place() {
    for lengths in BOTH {
        let no = |message: &[u8], words: &str| refused(message, &xml_set(), lengths, words);
        no(b"<", "syntax at byte 0: found '<', expected the number of a unit");
        no(b"a<", "syntax at byte 0: found 'a', expected the number of a unit");
        no(b" 0a<", "syntax at byte 0: found ' ', expected the number of a unit");
        no(b"-1a<", "syntax at byte 0: found '-', expected the number of a unit");
        no(b"+1a<", "syntax at byte 0: found '+', expected the number of a unit");
        no(b"\xFF", "syntax at byte 0: found byte 0xFF, expected the number of a unit");
        no(b"0a<\n", "syntax at byte 3: found byte 0x0A, expected the number of a unit");
        no(b"2a<1[xy[z0[", "syntax at byte 6 in /a: found 'y', expected the number of a unit");
        no(b"1a<2b<1[xx0[", "syntax at byte 9 in /a/b: found 'x', expected the number of a unit");
    }
    // A character that UTF-8 does not have; a continuation without a beginning; a surrogate.
    let chars = |message: &[u8], words: &str| refused(message, &xml_set(), Lengths::Chars, words);
    chars(b"1a<2[x\xFF", "syntax at byte 6 in /a: found byte 0xFF, expected UTF-8 characters");
    chars(b"3[a\x80b", "syntax at byte 3: found byte 0x80, expected UTF-8 characters");
    chars(b"3[a\xED\xA0\x80b", "syntax at byte 3: found byte 0xED, expected UTF-8 characters");
    chars(b"1[\xC0\x80", "syntax at byte 2: found byte 0xC0, expected UTF-8 characters");
    // After the data, the number of the next unit is missing.
    chars(b"2a<1[\xC3\xA9\x80[", "syntax at byte 7 in /a: found byte 0x80, expected the number of a unit");
}

#[test]
fn what_is_not_whole_says_how_much_it_needs() {
    let no = |message: &[u8], needed: u64, words: &str| {
        for lengths in BOTH {
            let options = Options::default().with_lengths(lengths);
            let mut table = Table::new();
            let error = tsf::read(message, &options, &mut table).unwrap_err();
            assert_eq!(
                error.to_string(),
                words.replace(
                    "bytes of data",
                    match lengths {
                        Lengths::Chars => "characters of data",
                        _ => "bytes of data",
                    }
                )
            );
            assert_eq!(error.needed(), Some(needed), "{error}");
            let error = tsf::read_prefix(message, &options, &mut table).unwrap_err();
            assert_eq!(error.needed(), Some(needed), "{error}");
        }
    };
    no(b"", 2, "incomplete at byte 0: found the end of the input, expected the number of a unit");
    no(b"0", 1, "incomplete at byte 1: found the end of the input, expected the rest of a number, a name or a type");
    no(b"12", 1, "incomplete at byte 2: found the end of the input, expected the rest of a number, a name or a type");
    no(b"0pro", 1, "incomplete at byte 4: found the end of the input, expected the rest of a name, and a type");
    no(b"0\"a\\", 1, "incomplete at byte 4: found the end of the input, expected the rest of a name, and a type");
    no(b"5[hel", 2, "incomplete at byte 0: found 3 bytes before the end of the input, expected 5 bytes of data");
    no(
        b"2a<",
        4,
        "incomplete at byte 0: found 0 bytes before the end of the input, expected 4 bytes or more for the missing units",
    );
    no(
        b"2a<1[x",
        1,
        "incomplete at byte 0: found 3 bytes before the end of the input, expected 4 bytes or more for the missing units",
    );
    no(
        b"2a<1b<0[0pro",
        1,
        "incomplete at byte 12 in /a: found the end of the input, expected the rest of a name, and a type",
    );
    no(
        b"2a<1b<9[xx",
        9,
        "incomplete at byte 6 in /a/b: found 2 bytes before the end of the input, expected 9 bytes of data",
    );
}

/// "The count of units still owed to all open units can never exceed half of the bytes left."
#[test]
fn a_claim_of_more_units_than_bytes_can_hold_is_refused() {
    for (message, needed) in [
        (&b"3a<0[0["[..], 2),
        (b"3a<2b<0[0[", 4),
        // One byte short: the two units to come need four, and one has two and a half.
        (b"2a<0[1", 1),
        (b"1000000<0[0[", 1_999_996),
    ] {
        let mut table = Table::new();
        let error = tsf::read(message, &Options::default(), &mut table).unwrap_err();
        assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(needed)), "{error}");
        assert!(table.capacity() <= message.len() / 2 + 1, "room for what cannot be");
    }
    is(
        b"3a<0[0[0[",
        &xml_set(),
        Lengths::Bytes,
        &[holds('<', "a", 3), data('[', "", ""), data('[', "", ""), data('[', "", "")],
    );
}

#[test]
fn a_buffer_one_byte_too_short_is_reported() {
    let message = b"2a<1=2id[175[hello";
    let options = Options::default();
    let mut table = Table::new();
    let document = tsf::read(message, &options, &mut table).unwrap();
    for room in 0..message.len() {
        let error = tsf::write_into(&document, &options, &mut vec![0; room]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert_eq!(error.offset(), room as u64, "{error}");
    }
    let mut room = [b'#'; 400];
    assert_eq!(tsf::write_into(&document, &options, &mut room).unwrap(), message.len());
    assert_eq!(&room[..message.len()], message);
}

/// "The option *sorted attributes* orders them by code point."
#[test]
fn attributes_are_sorted_by_code_point_on_demand() {
    let read = "2e<5=1b[11\u{E9}[21a[31ab[41B[50[".as_bytes();
    for (sort, written) in [(false, "2e<5=1b[11\u{E9}[21a[31ab[41B[50["), (true, "2e<5=1B[51a[31ab[41b[11\u{E9}[20[")] {
        let options = Options::default().with_sorted_attributes(sort);
        let mut table = Table::new();
        let document = tsf::read(read, &options, &mut table).unwrap();
        assert_eq!(tsf::write(&document, &options).unwrap(), written.as_bytes());
    }
}

/// "An element's first content unit is its attribute list": no other list is one.
#[test]
fn lists_that_are_no_attribute_lists_keep_their_order() {
    let options = Options::default().with_sorted_attributes(true);
    for message in [&b"2=1b+x1a+y"[..], b"2x<0y<2=1b[11a[2", b"2@1@0[2=1b[11a[2", b"2x<1[t2=1b[11a[2"] {
        let mut table = Table::new();
        let document = tsf::read(message, &options, &mut table).unwrap();
        let written = tsf::write(&document, &options).unwrap();
        assert_eq!(written.escape_ascii().to_string(), message.escape_ascii().to_string());
    }
    // In a set of the user's the same characters may be anything.
    let set = Set::of(b"<", b"=[");
    let message = b"3a<9=21b[11a[21b[11a[2";
    let options = Options::new(&set.types).with_sorted_attributes(true);
    let mut table = Table::new();
    let document = tsf::read(message, &options, &mut table).unwrap();
    assert_eq!(tsf::write(&document, &options).unwrap().escape_ascii().to_string(), message.escape_ascii().to_string());
}
