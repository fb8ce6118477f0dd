#!/bin/sh
# Builds the product with the oldest Rust that Cargo.toml promises.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! cargo "+$version" --version >/dev/null 2>&1; then
    exec tests/skipped.sh "Rust $version" "there is no Rust $version: rustup toolchain install $version --profile minimal"
fi
cargo "+$version" check --quiet --locked -p lengthwise-cli -p lengthwise-c --all-features --target-dir target/oldest
echo "Rust $version: good"
