#!/bin/sh
# Brings what test.sh needs on Debian: compilers for the processors, Rust with the sources of its library, the emulator.
# With --arm nothing for RISC-V. Fails where packages cannot be installed.
set -eu
packages='gcc-arm-none-eabi qemu-system-arm rustc-web cargo-web rust-web-src'
test "${1-}" = --arm || packages="$packages gcc-riscv64-unknown-elf qemu-system-misc"
sudo=
test "$(id -u)" = 0 || sudo='sudo -n'
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
{
    $sudo apt-get update -q
    $sudo apt-get install -y -q --no-install-recommends $packages
} >/dev/null
