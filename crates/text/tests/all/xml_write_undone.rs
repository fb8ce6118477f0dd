//! A writer that fails leaves what was there before it.

use tam::{Builder, Limits, Table, TypeSet};
use text::xml::{Options, append};

#[test]
fn what_a_failed_writer_wrote_is_taken_back() {
    let mut table = Table::new();
    let mut builder = Builder::new(b"", TypeSet::XML, Limits::default(), &mut table);
    builder.open(b'<', b"a").unwrap();
    builder.primitive(b'[', b"", b"text").unwrap();
    builder.primitive(b'+', b"", b"no -- comment").unwrap();
    builder.close().unwrap();
    builder.finish().unwrap();
    let mut out = b"before".to_vec();
    assert!(append(&table.document(b"", TypeSet::XML), &Options::default(), &mut out).is_err());
    assert_eq!(out, b"before");
}
