//! Tests that cannot run here.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;

/// Says on standard error that the calling test, or a part of it, does not run, because `what` is missing:
/// `skipped: there is no python3`. `make test` names a file in `SKIPPED_TESTS`, to which this adds a line: the
/// package, the test and `what`, with tabs between them. `tests/counted.sh` counts these.
pub fn skipped(what: impl Display) {
    eprintln!("skipped: {what}");
    let Some(path) = std::env::var_os("SKIPPED_TESTS") else { return };
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    let line = format!("{package}\t{}\t{what}\n", thread.name().unwrap_or_default());
    let file = OpenOptions::new().create(true).append(true).open(path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("the skipped test is not counted: {error}");
    }
}
