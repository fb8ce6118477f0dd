//! Messages that mean harm: cut off, garbled, too deep, too long, claiming what is not there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_infoset as infoset;

mod support;

use std::io::Write;
use std::thread;

use infoset::{Options, Strings};
use support::appendix_a::{Parts, children, element, text};
use support::hold::{Outcome, hold};
use support::{RULES, back, by_events, file, message, pushed, ways};
use tam::{Error, ErrorKind, Limits, Table};
use test_support::Random;
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Documents with everything that a message can hold.
const DOCUMENTS: [&str; 7] = [
    "<a/>",
    "<a b='1'>x</a>",
    "<!DOCTYPE a PUBLIC \"p\" \"s\" [<!NOTATION n SYSTEM \"n\"><!ENTITY e SYSTEM \"e\" NDATA n><?in it?>]><?x y?><!--c-->\
     <a xmlns='urn:d' xmlns:p='urn:p' p:b='1' c=''> <p:b xmlns:p='urn:q'>t</p:b>\n<!--d--><?z?><p:a>\u{E9}<b/>\u{1F600}</p:a></a>",
    "<!DOCTYPE b [<!ELEMENT a ANY><!ATTLIST a d CDATA 'e'>]><a><b>1</b><b>2</b><b>1</b>text</a>",
    "<!DOCTYPE a SYSTEM 'd' [<!ENTITY e SYSTEM 'e'><!ENTITY f PUBLIC 'p' 'f'>]><a>x&e;y<b>&f;&none;</b>&e;</a>",
    "<r><x a='1' b='2' c='3' d='4' e='5'><y/><y/><y/><y/><y/></x><z>1</z><z>2</z><z>3</z><z>4</z><z>5</z></r>",
    "<n0 n1='' n2='' n3='' n4='' n5='' n6=''><n7/><n8/><n9/><n10/><n11/><n12/><n13/><n14/><n15/><n16>x</n16><n17>y</n17></n0>",
];

/// Reads a message in every way; the error of each.
fn refusals(message: &[u8], options: &Options) -> [Error; 3] {
    let mut table = Table::new();
    [
        infoset::read(message, options, &mut table).map(|_| ()).expect_err("the document"),
        by_events(message, options).expect_err("events"),
        pushed(message, options).expect_err("pushed events"),
    ]
}

/// Whether an error is of a limit, which it names.
fn is_limit(error: &Error, limit: &str) -> bool {
    error.kind() == ErrorKind::Limit && error.to_string().contains(limit)
}

#[test]
fn every_prefix_needs_more() {
    let golden = RULES.into_iter().filter_map(|rules| {
        let message = file(&format!("infoset-golden/periodic_table.{}", rules.as_str()))?;
        Some((message, Options::of(rules), 97))
    });
    let made =
        DOCUMENTS.iter().flat_map(|document| ways().map(move |options| (message(document, &options), options, 1)));
    for (message, options, step) in golden.chain(made) {
        for cut in (0..message.len()).rev().step_by(step) {
            for error in refusals(&message[..cut], &options) {
                assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}: {cut} of {} {options:?}", message.len());
                assert!(error.offset() <= cut as u64, "{error}: {cut}");
                let needed = error.needed().unwrap();
                assert!((1..=(message.len() - cut) as u64).contains(&needed), "{error}: {needed} at {cut}");
            }
        }
        // What follows a message is not part of it.
        let longer = [&message[..], &[0]].concat();
        for error in refusals(&longer, &options) {
            assert_eq!((error.kind(), error.offset()), (ErrorKind::Syntax, message.len() as u64), "{error}");
        }
        let mut table = Table::new();
        let (_, used) = infoset::read_prefix(&longer, &options, &mut table).unwrap();
        assert_eq!(used, message.len());
    }
}

/// A message, changed in a few places.
fn spoiled(message: &[u8], random: &mut Random) -> Vec<u8> {
    let mut spoiled = message.to_vec();
    for _ in 0..=random.below_or(2, 10, 12) {
        let at = random.below(spoiled.len().max(1));
        match random.below(8) {
            0..=2 if !spoiled.is_empty() => spoiled[at] ^= 1 << random.below(8),
            3 if !spoiled.is_empty() => spoiled[at] = random.next() as u8,
            4 if !spoiled.is_empty() => drop(spoiled.remove(at)),
            5 => spoiled.insert(at.min(spoiled.len()), random.of(&[0, 1, 0x7F, 0x80, 0xFF, b'<', b'-', 0x0D])),
            6 => spoiled.truncate(at),
            _ => {
                // A piece of it once more, elsewhere.
                let len = random.below(16).min(spoiled.len() - at.min(spoiled.len()));
                let piece = spoiled[at.min(spoiled.len())..][..len].to_vec();
                let to = random.below(spoiled.len() + 1);
                spoiled.splice(to..to, piece);
            }
        }
    }
    spoiled
}

/// Bytes that reading may hold at once of a message of so many, and of what is decompressed.
fn allowed(len: usize, decompressed: usize, options: &Options) -> usize {
    // Each algorithm has a window and tables of its own; those of bzip2 are the largest.
    let tables = if options.strings == Strings::Bzip2 { 4 << 20 } else { 1 << 18 };
    tables + 200 * len + 3 * decompressed
}

/// Spoils messages `count` times; how many of them were read.
fn spoil(seed: u64, count: usize) -> usize {
    let mut random = Random::new(seed);
    let limits = Limits { decompressed_bytes: 1 << 16, depth: 50, ..Limits::DEFAULT };
    let messages: Vec<(Vec<u8>, Options)> = DOCUMENTS
        .iter()
        .flat_map(|document| {
            ways()
                .flat_map(move |options| [options, options.with_block_bytes(8)])
                .map(move |options| (message(document, &options), options.with_limits(limits)))
        })
        .collect();
    let mut read = 0;
    for _ in 0..count {
        let (message, options) = &messages[random.below(messages.len())];
        let spoiled = spoiled(message, &mut random);
        let shown = || eprintln!("{} {options:?}", spoiled.escape_ascii());
        let outcome = std::panic::catch_unwind(|| hold(&spoiled, options)).inspect_err(|_| shown());
        read += usize::from(outcome.unwrap() == Outcome::Read);
        let mut table = Table::new();
        let (_, peak, _) = cost(|| infoset::read(&spoiled, options, &mut table).is_ok());
        assert!(peak <= allowed(spoiled.len(), 1 << 16, options), "{peak} bytes held: {}", spoiled.escape_ascii());
        let (_, peak, _) = cost(|| pushed(&spoiled, options).is_ok());
        assert!(peak <= allowed(spoiled.len(), 1 << 16, options), "{peak} bytes held: {}", spoiled.escape_ascii());
    }
    read
}

#[test]
fn spoiled_messages_are_refused_or_are_documents() {
    let read = spoil(1, test_support::rounds(20_000));
    assert!(read > test_support::rounds(300), "{read}");
}

/// Run by hand, in release.
#[test]
#[ignore = "takes minutes"]
fn a_million_spoiled_messages_are_refused_or_are_documents() {
    for seed in 2..12 {
        eprintln!("{} of 100 000 were read", spoil(seed, 100_000));
    }
}

/// The names of an element in notation, so many times.
fn repeated(one: &str, times: usize) -> String {
    vec![one; times].join(", ")
}

/// A document `<r><x>…</x>…</r>` with this many elements, all with the second string as text.
fn with_repeats(string: &str, times: usize) -> Parts {
    let content = children(&repeated(&element(2, &text(2)), times));
    Parts::new(&element(1, &content), &["r", string, "x"], &[1, 3])
}

#[test]
fn every_reference_to_a_string_counts_against_the_limit() {
    for rules in RULES {
        let options = Options::of(rules);
        let long = "0123456789".repeat(10_000);
        let message = with_repeats(&long, 11_000).encoded(rules);
        assert!(message.len() < 600_000);
        let by_bytes = options.with_limits(Limits { expansion_ratio: u32::MAX, ..Limits::DEFAULT });
        let (errors, peak, _) = cost(|| refusals(&message, &by_bytes));
        for error in errors {
            assert!(is_limit(&error, "decompressed_bytes"), "{error}");
        }
        assert!(peak < 16 << 20, "{peak}");
        // Ten bytes five times, and the names: exactly so much.
        let message = with_repeats("0123456789", 5).encoded(rules);
        let options = |most| options.with_limits(Limits { decompressed_bytes: most, ..Limits::DEFAULT });
        assert_eq!(hold(&message, &options(5 * 10 + 6)), Outcome::Read);
        assert_eq!(hold(&message, &options(5 * 10 + 5)), Outcome::Refused(ErrorKind::Limit));
    }
}

#[test]
fn blocks_count_against_the_ratio_and_references_to_one_string_do_not() {
    // The text of a reference is shared: `decompressed_bytes` bounds it, whatever the ratio.
    for rules in RULES {
        let message = with_repeats("0123456789", 1_000).encoded(rules);
        let most = 10 * 1_000 + 1_001;
        let options = |decompressed_bytes| {
            let limits = Limits { expansion_ratio: 1, expansion_threshold: 0, ..Limits::DEFAULT };
            Options::of(rules).with_limits(Limits { decompressed_bytes, ..limits })
        };
        assert_eq!(hold(&message, &options(most)), Outcome::Read);
        for error in refusals(&message, &options(most - 1)) {
            assert!(is_limit(&error, "decompressed_bytes"), "{error}");
        }
    }
    let text: Vec<u8> = b"r\0".iter().copied().chain(core::iter::repeat_n(b'a', 9 << 20)).chain([0]).collect();
    for (name, packed) in packed(&text) {
        let message = with_block(name, &packed).encoded(asn1::EncodingRules::Uper);
        for error in refusals(&message, &Options::uper()) {
            assert!(is_limit(&error, "expansion_ratio"), "{error}");
        }
    }
}

#[test]
fn names_comments_instructions_and_pieces_of_text_count_as_well() {
    let string = "n".repeat(1_000);
    let by_index = |index: u32| format!("component-string-index : {index}");
    let characters =
        format!("characters : {{ characters characters : {}, element-content-whitespace FALSE }}", by_index(2));
    let comment = format!("comment : {{ content {} }}", by_index(2));
    let instruction = format!(
        "processing-instruction : {{ target {}, content {}, base-URI same-as-parent : NULL }}",
        by_index(2),
        by_index(2)
    );
    let attributes: String = (0..3)
        .map(|n| format!("{{ name name : {{ local-name ncname : \"a{n}\" }}, normalized-value {} }}, ", by_index(2)))
        .collect();
    let attributes = format!(
        "element : {{ name common-name-index : 1, children children : {{}}, attributes {{ {} }}, \
         in-scope-namespaces same-as-parent-element : NULL }}",
        attributes.trim_end_matches(", ")
    );
    let literal = format!(
        "element : {{ name name : {{ local-name {} }}, children children : {{}}, \
         in-scope-namespaces same-as-parent-element : NULL }}",
        by_index(2)
    );
    let reference = format!(
        "unexpanded-entity-reference : {{ name {}, system-identifier system-identifier : {} }}",
        by_index(2),
        by_index(2)
    );
    // The text of the long string, and the text beside it.
    for (child, repeats, beside) in [
        (characters, 1, 0),
        (comment, 1, 0),
        (instruction, 2, 0),
        (reference, 2, 0),
        (attributes, 3, 1),
        (literal, 1, 0),
        (element(2, "children : {}"), 1, 0),
    ] {
        let parts = Parts::new(&element(1, &children(&repeated(&child, 7))), &["r", &string], &[1, 2]);
        for rules in RULES {
            let message = parts.encoded(rules);
            let exactly = 1 + 7 * (repeats * 1_000 + beside);
            let limits = |most| Limits { decompressed_bytes: most, ..Limits::DEFAULT };
            let options = |most| Options::of(rules).with_limits(limits(most)).with_entity_references(true);
            assert_eq!(hold(&message, &options(exactly)), Outcome::Read, "{child}");
            assert_eq!(hold(&message, &options(exactly - 1)), Outcome::Refused(ErrorKind::Limit), "{child}");
        }
    }
}

#[test]
fn a_literal_in_a_common_name_and_declarations_that_are_missing_count_as_well() {
    let long = "n".repeat(1_000);
    let mut parts = Parts::new(&element(1, &children(&repeated(&element(2, "children : {}"), 7))), &["r"], &[1]);
    parts.names.push_str(&format!(", {{ local-name ncname : \"{long}\" }}"));
    let mut namespaces = parts.clone();
    namespaces.names = format!(
        "{{ local-name component-string-index : 1 }}, {{ namespace-name namespace-name : uri : \"urn:{long}\", \
         local-name ncname : \"x\" }}"
    );
    for rules in RULES {
        let options = |most| Options::of(rules).with_limits(Limits { decompressed_bytes: most, ..Limits::DEFAULT });
        let message = parts.encoded(rules);
        assert_eq!(hold(&message, &options(7 * 1_000 + 1)), Outcome::Read);
        assert_eq!(hold(&message, &options(7 * 1_000 - 1)), Outcome::Refused(ErrorKind::Limit));
        // `xmlns` and the name, seven times.
        let message = namespaces.encoded(rules);
        assert_eq!(hold(&message, &options(7 * 1_009)), Outcome::Read);
        let mut table = Table::new();
        let error = infoset::read(&message, &options(7 * 1_009 - 1), &mut table).unwrap_err();
        assert!(is_limit(&error, "decompressed_bytes"), "{error}");
    }
}

/// A block under each algorithm.
fn packed(octets: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    let mut deflate = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    deflate.write_all(octets).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    bzip2.write_all(octets).unwrap();
    [
        ("deflate", deflate.finish().unwrap()),
        ("bzip2", bzip2.finish().unwrap()),
        ("zstd", zstd::stream::encode_all(octets, 19).unwrap()),
    ]
}

/// `<r/>`, its name being the first string of a block.
fn with_block(name: &str, octets: &[u8]) -> Parts {
    let mut parts = Parts::new(&element(1, "children : {}"), &[], &[1]);
    parts.blocks = vec![(name.to_owned(), octets.to_vec())];
    parts
}

#[test]
fn blocks_that_come_to_very_much_are_given_up_at_the_limit() {
    let most = 1 << 20;
    let limits = Limits { decompressed_bytes: most, ..Limits::DEFAULT };
    let text: Vec<u8> = b"r\0".iter().copied().chain(core::iter::repeat_n(b'a', 8 << 20)).chain([0]).collect();
    let empty: Vec<u8> = b"r\0".iter().copied().chain(core::iter::repeat_n(0, 1 << 20)).collect();
    for octets in [text, empty] {
        for (name, packed) in packed(&octets) {
            assert!(packed.len() < octets.len() / 400, "{name} {}", packed.len());
            let message = with_block(name, &packed).encoded(asn1::EncodingRules::Uper);
            let options = Options::uper().with_limits(limits);
            let (errors, peak, _) = cost(|| refusals(&message, &options));
            for error in errors {
                assert!(is_limit(&error, "decompressed_bytes"), "{error}");
            }
            assert!(peak < 9 << 20, "{name}: {peak} bytes");
        }
    }
}

#[test]
fn a_block_that_is_not_what_its_algorithm_makes_is_refused() {
    for (name, whole) in packed(b"r\0some text\0some text\0") {
        assert_eq!(
            back(&with_block(name, &whole).encoded(asn1::EncodingRules::Uper), &Options::uper()).unwrap(),
            "<r/>"
        );
        for cut in 0..whole.len() {
            let message = with_block(name, &whole[..cut]).encoded(asn1::EncodingRules::Uper);
            for error in refusals(&message, &Options::uper()) {
                assert_eq!(error.kind(), ErrorKind::Syntax, "{name}, {cut} of {}: {error}", whole.len());
            }
        }
        let message = with_block(name, &[&whole[..], b"x"].concat()).encoded(asn1::EncodingRules::Uper);
        for error in refusals(&message, &Options::uper()) {
            assert_eq!(error.kind(), ErrorKind::Syntax, "{name}: {error}");
        }
    }
    for (octets, found) in [
        (&b"r"[..], "ends within one"),
        (b"r\0x", "ends within one"),
        (b"r\0\xFF\0", "not UTF-8"),
        (b"r\0\xC3", "not UTF-8"),
        (b"r\0\x01\0", "U+0001"),
        (b"r\0\xEF\xBF\xBE\0", "U+FFFE"),
    ] {
        for rules in RULES {
            for error in refusals(&with_block("", octets).encoded(rules), &Options::of(rules)) {
                assert!(error.kind() == ErrorKind::Syntax && error.found().to_string().contains(found), "{error}");
            }
        }
    }
    for name in ["gzip", "deflate?strings=", "deflate?strings=x", "deflate?strings=-1", "deflate?x=1", "Deflate"] {
        for error in refusals(&with_block(name, b"r\0").encoded(asn1::EncodingRules::Uper), &Options::uper()) {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            assert!(error.found().to_string().contains(name), "{error}");
        }
    }
}

#[test]
fn a_block_that_claims_strings_it_does_not_have_takes_no_memory_for_them() {
    for claimed in [1_u64, 3, 1_000, 1 << 20, u32::MAX.into(), 1 << 32] {
        for (name, whole) in packed(b"r\0x\0").into_iter().chain([("", b"r\0x\0".to_vec())]) {
            let name = format!("{name}?strings={claimed}");
            let mut parts = with_block(&name, &whole);
            // A block after it, and one of its strings is needed first.
            parts.blocks.push((String::new(), b"y\0".to_vec()));
            for index in [1, 3, 4_000_000] {
                parts.names = format!("{{ local-name component-string-index : {index} }}");
                let message = parts.encoded(asn1::EncodingRules::Uper);
                let (errors, peak, _) = cost(|| refusals(&message, &Options::uper()));
                for error in errors {
                    assert!(matches!(error.kind(), ErrorKind::Syntax | ErrorKind::Unsupported), "{error}");
                }
                assert!(peak < 5 << 20, "{peak} bytes for {claimed} strings");
            }
        }
    }
}

#[test]
fn indexes_beyond_their_tables_are_refused_at_their_position() {
    let two = |child: &str| {
        Parts::new(&element(1, &children(&format!("{}, {child}", element(1, &text(2))))), &["r", "t"], &[1])
    };
    for (child, found) in [
        (element(1, &text(3)), "the index 3"),
        (element(1, &text(4_000_000_000)), "the index 2147483647"),
        (element(2, &text(2)), "the index 2 of a name"),
        (element(0, &text(2)), "the index 0 of a name"),
        (element(100_000, &text(2)), "the index 100000 of a name"),
        ("comment : { content component-string-index : 3 }".into(), "the index 3"),
        ("unexpanded-entity-reference : { name component-string-index : 3 }".into(), "the index 3"),
        (
            "unexpanded-entity-reference : { name component-string-index : 1, system-identifier system-identifier : \
             component-string-index : 3 }"
                .into(),
            "the index 3",
        ),
    ] {
        for rules in RULES {
            let message = two(&child).encoded(rules);
            let [error, pulled, pushed] = refusals(&message, &Options::of(rules).with_entity_references(true));
            assert!(error.found().to_string().contains(found), "{error}");
            let path = if child.starts_with("element") { "/*/*[2]" } else { "/*" };
            assert_eq!((error.kind(), error.path()), (ErrorKind::Syntax, path), "{error}");
            assert!(error.bit().is_some() && error.offset() > 2, "{error}");
            for other in [pulled, pushed] {
                assert_eq!(other.to_string(), error.to_string());
            }
        }
    }
}

/// The notations come after the elements in PER, so the fault is at the same bit.
#[test]
fn a_doctype_that_the_message_does_not_have_moves_no_fault() {
    let comment = "comment : { content component-string-index : 3 }, comment : { content component-string-index : 1 }";
    let mut parts = Parts::new(&element(1, &children(comment)), &["r"], &[1]);
    let bits = |parts: &Parts| {
        refusals(&parts.encoded(asn1::EncodingRules::Uper), &Options::uper()).map(|error| (error.offset(), error.bit()))
    };
    let without = bits(&parts);
    parts.notations = "{ name ncname : \"n\", system-identifier uri : \"s\" }".to_owned();
    assert_eq!(bits(&parts), without);
}

#[test]
fn numbers_that_no_input_backs_take_no_memory() {
    for len in [1, 2, 3, 10, 100, 100_000] {
        for octet in [0_u8, 0xFF, 0x55, 0xAA, 0xC4, 0x30, 0x80] {
            let message = vec![octet; len];
            for rules in RULES {
                let options = Options::of(rules);
                let (_, peak, _) = cost(|| refusals(&message, &options));
                assert!(peak <= allowed(len, 0, &options), "{peak} bytes for {len} of {octet}");
            }
        }
    }
    // Children in pieces of 64 Ki, all of them missing.
    let message = with_repeats("t", 70_000).encoded(asn1::EncodingRules::Uper);
    for cut in [20, 100] {
        let (errors, peak, _) = cost(|| refusals(&message[..cut], &Options::uper()));
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::Incomplete));
        assert!(peak < 100_000, "{peak}");
    }
}

/// A small stack: 256 KiB; calls take a multiple of it where nothing is optimised.
const STACK: usize = if cfg!(debug_assertions) { 1 << 20 } else { 256 << 10 };

#[test]
fn a_million_levels_are_a_matter_of_the_limit_on_a_small_stack() {
    let levels = test_support::rounds(1_000_000);
    let deep = format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
    let work = || {
        let mut table = Table::new();
        let limits = Limits { depth: u32::MAX, ..Limits::DEFAULT };
        let read = ::text::xml::read(deep.as_bytes(), &::text::xml::Options::default().with_limits(limits), &mut table);
        let document = read.unwrap();
        for rules in RULES {
            let options = Options::of(rules);
            let message = infoset::write(&document, &options).unwrap();
            for error in refusals(&message, &options) {
                assert!(is_limit(&error, "depth"), "{error}");
            }
            let options = options.with_limits(limits);
            let mut table = Table::new();
            assert_eq!(infoset::read(&message, &options, &mut table).unwrap().units(), levels);
            let mut events = 0;
            let each = infoset::events(&message, &options).unwrap().for_each(|_| {
                events += 1;
                Ok(())
            });
            each.unwrap();
            assert_eq!(events, 2 * levels);
        }
    };
    thread::scope(|scope| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap().join().unwrap());
}

#[test]
fn strings_in_pieces_of_pieces_are_read_on_a_small_stack() {
    // The block of a message in BER, constructed, the piece in it constructed, and so on.
    let message = with_block("", b"r\0").encoded(asn1::EncodingRules::Ber);
    let at = message.windows(4).rposition(|four| four == [0x81, 2, b'r', 0]).unwrap();
    let depth = 100_000;
    let mut pieces = vec![0xA1, 0x80];
    pieces.extend([0x24, 0x80].repeat(depth));
    pieces.extend([4, 2, b'r', 0]);
    pieces.extend([0, 0].repeat(depth + 1));
    // Everything around it has no definite length either.
    let around = message[..at].iter().rposition(|octet| *octet == 0xA8).unwrap();
    let mut nested = vec![0x30, 0x80];
    nested.extend(&message[2..around]);
    nested.extend([0xA8, 0x80, 0x30, 0x80, 0x80, 0]);
    nested.extend(&pieces);
    nested.extend([0; 4]);
    nested.extend(&message[at + 4..]);
    nested.extend([0; 2]);
    let work = || assert_eq!(back(&nested, &Options::ber()).unwrap(), "<r/>");
    thread::scope(|scope| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).unwrap().join().unwrap());
}

#[test]
fn the_limits_of_units_and_bytes_are_kept() {
    let message = with_repeats("t", 10).encoded(asn1::EncodingRules::Uper);
    let options = |limits| Options::uper().with_limits(limits);
    // Eleven elements, and ten texts.
    assert_eq!(hold(&message, &options(Limits { units: 21, ..Limits::DEFAULT })), Outcome::Read);
    let mut table = Table::new();
    let error = infoset::read(&message, &options(Limits { units: 20, ..Limits::DEFAULT }), &mut table).unwrap_err();
    assert!(is_limit(&error, "units"), "{error}");
    let len = message.len() as u32;
    assert_eq!(hold(&message, &options(Limits { message_bytes: len, ..Limits::DEFAULT })), Outcome::Read);
    for error in refusals(&message, &options(Limits { message_bytes: len - 1, ..Limits::DEFAULT })) {
        assert!(is_limit(&error, "message_bytes"), "{error}");
    }
    assert_eq!(hold(&message, &options(Limits { depth: 2, ..Limits::DEFAULT })), Outcome::Read);
    for error in refusals(&message, &options(Limits { depth: 1, ..Limits::DEFAULT })) {
        assert!(is_limit(&error, "depth"), "{error}");
    }
}

#[test]
fn nothing_follows_an_error_and_names_in_place_leave_nothing() {
    let child = "element : { name name : { local-name ncname : \"name\" }, children children : {}, \
         in-scope-namespaces same-as-parent-element : NULL }";
    let parts = Parts::new(&element(1, &children(&format!("{}, {child}", repeated(child, 20_000)))), &["r"], &[1]);
    let message = parts.encoded(asn1::EncodingRules::Uper);
    let mut events = infoset::events(&message, &Options::uper()).unwrap();
    let (count, peak, _) = cost(|| {
        let mut count = 0;
        while events.next_event().unwrap().is_some() {
            count += 1;
        }
        count
    });
    assert!(count == 2 * 20_002 && peak < 10_000, "{count} events, {peak} bytes");
    let mut parts = Parts::new(&element(1, &children(&repeated(&element(2, &text(1)), 3))), &["r"], &[1]);
    parts.names.push_str(", { local-name ncname : \"-\" }");
    let message = parts.encoded(asn1::EncodingRules::Uper);
    let mut events = infoset::events(&message, &Options::uper()).unwrap();
    assert!(events.next_event().unwrap().is_some());
    assert!(events.next_event().is_err());
    assert!(events.next_event().unwrap().is_none());
}
