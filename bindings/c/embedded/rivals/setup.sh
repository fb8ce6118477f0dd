#!/bin/sh
# Brings the rivals in Rust from crates.io and builds them for two processors of the proof, and the sources of zcbor from
# PyPI, into target/embedded/rivals. jsmn comes from Debian (libjsmn-dev).
set -eu
cd "$(dirname "$0")/rust"
target=${LENGTHWISE_TARGET_DIR:-$PWD/../../../../../target/embedded}
mkdir -p "$target/rivals"
if ! test -e "$target/rivals/zcbor"; then
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$target/rivals" zcbor==0.9.1
    python3 -m zipfile -e "$target"/rivals/zcbor-0.9.1-*.whl "$target/rivals/wheel"
    mv "$target/rivals/wheel/zcbor" "$target/rivals/zcbor"
fi
export RUSTC="${RUSTC:-/usr/bin/rustc}" RUSTC_BOOTSTRAP=1 RUSTFLAGS='-Cforce-unwind-tables=no'
for triple in thumbv6m-none-eabi:cortex-m0plus thumbv7em-none-eabi:cortex-m4; do
    for rival in postcard minicbor; do
        "${CARGO:-/usr/bin/cargo}" build --quiet --release --features $rival -Zbuild-std=core \
            --target "${triple%:*}" --target-dir "$target/rivals/build"
        mkdir -p "$target/rivals/${triple#*:}"
        cp "$target/rivals/build/${triple%:*}/release/librivals.a" "$target/rivals/${triple#*:}/$rival.a"
    done
done
