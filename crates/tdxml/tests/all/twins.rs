//! Typed reading beside the general reader: the same verdict on any message, and the same values.
#![cfg(feature = "serde")]

use crate::support::any::anything;
use crate::support::back;
use crate::support::spoil::{samples, spoiled};
use serde::{Deserialize, Serialize};
use tdxml::{DataSchema, Options, Plan};
use test_support::{Random, rounds};

const SCHEMA: &str = "a[0] ::= SEQUENCE { k(0) [ATTRIBUTE] UTF8String OPTIONAL l(1) [ATTRIBUTE] UTF8String (\"d\") \
    m(2) [ATTRIBUTE] UTF8String u(3) [ATTRIBUTE] INTEGER OPTIONAL b[0] SEQUENCE OF { c[0] UTF8String, d[1] UTF8String OPTIONAL, e[2] SEQUENCE OF { \
    f[0] UTF8String, g(0) [ATTRIBUTE] UTF8String (\"x\") }, o[3] SEQUENCE { p(0) [ATTRIBUTE] UTF8String OPTIONAL \
    q[0] UTF8String OPTIONAL } OPTIONAL }, h[1] CHOICE { i[0] UTF8String, j[1] UTF8String } OPTIONAL, t[2] SEQUENCE { \
    w(0) [ATTRIBUTE] OCTET STRING [TEXT] DATE EMPTY } OPTIONAL, n[3] SEQUENCE OF UTF8String }";

/// Just what the schema says.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct A {
    #[serde(rename = "@k")]
    k: Option<String>,
    #[serde(rename = "@l")]
    l: String,
    #[serde(rename = "@m")]
    m: String,
    #[serde(rename = "@u")]
    u: Option<String>,
    #[serde(default)]
    b: Vec<B>,
    h: Option<H>,
    t: Option<T>,
    #[serde(default)]
    n: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct B {
    c: String,
    d: Option<String>,
    #[serde(default)]
    e: Vec<E>,
    o: Option<O>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct E {
    #[serde(rename = "@g")]
    g: String,
    f: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct O {
    #[serde(rename = "@p")]
    p: Option<String>,
    q: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum H {
    I(String),
    J(String),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct T {
    #[serde(rename = "@w")]
    w: String,
    #[serde(rename = "$text", default)]
    text: String,
}

/// A type that has fields for little of it: the rest is checked all the same.
#[derive(Debug, Deserialize)]
struct Few {
    #[serde(rename = "@m")]
    _m: String,
    #[serde(default)]
    _n: Vec<String>,
}

fn values() -> Vec<A> {
    let text = |text: &str| text.to_owned();
    let small = A { k: None, l: text("d"), m: text(""), u: None, b: vec![], h: None, t: None, n: vec![] };
    let e = |f: &str| E { g: text("x"), f: text(f) };
    let b = |c: &str| B { c: text(c), d: None, e: vec![], o: None };
    let o = |p: Option<&str>, q: Option<&str>| Some(O { p: p.map(text), q: q.map(text) });
    vec![
        small.clone(),
        A { n: vec![text("1"), text(""), text("[3")], h: Some(H::I(text("i"))), ..small.clone() },
        A {
            b: vec![
                b("1"),
                B { d: Some(text("|")), o: o(None, None), ..b("\"\"") },
                B { e: vec![e("f"), E { g: text("y"), f: text("") }], o: o(Some("p"), None), ..b("") },
                B { e: vec![e("[1")], o: o(None, Some("q")), ..b("&<\n") },
            ],
            u: Some(text("-7")),
            t: Some(T { w: text("AAEC"), text: text("2004-07-20") }),
            ..small.clone()
        },
        A {
            k: Some(text("k")),
            b: vec![B { o: o(Some(""), Some("")), ..b("x") }],
            h: Some(H::J(text(""))),
            t: Some(T { w: text(""), text: text("") }),
            ..small
        },
    ]
}

/// Whether a message is sound: by the general reader and for the type that says what the schema says.
fn mirrored(plan: &Plan, message: &[u8]) -> bool {
    let shown = || String::from_utf8_lossy(message).into_owned();
    let general = back(message, &Options::default());
    let is_another = |error: &tam::Error| error.found().to_string() == "another schema";
    match plan.read::<Few>(message) {
        Err(error) if is_another(&error) => {}
        few => assert_eq!(few.is_ok(), general.is_ok(), "{few:?}\n{}", shown()),
    }
    match (&general, plan.read::<A>(message)) {
        (Ok(general), Ok(value)) => {
            let again = back(&plan.to_vec(&value).unwrap(), &Options::default()).unwrap();
            assert_eq!(&again, general, "{}", shown());
        }
        (Err(_), Err(error)) => assert!(error.offset() <= message.len() as u64, "{error}\n{}", shown()),
        // The schema may be what was spoiled.
        (Ok(_), Err(error)) if is_another(&error) => {}
        (general, typed) => panic!("{general:?}\n{typed:?}\n{}", shown()),
    }
    general.is_ok()
}

/// Lines changed places, came twice, or went; their ends became others.
fn shuffled(random: &mut Random, message: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(message);
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for _ in 0..1 + random.below(2) {
        let (one, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(4) {
            0 => lines.swap(one, other),
            1 => lines.insert(one, lines[other].clone()),
            2 if lines.len() > 1 => drop(lines.remove(one)),
            _ => lines[one].push('\r'),
        }
    }
    lines.join("\n").into_bytes()
}

fn spoil(count: usize) {
    let any: Vec<Vec<u8>> = samples().into_iter().filter(|one| !one.starts_with(b"Content-Type")).collect();
    let plans: Vec<Plan> = crate::support::SCHEMES
        .map(|scheme| Plan::new(SCHEMA.parse::<DataSchema>().unwrap()).with_scheme(scheme))
        .into_iter()
        .collect();
    let typed: Vec<Vec<u8>> =
        plans.iter().flat_map(|plan| values().into_iter().map(|value| plan.to_vec(&value).unwrap())).collect();
    typed.iter().for_each(|message| assert!(mirrored(&plans[0], message)));
    any.iter().for_each(|message| assert!(anything(message)));
    let mut random = Random::new(11);
    let mut sound = 0;
    for number in 0..count {
        let all = if number % 2 == 0 { &typed } else { &any };
        let one = &all[random.below(all.len())];
        let other = &all[random.below(all.len())];
        let message = match random.below(2) {
            0 => spoiled(&mut random, one, other),
            _ => shuffled(&mut random, one),
        };
        sound += usize::from(if number % 2 == 0 { mirrored(&plans[0], &message) } else { anything(&message) });
    }
    // Enough of both to mean something.
    assert!(sound > count / 20 && sound < count / 20 * 19, "{sound} of {count}");
}

#[test]
fn typed_reading_gives_the_same_as_the_general_reader() {
    spoil(4_000);
}

#[test]
#[ignore = "takes an hour"]
fn ten_million_spoiled_messages() {
    spoil(rounds(10_000_000));
}
