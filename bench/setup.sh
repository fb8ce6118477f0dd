#!/bin/sh
# Brings what the peers need: C and C++ libraries of the system, newer sources of three of them into
# vendor/, out of packages that ship them, and the libraries of the Java peers, which it builds. Every
# step may fail: a peer that is missing is left out of the program, which says so.
cd "$(dirname "$0")" || exit 1
say() { echo "bench/setup.sh: $*" >&2; }

if command -v apt-get >/dev/null; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get install -y libexpat1-dev libpugixml-dev libsimdjson-dev libxml2-dev \
        libxerces-c-dev gsoap g++ >/dev/null ||
        say "system libraries are missing: install expat, pugixml, libxml2 and Xerces-C with their headers by hand"
fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p vendor

# simdjson and yyjson, from the sources that crates for them carry. They are not dependencies of
# bench itself: it compiles them with its own flags.
mkdir "$work/crates"
cat >"$work/crates/Cargo.toml" <<'END'
[package]
name = "sources"
version = "0.0.0"
edition = "2024"
[lib]
path = "lib.rs"
[dependencies]
simdjson-sys = "=0.4.0-alpha.2"
yyjson-sys = "=0.1.0"
END
touch "$work/crates/lib.rs"
if (cd "$work/crates" && cargo vendor --quiet out >/dev/null); then
    mkdir -p vendor/simdjson vendor/yyjson
    cp "$work"/crates/out/simdjson-sys/vendor/simdjson/simdjson.cpp \
        "$work"/crates/out/simdjson-sys/vendor/simdjson/simdjson.h vendor/simdjson/
    cp "$work"/crates/out/yyjson-sys/yyjson/src/yyjson.c \
        "$work"/crates/out/yyjson-sys/yyjson/src/yyjson.h vendor/yyjson/
else
    say "no sources of simdjson and yyjson"
fi

# pugixml, from the source package of a binding to it: newer than most systems' own.
if command -v pip >/dev/null &&
    pip download --quiet --no-deps --no-binary :all: --dest "$work" pugixml==0.8.0 >/dev/null 2>&1; then
    tar -xzf "$work"/pugixml-0.8.0.tar.gz -C "$work"
    mkdir -p vendor/pugixml
    cp "$work"/pugixml-0.8.0/src/third_party/pugixml/src/pugi* vendor/pugixml/
else
    say "no source of pugixml: the system's own is taken"
fi

# gSOAP's run-time library, from the system's source package: the library it ships is built without
# the flags that gSOAP is fastest with.
if command -v apt-get >/dev/null && command -v soapcpp2 >/dev/null; then
    mkdir -p "$work/parts" "$work/lists/partial" "$work/gsoap"
    sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/parts/debian.sources" 2>/dev/null
    options="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$work/parts -o Dir::State::lists=$work/lists"
    # shellcheck disable=SC2086
    if (cd "$work/gsoap" && apt-get -q $options update && apt-get -q $options source --download-only gsoap &&
        tar -xzf gsoap_*.orig.tar.gz) >/dev/null 2>&1; then
        mkdir -p vendor/gsoap
        cp "$work"/gsoap/gsoap-*/gsoap/stdsoap2.c "$work"/gsoap/gsoap-*/gsoap/stdsoap2.h vendor/gsoap/
    else
        say "no source of gSOAP"
    fi
fi

# The Java peers, with the libraries that Maven brings.
if command -v java >/dev/null && command -v mvn >/dev/null; then
    mvn --quiet --batch-mode --file peers/java/pom.xml process-classes ||
        say "the Java peers cannot be built: Fast Infoset and EXI are left out"
else
    say "no Java or no Maven: Fast Infoset and EXI are left out"
fi
ls -d vendor/* peers/java/target 2>/dev/null
exit 0
