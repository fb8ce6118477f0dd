//! What hostile XML and JSON cost: memory in proportion to the text and to what the limits let it expand to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_text as text;

use tam::{Error, ErrorKind, Limits, Table};
use test_support::memory::{Counting, cost};
use text::{json, xml};

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most memory that reading holds: so much a byte of the text, and a byte that entities and defaults add.
const A: usize = 200;
const EXPANDED: usize = 150;
const B: usize = 1 << 16;

fn held(text: &str, limits: Limits, work: impl FnOnce() -> Result<usize, Error>) -> Result<usize, Error> {
    let (read, peak, _) = cost(work);
    let most = A * text.len() + EXPANDED * limits.entities(text.len()).left() as usize + B;
    assert!(peak <= most, "{peak} bytes of {most} for {}", text.len());
    read
}

/// Reads XML under the limits for unknown senders, but for units.
fn read(text: &str) -> Result<usize, Error> {
    let limits = Limits { units: u32::MAX, ..Limits::UNTRUSTED };
    let options = xml::Options::default().with_limits(limits);
    held(text, limits, || xml::read(text.as_bytes(), &options, &mut Table::new()).map(|document| document.units()))
}

fn limit(text: &str) -> String {
    let error = read(text).expect_err("a limit");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    error.to_string().rsplit_once("(limit ").unwrap().1.trim_end_matches(')').to_owned()
}

#[test]
fn each_reference_counts_and_none_is_searched_from_again() {
    // In the square of its length this would take an hour, in a debug build.
    let many = |count: usize| format!("<!DOCTYPE a [<!ENTITY x ''>]><a>{}</a>", "&x;".repeat(count));
    assert_eq!(read(&many(1_000_000)).unwrap(), 3);
    assert_eq!(limit(&many(1_100_000)), "entity_expansion");
    let attribute = format!("<!DOCTYPE a [<!ENTITY x ''>]><a b='{}'/>", "&x;".repeat(200_000));
    assert_eq!(read(&attribute).unwrap(), 5);
    let parameters = format!("<!DOCTYPE a [<!ENTITY % x ''>{}]><a/>", "%x;".repeat(1_100_000));
    assert_eq!(limit(&parameters), "entity_expansion");
}

#[test]
fn defaults_are_bounded_however_many_elements_get_them() {
    let defaults: String = (0..10_000).map(|n| format!(" a{n} CDATA ''")).collect();
    let text = format!("<!DOCTYPE a [<!ATTLIST b{defaults}>]><a>{}</a>", "<b/>".repeat(100_000));
    assert_eq!(limit(&text), "entity_expansion");
}

#[test]
fn declarations_of_namespaces_cost_what_they_are_long() {
    let declared: String = (0..50_000).map(|n| format!(" xmlns:p{n}='u{n}'")).collect();
    let used: String = (0..50_000).map(|n| format!(" p{n}:x=''")).collect();
    let elements: String = (0..50_000).map(|n| format!("<p{n}:e/>")).collect();
    assert_eq!(read(&format!("<a{declared}><b{used}/>{elements}</a>")).unwrap(), 50_000 + 50_000 + 50_000 + 4);
    // Bound again and again, deep and side by side.
    let deep = format!("{}{}", "<p:a xmlns:p='u'>".repeat(250), "</p:a>".repeat(250)).repeat(40);
    let wide: String = (0..50_000).map(|n| format!("<p:a xmlns:p='u{n}' p:x=''/>")).collect();
    assert!(read(&format!("<a>{deep}{wide}</a>")).is_ok());
    // One long name for many prefixes, compared by number.
    let long = "u".repeat(100_000);
    let same: String = (0..40).map(|n| format!(" xmlns:p{n}='{long}'")).collect();
    let each: String = (0..40).map(|n| format!(" p{n}:x{n}=''")).collect();
    assert!(read(&format!("<a{same}>{}</a>", format!("<b{each}/>").repeat(1_000))).is_ok());
    let error = read(&format!("<a{same}><b p1:x='' p2:x=''/></a>")).unwrap_err();
    assert!(error.found().to_string().contains("the attribute 'p2:x'"), "{error}");
}

#[test]
fn long_names_and_many_declarations_cost_what_they_are_long() {
    let name = "n".repeat(60_000);
    assert!(read(&format!("<{name}>{}</{name}>", format!("<{name}/>").repeat(20))).is_ok());
    let declared: String = (0..50_000).map(|n| format!("<!ENTITY e{n} 'x'><!ATTLIST a b{n} CDATA #IMPLIED>")).collect();
    assert!(read(&format!("<!DOCTYPE a [{declared}]><a>&e7;</a>")).is_ok());
}

#[test]
fn json_costs_what_it_is_long() {
    let same = format!("{{{}}}", vec!["\"k\":1"; 200_000].join(","));
    let escapes = format!("[\"{}\"]", "\\ud83d\\ude00".repeat(100_000));
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let many = format!("[{}]", vec!["1"; 300_000].join(","));
    for text in [&same, &escapes, &deep, &many] {
        let options = json::Options::default();
        let read = || json::read(text.as_bytes(), &options, &mut Table::new()).map(|document| document.units());
        assert!(held(text, Limits { entity_expansion: 0, ..Limits::DEFAULT }, read).is_ok());
    }
}
