//! TSF where nothing can be allocated: rows and buffers are the caller's.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use tam::{ErrorKind, Row, Table, TypeSet};
use tsf::{Lengths, Options};

#[test]
fn a_message_is_read_into_lent_rows_and_written_into_a_lent_buffer() {
    for lengths in [Lengths::Bytes, Lengths::Chars] {
        let message = br#"3{1"64th'74"\{\\\[\''true2[4'true4'null"#;
        let options = Options::new(TypeSet::JSON).with_lengths(lengths);
        let mut rows = [Row::EMPTY; 6];
        let mut table = Table::in_rows(&mut rows);
        let document = tsf::read(message, &options, &mut table).unwrap();
        assert_eq!(document.units(), 6);
        let object = document.root().unwrap();
        assert_eq!(object.child("64th").unwrap().value(), b"7");
        assert_eq!(object.child("{\\['").unwrap().value(), b"true");
        assert_eq!(object.children().nth(2).unwrap().children().nth(1).unwrap().value(), b"null");

        assert_eq!(tsf::encoded_len(&document, &options).unwrap(), message.len());
        let mut room = [0; 64];
        assert_eq!(tsf::write_into(&document, &options, &mut room).unwrap(), message.len());
        assert_eq!(&room[..message.len()], message);
        for short in 0..message.len() {
            let error = tsf::write_into(&document, &options, &mut room[..short]).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        }
    }
}

#[test]
fn errors_have_kind_position_and_what_was_expected() {
    let mut rows = [Row::EMPTY; 2];
    let mut table = Table::in_rows(&mut rows);
    let options = Options::new(TypeSet::XML);
    for (message, kind, offset, needed) in [
        (&b"1a<x["[..], ErrorKind::Syntax, 3, None),
        (b"1a<5[hel", ErrorKind::Incomplete, 3, Some(2)),
        (b"3a<0[0[", ErrorKind::Incomplete, 0, Some(2)),
        (b"1a<4294967296[", ErrorKind::Limit, 3, None),
        (b"2a<0[0[", ErrorKind::Limit, 0, None),
    ] {
        let error = tsf::read(message, &options, &mut table).unwrap_err();
        assert_eq!((error.kind(), error.offset(), error.needed()), (kind, offset, needed), "{error}");
        assert!(!error.expected().to_string().is_empty(), "{error}");
    }
    assert_eq!(tsf::read(b"1a<0[", &options, &mut table).unwrap().units(), 2);
}

/// Without a stack that grows, 64 levels can be written; a unit that is the last of its level
/// takes none.
#[test]
fn depth_is_bounded_in_writing_where_nothing_can_be_allocated() {
    let mut rows = vec![Row::EMPTY; 1000];
    let mut table = Table::in_rows(&mut rows);
    let options = Options::new(TypeSet::XML);
    let mut room = [0; 2000];
    for (levels, written) in [(64, true), (65, false), (300, false)] {
        let message = [b"2<".repeat(levels), b"0<".to_vec(), b"0[".repeat(levels)].concat();
        let document = tsf::read(&message, &options, &mut table).unwrap();
        match tsf::write_into(&document, &options, &mut room) {
            Ok(len) => assert_eq!((&room[..len], written), (&message[..], true)),
            Err(error) => {
                assert_eq!(
                    error.to_string(),
                    "limit at byte 0: found one more level, expected at most 64 (limit depth)"
                );
                assert!(!written, "{levels} levels");
            }
        }
    }
    let message = [b"1<".repeat(400), b"0<".to_vec()].concat();
    let document = tsf::read(&message, &options, &mut table).unwrap();
    assert_eq!(tsf::write_into(&document, &options, &mut room).unwrap(), message.len());
}

#[test]
fn attributes_cannot_be_sorted() {
    let mut rows = [Row::EMPTY; 4];
    let mut table = Table::in_rows(&mut rows);
    let options = Options::new(TypeSet::XML).with_sorted_attributes(true);
    let document = tsf::read(b"1a<2=1b[11a[2", &options, &mut table).unwrap();
    let mut room = [0; 64];
    let error = tsf::write_into(&document, &options, &mut room).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}
