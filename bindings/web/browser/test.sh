#!/usr/bin/env bash
# The page, and those that the command writes, in a browser: bindings/web/browser/test.sh, after build.sh. PICTURES=FOLDER keeps screenshots. It needs Debian's
# chromium, and npm to bring playwright-core and axe-core.
set -euo pipefail
cd "$(dirname "$0")/.."
export CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
if [ -z "$CHROMIUM" ]; then
    ../../tests/skipped.sh 'web: the page' 'there is no chromium'
    exit 0
fi
if ! npm install --no-audit --no-fund --no-package-lock --silent; then
    ../../tests/skipped.sh 'web: the page' 'there is no playwright-core'
    exit 0
fi
node site.mjs
code=0
log=$(node --test --test-reporter=tap browser/ 2>&1) || code=$?
if [ "$code" != 0 ]; then echo "$log"; fi
echo "$log" | sed -n 's/^ok .* - \(.*\) # SKIP \(.*\)$/\1\t\2/p' | while IFS=$'\t' read -r name reason; do
    ../../tests/skipped.sh "web: $name" "$reason"
done
count() { echo "$log" | sed -n "s/^# $1 //p"; }
echo "test result: $([ "$code" = 0 ] && echo ok || echo FAILED). $(count pass) passed; $(count fail) failed"
exit "$code"
