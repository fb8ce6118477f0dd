//! What the tests of JSON share.
#![allow(dead_code)] // Each test program uses a part.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tam::{Document, Error, Limits, Step, Table};
use text::json::{self, Options, Types};

pub(crate) const BOTH: [Types; 2] = [Types::Json, Types::Value];

/// A file of the test data, which is next to the project; `None`, with a note, if it is missing.
pub(crate) fn data(path: &str) -> Option<PathBuf> {
    let found = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(path);
    if found.exists() {
        return Some(found);
    }
    test_support::skipped(format!("there is no ../shared/data/{path}"));
    None
}

/// The JSON text of what a JSON text says.
pub(crate) fn rewritten(input: &[u8], types: Types) -> Result<Vec<u8>, Error> {
    let options = Options::default().with_types(types);
    let mut table = Table::new();
    let document = json::read(input, &options, &mut table)?;
    let out = json::write(&document, &options)?;
    Ok(out)
}

pub(crate) fn read_error(input: &[u8]) -> Error {
    json::read(input, &Options::default(), &mut Table::new()).expect_err("this should be refused")
}

pub(crate) fn unlimited() -> Options {
    Options::default().with_limits(Limits::NONE)
}

/// What one unit says: its type (`)` where it ends), name and data.
pub(crate) type Said = (char, Option<Vec<u8>>, Vec<u8>);

/// All that a document says, unit by unit.
pub(crate) fn steps(document: &Document<'_>) -> Vec<Said> {
    let name = |node: tam::Node<'_>| node.member_name().map(|name| name.into_owned());
    let step = |step| match step {
        Step::Open(node) => (char::from(node.kind()), name(node), vec![]),
        Step::Primitive(node) => (char::from(node.kind()), name(node), node.value().to_vec()),
        Step::Close(_) => (')', None, vec![]),
    };
    document.walk().map(step).collect()
}

/// What Python's `json` says of pairs of a text and our rewriting of it (`None`: we refused):
/// the numbers of the pairs in which we disagree. `None` where there is no Python.
///
/// Members are lists of pairs and numbers their text, so that order, duplicates and every digit
/// count. Python takes `NaN` and lone surrogates, which RFC 8259 does not have or calls
/// unpredictable; both are refused here.
pub(crate) fn python_disagrees(pairs: &[(Vec<u8>, Option<Vec<u8>>)]) -> Option<Vec<usize>> {
    const SCRIPT: &str = r#"
import json, sys
def constant(word):
    raise ValueError(word)
def load(hexed):
    text = bytes.fromhex(hexed).decode("utf-8-sig")
    value = json.loads(text, object_pairs_hook=lambda pairs: ("object", pairs), parse_constant=constant,
                       parse_int=lambda t: ("number", t), parse_float=lambda t: ("number", t))
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return ("value", value)
for number, line in enumerate(sys.stdin):
    before, _, after = line.rstrip("\n").partition(" ")
    try:
        value = load(before)
    except ValueError:
        value = "refused"
    ours = "refused" if after == "refused" else load(after)
    if value != ours:
        print(number)
"#;
    let python = Command::new("python3").args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut python) = python else {
        test_support::skipped("there is no python3");
        return None;
    };
    let hexed = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let after = |after: &Option<Vec<u8>>| after.as_deref().map_or("refused".into(), hexed);
    let lines: String = pairs.iter().map(|pair| format!("{} {}\n", hexed(&pair.0), after(&pair.1))).collect();
    let mut input = python.stdin.take().expect("a pipe");
    let feeding = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().expect("Python ends");
    feeding.join().expect("no panic").expect("Python reads");
    assert!(output.status.success(), "Python failed");
    let said = String::from_utf8(output.stdout).expect("digits");
    Some(said.lines().map(|line| line.parse().expect("a number")).collect())
}

/// Random numbers that are the same in every run (Steele, Lea and Flood's SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    pub(crate) fn one_of<'t, T: ?Sized>(&mut self, among: &[&'t T]) -> &'t T {
        among[self.below(among.len())]
    }

    /// A JSON text, its white space, escapes, numbers and names as odd as they may be.
    pub(crate) fn text(&mut self) -> Vec<u8> {
        let mut out = String::new();
        self.value(&mut out, 4);
        out.into_bytes()
    }

    fn space(&mut self, out: &mut String) {
        out.push_str(self.one_of(&["", "", "", " ", "\n", "\t", "\r\n  "]));
    }

    fn value(&mut self, out: &mut String, depth: usize) {
        self.space(out);
        match self.below(if depth == 0 { 6 } else { 10 }) {
            0 => out.push_str(self.one_of(&["true", "false", "null"])),
            1 | 2 => self.number(out),
            3..=5 => self.string(out),
            container => {
                let object = container < 8;
                out.push(if object { '{' } else { '[' });
                for i in 0..self.below(5) {
                    if i > 0 {
                        out.push(',');
                    }
                    if object {
                        self.space(out);
                        self.string(out);
                        self.space(out);
                        out.push(':');
                    }
                    self.value(out, depth - 1);
                }
                self.space(out);
                out.push(if object { '}' } else { ']' });
            }
        }
        self.space(out);
    }

    fn number(&mut self, out: &mut String) {
        out.push_str(self.one_of(&["", "", "-"]));
        out.push_str(self.one_of(&["0", "7", "10", "9007199254740993", "123456789012345678901234567890"]));
        out.push_str(self.one_of(&["", "", ".0", ".50", ".000000000000000000001"]));
        out.push_str(self.one_of(&["", "", "e5", "E5", "e+09", "E-400", "e400"]));
    }

    fn string(&mut self, out: &mut String) {
        const PARTS: [&str; 28] = [
            "a",
            "id",
            "64th",
            "plain text of some length",
            " ",
            "/",
            "é",
            "漢字",
            "\u{1F600}",
            "\u{7F}",
            "\u{FEFF}",
            "'#%",
            "{",
            "[",
            "~",
            "0",
            r"\\",
            r#"\""#,
            r"\/",
            r"\b\f\n\r\t",
            r"\u0000",
            r"\u00e9",
            r"\uFFFF",
            r"\uD83D\uDE00",
            r"\ud800\udc00",
            r"\u0022",
            r"\u005C",
            "\u{2028}",
        ];
        out.push('"');
        for _ in 0..self.below(4) {
            out.push_str(self.one_of(&PARTS));
        }
        out.push('"');
    }

    /// A text with a few errors in it. Some of them leave it valid JSON.
    pub(crate) fn spoilt(&mut self, mut text: Vec<u8>) -> Vec<u8> {
        const PIECES: [&[u8]; 34] = [
            b"{",
            b"}",
            b"[",
            b"]",
            b",",
            b":",
            b"\"",
            b"\\",
            b" ",
            b"\n",
            b"0",
            b"1",
            b"-",
            b"+",
            b".",
            b"e",
            b"E5",
            b"null",
            b"tru",
            b"NaN",
            b"Infinity",
            b"'",
            b"//",
            b"\x00",
            b"\x1F",
            b"\x7F",
            b"\\u",
            b"\\ud83d",
            b"\\ude00",
            b"\xC3",
            b"\xFF",
            b"\xED\xA0\x80",
            b"\xEF\xBB\xBF",
            b"\xF0\x9F\x98",
        ];
        for _ in 0..=self.below(3) {
            let at = self.below(text.len() + 1);
            let end = (at + self.below(3)).min(text.len());
            let piece: &[u8] = if self.below(3) == 0 { b"" } else { self.one_of(&PIECES) };
            text.splice(at..end, piece.iter().copied());
        }
        text
    }
}
