#!/bin/sh
# Builds the library, the archives of it, and the programs of the proof, runs these in an emulator, and prints the table.
# What is missing is reported as skipped.
set -eu
cd "$(dirname "$0")/../../.."
target=${LENGTHWISE_TARGET_DIR:-$PWD/target/embedded}
for tool in arm-none-eabi-gcc qemu-system-arm python3; do
    if ! command -v $tool >/dev/null 2>&1; then
        tests/skipped.sh microcontrollers "there is no $tool"
        exit 0
    fi
done
processors='cortex-m0plus cortex-m3 cortex-m4 cortex-m33'
if command -v riscv64-unknown-elf-gcc >/dev/null 2>&1 && command -v qemu-system-riscv32 >/dev/null 2>&1; then
    processors="$processors riscv32"
else
    tests/skipped.sh RISC-V 'there is no riscv64-unknown-elf-gcc or no qemu-system-riscv32'
fi
code=0
bindings/c/embedded/build.sh $processors >/dev/null || code=$?
if test $code = 3; then
    tests/skipped.sh microcontrollers 'there is no Rust with the sources of its library'
    exit 0
fi
test $code = 0
bindings/c/embedded/archives.sh "$target/archives" $processors >/dev/null
exec python3 bindings/c/embedded/prove.py --library "$target" --archives "$target/archives" --processor "$processors" "$@"
