//! What holds of documents whose types are inferred, and of their columns.

use asn1::jer::Inference;
use asn1::{Compiled, Options};
use lengthwise_columns::{Decoder, Layout};
use tam::{ErrorKind, Limits, Table};
use text::json;

const LIMITS: Limits = Limits { depth: 200, units: 1 << 20, ..Limits::DEFAULT };

/// Documents in lines, at the beginning of fuzzing.
#[must_use]
pub fn infer_seeds() -> Vec<Vec<u8>> {
    let seeds: [&[u8]; 6] = [
        b"{\"a\":1,\"b\":[1.5,null],\"c\":{\"d\":\"x\"}}\n{\"a\":null,\"b\":[],\"e\":true}\n{\"a\":\"x\"}",
        b"1\n2.5\nnull",
        b"[[1],[]]\n[[\"a\"]]",
        b"{}\n{\"\":{\"\":0}}",
        b"{\"a\":99999999999999999999,\"a\":1}\n\"x\"",
        b"null",
    ];
    seeds.iter().map(|seed| seed.to_vec()).collect()
}

/// Each document of a type that was inferred from all becomes a row, or is refused and leaves nothing.
pub fn asn1_infer(input: &[u8]) {
    let options = json::Options::default().with_limits(LIMITS);
    let mut inference = Inference::default();
    let mut lines: Vec<&[u8]> = Vec::new();
    for line in input.split(|byte| *byte == b'\n') {
        let mut table = Table::new();
        let Ok(document) = json::read(line, &options, &mut table) else { continue };
        match inference.add(&document) {
            Ok(()) => lines.push(line),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Limit, "{error}"),
        }
    }
    let types = Compiled::new(&inference.schema()).unwrap();
    let node = types.find("Document").unwrap();
    let mut decoder = Decoder::new(&types, node, &Options::uper().with_limits(LIMITS), &Layout::default()).unwrap();
    let mut rows = 0;
    for line in &lines {
        let mut table = Table::new();
        let document = json::read(line, &options, &mut table).unwrap();
        match decoder.push_document(&document) {
            Ok(()) => rows += 1,
            Err(error) => {
                let is_known = matches!(error.kind(), ErrorKind::Schema | ErrorKind::Unsupported | ErrorKind::Limit);
                assert!(is_known, "{error}");
                // Alone, what is no list, no object, no null and no number that is too large for a column is of its type.
                let is_plain = line.trim_ascii().first().is_some_and(|first| b"\"tf".contains(first));
                assert!(lines.len() > 1 || !is_plain, "{error}");
            }
        }
        assert_eq!(decoder.rows(), rows);
    }
    assert_eq!(decoder.finish().unwrap().num_rows(), rows);
}
