//! Messages in SOAP's encoding, read by the schema of their service and by the reader of `dds`: the same values, and the
//! same messages refused.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

#[path = "../../dds/tests/support/mod.rs"]
mod support;

use asn1::Values;
use asn1::compiled::Kind;
use lengthwise::soap::{Body, Service};
use support::{Content, METHODS, ORDER, Toolkit, spoiled};
use test_support::Random;
use x694::xer::{self, Templates};
use xsd::{Memory, Options};

fn service() -> Service {
    Service::read(Memory::new().with("s.wsdl", support::description()), "s.wsdl", &Options::default()).unwrap()
}

/// A value of `dds`. A member that is nil says the same as one that is missing (SOAP 1.1 section 5.1, rule 9).
fn of_dds(value: &dds::Value) -> String {
    match value {
        dds::Value::Absent | dds::Value::Nil => "-".into(),
        dds::Value::Boolean(value) => value.to_string(),
        dds::Value::Int(value) => value.to_string(),
        dds::Value::Double(value) => double(*value),
        dds::Value::Text(text) => format!("{text:?}"),
        dds::Value::Record(members) => format!("({})", members.iter().map(of_dds).collect::<Vec<_>>().join(",")),
        dds::Value::Array(array) => {
            let item = |n| of_dds(&array.get(n).unwrap());
            let sizes = array.dimensions().iter().map(|size| format!("{size}x")).collect::<String>();
            format!("{sizes}[{}]", (0..array.len()).map(item).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}

fn double(value: f64) -> String {
    if value.is_nan() { "nan".into() } else { format!("{:016x}", value.to_bits()) }
}

fn of_asn1(value: asn1::Value<'_>) -> String {
    match value.kind() {
        Kind::Boolean => value.as_bool().unwrap().to_string(),
        Kind::Integer(_) => value.as_i64().unwrap().to_string(),
        Kind::Real => double(value.as_f64().unwrap()),
        _ if value.as_str().is_some() => format!("{:?}", value.as_str().unwrap()),
        _ if value.get("item-list").is_some() => {
            let sizes = value.get("dimensions").into_iter().flat_map(|sizes| sizes.items());
            let sizes = sizes.map(|size| format!("{}x", size.as_i64().unwrap())).collect::<String>();
            let items = value.get("item-list").unwrap();
            let item = |item: asn1::Value<'_>| item.get("content").map_or("-".into(), of_asn1);
            format!("{sizes}[{}]", items.items().map(item).collect::<Vec<_>>().join(","))
        }
        Kind::Record(number) => {
            let count = value.types().record(number).members.len();
            let member = |n| value.member(n as u32).map_or("-".into(), of_asn1);
            format!("({})", (0..count).map(member).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}

fn shown(service: &Service, value: asn1::Value<'_>) -> String {
    match service.message(value).body() {
        Some(Body::Call { name, value }) => format!("{} {}", name.local, of_asn1(value)),
        other => panic!("{other:?}"),
    }
}

/// What the schema makes of a message, event by event, by expectation and by differences; all of them say the same.
fn ours(service: &Service, templates: &Templates, message: &[u8]) -> Result<String, tam::Error> {
    let (mut one, mut other) = (Values::new(), Values::new());
    let options = Options::default();
    let by_events = xer::read_by_events(message, service.types(), &options, &mut one);
    let by_events = by_events.map(|value| shown(service, value));
    let read = xer::read(message, service.types(), &options, &mut other);
    let read = read.map(|value| shown(service, value));
    assert_eq!(read, by_events, "{}", String::from_utf8_lossy(message));
    let mut kept = message.to_vec();
    let by_differences = templates.read(&mut kept, service.types(), &options);
    let by_differences = by_differences.map(|lease| shown(service, lease.value()));
    assert_eq!(by_differences, by_events, "{}", String::from_utf8_lossy(message));
    by_events
}

#[test]
fn messages_have_the_values_that_dds_reads() {
    let service = service();
    let reader = dds::Reader::new(support::service(), &dds::Options::default());
    let templates = Templates::new(1 << 24);
    let mut random = Random::new(11);
    let (mut read, mut refused, mut same_place) = (0, 0, 0);
    for n in 0..test_support::rounds(1_000) {
        let method = n % METHODS;
        if method == ORDER {
            continue;
        }
        let toolkit = Toolkit::made(&mut random);
        let content = Content::made(&mut random, method);
        let next = content.changed(&mut random);
        for content in [content, next] {
            let mut message = content.write(&toolkit, &mut Random::new(n as u64));
            if random.one_in(3) {
                message = spoiled(&message, &mut random);
            }
            let expected = reader.read_plainly(&message);
            let found = ours(&service, &templates, &message);
            let text = || String::from_utf8_lossy(&message).into_owned();
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => {
                    let name = &reader.schema().methods()[method].name.local;
                    assert_eq!(*found, format!("{name} {}", of_dds(expected.value().unwrap())), "{}", text());
                    read += 1;
                }
                (Err(expected), Err(found)) => {
                    // `dds` looks first whether all of the message is XML, and reads what an element refers to at its own place.
                    let path = expected.path().replace("[1]", "");
                    same_place += usize::from((expected.offset(), &*path) == (found.offset(), found.path()));
                    refused += 1;
                }
                // The schema of the envelope looks at the attributes of header blocks.
                (Ok(_), Err(error)) if error.path().contains(":Header/") => {}
                (expected, found) => panic!("{expected:?}\n{found:?}\n{}", text()),
            }
        }
    }
    assert!(read > refused && refused > 0 && same_place > refused * 4 / 5, "{read} {refused} {same_place}");
}
