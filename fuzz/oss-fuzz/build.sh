#!/bin/bash -eu
# What OSS-Fuzz runs in its builder, in the folder of the project: programs, seeds and dictionaries go to $OUT.
cd "$(dirname "$(cargo locate-project --message-format plain)")"
BUILD=${CARGO_FUZZ_BUILD-cargo fuzz build -O --debug-assertions}
RELEASE=${CARGO_FUZZ_RELEASE-fuzz/target/x86_64-unknown-linux-gnu/release}
$BUILD
for program in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$program" .rs)
    cp "$RELEASE/$target" "$OUT/"
    (cd "fuzz/seeds/$target" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
done
while read -r target dictionary; do
    case $target in \#*) continue ;; esac
    cp "fuzz/dictionaries/$dictionary" "$OUT/$target.dict"
done <fuzz/dictionaries/targets
