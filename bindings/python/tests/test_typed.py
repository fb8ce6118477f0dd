"""Objects of classes, made of messages and written."""

import enum
import subprocess
import sys
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Error, Schema, pon, tsf

SAMPLES = Path(__file__).parents[3] / "samples"


class Kind(enum.Enum):
    INDOOR = "indoor"
    OUTDOOR = "outdoor"


@dataclass
class Reading:
    at: int
    celsius: float
    raw: bytes = b""


@dataclass
class Station:
    name: str
    kind: Kind
    readings: list[Reading] = field(default_factory=list)
    note: str | None = None


class Compact(msgspec.Struct):
    name: str
    kind: Kind
    readings: list[Reading] = []


class Named(NamedTuple):
    x: int
    y: int


@dataclass
class Record:
    a: int
    b: Any


class Slim(msgspec.Struct):
    a: int
    b: Any


class Typed(TypedDict):
    name: str
    tags: dict[str, list[int]]


stations = st.builds(
    Station,
    st.text(),
    st.sampled_from(Kind),
    # JSON has finite numbers only.
    st.lists(
        st.builds(Reading, st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), st.binary()),
        max_size=4,
    ),
    st.none() | st.text(),
)


@given(stations)
def test_what_is_written_is_read(station: Station) -> None:
    message = pon.dumps(station)
    assert pon.loads(message, type=Station) == station
    # msgspec's own JSON has the same fields, octets in base64.
    assert msgspec.json.decode(msgspec.json.encode(station), type=Station) == pon.loads(message, type=Station)
    assert tsf.loads(tsf.dumps(station), type=Station) == station


def test_classes_of_all_kinds_are_read() -> None:
    message = pon.dumps({"name": "a", "kind": "indoor", "readings": [{"at": 1, "celsius": 2, "raw": b"\x00"}]})
    reading = Reading(1, 2.0, b"\x00")
    assert pon.loads(message, type=Station) == Station("a", Kind.INDOOR, [reading])
    assert pon.loads(message, type=Compact) == Compact("a", Kind.INDOOR, [reading])
    assert pon.loads(pon.dumps([[1, 2], [3, 4]]), type=list[Named]) == [Named(1, 2), Named(3, 4)]
    typed: Typed = pon.loads(pon.dumps({"name": "b", "tags": {"c": [1]}}), type=Typed)
    assert typed == {"name": "b", "tags": {"c": [1]}}
    assert pon.loads(pon.dumps(7), type=int) == 7


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"name": "a", "kind": "indoor", "readings": [{"at": 1, "celsius": 1.5}, {"at": "x"}]}, "/readings/1/at"),
        ({"name": "a", "kind": "else"}, "/kind"),
        ({"name": "a"}, ""),
        ([], ""),
    ],
)
def test_errors_have_the_path_of_the_field(value: Any, path: str) -> None:
    for loads, dumps in ((pon.loads, pon.dumps), (tsf.loads, tsf.dumps)):
        with pytest.raises(Error) as refused:
            loads(dumps(value), type=Station)
        assert (refused.value.kind, refused.value.path) == ("schema", path)
    # A fault of the message itself is told first.
    with pytest.raises(Error) as broken:
        pon.loads(pon.dumps(value)[:-1], type=Station)
    assert broken.value.kind == "incomplete"


MODULE = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Reading ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..87) OPTIONAL, value Value, key OCTET STRING }
    Value ::= CHOICE { on NULL, level INTEGER }
END"""


@dataclass
class Sensed:
    sensor: int
    value: tuple[str, int | None]
    key: bytes
    celsius: int | None = None


def test_values_of_a_schema_are_objects() -> None:
    schema = Schema.parse(MODULE, root="Reading")
    for sensed in (Sensed(3, ("level", 7), b"\x01"), Sensed(4, ("on", None), b"", 20)):
        for rules in ("uper", "ber", "coer", "json"):
            message = schema.encode(sensed, rules=rules)
            assert schema.decode(message, type=Sensed, rules=rules) == sensed
    with pytest.raises(Error) as refused:
        schema.encode(Sensed(16, ("on", None), b""))
    assert refused.value.path == "/sensor"
    # It is at no place of a message.
    assert str(refused.value).startswith("schema in /sensor: ")


class Money(msgspec.Struct):
    base: Decimal


def test_documents_of_a_schema_are_objects() -> None:
    class Order(msgspec.Struct):
        id: str
        currency: str
        total: dict[str, Any]

    orders = Schema.from_xsd(SAMPLES / "order.xsd")
    order = orders.decode((SAMPLES / "order.xml").read_bytes(), type=Order)
    assert (order.id, order.currency) == ("2024-0117", "EUR")


def test_objects_beside_each_other_are_written_like_each_alone() -> None:
    plain = [{"a": n, "b": None} for n in range(2_500)]
    assert pon.dumps([Slim(n, None) for n in range(2_500)]) == pon.dumps(plain)
    records = [Record(n, None) for n in range(2_500)]
    assert pon.dumps(records) == pon.dumps(plain)
    # Among others, as members, nested, the same one twice, and of two classes in turn.
    one, other = Record(1, [Record(2, b"x"), Record(3, Kind.INDOOR)]), Slim(4, Slim(5, None))
    shown_one = {"a": 1, "b": [{"a": 2, "b": b"x"}, {"a": 3, "b": "indoor"}]}
    shown_other = {"a": 4, "b": {"a": 5, "b": None}}
    mixed = {"p": one, "q": one, "r": [one, 7, one, other, other, "s", other, one], "t": (other, one), "u": Kind.INDOOR}
    shown = {
        "p": shown_one,
        "q": shown_one,
        "r": [shown_one, 7, shown_one, shown_other, shown_other, "s", shown_other, shown_one],
        "t": [shown_other, shown_one],
        "u": "indoor",
    }
    assert pon.dumps(mixed) == pon.dumps(shown)
    # More than the first room for a message: it is written twice.
    assert pon.dumps([Record(n, b"x" * 1_000) for n in range(2_000)]) == pon.dumps(
        [{"a": n, "b": b"x" * 1_000} for n in range(2_000)]
    )
    # One that cannot be taken apart among many.
    with pytest.raises(Error, match="found"):
        pon.dumps([*records, Record(0, object()), *records])
    assert pon.dumps([Record(1, 2), Record(3, 4)], default=lambda record: record.a) == pon.dumps([1, 3])


def test_what_nobody_knows_is_refused() -> None:
    with pytest.raises(Error, match="expected None, bool"):
        pon.dumps(object())
    # What the caller says comes first.
    assert pon.loads(pon.dumps({"a": Kind.INDOOR}, default=lambda kind: kind.name)) == {"a": "INDOOR"}


def test_without_msgspec_it_says_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['msgspec'] = None\n"
        "from lengthwise import Error, pon\n"
        "try: pon.loads(b'1i7', type=int)\n"
        "except ImportError as error: print(error)\n"
        "try: pon.dumps(object())\n"
        "except Error as error: print(error.kind)\n"
        "print(pon.loads(pon.dumps([1])))\n"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == ["type= needs msgspec: pip install 'lengthwise[typed]'", "unsupported", "[1]"]


HYPHENS = Schema.parse(
    "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN O ::= SEQUENCE { id INTEGER, lines SEQUENCE OF L } L ::= SEQUENCE { a-b INTEGER OPTIONAL } END",
    root="O",
)


def test_fields_with_an_underscore_are_not_taken_for_names_with_a_hyphen() -> None:
    @dataclass
    class Line:
        a_b: int = 0
        other: int = 0

    @dataclass
    class Order:
        id: int
        lines: list[Line] | None = None

    class Named(msgspec.Struct):
        a_b: int = msgspec.field(name="a-b", default=0)
        other: int = 0

    class NamedOrder(msgspec.Struct):
        id: int
        lines: list[Named]

    message = HYPHENS.encode({"id": 1, "lines": [{"a-b": 5}]})
    for _ in range(2):
        with pytest.raises(Error, match='found the field a_b, expected a msgspec.Struct, whose field has the name "a-b"') as error:
            HYPHENS.decode(message, type=Order)
        assert (error.value.kind, error.value.path) == ("schema", "/lines/a-b")
        # Fields that are no components of any name are the class's own.
        assert HYPHENS.decode(message, type=NamedOrder) == NamedOrder(1, [Named(5)])
    # The same class for another schema.
    other = Schema.parse("M DEFINITIONS ::= BEGIN O ::= SEQUENCE { id INTEGER } END")
    assert other.decode(other.encode({"id": 1}), type=Order) == Order(1)
