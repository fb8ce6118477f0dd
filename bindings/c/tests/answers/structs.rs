//! Structs by a table of fields.

use lengthwise_c::codec::{Codec, lw_codec_64, lw_codec_array, lw_codec_fixed, lw_codec_optional};
use lengthwise_c::field::{
    Field, LW_BOOL, LW_BYTES, LW_CODED, LW_DETAIL, LW_DETAIL_MORE, LW_END, LW_FIXED2, LW_I16, LW_I32, LW_I64,
    LW_OBJECT_OF, LW_STRUCT, LW_TEXT, LW_U16, LW_U32, Text, lw_check_fields,
};
use lengthwise_c::out::{Out, lw_out_init};
use lengthwise_c::pon::typed::{lw_pon_decode, lw_pon_encode};
use lengthwise_c::pon::writer::lw_pon_finish;
use lengthwise_c::tsf::typed::{lw_tsf_decode, lw_tsf_encode};
use lengthwise_c::tsf::writer::lw_tsf_finish;

use super::numbers::integer_of;
use super::*;

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
    own: Own,
}

/// The fields that are read in one way alone.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Own {
    big: i64,
    list: [u16; CAPACITY],
    points: [Point; CAPACITY],
    mask: [u32; 2],
    count: u16,
    point_count: u16,
}

/// An item of an array of objects.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: i16,
    mask: u32,
}

/// Items that an array has room for.
const CAPACITY: usize = 3;

const UNTOUCHED: Reading = Reading {
    dev: (1, 1),
    raw: (1, 1),
    ts: 77,
    t: 77,
    h: 77,
    p: 77,
    ok: 77,
    fixed: 77,
    deep: 77,
    own: Own {
        big: 77,
        list: [77; CAPACITY],
        points: [Point { x: 77, mask: 0 }; CAPACITY],
        mask: [0; 2],
        count: 77,
        point_count: 77,
    },
};

#[repr(C)]
#[derive(Clone, Copy)]
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
    own: Own,
}

fn field(name: &'static std::ffi::CStr, kind: u8, offset: usize) -> Field {
    // The types follow the name.
    let types = if name.to_bytes().windows(2).any(|types| types == b"[[") { 4 } else { 2 };
    Field { name: name.as_ptr(), offset: offset as u16, name_len: name.count_bytes() as u8 - types, kind }
}

fn detail(codec: &'static Codec, offset: usize, number: u8) -> Field {
    Field { name: (&raw const *codec).cast(), offset: offset as u16, name_len: number, kind: LW_DETAIL }
}

fn items(fields: *const Field, size: usize) -> Field {
    Field { name: fields.cast(), offset: size as u16, name_len: 0, kind: LW_DETAIL_MORE }
}

/// The fields of the struct; those of its points come in front of them.
fn fields() -> (Vec<Field>, Vec<Field>) {
    let end = || field(c"000", LW_END, 0);
    let own = std::mem::offset_of!(Raw, own);
    let points = vec![
        field(c"x#i", LW_I16 | LW_CODED, std::mem::offset_of!(Point, x)),
        detail(&lw_codec_optional, std::mem::offset_of!(Point, mask), 3),
        end(),
    ];
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
        detail(&lw_codec_fixed, 0, 0),
        field(c"big#i", LW_I64, own + std::mem::offset_of!(Own, big)),
        detail(&lw_codec_optional, own + std::mem::offset_of!(Own, mask), 40),
        detail(&lw_codec_64, 0, 0),
        field(c"list[[#i", LW_U16 | LW_CODED, own + std::mem::offset_of!(Own, list)),
        detail(&lw_codec_optional, own + std::mem::offset_of!(Own, mask), 0),
        detail(&lw_codec_array, own + std::mem::offset_of!(Own, count), CAPACITY as u8),
        items(std::ptr::null(), size_of::<u16>()),
        field(c"points[[{{", LW_STRUCT, own + std::mem::offset_of!(Own, points)),
        detail(&lw_codec_array, own + std::mem::offset_of!(Own, point_count), CAPACITY as u8),
        items(points.as_ptr(), size_of::<Point>()),
        end(),
    ];
    assert_eq!(unsafe { lw_check_fields(points.as_ptr(), points.len() as u32) }, 0);
    assert_eq!(unsafe { lw_check_fields(fields.as_ptr(), fields.len() as u32) }, 0);
    (points, fields)
}

/// Whichever way a message is made, its member under a name of a field.
enum Made {
    Value(&'static str, u8, u8, String),
    Object(&'static str, Vec<Made>),
    /// Its items have no names.
    Array(&'static str, Vec<Made>),
}

const OUTER: [&str; 9] = ["dev", "ts", "r", "ok", "raw", "fixed", "big", "list", "points"];

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
        0 => &OUTER,
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
            "big" if random.one_in(20) => value(name, b'~', b'u', ""),
            "big" if random.one_in(2) => {
                value(name, b'#', b'i', random.of(&["-9223372036854775808", "9223372036854775808", "4294967296000"]))
            }
            "list" if !random.one_in(10) => {
                let count = random.below_or(5, CAPACITY + 1, CAPACITY + 3);
                let item = |random: &mut Random| {
                    if random.one_in(30) {
                        value("", b'\'', b's', "x")
                    } else {
                        Made::Value("", b'#', b'i', integer(random))
                    }
                };
                Made::Array(name, (0..count).map(|_| item(random)).collect())
            }
            "points" if !random.one_in(10) => {
                let point = |random: &mut Random| {
                    let mut point = Vec::new();
                    if random.one_in(3) {
                        point.push(random_unknown(random));
                    }
                    if !random.one_in(3) {
                        point.push(Made::Value("x", b'#', b'i', integer(random)));
                    }
                    if random.one_in(30) { Made::Array("", point) } else { Made::Object("", point) }
                };
                Made::Array(name, (0..random.below(CAPACITY + 1)).map(|_| point(random)).collect())
            }
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

fn in_tsf(made: &[Made], name: &str, kind: char) -> Vec<u8> {
    let mut out = format!("{}{name}{kind}", made.len()).into_bytes();
    for member in made {
        match member {
            Made::Object(name, inner) => out.extend(in_tsf(inner, name, '{')),
            Made::Array(name, inner) => out.extend(in_tsf(inner, name, '[')),
            Made::Value(name, tsf, pon, text) => {
                let text = if *tsf == b'?' { char::from(*pon).to_string() } else { text.clone() };
                out.extend(format!("{}{name}{}{text}", text.len(), char::from(*tsf)).bytes());
            }
        }
    }
    out
}

fn in_pon(made: &[Made], kind: char) -> Vec<u8> {
    let mut data = Vec::new();
    for member in made {
        let (Made::Object(name, _) | Made::Array(name, _) | Made::Value(name, ..)) = member;
        if kind == '{' {
            data.extend(format!("{name}:").bytes());
        }
        match member {
            Made::Object(_, inner) => data.extend(in_pon(inner, '{')),
            Made::Array(_, inner) => data.extend(in_pon(inner, '[')),
            Made::Value(_, _, pon @ (b't' | b'f' | b'u'), _) => data.push(*pon),
            Made::Value(_, _, pon, text) => data.extend(format!("{}{}{text}", text.len(), char::from(*pon)).bytes()),
        }
    }
    [format!("{}{kind}", data.len()).as_bytes(), &data].concat()
}

fn whole(text: &str) -> Result<i128, i32> {
    integer_of(text).ok_or(LW_SYNTAX)
}

fn fit<T: TryFrom<i128>>(value: i128) -> Result<T, i32> {
    T::try_from(value).map_err(|_| LW_LIMIT)
}

/// What reading an array of numbers must give.
fn model_list(items: &[Made], into: &mut Own) -> Result<(), i32> {
    into.count = 0;
    for (at, item) in items.iter().enumerate() {
        let Made::Value(_, b'#', _, text) = item else { return Err(LW_SCHEMA) };
        let place = into.list.get_mut(at).ok_or(LW_LIMIT)?;
        *place = fit(whole(text)?)?;
        into.count += 1;
    }
    into.mask[0] |= 1;
    Ok(())
}

/// What reading an array of objects must give.
fn model_points(items: &[Made], into: &mut Own) -> Result<(), i32> {
    into.point_count = 0;
    for (at, item) in items.iter().enumerate() {
        let Made::Object(_, members) = item else { return Err(LW_SCHEMA) };
        let point = into.points.get_mut(at).ok_or(LW_LIMIT)?;
        for member in members {
            if let Made::Value("x", _, _, text) = member {
                point.x = fit(whole(text)?)?;
                point.mask |= 1 << 3;
            }
        }
        into.point_count += 1;
    }
    Ok(())
}

/// What reading the members into the struct must give: the struct with places for texts, and how many were filled.
fn model(made: &[Made], level: usize, into: &mut Reading) -> Result<i32, i32> {
    let mut filled = 0;
    for member in made {
        let names: &[&str] = match level {
            0 => &OUTER,
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
            Made::Array(name, items) => {
                match *name {
                    "list" => model_list(items, &mut into.own)?,
                    "points" => model_points(items, &mut into.own)?,
                    _ => return Err(LW_SCHEMA),
                }
                filled += 1;
            }
            Made::Value(name, tsf, pon, text) => {
                if !names.contains(name) || *tsf == b'~' {
                    continue;
                }
                let whole = || whole(text);
                match (level, *name) {
                    (0, "dev") if *tsf == b'\'' => into.dev = (0, text.len() as u32),
                    (0, "raw") if *tsf == b'*' => into.raw = (0, text.len() as u32),
                    (0, "ok") if *tsf == b'?' => into.ok = u8::from(*pon == b't'),
                    (0, "ts") => into.ts = fit(whole()?)?,
                    (1, "t") => into.t = fit(whole()?)?,
                    (1, "h") => into.h = fit(whole()?)?,
                    (1, "p") => into.p = fit(whole()?)?,
                    (2, "ts") => into.deep = fit(whole()?)?,
                    (0, "big") => {
                        into.own.big = fit(whole()?)?;
                        into.own.mask[1] |= 1 << 8;
                    }
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
    let (_points, fields) = fields();
    let (mut good, mut bad) = (0, 0);
    for _ in 0..rounds(30_000) {
        let made = members(&mut random, 0);
        for in_which in 0..2 {
            let message = block(&if in_which == 0 { in_tsf(&made, "", '{') } else { in_pon(&made, '{') });
            let mut expected = UNTOUCHED;
            let wanted = model(&made, 0, &mut expected);
            let nothing = Text { data: std::ptr::dangling(), len: 1 };
            let own = UNTOUCHED.own;
            let mut got =
                Raw { dev: nothing, raw: nothing, ts: 77, t: 77, h: 77, p: 77, ok: 77, fixed: 77, deep: 77, own };
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
            assert_eq!(got.own, expected.own, "{}", shown(&message));
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
            if got.own.count <= CAPACITY as u16 && got.own.point_count <= CAPACITY as u16 && got.raw.len != 1 {
                got.ok = u8::from(got.ok == 1);
                if dev.is_none() {
                    got.dev = Text { data: c"".as_ptr(), len: 0 };
                }
                written_is_read(&mut got, &fields);
            }
        }
    }
    assert!(good > rounds(10_000) && bad > rounds(1_000), "{good} and {bad}");
}

/// What is written of a struct is what the crates read, and it is the same struct again, in both formats.
fn written_is_read(got: &mut Raw, fields: &[Field]) {
    for in_which in 0..2 {
        let mut buffer = [0u8; 600];
        let mut out: Out = unsafe { zeroed() };
        unsafe { lw_out_init(&mut out, buffer.as_mut_ptr().cast(), buffer.len() as u32) };
        let mut again = Raw { own: Own { mask: [0; 2], ..got.own }, ..*got };
        for point in &mut again.own.points {
            point.mask = 0;
        }
        let from = (&raw const *got).cast();
        let mut start: *const c_char = buffer.as_ptr().cast();
        let len = unsafe {
            if in_which == 0 {
                lw_tsf_encode(&mut out, fields.as_ptr(), from);
                lw_tsf_finish(&out)
            } else {
                lw_pon_encode(&mut out, fields.as_ptr(), from);
                lw_pon_finish(&out, &mut start)
            }
        };
        assert!(len > 0);
        let message = block(unsafe { std::slice::from_raw_parts(start.cast(), len as usize) });
        let mut table = Table::new();
        let into = (&raw mut again).cast();
        let filled = unsafe {
            if in_which == 0 {
                tsf::read(&message, &tsf::Options::new(TypeSet::VALUE), &mut table).unwrap();
                lw_tsf_decode(&mut tsf_cursor(&message, &lw_types_value).0, fields.as_ptr(), into)
            } else {
                pon::read(&message, &pon::Options::default(), &mut table).unwrap();
                lw_pon_decode(&mut pon_cursor(&message).0, fields.as_ptr(), into)
            }
        };
        assert!(filled >= 0, "{}", shown(&message));
        for point in &mut again.own.points[usize::from(got.own.point_count)..] {
            point.mask = 0;
        }
        let used = usize::from(got.own.point_count);
        assert_eq!(again.own.points[..used], got.own.points[..used], "{}", shown(&message));
        assert_eq!((again.own.big, again.own.mask), (got.own.big, got.own.mask), "{}", shown(&message));
        assert_eq!((again.own.list, again.own.count), (got.own.list, got.own.count), "{}", shown(&message));
        assert_eq!((again.fixed, again.ts, again.deep), (got.fixed, got.ts, got.deep), "{}", shown(&message));
    }
}

#[test]
fn spoiled_messages_never_fill_what_the_crate_refuses() {
    let mut random = Random::new(4);
    let (_points, fields) = fields();
    let mut table = Table::new();
    for _ in 0..rounds(60_000) {
        let made = members(&mut random, 0);
        let mut message = in_tsf(&made, "", '{');
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
        let message = block(&in_pon(&made, '{'));
        let mut spoiled = message.to_vec();
        spoil(&mut random, &mut spoiled);
        let message = block(&spoiled);
        let (mut cursor, opened) = pon_cursor(&message);
        if opened == 0 {
            unsafe { lw_pon_decode(&mut cursor, fields.as_ptr(), (&raw mut got).cast()) };
        }
    }
}
