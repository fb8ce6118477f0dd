//! Compiles the peers written in C and C++, each only where its library is found.
//!
//! `setup.sh` brings the libraries: headers of the system, and sources in `vendor/`. A peer
//! whose library is missing is left out of the program, which says so when it runs.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rustc-env=RUST_PEERS={}", rust_peers());
    let vendor = Path::new("vendor");
    println!("cargo::rerun-if-changed=peers");
    println!("cargo::rerun-if-changed=vendor");
    for peer in ["expat", "pugixml", "simdjson", "yyjson"] {
        println!("cargo::rustc-check-cfg=cfg({peer})");
    }

    // An older system library does where there is no source; a source is compiled for this machine.
    if let Some(include) = include_dir("expat.h") {
        let built = compiler(false).include(include).file("peers/expat_tree.c").try_compile("peer_expat");
        found("expat", built.map(|()| vec!["expat"]));
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

    let own = vendor.join("simdjson");
    if own.join("simdjson.cpp").exists() {
        let built = compiler(true)
            .include(&own)
            .file(own.join("simdjson.cpp"))
            .file("peers/simdjson_dom.cpp")
            .try_compile("peer_simdjson");
        found("simdjson", built.map(|()| vec![]));
    } else if let Some(include) = include_dir("simdjson.h") {
        let built = compiler(true).include(include).file("peers/simdjson_dom.cpp").try_compile("peer_simdjson");
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

/// The peers that are crates, with the versions that the lock file pins.
fn rust_peers() -> String {
    println!("cargo::rerun-if-changed=Cargo.lock");
    let lock = std::fs::read_to_string("Cargo.lock").unwrap_or_default();
    let version = |name: &str| {
        let entry = lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{name}\"\n")))?;
        entry.split("version = \"").nth(1)?.split('"').next()
    };
    let peers = ["quick-xml", "roxmltree", "uppsala", "serde_json", "simd-json", "sonic-rs"];
    peers.map(|name| format!("{name} {}", version(name).unwrap_or("?"))).join(", ")
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
