#!/usr/bin/env bash
# The tests of the npm package in Node: bindings/web/test.sh. Parts that were not built, and a command that is not there,
# are counted as skipped.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v node >/dev/null; then
    ../../tests/skipped.sh web 'there is no Node 20'
    exit 0
fi
mkdir -p node_modules
ln -sfn ../package node_modules/lengthwise
code=0
log=$(node --test --test-reporter=tap tests/ 2>&1) || code=$?
if [ "$code" != 0 ]; then echo "$log"; fi
echo "$log" | sed -n 's/^ok .* - \(.*\) # SKIP \(.*\)$/\1\t\2/p' | while IFS=$'\t' read -r name reason; do
    ../../tests/skipped.sh "web: $name" "$reason"
done
count() { echo "$log" | sed -n "s/^# $1 //p"; }
# In the words of cargo, which tests/counted.sh adds up.
echo "test result: $([ "$code" = 0 ] && echo ok || echo FAILED). $(count pass) passed; $(count fail) failed"
exit "$code"
