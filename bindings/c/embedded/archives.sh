#!/bin/sh
# Packs the libraries that build.sh has built, one archive a processor: archives.sh FOLDER PROCESSOR...
# Each has the library, the header, the licences, and a README that says how to link it.
set -eu
cd "$(dirname "$0")/../../.."
target=${LENGTHWISE_TARGET_DIR:-$PWD/target/embedded}
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
into=$1
shift
mkdir -p "$into"
into=$(cd "$into" && pwd)
for processor; do
    compiler=arm-none-eabi-gcc
    case $processor in
        cortex-m4f) flags='-mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16' ;;
        cortex-m33f) flags='-mthumb -mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16' ;;
        cortex-m33) flags='-mthumb -mcpu=cortex-m33+nofp' ;;
        cortex-*) flags="-mthumb -mcpu=$processor" ;;
        riscv32) flags='-march=rv32imc -mabi=ilp32' compiler=riscv64-unknown-elf-gcc ;;
    esac
    name=lengthwise-$version-$processor
    work=$target/archives/$name
    rm -rf "$work" "$into/lengthwise-"*"-$processor.tar.gz"
    mkdir -p "$work"
    cp "$target/$processor/liblengthwise.a" bindings/c/include/lengthwise.h bindings/c/examples/device.c LICENSE-MIT LICENSE-APACHE "$work/"
    cat >"$work/README" <<END
Lengthwise $version for $processor: TSF and PON without a heap. No Rust is needed.

    $compiler $flags -Os -ffunction-sections \\
        -I . program.c liblengthwise.a -Wl,--gc-sections

A program with -mfloat-abi=hard needs the library of cortex-m4f or cortex-m33f, any other one of those without f.
Put liblengthwise.a after the objects that use it; --gc-sections leaves out what is not called.
The functions are described in lengthwise.h; device.c is an example.
The library has no variables and calls no functions of C. It contains parts of Rust's core library.
Licence: MIT or Apache 2.0, see LICENSE-MIT and LICENSE-APACHE.
END
    tar -C "$target/archives" --sort=name --owner=0 --group=0 --numeric-owner --mtime='@0' -czf "$into/$name.tar.gz" "$name"
    echo "$into/$name.tar.gz"
done
