"""Objects of classes: made of what a message holds, and taken apart again. msgspec does the work."""

from __future__ import annotations

import dataclasses
import inspect
import re
import typing
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

from lengthwise._error import Error

try:
    import msgspec
    import msgspec.inspect
except ImportError:
    msgspec = None  # type: ignore[assignment]

# What messages hold besides None, bool, int, float, str, list and dict.
OWN = (bytes, bytearray, memoryview, Decimal)
STEP = re.compile(r"\.([^.\[]+)|\[([^\]]*)\]")


def convert(obj: Any, type: Any, format: str, has_bounded_sets: bool = False) -> Any:
    """An object of a type, whose fields are checked."""
    if msgspec is None:
        raise ImportError("type= needs msgspec: pip install 'lengthwise[typed]'")
    try:
        # What JSON has in strings too, such as octets and keys that are numbers, is taken from these as well.
        made = msgspec.convert(obj, type, str_keys=True)
        if has_bounded_sets:
            # msgspec counts the items of the list that a set is made of, where some may be equal.
            msgspec.convert(msgspec.to_builtins(made, builtin_types=OWN), type, str_keys=True)
        return made
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `")
        path = "".join(f"/{name or item}" for name, item in STEP.findall(place.removesuffix("`")))
        where = f" in {path}" if path else ""
        message = f"schema{where}: {reason[:1].lower()}{reason[1:]}"
        raise Error(message, "schema", format, 0, path=path) from None


def is_of_class(obj: Any) -> bool:
    """Whether msgspec takes objects of that class apart."""
    if msgspec is None:
        return False
    known = dataclasses.is_dataclass(obj) or isinstance(obj, Enum | msgspec.Struct)
    return known or hasattr(obj, "__attrs_attrs__")


def builtins(obj: Any, drops_none: bool, inside: bool) -> Any:
    """The fields of an object of a class as a `dict`, and the like; `NotImplemented` if nothing is known of its class. What is
    `inside` of such an object may be more: dates, sets and so on."""
    if msgspec is None or not (inside or is_of_class(obj)):
        return NotImplemented
    try:
        simple = msgspec.to_builtins(obj, builtin_types=OWN)
    except TypeError:
        return NotImplemented
    return without_none(simple) if drops_none else simple


def key(obj: Any) -> Any:
    """What a key of a `dict` in an object of a class is written as; `None` if nothing is known of it."""
    simple = builtins({obj: None}, False, True)
    return None if simple is NotImplemented else next(iter(simple))


def fields(cls: type) -> tuple[bool, list[tuple[str, str]]] | None:
    """The attributes of a class that are written as members, with the keys of these, and whether all of them must be there;
    `None` if it takes more to write it."""
    if msgspec is None:
        return None
    if issubclass(cls, msgspec.Struct):
        config = cls.__struct_config__
        if config.tag is not None or config.array_like or config.omit_defaults:
            return None
        return True, list(zip(cls.__struct_fields__, cls.__struct_encode_fields__, strict=True))
    if dataclasses.is_dataclass(cls):
        all_fields = dataclasses.fields(cls)
        if all(field.init for field in all_fields):
            return False, [(field.name, field.name) for field in all_fields]
    return None


UNSET = None if msgspec is None else msgspec.UNSET

# The letters of kinds of values, as src/plan.rs reads them, by the types that take these and no less.
LETTERS = {
    "NoneType": "u", "BoolType": "b", "IntType": "iz", "FloatType": "d", "StrType": "sc", "BytesType": "y",
}
LETTERS_OF = {type(None): "u", int: "iz", str: "sc"}
SHAPES = {"ListType": "list", "VarTupleType": "tuple", "SetType": "set", "FrozenSetType": "frozenset"}

# What becomes of a field that a message does not have.
ABSENT_REFUSED, ABSENT_DEFAULT, ABSENT_EMPTY, ABSENT_FACTORY, ABSENT_LEFT = range(5)


class Node(NamedTuple):
    """What a value may be: the letters of its kinds, and the numbers of the nodes of items, of members, and of a class (-1: none).
    A number becomes a float if it may be one, and not what it is."""

    letters: str
    item: int = 0
    member: int = 0
    cls: int = -1
    # What an array becomes: a `list`, `tuple`, `set` or `frozenset`, a `fixed` tuple, or its `own`: what it is without a type.
    shape: str = "own"
    # The nodes of the items of a tuple of so many.
    items: list[int] = []
    # Objects by the scalars that stand for them, and the kinds of these.
    known: dict[Any, Any] = {}
    known_letters: str = ""
    # The kinds that a `Decimal` is made of.
    decimal_letters: str = ""


ANY = Node("ubidsyczaom")


class Planner:
    """How values become objects of a type. Node 0 is any value."""

    def __init__(self) -> None:
        self.nodes = [ANY]
        self.classes: list[tuple[type, Any, Any, list[tuple[str, bytes, int, int, Any]]]] = []
        self.known: dict[int, int] = {}
        # How many sets there are around what is looked at.
        self.sets = 0

    def put(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def node(self, info: Any) -> int:
        """The number of the node of a type; `LookupError` if there is none."""
        name = type(info).__name__
        if name == "AnyType":
            return 0
        if name in LETTERS and all(getattr(info, bound) is None for bound in info.__struct_fields__):
            return self.put(Node(LETTERS[name]))
        if name == "DecimalType":
            return self.put(Node("mdizsc", decimal_letters="dizsc"))
        if name in SHAPES and info.min_length is None and info.max_length is None:
            return self.array(SHAPES[name], info.item_type)
        if name == "TupleType":
            return self.put(Node("a", shape="fixed", items=[self.node(item) for item in info.item_types]))
        if name == "EnumType":
            known = dict(info.cls._value2member_map_)
            # msgspec takes no others.
            if len({type(value) for value in known}) == 1:
                return self.scalars(known)
        if name == "LiteralType":
            return self.scalars({value: value for value in info.values})
        if name == "DictType" and info.min_length is None and info.max_length is None:
            if self.nodes[self.node(info.key_type)] in (Node("sc"), ANY):
                return self.put(Node("o", member=self.node(info.value_type)))
        if name == "UnionType":
            return self.union([self.nodes[self.node(one)] for one in info.types])
        if name in ("StructType", "DataclassType"):
            return self.put(Node("o", cls=self.cls(info)))
        raise LookupError(name)

    def array(self, shape: str, item: Any) -> int:
        is_set = shape.endswith("set")
        self.sets += is_set
        number = self.node(item)
        self.sets -= is_set
        return self.put(Node("a", item=number, shape=shape))

    def scalars(self, known: dict[Any, Any]) -> int:
        """The node of some scalars, each of which stands for an object."""
        letters = "".join({LETTERS_OF[type(value)] for value in known})
        return self.put(Node(letters, known=known, known_letters=letters))

    def union(self, nodes: list[Node]) -> int:
        letters = "".join(node.letters for node in nodes)
        if len(set(letters)) < len(letters):
            raise LookupError(letters)
        of = {letter: node for node in nodes for letter in node.letters}
        array, obj = of.get("a", ANY), of.get("o", ANY)
        known = {scalar: stands_for for node in nodes for scalar, stands_for in node.known.items()}
        known_letters, decimal_letters = (
            "".join(getattr(node, name) for node in nodes) for name in ("known_letters", "decimal_letters")
        )
        array_parts = array.item, obj.member, obj.cls, array.shape, array.items
        return self.put(Node(letters, *array_parts, known, known_letters, decimal_letters))

    def cls(self, info: Any) -> int:
        """The number of a class."""
        # What is in a set must have all of its attributes when it is put there.
        if self.sets:
            raise LookupError(info.cls)
        if id(info) in self.known:
            return self.known[id(info)]
        cls, is_struct = typing.get_origin(info.cls) or info.cls, type(info).__name__ == "StructType"
        is_plain = (
            type(cls) is type(msgspec.Struct) and cls.__init__ is msgspec.Struct.__init__
            and info.tag is None and not info.array_like and not info.forbid_unknown_fields
            and not any(parameter.kind is parameter.KEYWORD_ONLY for parameter in inspect.signature(cls).parameters.values())
            if is_struct
            else cls.__new__ is object.__new__
            and all(field.init for field in dataclasses.fields(cls))
        )
        if not is_plain or hasattr(cls, "__post_init__"):
            raise LookupError(cls)
        number = self.known[id(info)] = len(self.classes)
        made: list[tuple[str, bytes, int, int, Any]] = []
        # A method that is not the usual one is passed over, that of frozen classes too.
        usual, other = (msgspec.Struct, msgspec.structs.force_setattr) if is_struct else (object, object.__setattr__)
        is_usual = cls.__setattr__ is usual.__setattr__ and not (is_struct and cls.__struct_config__.frozen)
        put = None if is_usual else other
        self.classes.append((cls, None if is_struct else cls.__new__, put, made))
        for field in info.fields:
            absent, default = ABSENT_DEFAULT, UNSET if field.default is msgspec.NODEFAULT else field.default
            if field.required:
                absent = ABSENT_REFUSED
            elif field.default_factory is not msgspec.NODEFAULT:
                default = field.default_factory
                # Nobody notices whether one of these is called again.
                absent = ABSENT_EMPTY if default in (list, dict, set) else ABSENT_FACTORY
            elif not is_struct and not inspect.ismemberdescriptor(inspect.getattr_static(cls, field.name, None)):
                # The class has it.
                absent = ABSENT_LEFT
            node = self.node(field.type)
            made.append((field.name, field.encode_name.encode(), node, absent, default))
        return number


def plan(type: Any) -> tuple[Any, bool, bool]:
    """The nodes and classes of a type, `None` if it takes more than these to make its objects; and whether there are decimals, and
    sets with a least length, in these."""
    if msgspec is None:
        return None, False, False
    try:
        info = msgspec.inspect.type_info(type)
    except (TypeError, ValueError, RecursionError):
        return None, False, False
    made, planner = None, Planner()
    try:
        root = planner.node(info)
        made = planner.nodes, planner.classes, root
    except (LookupError, TypeError, ValueError, RecursionError):
        pass
    parts = parts_of(info)
    sets = (part for part in parts if isinstance(part, msgspec.inspect.SetType | msgspec.inspect.FrozenSetType))
    has_decimals = any(isinstance(part, msgspec.inspect.DecimalType) for part in parts)
    return made, has_decimals, any(part.min_length is not None for part in sets)


def check(type: Any, components: Callable[[Any], tuple[Any, dict[str, Any]]], root: Any) -> None:
    """Raises an `Error` if a field `a_b` of a class would stay empty where the type of a schema has `a-b`: Python has no such name. Other
    fields that are no components are left to the class, as msgspec leaves them."""
    try:
        info = msgspec.inspect.type_info(type)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return
    waiting = [(info, root, "")]
    known: set[tuple[int, Any]] = set()
    while waiting:
        part, node, path = waiting.pop()
        if (id(part), node) in known:
            continue
        known.add((id(part), node))
        item, members = components(node)
        if isinstance(part, msgspec.inspect.UnionType):
            waiting.extend((one, node, path) for one in part.types)
        elif item is not None:
            items = [part.item_type] if hasattr(part, "item_type") else getattr(part, "item_types", ())
            waiting.extend((one, item, path) for one in items)
        else:
            for field in getattr(part, "fields", ()):
                name = field.encode_name
                if name in members:
                    waiting.append((field.type, members[name], f"{path}/{name}"))
                elif (other := name.replace("_", "-")) in members:
                    remedy = f'a msgspec.Struct, whose field has the name "{other}": msgspec.field(name="{other}")'
                    message = f"schema in {path}/{other}: found the field {name}, expected {remedy}"
                    raise Error(message, "schema", "python", 0, path=f"{path}/{other}")


def parts_of(info: Any) -> list[Any]:
    """A type and all types in it."""
    parts, waiting, known = [], [info], set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, msgspec.inspect.Type | msgspec.inspect.Field) and id(part) not in known:
            known.add(id(part))
            parts.append(part)
            waiting.extend(getattr(part, name) for name in part.__struct_fields__)
    return parts


def without_none(obj: Any) -> Any:
    """The same without members that are `None`: components that are absent."""
    if isinstance(obj, dict):
        return {key: without_none(value) for key, value in obj.items() if value is not None}
    if isinstance(obj, list | tuple):
        return type(obj)(map(without_none, obj))
    return obj
