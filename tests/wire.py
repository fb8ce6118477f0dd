#!/usr/bin/env python3
"""Hashes what a build of the command writes: tests/wire.py LENGTHWISE [LENGTHWISE...]

Converts the samples, the documents of ../shared/data (where present) and 10 000 made-up documents and values into every
format, and prints a line per kind: the number of messages, of refusals, and a hash over all of them. Two builds write the
same messages if they print the same lines; with two or more programs the differing lines are marked, and the exit
status is 1.
"""

import hashlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"
DATA = ROOT.parent / "shared" / "data"

MODULE = """Wire DEFINITIONS AUTOMATIC TAGS ::= BEGIN
Message ::= SEQUENCE {
    flag BOOLEAN, small INTEGER (0..200), wide INTEGER, half INTEGER (-5..MAX), ratio REAL,
    kind ENUMERATED { red, green, ..., blue }, bits BIT STRING, octets OCTET STRING (SIZE (0..20)),
    name UTF8String, code IA5String (SIZE (1..8)) (FROM ("A".."Z" | "0".."9")), digits NumericString,
    list SEQUENCE (SIZE (0..300)) OF INTEGER (0..65535), sub SEQUENCE OF Part OPTIONAL,
    choice CHOICE { number INTEGER, text VisibleString, ..., part Part },
    more INTEGER DEFAULT 7, ..., [[ late BOOLEAN OPTIONAL, later UTF8String OPTIONAL ]], last INTEGER OPTIONAL }
Part ::= SET { id [1] INTEGER (1..100000), label [0] PrintableString OPTIONAL, on BOOLEAN DEFAULT FALSE }
END
"""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
ODD = ["", " ", "&", "<", "]]>", "\u00e9", "\u4e2d\u6587", "\U0001f600", "\"", "'", "\t", "12", "-0.5", "true", "null", "a b"]


def word(choice):
    if choice.random() < 0.3:
        return choice.choice(ODD)
    return "".join(choice.choice(LETTERS) for _ in range(choice.randrange(1, 12)))


def number(choice):
    return choice.choice(
        [choice.randrange(-10, 300), choice.randrange(-(2**63), 2**64), round(choice.uniform(-1000, 1000), 3), choice.uniform(-1, 1) * 10 ** choice.randrange(-300, 300)]
    )


def any_json(choice, depth):
    kind = choice.randrange(9 if depth else 6)
    if kind < 2:
        return word(choice)
    if kind < 4:
        return number(choice)
    if kind < 6:
        return choice.choice([True, False, None])
    if kind == 6:
        return [any_json(choice, depth - 1) for _ in range(choice.randrange(6))]
    if kind == 7:
        value = number(choice)
        return [value + add for add in range(choice.randrange(40))] if isinstance(value, int) else [value] * 3
    return {word(choice) + str(key): any_json(choice, depth - 1) for key in range(choice.randrange(6))}


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("\t", "&#9;")


def any_xml(choice, depth):
    name = choice.choice(["a", "row", "p:item", "n1", "caf\u00e9"])
    attributes = "".join(f' {key}="{escaped(word(choice))}"' for key in choice.sample(["id", "p:k", "xml:lang", "v"], choice.randrange(3)))
    if choice.random() < 0.1:
        attributes += f' xmlns="urn:{choice.choice(LETTERS)}"'
    inner = ""
    for _ in range(choice.randrange(5) if depth else choice.randrange(2)):
        kind = choice.randrange(8)
        if kind < 4 and depth:
            inner += any_xml(choice, depth - 1)
        elif kind == 4:
            inner += f"<!--{word(choice).replace('-', '')}-->"
        elif kind == 5:
            inner += f"<?pi {word(choice).replace('?', '')}?>"
        elif kind == 6:
            inner += f"<![CDATA[{word(choice).replace(']]>', '')}]]>"
        else:
            inner += escaped(word(choice))
    return f"<{name}{attributes}>{inner}</{name}>"


def table_xml(choice):
    rows = "".join(
        f'<row id="{row}"><x>{choice.randrange(1000)}</x><name>{escaped(word(choice))}</name></row>' for row in range(choice.randrange(1, 30))
    )
    return f"<table>{rows}</table>"


def part(choice):
    value = {"id": choice.randrange(1, 100001)}
    if choice.random() < 0.5:
        value["label"] = "Label " + str(choice.randrange(9))
    if choice.random() < 0.5:
        value["on"] = choice.random() < 0.5
    return value


def message(choice):
    value = {
        "flag": choice.random() < 0.5,
        "small": choice.randrange(201),
        "wide": choice.choice([0, -1, choice.randrange(-(2**40), 2**40), choice.randrange(-(2**100), 2**100)]),
        "half": choice.choice([-5, choice.randrange(0, 2**70)]),
        "ratio": choice.choice([0.0, 1.5, -2.25, choice.uniform(-1e9, 1e9)]),
        "kind": choice.choice(["red", "green", "blue"]),
        "bits": {"value": choice.randbytes(2).hex().upper(), "length": 16},
        "octets": choice.randbytes(choice.randrange(21)).hex().upper(),
        "name": "".join(choice.choice(LETTERS + "\u00e9\u4e2d") for _ in range(choice.choice([0, 3, 20, 200]))),
        "code": "".join(choice.choice("ABCXYZ019") for _ in range(choice.randrange(1, 9))),
        "digits": "".join(choice.choice("0123456789 ") for _ in range(choice.randrange(12))),
        "list": [choice.randrange(65536) for _ in range(choice.choice([0, 1, 5, 129, 300]))],
        "choice": choice.choice([{"number": choice.randrange(-300, 300)}, {"text": "visible"}, {"part": part(choice)}]),
    }
    if choice.random() < 0.5:
        value["sub"] = [part(choice) for _ in range(choice.randrange(20))]
    for name, made in [("more", lambda: choice.randrange(6, 9)), ("late", lambda: True), ("later", lambda: "l"), ("last", lambda: -1)]:
        if choice.random() < 0.3:
            value[name] = made()
    return value


def make_up(folder):
    choice = random.Random(23)
    for name in ["json", "xml", "tables", "values"]:
        (folder / name).mkdir()
    for at in range(4000):
        text = json.dumps(any_json(choice, 4), ensure_ascii=choice.random() < 0.5)
        (folder / "json" / f"{at:04}.json").write_text(text, encoding="utf-8")
    for at in range(3000):
        text = f'<root xmlns:p="urn:p">{any_xml(choice, 4)}</root>'
        (folder / "xml" / f"{at:04}.xml").write_text(text, encoding="utf-8")
    for at in range(1000):
        (folder / "tables" / f"{at:04}.xml").write_text(table_xml(choice), encoding="utf-8")
    for at in range(2000):
        (folder / "values" / f"{at:04}.json").write_text(json.dumps(message(choice)), encoding="utf-8")
    (folder / "wire.asn1").write_text(MODULE)


def kinds(made):
    """Yields the name of a kind, its inputs and the options that make it."""
    json_ways = ["-t tsf", "-t tsf --types value", "-t tsf --lengths chars", "-t pon", "-t json", "-t json --pretty"]
    xml_ways = ["-t tsf", "-t tsf --lengths chars --sort-attributes", "-t xml", "-t xml --pretty"]
    for rules in ["uper", "aper", "ber"]:
        xml_ways += [f"-t infoset-{rules}", f"-t infoset-{rules} --paper", f"-t infoset-{rules} --strings deflate"]
    table_ways = ["-t tdxml --scheme aggregated --drop-mixed", "-t tdxml --scheme grouped --drop-mixed", "-t tdxml --binary mime --drop-mixed"]
    rules_ways = ["-t uper", "-t aper", "-t ber", "-t uper --canonical", "-t aper --canonical", "-t ber --canonical"]

    def below(folder, ending):
        return sorted(path for path in folder.rglob(f"*{ending}") if path.is_file())

    sets = [("made-up json", below(made / "json", ".json"), json_ways), ("made-up xml", below(made / "xml", ".xml"), xml_ways)]
    sets += [("tables", below(made / "tables", ".xml"), table_ways)]
    values = below(made / "values", ".json")
    sets += [("made-up values", values, [f"-s {made / 'wire.asn1'} --root Message {way}" for way in rules_ways + ["-t asn1", "-t tdxml"]])]
    sets += [("samples json", below(SAMPLES, ".json"), json_ways), ("samples xml", below(SAMPLES, ".xml"), xml_ways + table_ways)]
    if DATA.is_dir():
        documents = [path for ending in [".json"] for path in below(DATA, ending)]
        sets += [("data json", documents, json_ways)]
        documents = [path for ending in [".xml", ".gpx", ".kml"] for path in below(DATA, ending)]
        sets += [("data xml", documents, xml_ways + table_ways)]
    xsd_ways = rules_ways + ["-t uper --mapping 1", "-t tdxml"]
    schemas = [(SAMPLES / "order.xsd", [SAMPLES / "order.xml"])]
    iso = DATA / "iso20022"
    pairs = [("camt.052.001.02", "camt052_001_02"), ("camt.053.001.02", "camt053_001_02"), ("camt.054.001.04", "camt054_"), ("pain.001.001.03.ch.02", "pain001_ch"), ("pain.001.001.08", "pain001_001_08"), ("remt.001.001.06", "remt_001_001_06")]
    schemas += [(iso / f"{name}.xsd", sorted(iso.glob(f"{start}*.xml"))) for name, start in pairs]
    schemas += [(DATA / "gpx" / "gpx11.xsd", sorted((DATA / "gpx").glob("*.gpx")))]
    for document in sorted((DATA / "ubl21").glob("*.xml")):
        kind = document.name.split("-")[1]
        schemas += [(DATA / "ubl21" / "xsd" / "maindoc" / f"UBL-{kind}-2.1.xsd", [document])]
    for schema, documents in schemas:
        if schema.is_file() and documents:
            sets += [(f"{schema.stem}: {documents[0].stem}", documents, [f"-s {schema} --allow-path {schema.parent.parent} {way}" for way in xsd_ways])]
    for name, inputs, ways in sets:
        for way in ways:
            yield name, inputs, way


def digest(program, inputs, way, folder):
    out = pathlib.Path(folder)
    # Names repeat in different folders, so each input gets a number.
    links = out / "in"
    links.mkdir()
    for at, path in enumerate(inputs):
        (links / f"{at:05}{path.suffix}").symlink_to(path)
    command = [program, "convert", str(links), "-o", str(out / "out"), "--no-verify", "--quiet", *way.split()]
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: {run.stderr.decode()}")
    hashed = hashlib.sha256()
    written = sorted((out / "out").rglob("*")) if (out / "out").is_dir() else []
    count = 0
    for path in written:
        if path.is_file():
            count += 1
            data = path.read_bytes()
            hashed.update(f"{path.stem} {len(data)}\n".encode() + data)
    return count, len(inputs) - count, hashed.hexdigest()[:16]


def main():
    programs = sys.argv[1:]
    if not programs:
        sys.exit(__doc__)
    same = True
    whole = [hashlib.sha256() for _ in programs]
    messages = 0
    with tempfile.TemporaryDirectory() as made:
        make_up(pathlib.Path(made))
        for name, inputs, way in kinds(pathlib.Path(made)):
            found = []
            for program in programs:
                with tempfile.TemporaryDirectory() as folder:
                    found.append(digest(program, inputs, way, folder))
            for total, one in zip(whole, found):
                total.update(repr(one).encode())
            messages += found[0][0]
            differ = any(one != found[0] for one in found)
            same &= not differ
            shown = way.replace(f"{made}/", "").replace(f"{DATA}/", "").replace(f"{ROOT}/", "").replace(str(ROOT), ".")
            print(f"{name} {shown}:", *("%d messages, %d refused, %s" % one for one in (found if differ else found[:1])), "DIFFER" if differ else "", flush=True)
    if not messages:
        sys.exit("no messages were written")
    print(f"{messages} messages:", *(total.hexdigest()[:16] for total in whole))
    sys.exit(0 if same else 1)


main()
