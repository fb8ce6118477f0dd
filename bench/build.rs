//! Builds the peers for the machine it is on: those in Rust as a library of their own, those in C and
//! C++ each only where its library is found.
//!
//! `setup.sh` brings the libraries: headers of the system, and sources in `vendor/`. A peer
//! whose library is missing is left out of the program, which says so when it runs.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    rust_peers();
    let vendor = Path::new("vendor");
    println!("cargo::rerun-if-changed=peers");
    println!("cargo::rerun-if-changed=messages");
    println!("cargo::rerun-if-changed=vendor");
    for peer in ["expat", "pugixml", "simdjson", "yyjson", "libxml2", "xerces", "rust_peers", "gsoap", "soap_numbers"] {
        println!("cargo::rustc-check-cfg=cfg({peer})");
    }

    // An older system library does where there is no source; a source is compiled for this machine.
    if let Some(include) = include_dir("expat.h") {
        let built = compiler(false)
            .include(include)
            .file("peers/expat_tree.c")
            .file("peers/expat_events.c")
            .try_compile("peer_expat");
        found("expat", built.map(|()| vec!["expat"]));
    }

    if let Some(include) = include_dir("libxml2/libxml/xmlschemas.h") {
        let built = compiler(false)
            .include(include.join("libxml2"))
            .file("peers/libxml2.c")
            .file("peers/libxml2_records.c")
            .try_compile("peer_libxml2");
        found("libxml2", built.map(|()| vec!["xml2"]));
    }

    if let Some(include) = include_dir("xercesc/sax2/SAX2XMLReader.hpp") {
        let built = compiler(true).include(include).file("peers/xerces.cpp").try_compile("peer_xerces");
        found("xerces", built.map(|()| vec!["xerces-c"]));
    }

    let own = vendor.join("pugixml");
    if own.join("pugixml.cpp").exists() {
        let built = compiler(true)
            .include(&own)
            .file(own.join("pugixml.cpp"))
            .file("peers/pugixml_tree.cpp")
            .try_compile("peer_pugixml");
        found("pugixml", built.map(|()| vec![]));
    } else if let Some(include) = include_dir("pugixml.hpp") {
        let built = compiler(true).include(include).file("peers/pugixml_tree.cpp").try_compile("peer_pugixml");
        found("pugixml", built.map(|()| vec!["pugixml"]));
    }

    soap_numbers(vendor);

    let own = vendor.join("gsoap");
    if own.join("stdsoap2.c").exists() {
        gsoap(&own);
    }

    let own = vendor.join("simdjson");
    if own.join("simdjson.cpp").exists() {
        let built = compiler(true)
            .include(&own)
            .file(own.join("simdjson.cpp"))
            .file("peers/simdjson_dom.cpp")
            .file("peers/simdjson_lookup.cpp")
            .try_compile("peer_simdjson");
        found("simdjson", built.map(|()| vec![]));
    } else if let Some(include) = include_dir("simdjson.h") {
        let built = compiler(true)
            .include(include)
            .file("peers/simdjson_dom.cpp")
            .file("peers/simdjson_lookup.cpp")
            .try_compile("peer_simdjson");
        found("simdjson", built.map(|()| vec!["simdjson"]));
    }

    let own = vendor.join("yyjson");
    if own.join("yyjson.c").exists() {
        let built = compiler(false)
            .include(&own)
            .file(own.join("yyjson.c"))
            .file("peers/yyjson_dom.c")
            .try_compile("peer_yyjson");
        found("yyjson", built.map(|()| vec![]));
    }
}

/// expat and pugixml, those that are there, reading numbers out of SOAP messages.
fn soap_numbers(vendor: &Path) {
    let mut build = compiler(true);
    if let Some(include) = include_dir("expat.h") {
        build.define("WITH_EXPAT", None).include(include);
    }
    let own = vendor.join("pugixml");
    if own.join("pugixml.hpp").exists() {
        build.define("WITH_PUGIXML", None).include(own);
    } else if let Some(include) = include_dir("pugixml.hpp") {
        build.define("WITH_PUGIXML", None).include(include);
    }
    found("soap_numbers", build.file("peers/soap_numbers.cpp").try_compile("peer_soap_numbers").map(|()| vec![]));
}

/// gSOAP, whose deserializers its own compiler writes.
fn gsoap(source: &Path) {
    let out = PathBuf::from(env("OUT_DIR")).join("gsoap");
    let made = std::fs::create_dir_all(&out).and_then(|()| {
        Command::new("soapcpp2")
            .args(["-c", "-S", "-L", "-w", "-x"])
            .arg("-d")
            .arg(&out)
            .arg("peers/gsoap/bench.h")
            .output()
    });
    if !made.is_ok_and(|output| output.status.success()) {
        println!("cargo::warning=gsoap is left out: soapcpp2 is missing");
        return;
    }
    let built = compiler(false)
        .define("WITH_FAST", None)
        .define("WITH_NOIDREF", None)
        .include(&out)
        .include(source)
        .file(out.join("soapC.c"))
        .file(source.join("stdsoap2.c"))
        .file("peers/gsoap/gsoap.c")
        .try_compile("peer_gsoap");
    found("gsoap", built.map(|()| vec![]));
}

/// Builds the peers that are Rust crates with all that this machine has, as a library of their
/// own: ours stay built as users build them.
fn rust_peers() {
    let manifest = Path::new("peers/rust/Cargo.toml");
    let out = PathBuf::from(env("OUT_DIR"));
    let built = Command::new(env("CARGO"))
        .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&out)
        // What this build was started with is not meant for that one.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CARGO_BUILD_TARGET")
        .env("RUSTFLAGS", "-C target-cpu=native")
        .status();
    let library = out.join("release");
    if built.is_ok_and(|status| status.success()) {
        println!("cargo::rustc-cfg=rust_peers");
        println!("cargo::rustc-link-search=native={}", library.display());
        println!("cargo::rustc-link-lib=dylib=rust_peers");
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", library.display());
    } else {
        println!("cargo::warning=the Rust peers are left out: they could not be built");
    }

    let lock = std::fs::read_to_string(manifest.with_file_name("Cargo.lock")).unwrap_or_default();
    let version = |name: &str| {
        let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{name}\"\n")))?;
        entry.split("version = \"").nth(1)?.split('"').next()
    };
    let peers = [
        "quick-xml",
        "roxmltree",
        "uppsala",
        "serde_json",
        "simd-json",
        "sonic-rs",
        "base64-simd",
        "rasn",
        "asn1-codecs",
        "bson",
        "ciborium",
        "minicbor",
        "minicbor-serde",
        "prost",
        "rmp-serde",
    ];
    let all = peers.map(|name| format!("{name} {}", version(name).unwrap_or("?"))).join(", ");
    println!("cargo::rustc-env=RUST_PEERS={all}");
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Says that a peer is there, and what to link it with.
fn found(peer: &str, built: Result<Vec<&str>, cc::Error>) {
    match built {
        Ok(libraries) => {
            println!("cargo::rustc-cfg={peer}");
            for library in libraries {
                println!("cargo::rustc-link-lib={library}");
            }
        }
        Err(error) => println!("cargo::warning={peer} is left out: {error}"),
    }
}

/// Where the system keeps a header.
fn include_dir(header: &str) -> Option<PathBuf> {
    ["/usr/include", "/usr/local/include", "/opt/homebrew/include"]
        .into_iter()
        .map(PathBuf::from)
        .find(|dir| dir.join(header).exists())
}

/// A compiler that makes the best of this machine, as the peers' own benchmarks do.
fn compiler(cpp: bool) -> cc::Build {
    let mut build = cc::Build::new();
    build.cpp(cpp).opt_level(3).flag_if_supported("-march=native").define("NDEBUG", None).warnings(false);
    if cpp {
        build.std("c++17");
    } else {
        build.std("gnu11");
    }
    build
}
