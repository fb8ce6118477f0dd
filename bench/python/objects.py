"""Messages as objects of Python, beside what one would take instead: orjson and msgspec on the same records as JSON, and for
classes of TSF and UPER msgspec on the dicts.

python bench/python/objects.py [ROUNDS] prints the median of each, and ours as a multiple of the peer's.
"""

import base64
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import make_dataclass
from pathlib import Path
from typing import Any

import msgspec
import orjson
from lengthwise import Schema, pon, tsf

DATA = Path(__file__).resolve().parents[3] / "shared/data/json"


def medians(rounds: int, *works: Callable[[], Any]) -> list[float]:
    """The median time of each, in turn, in seconds; each long enough to be measured."""
    times: list[list[float]] = [[] for _ in works]
    repeats = []
    for work in works:
        begin = time.perf_counter()
        work()
        repeats.append(max(1, int(0.005 / (time.perf_counter() - begin))))
    for _ in range(rounds):
        for work, repeat, taken in zip(works, repeats, times, strict=True):
            begin = time.perf_counter()
            for _ in range(repeat):
                work()
            taken.append((time.perf_counter() - begin) / repeat)
    return [statistics.median(taken) for taken in times]


def row(rounds: int, name: str, ours: Callable[[], Any], peer: str, theirs: Callable[[], Any]) -> None:
    first, second = medians(rounds, ours, theirs)
    print(f"{name:44} {first * 1e6:10.2f} us  {peer:24} {second * 1e6:10.2f} us  {first / second:6.2f}")


FIELDS = [("name", str), ("host", str), ("port", int), ("load", float), ("up", bool), ("tags", list[str])]
Service = msgspec.defstruct("Service", FIELDS)
ServiceClass = make_dataclass("ServiceClass", FIELDS)


MODULE = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Services ::= SEQUENCE OF Service
    Service ::= SEQUENCE {
        name UTF8String, host UTF8String, port INTEGER (0..65535), load REAL, up BOOLEAN, tags SEQUENCE OF UTF8String
    }
END"""


def services(count: int) -> list[dict[str, Any]]:
    return [
        {
            "name": f"service-{n}",
            "host": f"10.0.{n // 256}.{n % 256}",
            "port": 8000 + n,
            "load": n * 0.37,
            "up": n % 7 != 0,
            "tags": ["a", "blue", f"zone-{n % 4}"],
        }
        for n in range(count)
    ]


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    documents: dict[str, Any] = {"100 services": services(100)}
    for name in ("twitter", "citm_catalog"):
        path = DATA / f"{name}.json"
        if path.exists():
            documents[name] = json.loads(path.read_bytes())
        else:
            print(f"{name}: not there, left out")
    for name, value in documents.items():
        message, text = pon.dumps(value), orjson.dumps(value)
        assert pon.loads(message) == orjson.loads(text) == value
        row(rounds, f"loads {name}", lambda: pon.loads(message), "orjson.loads", lambda: orjson.loads(text))
        row(rounds, f"dumps {name}", lambda: pon.dumps(value), "orjson.dumps", lambda: orjson.dumps(value))
    value = documents["100 services"]
    message, text = pon.dumps(value), orjson.dumps(value)
    for kind in (Service, ServiceClass):
        decoder = msgspec.json.Decoder(list[kind])  # type: ignore[valid-type]
        assert pon.loads(message, type=list[kind]) == decoder.decode(text)
        typed = lambda kind=kind: pon.loads(message, type=list[kind])  # noqa: E731
        row(rounds, f"loads into {kind.__name__}", typed, "msgspec.json", lambda: decoder.decode(text))
        objects = decoder.decode(text)
        row(rounds, f"dumps {kind.__name__}", lambda: pon.dumps(objects), "msgspec.json", lambda: msgspec.json.encode(objects))
    schema = Schema.parse(MODULE, root="Services")
    messages = {
        "tsf": (tsf.dumps(value), lambda message, kind: tsf.loads(message, type=kind)),
        "uper": (schema.encode(value), lambda message, kind: schema.decode(message, type=kind)),
    }
    for name, (message, read) in messages.items():
        assert read(message, None) == value
        for kind in (Service, ServiceClass):
            direct = lambda: read(message, list[kind])  # noqa: B023, E731
            two_steps = lambda: msgspec.convert(read(message, None), list[kind])  # noqa: B023, E731
            assert direct() == two_steps()
            row(rounds, f"{name} into {kind.__name__}", direct, "msgspec of dicts", two_steps)
    image = {"image": bytes(range(256)) * 2000}
    message, text = pon.dumps(image), orjson.dumps({"image": base64.b64encode(image["image"]).decode()})
    theirs = lambda: base64.b64decode(orjson.loads(text)["image"])  # noqa: E731
    row(rounds, "an image of 500 kB", lambda: pon.loads(message), "base64 in orjson", theirs)
    row(rounds, "an image of 500 kB, a View", lambda: pon.View(message)["image"], "base64 in orjson", theirs)


if __name__ == "__main__":
    main()
