//! What the functions for C answer is what the crates `tsf` and `pon` answer, of sound messages and of spoiled ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use std::ffi::{CString, c_char};
use std::mem::zeroed;

use lengthwise_c::bytes::{Name, lw_is_utf8};
use lengthwise_c::code::{LW_INCOMPLETE, LW_LIMIT, LW_SCHEMA, LW_SYNTAX};
use lengthwise_c::field::{
    Field, LW_BOOL, LW_BYTES, LW_END, LW_FIXED2, LW_I16, LW_I32, LW_OBJECT_OF, LW_TEXT, LW_U16, LW_U32, Text,
    lw_check_fields,
};
use lengthwise_c::number::{lw_double, lw_fixed, lw_i32, lw_i64, lw_u32, lw_u64};
use lengthwise_c::pon::cursor::{Pon, lw_pon_enter, lw_pon_find, lw_pon_next, lw_pon_open};
use lengthwise_c::pon::rows::{lw_pon_rows, lw_pon_rows8};
use lengthwise_c::pon::typed::lw_pon_decode;
use lengthwise_c::row::{
    LW_ROW_EXTENDED, LW_ROW_STRUCTURED, LW_ROW8_EXTENDED, LW_ROW8_STRUCTURED, Row, Row8, lw_rows_find,
};
use lengthwise_c::tsf::cursor::{Tsf, lw_tsf_names, lw_tsf_next, lw_tsf_open, lw_tsf_terminate};
use lengthwise_c::tsf::parts::{Parts, lw_tsf_parts_add, lw_tsf_parts_next, lw_tsf_parts_open};
use lengthwise_c::tsf::rows::{lw_tsf_rows, lw_tsf_rows8};
use lengthwise_c::tsf::typed::lw_tsf_decode;
use lengthwise_c::types::{LW_UNITS, Types, lw_types_json, lw_types_value, lw_types_xml};
use tam::{Document, ErrorKind, Limits, Table, TypeSet};
use test_support::Random;

/// A code and the kind of error that it stands for.
fn code(kind: ErrorKind) -> i32 {
    match kind {
        ErrorKind::Syntax => LW_SYNTAX,
        ErrorKind::Incomplete => LW_INCOMPLETE,
        ErrorKind::Limit => LW_LIMIT,
        ErrorKind::Schema => LW_SCHEMA,
        kind => panic!("{kind}"),
    }
}

fn sets() -> [(&'static TypeSet, &'static Types); 3] {
    [(TypeSet::VALUE, &lw_types_value), (TypeSet::JSON, &lw_types_json), (TypeSet::XML, &lw_types_xml)]
}

const NAMES: [&str; 12] = ["t", "dev", "status", "a b", "ü", "x0", "", "64th", "{['", "a\"b", "\\", "q:r"];

/// Those of [`NAMES`] that need no escapes in either format, one of them twice: their places and 2 are their codes.
const PLAIN: [&str; 7] = ["t", "dev", "status", "a b", "ü", "t", "x0"];

fn wanted() -> Vec<Name> {
    let names = PLAIN.iter().zip(2..);
    let mut list: Vec<Name> =
        names.map(|(name, code)| Name { name: name.as_ptr().cast(), len: name.len() as u16, code }).collect();
    list.push(Name { name: c"0\\0".as_ptr(), len: 3, code: -1 });
    list
}

/// The code of a name that is looked for from `due` on, and then from the first; the next one is due.
fn code_of(name: &[u8], due: &mut usize) -> i32 {
    let from = *due;
    let turn = (0..PLAIN.len()).map(|i| (from + i) % PLAIN.len());
    // Behind the last name the first is due.
    match turn.into_iter().find(|&i| PLAIN[i].as_bytes() == name) {
        Some(at) => {
            *due = at + 1;
            at as i32 + 2
        }
        None => 1,
    }
}

/// Without its escapes.
fn meant(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut bytes = name.iter();
    while let Some(&c) = bytes.next() {
        out.push(if c == b'\\' { *bytes.next().unwrap_or(&c) } else { c });
    }
    out
}

/// A made-up message of TSF.
fn tsf_message(random: &mut Random, types: &TypeSet) -> Vec<u8> {
    let of = |structured| types.characters().filter(|&c| types.is_structured(c) == structured).collect::<Vec<_>>();
    let (structured, primitive) = (of(true), of(false));
    let mut out = Vec::new();
    let mut owed = 1;
    while owed > 0 {
        owed -= 1;
        let inner = out.is_empty() || (owed < 20 && random.one_in(4));
        let number = if inner { random.below(6) } else { random.below_or(5, 6, 130) };
        owed += if inner { number } else { 0 };
        out.extend(number.to_string().bytes());
        if !random.one_in(4) {
            let name = random.of(&NAMES);
            if tam::needs_extended_form(name.as_bytes(), types) || random.one_in(20) {
                out.push(b'"');
                for c in name.bytes() {
                    if types.is_type(c) || c == b'"' || c == b'\\' {
                        out.push(b'\\');
                    }
                    out.push(c);
                }
            } else {
                out.extend(name.bytes());
            }
        }
        out.push(random.of(if inner { &structured } else { &primitive }));
        if !inner {
            out.extend((0..number).map(|_| random.of(b"0123456789abc-{[#'\x00\xFF")));
        }
    }
    out
}

/// A made-up message of PON.
fn pon_message(random: &mut Random, depth: usize) -> Vec<u8> {
    let with_length = |kind: u8, data: &[u8]| [data.len().to_string().as_bytes(), &[kind], data].concat();
    match random.below(if depth == 0 { 8 } else { 11 }) {
        0 => b"t".to_vec(),
        1 => b"f".to_vec(),
        2 => b"u".to_vec(),
        3 => [&b"c"[..], random.of(&["a", "é", "€", "😀"]).as_bytes()].concat(),
        4 => vec![b'b', random.next() as u8],
        5 => with_length(b'i', random.of(&["0", "-7", "2157", "1712345678", "99999999999999999999"]).as_bytes()),
        6 => with_length(b'd', random.of(&["21.50", "1e5", "NaN"]).as_bytes()),
        7 => with_length(random.of(b"sy"), &vec![b'x'; random.below_or(6, 6, 130)]),
        8 => {
            let data: Vec<u8> = (0..random.below(5)).flat_map(|_| pon_message(random, depth - 1)).collect();
            with_length(b'[', &data)
        }
        _ => {
            let member = |random: &mut Random| {
                let key = random.of(&NAMES).replace('\\', "\\\\").replace(':', "\\:");
                [key.as_bytes(), b":", &pon_message(random, depth - 1)].concat()
            };
            let data: Vec<u8> = (0..random.below(5)).flat_map(|_| member(random)).collect();
            with_length(b'{', &data)
        }
    }
}

/// Spoils a message: bytes changed, left out, put in, cut off; or leaves it as it is.
fn spoil(random: &mut Random, message: &mut Vec<u8>) {
    for _ in 0..random.below(4) {
        let at = random.below(message.len() + 1);
        let byte = random.of(b"0123456789:\\\"{['#<=stfuciy\x00\x7F\x80\xC3\xFF");
        match random.below(5) {
            0 if at < message.len() => message[at] = byte,
            1 if at < message.len() => drop(message.remove(at)),
            2 => message.insert(at, byte),
            3 if random.one_in(3) => message.truncate(at),
            _ if random.one_in(4) => {
                let number = random.of(&["4294967295", "4294967296", "429496728", "99999999999", "00"]);
                message.splice(at..at, number.bytes());
            }
            _ => {}
        }
    }
}

/// A message as C holds it: a block of its own, so that whoever reads beyond it is found out.
fn block(message: &[u8]) -> Box<[u8]> {
    message.into()
}

fn tsf_cursor(message: &[u8], types: &Types) -> (Tsf, i32) {
    let mut cursor = unsafe { zeroed() };
    let code = unsafe { lw_tsf_open(&mut cursor, message.as_ptr().cast(), message.len() as u32, types) };
    (cursor, code)
}

fn pon_cursor(message: &[u8]) -> (Pon, i32) {
    let mut cursor = unsafe { zeroed() };
    let code = unsafe { lw_pon_open(&mut cursor, message.as_ptr().cast(), message.len() as u32) };
    (cursor, code)
}

fn tsf_agrees(message: &[u8], types: &TypeSet, classes: &Types, table: &mut Table<'_>) -> bool {
    let message = block(message);
    let options = tsf::Options::new(types).with_limits(Limits::NONE);
    let (mut cursor, opened) = tsf_cursor(&message, classes);
    let mut walk = tsf_cursor(&message, classes).0;
    let mut rows = vec![unsafe { zeroed::<Row>() }; message.len() / 2 + 1];
    let answer =
        if opened < 0 { opened } else { unsafe { lw_tsf_rows(&mut cursor, rows.as_mut_ptr(), rows.len() as u32) } };
    let mut walked = opened;
    let mut units = 0;
    let (mut by_name, names, mut due) = (tsf_cursor(&message, classes).0, wanted(), 0);
    unsafe { lw_tsf_names(&mut by_name, names.as_ptr()) };
    while walked >= 0 {
        walked = unsafe { lw_tsf_next(&mut walk) };
        let named = unsafe { lw_tsf_next(&mut by_name) };
        assert_eq!(named.min(1), walked, "{}", shown(&message));
        if walked <= 0 {
            break;
        }
        let at = |cursor: &Tsf| {
            (cursor.at, cursor.owed, cursor.kind, cursor.name, cursor.name_len, cursor.value, cursor.len)
        };
        assert_eq!(at(&walk), at(&by_name), "{}", shown(&message));
        let name = unsafe { std::slice::from_raw_parts(walk.name.cast::<u8>(), walk.name_len as usize) };
        let extended = unsafe { *walk.name.wrapping_sub(1) } as u8 == b'"';
        let name = if extended { meant(name) } else { name.to_vec() };
        assert_eq!(named, code_of(&name, &mut due), "{}", shown(&message));
        units += 1;
    }
    let (mut cursor8, opened8) = tsf_cursor(&message, classes);
    let mut rows8 = vec![unsafe { zeroed::<Row8>() }; rows.len()];
    let answer8 = if opened8 < 0 {
        opened8
    } else {
        unsafe { lw_tsf_rows8(&mut cursor8, rows8.as_mut_ptr(), rows8.len() as u32) }
    };
    match tsf::read_prefix(&message, &options, table) {
        Ok((document, taken)) => {
            let expected = document.rows();
            assert_eq!((answer, walked, units), (expected.len() as i32, 0, expected.len()), "{}", shown(&message));
            assert_eq!(cursor.at, walk.at);
            assert_eq!(cursor.at as usize - message.as_ptr() as usize, taken, "{}", shown(&message));
            for (row, expected) in rows.iter().zip(expected) {
                let got = (row.tag as u8, row.name, row.tag >> 10, row.value, row.len);
                let flags = (row.tag & LW_ROW_STRUCTURED != 0, row.tag & LW_ROW_EXTENDED != 0);
                assert_eq!(flags, (expected.is_structured(), expected.has_extended_name()));
                let wanted =
                    (expected.kind(), expected.name_at(), expected.name_len(), expected.value_at(), expected.len());
                assert_eq!(got, wanted, "{}", shown(&message));
            }
            let long = expected.iter().any(|row| row.name_len() > 127);
            assert_eq!(answer8, if long { LW_LIMIT } else { answer });
            for (row, wide) in rows8.iter().zip(&rows[..expected.len()]).take_while(|_| !long) {
                assert_eq!(
                    (u32::from(row.name), u32::from(row.value), u32::from(row.len)),
                    (wide.name, wide.value, wide.len)
                );
                assert_eq!(u32::from(row.name_len & !LW_ROW8_EXTENDED), wide.tag >> 10);
                assert_eq!(row.name_len & LW_ROW8_EXTENDED != 0, wide.tag & LW_ROW_EXTENDED != 0);
                assert_eq!(
                    (row.kind & 0x7F, row.kind & LW_ROW8_STRUCTURED != 0),
                    (wide.tag as u8, wide.tag & 256 != 0)
                );
            }
            lookups_agree(&document, &message, &rows);
            true
        }
        Err(_) => {
            // What could never be whole is beyond a limit to `read_prefix`; the rest says how `read` calls it.
            let error = tsf::read(&message, &options, table).map(|_| ()).unwrap_err();
            assert_eq!((answer, walked), (code(error.kind()), code(error.kind())), "{error}: {}", shown(&message));
            false
        }
    }
}

fn lookups_agree(document: &Document<'_>, message: &[u8], rows: &[Row]) {
    let mut hint = 0;
    for name in NAMES {
        let wanted = CString::new(name).unwrap();
        let found = unsafe {
            lw_rows_find(rows.as_ptr(), message.as_ptr().cast(), 0, wanted.as_ptr(), name.len() as u32, &mut hint)
        };
        let is_it = |row: &&tam::Row| {
            let written = document.name(row);
            !written.is_none() && written.bytes().eq(name.bytes())
        };
        let of = &document.rows()[0];
        let children =
            if of.is_structured() { of.value_at() as usize..(of.value_at() + of.len()) as usize } else { 0..0 };
        let any = document.rows()[children.clone()].iter().find(is_it);
        if name.is_empty() {
            // A unit without a name answers to the empty one too: C has no other word for it.
            continue;
        }
        assert_eq!(found >= 0, any.is_some(), "{name} of {}", shown(message));
        if found >= 0 {
            assert!(children.contains(&(found as usize)));
            assert!(is_it(&&document.rows()[found as usize]));
            assert_eq!(hint, found as u32 + 1);
        }
    }
}

fn shown(message: &[u8]) -> String {
    message.escape_ascii().to_string()
}

fn tsf_spoiled(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let mut table = Table::new();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..count {
        let (types, classes) = random.of(&sets());
        let mut message = tsf_message(&mut random, types);
        spoil(&mut random, &mut message);
        *if tsf_agrees(&message, types, classes, &mut table) { &mut read } else { &mut refused } += 1;
    }
    assert!(read > count / 10 && refused > count / 10, "{read} read, {refused} refused");
}

#[test]
fn tsf_of_spoiled_messages_is_what_the_crate_says() {
    tsf_spoiled(1, 30_000);
}

#[test]
#[ignore = "long; make mutations"]
fn tsf_of_a_million_spoiled_messages() {
    tsf_spoiled(2, 1_000_000);
}

/// Kind, key, place of the data and bytes of it; of a container, its first row and how many there are.
type Found = (u8, Vec<u8>, usize, usize);

/// The rows of a message as a walk through the crate's cursor finds them, and the bytes it takes.
fn pon_rows_of(message: &[u8]) -> Result<(Vec<Found>, usize), ErrorKind> {
    let kind = |value: pon::Value<'_>| match value.kind() {
        pon::Kind::Null => b'u',
        pon::Kind::Boolean => value.data()[0],
        pon::Kind::Integer => b'i',
        pon::Kind::Float => b'd',
        pon::Kind::String => b's',
        pon::Kind::Binary => b'y',
        pon::Kind::Char => b'c',
        pon::Kind::Byte => b'b',
        pon::Kind::Array => b'[',
        pon::Kind::Object => b'{',
    };
    let (root, taken) = pon::Value::prefix(message).map_err(|error| error.kind())?;
    let mut values = vec![root];
    let mut rows = vec![(kind(root), Vec::new(), root.offset(), root.data().len())];
    let mut turn = 0;
    while turn < values.len() {
        let value = values[turn];
        let first = values.len();
        for member in value.members() {
            let (key, inner) = member.map_err(|error| error.kind())?;
            rows.push((kind(inner), key.written().into(), inner.offset(), inner.data().len()));
            values.push(inner);
        }
        for item in value.items() {
            let inner = item.map_err(|error| error.kind())?;
            rows.push((kind(inner), Vec::new(), inner.offset(), inner.data().len()));
            values.push(inner);
        }
        if value.kind().is_container() {
            (rows[turn].2, rows[turn].3) = (first, values.len() - first);
        }
        turn += 1;
    }
    Ok((rows, taken))
}

fn pon_agrees(message: &[u8]) -> bool {
    let message = block(message);
    let (mut cursor, opened) = pon_cursor(&message);
    let mut rows = vec![unsafe { zeroed::<Row>() }; message.len()];
    let answer =
        if opened < 0 { opened } else { unsafe { lw_pon_rows(&mut cursor, rows.as_mut_ptr(), rows.len() as u32) } };
    // The crate's cursor looks at keys whether they are UTF-8; for C that is another function.
    let key_of = |row: &Row| &message[row.name as usize..][..(row.tag >> 10) as usize];
    let is_utf8 = |key: &[u8]| unsafe { lw_is_utf8(key.as_ptr().cast(), key.len() as u32) } != 0;
    let good_keys = answer < 0 || rows[..answer as usize].iter().all(|row| is_utf8(key_of(row)));
    match pon_rows_of(&message) {
        Ok((expected, taken)) => {
            assert_eq!(answer, expected.len() as i32, "{}", shown(&message));
            assert!(good_keys);
            assert_eq!(cursor.at as usize - message.as_ptr() as usize, taken, "{}", shown(&message));
            for (row, (kind, key, value, len)) in rows.iter().zip(&expected) {
                assert_eq!((row.tag as u8, key_of(row)), (*kind, &key[..]), "{}", shown(&message));
                assert_eq!((row.value as usize, row.len as usize), (*value, *len), "{}", shown(&message));
                assert_eq!(row.tag & LW_ROW_EXTENDED != 0, key.contains(&b'\\'));
                assert_eq!(row.tag & LW_ROW_STRUCTURED != 0, matches!(kind, b'{' | b'['));
            }
            let mut rows8 = vec![unsafe { zeroed::<Row8>() }; message.len()];
            let answer8 = unsafe { lw_pon_rows8(&mut pon_cursor(&message).0, rows8.as_mut_ptr(), rows8.len() as u32) };
            let long = expected.iter().any(|(_, key, ..)| key.len() > 127);
            assert_eq!(answer8, if long { LW_LIMIT } else { answer });
            for (row, wide) in rows8.iter().zip(&rows[..expected.len()]).take_while(|_| !long) {
                assert_eq!((u32::from(row.value), u32::from(row.len)), (wide.value, wide.len));
                assert_eq!((row.kind & 0x7F, u32::from(row.name_len & 0x7F)), (wide.tag as u8, wide.tag >> 10));
            }
            pon_lookups_agree(&message);
            true
        }
        Err(kind) => {
            if answer >= 0 {
                assert!(!good_keys, "{kind}: {}", shown(&message));
                assert_eq!(kind, ErrorKind::Syntax);
            } else if answer != code(kind) {
                // A key that is none may stand before the fault, or at it.
                assert_eq!(kind, ErrorKind::Syntax, "{answer}: {}", shown(&message));
                let read = rows.iter().take_while(|row| row.tag != 0);
                let at_fault = unsafe { std::slice::from_raw_parts(cursor.key.cast::<u8>(), cursor.key_len as usize) };
                let good = read.map(key_of).chain([at_fault]).all(is_utf8);
                assert!(!good, "{answer}, {kind}: {}", shown(&message));
            }
            false
        }
    }
}

fn pon_lookups_agree(message: &[u8]) {
    let Ok((root, _)) = pon::Value::prefix(message) else { return };
    let (mut cursor, _) = pon_cursor(message);
    unsafe {
        assert_eq!(lw_pon_next(&mut cursor), 1);
        if root.kind() != pon::Kind::Object {
            return;
        }
        assert_eq!(lw_pon_enter(&cursor, &raw mut cursor), 0);
        for name in NAMES {
            let wanted = CString::new(name).unwrap();
            let found = lw_pon_find(&mut cursor, wanted.as_ptr(), name.len() as u32);
            let expected = root.get(name).unwrap();
            assert_eq!(found, i32::from(expected.is_some()), "{name} of {}", shown(message));
        }
    }
}

fn pon_spoiled(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..count {
        let mut message = pon_message(&mut random, 4);
        spoil(&mut random, &mut message);
        *if pon_agrees(&message) { &mut read } else { &mut refused } += 1;
    }
    assert!(read > count / 10 && refused > count / 10, "{read} read, {refused} refused");
}

#[test]
fn pon_of_spoiled_messages_is_what_the_crate_says() {
    pon_spoiled(1, 30_000);
}

#[test]
#[ignore = "long; make mutations"]
fn pon_of_a_million_spoiled_messages() {
    pon_spoiled(2, 1_000_000);
}

/// The integer a text is, by RFC 8259.
fn integer_of(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let sound =
        !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    sound.then(|| text.parse::<i128>().unwrap_or(i128::MAX))
}

fn number<T: Default>(read: unsafe extern "C" fn(*const c_char, u32, &mut T) -> i32, text: &str) -> Result<T, i32> {
    let mut value = T::default();
    let text = block(text.as_bytes());
    match unsafe { read(text.as_ptr().cast(), text.len() as u32, &mut value) } {
        0 => Ok(value),
        code => Err(code),
    }
}

#[test]
fn integers_are_read_or_said_not_to_fit() {
    let mut random = Random::new(7);
    let bounds = [
        "2147483647",
        "2147483648",
        "-2147483648",
        "-2147483649",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "0",
        "-0",
        "",
        "-",
        "00",
        "-01",
        "1.0",
        "+1",
    ];
    let made =
        (0..20_000).map(|_| (0..random.below(13)).map(|_| char::from(random.of(b"0123456789-."))).collect::<String>());
    for text in bounds.into_iter().map(String::from).chain(made) {
        let expected = integer_of(&text);
        let i32s = expected.ok_or(LW_SYNTAX).and_then(|value| i32::try_from(value).map_err(|_| LW_LIMIT));
        assert_eq!(number(lw_i32, &text), i32s, "{text}");
        let u32s = expected.ok_or(LW_SYNTAX).and_then(|value| u32::try_from(value).map_err(|_| LW_LIMIT));
        let i64s = expected.ok_or(LW_SYNTAX).and_then(|value| i64::try_from(value).map_err(|_| LW_LIMIT));
        assert_eq!(number(lw_i64, &text), i64s, "{text}");
        let u64s = expected.ok_or(LW_SYNTAX).and_then(|value| u64::try_from(value).map_err(|_| LW_LIMIT));
        let u64s = if text == "-0" { Err(LW_LIMIT) } else { u64s };
        assert_eq!(number(lw_u64, &text), u64s, "{text}");
        let u32s = if text == "-0" { Err(LW_LIMIT) } else { u32s };
        assert_eq!(number(lw_u32, &text), u32s, "{text}");
    }
}

#[test]
fn doubles_are_those_of_the_standard_library() {
    for text in ["0", "-0.5", "21.50", "1e300", "5e-324", "0.1", "123456789012345678901234567890", "NaN", "-Infinity"] {
        let read = number(lw_double, text).unwrap();
        assert_eq!(read.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
    }
    assert_eq!(number(lw_double, "1e400"), Err(LW_LIMIT));
    for text in ["", "inf", "nan", "+1", "1.", ".5", "1e", "01", "0x1", "1 "] {
        assert_eq!(number(lw_double, text), Err(LW_SYNTAX), "{text}");
    }
}

#[test]
fn decimals_are_scaled_exactly_or_refused() {
    let read = |text: &str, decimals| {
        let mut value = 77;
        let text = block(text.as_bytes());
        match unsafe { lw_fixed(text.as_ptr().cast(), text.len() as u32, decimals, &mut value) } {
            0 => Ok(value),
            code => Err((code, value)),
        }
    };
    for (text, decimals, expected) in [
        ("21.5", 2, 2150),
        ("21.50", 2, 2150),
        ("21.500000000000000", 2, 2150),
        ("-0.05", 2, -5),
        ("0", 9, 0),
        ("-0.0", 3, 0),
        ("0e9", 0, 0),
        ("1e3", 0, 1000),
        ("1.5E+1", 1, 150),
        ("250e-2", 1, 25),
        ("100", 0, 100),
        ("1000000000e-9", 0, 1),
        ("2147483.647", 3, i32::MAX),
        ("-2147483.648", 3, i32::MIN),
        ("0.001", 3, 1),
    ] {
        assert_eq!(read(text, decimals), Ok(expected), "{text}");
    }
    for (text, decimals, expected) in [
        ("21.505", 2, -5),
        ("1e-1", 0, -5),
        ("2147483.648", 3, LW_LIMIT),
        ("-2147483.649", 3, LW_LIMIT),
        ("1e10", 0, LW_LIMIT),
        ("99999999999", 0, LW_LIMIT),
        ("1e99999999999999999999", 0, LW_LIMIT),
        ("", 0, LW_SYNTAX),
        ("-", 0, LW_SYNTAX),
        (".5", 1, LW_SYNTAX),
        ("5.", 1, LW_SYNTAX),
        ("01", 0, LW_SYNTAX),
        ("00", 0, LW_SYNTAX),
        ("1e", 0, LW_SYNTAX),
        ("1e+", 0, LW_SYNTAX),
        ("1.2.3", 0, LW_SYNTAX),
        ("1x", 0, LW_SYNTAX),
        ("NaN", 0, LW_SYNTAX),
    ] {
        assert_eq!(read(text, decimals), Err((expected, 77)), "{text}");
    }
}

/// The struct of the tests of fields.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reading {
    dev: (usize, u32),
    raw: (usize, u32),
    ts: u32,
    t: i32,
    h: i16,
    p: u16,
    ok: u8,
    fixed: i32,
    deep: i32,
}

const UNTOUCHED: Reading =
    Reading { dev: (1, 1), raw: (1, 1), ts: 77, t: 77, h: 77, p: 77, ok: 77, fixed: 77, deep: 77 };

#[repr(C)]
struct Raw {
    dev: Text,
    raw: Text,
    ts: u32,
    t: i32,
    h: i16,
    p: u16,
    ok: u8,
    fixed: i32,
    deep: i32,
}

fn fields() -> Vec<Field> {
    let field = |name: &'static std::ffi::CStr, kind, offset: usize| Field {
        name: name.as_ptr(),
        offset: offset as u16,
        // The types stand behind the name.
        name_len: name.count_bytes() as u8 - 2,
        kind,
    };
    let end = || field(c"00", LW_END, 0);
    let fields = vec![
        field(c"dev's", LW_TEXT, std::mem::offset_of!(Raw, dev)),
        field(c"ts#i", LW_U32, std::mem::offset_of!(Raw, ts)),
        field(c"r{{", LW_OBJECT_OF, 0),
        field(c"t#i", LW_I32, std::mem::offset_of!(Raw, t)),
        field(c"h#i", LW_I16, std::mem::offset_of!(Raw, h)),
        field(c"in{{", LW_OBJECT_OF, 0),
        field(c"ts#i", LW_I32, std::mem::offset_of!(Raw, deep)),
        end(),
        field(c"p#i", LW_U16, std::mem::offset_of!(Raw, p)),
        end(),
        field(c"ok?t", LW_BOOL, std::mem::offset_of!(Raw, ok)),
        field(c"raw*y", LW_BYTES, std::mem::offset_of!(Raw, raw)),
        field(c"fixed%d", LW_FIXED2, std::mem::offset_of!(Raw, fixed)),
        end(),
    ];
    assert_eq!(unsafe { lw_check_fields(fields.as_ptr()) }, 0);
    fields
}

/// Whichever way a message is made, its member under a name of a field.
enum Made {
    Value(&'static str, u8, u8, String),
    Object(&'static str, Vec<Made>),
}

/// Members in an order, some left out, some unknown, some of another type.
fn members(random: &mut Random, level: usize) -> Vec<Made> {
    let value = |name, tsf, pon, text: &str| Made::Value(name, tsf, pon, text.into());
    let mut made = Vec::new();
    let integer = |random: &mut Random| {
        if !random.one_in(12) {
            "17".into()
        } else {
            random
                .of(&[
                    "0",
                    "5",
                    "-3",
                    "2157",
                    "65535",
                    "40000",
                    "-32768",
                    "1712345678",
                    "4294967295",
                    "4294967296",
                    "x",
                    "01",
                ])
                .to_string()
        }
    };
    let names: &[&'static str] = match level {
        0 => &["dev", "ts", "r", "ok", "raw", "fixed"],
        1 => &["t", "h", "in", "p"],
        _ => &["ts"],
    };
    for &name in names {
        if random.one_in(8) {
            continue;
        }
        if random.one_in(8) {
            made.push(random_unknown(random));
        }
        made.push(match name {
            "r" | "in" if !random.one_in(10) => Made::Object(name, members(random, level + 1)),
            "dev" | "ok" | "raw" if random.one_in(20) => value(name, b'~', b'u', ""),
            "dev" => value(name, b'\'', b's', random.of(&["eui", "", "ü"])),
            "raw" => value(name, b'*', b'y', "\0\u{1}"),
            "ok" => value(name, b'?', if random.one_in(2) { b't' } else { b'f' }, ""),
            "fixed" if random.one_in(2) => value(name, b'%', b'd', random.of(&["21.5", "1.005", "1e2"])),
            _ => Made::Value(name, b'#', b'i', integer(random)),
        });
    }
    if random.one_in(4) {
        for _ in 0..4 {
            let (a, b) = (random.below(made.len().max(1)), random.below(made.len().max(1)));
            if !made.is_empty() {
                made.swap(a, b);
            }
        }
    }
    made
}

fn random_unknown(random: &mut Random) -> Made {
    match random.below(3) {
        0 => Made::Value("other", b'#', b'i', "17".into()),
        1 => Made::Value("tsx", b'\'', b's', "x".into()),
        _ => Made::Object("more", vec![Made::Value("ts", b'#', b'i', "5".into()), Made::Object("r", vec![])]),
    }
}

fn in_tsf(made: &[Made], name: &str) -> Vec<u8> {
    let mut out = format!("{}{name}{{", made.len()).into_bytes();
    for member in made {
        match member {
            Made::Object(name, inner) => out.extend(in_tsf(inner, name)),
            Made::Value(name, tsf, pon, text) => {
                let text = if *tsf == b'?' { char::from(*pon).to_string() } else { text.clone() };
                out.extend(format!("{}{name}{}{text}", text.len(), char::from(*tsf)).bytes());
            }
        }
    }
    out
}

fn in_pon(made: &[Made]) -> Vec<u8> {
    let mut data = Vec::new();
    for member in made {
        match member {
            Made::Object(name, inner) => data.extend([name.as_bytes(), b":", &in_pon(inner)].concat()),
            Made::Value(name, _, pon @ (b't' | b'f' | b'u'), _) => {
                data.extend([name.as_bytes(), b":", &[*pon]].concat())
            }
            Made::Value(name, _, pon, text) => {
                data.extend(format!("{name}:{}{}{text}", text.len(), char::from(*pon)).bytes());
            }
        }
    }
    [data.len().to_string().as_bytes(), b"{", &data].concat()
}

/// What reading the members into the struct must give: the struct with places for texts, and how many were filled.
fn model(made: &[Made], level: usize, into: &mut Reading) -> Result<i32, i32> {
    let mut filled = 0;
    for member in made {
        let names: &[&str] = match level {
            0 => &["dev", "ts", "r", "ok", "raw", "fixed"],
            1 => &["t", "h", "in", "p"],
            _ => &["ts"],
        };
        match member {
            Made::Object(name, inner) => {
                if (level, *name) == (0, "r") || (level, *name) == (1, "in") {
                    filled += model(inner, level + 1, into)?;
                } else if names.contains(name) {
                    return Err(LW_SCHEMA);
                }
            }
            Made::Value(name, tsf, pon, text) => {
                if !names.contains(name) || *tsf == b'~' {
                    continue;
                }
                let whole = || integer_of(text).ok_or(LW_SYNTAX);
                fn fit<T: TryFrom<i128>>(value: i128) -> Result<T, i32> {
                    T::try_from(value).map_err(|_| LW_LIMIT)
                }
                match (level, *name) {
                    (0, "dev") if *tsf == b'\'' => into.dev = (0, text.len() as u32),
                    (0, "raw") if *tsf == b'*' => into.raw = (0, text.len() as u32),
                    (0, "ok") if *tsf == b'?' => into.ok = u8::from(*pon == b't'),
                    (0, "ts") => into.ts = fit(whole()?)?,
                    (1, "t") => into.t = fit(whole()?)?,
                    (1, "h") => into.h = fit(whole()?)?,
                    (1, "p") => into.p = fit(whole()?)?,
                    (2, "ts") => into.deep = fit(whole()?)?,
                    (0, "fixed") => {
                        into.fixed = match text.as_str() {
                            "21.5" => 2150,
                            "1e2" => 10000,
                            "1.005" => return Err(-5),
                            _ => fit(whole()? * 100)?,
                        }
                    }
                    _ => return Err(LW_SCHEMA),
                }
                filled += 1;
            }
        }
    }
    Ok(filled)
}

#[test]
fn structs_are_filled_whatever_the_order() {
    let mut random = Random::new(3);
    let fields = fields();
    let (mut good, mut bad) = (0, 0);
    for _ in 0..30_000 {
        let made = members(&mut random, 0);
        for in_which in 0..2 {
            let message = block(&if in_which == 0 { in_tsf(&made, "") } else { in_pon(&made) });
            let mut expected = UNTOUCHED;
            let wanted = model(&made, 0, &mut expected);
            let nothing = Text { data: std::ptr::dangling(), len: 1 };
            let mut got = Raw { dev: nothing, raw: nothing, ts: 77, t: 77, h: 77, p: 77, ok: 77, fixed: 77, deep: 77 };
            let into = (&raw mut got).cast();
            let code = unsafe {
                if in_which == 0 {
                    lw_tsf_decode(&mut tsf_cursor(&message, &lw_types_value).0, fields.as_ptr(), into)
                } else {
                    lw_pon_decode(&mut pon_cursor(&message).0, fields.as_ptr(), into)
                }
            };
            assert_eq!(code, wanted.unwrap_or_else(|code| code), "{}", shown(&message));
            if code < 0 {
                bad += 1;
                continue;
            }
            good += 1;
            let numbers = (got.ts, got.t, got.h, got.p, got.ok, got.fixed, got.deep);
            let wanted = (expected.ts, expected.t, expected.h, expected.p, expected.ok, expected.fixed, expected.deep);
            assert_eq!(numbers, wanted, "{}", shown(&message));
            assert_eq!((got.dev.len, got.raw.len), (expected.dev.1, expected.raw.1), "{}", shown(&message));
            let dev = made.iter().rev().find_map(|member| match member {
                Made::Value("dev", b'\'', _, text) => Some(text),
                _ => None,
            });
            if let Some(dev) = dev {
                let text = unsafe { std::slice::from_raw_parts(got.dev.data.cast::<u8>(), got.dev.len as usize) };
                assert_eq!(text, dev.as_bytes());
                assert!(message.as_ptr_range().contains(&got.dev.data.cast()) || dev.is_empty());
            }
        }
    }
    assert!(good > 10_000 && bad > 1_000, "{good} and {bad}");
}

#[test]
fn spoiled_messages_never_fill_what_the_crate_refuses() {
    let mut random = Random::new(4);
    let fields = fields();
    let mut table = Table::new();
    for _ in 0..60_000 {
        let made = members(&mut random, 0);
        let mut message = in_tsf(&made, "");
        spoil(&mut random, &mut message);
        let message = block(&message);
        let mut got: Raw = unsafe { zeroed() };
        let (mut cursor, opened) = tsf_cursor(&message, &lw_types_value);
        let code = match opened {
            0 => unsafe { lw_tsf_decode(&mut cursor, fields.as_ptr(), (&raw mut got).cast()) },
            opened => opened,
        };
        let options = tsf::Options::new(TypeSet::VALUE).with_limits(Limits::NONE);
        match tsf::read_prefix(&message, &options, &mut table) {
            Ok((_, taken)) if code >= 0 => {
                assert_eq!(cursor.at as usize - message.as_ptr() as usize, taken, "{}", shown(&message));
            }
            Ok(_) => {}
            Err(error) => assert!(code < 0, "{error}: {}", shown(&message)),
        }
        let message = block(&in_pon(&made));
        let mut spoiled = message.to_vec();
        spoil(&mut random, &mut spoiled);
        let message = block(&spoiled);
        let (mut cursor, opened) = pon_cursor(&message);
        if opened == 0 {
            unsafe { lw_pon_decode(&mut cursor, fields.as_ptr(), (&raw mut got).cast()) };
        }
    }
}

/// A message in buffers that end anywhere is what it is in one: units, names, data.
#[test]
fn messages_in_several_buffers_are_read_as_in_one() {
    let mut random = Random::new(11);
    let mut table = Table::new();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut message = tsf_message(&mut random, TypeSet::VALUE);
        spoil(&mut random, &mut message);
        let options = tsf::Options::new(TypeSet::VALUE).with_limits(Limits::NONE);
        let mut parts: Parts = unsafe { zeroed() };
        unsafe { lw_tsf_parts_open(&mut parts, &lw_types_value) };
        let (mut carried, mut at) = (Vec::new(), 0);
        let mut units: Vec<(u8, Vec<u8>, Vec<u8>)> = Vec::new();
        let code = 'message: loop {
            let next = (at + 1 + random.below_or(4, 4, 40)).min(message.len());
            if at == message.len() {
                break LW_INCOMPLETE;
            }
            let buffer = block(&[&carried[..], &message[at..next]].concat());
            at = next;
            unsafe { lw_tsf_parts_add(&mut parts, buffer.as_ptr().cast(), buffer.len() as u32) };
            loop {
                let code = unsafe { lw_tsf_parts_next(&mut parts) };
                let unit = &parts.unit;
                let bytes = |at: *const c_char, len: u32| match len {
                    0 => Vec::new(),
                    len => unsafe { std::slice::from_raw_parts(at.cast::<u8>(), len as usize) }.to_vec(),
                };
                match code {
                    1 => units.push((unit.kind as u8, bytes(unit.name, unit.name_len), bytes(unit.value, parts.here))),
                    2 => units.last_mut().unwrap().2.extend(bytes(unit.value, parts.here)),
                    LW_INCOMPLETE => {
                        carried = bytes(unit.at, (unit.end as usize - unit.at as usize) as u32);
                        break;
                    }
                    code => break 'message code,
                }
            }
        };
        match tsf::read_prefix(&message, &options, &mut table) {
            Ok((document, _)) => {
                assert_eq!(code, 0, "{}", shown(&message));
                let (mut cursor, _) = tsf_cursor(&message, &lw_types_value);
                let mut expected = Vec::new();
                while unsafe { lw_tsf_next(&mut cursor) } > 0 {
                    let text = |at: *const c_char, len: u32| {
                        message[at as usize - message.as_ptr() as usize..][..len as usize].to_vec()
                    };
                    let data = if cursor.holds == LW_UNITS { Vec::new() } else { text(cursor.value, cursor.len) };
                    expected.push((cursor.kind as u8, text(cursor.name, cursor.name_len), data));
                }
                assert_eq!(units.len(), document.units());
                assert_eq!(units, expected, "{}", shown(&message));
                read += 1;
            }
            Err(_) => {
                assert!(code < 0, "{}", shown(&message));
                refused += 1;
            }
        }
    }
    assert!(read > 2_000 && refused > 2_000, "{read} read, {refused} refused");
}

#[test]
fn units_are_terminated_where_they_stand() {
    let mut message = *b"3a{5room'attic2t#210{!";
    let (mut cursor, _) = tsf_cursor(&message, &lw_types_value);
    let text = |at: *const c_char| unsafe { std::ffi::CStr::from_ptr(at) }.to_bytes().to_vec();
    let mut seen = Vec::new();
    // The cursor points into the array, which is written to.
    cursor.at = message.as_mut_ptr().cast();
    cursor.end = cursor.at.wrapping_add(message.len() - 1);
    unsafe {
        while lw_tsf_next(&mut cursor) > 0 {
            lw_tsf_terminate(&mut cursor);
            seen.push((text(cursor.name), if cursor.holds == LW_UNITS { vec![] } else { text(cursor.value) }));
        }
    }
    let expected: [(&[u8], &[u8]); 4] = [(b"a", b""), (b"room", b"attic"), (b"t", b"21"), (b"", b"")];
    assert_eq!(seen, expected.map(|(a, b)| (a.to_vec(), b.to_vec())));
    assert_eq!(message[message.len() - 1], b'!');
}

#[test]
fn text_is_utf8_or_not() {
    let mut random = Random::new(9);
    for _ in 0..100_000 {
        let bytes: Vec<u8> = (0..random.below(6))
            .map(|_| {
                random.of(
                    b"a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF",
                )
            })
            .collect();
        let bytes = block(&bytes);
        let said = unsafe { lw_is_utf8(bytes.as_ptr().cast(), bytes.len() as u32) };
        assert_eq!(said, i32::from(std::str::from_utf8(&bytes).is_ok()), "{}", shown(&bytes));
    }
}

/// What the fuzzers have come upon, where they have run (`make fuzz`), and each of it cut off anywhere.
#[test]
fn what_the_fuzzers_found_is_answered_alike() {
    let mut table = Table::new();
    let mut seen = 0;
    for folder in ["tsf_read", "tsf_round", "pon_read", "pon_round"] {
        let path = format!("{}/../../fuzz/corpus/{folder}", env!("CARGO_MANIFEST_DIR"));
        let Ok(files) = std::fs::read_dir(&path) else { continue };
        for file in files {
            let input = std::fs::read(file.unwrap().path()).unwrap();
            // The targets take their choices from the first bytes.
            for message in [&input[..], input.get(1..).unwrap_or_default(), input.get(2..).unwrap_or_default()] {
                let message = &message[..message.len().min(5000)];
                for cut in [message.len(), message.len() / 2, message.len().saturating_sub(1)] {
                    for (types, classes) in sets() {
                        tsf_agrees(&message[..cut], types, classes, &mut table);
                    }
                    if cut > 0 {
                        pon_agrees(&message[..cut]);
                    }
                }
            }
            seen += 1;
        }
    }
    if seen == 0 {
        eprintln!("skipped: there is no fuzz/corpus, which make fuzz makes");
    }
}
