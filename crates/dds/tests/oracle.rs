//! Python's expat and its numbers: a second opinion on what messages say.
#![allow(clippy::unwrap_used, clippy::panic)]

extern crate lengthwise_dds as dds;

mod support;

use std::process::Command;

use dds::{Array, Matching, Options, Reader, Template, Value};
use support::{Content, METHODS, Toolkit, service, spoiled};
use test_support::Random;

/// A value as the script prints it.
fn shown(value: &Value) -> String {
    match value {
        Value::Absent => "-".into(),
        Value::Nil => "N".into(),
        Value::Boolean(value) => if *value { "t" } else { "f" }.into(),
        Value::Int(value) => value.to_string(),
        Value::Double(value) if value.is_nan() => "nan".into(),
        Value::Double(value) => format!("{:016x}", value.to_bits()),
        Value::Text(text) => text.bytes().fold("\"".into(), |shown, byte| shown + &format!("{byte:02x}")),
        Value::Union(which, value) => format!("{which}:{}", shown(value)),
        Value::Record(members) => format!("({})", members.iter().map(shown).collect::<Vec<_>>().join(",")),
        Value::Array(array) => {
            let item = |n| Array::get(array, n).map(|item| shown(&item)).unwrap_or_default();
            format!("[{}]", (0..array.len()).map(item).collect::<Vec<_>>().join(","))
        }
        other => panic!("{other:?}"),
    }
}

/// Messages and those that follow them, each pair read by a template of its own.
fn compare(seed: u64, pairs: usize) {
    let mut random = Random::new(seed);
    let (mut messages, mut file) = (Vec::new(), Vec::new());
    for n in 0..pairs {
        let toolkit = Toolkit::made(&mut random);
        let content = Content::made(&mut random, n % METHODS);
        let next = content.changed(&mut random);
        for content in [content, next] {
            let mut message = content.write(&toolkit, &mut Random::new(n as u64));
            if random.one_in(3) {
                message = spoiled(&message, &mut random);
            }
            file.extend_from_slice(&(message.len() as u32).to_le_bytes());
            file.extend_from_slice(&message);
            messages.push(message);
        }
    }
    let path = std::env::temp_dir().join(format!("dds-oracle-{}-{seed}", std::process::id()));
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
    let mut sound = 0;
    for (n, (pair, opinions)) in messages.chunks(2).zip(opinions.chunks(2)).enumerate() {
        let matching = if n % 2 == 0 { Matching::Exact } else { Matching::Keyed };
        let mut template = Template::new(Reader::new(service(), &Options::default().with_matching(matching)));
        for (message, opinion) in pair.iter().zip(opinions) {
            let read = template.read(&mut message.clone());
            let ours = read.as_ref().map_or("E".into(), |message| message.value().map_or("E".into(), shown));
            assert_eq!(ours, *opinion, "{read:?}\n{}", String::from_utf8_lossy(message));
            sound += usize::from(read.is_ok());
        }
    }
    assert!(sound > pairs, "{sound}");
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
