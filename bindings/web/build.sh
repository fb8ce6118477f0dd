#!/usr/bin/env bash
# Builds the npm package: bindings/web/build.sh [PROFILE] [PART...]. The profile `release` makes the smallest modules,
# `quick` the same ones in a third of the time. Parts: core text asn1 xsd.
set -euo pipefail
cd "$(dirname "$0")"
profile=${1:-release}
shift || true
parts=${*:-core text asn1 xsd}
# WebAssembly in a browser has no random numbers that these crates would ask for: hashes are keyed by fixed numbers.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="unsupported"'
# The files of the page that an inspection makes.
mkdir -p package/page
cp ../../crates/inspect/page/* package/page/
cargo build --quiet --profile tool -p lengthwise-bindgen
for part in $parts; do
    feature=$part
    if [ "$part" = core ]; then feature=; fi
    cargo build --quiet --profile "$profile" --target wasm32-unknown-unknown -p lengthwise-web --features "$feature"
    target/tool/lengthwise-bindgen "target/wasm32-unknown-unknown/$profile/lengthwise_web.wasm" package/wasm "$part"
done
