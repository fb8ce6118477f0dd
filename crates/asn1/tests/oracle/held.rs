//! Our encoder and decoder held against vectors.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use asn1::{Compiled, NodeId, Options, Value, Values, jer};
use tam::{Error, ErrorKind, Limits, Table};
use test_support::Random;
use text::json;

use crate::same::same;
use crate::vectors::{Module, Vector};

const RULES: [&str; 7] = ["uper", "aper", "ber", "der", "oer", "coer", "cer"];

/// What was held, and what was found.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) modules: u64,
    pub(crate) values: u64,
    counts: BTreeMap<String, u64>,
    /// The shortest finding of each kind.
    findings: BTreeMap<String, (u64, String)>,
}

impl Held {
    pub(crate) fn join(&mut self, other: Held) {
        self.modules += other.modules;
        self.values += other.values;
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        for (kind, (count, text)) in other.findings {
            self.found(&kind, count, text);
        }
    }

    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    fn found(&mut self, kind: &str, times: u64, text: String) {
        let finding = self.findings.entry(kind.to_owned()).or_insert_with(|| (0, text.clone()));
        finding.0 += times;
        if text.len() < finding.1.len() {
            finding.1 = text;
        }
    }

    pub(crate) fn assert(&self) {
        let mut report = String::new();
        for (kind, (times, text)) in &self.findings {
            write!(report, "\n{kind}, {times} times; the shortest:\n{text}\n").unwrap();
        }
        assert!(self.findings.is_empty(), "{report}");
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:9} modules\n{:9} values", self.modules, self.values)?;
        self.counts.iter().try_for_each(|(what, count)| writeln!(f, "{count:9} {what}"))
    }
}

fn options(rules: &str) -> Options {
    match rules {
        "uper" => Options::uper(),
        "aper" => Options::aper(),
        "ber" => Options::ber(),
        "oer" => Options::oer(),
        "coer" => Options::oer().with_canonical(true),
        "cer" => Options::cer(),
        _ => Options::der(),
    }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |mut text, octet| {
        write!(text, "{octet:02x}").unwrap();
        text
    })
}

/// A value as JSON text.
fn text_of(value: Value<'_>) -> Result<String, Error> {
    let mut table = Table::new();
    let document = jer::write(value, &mut table)?;
    let text = json::write(&document, &json::Options::default())?;
    Ok(String::from_utf8(text).unwrap())
}

/// The module's types, or a finding.
fn compiled(module: &Module, held: &mut Held) -> Option<Compiled> {
    held.modules += 1;
    let refused = |error: &dyn fmt::Display| format!("module {}: {error}", module.number);
    let found = match asn1::notation::parse(&[("vectors", &module.notation)], &Limits::default()) {
        Ok(schema) => Compiled::new(&schema).map_err(|error| refused(&error)),
        Err(error) => Err(refused(&error)),
    };
    found.map_err(|text| held.found("a module is refused", 1, text)).ok()
}

fn node(module: &Module, types: &Compiled, ty: &str) -> NodeId {
    types.find(&format!("{}.{ty}", module.name)).unwrap()
}

/// Writes every value by every rules, and reads every message.
pub(crate) fn hold(module: &Module, held: &mut Held) {
    let Some(types) = compiled(module, held) else { return };
    for vector in &module.vectors {
        let node = node(module, &types, &vector.ty);
        held.values += 1;
        witnesses(vector, held);
        let about = |what: &str| {
            let value: String = vector.value.chars().take(2000).collect();
            format!("module {}, type {}, value {value}\n{what}", module.number, vector.ty)
        };
        written(vector, &types, node, held, &about);
        for (index, rules) in RULES.iter().enumerate() {
            let [filled, bare] = &vector.read[index.saturating_sub(1)];
            let forms: [&str; 2] = [filled, bare];
            read(&vector.messages[index], rules, rules, &forms, &types, node, held, &about);
        }
        let forms: [&str; 3] = [&vector.other.1, &vector.read[1][0], &vector.read[1][1]];
        read(&vector.other.0, "ber", "ber in another form", &forms, &types, node, held, &about);
    }
}

/// Writes values in CANONICAL-PER, where that is not BASIC-PER.
pub(crate) fn canonical(module: &Module, held: &mut Held) {
    let Some(types) = compiled(module, held) else { return };
    let options = Options::uper().with_canonical(true);
    for vector in &module.canonical {
        held.values += 1;
        let mut table = Table::new();
        let document = json::read(vector.value.as_bytes(), &json::Options::default(), &mut table).unwrap();
        let mut values = Values::new();
        let node = node(module, &types, &vector.ty);
        let ours = jer::read(&document, &types, node, &Limits::default(), &mut values)
            .and_then(|value| asn1::write(value, &options));
        if !ours.as_ref().is_ok_and(|ours| *ours == vector.uper) {
            let ours = ours.map_or_else(|error| error.to_string(), |ours| hex(&ours));
            let value: String = vector.value.chars().take(2000).collect();
            let text = format!("module {}, type {}, value {value}", module.number, vector.ty);
            let text = format!("{text}\nexpected {}\nours     {ours}", hex(&vector.uper));
            held.found("canonical uper is written otherwise", 1, text);
        }
    }
}

/// Counts who says the same as the clauses.
fn witnesses(vector: &Vector, held: &mut Held) {
    for (index, rules) in RULES.iter().enumerate() {
        let mut any = false;
        for (oracle, says) in &vector.oracles {
            if says.as_bytes().get(index) == Some(&b'=') {
                held.count(format!("{rules} as by {oracle}"));
                any = true;
            }
        }
        held.count(format!("{rules} by {}", if any { "an oracle or more" } else { "the clauses alone" }));
    }
    for (oracle, says) in &vector.oracles {
        if says.chars().all(|same| same == '=') {
            held.count(format!("all as by {oracle}"));
        }
    }
}

fn written(vector: &Vector, types: &Compiled, node: NodeId, held: &mut Held, about: &impl Fn(&str) -> String) {
    let mut table = Table::new();
    let document = json::read(vector.value.as_bytes(), &json::Options::default(), &mut table).unwrap();
    let mut values = Values::new();
    let value = match jer::read(&document, types, node, &Limits::default(), &mut values) {
        Ok(value) => value,
        Err(error) => return held.found("JSON is refused", 1, about(&error.to_string())),
    };
    for (rules, expected) in RULES.iter().zip(&vector.messages) {
        let written = match asn1::write(value, &options(rules)) {
            Ok(written) => written,
            Err(error) => {
                let text = about(&format!("expected {}\nours     {error}", hex(expected)));
                held.found(&format!("{rules} is not written"), 1, text);
                continue;
            }
        };
        if asn1::encoded_len(value, &options(rules)).is_ok_and(|len| len != written.len()) {
            held.found(&format!("the length in {rules} is another"), 1, about(""));
        }
        if written == *expected {
            continue;
        }
        if says_defaults(&written, expected, rules, types, node) {
            held.count(format!("{rules} with defaults that the value says"));
        } else {
            let text = about(&format!("expected {}\nours     {}", hex(expected), hex(&written)));
            held.found(&format!("{rules} is written otherwise"), 1, text);
        }
    }
}

/// Whether a message differs from the expected one only in that it sends components that equal their defaults, which
/// the vectors leave out and BER (X.690 8.9.3), BASIC-PER (X.691 19.5) and BASIC-OER leave to the sender. Then it is longer or sets
/// more bits of presence, both have one canonical form, and the expected one is written as it was read: the same octets,
/// or a named BIT STRING with the zero bits that its size asks for (X.680 22.7).
fn says_defaults(written: &[u8], expected: &[u8], rules: &str, types: &Compiled, node: NodeId) -> bool {
    let options = options(rules);
    let read_and_write = |message: &[u8], canonical: bool| {
        let mut values = Values::new();
        let value = asn1::read(message, types, node, &options, &mut values)?;
        asn1::write(value, &options.with_canonical(canonical))
    };
    let canonical = [written, expected].map(|message| read_and_write(message, true).ok());
    !matches!(rules, "der" | "coer" | "cer")
        && written.len() >= expected.len()
        && canonical[0].is_some()
        && canonical[0] == canonical[1]
        && read_and_write(expected, false).is_ok_and(|again| {
            let text = |message: &[u8]| {
                let mut values = Values::new();
                asn1::read(message, types, node, &options, &mut values).and_then(text_of).ok()
            };
            again == expected || (again.len() > expected.len() && text(&again) == text(expected))
        })
}

#[allow(clippy::too_many_arguments)]
fn read(
    message: &[u8],
    rules: &str,
    what: &str,
    forms: &[&str],
    types: &Compiled,
    node: NodeId,
    held: &mut Held,
    about: &impl Fn(&str) -> String,
) {
    let mut values = Values::new();
    let text = match asn1::read(message, types, node, &options(rules), &mut values).and_then(text_of) {
        Ok(text) => text,
        Err(error) => {
            return held.found(&format!("{what} is refused"), 1, about(&format!("{}\n{error}", hex(message))));
        }
    };
    if !forms.iter().any(|form| same(form, &text)) {
        let text = about(&format!("{}\nexpected {}\nours     {text}", hex(message), forms.join("\nor       ")));
        held.found(&format!("{what} is read otherwise"), 1, text);
    }
    let mut longer = message.to_vec();
    longer.extend_from_slice(&[0xA5, 0x5A]);
    let mut values = Values::new();
    match asn1::read_prefix(&longer, types, node, &options(rules), &mut values) {
        Ok((_, used)) if used == message.len() => {}
        Ok((_, used)) => {
            held.found(&format!("{what} ends elsewhere"), 1, about(&format!("{}\nafter {used}", hex(message))));
        }
        Err(error) => held.found(&format!("{what} is refused at a start"), 1, about(&error.to_string())),
    }
}

/// Reads what is no value's message, and every message cut short: both are refused, and what is cut
/// short as that.
pub(crate) fn refuse(module: &Module, held: &mut Held) {
    let Some(types) = compiled(module, held) else { return };
    for refused in &module.refused {
        held.values += 1;
        let mut values = Values::new();
        let node = node(module, &types, &refused.ty);
        if let Ok((value, used)) =
            asn1::read_prefix(&refused.message, &types, node, &options(&refused.rules), &mut values)
        {
            let text = text_of(value);
            let at = format!("module {}, type {}, {}", module.number, refused.ty, refused.rules);
            let text = format!("{at} {}: {}\nread {text:?}, {used} octets", hex(&refused.message), refused.why);
            held.found("what has no value is read", 1, text);
        } else {
            held.count(format!("{} refused", refused.rules));
        }
    }
    for vector in module.vectors.iter().step_by(5) {
        let node = node(module, &types, &vector.ty);
        for (rules, message) in RULES.iter().zip(&vector.messages) {
            for len in (0..message.len()).take(60) {
                cut(&message[..len], rules, &types, node, held, || {
                    format!("module {}, type {}, {rules} {}, cut to {len}", module.number, vector.ty, hex(message))
                });
            }
        }
    }
}

fn cut(message: &[u8], rules: &str, types: &Compiled, node: NodeId, held: &mut Held, about: impl Fn() -> String) {
    let mut values = Values::new();
    match asn1::read(message, types, node, &options(rules), &mut values) {
        Err(error) if error.kind() == ErrorKind::Incomplete => held.count(format!("{rules} cut short")),
        Err(error) => held.found(&format!("{rules} cut short is called otherwise"), 1, format!("{}\n{error}", about())),
        Ok(_) => held.found(&format!("{rules} cut short is read"), 1, about()),
    }
}

/// Cuts messages short and changes octets; what is read all the same has to be a value.
pub(crate) fn spoil(module: &Module, seed: u64, held: &mut Held) {
    let Some(types) = compiled(module, held) else { return };
    let mut random = Random::new(seed + 1);
    for vector in &module.vectors {
        let node = node(module, &types, &vector.ty);
        held.values += 1;
        for (rules, message) in RULES.iter().zip(&vector.messages) {
            if message.len() > 5000 {
                continue;
            }
            for _ in 0..4 {
                let spoiled = spoiled(message, &mut random);
                let about = |what: &str| {
                    format!("module {}, type {}, {rules} {}\n{what}", module.number, vector.ty, hex(&spoiled))
                };
                accepted(&spoiled, rules, &types, node, held, &about);
            }
        }
    }
}

fn spoiled(message: &[u8], random: &mut Random) -> Vec<u8> {
    let mut message = message.to_vec();
    let at = random.below(message.len() + 1);
    match random.below(6) {
        0 => message.truncate(at),
        1 => message.insert(at, random.next() as u8),
        2 if at < message.len() => {
            message.remove(at);
        }
        3 => message.extend((0..random.below(4)).map(|_| random.next() as u8)),
        4 if at < message.len() => message[at] = random.of(&[0, 0xFF, 0x80, 0x7F, 0xC4]),
        _ if at < message.len() => message[at] ^= 1 << random.below(8),
        _ => {}
    }
    message
}

/// A message that is read has a value that JSON takes too, and that is the same when written again.
fn accepted(
    message: &[u8],
    rules: &str,
    types: &Compiled,
    node: NodeId,
    held: &mut Held,
    about: &impl Fn(&str) -> String,
) {
    let mut values = Values::new();
    let value = match asn1::read(message, types, node, &options(rules), &mut values) {
        Ok(value) => value,
        Err(error) => return held.count(format!("{rules} refused: {}", error.kind())),
    };
    held.count(format!("{rules} read"));
    // What a later version of the module may say has no form in JSON.
    let Ok(text) = text_of(value) else { return held.count(format!("{rules} read, of a later version")) };
    let mut table = Table::new();
    let document = json::read(text.as_bytes(), &json::Options::default(), &mut table).unwrap();
    let mut again = Values::new();
    let from_json = match jer::read(&document, types, node, &Limits::default(), &mut again) {
        Ok(value) => value,
        Err(error) => {
            let text = about(&format!("{text}\n{error}"));
            return held.found(&format!("{rules} is read that is no value"), 1, text);
        }
    };
    let (ours, theirs) = (asn1::write(value, &options(rules)), asn1::write(from_json, &options(rules)));
    // JSON does not keep the number of presence bits; the canonical rules do not either.
    let canonical = |value| asn1::write(value, &options(rules).with_canonical(true)).ok();
    match (ours, theirs) {
        (Ok(ours), Ok(theirs))
            if ours == theirs || canonical(value).is_some() && canonical(value) == canonical(from_json) =>
        {
            let mut values = Values::new();
            let back = asn1::read(&ours, types, node, &options(rules), &mut values)
                .and_then(|value| asn1::write(value, &options(rules)));
            if !back.as_ref().is_ok_and(|back| *back == ours) {
                let text = about(&format!("{text}\nwritten {}\nthen    {back:?}", hex(&ours)));
                held.found(&format!("{rules} does not come back"), 1, text);
            }
        }
        // A time may say no zone, or be none: DER has no form of it.
        (Err(ours), Err(theirs))
            if ours == theirs && ours.kind() == ErrorKind::Unsupported && matches!(rules, "der" | "coer" | "cer") =>
        {
            held.count(format!("{rules} read, and known from BER alone"));
        }
        (ours, theirs) => {
            let shown = |bytes: Result<Vec<u8>, Error>| bytes.map_or_else(|error| error.to_string(), |b| hex(&b));
            let text = about(&format!("{text}\nwritten   {}\nfrom JSON {}", shown(ours), shown(theirs)));
            held.found(&format!("{rules} is written in two ways"), 1, text);
        }
    }
}
