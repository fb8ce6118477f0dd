//! The messages of the proof through postcard, and through minicbor with text for keys.
#![no_std]

use core::slice;

#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The structs of ../../proof.h.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    data: *const u8,
    len: u32,
}

#[repr(C)]
pub struct Readings {
    t: i32,
    h: i32,
    p: i32,
    lux: i32,
    co2: i32,
    acc: i32,
}

#[repr(C)]
pub struct Status {
    ok: bool,
    batt: i32,
    rssi: i32,
    up: u32,
    fw: Text,
}

#[repr(C)]
pub struct M1 {
    dev: Text,
    ts: u32,
    r: Readings,
    status: Status,
    note: Text,
}

#[repr(C)]
pub struct M2 {
    dev: Text,
    ts: u32,
    seq: u32,
    img: Text,
    crc: u32,
}

impl Text {
    fn of(text: &[u8]) -> Text {
        Text { data: text.as_ptr(), len: text.len() as u32 }
    }

    #[allow(dead_code)]
    unsafe fn bytes<'a>(self) -> &'a [u8] {
        unsafe { slice::from_raw_parts(self.data, self.len as usize) }
    }

    #[allow(dead_code)]
    unsafe fn text<'a>(self) -> &'a str {
        unsafe { core::str::from_utf8_unchecked(self.bytes()) }
    }
}

unsafe fn message<'a>(at: *const u8, len: u32) -> &'a [u8] {
    unsafe { slice::from_raw_parts(at, len as usize) }
}

#[cfg(feature = "postcard")]
mod positional {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    struct R(i32, i32, i32, i32, i32, i32);
    #[derive(Serialize, Deserialize)]
    struct S<'a>(bool, i32, i32, u32, &'a str);
    #[derive(Serialize, Deserialize)]
    struct One<'a>(#[serde(borrow)] &'a str, u32, R, #[serde(borrow)] S<'a>, &'a str);
    #[derive(Serialize, Deserialize)]
    struct Two<'a>(#[serde(borrow)] &'a str, u32, u32, #[serde(borrow)] &'a serde_bytes::Bytes, u32);

    #[unsafe(no_mangle)]
    unsafe extern "C" fn decode1(at: *const u8, len: u32, into: &mut M1) -> i32 {
        let Ok(one) = postcard::from_bytes::<One<'_>>(unsafe { message(at, len) }) else { return -1 };
        let (r, s) = (one.2, one.3);
        into.dev = Text::of(one.0.as_bytes());
        into.ts = one.1;
        into.r = Readings { t: r.0, h: r.1, p: r.2, lux: r.3, co2: r.4, acc: r.5 };
        into.status = Status { ok: s.0, batt: s.1, rssi: s.2, up: s.3, fw: Text::of(s.4.as_bytes()) };
        into.note = Text::of(one.4.as_bytes());
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn decode2(at: *const u8, len: u32, into: &mut M2) -> i32 {
        let Ok(two) = postcard::from_bytes::<Two<'_>>(unsafe { message(at, len) }) else { return -1 };
        *into = M2 { dev: Text::of(two.0.as_bytes()), ts: two.1, seq: two.2, img: Text::of(two.3), crc: two.4 };
        0
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn encode1(m: &M1, out: &mut *mut u8, capacity: u32) -> u32 {
        unsafe {
            let (r, s) = (&m.r, &m.status);
            let one = One(
                m.dev.text(),
                m.ts,
                R(r.t, r.h, r.p, r.lux, r.co2, r.acc),
                S(s.ok, s.batt, s.rssi, s.up, s.fw.text()),
                m.note.text(),
            );
            let buffer = slice::from_raw_parts_mut(*out, capacity as usize);
            postcard::to_slice(&one, buffer).map_or(0, |written| written.len() as u32)
        }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn encode2(m: &M2, out: &mut *mut u8, capacity: u32) -> u32 {
        unsafe {
            let two = Two(m.dev.text(), m.ts, m.seq, serde_bytes::Bytes::new(m.img.bytes()), m.crc);
            let buffer = slice::from_raw_parts_mut(*out, capacity as usize);
            postcard::to_slice(&two, buffer).map_or(0, |written| written.len() as u32)
        }
    }
}

#[cfg(feature = "minicbor")]
mod by_text {
    use super::*;
    use minicbor::decode::{Decoder, Error};

    fn one(bytes: &[u8], into: &mut M1) -> Result<(), Error> {
        let mut d = Decoder::new(bytes);
        let members = d.map()?.unwrap_or(0);
        for _ in 0..members {
            match d.str()? {
                "dev" => into.dev = Text::of(d.str()?.as_bytes()),
                "ts" => into.ts = d.u32()?,
                "r" => {
                    for _ in 0..d.map()?.unwrap_or(0) {
                        match d.str()? {
                            "t" => into.r.t = d.i32()?,
                            "h" => into.r.h = d.i32()?,
                            "p" => into.r.p = d.i32()?,
                            "lux" => into.r.lux = d.i32()?,
                            "co2" => into.r.co2 = d.i32()?,
                            "acc" => into.r.acc = d.i32()?,
                            _ => d.skip()?,
                        }
                    }
                }
                "status" => {
                    for _ in 0..d.map()?.unwrap_or(0) {
                        match d.str()? {
                            "ok" => into.status.ok = d.bool()?,
                            "batt" => into.status.batt = d.i32()?,
                            "rssi" => into.status.rssi = d.i32()?,
                            "up" => into.status.up = d.u32()?,
                            "fw" => into.status.fw = Text::of(d.str()?.as_bytes()),
                            _ => d.skip()?,
                        }
                    }
                }
                "note" => into.note = Text::of(d.str()?.as_bytes()),
                _ => d.skip()?,
            }
        }
        Ok(())
    }

    fn two(bytes: &[u8], into: &mut M2) -> Result<(), Error> {
        let mut d = Decoder::new(bytes);
        for _ in 0..d.map()?.unwrap_or(0) {
            match d.str()? {
                "dev" => into.dev = Text::of(d.str()?.as_bytes()),
                "ts" => into.ts = d.u32()?,
                "seq" => into.seq = d.u32()?,
                "img" => into.img = Text::of(d.bytes()?),
                "crc" => into.crc = d.u32()?,
                _ => d.skip()?,
            }
        }
        Ok(())
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn decode1(at: *const u8, len: u32, into: &mut M1) -> i32 {
        if one(unsafe { message(at, len) }, into).is_ok() { 0 } else { -1 }
    }

    #[unsafe(no_mangle)]
    unsafe extern "C" fn decode2(at: *const u8, len: u32, into: &mut M2) -> i32 {
        if two(unsafe { message(at, len) }, into).is_ok() { 0 } else { -1 }
    }
}
