//! What hostile messages cost: memory in proportion to the message and to what the limits let it expand to.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // How a test fails.

extern crate lengthwise_tdxml as tdxml;

use std::io::{BufReader, Cursor, Read};

use tam::{Error, ErrorKind, Limits, Table};
use tdxml::{Binary, Lookup, Options};
use test_support::memory::{Counting, cost};
use test_support::rounds;

#[global_allocator]
static COUNTING: Counting = Counting;

/// The most memory that reading holds: so much a byte of the message, and a byte that it expands to.
const A: usize = 200;
const EXPANDED: usize = 6;
const B: usize = 1 << 20;

/// Reads under the limits for unknown senders, but for units.
fn read(message: &str) -> Result<usize, Error> {
    let limits = Limits { units: u32::MAX, ..Limits::UNTRUSTED };
    let options = Options::default().with_limits(limits);
    let work = || tdxml::read(message.as_bytes(), &options, &mut Table::new()).map(|document| document.units());
    let (read, peak, _) = cost(work);
    let most = A * message.len() + EXPANDED * limits.decompression(message.len()).left() as usize + B;
    assert!(peak <= most, "{peak} bytes of {most} for a message of {}", message.len());
    read
}

fn limit(message: &str) -> String {
    let error = read(message).expect_err("a limit");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    error.to_string().rsplit_once("(limit ").unwrap().1.trim_end_matches(')').to_owned()
}

fn message(schema: &str, rows: &str) -> String {
    format!("<TDXML:Env><TDXML:DS>{schema}</TDXML:DS><TDXML:CT>\n{rows}</TDXML:CT></TDXML:Env>")
}

#[test]
fn a_long_name_of_many_rows_counts_each_time() {
    let name = "n".repeat(100_000);
    let rows = format!("[0][0]0{{.}}\n{}", "x\n".repeat(30_000));
    let elements = message(&format!("a[0] ::= SEQUENCE {{ {name}[0] SEQUENCE OF UTF8String }}"), &rows);
    assert!(elements.len() < 170_000);
    assert_eq!(limit(&elements), "expansion_ratio");
    let attributes = format!("a[0] ::= SEQUENCE {{ b[0] SEQUENCE OF {{ {name}(0) [ATTRIBUTE] UTF8String }} }}");
    assert_eq!(limit(&message(&attributes, &rows.replace("{.}", "{(0)}"))), "expansion_ratio");
    // Names of the usual length cost nothing that is seen.
    let short = message("a[0] ::= SEQUENCE { name[0] SEQUENCE OF UTF8String }", &rows);
    assert_eq!(read(&short).unwrap(), 60_001);
}

#[test]
fn defaults_count_with_the_rows_that_they_take() {
    let defaults: String = (0..1_000).map(|n| format!("k{n}({n}) [ATTRIBUTE] UTF8String (\"\") ")).collect();
    let schema = format!("a[0] ::= SEQUENCE {{ b[0] SEQUENCE OF {{ {defaults} [TEXT] UTF8String }} }}");
    assert_eq!(limit(&message(&schema, &format!("[0][0]0{{.}}\n{}", "x\n".repeat(20_000)))), "expansion_ratio");
}

#[test]
fn elements_that_no_byte_is_for_count() {
    // Each cell is of an element 200 levels below its row.
    let paths: String = (0..50).map(|n| format!("[{n}]{} ", "[50]".repeat(200))).collect();
    let elements: String = (0..50).map(|n| format!("e{n}[{n}] R OPTIONAL ")).collect();
    let schema = format!(
        "a[0] ::= SEQUENCE {{ b[0] SEQUENCE OF R }} R ::= SEQUENCE {{ {elements} r[50] R OPTIONAL [TEXT] UTF8String }}"
    );
    let rows = format!("[0][0]0{{{}}}\n{}", paths.trim_end(), format!("{}x\n", "x|".repeat(49)).repeat(2_000));
    assert_eq!(limit(&message(&schema, &rows)), "expansion_ratio");
}

#[test]
fn a_part_that_many_rows_name_counts_each_time() {
    let envelope = message(
        "a[0] ::= SEQUENCE { b[0] SEQUENCE OF OCTET STRING }",
        &format!("[0][0]0{{.}}\n{}", "cid:1\n".repeat(20_000)),
    );
    let part = "x".repeat(100_000);
    let whole = format!(
        "Content-Type: multipart/related; boundary=B\r\n\r\n--B\r\n\r\n{envelope}\r\n--B\r\nContent-ID: <1>\r\n\r\n{part}\r\n--B--"
    );
    assert_eq!(limit(&whole), "expansion_ratio");
}

/// These took time in the square of their length: minutes to hours, in a debug build.
#[test]
fn nothing_is_searched_again_and_again() {
    // The start of the table, at every line of the schema.
    let lines = message(&format!("a[0] ::= UTF8String{}", "\n".repeat(400_000)), "[0] |x\n");
    let mut events = 0;
    tdxml::read_rows(lines.as_bytes(), &Options::default(), |_| {
        events += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(events, 3);
    // A prefix, at every element that may be an envelope.
    let prefixes: String = (0..100_000).map(|n| format!(" xmlns:p{n}='u'")).collect();
    let inner = message("a[0] ::= UTF8String", "[0] |x\n");
    let embedded = format!("<a{prefixes}>{}{inner}</a>", "<q:Env/>".repeat(100_000));
    assert_eq!(tdxml::read(embedded.as_bytes(), &Options::default(), &mut Table::new()).unwrap().units(), 2);
    // A boundary, at every one that cannot be taken.
    let taken: String = (0..100_000).map(|n| format!("--TDXML{n:016}")).collect();
    let xml = format!("<a><b>{taken}</b><c>{}</c></a>", "QUJD".repeat(30));
    let mut table = Table::new();
    let document = text::xml::read(xml.as_bytes(), &text::xml::Options::default(), &mut table).unwrap();
    let options = Options::default().with_binary(Binary::Mime);
    let written = tdxml::write(&document, &options).unwrap();
    assert!(
        written.starts_with(b"Content-Type: multipart/related; type=\"text/xml\"; boundary=TDXML0000000000100000\r\n")
    );
    let mut again = Table::new();
    assert_eq!(tdxml::read(&written, &options, &mut again).unwrap().units(), document.units());
}

#[test]
fn a_look_up_holds_no_more_than_its_message() {
    let rows = format!("[0][0]0{{.}}\n{}", "x\n".repeat(100_000));
    let message = message("a[0] ::= SEQUENCE { b[0] SEQUENCE OF UTF8String }", &rows);
    let options = Options::default().with_limits(Limits::UNTRUSTED);
    let (found, peak, _) =
        cost(|| Lookup::new(message.as_bytes(), &options).unwrap().get("/a/b[70000]").unwrap().is_some());
    assert!(found && peak < B, "{peak}");
}

/// The same line again and again, as it is read.
struct Lines(Cursor<&'static [u8]>, usize);

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.0.position() == self.0.get_ref().len() as u64 && self.1 > 0 {
            self.0.set_position(0);
            self.1 -= 1;
        }
        self.0.read(out)
    }
}

/// 20 MB in groups whose heads come again as the writer repeats them: about a group is held, not the table.
#[test]
fn a_stream_holds_a_line_of_its_table() {
    let schema = "a[0] ::= SEQUENCE { b[0] SEQUENCE OF { c[0] UTF8String, d[1] INTEGER, e[2] REAL } }";
    let count = rounds(1_000_000);
    let start = format!("<Env xmlns='urn:tdxml'><DS>{schema}</DS><CT>\n[0][0]0{{[0] [1] [2]}}\n");
    let lines = Lines(Cursor::new(b"a value|12345|1.500\n"), count - 1);
    let message = Read::chain(start.as_bytes(), lines).chain(&b"</CT></Env>"[..]);
    let mut rows = 0;
    let (read, peak, _) = cost(|| {
        tdxml::read_rows(BufReader::new(message), &Options::default(), |event| {
            rows += usize::from(event == tdxml::Event::Text("1.500"));
            Ok(())
        })
    });
    read.unwrap();
    assert_eq!(rows, count);
    assert!(peak < 64 << 10, "{peak}");
}
