#!/usr/bin/env bash
# Runs every fuzz target: fuzz/run.sh SECONDS CORPUS for so many seconds each, and keeps what it finds in CORPUS;
# fuzz/run.sh ci for a minute together, starting from fuzz/seeds, not optimized and without AddressSanitizer, and keeps
# nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    tests/skipped.sh fuzzing 'there is no nightly compiler with cargo-fuzz: cargo install cargo-fuzz'
    exit 0
fi
mapfile -t targets < <(cargo +nightly fuzz list)
if test "$1" = ci; then
    seconds=$(((60 + ${#targets[@]} - 1) / ${#targets[@]}))
    corpus=$(mktemp -d)
    trap 'rm -rf "$corpus"' EXIT
    cp -r fuzz/seeds/. "$corpus"
    # Optimized programs take minutes to build.
    options='--dev --sanitizer none'
else
    seconds=$1 corpus=$2 options=
fi
# shellcheck disable=SC2086
cargo +nightly fuzz build $options
for target in "${targets[@]}"; do
    echo "== $target, $seconds seconds"
    dictionary=$(sed -n "s|^$target |-dict=fuzz/dictionaries/|p" fuzz/dictionaries/targets)
    mkdir -p "$corpus/$target"
    # shellcheck disable=SC2086
    cargo +nightly fuzz run $options "$target" "$corpus/$target" -- -seed=1 -max_total_time="$seconds" -timeout=20 $dictionary
done
