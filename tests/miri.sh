#!/usr/bin/env bash
# Runs the crates with unsafe code in Miri, which finds undefined behaviour: for this processor, and for one of 64 bits
# with the most significant byte first. Miri takes a thousand times as long: tests that make many messages make a share
# of them (test_support::rounds), and tests of long messages are ignored. A crate that takes more than MIRI_SECONDS is cut,
# and counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo +nightly miri --version >/dev/null 2>&1; then
    tests/skipped.sh miri 'there is no Miri: rustup +nightly component add miri rust-src'
    exit 0
fi
export CARGO_TARGET_DIR=$PWD/target/miri
run() {
    local code=0
    echo "\$ cargo +nightly miri test $*"
    timeout "${MIRI_SECONDS:-300}" cargo +nightly miri test --quiet "$@" || code=$?
    if [ "$code" = 124 ]; then
        tests/skipped.sh "miri $*" 'Miri was cut: it took too long'
    elif [ "$code" != 0 ]; then
        exit "$code"
    fi
}
for target in "" s390x-unknown-linux-gnu; do
    # Without a target Miri takes this processor, whose vectors it knows.
    at=${target:+--target $target}
    flags=${target:+ }
    export RUSTFLAGS=${flags:--Ctarget-feature=+avx2}
    run -p lengthwise-pon --lib $at
    run -p lengthwise-tsf --lib $at
    run -p lengthwise-dds --lib $at
    run -p lengthwise-tdxml --all-features --lib $at
    run -p lengthwise-c --no-default-features --features std --lib $at
done
