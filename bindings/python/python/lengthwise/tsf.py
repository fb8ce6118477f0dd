"""Transaction Serial Format (TSF): XML and JSON as units with a type, a name and a length.

>>> from lengthwise import tsf
>>> tsf.dumps({"room": "attic", "t": 21.5})
b"2{5room'attic4t%21.5"
>>> tsf.loads(b'2{7room\\'"attic"5t\\'21.50')
{'room': 'attic', 't': 21.5}

A message of XML is read with `lengthwise.Document`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, BinaryIO, Literal, TypeVar, overload

from lengthwise._lengthwise import tsf_dumps as dumps
from lengthwise._lengthwise import tsf_loads as loads

_T = TypeVar("_T")

__all__ = ["dump", "dumps", "load", "loads"]


@overload
def load(
    file: BinaryIO,
    /,
    *,
    type: type[_T],
    types: str | None = None,
    lengths: Literal["bytes", "chars"] | None = None,
    limits: str | Mapping[str, int] | None = None,
) -> _T: ...
@overload
def load(
    file: BinaryIO,
    /,
    *,
    type: Any = None,
    types: str | None = None,
    lengths: Literal["bytes", "chars"] | None = None,
    limits: str | Mapping[str, int] | None = None,
) -> Any: ...
def load(
    file: BinaryIO,
    /,
    *,
    type: Any = None,
    types: str | None = None,
    lengths: Literal["bytes", "chars"] | None = None,
    limits: str | Mapping[str, int] | None = None,
) -> Any:
    """Reads the message in a binary file. See `loads`."""
    return loads(file.read(), type=type, types=types, lengths=lengths, limits=limits)


def dump(
    obj: Any,
    file: BinaryIO,
    /,
    *,
    types: str = "value",
    lengths: Literal["bytes", "chars"] | None = None,
    binary_from_base64: bool | Sequence[str] | None = None,
    default: Callable[[Any], Any] | None = None,
) -> None:
    """Writes an object to a binary file. See `dumps`."""
    file.write(dumps(obj, types=types, lengths=lengths, binary_from_base64=binary_from_base64, default=default))
