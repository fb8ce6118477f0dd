#!/bin/sh
# What is given out, in target/dist: the command, the library for C with its header, and of each a list of what is in it.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked -p lengthwise-cli -p lengthwise-c
dist=target/dist
rm -rf "$dist"
mkdir -p "$dist/bin" "$dist/lib" "$dist/include"
cp target/release/lengthwise "$dist/bin/"
for library in liblengthwise_c.a liblengthwise_c.so liblengthwise_c.dylib; do
    if test -e "target/release/$library"; then cp "target/release/$library" "$dist/lib/"; fi
done
cp bindings/c/include/* "$dist/include/"
cp LICENSE-MIT LICENSE-APACHE "$dist/"
python3 tools/bill_of_materials.py lengthwise-cli >"$dist/lengthwise.cdx.json"
python3 tools/bill_of_materials.py lengthwise-c >"$dist/liblengthwise_c.cdx.json"
tools/package.sh >/dev/null
mkdir -p "$dist/crates"
cp target/package/*.crate "$dist/crates/"
(cd "$dist" && find . -type f ! -name SHA256SUMS -exec sha256sum {} + | sort -k 2 >SHA256SUMS)
ls -l "$dist" "$dist"/*
