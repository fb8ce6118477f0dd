#!/usr/bin/env bash
# What CI has time for: the parts `core` and `text`, and their tests.
set -euo pipefail
cd "$(dirname "$0")"
if ! rustup target list --installed 2>/dev/null | grep -qx wasm32-unknown-unknown &&
    ! rustup target add wasm32-unknown-unknown >/dev/null 2>&1; then
    ../../tests/skipped.sh web 'there is no Rust for wasm32-unknown-unknown'
    exit 0
fi
./build.sh quick core text
exec ./test.sh
