#!/bin/sh
# Licences, sources and advisories of all dependencies, by deny.toml: with cargo-deny where it is installed. Elsewhere
# tools/licences.py looks at licences and sources, and that advisories were not asked for is counted as skipped.
set -eu
cd "$(dirname "$0")/.."
if cargo deny --version >/dev/null 2>&1; then
    cargo deny --all-features check bans licenses sources
    if cargo deny fetch >/dev/null 2>&1; then
        exec cargo deny --all-features check advisories
    fi
    exec tests/skipped.sh advisories 'the database of advisories is not available'
fi
if ! python3 -c 'import tomllib' 2>/dev/null; then
    exec tests/skipped.sh 'licences and advisories' 'there is no cargo-deny, and no python3 from 3.11 on'
fi
python3 tools/licences.py
exec tests/skipped.sh advisories 'there is no cargo-deny: cargo install --locked cargo-deny'
