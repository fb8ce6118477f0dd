#!/bin/sh
# Says that what a script tests does not run here, and counts it: tests/skipped.sh TEST REASON. See tests/counted.sh.
echo "skipped: $2"
if [ -n "${SKIPPED_TESTS:-}" ]; then printf 'script\t%s\t%s\n' "$1" "$2" >>"$SKIPPED_TESTS"; fi
