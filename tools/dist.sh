#!/bin/sh
# What is given out, in target/dist: the command with its completions, manual pages and package for Debian, the library for C
# with its header, an archive of that library for each processor of devices, the wheel for Python, and of each a list of what
# is in it.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked -p lengthwise-c
# The command needs no library of the system that it runs on. The C library that is linked into it is that of GNU: with musl
# it takes twice the time for an infoset in UPER.
host=$(rustc -vV | sed -n 's/^host: //p')
static() {
    RUSTFLAGS='-C target-feature=+crt-static' cargo build --release --locked --target "$1" -p lengthwise-cli
}
static "$host"
command=target/$host/release/lengthwise
arm=aarch64-unknown-linux-gnu
dist=target/dist
rm -rf "$dist"
mkdir -p "$dist/bin" "$dist/lib" "$dist/include"
install -s -m 755 "$command" "$dist/bin/lengthwise"
cp tools/Containerfile "$dist/bin/"
# For other processors it takes their compiler (Debian: gcc-aarch64-linux-gnu), and Rust's target.
if test "$host" = $arm; then
    : # It is there.
elif command -v aarch64-linux-gnu-gcc >/dev/null && test -d "$(rustc --print target-libdir --target $arm)"; then
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc static $arm
    mkdir -p "$dist/bin-arm64"
    install -m 755 target/$arm/release/lengthwise "$dist/bin-arm64/lengthwise"
    aarch64-linux-gnu-strip "$dist/bin-arm64/lengthwise"
else
    tests/skipped.sh 'the command for ARM64' "there is no aarch64-linux-gnu-gcc, or no Rust for $arm"
fi
"$command" manual "$dist/share/man/man1"
mkdir -p "$dist/share/completions"
for shell in bash zsh fish; do "$command" completions $shell >"$dist/share/completions/lengthwise.$shell"; done
for bin in "$dist"/bin*; do
    case $bin/$host in
    */bin-arm64/* | */bin/aarch64-*) architecture=arm64 ;;
    *) architecture=amd64 ;;
    esac
    tools/debian.sh "$bin/lengthwise" $architecture "$command" "$dist"
done
for library in liblengthwise_c.a liblengthwise_c.so liblengthwise_c.dylib; do
    if test -e "target/release/$library"; then cp "target/release/$library" "$dist/lib/"; fi
done
cp bindings/c/include/* "$dist/include/"
cp LICENSE-MIT LICENSE-APACHE "$dist/"
processors='cortex-m0plus cortex-m3 cortex-m4 cortex-m4f cortex-m33 cortex-m33f riscv32'
code=0
bindings/c/embedded/build.sh $processors >/dev/null || code=$?
if test $code = 3; then
    tests/skipped.sh 'archives for devices' 'there is no Rust with the sources of its library'
else
    test $code = 0
    bindings/c/embedded/archives.sh "$dist/devices" $processors
fi
python3 tools/bill_of_materials.py lengthwise-cli >"$dist/lengthwise.cdx.json"
python3 tools/bill_of_materials.py lengthwise-c >"$dist/liblengthwise_c.cdx.json"
if python3 -m venv target/python/dist && target/python/dist/bin/pip install --quiet --disable-pip-version-check 'maturin>=1.10,<2'
then
    target/python/dist/bin/maturin build --release --quiet --manifest-path bindings/python/Cargo.toml \
        --target-dir target/python --out "$dist/python"
else
    tests/skipped.sh 'the wheel for Python' 'maturin cannot be installed'
fi
tools/package.sh >/dev/null
mkdir -p "$dist/crates"
cp target/package/*.crate "$dist/crates/"
(cd "$dist" && find . -type f ! -name SHA256SUMS -exec sha256sum {} + | sort -k 2 >SHA256SUMS)
ls -l "$dist" "$dist"/*
