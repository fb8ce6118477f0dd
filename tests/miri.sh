#!/usr/bin/env bash
# Runs the crates with unsafe code in Miri, which finds undefined behaviour: for this processor, and for one of 64 bits
# with the most significant byte first, both at once. Miri takes a thousand times as long: tests that make many messages
# make a share of them (test_support::rounds), and tests of long messages are ignored. What takes more than MIRI_SECONDS
# is cut, and counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo +nightly miri --version >/dev/null 2>&1; then
    tests/skipped.sh miri 'there is no Miri: rustup +nightly component add miri rust-src'
    exit 0
fi
export CARGO_TARGET_DIR=$PWD/target/miri
run() {
    local code=0 start=$SECONDS
    echo "\$ cargo +nightly miri test $*"
    timeout "${MIRI_SECONDS:-900}" cargo +nightly miri test --quiet "$@" || code=$?
    echo "$((SECONDS - start)) seconds"
    if [ "$code" = 124 ]; then
        tests/skipped.sh "miri $*" 'Miri was cut: it took too long'
    elif [ "$code" != 0 ]; then
        exit "$code"
    fi
}

# The crates for a target.
crates() {
    run --target "$1" -p lengthwise-pon --lib
    run --target "$1" -p lengthwise-tsf --lib
    run --target "$1" -p lengthwise-xml --lib -- kernels ascii
    run --target "$1" -p lengthwise-c --no-default-features --features std --lib
}

host=$(rustc --print host-tuple)
mkdir -p target/miri
(
    export RUSTFLAGS=
    crates s390x-unknown-linux-gnu
) >target/miri/s390x.log 2>&1 &
other=$!
code=0
(
    # With these Miri takes the ways by vectors, which it knows. Programs for other processors have none.
    case $host in x86_64-*) export RUSTFLAGS=-Ctarget-feature=+avx2,+bmi1,+bmi2,+lzcnt,+popcnt ;; esac
    crates "$host"
) || code=$?
wait "$other" || code=$?
cat target/miri/s390x.log
exit "$code"
