//! Messages like those of the paper's section 4: arrays of ints, of easy doubles and of hard ones.

use std::fmt::Write as _;

use crate::documents::Document;

/// Numbers of items, the paper's smallest and largest and one between them.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Choices that are the same everywhere: Marsaglia's xorshift64*.
pub(crate) struct Choices(u64);

impl Choices {
    pub(crate) fn new(seed: u64) -> Choices {
        Choices(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) as usize) % bound
    }
}

/// A double of 17 digits, any exponent, as C's `%.16e` writes it: what the paper calls hard.
pub(crate) fn hard(choices: &mut Choices) -> String {
    loop {
        let number = f64::from_bits(choices.next());
        if number.is_normal() {
            let text = format!("{number:.16e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let exponent: i32 = exponent.parse().unwrap_or(0);
            return format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
        }
    }
}

/// A hard double that takes as many bytes as another.
pub(crate) fn hard_of(len: usize, choices: &mut Choices) -> String {
    loop {
        let text = hard(choices);
        if text.len() == len {
            return text;
        }
    }
}

/// Texts of the items of a message.
pub(crate) fn items(kind: &str, count: usize, seed: u64) -> Vec<String> {
    let mut choices = Choices::new(seed);
    match kind {
        "hard" => (0..count).map(|_| hard(&mut choices)).collect(),
        _ => (1..=count).map(|n| n.to_string()).collect(),
    }
}

/// A message of the items, as gSOAP writes it.
pub(crate) fn message(kind: &str, items: &[String]) -> Vec<u8> {
    let (method, ty) = if kind == "int" { ("sendInts", "int") } else { ("sendDoubles", "double") };
    let mut text = String::with_capacity(items.len() * 40 + 1_000);
    text += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<SOAP-ENV:Envelope \
             xmlns:SOAP-ENV=\"http://schemas.xmlsoap.org/soap/envelope/\" \
             xmlns:SOAP-ENC=\"http://schemas.xmlsoap.org/soap/encoding/\" \
             xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
             xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:ns=\"urn:bsoap-bench\">\
             <SOAP-ENV:Body SOAP-ENV:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\">";
    let count = items.len();
    // Writing to a string does not fail.
    let _ = write!(text, "<ns:{method}><data xsi:type=\"SOAP-ENC:Array\" SOAP-ENC:arrayType=\"xsd:{ty}[{count}]\">");
    for item in items {
        text += "<item>";
        text += item;
        text += "</item>";
    }
    let _ = write!(text, "</data></ns:{method}></SOAP-ENV:Body></SOAP-ENV:Envelope>");
    text.into_bytes()
}

/// The messages that are read whole: `int-N`, `easy-N`, `hard-N`.
pub(crate) fn documents() -> Vec<Document> {
    let kinds = ["int", "easy", "hard"];
    let document = |kind: &str, count| Document {
        name: format!("{kind}-{count}"),
        bytes: message(kind, &items(kind, count, 1)),
        paper: None,
    };
    kinds.into_iter().flat_map(|kind| SIZES.map(|count| document(kind, count))).collect()
}
