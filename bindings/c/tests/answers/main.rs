//! What the functions for C answer is what the crates `tsf` and `pon` answer, of sound messages and of spoiled ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

mod block;
mod numbers;
mod parts;
mod structs;
mod writers;

use std::ffi::{CString, c_char};
use std::mem::zeroed;

use lengthwise_c::bytes::{Name, lw_is_utf8};
use lengthwise_c::code::{LW_INCOMPLETE, LW_LIMIT, LW_SCHEMA, LW_SYNTAX};
use lengthwise_c::pon::cursor::{Pon, lw_pon_enter, lw_pon_find, lw_pon_names, lw_pon_next, lw_pon_open};
use lengthwise_c::pon::rows::{lw_pon_rows, lw_pon_rows8};
use lengthwise_c::row::{
    LW_ROW_EXTENDED, LW_ROW_STRUCTURED, LW_ROW8_EXTENDED, LW_ROW8_STRUCTURED, Row, Row8, lw_rows_find,
};
use lengthwise_c::tsf::cursor::{Tsf, lw_tsf_names, lw_tsf_next, lw_tsf_open, lw_tsf_terminate};
use lengthwise_c::tsf::rows::{lw_tsf_rows, lw_tsf_rows8};
use lengthwise_c::types::{LW_UNITS, Types, lw_types_json, lw_types_value, lw_types_xml};
use tam::{Document, ErrorKind, Limits, Table, TypeSet};
use test_support::{Random, rounds};

/// A code and the kind of error it represents.
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

const NAMES: [&str; 13] = ["t", "dev", "status", "a b", "ü", "x0", "", "64th", "{['", "a\"b", "\\", "q:r", "\"q:r"];

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
    // After the last name the first is due.
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

/// A message as C holds it. The byte after it cannot be read, so reading beyond it is detected.
fn block(message: &[u8]) -> block::Block {
    block::Block::new(message)
}

fn tsf_cursor(message: &[u8], types: &Types) -> (Tsf, i32) {
    let mut cursor: Tsf = unsafe { zeroed() };
    let code = unsafe { lw_tsf_open(&mut cursor, message.as_ptr().cast(), message.len() as u32, types) };
    // As the header does in C.
    (cursor, code)
}

fn pon_cursor(message: &[u8]) -> (Pon, i32) {
    let mut cursor: Pon = unsafe { zeroed() };
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
                let wanted = (
                    expected.kind(),
                    expected.name_at() + quote(expected),
                    name_len(expected),
                    expected.value_at(),
                    expected.len(),
                );
                assert_eq!(got, wanted, "{}", shown(&message));
            }
            let long = expected.iter().any(|row| name_len(row) > 127);
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

/// The number of quotes before a name, which are not part of it in C.
fn quote(row: &tam::Row) -> u32 {
    row.has_extended_name().into()
}

fn name_len(row: &tam::Row) -> u32 {
    row.name_len() - quote(row)
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
    tsf_spoiled(1, rounds(30_000));
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
    pon_names_agree(&message);
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
            pon_lookups_agree(&message, &rows);
            true
        }
        Err(kind) => {
            if answer >= 0 {
                assert!(!good_keys, "{kind}: {}", shown(&message));
                assert_eq!(kind, ErrorKind::Syntax);
            } else if answer != code(kind) {
                // An invalid key may precede the error, or be at it.
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

/// The members of the outermost object are found alike, whether their keys are looked for or not.
fn pon_names_agree(message: &[u8]) {
    let (mut walk, mut by_name, names, mut due) = (pon_cursor(message).0, pon_cursor(message).0, wanted(), 0);
    unsafe {
        if lw_pon_next(&mut walk) != 1 || lw_pon_enter(&walk, &mut by_name) != 0 {
            return;
        }
        walk = by_name;
        lw_pon_names(&mut by_name, names.as_ptr());
        loop {
            let (plain, named) = (lw_pon_next(&mut walk), lw_pon_next(&mut by_name));
            assert_eq!(named.min(1), plain, "{}", shown(message));
            if plain <= 0 {
                return;
            }
            let at = |c: &Pon| (c.at, c.kind, c.key, c.key_len, c.value, c.len);
            assert_eq!(at(&walk), at(&by_name), "{}", shown(message));
            if walk.inside as u8 == b'{' {
                let key = std::slice::from_raw_parts(walk.key.cast::<u8>(), walk.key_len as usize);
                assert_eq!(named, code_of(&meant(key), &mut due), "{}", shown(message));
            }
        }
    }
}

fn pon_lookups_agree(message: &[u8], rows: &[Row]) {
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
            let mut hint = 0;
            let (rows, len) = (rows.as_ptr(), name.len() as u32);
            let found = lw_rows_find(rows, message.as_ptr().cast(), 0, wanted.as_ptr(), len, &mut hint);
            assert_eq!(found > 0, expected.is_some(), "{name} of {}", shown(message));
        }
    }
}

#[test]
fn a_cursor_of_pon_that_was_refused_has_no_rows() {
    let empty = block(b"");
    let (mut cursor, opened) = pon_cursor(&empty);
    assert_eq!(opened, LW_INCOMPLETE);
    let mut rows = [Row { tag: 7, name: 7, value: 7, len: 7 }; 3];
    assert_eq!(unsafe { lw_pon_rows(&mut cursor, rows.as_mut_ptr().wrapping_add(1), 1) }, 0);
    for row in [rows[0], rows[2]] {
        assert_eq!((row.tag, row.name, row.value, row.len), (7, 7, 7, 7));
    }
}

/// Also if a key equals the placeholder name that no unit has.
#[test]
fn keys_longer_than_any_that_is_looked_for_are_not_found() {
    let message = block(b"6{0\\\\0:t");
    let (mut cursor, opened) = pon_cursor(&message);
    assert_eq!(opened, 0);
    let long = vec![b'0'; 1 << 16];
    unsafe {
        assert_eq!((lw_pon_next(&mut cursor), lw_pon_enter(&cursor, &raw mut cursor)), (1, 0));
        let at = cursor.at;
        assert_eq!((lw_pon_find(&mut cursor, long.as_ptr().cast(), long.len() as u32), cursor.at), (0, at));
        assert_eq!(lw_pon_find(&mut cursor, c"0\\0".as_ptr(), 3), 1);
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
    pon_spoiled(1, rounds(30_000));
}

#[test]
#[ignore = "long; make mutations"]
fn pon_of_a_million_spoiled_messages() {
    pon_spoiled(2, 1_000_000);
}

#[test]
fn units_are_terminated_in_place() {
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
    for _ in 0..rounds(100_000) {
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

/// What the fuzzers have come upon, where they have run (`make fuzz`), or start from (`make sanitize-c`), and each of it
/// cut off.
#[test]
#[cfg_attr(miri, ignore = "Miri reads no files")]
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
        test_support::skipped("there is no fuzz/corpus, which make fuzz makes");
    }
}
