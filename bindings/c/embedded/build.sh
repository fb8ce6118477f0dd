#!/bin/sh
# Builds the static library for the processors named (or all), into target/embedded/<processor>/.
#
# It needs a Rust with the sources of its standard library, from which `core` is built: Debian's
# rustc-web, cargo-web and rust-web-src (or rustc, cargo and rust-src, 1.90 or later), or rustup's
# component rust-src. CARGO and RUSTC say which, otherwise Debian's are taken, or the ones in PATH.
set -eu
cd "$(dirname "$0")/../../.."
target=${LENGTHWISE_TARGET_DIR:-$PWD/target/embedded}

sources() { test -f "$("$1" --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library/core/Cargo.toml"; }
if test -z "${RUSTC:-}"; then
    for candidate in /usr/bin/rustc rustc; do
        if sources $candidate; then RUSTC=$candidate; break; fi
    done
fi
if test -z "${RUSTC:-}"; then
    echo 'no Rust with sources here: apt-get install rustc-web cargo-web rust-web-src' >&2
    exit 3
fi
case $RUSTC in */*) CARGO=${CARGO:-$(dirname "$RUSTC")/cargo} ;; *) CARGO=${CARGO:-cargo} ;; esac
test -x "$CARGO" || CARGO=cargo
# A Rust of the stable channel builds `core` all the same.
export RUSTC RUSTC_BOOTSTRAP=1
# Nothing is thrown, so no tables are needed that say how to unwind.
export RUSTFLAGS="-Cforce-unwind-tables=no${RUSTFLAGS:+ $RUSTFLAGS}"

processors=${*:-cortex-m0plus cortex-m3 cortex-m4 cortex-m33 riscv32}
triple() {
    case $1 in
        cortex-m0plus) echo thumbv6m-none-eabi ;;
        cortex-m3) echo thumbv7m-none-eabi ;;
        cortex-m4) echo thumbv7em-none-eabi ;;
        cortex-m4f) echo thumbv7em-none-eabihf ;;
        cortex-m33) echo thumbv8m.main-none-eabi ;;
        cortex-m33f) echo thumbv8m.main-none-eabihf ;;
        riscv32) echo riscv32imc-unknown-none-elf ;;
        *) echo "unknown processor $1" >&2; exit 2 ;;
    esac
}
mkdir -p "$target/build"
set --
for processor in $processors; do
    triple=$(triple "$processor")
    # The compiler's own description of the processor but for the register that it keeps for debuggers, of which
    # there are few; and on RISC-V calls are marked, so that the linker makes the short ones of them that it can.
    "$RUSTC" -Zunstable-options --print target-spec-json --target "$triple" |
        sed 's/"frame-pointer": "[a-z-]*"/"frame-pointer": "may-omit"/; s/"features": "+m,/&+relax,/' >"$target/build/$triple.json"
    set -- "$@" --target "$target/build/$triple.json"
done
code=0
# All at once: `core` takes one thread for each processor.
"$CARGO" build --quiet --package lengthwise-c --no-default-features --profile device \
    -Zbuild-std=core -Zjson-target-spec "$@" --target-dir "$target/build" >"$target/build/cargo.log" 2>&1 || code=$?
grep -v 'dropping unsupported crate type' "$target/build/cargo.log" | grep . >&2 || true
test "$code" = 0
for processor in $processors; do
    built=$target/build/$(triple "$processor")/device/liblengthwise_c.a
    mkdir -p "$target/$processor"
    cp "$built" "$target/$processor/liblengthwise.a"
    echo "$target/$processor/liblengthwise.a"
done
