#!/bin/sh
# Brings the rivals in Rust from crates.io and builds them for two processors of the proof, and the sources of zcbor from
# PyPI and of nanopb and tinycbor from Debian's source packages, into target/embedded/rivals. jsmn comes from Debian (libjsmn-dev), as does
# the library of C (libnewlib-arm-none-eabi).
set -eu
cd "$(dirname "$0")/rust"
target=${LENGTHWISE_TARGET_DIR:-$PWD/../../../../../target/embedded}
mkdir -p "$target/rivals"
if ! test -e "$target/rivals/zcbor"; then
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$target/rivals" zcbor==0.9.1
    python3 -m zipfile -e "$target"/rivals/zcbor-0.9.1-*.whl "$target/rivals/wheel"
    mv "$target/rivals/wheel/zcbor" "$target/rivals/zcbor"
fi
# Where Debian's binary packages come from there are the sources as well: in lists that the machine need not have.
# debian_source NAME PACKAGE FOLDER: a folder of a package's sources becomes the rival NAME.
work=$(mktemp -d)
debian_source() {
    test -e "$target/rivals/$1" && return
    if ! test -e "$work/lists"; then
        chmod 755 "$work"
        mkdir -p "$work/lists/partial" "$work/parts"
        if test -e /etc/apt/sources.list.d/debian.sources; then
            sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$work/parts/debian.sources"
        else
            sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >"$work/parts/debian.list"
        fi
        lists="-o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts=$work/parts -o Dir::State::lists=$work/lists"
        apt-get -qq $lists update || true
    fi
    mkdir "$work/$1"
    if (cd "$work/$1" && apt-get -qq $lists source --download-only "$2" 2>/dev/null); then
        mkdir "$work/$1/all"
        tar -xf "$work/$1"/*.orig.tar.* -C "$work/$1/all" --strip-components=1
        cp -R "$work/$1/all/$3" "$target/rivals/$1"
    else
        echo "$1: not available here" >&2
    fi
}
debian_source nanopb nanopb .
# Qt has a copy of tinycbor.
debian_source tinycbor qtbase-opensource-src src/3rdparty/tinycbor/src
rm -rf "$work"
export RUSTC="${RUSTC:-/usr/bin/rustc}" RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Cforce-unwind-tables=no'
for triple in thumbv6m-none-eabi:cortex-m0plus thumbv7em-none-eabi:cortex-m4; do
    for rival in postcard minicbor; do
        "${CARGO:-/usr/bin/cargo}" build --quiet --release --features $rival -Zbuild-std=core \
            --target "${triple%:*}" --target-dir "$target/rivals/build"
        mkdir -p "$target/rivals/${triple#*:}"
        cp "$target/rivals/build/${triple%:*}/release/librivals.a" "$target/rivals/${triple#*:}/$rival.a"
    done
done
