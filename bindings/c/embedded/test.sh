#!/bin/sh
# Builds the library and the programs of the proof, runs these in an emulator, and prints the table. What is missing
# is said, and then nothing is tested.
set -eu
cd "$(dirname "$0")/../../.."
target=${LENGTHWISE_TARGET_DIR:-$PWD/target/embedded}
for tool in arm-none-eabi-gcc qemu-system-arm python3; do
    if ! command -v $tool >/dev/null 2>&1; then
        echo "There is no $tool: nothing is tested on a microcontroller."
        exit 0
    fi
done
code=0
bindings/c/embedded/build.sh cortex-m0plus cortex-m3 cortex-m4 cortex-m33 >/dev/null || code=$?
if test $code = 3; then
    echo 'There is no Rust with the sources of its library: nothing is tested on a microcontroller.'
    exit 0
fi
test $code = 0
exec python3 bindings/c/embedded/prove.py --library "$target" "$@"
