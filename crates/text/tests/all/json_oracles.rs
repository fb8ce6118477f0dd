//! Two independent readers, serde_json and Python's, beside ours on generated and spoilt texts.

use crate::json_support::{BOTH, Random, python_disagrees, rewritten};
use tam::Table;
use tam::json::Value;
use text::json::{self, Options};

/// Generated texts, and with each three that were spoilt.
fn texts(seed: u64, count: usize) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    let mut texts = Vec::new();
    for _ in 0..count {
        let text = random.text();
        for _ in 0..3 {
            texts.push(random.spoilt(text.clone()));
        }
        texts.push(text);
    }
    texts
}

fn same(ours: &Value<'_>, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(ours), serde_json::Value::Bool(theirs)) => ours == theirs,
        (Value::Number(ours), serde_json::Value::Number(theirs)) => same_number(ours.as_str(), &theirs.to_string()),
        (Value::String(ours), serde_json::Value::String(theirs)) => *ours == **theirs && ours.to_cow() == *theirs,
        (Value::Array(ours), serde_json::Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.clone().zip(theirs).all(|(ours, theirs)| same(&ours, theirs))
        }
        (Value::Object(ours), serde_json::Value::Object(theirs)) => {
            // Of members with one name serde_json keeps the last.
            let last = |name: &String| ours.clone().filter(|(ours, _)| *ours == **name).last();
            ours.clone().all(|(name, _)| theirs.contains_key(&*name.to_text()))
                && theirs.iter().all(|(name, theirs)| last(name).is_some_and(|(_, ours)| same(&ours, theirs)))
        }
        _ => false,
    }
}

/// serde_json writes the exponent in its own way.
fn same_number(ours: &str, theirs: &str) -> bool {
    let normal = |number: &str| number.to_ascii_lowercase().replace("e+", "e");
    normal(ours) == normal(theirs)
}

#[test]
fn serde_json_takes_the_same_texts_for_the_same_values() {
    let (mut taken, mut refused) = (0, 0);
    for text in texts(1, test_support::rounds(4_000)) {
        // RFC 8259 allows to ignore a byte order mark and not to.
        if text.starts_with(b"\xEF\xBB\xBF") {
            continue;
        }
        let theirs = serde_json::from_slice::<serde_json::Value>(&text);
        for types in BOTH {
            let mut table = Table::new();
            let ours = json::read(&text, &Options::default().with_types(types), &mut table);
            let shown = String::from_utf8_lossy(&text);
            match (&ours, &theirs) {
                (Ok(ours), Ok(theirs)) => {
                    assert!(same(&Value::new(ours.root().unwrap()), theirs), "{types:?}: {shown}");
                    taken += 1;
                }
                (Err(_), Err(_)) => refused += 1,
                _ => panic!("{types:?}: {shown}\nours: {ours:?}\ntheirs: {theirs:?}"),
            }
        }
    }
    assert!(
        taken > test_support::rounds(8_000) && refused > test_support::rounds(8_000),
        "too one-sided to be meaningful: {taken} taken, {refused} refused"
    );
}

#[test]
fn python_takes_the_same_texts_for_the_same_values() {
    let texts = texts(2, test_support::rounds(2_000));
    for types in BOTH {
        let pairs: Vec<_> = texts.iter().map(|text| (text.clone(), rewritten(text, types).ok())).collect();
        let Some(wrong) = python_disagrees(&pairs) else { return };
        let shown: Vec<_> = wrong.iter().map(|&i| String::from_utf8_lossy(&texts[i])).collect();
        assert!(shown.is_empty(), "{types:?}: {shown:#?}");
    }
}

/// The comparison itself: it must see every kind of difference.
#[test]
fn python_sees_differences() {
    let pair =
        |before: &str, after: Option<&str>| (before.as_bytes().to_vec(), after.map(|after| after.as_bytes().to_vec()));
    let pairs = [
        pair("null", None),
        pair("NaN", Some("null")),
        pair("1.0", Some("1.00")),
        pair("1", Some("\"1\"")),
        pair("[]", Some("{}")),
        pair(r#"{"a":1,"a":2}"#, Some(r#"{"a":2}"#)),
        pair(r#"{"a":1,"b":2}"#, Some(r#"{"b":2,"a":1}"#)),
        pair(r#"[ "\u0041" ]"#, Some(r#"["A"]"#)),
    ];
    if let Some(wrong) = python_disagrees(&pairs) {
        assert_eq!(wrong, [0, 1, 2, 3, 4, 5, 6]);
    }
}
