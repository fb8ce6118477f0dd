"""Writes what is in a build as CycloneDX 1.5: bill_of_materials.py PACKAGE [FEATURES] > FILE.

The components are the crates that the package is linked of on this machine, as `cargo metadata` resolves them, with
the checksums of Cargo.lock.
"""

import json
import subprocess
import sys
import tomllib


def run(*command: str) -> str:
    return subprocess.check_output(command, text=True)


def component(package: dict, checksums: dict, kind: str) -> dict:
    purl = f"pkg:cargo/{package['name']}@{package['version']}"
    result = {"type": kind, "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl}
    if package["description"]:
        result["description"] = package["description"].strip()
    if package["license"]:
        result["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum := checksums.get((package["name"], package["version"])):
        result["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        result["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return result


def main() -> None:
    name, features = sys.argv[1], sys.argv[2:]
    host = run("rustc", "--print", "host-tuple").strip()
    flags = ["--features", ",".join(features)] if features else []
    metadata = json.loads(
        run("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host, *flags)
    )
    with open("Cargo.lock", "rb") as file:
        locked = tomllib.load(file)["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(id for id, package in packages.items() if package["name"] == name and package["source"] is None)

    def linked(id: str) -> list[str]:
        kinds = ((dep["pkg"], kind["kind"]) for dep in nodes[id]["deps"] for kind in dep["dep_kinds"])
        return sorted({package for package, kind in kinds if kind is None})

    found, waiting = set(), [root]
    while waiting:
        id = waiting.pop()
        if id not in found:
            found.add(id)
            waiting += linked(id)

    def reference(id: str) -> str:
        return f"pkg:cargo/{packages[id]['name']}@{packages[id]['version']}"

    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(packages[root], checksums, "application" if name.endswith("cli") else "library")},
        "components": [component(packages[id], checksums, "library") for id in sorted(found - {root})],
        "dependencies": [
            {"ref": reference(id), "dependsOn": [reference(other) for other in linked(id)]} for id in sorted(found)
        ],
    }
    json.dump(bill, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
