//! Has asn1-codecs's compiler translate the modules in the folder `NGAP_MODULES`.

use std::path::Path;

use asn1_compiler::Asn1Compiler;
use asn1_compiler::generator::{Codec, Derive, Visibility};

fn main() {
    println!("cargo::rerun-if-env-changed=NGAP_MODULES");
    let folder = std::env::var("NGAP_MODULES").expect("NGAP_MODULES is the folder of the modules of NGAP");
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "asn")).collect();
    files.sort();
    let out = Path::new(&std::env::var("OUT_DIR").expect("cargo's folder")).join("ngap.rs");
    let out = out.to_str().expect("a path in UTF-8");
    let mut compiler = Asn1Compiler::new(out, &Visibility::Public, vec![Codec::Aper], vec![Derive::Debug]);
    compiler.compile_files(&files).expect("modules that the compiler reads");
}
