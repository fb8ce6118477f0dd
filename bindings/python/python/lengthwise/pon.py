"""PalCom Object Notation (PON): JSON's structure, every value with its length, binary data inside.

>>> from lengthwise import pon
>>> pon.dumps([1, "two", b"\\x03", None])
b'12[1i13stwo1y\\x03u'
>>> pon.loads(b'12[1i13stwo1y\\x03u')
[1, 'two', b'\\x03', None]

| Python | PON | back |
| --- | --- | --- |
| `None`, `bool`, `str` | null, boolean, string | the same |
| `int` | integer | the same |
| `float`, `decimal.Decimal` | float | `float` |
| `bytes`, `bytearray`, `memoryview` | binary | `bytes`; in a `View` a `memoryview` |
| `list`, `tuple` | array | `list` |
| `dict` with keys of `str` | object | `dict` |

A PON character becomes a `str` and a byte an `int`; `lengthwise.Document` keeps their types.
"""

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, TypeVar, overload

from lengthwise._lengthwise import View
from lengthwise._lengthwise import pon_dumps as dumps
from lengthwise._lengthwise import pon_loads as loads

_T = TypeVar("_T")

__all__ = ["View", "dump", "dumps", "load", "loads"]


@overload
def load(file: BinaryIO, /, *, type: type[_T], limits: str | Mapping[str, int] | None = None) -> _T: ...
@overload
def load(file: BinaryIO, /, *, type: Any = None, limits: str | Mapping[str, int] | None = None) -> Any: ...
def load(file: BinaryIO, /, *, type: Any = None, limits: str | Mapping[str, int] | None = None) -> Any:
    """Reads the message in a binary file. See `loads`."""
    return loads(file.read(), type=type, limits=limits)


def dump(obj: Any, file: BinaryIO, /, *, default: Callable[[Any], Any] | None = None) -> None:
    """Writes an object to a binary file. See `dumps`."""
    file.write(dumps(obj, default=default))
