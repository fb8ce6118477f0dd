//! The grammar, example by example: bytes, tree, and for what is no message the error.
//!
//! Examples are those of the paper (its sections are named) and of the project's decisions on
//! what the paper leaves open; trees, lengths and places are counted by hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_pon as pon;

mod support;

use pon::{Options, Value};
use support::{Data, Unit, build, float, integer, item, member, string, tree};
use tam::{Builder, ErrorKind, Limits, Row, Table, TypeSet};

/// The message has this tree, also if something follows it, and the tree is written as this message by every writer.
fn is(message: &[u8], expected: &[Unit]) {
    let shown = message.escape_ascii();
    let options = Options::default();
    let mut table = Table::new();
    let document = pon::read(message, &options, &mut table).unwrap_or_else(|error| panic!("{shown}: {error}"));
    assert_eq!(tree(&document), expected, "{shown}");
    assert_eq!(document.units(), expected.len(), "{shown}: rows");

    let mut made = Table::new();
    build(expected, &mut made);
    for document in [document, made.document(b"", TypeSet::VALUE)] {
        assert_eq!(pon::write(&document).unwrap().escape_ascii().to_string(), shown.to_string());
        assert_eq!(pon::encoded_len(&document).unwrap(), message.len(), "{shown}");
        let mut room = vec![0xAA; message.len() + 2];
        assert_eq!(pon::write_into(&document, &mut room).unwrap(), message.len(), "{shown}");
        assert_eq!(room, [message, b"\xAA\xAA"].concat(), "{shown}");
        let mut out = b"before".to_vec();
        pon::append(&document, &mut out).unwrap();
        assert_eq!(out, [b"before", message].concat(), "{shown}");
    }

    let followed = [message, b"9 no node"].concat();
    let (document, taken) = pon::read_prefix(&followed, &options, &mut table).unwrap();
    assert_eq!((tree(&document), taken), (expected.to_vec(), message.len()), "{shown}: with more after it");
}

/// The message is refused in these words, by the reader and, where the fault is in the outermost
/// node, by the cursor.
fn refused(message: &[u8], words: &str) {
    let shown = message.escape_ascii();
    let error = pon::read(message, &Options::default(), &mut Table::new()).expect_err(&shown.to_string());
    assert_eq!(error.to_string(), words, "{shown}");
    assert_eq!(error.format(), "pon");
    assert_eq!(error.kind() == ErrorKind::Incomplete, error.needed().is_some(), "{shown}");
    if let Err(error) = Value::new(message) {
        assert_eq!(error.to_string(), words, "{shown}: the cursor");
    }
}

#[test]
fn every_type_of_table_1_is_read_and_written() {
    is(b"16sThis is a string", &[item(string("This is a string"))]);
    is(b"2i49", &[item(integer("49"))]);
    is(b"4d17.3", &[item(float("17.3"))]);
    is(b"cA", &[item(Data::Char('A'))]);
    is(b"bA", &[item(Data::Byte(b'A'))]);
    is(b"t", &[item(Data::Boolean(true))]);
    is(b"f", &[item(Data::Boolean(false))]);
    is(b"u", &[item(Data::Null)]);
    // "Binary data of length 412 bytes": all octets there are, and more.
    let octets: Vec<u8> = (0..412).map(|n| n as u8).collect();
    is(&[b"412y", &octets[..]].concat(), &[item(Data::Binary(octets))]);
    is(
        b"26{key1:6svalue1key2:6svalue2",
        &[item(Data::Object(2)), member("key1", string("value1")), member("key2", string("value2"))],
    );
    is(b"16[6svalue16svalue2", &[item(Data::Array(2)), item(string("value1")), item(string("value2"))]);
}

/// Section 2.1: "written in sequence without spaces or delimiters".
#[test]
fn nodes_are_adjacent() {
    is(
        b"55[15sMy first string16sMy second string15sMy third string",
        &[
            item(Data::Array(3)),
            item(string("My first string")),
            item(string("My second string")),
            item(string("My third string")),
        ],
    );
    // Alone they are three messages in sequence.
    let buffer = b"15sMy first string16sMy second string15sMy third string";
    let (mut at, mut texts) = (0, Vec::new());
    while at < buffer.len() {
        let mut table = Table::new();
        let (document, taken) = pon::read_prefix(&buffer[at..], &Options::default(), &mut table).unwrap();
        texts.push(document.root().unwrap().text().unwrap().to_owned());
        at += taken;
    }
    assert_eq!(texts, ["My first string", "My second string", "My third string"]);
    refused(buffer, "syntax at byte 18: found '1', expected the end of the message");
}

#[test]
fn what_holds_nothing_is_a_message() {
    is(b"0s", &[item(string(""))]);
    is(b"0y", &[item(Data::Binary(Vec::new()))]);
    is(b"0[", &[item(Data::Array(0))]);
    is(b"0{", &[item(Data::Object(0))]);
    is(b"6[0[0{0s", &[item(Data::Array(3)), item(Data::Array(0)), item(Data::Object(0)), item(string(""))]);
}

#[test]
fn containers_nest() {
    is(
        b"19{a:7[2[tf0[ub:4{c:0[",
        &[
            item(Data::Object(2)),
            member("a", Data::Array(3)),
            item(Data::Array(2)),
            item(Data::Boolean(true)),
            item(Data::Boolean(false)),
            item(Data::Array(0)),
            item(Data::Null),
            member("b", Data::Object(1)),
            member("c", Data::Array(0)),
        ],
    );
}

#[test]
fn characters_and_bytes_have_no_length() {
    for c in ['\0', 'A', '5', ':', '\u{7F}', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFD}', '\u{10000}', '\u{10FFFF}'] {
        is(format!("c{c}").as_bytes(), &[item(Data::Char(c))]);
    }
    for byte in 0..=255 {
        is(&[b'b', byte], &[item(Data::Byte(byte))]);
    }
    // What they hold could begin a node, too.
    is(
        b"9[ctb5cub[t",
        &[
            item(Data::Array(5)),
            item(Data::Char('t')),
            item(Data::Byte(b'5')),
            item(Data::Char('u')),
            item(Data::Byte(b'[')),
            item(Data::Boolean(true)),
        ],
    );
}

#[test]
fn a_key_ends_at_its_colon() {
    let null_of = |key: &str| [item(Data::Object(1)), member(key, Data::Null)];
    is(br"6{a\:b:u", &null_of("a:b"));
    is(br"6{a\\b:u", &null_of(r"a\b"));
    is(br"4{\::u", &null_of(":"));
    is(br"4{\\:u", &null_of(r"\"));
    is(br"6{\\\::u", &null_of(r"\:"));
    is(br"10{\\\\\\\\:u", &null_of(r"\\\\"));
    is(b"2{:u", &null_of(""));
    // "Keys are often numeral" (section 2.2).
    is(b"3{0:u", &null_of("0"));
    is(b"5{007:u", &null_of("007"));
    // What TSF, whose table holds the key, could take for a type or a quote.
    for key in ["2i49", "{", "[", "'", "\"", "\"\"", "a\"", "#%?~*^`", " ", "\0", "\n", "}", "a]"] {
        is(format!("{}{{{key}:u", key.len() + 2).as_bytes(), &null_of(key));
    }
    is("4{\u{E9}:u".as_bytes(), &null_of("\u{E9}"));
    is("11{\u{6E29}\\:\u{1F98B}:u".as_bytes(), &null_of("\u{6E29}:\u{1F98B}"));
    for len in 0..40 {
        let key = "k".repeat(len);
        is(format!("{}{{{key}:u", len + 2).as_bytes(), &null_of(&key));
        is(format!("{}{{{key}\\::u", len + 4).as_bytes(), &null_of(&format!("{key}:")));
    }
}

#[test]
fn members_keep_their_order_and_keys_come_again() {
    is(
        b"15{b:1i1a:t:fb:u:t",
        &[
            item(Data::Object(5)),
            member("b", integer("1")),
            member("a", Data::Boolean(true)),
            member("", Data::Boolean(false)),
            member("b", Data::Null),
            member("", Data::Boolean(true)),
        ],
    );
}

#[test]
fn numbers_keep_their_text() {
    for text in ["0", "-0", "7", "-1", "49", "9223372036854775808", "123456789012345678901234567890"] {
        is(format!("{}i{text}", text.len()).as_bytes(), &[item(integer(text))]);
    }
    for text in [
        "0",
        "-0",
        "17.3",
        "1.0",
        "1.50",
        "-0.0",
        "1e5",
        "1E5",
        "1e+05",
        "1E-300",
        "1e999999999",
        "0.0e0",
        "12",
        "3.14159265358979323846264338327950288",
        "NaN",
        "Infinity",
        "-Infinity",
    ] {
        is(format!("{}d{text}", text.len()).as_bytes(), &[item(float(text))]);
    }
}

#[test]
fn what_begins_no_node_is_refused() {
    let node = "expected a length, or one of the types t f u c b";
    refused(b"", "incomplete at byte 0: found the end of the input, expected 1 byte more of the message");
    refused(b"x", &format!("syntax at byte 0: found 'x', {node}"));
    refused(b" t", &format!("syntax at byte 0: found ' ', {node}"));
    refused(b"-1i5", &format!("syntax at byte 0: found '-', {node}"));
    refused(b"\xFF", &format!("syntax at byte 0: found byte 0xFF, {node}"));
    // A type that has a length, and none is there.
    for tag in "sidy{[".chars() {
        refused(format!("{tag}").as_bytes(), &format!("syntax at byte 0: found '{tag}', {node}"));
    }
    refused(b"2[tx", &format!("syntax at byte 3 in /1: found 'x', {node}"));
    refused(b"7{a:3[t}t", &format!("syntax at byte 7 in /a/1: found '}}', {node}"));
}

#[test]
fn what_has_no_length_is_refused_after_one() {
    let types = "expected a digit, or one of the types s i d y { [";
    for tag in "tfucbx:}]STD-. ".chars() {
        refused(format!("1{tag}A").as_bytes(), &format!("syntax at byte 1: found '{tag}', {types}"));
        refused(format!("120{tag}A").as_bytes(), &format!("syntax at byte 3: found '{tag}', {types}"));
    }
    refused(b"5{ab:0u", &format!("syntax at byte 6 in /ab: found 'u', {types}"));
}

#[test]
fn lengths_have_no_zeros_in_front() {
    let words = "found a length with a leading zero, expected one without";
    refused(b"01sa", &format!("syntax at byte 0: {words}"));
    refused(b"00s", &format!("syntax at byte 0: {words}"));
    // Whatever follows.
    refused(b"00", &format!("syntax at byte 0: {words}"));
    refused(b"007", &format!("syntax at byte 0: {words}"));
    refused(b"000000000000000000s", &format!("syntax at byte 0: {words}"));
    refused(b"9{k:02i49t:", &format!("syntax at byte 4 in /k: {words}"));
}

#[test]
fn no_length_is_beyond_4_gib() {
    let words = "found a longer node, expected at most 4294967295 (limit message_bytes)";
    for length in ["4294967296", "9999999999", "10000000000", "18446744073709551616", "99999999999999999999999"] {
        for node in ["s", "y123", "{", "[t", ""] {
            refused(format!("{length}{node}").as_bytes(), &format!("limit at byte 0: {words}"));
            let inside = format!("t{length}{node}");
            refused(format!("{}[{inside}", inside.len()).as_bytes(), &format!("limit at byte 4 in /1: {words}"));
        }
    }
    // The longest there is could still come.
    let error = pon::read(b"4294967295y12", &Options::default(), &mut Table::new()).unwrap_err();
    assert_eq!((error.kind(), error.needed()), (ErrorKind::Incomplete, Some(4_294_967_293)));
}

#[test]
fn lengths_that_disagree_with_their_container_are_refused() {
    // A string beyond the end of its array: it is 2 + 5 bytes, and 3 are there.
    refused(
        b"3[5sh",
        "syntax at byte 2 in /0: found 3 bytes before the end of its container, expected 7 bytes or more for the node",
    );
    // The rest of the string is there, but not in the array.
    refused(b"3[5shello", "syntax at byte 5: found 'e', expected the end of the message");
    refused(
        b"5[3[5sh",
        "syntax at byte 4 in /0/0: found 3 bytes before the end of its container, expected 7 bytes or more for the node",
    );
    // An array beyond the end of its array, and one that ends within an integer.
    refused(
        b"7[6[2i49u",
        "syntax at byte 2 in /0: found 7 bytes before the end of its container, expected 8 bytes or more for the node",
    );
    refused(
        b"5[3[2i4",
        "syntax at byte 4 in /0/0: found 3 bytes before the end of its container, expected 4 bytes or more for the node",
    );
    // A container that ends within a head, a character, a byte.
    refused(
        b"3[t12",
        "syntax at byte 3 in /1: found 2 bytes before the end of its container, expected 15 bytes or more for the node",
    );
    for (message, whole) in [(&b"1[c"[..], 2), (b"1[b", 2), (b"2[c\xC3", 3), (b"3[c\xF0\x9F", 5)] {
        let left = message.len() - 2;
        let s = if left == 1 { "" } else { "s" };
        refused(
            message,
            &format!(
                "syntax at byte 2 in /0: found {left} byte{s} before the end of its container, \
                 expected {whole} bytes or more for the node"
            ),
        );
    }
    // A key without a value.
    refused(
        b"5{a:tb:",
        "syntax at byte 7 in /b: found 0 bytes before the end of its container, expected 1 byte or more for the node",
    );
}

#[test]
fn integers_are_written_as_json_writes_them() {
    let words = "expected an integer as JSON writes it";
    refused(b"0i", &format!("syntax at byte 2: found the end of the number, {words}"));
    refused(b"1i-", &format!("syntax at byte 3: found the end of the number, {words}"));
    refused(b"2i+1", &format!("syntax at byte 2: found '+', {words}"));
    refused(b"2i07", &format!("syntax at byte 2: found a leading zero, {words}"));
    refused(b"3i-00", &format!("syntax at byte 3: found a leading zero, {words}"));
    refused(b"3i1.0", &format!("syntax at byte 3: found '.', {words}"));
    refused(b"2i1.", &format!("syntax at byte 3: found '.', {words}"));
    refused(b"3i1e5", &format!("syntax at byte 3: found 'e', {words}"));
    refused(b"4i1e5x", &format!("syntax at byte 3: found 'e', {words}"));
    refused(b"2i1 ", &format!("syntax at byte 3: found ' ', {words}"));
    refused(b"3i--1", &format!("syntax at byte 3: found '-', {words}"));
    refused(b"4i0x1F", &format!("syntax at byte 3: found 'x', {words}"));
    refused(b"3iNaN", &format!("syntax at byte 2: found 'N', {words}"));
    refused("2i\u{663}".as_bytes(), &format!("syntax at byte 2: found byte 0xD9, {words}"));
}

#[test]
fn floats_are_written_as_json_writes_them_or_are_one_of_three_words() {
    let words = "expected a number as JSON writes it, or NaN";
    refused(b"0d", &format!("syntax at byte 2: found the end of the number, {words}"));
    refused(b"2d.5", &format!("syntax at byte 2: found '.', {words}"));
    refused(b"2d5.", &format!("syntax at byte 4: found the end of the number, {words}"));
    refused(b"3d5.e", &format!("syntax at byte 4: found 'e', {words}"));
    refused(b"2d1e", &format!("syntax at byte 4: found the end of the number, {words}"));
    refused(b"3d1e+", &format!("syntax at byte 5: found the end of the number, {words}"));
    refused(b"3d01.", &format!("syntax at byte 2: found a leading zero, {words}"));
    refused(b"4d+1.5", &format!("syntax at byte 2: found '+', {words}"));
    refused(b"3d1,5", &format!("syntax at byte 3: found ',', {words}"));
    refused(b"5d1.0.0", &format!("syntax at byte 5: found '.', {words}"));
    for word in ["nan", "NAN", "inf", "infinity", "INFINITY", "NaN "] {
        let first = word.chars().next().unwrap();
        refused(format!("{}d{word}", word.len()).as_bytes(), &format!("syntax at byte 2: found '{first}', {words}"));
    }
    refused(b"9d+Infinity", &format!("syntax at byte 2: found '+', {words}"));
    refused(b"4d-NaN", &format!("syntax at byte 3: found 'N', {words}"));
}

#[test]
fn strings_keys_and_characters_are_utf_8() {
    // RFC 3629: what never occurs, what is overlong, half a surrogate pair, beyond U+10FFFF, cut off.
    for (bytes, first) in [
        (&b"\xFF"[..], 0xFF),
        (b"\x80", 0x80),
        (b"\xC0\x80", 0xC0),
        (b"\xE0\x80\x80", 0xE0),
        (b"\xED\xA0\x80", 0xED),
        (b"\xF4\x90\x80\x80", 0xF4),
        (b"\xC3A", 0xC3),
    ] {
        let len = bytes.len();
        let found = format!("found byte 0x{first:02X}");
        let string = [format!("{}sab", len + 2).as_bytes(), bytes].concat();
        refused(&string, &format!("syntax at byte 4: {found}, expected a string in UTF-8"));
        let outer = format!("{}{{k:{}{{", len + 6, len + 2);
        let key = [outer.as_bytes(), bytes, b":t"].concat();
        refused(&key, &format!("syntax at byte {} in /k: {found}, expected a key in UTF-8", outer.len()));
        // An escape does not make it another kind of key.
        let key = [format!("{}{{\\:", len + 4).as_bytes(), bytes, b":t"].concat();
        refused(&key, &format!("syntax at byte 4: {found}, expected a key in UTF-8"));
        let char = [b"c", bytes].concat();
        refused(&char, &format!("syntax at byte 1: {found}, expected a character in UTF-8"));
    }
    refused(b"2sa\xC3", "syntax at byte 3: found byte 0xC3, expected a string in UTF-8");
    // Of a character alone the rest may come.
    refused(b"c\xC3", "incomplete at byte 2: found the end of the input, expected 1 byte more of the message");
    refused(b"c\xF0", "incomplete at byte 2: found the end of the input, expected 3 bytes more of the message");
    refused(b"c", "incomplete at byte 1: found the end of the input, expected 1 byte more of the message");
    // Binary data and bytes are anything.
    is(b"2y\xC3A", &[item(Data::Binary(vec![0xC3, b'A']))]);
}

#[test]
fn a_key_without_its_colon_is_refused() {
    refused(b"4{key1", "syntax at byte 2: found 4 bytes to the end of the object, expected a key and its ':'");
    refused(b"1{t", "syntax at byte 2: found 1 byte to the end of the object, expected a key and its ':'");
    refused(br"3{a\:", "syntax at byte 2: found 3 bytes to the end of the object, expected a key and its ':'");
    // The colon after the object is not its own.
    refused(
        b"9[3{abc1s:t",
        "syntax at byte 4 in /0: found 3 bytes to the end of the object, expected a key and its ':'",
    );
}

#[test]
fn an_escape_in_a_key_is_of_a_colon_or_of_itself() {
    let words = r"expected a ':' or a '\' after the '\' of a key";
    refused(br"5{a\b:t", &format!("syntax at byte 4: found 'b', {words}"));
    refused(br"4{\n:t", &format!("syntax at byte 3: found 'n', {words}"));
    refused(b"5{\\\xC3\xA9:t", &format!("syntax at byte 3: found byte 0xC3, {words}"));
    refused(br"8{\::t\/:t", &format!("syntax at byte 7: found '/', {words}"));
    refused(br"7{\\\x\::", &format!("syntax at byte 5: found 'x', {words}"));
    refused(br"2{a\", &format!("syntax at byte 4: found the end of the object, {words}"));
    // What follows the object is not read.
    refused(br"9{k:2{a\b:t", &format!("syntax at byte 8 in /k: found the end of the object, {words}"));
}

#[test]
fn an_error_names_the_path_of_what_it_lies_in() {
    let end = "found the end of the number, expected an integer as JSON writes it";
    // What ends too early does so where the next value begins, and is not the next value.
    refused(b"7[1i-2i55", &format!("syntax at byte 5 in /0: {end}"));
    refused(b"11{a:ta:4[0iuu", &format!("syntax at byte 12 in /a[2]/0: {end}"));
    refused(b"7{a:0ib:t", &format!("syntax at byte 6 in /a: {end}"));
    refused(
        b"10{id:2{0:b:t",
        "syntax at byte 10 in /id/0: found 0 bytes before the end of its container, \
         expected 1 byte or more for the node",
    );
    // RFC 6901's escapes; what cannot be seen is shown.
    let node = "expected a length, or one of the types t f u c b";
    refused(b"9{a/b~:2[tx", &format!("syntax at byte 10 in /a~1b~0/1: found 'x', {node}"));
    refused(b"9{a\nb\0:2[tx", &format!("syntax at byte 10 in /a\\nb\\u{{0}}/1: found 'x', {node}"));
    refused(br"8{\:\\:1[x", &format!("syntax at byte 9 in /:\\/0: found 'x', {node}"));
    // An empty key is a step too.
    refused(b"4{:1[x", &format!("syntax at byte 5 in //0: found 'x', {node}"));
    refused(b"6{:t:1[x", &format!("syntax at byte 7 in /[2]/0: found 'x', {node}"));
    // Before the fault a key may come again, and in another object.
    refused(b"16{a:3{a:ta:ta:2[xt", &format!("syntax at byte 17 in /a[3]/0: found 'x', {node}"));
}

#[test]
fn nothing_may_follow_a_message() {
    for message in [&b"5shello"[..], b"t", b"cA", b"0[", b"4{a:0{"] {
        for (after, found) in [(&b"t"[..], "'t'"), (b"\n", "byte 0x0A"), (b"\0", "byte 0x00"), (b"5shello", "'5'")] {
            let words = format!("syntax at byte {}: found {found}, expected the end of the message", message.len());
            refused(&[message, after].concat(), &words);
        }
    }
}

#[test]
fn a_prefix_says_how_much_is_missing() {
    let needs = |message: &[u8]| {
        let mut table = Table::new();
        let read = pon::read(message, &Options::default(), &mut table).map(|_| ()).unwrap_err();
        let prefix = pon::read_prefix(message, &Options::default(), &mut table).map(|_| ()).unwrap_err();
        let cursor = Value::prefix(message).map(|_| ()).unwrap_err();
        assert_eq!(read, prefix, "{}", message.escape_ascii());
        assert_eq!(read, cursor, "{}", message.escape_ascii());
        assert_eq!(read.kind(), ErrorKind::Incomplete, "{read}");
        assert_eq!(read.offset(), message.len() as u64, "{read}");
        read.needed().unwrap()
    };
    // Before the type is there, the least: of `2`, a type and two bytes.
    assert_eq!(needs(b""), 1);
    assert_eq!(needs(b"2"), 3);
    assert_eq!(needs(b"26"), 27);
    assert_eq!(needs(b"0"), 1);
    // From then on exactly.
    let message = b"26{key1:6svalue1key2:6svalue2";
    for cut in 3..message.len() {
        assert_eq!(needs(&message[..cut]), (message.len() - cut) as u64);
    }
    assert_eq!(needs(b"412y"), 412);
    // What is there of the content is not looked at, as long as there may be more.
    assert_eq!(needs(b"9[xxxx"), 5);
    // A reader under a limit does not wait for what it would refuse.
    let largest = |message| pon::read(message, &Options::default(), &mut Table::new()).unwrap_err().needed();
    assert_eq!(largest(b"4294967295s"), Some(4_294_967_295));
    assert_eq!(largest(b"4294967295"), Some(4_294_967_296));
    let error = pon::read_prefix(b"4294967295", &Options::default(), &mut Table::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "limit at byte 0: found a longer message, expected at most 1073741824 (limit message_bytes)"
    );
}

#[test]
fn messages_follow_each_other() {
    let messages = [&b"5shello"[..], b"t", b"6[3[tfuu", b"cA", b"2y\x00\xFF", b"b5", b"0{", b"2i49", b"6{a:2i-1"];
    let buffer = messages.concat();
    let (mut at, mut table) = (0, Table::new());
    for message in messages {
        let (document, taken) = pon::read_prefix(&buffer[at..], &Options::default(), &mut table).unwrap();
        assert_eq!(taken, message.len(), "{}", message.escape_ascii());
        assert_eq!(pon::write(&document).unwrap(), message);
        let (value, taken) = Value::prefix(&buffer[at..]).unwrap();
        assert_eq!((value.data(), taken), (Value::new(message).unwrap().data(), message.len()));
        at += taken;
    }
    assert_eq!(at, buffer.len());
}

/// A document made by hand, which can be at fault in ways that no message can.
fn made(types: &TypeSet, make: impl FnOnce(&mut Builder<'_, '_, '_>)) -> String {
    let mut table = Table::new();
    let mut build = Builder::new(b"", types, Limits::default(), &mut table);
    make(&mut build);
    build.finish().unwrap();
    let document = table.document(b"", types);
    let error = pon::write(&document).unwrap_err();
    assert_eq!((error.kind(), error.format()), (ErrorKind::Unsupported, "pon"), "{error}");
    assert_eq!(pon::encoded_len(&document).map_err(|error| error.to_string()), Err(error.to_string()));
    assert_eq!(pon::write_into(&document, &mut [0; 99]).map_err(|error| error.to_string()), Err(error.to_string()));
    let mut out = b"before".to_vec();
    pon::append(&document, &mut out).unwrap_err();
    assert_eq!(out, b"before", "{error}");
    error.to_string()
}

#[test]
fn only_documents_of_values_can_be_written() {
    let words = "unsupported at byte 0: found a document of another type set, expected one of the type set value";
    assert_eq!(made(TypeSet::JSON, |build| build.primitive(b'\'', b"", b"1").unwrap()), words);
    assert_eq!(made(TypeSet::XML, |build| build.primitive(b'[', b"", b"1").unwrap()), words);
    let own = TypeSet::new(b"{[", b"'#%?~*^`").unwrap();
    assert_eq!(made(&own, |build| build.primitive(b'#', b"", b"1").unwrap()), words);
    let two = |build: &mut Builder<'_, '_, '_>| (0..2).for_each(|_| build.primitive(b'#', b"", b"1").unwrap());
    assert_eq!(made(TypeSet::VALUE, two), "unsupported at byte 0: found 2 outermost units, expected one");
}

#[test]
fn members_have_keys_and_items_have_none() {
    let words = "found a name, expected no names outside objects";
    let named = made(TypeSet::VALUE, |build| build.primitive(b'#', b"n", b"1").unwrap());
    assert_eq!(named, format!("unsupported at byte 0 in /n: {words}"));
    let item = made(TypeSet::VALUE, |build| {
        build.open(b'[', b"").unwrap();
        build.primitive(b'~', b"", b"").unwrap();
        build.open(b'{', b"n").unwrap();
        build.close().unwrap();
        build.close().unwrap();
    });
    assert_eq!(item, format!("unsupported at byte 0 in /n: {words}"));
    let member = made(TypeSet::VALUE, |build| {
        build.open(b'{', b"").unwrap();
        build.primitive(b'~', b"a", b"").unwrap();
        build.primitive(b'~', b"", b"").unwrap();
        build.close().unwrap();
    });
    let words = "found no name, expected a name for each member of an object";
    assert_eq!(member, format!("unsupported at byte 0 in /1: {words}"));
    let garbled = made(TypeSet::VALUE, |build| {
        build.open(b'{', b"").unwrap();
        build.primitive(b'~', b"\xFF", b"").unwrap();
        build.close().unwrap();
    });
    let words = "found a name that is not UTF-8, expected UTF-8";
    assert_eq!(garbled, format!("unsupported at byte 0 in /\u{FFFD}: {words}"));
}

#[test]
fn data_that_is_not_of_its_type_is_not_written() {
    for (kind, data, expected) in [
        (b'\'', &b"a\xFF"[..], "text in UTF-8"),
        (b'#', b"", "an integer as JSON writes it"),
        (b'#', b"1.0", "an integer as JSON writes it"),
        (b'#', b"007", "an integer as JSON writes it"),
        (b'%', b"", "a number as JSON writes it, NaN, Infinity or -Infinity"),
        (b'%', b"inf", "a number as JSON writes it, NaN, Infinity or -Infinity"),
        (b'^', b"", "one character in UTF-8"),
        (b'^', b"ab", "one character in UTF-8"),
        (b'^', b"\xC3", "one character in UTF-8"),
        (b'`', b"", "one byte"),
        (b'`', b"12", "one byte"),
        (b'?', b"", "t or f"),
        (b'?', b"true", "t or f"),
        (b'~', b"null", "no data in null"),
    ] {
        let words = made(TypeSet::VALUE, |build| {
            build.open(b'{', b"").unwrap();
            build.open(b'[', b"a").unwrap();
            build.primitive(b'~', b"", b"").unwrap();
            build.primitive(kind, b"", data).unwrap();
            build.close().unwrap();
            build.close().unwrap();
        });
        assert_eq!(words, format!("unsupported at byte 0 in /a/1: found other data, expected {expected}"));
    }
}

#[test]
fn a_buffer_too_short_is_reported_with_the_missing_bytes() {
    let mut table = Table::new();
    let document = pon::read(b"26{key1:6svalue1key2:6svalue2", &Options::default(), &mut table).unwrap();
    for room in 0..29 {
        let mut buffer = vec![0xAA; room];
        let error = pon::write_into(&document, &mut buffer).unwrap_err();
        let words = format!("limit at byte {room}: found 29 bytes of message, expected at most {room} (limit buffer)");
        assert_eq!(error.to_string(), words);
        assert!(buffer.iter().all(|&byte| byte == 0xAA), "a part was written");
    }
}

/// A row keeps the length of a name in 22 bits.
#[test]
fn keys_longer_than_a_row_can_hold_are_a_limit() {
    let message = |key: &str| format!("{}{{{key}:t", key.len() + 2).into_bytes();
    let most = message(&"k".repeat(Row::MAX_NAME));
    let mut table = Table::new();
    let document = pon::read(&most, &Options::default(), &mut table).unwrap();
    assert!(pon::write(&document).unwrap() == most);
    // In the table a numeral key takes a quote more.
    for key in ["k".repeat(Row::MAX_NAME + 1), "1".repeat(Row::MAX_NAME), "[".repeat(Row::MAX_NAME / 2 + 1)] {
        let error = pon::read(&message(&key), &Options::default(), &mut table).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.to_string().ends_with("found a longer key, expected at most 4194303 (limit name)"), "{error}");
        // The cursor has no such bound.
        let value = Value::new(&message(&key)).map(|object| object.require(&key).unwrap().as_bool().unwrap());
        assert_eq!(value, Ok(true));
    }
}
