#!/usr/bin/env bash
# Each feature of the facade alone: it compiles without a warning, and PON alone brings neither the other formats nor a
# C compiler's work.
set -euo pipefail
cd "$(dirname "$0")/.."
for feature in xml json tsf pon asn1 infoset tdxml xsd soap losses columns xsd,columns json,compress; do
    cargo clippy --quiet -p lengthwise --no-default-features --features "$feature" -- -D warnings
done
brought=$(cargo tree --quiet -p lengthwise --no-default-features --features pon --edges normal --prefix none |
    grep -E '^(lengthwise-(compress|text|xml|tsf|asn1|infoset|tdxml|xsd|x694|soap|dds)|zstd|regex) ' || true)
if [ -n "$brought" ]; then
    echo "PON alone brings: $brought"
    exit 1
fi
