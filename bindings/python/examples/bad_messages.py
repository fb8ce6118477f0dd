# %% [markdown]
# # What is wrong, and where
# Every error has a kind, the format, an offset in bytes, in PER a bit, in text a line, and the path of the value.

# %%
from collections.abc import Callable

from lengthwise import Error, Schema, convert, pon

module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { sensor INTEGER (0..15), celsius INTEGER (-40..80) } END"
readings = Schema.parse(module)
attempts: dict[str, Callable[[], object]] = {
    "a value beyond its range": lambda: readings.decode(b"\x7f\xff"),
    "a message that is cut short": lambda: readings.decode(b"\x70"),
    "a number that was written for a text": lambda: readings.encode({"sensor": "seven", "celsius": 20}),
    "an end tag that does not match": lambda: convert(b"<a>\n  <b></c>\n</a>", "xml", "tsf"),
    "a length that promises too much": lambda: pon.loads(b"9{a:5s12"),
}
found = []
for what, attempt in attempts.items():
    try:
        attempt()
    except Error as error:
        found.append(error)
        print(f"{what}: {error.kind} at byte {error.offset}, bit {error.bit}, line {error.line}, path {error.path!r}")

# %%
assert len(found) == len(attempts)
