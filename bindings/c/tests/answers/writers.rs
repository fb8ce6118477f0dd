//! What the writers write, in buffers of every size: the message where it fits, and otherwise its size, with no byte
//! outside of the buffer.

use std::ffi::c_char;
use std::ptr::null;

use lengthwise_c::code::{LW_LIMIT, LW_UNSUPPORTED};
use lengthwise_c::gather::{Gather, Piece, lw_gather_init, lw_pon_gathered, lw_pon_put_borrowed};
use lengthwise_c::out::{Out, lw_out_init};
use lengthwise_c::pon::writer::{
    lw_pon_end, lw_pon_finish, lw_pon_put, lw_pon_put_container, lw_pon_put_fixed, lw_pon_put_i32, lw_pon_put_u32,
    lw_pon_put_word,
};
use lengthwise_c::tsf::writer::{
    lw_tsf_finish, lw_tsf_put, lw_tsf_put_fixed, lw_tsf_put_i32, lw_tsf_put_u32, lw_tsf_put_units,
};
use std::mem::zeroed;
use test_support::{Random, rounds, stride};

/// A value, without its key.
#[derive(Clone)]
enum Value {
    I32(i32),
    U32(u32),
    Fixed(i32, u32),
    Word(u8),
    Text(Vec<u8>),
    Object(Vec<(String, Value)>),
}

fn random_value(random: &mut Random, depth: usize) -> Value {
    // Numbers of all widths.
    let number = random.next() as u32 >> random.below(32);
    match random.below(if depth == 0 { 5 } else { 6 }) {
        0 => Value::I32(if random.one_in(9) { i32::MIN } else { number as i32 }),
        1 => Value::U32(number),
        2 => Value::Fixed(number as i32, random.below(10) as u32),
        3 => Value::Word(random.of(b"tf")),
        4 => Value::Text((0..random.below_or(12, 9, 1100)).map(|_| random.next() as u8).collect()),
        _ => Value::Object(random_members(random, depth - 1)),
    }
}

fn random_members(random: &mut Random, depth: usize) -> Vec<(String, Value)> {
    let key = |random: &mut Random| random.of(&["", "t", "lux", "a longer name for it"]).to_string();
    (0..random.below(5)).map(|_| (key(random), random_value(random, depth))).collect()
}

/// A fixed number as text: divided in 64 bits.
fn fixed(value: i32, decimals: u32) -> String {
    let (magnitude, power) = (i64::from(value).abs(), 10i64.pow(decimals));
    let fraction = format!(".{:0width$}", magnitude % power, width = decimals as usize);
    let fraction = if decimals == 0 { "" } else { &fraction };
    format!("{}{}{fraction}", if value < 0 { "-" } else { "" }, magnitude / power)
}

/// A unit of TSF, after the format's description.
fn in_tsf(name: &str, value: &Value) -> Vec<u8> {
    let (kind, data) = match value {
        Value::I32(value) => ('#', value.to_string().into_bytes()),
        Value::U32(value) => ('#', value.to_string().into_bytes()),
        Value::Fixed(value, decimals) => ('%', fixed(*value, *decimals).into_bytes()),
        Value::Word(word) => ('?', vec![*word]),
        Value::Text(text) => ('\'', text.clone()),
        Value::Object(members) => {
            let units: Vec<u8> = members.iter().flat_map(|(name, value)| in_tsf(name, value)).collect();
            return [format!("{}{name}{{", members.len()).into_bytes(), units].concat();
        }
    };
    [format!("{}{name}{kind}", data.len()).into_bytes(), data].concat()
}

/// A value of PON, after the format's description.
fn in_pon(value: &Value) -> Vec<u8> {
    let (kind, data) = match value {
        Value::I32(value) => ('i', value.to_string().into_bytes()),
        Value::U32(value) => ('i', value.to_string().into_bytes()),
        Value::Fixed(value, decimals) => ('d', fixed(*value, *decimals).into_bytes()),
        Value::Word(word) => return vec![*word],
        Value::Text(text) => ('s', text.clone()),
        Value::Object(members) => {
            let member = |(key, value): &(String, Value)| [key.as_bytes(), b":", &in_pon(value)].concat();
            ('{', members.iter().flat_map(member).collect())
        }
    };
    [format!("{}{kind}", data.len()).into_bytes(), data].concat()
}

unsafe fn write_tsf(out: &mut Out, name: &str, value: &Value) {
    let kind = match value {
        Value::I32(_) | Value::U32(_) => '#',
        Value::Fixed(..) => '%',
        Value::Word(_) => '?',
        Value::Text(_) => '\'',
        Value::Object(_) => '{',
    };
    let full = format!("{name}{kind}");
    let (name, len) = (full.as_ptr().cast(), full.len() as u32);
    unsafe {
        match value {
            Value::I32(value) => lw_tsf_put_i32(out, name, len, *value),
            Value::U32(value) => lw_tsf_put_u32(out, name, len, *value),
            Value::Fixed(value, decimals) => lw_tsf_put_fixed(out, name, len, *value, *decimals),
            Value::Word(word) => lw_tsf_put(out, name, len, (&raw const *word).cast(), 1),
            Value::Text(text) => lw_tsf_put(out, name, len, text.as_ptr().cast(), text.len() as u32),
            Value::Object(members) => {
                lw_tsf_put_units(out, name, len, members.len() as u32);
                for (name, value) in members {
                    write_tsf(out, name, value);
                }
            }
        }
    }
}

unsafe fn write_pon(out: &mut Out, key: Option<&str>, value: &Value) {
    let (key, len) = key.map_or((null(), 0), |key| (key.as_ptr().cast::<c_char>(), key.len() as u32));
    unsafe {
        match value {
            Value::I32(value) => lw_pon_put_i32(out, key, len, *value),
            Value::U32(value) => lw_pon_put_u32(out, key, len, *value),
            Value::Fixed(value, decimals) => lw_pon_put_fixed(out, key, len, *value, *decimals),
            Value::Word(word) => lw_pon_put_word(out, key, len, *word as _),
            Value::Text(text) => lw_pon_put(out, key, len, b's' as _, text.as_ptr().cast(), text.len() as u32),
            Value::Object(members) => {
                let end = lw_pon_end(out);
                for (key, value) in members.iter().rev() {
                    write_pon(out, Some(key), value);
                }
                lw_pon_put_container(out, key, len, b'{' as _, end);
            }
        }
    }
}

/// Lets `write` write into buffers that are too small, just large enough and larger.
fn in_buffers(expected: &[u8], from_end: bool, mut write: impl FnMut(&mut Out) -> i32) {
    const MARGIN: usize = 32;
    let len = expected.len();
    for capacity in (0..len.min(70)).chain(len.saturating_sub(40)..len + 40).step_by(stride(11)) {
        let mut memory = vec![0xA5; MARGIN + capacity + MARGIN];
        let mut out = unsafe { zeroed() };
        unsafe { lw_out_init(&mut out, memory[MARGIN..].as_mut_ptr().cast(), capacity as u32) };
        let code = write(&mut out);
        assert_eq!(out.len as usize, len, "in {capacity}");
        let inside = &memory[MARGIN..MARGIN + capacity];
        if len <= capacity {
            assert_eq!(code, len as i32);
            assert_eq!(if from_end { &inside[capacity - len..] } else { &inside[..len] }, expected);
        } else {
            assert_eq!(code, LW_LIMIT);
        }
        let outside = memory[..MARGIN].iter().chain(&memory[MARGIN + capacity..]);
        assert!(outside.copied().all(|byte| byte == 0xA5), "outside of {capacity}");
    }
}

#[test]
fn messages_are_written_into_buffers_of_every_size() {
    let random = &mut Random::new(0x0B5E_55ED);
    for _ in 0..rounds(if cfg!(debug_assertions) { 300 } else { 5000 }) {
        let value = Value::Object(random_members(random, 3));
        in_buffers(&in_tsf("", &value), false, |out| unsafe {
            write_tsf(out, "", &value);
            lw_tsf_finish(out)
        });
        in_buffers(&in_pon(&value), true, |out| unsafe {
            write_pon(out, None, &value);
            lw_pon_finish(out, &mut null())
        });
    }
}

#[test]
fn numbers_of_every_width_are_written() {
    let mut numbers: Vec<u32> = (0..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect();
    numbers.extend((0..10).flat_map(|power| [10u32.pow(power) - 1, 10u32.pow(power), 10u32.pow(power) + 1]));
    numbers.push(u32::MAX);
    for number in numbers.into_iter().step_by(stride(5)) {
        for value in [Value::U32(number), Value::I32(number as i32), Value::I32((number as i32).wrapping_neg())] {
            in_buffers(&in_tsf("n", &value), false, |out| unsafe {
                write_tsf(out, "n", &value);
                lw_tsf_finish(out)
            });
            in_buffers(&in_pon(&value), true, |out| unsafe {
                write_pon(out, None, &value);
                lw_pon_finish(out, &mut null())
            });
        }
    }
}

/// A head says the length of data that lies elsewhere, however long it is said to be.
#[test]
fn lengths_of_borrowed_payloads_are_written() {
    for len in [0u32, 9, 10, 99_999, 1 << 30] {
        let mut buffer = [0u8; 24];
        unsafe {
            let (mut out, mut gather): (Out, Gather) = (zeroed(), zeroed());
            let mut pieces = [Piece { data: null(), len: 0 }; 3];
            lw_out_init(&mut out, buffer.as_mut_ptr().cast(), 24);
            lw_gather_init(&mut gather, pieces.as_mut_ptr(), 3);
            lw_pon_put_i32(&mut out, c"n".as_ptr(), 1, -5);
            lw_pon_put_borrowed(&mut out, &mut gather, c"img".as_ptr(), 3, b'y' as _, b"...".as_ptr().cast(), len);
            assert_eq!(lw_pon_finish(&out, &mut null()), if len == 0 { out.len as i32 } else { LW_UNSUPPORTED });
            assert_eq!(lw_pon_gathered(&mut out, &mut gather), 3);
            let bytes = |piece: Piece| std::slice::from_raw_parts(piece.data.cast::<u8>(), piece.len);
            assert_eq!(bytes(pieces[0]), format!("img:{len}y").as_bytes());
            assert_eq!(pieces[1].len, len as usize);
            assert_eq!(bytes(pieces[2]), b"n:2i-5");
        }
    }
}
