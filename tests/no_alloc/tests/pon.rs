//! PON where nothing can be allocated: rows and buffers are the caller's.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use pon::{Backward, Options, Value};
use tam::{ErrorKind, Limits, Row, Table};

#[test]
fn a_message_is_read_into_lent_rows_and_written_into_a_lent_buffer() {
    let message = b"37{room:5satticok:tt:5d21.50cal:6[1i01i8";
    let mut rows = [Row::EMPTY; 7];
    let mut table = Table::in_rows(&mut rows);
    let document = pon::read(message, &Options::default(), &mut table).unwrap();
    assert_eq!(document.units(), 7);
    assert_eq!(document.root().unwrap().child("t").unwrap().value(), b"21.50");

    assert_eq!(pon::encoded_len(&document).unwrap(), message.len());
    let mut room = [0; 64];
    assert_eq!(pon::write_into(&document, &mut room).unwrap(), message.len());
    assert_eq!(&room[..message.len()], message);
    for short in 0..message.len() {
        assert_eq!(pon::write_into(&document, &mut room[..short]).unwrap_err().kind(), ErrorKind::Limit);
    }
}

#[test]
fn too_few_rows_are_a_limit() {
    let mut rows = [Row::EMPTY; 6];
    let mut table = Table::in_rows(&mut rows);
    let error = pon::read(b"37{room:5satticok:tt:5d21.50cal:6[1i01i8", &Options::default(), &mut table).unwrap_err();
    assert_eq!(error.to_string(), "limit at byte 37: found more units than rows lent, expected at most 6 (limit rows)");
}

/// A table keeps names in TSF's form, and other forms cannot be copied anywhere.
#[test]
fn keys_that_need_another_form_are_for_the_cursor_alone() {
    for message in [&b"5{1:1i7"[..], b"4{:1i7", br"6{a\:b:t", b"6{a#:1i7", b"5{[:1i7"] {
        let mut rows = [Row::EMPTY; 4];
        let mut table = Table::in_rows(&mut rows);
        let error = pon::read(message, &Options::default(), &mut table).err().map(|error| error.kind());
        assert_eq!(error, Some(ErrorKind::Unsupported));
        assert!(Value::new(message).unwrap().members().all(|member| member.is_ok()));
    }
    assert_eq!(Value::new(b"5{1:1i7").unwrap().require("1").unwrap().as_i64().unwrap(), 7);
}

#[test]
fn messages_are_written_by_hand_and_looked_into() {
    let mut buffer = [0; 32];
    let mut out = Backward::new(&mut buffer);
    let end = out.end();
    out.octet(0xFF);
    out.key("b");
    out.unsigned(u64::MAX);
    out.key("a");
    out.object(end);
    let message = out.finish().unwrap();
    assert_eq!(message, b"29{a:20i18446744073709551615b:b\xFF");
    let value = Value::new(message).unwrap();
    assert_eq!(value.require("a").unwrap().as_u64().unwrap(), u64::MAX);
    assert_eq!(value.require("b").unwrap().as_byte().unwrap(), 0xFF);
    assert_eq!(value.require("c").unwrap_err().kind(), ErrorKind::Schema);
}

/// Without a stack that grows, 64 levels can be written; any number can be read.
#[test]
fn depth_is_bounded_in_writing() {
    let limits = Limits { depth: 1000, ..Limits::default() };
    for levels in [64, 65, 300] {
        let mut message = Vec::from(*b"t");
        for _ in 0..levels {
            message = [format!("{}[", message.len()).as_bytes(), &message].concat();
        }
        let mut rows = vec![Row::EMPTY; levels + 1];
        let mut table = Table::in_rows(&mut rows);
        let document = pon::read(&message, &Options::default().with_limits(limits), &mut table).unwrap();
        let mut room = vec![0; message.len()];
        match pon::write_into(&document, &mut room) {
            Ok(_) => assert_eq!((levels, &room), (64, &message)),
            Err(error) => {
                assert!(levels > 64);
                assert_eq!(
                    error.to_string(),
                    "limit at byte 0: found one more level, expected at most 64 (limit depth)"
                );
            }
        }
    }
}
