#!/usr/bin/env bash
# The public interface of every library: tools/api.sh compares it with tools/api/*.txt, and tools/api.sh --write writes
# those files. A change of an interface shows in the diff of its commit. It takes cargo-public-api, which it installs in
# target/tools, and a nightly compiler that makes the JSON which that release reads; without them it is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
release=0.52.0
export PATH=$PWD/target/tools/bin:$PATH
if ! cargo public-api --version 2>/dev/null | grep -q "$release"; then
    if ! cargo install --quiet --locked --root target/tools "cargo-public-api@$release"; then
        exec tests/skipped.sh api "cargo-public-api $release cannot be installed"
    fi
fi
mkdir -p target/api tools/api
code=0
for manifest in crates/*/Cargo.toml; do
    crate=$(basename "$(dirname "$manifest")")
    test "$crate" != cli || continue
    if ! cargo +nightly public-api --manifest-path "$manifest" --all-features -sss >"target/api/$crate.txt" 2>target/api/log; then
        if grep -q 'nightly' target/api/log; then
            exec tests/skipped.sh api "this nightly compiler makes no list that cargo-public-api $release reads"
        fi
        cat target/api/log
        exit 1
    fi
    test -s "target/api/$crate.txt"
    if test "${1:-}" = --write; then
        cp "target/api/$crate.txt" "tools/api/$crate.txt"
    elif ! diff -u "tools/api/$crate.txt" "target/api/$crate.txt"; then
        echo "the public interface of $crate is not tools/api/$crate.txt: if that is intended, run 'make api-list'"
        code=1
    fi
done
exit "$code"
