#!/usr/bin/env bash
# Builds and tests the workspace for other processors: tests/portable.sh [quick|full]. `quick` is what CI has time for.
# What is not available is skipped and counted; so is a part of `full` that takes more than PORTABLE_SECONDS. Of long tests
# the share runs that TEST_SHARE says (test_support::rounds): a twentieth where the processor is emulated and in `quick`.
#
#   wasm32            wasm32-unknown-unknown is checked; unit tests of most libraries run as wasm32-wasip1 in Node
#   i686              32 bits; the tests run on the processor of this machine
#   s390x             most significant byte first; the tests run in qemu-s390x
#
# Debian: clang gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user
set -euo pipefail
cd "$(dirname "$0")/.."
share=${1:-full}
# All these programs are linked statically: they need no loader and no libraries of the other processor.
static=-Ctarget-feature=+crt-static
export CARGO_TARGET_DIR=$PWD/target/portable CARGO_PROFILE_DEV_DEBUG=0
export CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_LINKER=i686-linux-gnu-gcc CARGO_TARGET_I686_UNKNOWN_LINUX_GNU_RUSTFLAGS=$static
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUSTFLAGS=$static
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER=qemu-s390x
# Node's fast calls into WASI crash (nodejs/node#53087).
export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings --no-turbo-fast-api-calls $PWD/tests/wasi.mjs"
# wasm32-unknown-unknown has no random numbers of its own; a program says where they come from.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS='--cfg getrandom_backend="unsupported"'

packages='tam tsf pon xml text asn1 infoset xsd x694 tdxml dds'
core='-p lengthwise-tam -p lengthwise-tsf -p lengthwise-pon'
# shellcheck disable=SC2086
formats=$(printf -- '-p lengthwise-%s ' $packages)

# Whether a target and a program for it are there: has TARGET TOOL...
has() {
    local target=$1 tool
    shift
    if ! rustup target list --installed 2>/dev/null | grep -qx "$target" && ! rustup target add "$target" >/dev/null 2>&1; then
        tests/skipped.sh "portable $target" "there is no Rust for $target"
        return 1
    fi
    for tool; do
        if ! command -v "$tool" >/dev/null 2>&1; then
            tests/skipped.sh "portable $target" "there is no $tool"
            return 1
        fi
    done
}

run() {
    local code=0 start=$SECONDS
    echo "\$ $*"
    if test "$share" = quick; then
        "$@" || code=$?
    else
        timeout "${PORTABLE_SECONDS:-1200}" "$@" || code=$?
        echo "$((SECONDS - start)) seconds"
    fi
    if [ "$code" = 124 ]; then
        tests/skipped.sh "portable $*" 'a part of the tests on other processors was cut: it took too long'
    elif [ "$code" != 0 ]; then
        exit "$code"
    fi
}

if has wasm32-unknown-unknown clang; then
    run cargo check --quiet -p lengthwise --all-features --target wasm32-unknown-unknown
fi
if has i686-unknown-linux-gnu i686-linux-gnu-gcc; then
    if test "$share" = quick; then
        run cargo check --quiet $formats -p lengthwise -p lengthwise-cli --all-features --target i686-unknown-linux-gnu
        TEST_SHARE=20 run cargo test --quiet $core --all-features --target i686-unknown-linux-gnu --lib --tests
    else
        for package in $packages; do
            run cargo test --quiet -p "lengthwise-$package" --all-features --target i686-unknown-linux-gnu --lib --tests
        done
        run cargo test --quiet -p lengthwise --all-features --target i686-unknown-linux-gnu --lib --tests
        run cargo test --quiet -p lengthwise-c --no-default-features --features std --target i686-unknown-linux-gnu --lib \
            --test answers
    fi
fi
test "$share" = full || exit 0
export TEST_SHARE=${TEST_SHARE:-20}
# Of the tests by proptest as well, which make 256 values.
export PROPTEST_CASES=$((255 / TEST_SHARE + 1))
if has wasm32-wasip1 node; then
    # Programs of WASI have no threads and no other programs: what needs these is not among the tests.
    for package in tam tsf pon text asn1 dds; do
        run cargo test --quiet -p "lengthwise-$package" --all-features --target wasm32-wasip1 --lib
    done
    for package in infoset xsd x694 tdxml; do
        tests/skipped.sh "portable wasm32-wasip1 $package" 'the unit tests have not been tried as WebAssembly'
    done
    run cargo test --quiet -p lengthwise-tsf --target wasm32-wasip1 --test grammar
    run cargo test --quiet -p lengthwise-pon --all-features --target wasm32-wasip1 --test grammar --test serde --test cursor
fi
if has s390x-unknown-linux-gnu s390x-linux-gnu-gcc qemu-s390x; then
    for package in $packages; do
        run cargo test --quiet -p "lengthwise-$package" --all-features --target s390x-unknown-linux-gnu --lib --tests
    done
    run cargo test --quiet -p lengthwise --all-features --target s390x-unknown-linux-gnu --lib --tests
    run cargo test --quiet -p lengthwise-c --no-default-features --features std --target s390x-unknown-linux-gnu --lib \
        --test answers
fi
