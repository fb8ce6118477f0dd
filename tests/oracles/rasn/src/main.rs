//! Reads messages of made-up modules with rasn and writes what it read again.
//!
//! A line of the input is `module TAB type TAB der TAB uper`, in hexadecimal. A line of the output has the results for
//! both, separated by tabs: the value read from DER and written as UPER, APER, BER, DER, OER, COER and CER, and the same for the value
//! read from UPER. `!` begins an error in writing, `?` one in reading, `-` marks a missing type, and `panic` a panic.
//!
//! The modules are made by `vectors/rasn_source.py`; `ORACLE_MODULES` is their folder.

use std::io::{BufRead, BufWriter, Write};

include!(concat!(env!("ORACLE_MODULES"), "/modules.rs"));

/// Reads the value of a message and writes it by all rules, for both messages.
pub fn run<T: rasn::Encode + rasn::Decode>(der: &[u8], uper: &[u8]) -> String {
    format!("{}\t{}", outcome(rasn::der::decode::<T>(der)), outcome(rasn::uper::decode::<T>(uper)))
}

fn outcome<T: rasn::Encode>(value: Result<T, rasn::error::DecodeError>) -> String {
    match value {
        Ok(value) => [
            written(rasn::uper::encode(&value)),
            written(rasn::aper::encode(&value)),
            written(rasn::ber::encode(&value)),
            written(rasn::der::encode(&value)),
            written(rasn::oer::encode(&value)),
            written(rasn::coer::encode(&value)),
            written(rasn::cer::encode(&value)),
        ]
        .join("\t"),
        Err(error) => format!("?{}\t\t\t\t\t\t", flat(&error)),
    }
}

fn written(message: Result<Vec<u8>, rasn::error::EncodeError>) -> String {
    match message {
        Ok(message) => message.iter().map(|octet| format!("{octet:02x}")).collect(),
        Err(error) => format!("!{}", flat(&error)),
    }
}

fn flat(error: &impl std::fmt::Display) -> String {
    error.to_string().replace(['\n', '\t'], " ")
}

fn octets(text: &str) -> Vec<u8> {
    let pair = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(pair).collect()
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    // values may be nested deep, and rasn recurses
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(answer).expect("a thread");
    worker.join().expect("answers");
}

fn answer() {
    let mut output = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let columns: Vec<&str> = line.split('\t').collect();
        let (der, uper) = (octets(columns[2]), octets(columns[3]));
        let answer = std::panic::catch_unwind(|| convert(columns[0], columns[1], &der, &uper));
        match answer {
            Ok(Some(text)) => writeln!(output, "{text}"),
            Ok(None) => writeln!(output, "-"),
            Err(_) => writeln!(output, "panic"),
        }
        .expect("output");
    }
}
