//! Messages like those of the paper's section 4: arrays of ints, of easy doubles and of hard ones.

use std::fmt::Write as _;

use crate::documents::Document;

/// The paper's numbers of items.
pub(crate) const SIZES: [usize; 6] = [1_000, 10_000, 25_000, 50_000, 75_000, 100_000];

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

/// A message of points, structs of two ints and a double; or of `count` arrays of ints in an array.
pub(crate) fn structured(kind: &str, count: usize, choices: &mut Choices) -> Vec<u8> {
    let flat = String::from_utf8(message("int", &[])).unwrap_or_default();
    let (from, to) = (flat.find("<ns:").unwrap_or(0), flat.find("</SOAP-ENV:Body>").unwrap_or(0));
    let (name, ty) = if kind == "points" { ("sendPoints", "ns:Point") } else { ("sendNested", "xsd:int[]") };
    let mut text = flat[..from].to_owned();
    text += &format!("<ns:{name}><data xsi:type=\"SOAP-ENC:Array\" SOAP-ENC:arrayType=\"{ty}[{count}]\">");
    for n in 0..count {
        text += &match kind {
            "points" => format!("<item><x>{n}</x><y>{}</y><v>{}</v></item>", choices.below(10_000), hard(choices)),
            _ => {
                let ints: String = (0..10).map(|_| format!("<i>{}</i>", choices.below(100_000))).collect();
                format!("<item SOAP-ENC:arrayType=\"xsd:int[10]\">{ints}</item>")
            }
        };
    }
    text += &format!("</data></ns:{name}>");
    text += &flat[to..];
    text.into_bytes()
}

/// A message of orders, each with as many lines as its number allows and a total; none of the arrays is counted.
pub(crate) fn orders(totals: &[usize]) -> Vec<u8> {
    let flat = String::from_utf8(message("int", &[])).unwrap_or_default();
    let (from, to) = (flat.find("<ns:").unwrap_or(0), flat.find("</SOAP-ENV:Body>").unwrap_or(0));
    let orders: String = totals
        .iter()
        .enumerate()
        .map(|(n, total)| {
            let line = |m: usize| {
                let (sku, quantity, price) = (n * 7 % 1_000, 1 + (n + m) % 9, 10 + n % 90);
                format!("<item><sku>AB-{sku}-{m}</sku><quantity>{quantity}</quantity><price>{price}.95</price></item>")
            };
            let lines: String = (0..1 + n % 5).map(line).collect();
            let (id, customer) = (100_000 + n, n % 500);
            format!("<item><id>{id}</id><name>Customer {customer}</name><lines>{lines}</lines><total>{total}.5</total></item>")
        })
        .collect();
    format!("{}<ns:sendOrders><orders>{orders}</orders></ns:sendOrders>{}", &flat[..from], &flat[to..]).into_bytes()
}

/// The messages that are read whole: `int-N`, `easy-N`, `hard-N`, and two of structs and of arrays in an array.
pub(crate) fn documents() -> Vec<Document> {
    let document = |name: String, bytes| Document { name, bytes, paper: None };
    let numbers = ["int", "easy", "hard"]
        .into_iter()
        .flat_map(|kind| SIZES.map(|count| document(format!("{kind}-{count}"), message(kind, &items(kind, count, 1)))));
    let structured = [("points", 25_000), ("nested", 10_000)]
        .map(|(kind, count)| document(format!("{kind}-{count}"), structured(kind, count, &mut Choices::new(3))));
    numbers.chain(structured).collect()
}
