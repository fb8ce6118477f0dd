"""Objects of classes are read and written without dicts in between, with the results of msgspec in two steps."""

import dataclasses
import random
from typing import Any, Generic, Optional, TypeVar, Union

import msgspec
import pytest
from lengthwise import Error, _typed, pon

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


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int


@dataclasses.dataclass
class Late:
    a: int
    b: int = dataclasses.field(init=False, default=4)


@dataclasses.dataclass
class Dates:
    at: Any
    of: Any = None


OTHERS: list[Any] = [Tagged, Keywords, Rows, Strict, Checked, Frozen, Late, tuple[int, int], set[int], list[Tagged]]


def outcome(read: Any) -> Any:
    try:
        return read()
    except Error as error:
        return (error.kind, error.path, str(error))


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
        case msgspec.inspect.ListType():
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


@pytest.mark.parametrize("type", PLANNED, ids=str)
def test_objects_are_those_of_two_steps(type: Any) -> None:
    assert _typed.plan(type) is not None
    chance, good = random.Random(7), 0
    for _ in range(1_000):
        value = likely(type, chance)
        message = pon.dumps(value)
        read = outcome(lambda: pon.loads(message, type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(pon.loads(message), type, "pon"))), value
        if not isinstance(read, tuple):
            good += 1
            # What was made is written whole. msgspec leaves defaults of dataclasses out of what it makes, and then of what it shows.
            written = pon.dumps(read)
            assert repr(pon.loads(written, type=type)) == repr(read)
            if "Station" not in repr(read):
                assert written == pon.dumps(msgspec.to_builtins(read, builtin_types=_typed.OWN))
        # Nor is a message taken that is spoiled.
        spoiled = bytearray(message)
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        read = outcome(lambda: pon.loads(bytes(spoiled), type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(pon.loads(bytes(spoiled)), type, "pon")))
    assert good > 300


@pytest.mark.parametrize("type", OTHERS, ids=str)
def test_what_takes_more_is_read_in_two_steps(type: Any) -> None:
    assert _typed.plan(type) is None
    for value in ({"a": 3}, {"a": -3}, {"a": 3, "c": 4}, {"type": "t", "a": 3}, [1, 2], [{"type": "t", "a": 1}], 7):
        message = pon.dumps(value)
        read = outcome(lambda: pon.loads(message, type=type))
        assert repr(read) == repr(outcome(lambda: _typed.convert(pon.loads(message), type, "pon")))


def test_classes_are_written_as_msgspec_shows_them() -> None:
    import datetime

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
