# %% [markdown]
# # Messages as dataclasses
# `type=` checks what a message holds and makes objects of it; an error has the path of the fault.

# %%
from dataclasses import dataclass

from lengthwise import Error, pon


@dataclass
class Reading:
    sensor: int
    celsius: float
    tags: list[str]


readings = [Reading(7, 21.5, ["attic"]), Reading(8, -3.0, [])]
message = pon.dumps(readings)
assert pon.loads(message, type=list[Reading]) == readings

# %%
try:
    pon.loads(pon.dumps([{"sensor": 7, "celsius": "warm", "tags": []}]), type=list[Reading])
except Error as error:
    print(error.kind, error.path, "-", error)
    assert error.path == "/0/celsius"
