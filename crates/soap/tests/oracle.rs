//! Python's expat and its numbers: a second opinion on what messages say.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_soap as soap;

mod support;

use std::process::Command;

use asn1::Value;
use asn1::compiled::Kind;
use soap::Body;
use support::{pair, service};
use test_support::Random;
use x694::xer::Template;
use xsd::Options;

/// A value as the script prints it. What is missing says the same as what is nil (SOAP 1.1 section 5.1, rule 9).
fn shown(value: Value<'_>) -> String {
    let all = |values: &mut dyn Iterator<Item = Option<Value<'_>>>| {
        values.map(|one| one.map_or("-".into(), shown)).collect::<Vec<_>>().join(",")
    };
    match value.kind() {
        Kind::Boolean => if value.as_bool().unwrap() { "t" } else { "f" }.into(),
        Kind::Integer(_) => value.as_i64().unwrap().to_string(),
        Kind::Real if value.as_f64().unwrap().is_nan() => "nan".into(),
        Kind::Real => format!("{:016x}", value.as_f64().unwrap().to_bits()),
        Kind::Choice(_) => {
            let (which, value) = value.chosen_place().unwrap();
            format!("{which}:{}", shown(value))
        }
        Kind::Array(_) => format!("[{}]", all(&mut value.items().map(Some))),
        Kind::Record(number) => {
            let members = &value.types().record(number).members;
            match &members.iter().map(|member| &*member.name).collect::<Vec<_>>()[..] {
                ["item"] => shown(value.member(0).unwrap()),
                ["content"] => value.member(0).map_or("-".into(), shown),
                ["dimensions", "content" | "item"] => value.member(1).map_or("-".into(), shown),
                members => format!("({})", all(&mut (0..members.len()).map(|n| value.member(n as u32)))),
            }
        }
        _ => value.as_str().unwrap().bytes().fold("\"".into(), |shown, byte| shown + &format!("{byte:02x}")),
    }
}

/// Messages and those that follow them, each pair read by a template of its own.
fn compare(seed: u64, pairs: usize) {
    let (service, mut random) = (service(), Random::new(seed));
    let (mut messages, mut file) = (Vec::new(), Vec::new());
    for n in 0..pairs {
        for message in pair(&mut random, n) {
            file.extend_from_slice(&(message.len() as u32).to_le_bytes());
            file.extend_from_slice(&message);
            messages.push(message);
        }
    }
    let path = std::env::temp_dir().join(format!("soap-oracle-{}-{seed}", std::process::id()));
    std::fs::write(&path, &file).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/soap.py");
    let output = Command::new("python3").arg(script).arg(&path).output();
    std::fs::remove_file(&path).unwrap();
    let Ok(output) = output else {
        test_support::skipped("there is no python3");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = String::from_utf8(output.stdout).unwrap();
    let opinions: Vec<&str> = output.lines().collect();
    assert_eq!(opinions.len(), messages.len());
    let (mut sound, mut missing, mut headers) = (0, 0, 0);
    for (pair, opinions) in messages.chunks(2).zip(opinions.chunks(2)) {
        let mut template = Template::new();
        for (message, opinion) in pair.iter().zip(opinions) {
            let read = template.read(&mut message.clone(), service.types(), &Options::default());
            let ours = match &read {
                Ok(value) => match service.message(*value).body() {
                    Some(Body::Call { value, .. }) => shown(value),
                    other => panic!("{other:?}"),
                },
                // The schema of the envelope looks at the attributes of header blocks.
                Err(error) if error.path().contains(":Header/") => {
                    headers += 1;
                    continue;
                }
                Err(_) => "E".into(),
            };
            // A struct may be without a member, which the script requires.
            if *opinion == "E" && ours.contains('-') && ours != "E" {
                missing += 1;
                continue;
            }
            let opinion = opinion.replace('N', "-");
            assert_eq!(ours, opinion, "{read:?}\n{}", String::from_utf8_lossy(message));
            sound += usize::from(read.is_ok());
        }
    }
    assert!(sound > pairs && missing + headers < pairs / 20, "{sound} {missing} {headers}");
}

#[test]
fn python_reads_the_same_values_and_refuses_the_same_messages() {
    compare(1, test_support::rounds(1_000));
}

#[test]
#[ignore = "a minute: make mutations"]
fn python_reads_the_same_values_of_ten_thousand_pairs() {
    compare(2, 10_000);
}
