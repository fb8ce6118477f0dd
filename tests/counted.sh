#!/usr/bin/env bash
# Runs a command that runs tests: tests/counted.sh COMMAND. At its end this says how many tests passed, failed and were
# skipped, and for which reasons. A command inside of a command is counted by the outer one.
set -uo pipefail
if [ -n "${SKIPPED_TESTS:-}" ]; then exec "$@"; fi
target=$(cd "$(dirname "$0")/.." && pwd)/target
mkdir -p "$target"
log=$target/test.log
# Lines of package, test and reason, by test_support::skipped and tests/skipped.sh.
export SKIPPED_TESTS=$target/skipped-tests
: >"$SKIPPED_TESTS"
"$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}
sort -u "$SKIPPED_TESTS" | cut -f 3 | sort | uniq -c |
    awk '{ count = $1; sub(/^ *[0-9]+ /, ""); print count, (count == 1 ? "test" : "tests"), "skipped: " $0 }'
# A skipped test of Rust is among those that cargo counts as passed.
awk -F '\t' -v log_file="$log" '
    { tests[$1 FS $2] = $1 }
    END {
        for (test in tests) { skipped++; if (tests[test] != "script") rust++ }
        while ((getline line <log_file) > 0)
            if (line ~ /^test result: /) {
                split(line, words, " ")
                for (i in words) {
                    if (words[i] ~ /^passed/) passed += words[i - 1]
                    if (words[i] ~ /^failed/) failed += words[i - 1]
                }
            }
        printf "%d passed, %d failed, %d skipped\n", passed - rust, failed, skipped
    }' "$SKIPPED_TESTS"
exit "$code"
