//! Texts made to hurt: deep, cut short, spoilt byte by byte.

use crate::json_support::{BOTH, Random, data, read_error, steps, unlimited};
use tam::{ErrorKind, Limits, Table};
use text::json::{self, Options, Types};

const LEVELS: usize = 1_000_000;

/// Runs on a stack that a recursion of a few hundred levels would overflow.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(test).expect("a thread");
    thread.join().expect("the test passes");
}

fn nested(open: &str, inside: &str, close: &str, levels: usize) -> Vec<u8> {
    [open.repeat(levels), inside.to_owned(), close.repeat(levels)].concat().into_bytes()
}

#[test]
fn a_million_levels_are_refused_by_the_limit_and_read_without_it() {
    on_a_small_stack(|| {
        for text in [nested("[", "", "]", LEVELS), nested(r#"{"a":"#, "1", "}", LEVELS)] {
            let error = read_error(&text);
            assert_eq!(error.kind(), ErrorKind::Limit);
            assert_eq!(error.expected().to_string(), "at most 1000 (limit depth)");
            for types in BOTH {
                let mut table = Table::new();
                let document = json::read(&text, &unlimited().with_types(types), &mut table).expect("JSON");
                let out = json::write(&document, &Options::default()).expect("JSON");
                assert!(out == text, "a deep text changed");
            }
        }
    });
}

#[test]
fn a_million_levels_cut_short_or_spoilt_are_refused_without_recursion() {
    on_a_small_stack(|| {
        let kind = |text: &[u8]| json::read(text, &unlimited(), &mut Table::new()).map(|_| ()).map_err(|e| e.kind());
        assert_eq!(kind(&nested("[", "", "", LEVELS)), Err(ErrorKind::Incomplete));
        assert_eq!(kind(&nested("[", "}", "", LEVELS)), Err(ErrorKind::Syntax));
        assert_eq!(kind(&nested("[", "", "]", LEVELS)[1..]), Err(ErrorKind::Syntax));
    });
}

/// White space grows with the square of the levels, so these are fewer.
#[test]
fn thousands_of_levels_are_printed_prettily_without_recursion() {
    on_a_small_stack(|| {
        let text = nested(r#"[{"a":"#, "[]", "}]", 1_000);
        let mut table = Table::new();
        let document = json::read(&text, &unlimited(), &mut table).expect("JSON");
        let mut out = json::write(&document, &Options::default().with_pretty(true)).expect("JSON");
        assert_eq!(out.iter().filter(|&&c| c == b'\n').count(), 4 * 1_000);
        out.retain(|c| !c.is_ascii_whitespace());
        assert_eq!(out, text);
    });
}

#[test]
fn limits_are_kept_to_the_unit() {
    let read = |text: &str, limits| {
        json::read(text.as_bytes(), &Options::default().with_limits(limits), &mut Table::new()).map(|_| ())
    };
    let limits = Limits { depth: 2, units: 3, message_bytes: 9, ..Limits::default() };
    assert_eq!(read("[[1]]    ", limits), Ok(()));
    let error = |text| read(text, limits).expect_err("over a limit").to_string();
    assert_eq!(
        error("[[[]]]"),
        "limit at byte 2 (line 1, column 3) in /0: found one more level, expected at most 2 (limit depth)"
    );
    assert_eq!(
        error("[1,[2]]"),
        "limit at byte 5 (line 1, column 6) in /1: found one more unit, expected at most 3 (limit units)"
    );
    assert_eq!(error("[[1]]     "), "limit at byte 9: found 10 bytes, expected at most 9 (limit message_bytes)");
}

/// Of a text whose end is its closing bracket, every prefix lacks something, and no byte of it is
/// wrong.
#[test]
fn every_prefix_is_incomplete() {
    let odd = r#" {"a\u00e9\ud83d\ude00":[-0.5e+10,true,false,null,"é😀\n",{}],"":[[],"x"]}"#;
    for prefix in 0..odd.len() {
        let error = read_error(&odd.as_bytes()[..prefix]);
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Incomplete, prefix as u64), "{error}");
    }
    let marked = b"\xEF\xBB\xBF[]";
    for prefix in 0..marked.len() {
        assert_eq!(read_error(&marked[..prefix]).kind(), ErrorKind::Incomplete);
    }
    // A number may end anywhere after a digit.
    let ends = |text: &str| json::read(text.as_bytes(), &Options::default(), &mut Table::new()).is_ok();
    let number = "-10.25e-17";
    let whole: Vec<usize> = (0..=number.len()).filter(|&end| ends(&number[..end])).collect();
    assert_eq!(whole, [2, 3, 5, 6, 9, 10]);
}

/// An error names the first wrong byte: what precedes it could be the start of a JSON text.
#[test]
fn what_stands_before_a_fault_is_not_at_fault() {
    let mut random = Random(3);
    let mut faults = 0;
    for _ in 0..test_support::rounds(20_000) {
        let text = random.text();
        let text = random.spoilt(text);
        let Err(error) = json::read(&text, &Options::default(), &mut Table::new()) else { continue };
        if error.kind() == ErrorKind::Syntax {
            faults += 1;
            let before = &text[..error.offset() as usize];
            if let Err(earlier) = json::read(before, &Options::default(), &mut Table::new()) {
                assert_eq!(earlier.kind(), ErrorKind::Incomplete, "{error} but then {earlier}");
            }
        }
    }
    assert!(faults > test_support::rounds(5_000), "only {faults} faults");
}

/// Spoilt text is refused or is JSON; then it is written, read and says the same. Both sets agree.
#[test]
fn spoilt_bytes_never_panic() {
    let mut random = Random(4);
    let seeds = ["json/twitter.json", "json/citm_catalog.json"].map(data);
    let mut starts: Vec<Vec<u8>> =
        seeds.into_iter().flatten().map(|path| std::fs::read(path).expect("a file")[..3_000].to_vec()).collect();
    starts.push(br#"[{"a":[1,2.5e3,"x\u00e9\n"],"a":null},true,"\ud83d\ude00",[[[]]]]"#.to_vec());
    for round in 0..test_support::rounds(6_000) {
        let mut text = starts[round % starts.len()].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            text[at] = random.below(256) as u8;
        }
        let mut tables = [Table::new(), Table::new()];
        let [token, value] = &mut tables;
        let token = json::read(&text, &Options::default().with_types(Types::Json), token);
        let value = json::read(&text, &Options::default(), value);
        match (token, value) {
            (Ok(token), Ok(value)) => {
                for document in [token, value] {
                    let out = json::write(&document, &Options::default()).expect("JSON");
                    let mut table = Table::new();
                    let types = if document.types() == tam::TypeSet::JSON { Types::Json } else { Types::Value };
                    let again = json::read(&out, &Options::default().with_types(types), &mut table).expect("JSON");
                    assert_eq!(steps(&again), steps(&document));
                }
            }
            (Err(token), Err(value)) => assert_eq!(token, value),
            (token, value) => panic!("{token:?} but {value:?}"),
        }
    }
}
