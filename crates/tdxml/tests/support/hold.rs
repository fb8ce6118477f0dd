//! What is held true of any bytes.

use tam::{ErrorKind, Limits, Table};
use tdxml::{Lookup, Options, Scheme};

use super::support::said;

/// Small enough that what is beyond shows.
pub(crate) const LIMITS: Limits = Limits { depth: 100, units: 1 << 16, decompressed_bytes: 1 << 20, ..Limits::DEFAULT };

/// A message is read, or refused with a position; what was read is written in both schemes and read back as the same;
/// lookups find the same. Returns whether it was read.
pub(crate) fn hold(message: &[u8]) -> bool {
    let options = Options::default().with_limits(LIMITS);
    let mut table = Table::new();
    let found = tdxml::read(message, &options, &mut table);
    let rows = Lookup::new(message, &options);
    let document = match found {
        Ok(document) => document,
        Err(error) => {
            assert!(error.offset() <= message.len() as u64, "{error}");
            assert!(error.kind() != ErrorKind::Io && error.format() == "tdxml", "{error:?}");
            if let Ok(rows) = &rows {
                let _ = rows.get("/a/b[2]/c");
                let _ = rows.index();
            }
            return false;
        }
    };
    let expected = said(&document);
    for scheme in [Scheme::Aggregated, Scheme::Grouped] {
        let options = options.with_scheme(scheme);
        match tdxml::write(&document, &options) {
            Ok(written) => {
                let mut table = Table::new();
                let again = tdxml::read(&written, &options, &mut table);
                let again = again.map(|again| said(&again));
                assert_eq!(again.as_ref(), Ok(&expected), "{}", String::from_utf8_lossy(&written));
            }
            // The content of a row need not be possible in an XML document.
            Err(error) => assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}"),
        }
    }
    let rows = rows.unwrap_or_else(|error| panic!("{error}"));
    let index = rows.index().unwrap_or_else(|error| panic!("{error}"));
    let schema = rows.schema();
    let mut path = format!("/{}", schema.root().name);
    let mut element = schema.root();
    while let Some(record) = schema.record(&element.content) {
        if let Some(attribute) = record.attributes.last() {
            let path = format!("{path}/@{}", attribute.name);
            assert_eq!(rows.get(&path), index.get(&rows, &path), "{path}");
        }
        match record.elements.last() {
            Some(last) if path.len() < 1000 => element = last,
            _ => break,
        }
        path = format!("{path}/{}", element.name);
    }
    assert_eq!(rows.get(&path), index.get(&rows, &path), "{path}\n{}", String::from_utf8_lossy(message));
    true
}
