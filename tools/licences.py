"""Holds the licences and the sources of all dependencies against deny.toml, as `cargo deny check licenses sources` does.

It is for places without cargo-deny, and does not know advisories. Usage: licences.py, in the folder of deny.toml.
"""

import json
import re
import subprocess
import sys
import tomllib


def allowed(expression: str, allow: set[str]) -> bool:
    """Whether an SPDX expression can be met by allowed licences; `/` is the older way to write OR."""
    tokens = re.findall(r"[()]|[^\s()/]+|/", expression)
    tokens = ["OR" if token == "/" else token for token in tokens]

    def either() -> bool:
        result = both()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            result = both() or result
        return result

    def both() -> bool:
        result = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            result = one() and result
        return result

    def one() -> bool:
        token = tokens.pop(0)
        if token == "(":
            result = either()
            tokens.pop(0)
            return result
        if tokens and tokens[0] == "WITH":
            tokens.pop(0)
            token += " WITH " + tokens.pop(0)
        return token in allow

    return either()


def main() -> int:
    with open("deny.toml", "rb") as file:
        rules = tomllib.load(file)
    licences = rules["licenses"]
    exceptions = {entry["crate"]: set(entry["allow"]) for entry in licences.get("exceptions", [])}
    sources = {"registry+" + source for source in rules["sources"]["allow-registry"]}
    metadata = json.loads(subprocess.check_output(["cargo", "metadata", "--format-version", "1", "--all-features"]))
    wrong = []
    for package in metadata["packages"]:
        name = f"{package['name']} {package['version']}"
        if package["source"] is not None and package["source"] not in sources:
            wrong.append(f"{name}: the source {package['source']} is not allowed")
        allow = set(licences["allow"]) | exceptions.get(package["name"], set())
        if not allowed(package["license"] or "none", allow):
            wrong.append(f"{name}: the licence {package['license']} is not allowed")
    print("\n".join(wrong) or f"{len(metadata['packages'])} packages: licences and sources are allowed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
