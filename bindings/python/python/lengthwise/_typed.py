"""Objects of classes: made of what a message holds, and taken apart again. msgspec does the work."""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from lengthwise._error import Error

try:
    import msgspec
except ImportError:
    msgspec = None  # type: ignore[assignment]

# What messages hold besides None, bool, int, float, str, list and dict.
OWN = (bytes, bytearray, memoryview, Decimal)
STEP = re.compile(r"\.([^.\[]+)|\[([^\]]*)\]")


def convert(obj: Any, type: Any, format: str) -> Any:
    """An object of a type, whose fields are checked."""
    if msgspec is None:
        raise ImportError("type= needs msgspec: pip install 'lengthwise[typed]'")
    try:
        return msgspec.convert(obj, type, builtin_types=OWN)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at `")
        path = "".join(f"/{name or item}" for name, item in STEP.findall(place.removesuffix("`")))
        where = f" in {path}" if path else ""
        message = f"schema at byte 0{where}: {reason[:1].lower()}{reason[1:]}"
        raise Error(message, "schema", format, 0, path=path) from None


def is_of_class(obj: Any) -> bool:
    """Whether msgspec takes objects of that class apart."""
    if msgspec is None:
        return False
    known = is_dataclass(obj) or isinstance(obj, Enum | msgspec.Struct)
    return known or hasattr(obj, "__attrs_attrs__")


def builtins(obj: Any, drops_none: bool) -> Any:
    """The fields of an object of a class as a `dict`, and the like; `NotImplemented` if nothing is known of its class."""
    if not is_of_class(obj):
        return NotImplemented
    try:
        simple = msgspec.to_builtins(obj, builtin_types=OWN)
    except TypeError:
        return NotImplemented
    return without_none(simple) if drops_none else simple


def builtins_run(objs: list[Any]) -> Any:
    """The same of several objects of one class."""
    if not is_of_class(objs[0]):
        return NotImplemented
    try:
        return msgspec.to_builtins(objs, builtin_types=OWN)
    except TypeError:
        return NotImplemented


def without_none(obj: Any) -> Any:
    """The same without members that are `None`: components that are absent."""
    if isinstance(obj, dict):
        return {key: without_none(value) for key, value in obj.items() if value is not None}
    if isinstance(obj, list | tuple):
        return type(obj)(map(without_none, obj))
    return obj
