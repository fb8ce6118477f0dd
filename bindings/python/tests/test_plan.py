"""Objects of classes are read and written without dicts in between, with the results of msgspec in two steps."""

import dataclasses
import datetime
import enum
import random
import re
import uuid
from decimal import Decimal
from types import GenericAlias
from typing import Annotated, Any, Generic, Literal, NamedTuple, Optional, TypeVar, Union

import msgspec
import pytest
from lengthwise import Error, Schema, _typed, convert, pon, tsf

T = TypeVar("T")


class Point(msgspec.Struct):
    x: int
    y: float
    name: str | None = None


class Renamed(msgspec.Struct, rename="camel"):
    first_name: str
    is_new: bool = True
    items: list[Point] = []


class Escaped(msgspec.Struct, rename={"a": "a:b", "c": "::"}):
    a: int
    c: str | None = None


class Tree(msgspec.Struct, frozen=True):
    value: int | str | None
    left: Optional["Tree"] = None
    more: dict[str, "Tree"] = msgspec.field(default_factory=dict)


@dataclasses.dataclass
class Station:
    name: str
    points: list[Point]
    octets: bytes = b""
    extra: Any = None
    numbers: dict[str, list[float]] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(slots=True)
class Slots:
    a: int
    b: Station | None = None


class Box(msgspec.Struct, Generic[T]):
    of: T


class Kind(enum.Enum):
    ON = "on"
    OFF = "off"
    ALSO_ON = "on"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2**62


class Colour(enum.StrEnum):
    RED = "red"
    NONE = ""


class Guessed(enum.Enum):
    KNOWN = 1
    UNKNOWN = 0

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return cls.UNKNOWN if isinstance(value, int) and value > 0 else None


class Flags(enum.IntFlag):
    A = 1
    B = 2


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int
    kind: Kind = Kind.ON
    pair: tuple[int, str] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class FrozenSlots:
    a: int | Kind
    level: Level | Colour | None = None
    b: Optional["FrozenSlots"] = None


@dataclasses.dataclass
class OwnSetter:
    a: int

    def __setattr__(self, name: str, value: Any) -> None:
        raise TypeError(name)


class Shapes(msgspec.Struct):
    pair: tuple[int, float]
    more: tuple[Level, ...] = ()
    names: set[str] = set()
    numbers: frozenset[float | None] | dict[str, Kind] = frozenset()
    pairs: list[tuple[str, tuple[Frozen, ...]]] = []
    tuples: set[tuple[int, Colour]] = set()
    anything: set[Any] = set()
    bare: tuple = ()  # type: ignore[type-arg]


class Words(msgspec.Struct):
    word: Literal["a", "b", 3, None]
    other: Literal["x"] | int | None = None
    guessed: Guessed = Guessed.KNOWN
    flags: Flags = Flags.A
    nested: dict[str, Optional[Literal[1, 2]]] = {}


PLANNED: list[Any] = [
    Point,
    list[Point],
    dict[str, Point],
    Renamed,
    Escaped,
    Tree,
    Station,
    list[Station | None],
    Slots,
    Box[int],
    Box[list[Box[str]]],
    Union[int, str, list[int], Tree, None],
    float,
    Any,
    Frozen,
    FrozenSlots,
    OwnSetter,
    Shapes,
    Words,
    tuple[int, str, Any],
    tuple[()],
    list[Kind | Level | None],
    Union[Point, tuple[Point, int], str, None],
]


class Tagged(msgspec.Struct, tag="t"):
    a: int


class Keywords(msgspec.Struct, kw_only=True):
    a: int


class Rows(msgspec.Struct, array_like=True):
    a: int


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    a: int


class Checked(msgspec.Struct):
    a: int

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("below zero")


class Sparse(msgspec.Struct, omit_defaults=True):
    a: int = 1
    b: int | msgspec.UnsetType = msgspec.UNSET


class Loose(msgspec.Struct):
    a: int = 1
    b: int | msgspec.UnsetType = msgspec.UNSET


@dataclasses.dataclass
class Late:
    a: int
    b: int = dataclasses.field(init=False, default=4)


@dataclasses.dataclass
class Dates:
    at: Any
    of: Any = None


class Mixed(enum.Enum):
    A = 1
    B = "b"


OTHERS: list[Any] = [
    Tagged, Keywords, Rows, Strict, Checked, Late, list[Tagged], Mixed, set[Frozen], Literal[True], datetime.date,
    Annotated[list[int], msgspec.Meta(min_length=3)], Annotated[int, msgspec.Meta(ge=0)],
]


def outcome(read: Any) -> Any:
    try:
        return read()
    except Error as error:
        return Refused(str(error), error.kind, error.path)
    except TypeError as error:
        # A list in a set.
        return Refused(str(error))


class Refused(NamedTuple):
    words: str
    kind: str = ""
    path: str = ""


NAMES = ["x", "y", "name", "firstName", "first_name", "isNew", "items", "value", "left", "more", "points", "octets", "a", "b", "of"]


def any_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(10 if depth < 3 else 7)
    if kind > 7:
        return {name: any_value(chance, depth + 1) for name in chance.sample(NAMES, chance.randrange(4))}
    if kind > 6:
        return [any_value(chance, depth + 1) for _ in range(chance.randrange(3))]
    return [None, True, chance.randrange(-9, 9), 2**70, chance.random(), "text", b"\x00\xff"][kind]


def likely(type: Any, chance: random.Random, depth: int = 0) -> Any:
    """A value that a type mostly takes."""
    if chance.random() < 0.02:
        return any_value(chance)
    info = msgspec.inspect.type_info(type) if not isinstance(type, msgspec.inspect.Type) else type
    match info:
        case msgspec.inspect.StructType() | msgspec.inspect.DataclassType():
            shown = {
                field.encode_name: likely(field.type, chance, depth + 1)
                for field in info.fields
                if field.required or chance.random() < 0.5 and depth < 5
            }
            if chance.random() < 0.2:
                shown["unknown"] = any_value(chance)
            pairs = list(shown.items())
            if chance.random() < 0.3:
                chance.shuffle(pairs)
            return dict(pairs)
        case msgspec.inspect.EnumType():
            return chance.choice([member.value for member in info.cls] * 9 + [3, "or"])
        case msgspec.inspect.LiteralType():
            return chance.choice([*info.values] * 9 + [4, "c"])
        case msgspec.inspect.TupleType():
            items = [likely(item, chance, depth + 1) for item in info.item_types]
            return items[: len(items) - (chance.random() < 0.05)] + [1] * (chance.random() < 0.05)
        case (
            msgspec.inspect.ListType()
            | msgspec.inspect.VarTupleType()
            | msgspec.inspect.SetType()
            | msgspec.inspect.FrozenSetType()
        ):
            return [likely(info.item_type, chance, depth + 1) for _ in range(chance.randrange(4) if depth < 5 else 0)]
        case msgspec.inspect.DictType():
            return {str(n): likely(info.value_type, chance, depth + 1) for n in range(chance.randrange(3) if depth < 5 else 0)}
        case msgspec.inspect.UnionType():
            return likely(chance.choice(info.types), chance, depth + 1)
        case msgspec.inspect.IntType():
            return chance.randrange(-(2**40), 2**40)
        case msgspec.inspect.FloatType():
            return chance.choice([chance.random() * 1e9, chance.randrange(10**6), float("inf")])
        case msgspec.inspect.StrType():
            return chance.choice(["", "abc", "\u20ac\n"])
        case msgspec.inspect.BytesType():
            return b"\x00<"
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.NoneType():
            return None
        case _:
            return any_value(chance)


class Meta(type):
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


class Calling(type(msgspec.Struct)):  # type: ignore[misc]
    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        made.a += 1_000
        return made


class Called(msgspec.Struct, metaclass=Calling):
    a: int


@dataclasses.dataclass
class Odd(metaclass=Meta):
    a: int = 1


@dataclasses.dataclass
class Odder(metaclass=Meta):
    b: int = 2


class Twice:
    """A descriptor that doubles what is set."""

    def __get__(self, obj: Any, owner: Any) -> int:
        return 21 if obj is None else obj.__dict__.get("_x", 70)

    def __set__(self, obj: Any, value: int) -> None:
        obj.__dict__["_x"] = 2 * value


@dataclasses.dataclass
class Described:
    x: int = Twice()  # type: ignore[assignment]


@pytest.mark.parametrize("type", PLANNED, ids=str)
def test_objects_are_those_of_two_steps(type: Any) -> None:
    assert _typed.plan(type)[0] is not None
    chance, good = random.Random(7), 0
    for _ in range(1_000):
        value = likely(type, chance)
        message = pon.dumps(value)
        read = outcome(lambda: pon.loads(message, type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(pon.loads(message), type, "pon"))), value
        if not isinstance(read, Refused):
            good += 1
            # What was made is written whole. msgspec leaves defaults of dataclasses out of what it makes, and then of what it shows.
            written = pon.dumps(read)
            again = pon.loads(written, type=type)
            # A set may have another order.
            assert again == read or repr(again) == repr(read)
            if not any(name in repr(read) for name in ("Station", "Frozen")):
                assert written == pon.dumps(msgspec.to_builtins(read, builtin_types=_typed.OWN))
        # Nor is a message taken that is spoiled.
        spoiled = bytearray(message)
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        read = outcome(lambda: pon.loads(bytes(spoiled), type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(pon.loads(bytes(spoiled)), type, "pon")))
    assert good > 300


@pytest.mark.parametrize("type", PLANNED, ids=str)
def test_objects_of_tsf_are_those_of_two_steps(type: Any) -> None:
    chance, good = random.Random(8), 0
    for n in range(400):
        value = likely(type, chance)
        message = tsf.dumps(value, types=("value", "json")[n % 2 and not has_octets(value)])
        read = outcome(lambda: tsf.loads(message, type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(tsf.loads(message), type, "tsf"))), value
        good += not isinstance(read, Refused)
        spoiled = bytearray(message)
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        read = outcome(lambda: tsf.loads(bytes(spoiled), type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(tsf.loads(bytes(spoiled)), type, "tsf")))
    assert good > 100


def has_octets(value: Any) -> bool:
    """JSON has no octets, and no number for an infinity."""
    if isinstance(value, dict | list):
        return any(map(has_octets, value.values() if isinstance(value, dict) else value))
    return isinstance(value, bytes) or value == float("inf")


MODULE = """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    R ::= SEQUENCE {
        a INTEGER, b REAL OPTIONAL, c UTF8String DEFAULT "K", d OCTET STRING OPTIONAL, e ENUMERATED { on, off } OPTIONAL,
        f BIT STRING OPTIONAL, g SEQUENCE OF R OPTIONAL, h CHOICE { n NULL, i INTEGER, r R, h CHOICE { b BOOLEAN } } OPTIONAL,
        i OCTET STRING (CONTAINING R) OPTIONAL, j REAL (WITH COMPONENTS { ..., base (10) }) OPTIONAL, k BOOLEAN OPTIONAL,
        l OBJECT IDENTIFIER OPTIONAL
    }
END"""


class Loosely(msgspec.Struct):
    a: int
    b: float | None = None
    c: str = ""
    d: bytes = b""
    e: str | None = None
    f: Any = None
    g: list["Loosely"] = []
    h: Any = None
    i: dict[str, "Loosely"] | None = None
    j: Decimal | None = None
    k: bool = False
    l: str = ""  # noqa: E741


@dataclasses.dataclass
class Lists:
    """A tuple becomes a list where one is asked for, and a decimal a float."""

    a: int
    f: list[Any] | None = None
    g: Any = None
    h: list[Any] | None = None
    j: float | None = None


class Narrow(msgspec.Struct):
    a: int
    g: list[Lists] = []
    h: list[str | int] | None = None


class Chosen(msgspec.Struct):
    """A CHOICE, a BIT STRING and an ENUMERATED as what they are."""

    a: int
    e: Literal["on", "off"] | None = None
    f: tuple[bytes, int] | None = None
    g: tuple["Chosen", ...] = ()
    h: tuple[str, int | None | dict[str, Any] | tuple[Literal["b"], bool]] | None = None


def any_record(chance: random.Random, depth: int = 0) -> dict[str, Any]:
    inner = {"r": ("r", any_record(chance, depth + 1))} if depth < 3 else {}
    full: dict[str, Any] = {
        "a": chance.choice([7, -1, 2**70]),
        "b": chance.choice([0.0, 2.5, float("inf"), -1e300]),
        "c": chance.choice(["K", "\u20ac", ""]),
        "d": b"\x00\xff",
        "e": chance.choice(["on", "off"]),
        "f": (b"\xf0", 4),
        "g": [any_record(chance, depth + 1) for _ in range(chance.randrange(3) if depth < 3 else 0)],
        "h": chance.choice([("n", None), ("i", 5), ("h", ("b", True)), *inner.values()]),
        "j": chance.choice([Decimal("2.50"), Decimal("-7")]),
        "k": chance.random() < 0.5,
        "l": "1.2.840",
    }
    if depth < 3:
        full["i"] = {"containing": any_record(chance, depth + 1)}
    return {key: value for key, value in full.items() if key == "a" or chance.random() < 0.5}


@pytest.mark.parametrize("type", [Loosely, Lists, Narrow, Chosen, dict[str, Any], Any, dict[str, int | str], int], ids=str)
def test_objects_of_a_schema_are_those_of_two_steps(type: Any) -> None:
    assert _typed.plan(type)[0] is not None
    schema, chance, good = Schema.parse(MODULE, root="R"), random.Random(9), 0
    for n in range(400):
        value = any_record(chance)
        rules = ("uper", "ber", "coer", "json")[n % 4]
        message = schema.encode(value, rules=rules)
        options: Any = {"rules": rules, "defaults": bool(n % 3)}
        read = outcome(lambda: schema.decode(message, type=type, **options))
        assert repr(read) == repr(outcome(lambda: _typed.convert(schema.decode(message, **options), type, rules))), value
        good += not isinstance(read, Refused)
    assert good > 1 or type is int


class Grade(enum.IntEnum):
    ONE = 1


# JSON texts and types: what msgspec's own reader of JSON makes of them, messages of the same values become as well.
AS_JSON: list[tuple[str, Any]] = [
    ('"2026-01-02T03:04:05Z"', datetime.datetime),
    ('"2026-01-02T03:04:05.123456+02:00"', datetime.datetime),
    ('"2026-01-02T03:04:05"', Annotated[datetime.datetime, msgspec.Meta(tz=True)]),
    ('"2026-01-02"', datetime.date),
    ('"2026-13-02"', datetime.date),
    ('"03:04:05.5"', datetime.time),
    ('"P1DT2H"', datetime.timedelta),
    ("5", datetime.timedelta),
    ("5", datetime.datetime),
    ('"00000000-0000-0000-0000-000000000007"', uuid.UUID),
    ('"7"', uuid.UUID),
    *((text, Decimal) for text in ('"1.50"', "1.50", "1", "1e400", "-1e-400", '"nan"', '"x"', "true", "0.1000000000000000055511151231")),
    *((text, Decimal | None) for text in ("null", "1.50", '"1.50"', "[]")),
    *((text, int | Decimal) for text in ("5", "5.0", "5.10")),
    ("[1.10, 20000000000000000.1]", list[Decimal]),
    ("[1.10, 20000000000000000.1]", tuple[Decimal, float]),
    ("[20000000000000000.1, 1]", tuple[float, Annotated[Decimal, msgspec.Meta(title="a")]]),
    ('"on"', Kind),
    ('"or"', Kind),
    ("1", Level),
    ("1.0", Level),
    ("1.0", int),
    ("1", float),
    ("1.0", Literal[1]),
    ('"2026-01-02"', datetime.date | int),
    *(
        (f'{{"{key}": 2}}', GenericAlias(dict, (type, int)))
        for key in ("1", "-1", "1.5", "on", "2026-01-02", "AAE=", "")
        for type in (int, float, Decimal, bytes, str, datetime.date, Kind, Grade, Literal[1], Literal["on"], bool, int | str)
    ),
    ('{"-1": 2}', dict[Annotated[int, msgspec.Meta(ge=0)], int]),
    ('{"abc": 2}', dict[Annotated[str, msgspec.Meta(max_length=2)], int]),
    *((text, type) for text in ('"AAE="', '"A"', '""', "7") for type in (bytes, bytearray, bytes | None)),
    ('"AAE="', Annotated[bytes, msgspec.Meta(max_length=1)]),
    *(
        (str(number), Annotated[int, bound])
        for number in (-1, 0, 3, 6, 2**70, -(2**70))
        for bound in (msgspec.Meta(ge=0), msgspec.Meta(le=5), msgspec.Meta(gt=0, lt=6), msgspec.Meta(multiple_of=3))
    ),
    *((text, Annotated[float, msgspec.Meta(gt=1, le=2)]) for text in ("1", "1.5", "2", "2.5")),
    *((text, Annotated[str, msgspec.Meta(min_length=2, max_length=3)]) for text in ('"a"', '"ab"', '"\u20ac\u20ac\u20ac"', '"abcd"')),
    *((text, Annotated[str, msgspec.Meta(pattern="^b")] | None) for text in ('"ab"', '"ba"', "null")),
    *(
        (text, Annotated[type, msgspec.Meta(min_length=2, max_length=2)])
        for text in ("[1]", "[1, 2]", "[1, 2, 3]", "[1, 1]")
        for type in (list[int], set[int], frozenset[int], tuple[int, ...])
    ),
    *((text, Annotated[dict[str, int], msgspec.Meta(max_length=1)]) for text in ("{}", '{"a": 1, "b": 2}')),
]


def dated(*fields: tuple[str, Any]) -> Any:
    """A class that takes more than a plan."""
    return msgspec.defstruct("dated", [*fields, ("at", datetime.date, datetime.date(1, 2, 3))])


@pytest.mark.parametrize(("text", "type"), AS_JSON, ids=str)
def test_what_is_read_as_a_type_is_what_msgspec_reads_from_json(text: str, type: Any) -> None:
    plain = dataclasses.make_dataclass("plain", [("value", type)])
    more = dated(("value", type), ("any", Any))
    wholes: list[tuple[str, Any]] = [(text, type), (f'{{"value": {text}}}', plain), (f'[{{"value": {text}, "any": 0.5}}]', GenericAlias(list, (more,)))]
    for whole, of in wholes:
        expected = as_json(lambda: msgspec.json.decode(whole, type=of))
        for format, loads in (("pon", pon.loads), ("tsf", tsf.loads)):
            message = convert(whole.encode(), "json", format)
            assert as_json(lambda: loads(message, type=of)) == expected, (whole, of)
    schema = Schema.infer([text.encode()] * 2)
    if not any(part in text for part in (".", "e4", "e-4", "{", "null")):
        assert as_json(lambda: schema.decode(text.encode(), type=type, rules="json")) == as_json(
            lambda: msgspec.json.decode(text, type=type)
        )


def as_json(read: Any) -> str:
    """What is read, or why it is not, and where."""
    try:
        # Zeros at the end are kept where a plan makes decimals.
        return re.sub(r"Decimal\('([^']*)'\)", lambda found: str(Decimal(found[1]).normalize()), repr(read()))
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `")
        path = "".join(f"/{name or item}" for name, item in _typed.STEP.findall(place.removesuffix("`")))
        # As keys.
        reason = reason.replace("Expected `decimal`, got `str`", "Invalid decimal string")
        return f"{reason[:1].lower()}{reason[1:]} in {path}"
    except Error as error:
        assert error.kind == "schema"
        return f"{str(error).partition(': ')[2]} in {error.path}"


def test_no_digit_of_a_decimal_is_lost() -> None:
    for text in ("1.50", "1E+400", "-7", "0.000", "1e-400"):
        message = convert(f'{{"value": {text}}}'.encode(), "json", "pon")
        made: Any = pon.loads(message, type=dataclasses.make_dataclass("made", [("value", Decimal | None)]))
        assert repr(made.value) == repr(Decimal(text))
    digits = "0.1000000000000000055511151231257827"
    message = convert(f'{{"value": {digits}, "a": [{digits}, 1.50], "at": "2026-01-02"}}'.encode(), "json", "pon")
    read = pon.loads(message, type=dated(("value", Decimal), ("a", list[float])))
    assert (str(read.value), read.a) == (digits, [0.1, 1.5])
    # A number without a type is a `float`, as long as that has all of its digits.
    read = pon.loads(message, type=dated(("value", Decimal), ("a", Any)))
    assert repr(read.a) == f"[Decimal('{digits}'), 1.5]"
    assert repr(pon.loads(message, type=dated(("value", float))).value) == "0.1"


@pytest.mark.parametrize("type", OTHERS, ids=str)
def test_what_takes_more_is_read_in_two_steps(type: Any) -> None:
    assert _typed.plan(type)[0] is None
    for value in ({"a": 3}, {"a": -3}, {"a": 3, "c": 4}, {"type": "t", "a": 3}, [1, 2], [{"type": "t", "a": 1}], 7):
        message = pon.dumps(value)
        read = outcome(lambda: pon.loads(message, type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(pon.loads(message), type, "pon")))


def test_classes_are_written_as_msgspec_shows_them() -> None:
    objects = [
        Tagged(1), Keywords(a=1), Rows(2), Strict(3), Checked(4), Sparse(), Sparse(b=2), Loose(), Loose(b=3),
        Frozen(5), Late(6), Dates(datetime.date(2026, 11, 28), {1, 2}), Dates([datetime.time(1)], {"a": datetime.date(1, 2, 3)}),
        Dates(Dates(Tagged(1), (1, b"x")), [Late(1)]), Renamed("a", False, [Point(1, 2.0)]),
    ]
    for each in [*objects, objects, {"all": objects}, [objects * 100, Slots(1)]]:
        assert pon.dumps(each) == pon.dumps(msgspec.to_builtins(each, builtin_types=_typed.OWN))
    # Alone, what a message does not have is refused as before.
    with pytest.raises(Error, match="an object of date"):
        pon.dumps([datetime.date(2026, 11, 28)])


def test_a_key_that_comes_twice_is_refused() -> None:
    twice = pon.dumps({"x": 1, "z": 2.0}).replace(b"z", b"x")
    for type in (Point, dict[str, float]):
        with pytest.raises(Error, match="twice"):
            pon.loads(twice, type=type)
    unknown = pon.dumps({"x": 1, "y": 2.0, "p": 1, "q": 1}).replace(b"q", b"p")
    with pytest.raises(Error, match="twice"):
        pon.loads(unknown, type=Point)


def test_depth_is_bounded_with_a_type_too() -> None:
    tree: dict[str, Any] = {"value": 1}
    for _ in range(300):
        tree = {"value": 1, "left": tree}
    message = pon.dumps(tree)
    assert repr(pon.loads(message, type=Tree)) == repr(msgspec.convert(pon.loads(message), Tree))
    with pytest.raises(Error, match="depth"):
        pon.loads(message, type=Tree, limits={"depth": 200})


def test_odd_classes_are_treated_as_msgspec_does() -> None:
    for value in ({}, {"a": 5}, {"x": 5}, {"b": 5}):
        message = pon.dumps(value)
        for type in (Described, Called):
            two_steps = outcome(lambda: _typed.convert(pon.loads(message), type, "pon"))
            read = outcome(lambda: pon.loads(message, type=type))
            assert (getattr(read, "__dict__", 0), repr(read)) == (getattr(two_steps, "__dict__", 0), repr(two_steps))
    assert pon.dumps([Odd(3), Odder(4), Odd(5)]) == pon.dumps([{"a": 3}, {"b": 4}, {"a": 5}])


def test_keys_in_classes_are_what_msgspec_makes_of_them() -> None:
    kind = enum.Enum("kind", {"A": "a"})
    for key in (datetime.date(2026, 1, 2), uuid.UUID(int=7), kind.A):
        each = Dates({key: 1}, [{key: {key: None}}])
        assert pon.dumps(each) == pon.dumps(msgspec.to_builtins(each, builtin_types=_typed.OWN))
        with pytest.raises(Error, match="a str as the key"):
            pon.dumps({key: 1})
    for other in (7, None, (1, 2)):
        with pytest.raises(Error, match="a str as the key"):
            pon.dumps(Dates({other: 1}))


def test_defaults_cost_no_memory() -> None:
    """Two bytes of a message do not become hundreds of attributes."""
    wide: Any = dataclasses.make_dataclass("wide", [(f"field{n}", int, n) for n in range(300)])
    (made,) = pon.loads(pon.dumps([{}]), type=list[wide])
    assert made.__dict__ == {}
    assert made.field299 == 299
    assert len(pon.loads(pon.dumps(made))) == 300


def test_attributes_that_are_missing_or_made_anew() -> None:
    late = Late(1)
    del late.__dict__["a"]
    assert pon.dumps([late]) == pon.dumps([msgspec.to_builtins(late)])
    slots = object.__new__(Slots)
    slots.b = None
    assert pon.dumps(slots) == pon.dumps({"b": None})

    @dataclasses.dataclass
    class Chain:
        left: int
        next: Any = None

    class Lazy(Chain):
        @property
        def next(self) -> Any:
            return Lazy.made(self.left - 1) if self.left else None

        @staticmethod
        def made(left: int) -> Any:
            chain = object.__new__(Lazy)
            chain.left = left
            return chain

    assert pon.dumps(Lazy.made(200)).count(b"left") == 201

    @dataclasses.dataclass
    class Growing:
        size: int
        octets: Any = None

    class Grows(Growing):
        @property
        def octets(self) -> Any:
            self.size += 1_000
            return bytes((1 << 20) + self.size)

    grows = object.__new__(Grows)
    grows.size = 0
    with pytest.raises(Error):
        pon.dumps(grows)


def test_what_stops_a_program_is_not_lost() -> None:
    def stop() -> Any:
        raise KeyboardInterrupt

    @dataclasses.dataclass
    class Stopping:
        a: list[int] = dataclasses.field(default_factory=stop)

    assert _typed.plan(Stopping)[0] is not None
    with pytest.raises(KeyboardInterrupt):
        pon.loads(pon.dumps({}), type=Stopping)


def test_a_default_factory_runs_once() -> None:
    called: list[str] = []

    def noted(name: str) -> str:
        called.append(name)
        return name

    def make(name: str) -> Any:
        return dataclasses.field(default_factory=lambda: noted(name))

    @dataclasses.dataclass(frozen=True)
    class Inner:
        first: Any = make("first")
        x: int = 0
        second: Any = make("second")

    class Struct(msgspec.Struct, frozen=True):
        a: Any = msgspec.field(default_factory=lambda: noted("a"))
        items: list[Any] = []

    @dataclasses.dataclass
    class Outer:
        inners: list[Inner]
        struct: Struct
        last: Any = make("last")
        kind: Kind | Guessed = Kind.ON

    assert _typed.plan(Outer)[0] is not None
    full = {"inners": [{}, {"first": 1}], "struct": {}, "kind": "on"}
    # The last two do not fit the plan; msgspec knows what to do, or refuses the second.
    for value in (full, full | {"kind": 5}, full | {"kind": "or"}):
        for message, loads in ((pon.dumps(value), pon.loads), (tsf.dumps(value), tsf.loads)):
            in_two_steps = outcome(lambda: _typed.convert(loads(message), Outer, loads.__name__[:3]))
            expected = called.copy()
            called.clear()
            read = outcome(lambda: loads(message, type=Outer))
            assert (repr(read), called) == (repr(in_two_steps), expected)
            if not isinstance(read, Refused):
                assert called == ["first", "second", "second", "a", "last"]
            called.clear()


def test_what_a_default_factory_raises_is_raised() -> None:
    @dataclasses.dataclass
    class Failing:
        a: int = dataclasses.field(default_factory=lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        pon.loads(pon.dumps({}), type=Failing)
    assert pon.loads(pon.dumps({"a": 3}), type=Failing) == Failing(3)
