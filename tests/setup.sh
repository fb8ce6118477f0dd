#!/bin/sh
# Brings Debian's packages that tests/portable.sh wants, and the oldest Rust that is promised. What cannot be
# had is left out. Packages need root, or sudo without a password.
set -eu
if command -v rustup >/dev/null; then
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
    rustup toolchain install "$version" --profile minimal || echo "no Rust $version" >&2
fi
command -v clang >/dev/null && command -v i686-linux-gnu-gcc >/dev/null && command -v s390x-linux-gnu-gcc >/dev/null &&
    command -v qemu-s390x >/dev/null && exit 0
sudo=
test "$(id -u)" = 0 || sudo='sudo -n'
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update
$sudo apt-get install -y --no-install-recommends clang gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu \
    libc6-dev-s390x-cross qemu-user
