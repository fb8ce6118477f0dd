//! What it costs to find out what a message is, counted in bytes held.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

use lengthwise::tam::{Limits, Table};
use lengthwise::{Format, Options, Types, read};
use test_support::Random;
use test_support::memory::{Counting, cost};

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most bytes that a work held.
fn peak(work: impl FnOnce()) -> usize {
    cost(work).1
}

/// Messages of TSF that are read under more type sets than one before it is known which they are in.
fn undecided(n: usize) -> Vec<Vec<u8>> {
    let list = |head: &str, unit: &str| [format!("{n}{head}").into_bytes(), unit.as_bytes().repeat(n)].concat();
    vec![
        // Sound as `json`, and as `value` too, by its names.
        list("{", "1a#'1"),
        // The same, decided at the last unit.
        [format!("{}{{", n + 1).into_bytes(), b"1a#'1".repeat(n), b"1b?'t".to_vec()].concat(),
        // No token at the last unit alone.
        [format!("{}[", n + 1).into_bytes(), b"1'1".repeat(n), b"1'x".to_vec()].concat(),
        // Sound in neither.
        [format!("{}[", n + 1).into_bytes(), b"1'1".repeat(n), b"9'x".to_vec()].concat(),
        [b"1a#{".repeat(n.min(900)), b"1b#'1".to_vec()].concat(),
        [b"01[".repeat(n.min(900)), b"1'1".to_vec()].concat(),
        b"1'1".repeat(n),
        b"1#1".repeat(n),
        // A name that begins at the start, and its type at the end.
        [b"1".to_vec(), vec![b'n'; 2 * n], b"'1".to_vec()].concat(),
        [b"1".to_vec(), vec![b'n'; 2 * n]].concat(),
    ]
}

#[test]
fn to_find_out_the_type_set_holds_no_more_than_one_table() {
    let default = Options::default();
    for n in [10, 1_000, 20_000] {
        for message in undecided(n) {
            let judged = peak(|| drop(read(&message, Format::Tsf, &default, &mut Table::new()).map(drop)));
            let known = Types::ALL.iter().map(|types| {
                let options = default.with_input_types(*types);
                peak(|| drop(read(&message, Format::Tsf, &options, &mut Table::new()).map(drop)))
            });
            // Levels that are open while it is looked whether values are sound, and the words of an error.
            let most = known.max().unwrap_or(0) + 64 * 1000 + 8192;
            let shown = message[..message.len().min(60)].escape_ascii();
            assert!(judged <= most, "{judged} bytes held, {most} when the set is known: {shown}");
        }
    }
}

#[test]
fn to_sniff_a_format_holds_nothing() {
    let mut random = Random::new(30);
    let starts =
        ["<Env xmlns='urn:tdxml'", "0{", "5[", "26{key1:", "MIME-Version: 1.0", "[1,", "\u{FEFF}  <a", "9", "c"];
    for n in 0..1_000 {
        let mut input = starts[n % starts.len()].as_bytes().to_vec();
        let piece = random.of(&["1", "t", "0[", " ", "<", "a:t", "\n", "1'1", "9999999999"]);
        input.extend_from_slice(&piece.as_bytes().repeat(random.below(5_000)));
        let held = peak(|| {
            std::hint::black_box(Format::sniff(&input));
        });
        // The words of an error, which nobody is shown.
        assert!(held <= 2048, "{held}: {}", input[..input.len().min(60)].escape_ascii());
    }
}

/// What `LENGTHWISE_DOCUMENT_BYTES` of the C library promises, but for the copy of the message: formats whose text
/// cannot come to more than the message.
#[test]
fn documents_of_formats_that_expand_nothing_hold_what_the_header_of_c_says() {
    // Lists of units grow by doubling, so just above a power of two they are largest.
    let n = 32_768;
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(900), close.repeat(900));
    let list = |item: &str| format!("[{}{item}]", format!("{item},").repeat(n));
    let members = |member: &str| format!("{{{}{member}}}", format!("{member},").repeat(n));
    let node = |tag: char, data: &str| format!("{}{tag}{data}", data.len());
    let inputs = [
        (Format::Json, list("1")),
        (Format::Json, list("[]")),
        (Format::Json, list("\"\"")),
        (Format::Json, list("[1]")),
        (Format::Json, list(&deep("[", "]"))[..200_000].to_owned()),
        (Format::Json, deep("[", "]")),
        (Format::Json, members("\"\":1")),
        (Format::Json, members("\"#\":1")),
        (Format::Json, members("\"\\u0023\":\"\\u0001\"")),
        (Format::Json, members("\"a\":{}")),
        (Format::Json, format!("\"{}\"", "\\n".repeat(n))),
        (Format::Json, format!("{{\"{}\":1}}", "#".repeat(n))),
        (Format::Json, format!("{{\"{}\":1x", "\\u0001".repeat(n))),
        (Format::Pon, node('[', &"t".repeat(n))),
        (Format::Pon, node('[', &"0[".repeat(n))),
        (Format::Pon, node('{', &":t".repeat(n))),
        (Format::Pon, node('{', &"1:t".repeat(n))),
        (Format::Pon, node('{', &"#:t".repeat(n))),
        (Format::Pon, node('{', &format!("{}:x", "\u{1}".repeat(n)))),
        (Format::Tsf, "0[".repeat(n)),
        (Format::Tsf, "0a<".repeat(n)),
        (Format::Tsf, format!("{n}<{}", "0<".repeat(n))),
        (Format::Tsf, format!("1{}<x", "\u{1}".repeat(n))),
    ];
    let tsf = undecided(n).into_iter().map(|message| (Format::Tsf, message));
    let mut worst = 0;
    for (format, message) in inputs.map(|(format, text)| (format, text.into_bytes())).into_iter().chain(tsf) {
        for types in [None, Some(Types::Value)] {
            let mut options = Options::default().with_limits(Limits::UNTRUSTED);
            options.output_types = types;
            let held = peak(|| drop(read(&message, format, &options, &mut Table::new()).map(drop)));
            worst = worst.max(held / message.len());
            let promised = 48 * message.len() + 65_536 - message.len();
            let shown = message[..message.len().min(40)].escape_ascii();
            assert!(held <= promised, "{format}: {held} for {}: {shown}", message.len());
        }
    }
    assert!(worst >= 36, "{worst}: the formula promises more than it has to");
}
