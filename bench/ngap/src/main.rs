//! Reads and writes NGAP messages with asn1-codecs, which has compiled the modules, and with Lengthwise, which reads them
//! when this starts.
//!
//! `ngap MESSAGES [--contents]`: a file of hexadecimal digits, a message a line. asn1-codecs leaves what strings contain
//! as octets, so ours does, too: `CONTAINING` is taken out of our modules, unless `--contents` is given. Types that the
//! identifier of an element selects are read by both.

use std::hint::black_box;
use std::time::Instant;

use asn1::{Compiled, Options, Values};
use asn1_codecs::PerCodecData;
use asn1_codecs::aper::AperCodec;

use self::theirs::NGAP_PDU;

#[allow(warnings)]
mod theirs {
    include!(concat!(env!("OUT_DIR"), "/ngap.rs"));
}

/// How often each way is measured, in turn with the others.
const TIMES: usize = 11;
/// How many messages are read or written each time.
const MESSAGES: usize = 200_000;

fn without_contents(text: &str) -> String {
    let mut parts = text.split("(CONTAINING");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once(')').map_or("", |(_, rest)| rest))
}

fn read_by_theirs(message: &[u8]) -> Option<NGAP_PDU> {
    NGAP_PDU::aper_decode(&mut PerCodecData::from_slice_aper(message)).ok()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, keeps) = match &arguments[..] {
        [path] => (path, false),
        [path, option] if option == "--contents" => (path, true),
        _ => panic!("ngap MESSAGES [--contents]"),
    };
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(env!("NGAP_MODULES")).expect("the modules") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "asn") {
            let text = std::fs::read_to_string(&path).expect("a module");
            let text = if keeps { text } else { without_contents(&text) };
            sources.push((path.display().to_string(), text));
        }
    }
    let sources: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (&name[..], &text[..])).collect();
    let (_, types) = Compiled::from_sources(&sources, &tam::Limits::default()).expect("modules");
    let root = types.find("NGAP-PDU").expect("NGAP-PDU");
    let (options, mut values) = (Options::aper(), Values::new());

    let lines = std::fs::read_to_string(path).expect("messages");
    let (mut messages, mut all, mut ours, mut theirs) = (Vec::new(), 0, 0, 0);
    for line in lines.lines() {
        let mut message = Vec::new();
        xml::hex::decode(line.trim(), &mut message).expect("hexadecimal digits");
        let is_ours = asn1::read(&message, &types, root, &options, &mut values).is_ok();
        let is_theirs = read_by_theirs(&message).is_some();
        (all, ours, theirs) = (all + 1, ours + u32::from(is_ours), theirs + u32::from(is_theirs));
        if is_ours && is_theirs {
            messages.push(message);
        }
    }
    println!("{all} messages: Lengthwise reads {ours}, asn1-codecs {theirs}, both {}", messages.len());
    assert!(!messages.is_empty(), "no message that both read");

    let stores: Vec<Values> = messages
        .iter()
        .map(|message| {
            let mut values = Values::new();
            asn1::read(message, &types, root, &options, &mut values).expect("read before");
            values
        })
        .collect();
    let decoded: Vec<NGAP_PDU> = messages.iter().filter_map(|message| read_by_theirs(message)).collect();
    let mut out = Vec::new();
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..TIMES {
        let mut measure = |way: usize, work: &mut dyn FnMut(usize)| {
            let (start, rounds) = (Instant::now(), MESSAGES / messages.len() + 1);
            for _ in 0..rounds {
                (0..messages.len()).for_each(&mut *work);
            }
            times[way].push(start.elapsed().as_secs_f64() * 1e6 / (rounds * messages.len()) as f64);
        };
        measure(0, &mut |at| {
            black_box(asn1::read(black_box(&messages[at]), &types, root, &options, &mut values).is_ok());
        });
        measure(1, &mut |at| {
            black_box(read_by_theirs(black_box(&messages[at])));
        });
        measure(2, &mut |at| {
            out.clear();
            black_box(asn1::append(stores[at].value(&types, root, &messages[at]), &options, &mut out).is_ok());
        });
        measure(3, &mut |at| {
            let mut data = PerCodecData::new_aper();
            black_box(decoded[at].aper_encode(&mut data).is_ok());
            black_box(data.into_bytes());
        });
    }
    let [read, read_theirs, write, write_theirs] = times.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    });
    println!("decode: {read:.3} µs, asn1-codecs {read_theirs:.3}: {:.1}x", read_theirs / read);
    println!("encode: {write:.3} µs, asn1-codecs {write_theirs:.3}: {:.1}x", write_theirs / write);
}
