//! The header of C is what cbindgen makes of the source.
#![cfg(feature = "full")]
#![allow(clippy::unwrap_used)]

use std::{env, fs, path::Path};

/// With the variable `WRITE_HEADER` it is written: that is `make header`.
#[test]
fn the_header_is_as_cbindgen_makes_it() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(crate_folder.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::Builder::new().with_crate(crate_folder).with_config(config).generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    let header = crate_folder.join("include/lengthwise.h");
    if env::var_os("WRITE_HEADER").is_some() {
        fs::write(&header, &made).unwrap();
    }
    let there = fs::read_to_string(&header).unwrap();
    let same = there.lines().zip(made.lines()).take_while(|(there, made)| there == made).count();
    assert!(there == made, "the header is out of step from line {} on: make header", same + 1);
}
