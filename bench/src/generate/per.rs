//! Values for the modules of `messages/asn1`, in JSON as X.697 (JER) writes them: the one form that
//! all libraries of the table `per` get their messages from.

use super::{FAR_WORDS, Rng};

/// Messages of a kind. There are many of the small ones, no two alike, so that no processor can learn
/// by heart what comes next.
pub(crate) fn messages(kind: &str) -> Vec<String> {
    let mut rng = Rng(400 + kind.len() as u64);
    let (count, make): (_, fn(&mut Rng) -> String) = match kind {
        "beacon" => (512, |rng| beacon(rng, false)),
        "beacon-extended" => (512, |rng| beacon(rng, true)),
        "signalling" => (256, signalling),
        "frame" => (16, frame),
        "telemetry" => (1, telemetry),
        "directory" => (1, directory),
        _ => (0, |_| String::new()),
    };
    (0..count).map(|_| make(&mut rng)).collect()
}

/// A member of an object; none where it is left out.
type Member<'a> = (&'a str, Option<String>);

fn object<'a>(members: impl IntoIterator<Item = Member<'a>>) -> String {
    let there = members.into_iter().filter_map(|(name, value)| Some(format!("\"{name}\":{}", value?)));
    format!("{{{}}}", there.collect::<Vec<_>>().join(","))
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// An alternative of a choice.
fn choice(name: &str, value: String) -> String {
    object([(name, Some(value))])
}

/// Text without anything to escape, and names of values of an enumeration.
fn text(value: impl AsRef<str>) -> String {
    format!("\"{}\"", value.as_ref())
}

impl Rng {
    fn sometimes(&mut self, per_cent: u64, make: impl FnOnce(&mut Rng) -> String) -> Option<String> {
        self.chance(per_cent).then(|| make(self))
    }

    /// A number from `low` to `high`.
    fn int(&mut self, low: i64, high: i64) -> String {
        (low + self.range(0, (high - low) as u64 + 1) as i64).to_string()
    }

    /// The same, written down as a member that is there.
    fn number(&mut self, low: i64, high: i64) -> Option<String> {
        Some(self.int(low, high))
    }

    fn one_of(&mut self, names: &[&str]) -> Option<String> {
        Some(text(self.pick(names)))
    }

    fn flag(&mut self, per_cent: u64) -> Option<String> {
        Some(self.chance(per_cent).to_string())
    }

    /// Octets in hexadecimal digits, which is how bit strings of a fixed size are written as well.
    fn octets(&mut self, count: usize) -> String {
        let digits = (0..count).map(|_| format!("{:02X}", self.range(0, 256)));
        text(digits.collect::<String>())
    }

    fn list(&mut self, low: u64, high: u64, mut make: impl FnMut(&mut Rng) -> String) -> String {
        let count = self.range(low, high + 1);
        list((0..count).map(|_| make(self)))
    }

    fn word(&mut self) -> String {
        let word = self.pick(&super::WORDS);
        word[..1].to_uppercase() + &word[1..]
    }
}

fn beacon(rng: &mut Rng, extended: bool) -> String {
    let header = |rng: &mut Rng| {
        let kinds = ["pedestrian", "cyclist", "motorcycle", "car", "bus", "van", "lorry", "tram"];
        object([
            ("version", Some("2".to_owned())),
            ("station", rng.number(0, u32::MAX.into())),
            ("moment", rng.number(0, 65535)),
            ("kind", if extended && rng.chance(20) { Some(text("drone")) } else { rng.one_of(&kinds) }),
        ])
    };
    let ellipse = |rng: &mut Rng| {
        object([("major", rng.number(0, 4095)), ("minor", rng.number(0, 4095)), ("angle", rng.number(0, 3601))])
    };
    let position = |rng: &mut Rng| {
        object([
            ("latitude", rng.number(470_000_000, 540_000_000)),
            ("longitude", rng.number(60_000_000, 150_000_000)),
            ("altitude", rng.sometimes(80, |rng| rng.int(-2_000, 120_000))),
            ("ellipse", rng.sometimes(70, ellipse)),
        ])
    };
    let motion = |rng: &mut Rng| {
        object([
            ("speed", rng.number(0, 5_000)),
            ("heading", rng.number(0, 3601)),
            ("forward", rng.number(-160, 161)),
            ("sideways", rng.sometimes(50, |rng| rng.int(-160, 161))),
            ("upward", rng.sometimes(20, |rng| rng.int(-160, 161))),
            ("yaw", rng.sometimes(60, |rng| rng.int(-32_766, 32_767))),
            ("curvature", rng.sometimes(60, |rng| rng.int(-1023, 1023))),
            ("gear", rng.one_of(&["neutral", "park", "forward", "reverse"])),
            ("reversing", rng.flag(5)),
        ])
    };
    let body = |rng: &mut Rng| {
        object([
            ("length", rng.number(1, 1023)),
            ("width", rng.number(1, 62)),
            ("height", rng.sometimes(40, |rng| rng.int(1, 127))),
            ("mass", rng.sometimes(40, |rng| rng.int(1, 1023))),
        ])
    };
    let point = |rng: &mut Rng| {
        object([
            ("north", rng.number(-20_000, 20_000)),
            ("east", rng.number(-20_000, 20_000)),
            ("up", rng.sometimes(50, |rng| rng.int(-500, 500))),
            ("after", rng.sometimes(80, |rng| rng.int(1, 2_000))),
        ])
    };
    let service = |rng: &mut Rng| {
        object([
            ("line", rng.number(0, 65535)),
            ("late", rng.number(-3600, 3600)),
            ("seats", rng.sometimes(50, |rng| rng.int(0, 255))),
        ])
    };
    object([
        ("header", Some(header(rng))),
        ("position", Some(position(rng))),
        ("motion", Some(motion(rng))),
        ("body", rng.sometimes(70, body)),
        ("lights", rng.sometimes(50, |rng| rng.octets(1))),
        ("path", rng.sometimes(60, |rng| rng.list(1, 12, point))),
        ("service", if extended { Some(service(rng)) } else { None }),
        ("gap", if extended { rng.sometimes(50, |rng| rng.int(0, 4095)) } else { None }),
    ])
}

fn telemetry(rng: &mut Rng) -> String {
    let mut offset = 0;
    let samples = list((0..1000).map(|_| {
        offset += rng.range(500, 3_500);
        object([
            ("offset", Some(offset.to_string())),
            ("temperature", rng.number(-2_000, 4_000)),
            ("humidity", rng.sometimes(85, |rng| rng.int(0, 1000))),
            ("pressure", rng.number(95_000, 104_000)),
            ("wind", rng.sometimes(60, |rng| rng.int(0, 7500))),
            ("voltage", rng.number(3_000, 4_095)),
            ("state", rng.one_of(&["normal", "normal", "normal", "degraded", "calibrating", "heating", "failed"])),
            ("alarm", rng.flag(3)),
        ])
    }));
    object([
        ("station", Some("4711".to_owned())),
        ("start", Some("433501122000".to_owned())),
        ("interval", Some("2000".to_owned())),
        ("samples", Some(samples)),
    ])
}

fn directory(rng: &mut Rng) -> String {
    fn name(rng: &mut Rng) -> String {
        let given = if rng.chance(15) { rng.pick(&FAR_WORDS[..4]).to_owned() } else { rng.word() };
        let initial = rng.sometimes(30, |rng| text(rng.pick(&["A", "E", "J", "M", "T"])));
        object([("given", Some(text(given))), ("initial", initial), ("family", Some(text(rng.word())))])
    }
    let phone = |rng: &mut Rng| {
        let number = format!("+49 {} {}", rng.digits(3), rng.digits(7));
        object([("kind", rng.one_of(&["desk", "mobile", "home"])), ("number", Some(text(number)))])
    };
    let address = |rng: &mut Rng| {
        let street = format!("{} {}", rng.compound(), rng.range(1, 200));
        object([
            ("street", Some(text(street))),
            ("town", Some(text(rng.word()))),
            ("code", Some(text(rng.digits(5)))),
            ("country", rng.one_of(&["DE", "FR", "NO", "PL"])),
        ])
    };
    let child = |rng: &mut Rng| object([("name", Some(name(rng))), ("born", Some(text(rng.date())))]);
    let mut number = 1_000;
    let people = list((0..200).map(|_| {
        number += 1 + rng.range(0, 40);
        object([
            ("name", Some(name(rng))),
            ("number", Some(number.to_string())),
            ("title", Some(text(rng.phrase(6, 40)))),
            ("hired", Some(text(rng.date()))),
            ("mail", Some(text(format!("{}.{number}@example.net", rng.word().to_lowercase())))),
            ("phones", Some(rng.list(0, 3, phone))),
            ("address", rng.sometimes(80, address)),
            ("children", rng.sometimes(40, |rng| rng.list(1, 3, child))),
            ("note", rng.sometimes(20, |rng| text(rng.phrase(20, 160)))),
        ])
    }));
    object([("title", Some(text("House of orchards"))), ("issued", Some(text("2015-06-05"))), ("people", Some(people))])
}

fn frame(rng: &mut Rng) -> String {
    object([
        ("sequence", rng.number(0, 65535)),
        ("channel", rng.number(0, 15)),
        ("kind", rng.one_of(&["data", "acknowledgement", "control"])),
        ("last", rng.flag(20)),
        ("digest", Some(rng.octets(32))),
        ("payload", Some(rng.octets(10_000))),
    ])
}

fn signalling(rng: &mut Rng) -> String {
    let (criticality, procedure) = (rng.one_of(&["reject", "ignore", "notify"]), rng.number(0, 255));
    let head = [("procedure", procedure), ("criticality", criticality)];
    let identities = |rng: &mut Rng| rng.list(1, 4, |rng| rng.octets(1));
    match rng.range(0, 10) {
        0..7 => {
            let body = match rng.range(0, 10) {
                0..7 => choice("assignment", {
                    object([("bearers", Some(rng.list(1, 4, bearer))), ("release", rng.sometimes(30, identities))])
                }),
                7..9 => choice("paging", paging(rng)),
                _ => choice("release", choice("cause", cause(rng))),
            };
            choice("request", object(head.into_iter().chain([("body", Some(body))])))
        }
        7..9 => choice("success", object(head.into_iter().chain([("bearers", Some(identities(rng)))]))),
        _ => choice("failure", object(head.into_iter().chain([("cause", Some(cause(rng)))]))),
    }
}

fn cause(rng: &mut Rng) -> String {
    let protocol = |rng: &mut Rng| text(rng.pick(&["syntax", "semantic", "unexpected", "unspecified"]));
    match rng.range(0, 4) {
        0 => choice("radio", rng.int(1, 64)),
        1 => choice("transport", rng.int(65, 80)),
        2 => choice("protocol", protocol(rng)),
        _ => choice("other", object([("code", rng.number(113, 128)), ("detail", rng.sometimes(50, protocol))])),
    }
}

fn paging(rng: &mut Rng) -> String {
    let location = |rng: &mut Rng| object([("network", Some(rng.octets(3))), ("code", Some(rng.octets(2)))]);
    let area = |rng: &mut Rng| match rng.chance(50) {
        true => choice("location", location(rng)),
        false => choice("routing", object([("location", Some(location(rng))), ("code", Some(rng.octets(1)))])),
    };
    let identity = match rng.chance(60) {
        true => choice("temporary", rng.octets(4)),
        false => choice("permanent", {
            let count = rng.range(3, 9) as usize;
            rng.octets(count)
        }),
    };
    object([
        ("domain", rng.one_of(&["circuit", "packet"])),
        ("identity", Some(identity)),
        ("area", rng.sometimes(70, area)),
    ])
}

fn bearer(rng: &mut Rng) -> String {
    let plane = |rng: &mut Rng| {
        object([("mode", rng.one_of(&["transparent", "predefined"])), ("versions", Some(rng.octets(2)))])
    };
    object([
        ("identity", Some(rng.octets(1))),
        ("parameters", rng.sometimes(85, parameters)),
        ("plane", rng.sometimes(70, plane)),
        ("endpoint", rng.sometimes(80, endpoint)),
    ])
}

fn endpoint(rng: &mut Rng) -> String {
    let address = match rng.range(0, 10) {
        0..6 => choice("short", rng.octets(4)),
        6..9 => choice("long", rng.octets(16)),
        _ => choice("named", text(format!("{}-{}.example.net", rng.word().to_lowercase(), rng.digits(2)))),
    };
    match rng.chance(75) {
        true => choice("tunnel", object([("address", Some(address)), ("label", Some(rng.octets(4)))])),
        false => choice("binding", rng.octets(4)),
    }
}

fn parameters(rng: &mut Rng) -> String {
    let bit_rates = |rng: &mut Rng| rng.list(1, 2, |rng| rng.int(0, 16_000_000));
    let ratio = |rng: &mut Rng| object([("mantissa", rng.number(1, 9)), ("exponent", rng.number(1, 8))]);
    let rate = |rng: &mut Rng| {
        object([("size", rng.number(0, 4095)), ("rate", rng.sometimes(50, |rng| rng.int(0, 16_000_000)))])
    };
    let format = |rng: &mut Rng| {
        object([
            ("delivery", rng.one_of(&["yes", "no", "none"])),
            ("lost", rng.sometimes(60, ratio)),
            ("residual", Some(ratio(rng))),
            ("rates", rng.sometimes(40, |rng| rng.list(1, 6, rate))),
        ])
    };
    let allocation = |rng: &mut Rng| {
        object([
            ("level", rng.number(0, 15)),
            ("preempts", rng.flag(50)),
            ("vulnerable", rng.flag(50)),
            ("queued", rng.flag(50)),
        ])
    };
    let priority = |rng: &mut Rng| match rng.range(0, 3) {
        0 => choice("level", rng.int(0, 15)),
        1 => choice("allocation", allocation(rng)),
        _ => choice("none", "null".to_owned()),
    };
    object([
        ("traffic", rng.one_of(&["conversational", "streaming", "interactive", "background"])),
        ("symmetry", rng.one_of(&["symmetric", "downward", "upward", "unequal"])),
        ("peak", Some(bit_rates(rng))),
        ("guaranteed", rng.sometimes(60, bit_rates)),
        ("ordered", rng.flag(50)),
        ("largest", rng.number(0, 32_768)),
        ("formats", Some(rng.list(1, 3, format))),
        ("delay", rng.sometimes(60, |rng| rng.int(0, 65_535))),
        ("priority", rng.sometimes(70, priority)),
        ("source", rng.sometimes(40, |rng| text(rng.pick(&["speech", "unknown"])))),
    ])
}
