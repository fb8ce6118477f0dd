#!/bin/sh
# The crates as a registry takes them, in target/package. A crate is listed after those it needs, which is the order to publish in.
set -eu
cd "$(dirname "$0")/.."
packages=$(cargo metadata --offline --no-deps --format-version 1 | python3 -c '
import json, sys
packages = {p["name"]: p for p in json.load(sys.stdin)["packages"] if p["publish"] != []}
order = []
def visit(name):
    needs = [d["name"] for d in packages[name]["dependencies"] if d["kind"] != "dev" and d["name"] in packages]
    for needed in needs:
        visit(needed)
    if name not in order:
        order.append(name)
for name in sorted(packages):
    visit(name)
print(*order)
')
rm -rf target/package
# shellcheck disable=SC2086 # A list of names.
cargo package --quiet --offline --no-verify --allow-dirty $(printf -- '-p %s ' $packages)
for package in $packages; do
    ls target/package/"$package"-[0-9]*.crate
done
