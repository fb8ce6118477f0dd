//! Bad messages: refused with kind and place, in bounded time; never half read.

use crate::hold::hold;
use crate::support::spoil::{samples, spoiled};
use tam::{ErrorKind, Limits, Table};
use tdxml::{DataSchema, Options};
use test_support::Random;
use test_support::cost::within;

const SCHEMA: &str = "a[0] ::= SEQUENCE { k(0) [ATTRIBUTE] UTF8String OPTIONAL l(1) [ATTRIBUTE] INTEGER OPTIONAL \
    b[0] SEQUENCE OF { c[0] UTF8String, d[1] UTF8String OPTIONAL, e[2] SEQUENCE OF { f[0] UTF8String } } \
    g[1] CHOICE { h[0] UTF8String, i[1] UTF8String } OPTIONAL, j[2] SET { m[0] UTF8String OPTIONAL, n[1] SEQUENCE OF UTF8String } OPTIONAL }";

fn read(rows: &str) -> Result<(), (ErrorKind, usize, String)> {
    let head = format!("<TDXML:Env><TDXML:DS>{SCHEMA}</TDXML:DS><TDXML:CT>");
    let text = format!("{head}{rows}</TDXML:CT></TDXML:Env>");
    let read = tdxml::read(text.as_bytes(), &Options::default(), &mut Table::new()).map(|_| ());
    read.map_err(|error| (error.kind(), (error.offset() as usize).wrapping_sub(head.len()), error.path().to_owned()))
}

#[test]
fn rows_out_of_order_twice_or_beyond_the_schema_are_refused_at_their_position() {
    use ErrorKind::{Schema, Syntax};
    assert_eq!(read("[0](0) |x\n[0][0]0[0] |y\n"), Ok(()));
    for (rows, kind, at, path) in [
        ("[0](1) |7\n[0](0) |x", Schema, 10, "/a"),
        ("[0](0) |x\n[0](0) |x", Schema, 10, "/a"),
        ("[0](0) |x\n[0](2) |x", Schema, 10, "/a"),
        ("[0](1) |x", Schema, 8, "/a"),
        ("[0][0]1[0] |x", Schema, 0, "/a"),
        ("[0][0]0[0] |x\n[0][0]2[0] |y", Schema, 14, "/a"),
        ("[0][0]0[0] |x\n[0][0]0[0] |y", Schema, 14, "/a/b/c"),
        ("[0][0]0[1] |x", Schema, 0, "/a/b"),
        ("[0][0]0[0] |x\n[0][0]1[1] |y", Schema, 14, "/a/b[2]"),
        ("[0][0][0] |x", Schema, 0, "/a"),
        ("[0][1]0[0] |x", Schema, 0, "/a"),
        ("[0][1][0] |x\n[0][1][1] |y", Schema, 13, "/a/g"),
        ("[0][1][0] |x\n[0](0) |y", Schema, 13, "/a"),
        ("[0][1][0][0] |x", Schema, 0, "/a/g/h"),
        ("[0][1][0](0) |x", Schema, 0, "/a/g/h"),
        ("[0][2][1]0 |x\n[0][2][0] |y\n[0][2][1]1 |z\n[0][2][0] |y", Schema, 41, "/a/j"),
        ("[0][2][1]1 |x", Schema, 0, "/a/j"),
        ("[0] |text", Schema, 5, "/a"),
        ("[1] |x", Schema, 0, ""),
        ("[0] |\n[0] |", Schema, 6, "/a"),
        ("[0]0 |", Schema, 0, ""),
        ("", Schema, 0, ""),
        ("x", Syntax, 0, ""),
        ("[0", Syntax, 2, ""),
        ("[0]", Syntax, 3, ""),
        ("[0](0", Syntax, 5, ""),
        ("[00] |", Syntax, 1, ""),
        ("[4294967296] |", Syntax, 1, ""),
        ("[0](0) |&x;", Syntax, 8, "/a"),
        ("[0](0) |a\rb", Syntax, 9, ""),
        ("[0][0]0{[0] [1]}\nx", Syntax, 18, "/a/b"),
        ("[0][0]0{[0] [1]}\nx||", Syntax, 19, "/a/b"),
        ("[0][0]0{[0] [2]{[0]}}\nx|y", Syntax, 24, "/a/b"),
        ("[0][0]0{[0] [2]{[0]}}\nx|1|", Syntax, 25, "/a/b"),
        ("[0][0]0{[0] [2]{[0]}}\nx|1\n", Syntax, 26, "/a/b"),
        ("[0][0]0{[0] [2]{[0]}}\nx|2\ny\n", Syntax, 28, "/a/b/e"),
        ("[0][0]0{[0] [2]{[0]}}\nx|01\ny\n", Syntax, 24, "/a/b"),
        ("[0][0]0{[0] [2]{[0]}\nx|1\ny\n", Syntax, 20, ""),
        ("[0][0]0{[1] [0]}\ny|x", Schema, 7, "/a"),
        ("[0][0]0{[0] [0]}\ny|x", Schema, 7, "/a"),
        ("[0][0]0{[3]}\nx", Schema, 7, "/a"),
        ("[0][0]0{[0] (0)}\nx|", Schema, 7, "/a"),
        ("[0][0]0{[2]}\nx", Schema, 7, "/a"),
        ("[0][0]0{[0]{[0]}}\n0", Schema, 7, "/a"),
        ("[0][9]0{[0]}\nx", Schema, 0, "/a"),
        (" [0](0) |x", Syntax, 0, ""),
        ("[0][0]{[0]}\nx", Syntax, 6, ""),
        ("[0][0]0{[0] [2]{[0]}}\nx|1\n[y", Syntax, 26, "/a/b"),
        ("[0][0]0{[0]}\n", Syntax, 13, ""),
        ("[0][0]0{[0]}\n[0][0]0{[0]}\nx", Syntax, 13, ""),
        ("[0][0]1{[0]}\nx", Schema, 13, "/a"),
    ] {
        let found = read(rows).err().unwrap_or_else(|| panic!("{rows} is read"));
        assert_eq!((found.0, found.1), (kind, at), "{rows}: {found:?}");
        assert!(found.2.starts_with(path) || path.is_empty(), "{rows}: {found:?}");
    }
}

#[test]
fn schemas_at_fault_are_refused_with_line_and_column() {
    for (notation, kind) in [
        ("", ErrorKind::Incomplete),
        ("a", ErrorKind::Incomplete),
        ("a[1] ::= NULL", ErrorKind::Syntax),
        ("a[0] ::= SEQUENCE {", ErrorKind::Incomplete),
        ("a[0] ::= SEQUENCE { b[1] NULL }", ErrorKind::Syntax),
        ("a[0] ::= SEQUENCE { b(0) [ATTRIBUTE] UTF8String (\"x }", ErrorKind::Incomplete),
        ("a[0] ::= SEQUENCE { b(0) [ATTRIBUTE] INTEGER (\"x\") }", ErrorKind::Schema),
        ("a[0] ::= SEQUENCE { b(0) [ATTRIBUTE] NULL b(1) [ATTRIBUTE] NULL }", ErrorKind::Schema),
        ("a[0] ::= SEQUENCE { [TEXT] NULL [TEXT] NULL }", ErrorKind::Schema),
        ("a[0] ::= B", ErrorKind::Schema),
        ("a[0] ::= B B ::= NULL", ErrorKind::Syntax),
        ("a[0] ::= B B ::= SEQUENCE { } B ::= SEQUENCE { }", ErrorKind::Schema),
        ("a[0] ::= SEQUENCE { 1b[0] NULL }", ErrorKind::Syntax),
        ("a[0] ::= NULL OPTIONAL", ErrorKind::Syntax),
    ] {
        let error = notation.parse::<DataSchema>().unwrap_err();
        assert_eq!(error.kind(), kind, "{notation}: {error}");
        assert!(error.position().is_some());
    }
    // Types that name themselves are sound; that nothing can be of one is for the rows to show.
    let schema: DataSchema = "a[0] ::= A A ::= SEQUENCE { a[0] A }".parse().unwrap();
    assert_eq!(schema.to_string(), "a [0] ::= A\nA ::= SEQUENCE {\n a[0] A }");
    let message =
        format!("<TDXML:Env><TDXML:DS>{schema}</TDXML:DS><TDXML:CT>[0]{} |</TDXML:CT></TDXML:Env>", "[0]".repeat(2000));
    let error = tdxml::read(message.as_bytes(), &Options::default(), &mut Table::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let deep = format!("a[0] ::= {}", "SEQUENCE { a[0] ".repeat(5000));
    assert_eq!(deep.parse::<DataSchema>().unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn parts_that_lie_are_refused() {
    let envelope = "<TDXML:Env><TDXML:DS>a[0] ::= OCTET STRING</TDXML:DS><TDXML:CT>[0] |cid:1</TDXML:CT></TDXML:Env>";
    let part = |head: &str, octets: &str| format!("--B\r\n{head}\r\n\r\n{octets}\r\n");
    let whole =
        |parts: &[String]| format!("Content-Type: multipart/related; boundary=B\r\n\r\n{}--B--\r\n", parts.concat());
    let root = part("Content-Type: text/xml", envelope);
    let read = |message: &str| {
        tdxml::read(message.as_bytes(), &Options::default(), &mut Table::new()).map(|_| ()).map_err(|e| e.kind())
    };
    assert_eq!(read(&whole(&[root.clone(), part("Content-ID: <1>", "xyz")])), Ok(()));
    assert_eq!(read(&whole(&[root.clone(), part("Content-ID: <1>\r\nContent-Length: 3", "xyz")])), Ok(()));
    // Line feeds alone do as well.
    assert_eq!(read(&whole(&[root.clone(), part("Content-ID: <1>", "xyz")]).replace("\r\n", "\n")), Ok(()));
    for (parts, kind) in [
        (vec![root.clone()], ErrorKind::Schema),
        (vec![root.clone(), part("Content-ID: <2>", "xyz")], ErrorKind::Schema),
        (vec![root.clone(), part("Content-ID: <1>\r\nContent-Length: 2", "xyz")], ErrorKind::Syntax),
        (vec![root.clone(), part("Content-ID: <1>\r\nContent-Length: 99999999999999999999", "xyz")], ErrorKind::Syntax),
        (vec![root.clone(), part("Content-ID: <1>\r\nContent-Length: 18446744073709551615", "xyz")], ErrorKind::Limit),
        (vec![root.clone(), part("Content-ID: <1>", "x"), part("Content-ID: <1>", "y")], ErrorKind::Syntax),
        (
            vec![root.clone(), part("Content-ID: <1>\r\nContent-Transfer-Encoding: base64", "eA==")],
            ErrorKind::Unsupported,
        ),
        (vec![], ErrorKind::Syntax),
    ] {
        assert_eq!(read(&whole(&parts)), Err(kind), "{}", whole(&parts));
    }
    let sound = whole(&[root, part("Content-ID: <1>", "xyz")]);
    let with_length = sound.replace("<1>", "<1>\r\nContent-Length: 3");
    for sound in [&sound, &with_length, &sound.replace("\r\n", "\n")] {
        let end = sound.rfind("--").unwrap() + 2;
        for cut in 0..end {
            assert_eq!(read(&sound[..cut]), Err(ErrorKind::Incomplete), "{}", &sound[..cut]);
        }
        assert_eq!(read(&sound[..end]), Ok(()));
    }
    assert_eq!(read("Content-Type: text/plain\r\n\r\nx"), Err(ErrorKind::Unsupported));
    assert_eq!(read("Content-Type: multipart/related\r\n\r\nx"), Err(ErrorKind::Syntax));
}

#[test]
fn nothing_is_written_of_what_is_refused() {
    let mut table = Table::new();
    let document = crate::support::xml(b"<a><b/>x</a>", &mut table);
    let mut out = b"kept".to_vec();
    let schema = "a[0] ::= SEQUENCE { b[0] UTF8String }".parse::<DataSchema>().unwrap();
    assert!(tdxml::append(&document, &Options::default().with_schema(&schema), &mut out).is_err());
    assert_eq!(out, b"kept");
}

/// No message takes more time than its length allows, whatever it says.
#[test]
fn time_and_memory_are_bounded() {
    let record = |elements: usize, order: &str| {
        let all: String = (0..elements).map(|n| format!("e{n}[{n}] UTF8String OPTIONAL,")).collect();
        format!("a[0] ::= SEQUENCE {{ r[0] SEQUENCE OF {order} {{ {all} }} }}")
    };
    let message = |schema: &str, rows: &str| {
        format!("<TDXML:Env><TDXML:DS>{schema}</TDXML:DS><TDXML:CT>{rows}</TDXML:CT></TDXML:Env>")
    };
    let many: String = (0..20_000).map(|n| format!("[0][0]{n}[4999] |\n")).collect();
    let defaults: String =
        (0..3000).map(|n| format!("k{n}({n}) [ATTRIBUTE] UTF8String (\"{}\")", "x".repeat(300))).collect();
    let empty: String = (0..20_000).map(|n| format!("[0][0]{n} |\n")).collect();
    let columns: String = (0..5000).map(|n| format!("[{n}] ")).collect();
    let blank = "|".repeat(4999) + "\n";
    let messages = [
        message(&record(5000, "SEQUENCE"), &many),
        message(&record(5000, "SET"), &many),
        message(&format!("a[0] ::= SEQUENCE {{ r[0] SEQUENCE OF {{ {defaults} }} }}"), &empty),
        message(&record(5000, "SEQUENCE"), &format!("[0][0]0{{{}}}\n{}", columns.trim_end(), blank.repeat(40))),
        message("a[0] ::= A A ::= SEQUENCE { a[0] SEQUENCE OF A }", &("[0]".to_owned() + &"[0]0".repeat(900) + " |\n")),
        message(
            "a[0] ::= A A ::= SEQUENCE { a[0] SEQUENCE OF A }",
            &format!("[0][0]0{{{}{}\n{}", "[0]{".repeat(800), "}".repeat(801), "1\n".repeat(5000)),
        ),
    ];
    for message in &messages {
        let limits = Limits { decompressed_bytes: 1 << 24, ..Limits::default() };
        within(20, &message[..300], || {
            let _ = tdxml::read(message.as_bytes(), &Options::default().with_limits(limits), &mut Table::new());
        });
    }
    // Sparse siblings are no group: their cells would be many times their values.
    let sparse: String = (0..3000).map(|n| format!("<r><e{n}>{n}</e{n}></r>")).collect();
    let sparse = format!("<a>{sparse}</a>");
    let written =
        crate::support::message(sparse.as_bytes(), &Options::default().with_scheme(tdxml::Scheme::Grouped)).unwrap();
    assert!(written.len() < 4 * sparse.len(), "{}", written.len());
}

/// Data schemas that cost more than they say, and heads and counts that promise more than there is.
#[test]
fn hostile_data_schemas_cost_no_more_than_their_length() {
    let message = |schema: &str, rows: &str| {
        format!("<TDXML:Env><TDXML:DS>{schema}</TDXML:DS><TDXML:CT>{rows}</TDXML:CT></TDXML:Env>")
    };
    let many = 2_000;
    let elements: String = (0..many).map(|n| format!("e{n}[{n}] UTF8String OPTIONAL,")).collect();
    let attributes: String = (0..many).map(|n| format!("k{n}({n}) [ATTRIBUTE] UTF8String OPTIONAL ")).collect();
    let wide = format!("a[0] ::= SEQUENCE OF {{ {attributes}{elements} }}");
    let columns: String = (0..many).map(|n| format!("[{n}] ")).collect();
    let same = "[0] ".repeat(many);
    let endless = "a[0] ::= A A ::= SEQUENCE { a[0] A }";
    let twice = "a[0] ::= A A ::= SEQUENCE { a[0] SEQUENCE OF B, b[1] SEQUENCE OF B } B ::= SEQUENCE { a[0] SEQUENCE OF A, b[1] \
                 SEQUENCE OF A }";
    let group = "a[0] ::= SEQUENCE OF { b[0] SEQUENCE OF UTF8String }";
    let types: String =
        (0..many).map(|n| format!("T{n} ::= SEQUENCE {{ t[0] T{} OPTIONAL }} ", (n + 1) % many)).collect();
    for (what, text, kind) in [
        ("no columns", message(&wide, "[0]0{}\n\n"), None),
        ("columns", message(&wide, &format!("[0]0{{{}}}\n{}\n", columns.trim_end(), "|".repeat(many - 1))), None),
        ("the same column", message(&wide, &format!("[0]0{{{}}}\nx\n", same.trim_end())), Some(ErrorKind::Schema)),
        ("a number beyond", message(&wide, "[0]0[4294967293] |x"), Some(ErrorKind::Schema)),
        ("no end", message(endless, &format!("[0]{} |", "[0]".repeat(999))), Some(ErrorKind::Schema)),
        ("deeper than the limit", message(endless, &format!("[0]{} |", "[0]".repeat(1001))), Some(ErrorKind::Limit)),
        ("types in a circle", message(&format!("a[0] ::= T0 {types}"), "[0] |"), None),
        ("two ways on", message(twice, &format!("[0]{} |", "[1]0".repeat(900))), None),
        ("rows that are not there", message(group, "[0]0{[0]{.}}\n18446744073709551615\nx\n"), Some(ErrorKind::Syntax)),
        ("more rows than numbers", message(group, "[0]0{[0]{.}}\n18446744073709551616\nx\n"), Some(ErrorKind::Syntax)),
        ("an occurrence beyond", message(group, "[0]4294967293{[0]{.}}\n0\n"), Some(ErrorKind::Schema)),
    ] {
        within(20, what, || {
            let read = tdxml::read(text.as_bytes(), &Options::default(), &mut Table::new()).map(|_| ());
            assert_eq!(read.as_ref().err().map(tdxml::Error::kind), kind, "{what}: {read:?}");
            let rows = tdxml::Lookup::new(text.as_bytes(), &Options::default()).unwrap();
            let _ = rows.get("/a[2]/b[3]");
            assert_eq!(rows.index().is_ok(), kind.is_none(), "{what}");
            let streamed = tdxml::read_rows(text.as_bytes(), &Options::default(), |_| Ok(()));
            assert_eq!(streamed.err().map(|error| error.kind()), kind, "{what}");
        });
    }
}

/// A message that refers to a schema is read by no other, and the error says which it wants.
#[test]
fn another_schema_than_the_one_named_is_refused() {
    let schema: DataSchema = "a[0] ::= SEQUENCE { b[0] UTF8String }".parse().unwrap();
    let other: DataSchema = "a[0] ::= SEQUENCE { b[0] INTEGER }".parse().unwrap();
    let (id, other_id) = (schema.content_id(), other.content_id());
    assert_ne!(id, other_id);
    let mut registry = tdxml::Registry::new();
    registry.insert(other_id.clone(), other);
    let message = format!("<TDXML:Env><TDXML:DS ref=\"{id}\"/><TDXML:CT>\n[0][0] |x\n</TDXML:CT></TDXML:Env>");
    let options = Options::default().with_registry(&registry);
    let streamed = tdxml::read_rows(message.as_bytes(), &options, |_| Ok(())).unwrap_err();
    let found = tdxml::Lookup::new(message.as_bytes(), &options).unwrap_err();
    let read = tdxml::read(message.as_bytes(), &options, &mut Table::new()).unwrap_err();
    for error in [streamed, found, read] {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains(&id), "{error}");
    }
}

#[test]
fn a_message_cut_short_is_refused() {
    for message in samples() {
        let end = message.trim_ascii_end().len();
        for cut in (0..end - usize::from(message.ends_with(b"--\r\n")) * 2).step_by(3) {
            assert!(!hold(&message[..cut]), "{}", String::from_utf8_lossy(&message[..cut]));
        }
        assert!(hold(&message));
    }
}

fn spoil(count: usize) {
    let samples = samples();
    let mut random = Random::new(7);
    let mut sound = 0;
    for _ in 0..count {
        let one = &samples[random.below(samples.len())];
        let other = &samples[random.below(samples.len())];
        sound += usize::from(hold(&spoiled(&mut random, one, other)));
    }
    // Enough of both to mean something.
    assert!(sound > count / 100 && sound < count, "{sound} of {count}");
}

#[test]
fn spoiled_messages_are_read_alike_by_both_schemes_or_refused() {
    spoil(4_000);
}

#[test]
#[ignore = "takes minutes"]
fn a_million_spoiled_messages() {
    spoil(1_000_000);
}
