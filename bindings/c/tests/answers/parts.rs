//! Messages in several buffers.

use lengthwise_c::pon::parts::{PonParts, lw_pon_parts_add, lw_pon_parts_next, lw_pon_parts_open};
use lengthwise_c::tsf::parts::{Parts, lw_tsf_parts_add, lw_tsf_parts_next, lw_tsf_parts_open};

use super::*;

/// A message in buffers that end anywhere is what it is in one: units, names, data.
#[test]
fn messages_in_several_buffers_are_read_as_in_one() {
    let mut random = Random::new(11);
    let mut table = Table::new();
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds(20_000) {
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
    assert!(read > rounds(2_000) && refused > rounds(2_000), "{read} read, {refused} refused");
}

/// A value with its key, or the end of a container.
#[derive(Debug, PartialEq)]
enum Part {
    Value(u8, Vec<u8>, Vec<u8>),
    End,
}

/// A value and what is in it, one after the other.
fn parts_of(value: pon::Value<'_>, key: &[u8], into: &mut Vec<Part>) -> Result<(), ErrorKind> {
    let container = value.kind().is_container();
    let kind = match value.kind() {
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
    into.push(Part::Value(kind, key.into(), if container { Vec::new() } else { value.data().into() }));
    for member in value.members() {
        let (key, inner) = member.map_err(|error| error.kind())?;
        parts_of(inner, key.written().as_bytes(), into)?;
    }
    for item in value.items() {
        parts_of(item.map_err(|error| error.kind())?, b"", into)?;
    }
    if container {
        into.push(Part::End);
    }
    Ok(())
}

/// PON in buffers that end anywhere: keys, data, where containers end.
#[test]
fn values_in_several_buffers_are_read_as_in_one() {
    let mut random = Random::new(12);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds(20_000) {
        let mut message = pon_message(&mut random, 4);
        spoil(&mut random, &mut message);
        let mut parts: PonParts = unsafe { zeroed() };
        let mut open = [0; 5];
        unsafe { lw_pon_parts_open(&mut parts, open.as_mut_ptr(), open.len() as u32) };
        let (mut carried, mut at) = (Vec::new(), 0);
        let mut found: Vec<Part> = Vec::new();
        let code = 'message: loop {
            let next = (at + 1 + random.below_or(4, 4, 40)).min(message.len());
            if at == message.len() {
                break LW_INCOMPLETE;
            }
            let buffer = block(&[&carried[..], &message[at..next]].concat());
            at = next;
            unsafe { lw_pon_parts_add(&mut parts, buffer.as_ptr().cast(), buffer.len() as u32) };
            loop {
                let code = unsafe { lw_pon_parts_next(&mut parts) };
                let unit = &parts.unit;
                let bytes = |at: *const c_char, len: u32| match len {
                    0 => Vec::new(),
                    len => unsafe { std::slice::from_raw_parts(at.cast::<u8>(), len as usize) }.to_vec(),
                };
                match (code, found.last_mut()) {
                    (1, _) => found.push(Part::Value(
                        unit.kind as u8,
                        bytes(unit.key, unit.key_len),
                        bytes(unit.value, parts.here),
                    )),
                    (2, Some(Part::Value(_, _, data))) => data.extend(bytes(unit.value, parts.here)),
                    (3, _) => found.push(Part::End),
                    (LW_INCOMPLETE, _) => {
                        carried = bytes(unit.at, (unit.end as usize - unit.at as usize) as u32);
                        break;
                    }
                    (code, _) => break 'message code,
                }
            }
        };
        let mut expected = Vec::new();
        let whole = pon::Value::prefix(&message)
            .map_err(|error| error.kind())
            .and_then(|(root, _)| parts_of(root, b"", &mut expected));
        match whole {
            Ok(()) => {
                assert_eq!(code, 0, "{}", shown(&message));
                assert_eq!(found, expected, "{}", shown(&message));
                read += 1;
            }
            Err(kind) => {
                // The crate looks at keys whether they are UTF-8.
                let good = found.iter().all(|part| match part {
                    Part::Value(_, key, _) => std::str::from_utf8(key).is_ok(),
                    Part::End => true,
                });
                assert!(code < 0 || !good, "{kind}: {}", shown(&message));
                refused += 1;
            }
        }
    }
    assert!(read > rounds(2_000) && refused > rounds(2_000), "{read} read, {refused} refused");
}

#[test]
fn containers_have_room_or_are_refused() {
    let mut parts: PonParts = unsafe { zeroed() };
    let mut open = [0; 1];
    let message = b"5[2[1i";
    unsafe {
        lw_pon_parts_open(&mut parts, open.as_mut_ptr(), 1);
        lw_pon_parts_add(&mut parts, message.as_ptr().cast(), message.len() as u32);
        assert_eq!(lw_pon_parts_next(&mut parts), 1);
        assert_eq!(lw_pon_parts_next(&mut parts), LW_LIMIT);
    }
}
