# %% [markdown]
# # Which format is smallest for your messages?
# `compare` gives the size of a message in each, or the reason why a format cannot hold it.

# %%
from pathlib import Path

from lengthwise import Schema, compare, convert

order = Path("samples/order.xml").read_bytes()
orders = Schema.from_xsd("samples/order.xsd")
sizes = {name: size for name, size in compare(order, "xml", schema=orders).items() if isinstance(size, int)}
for name, size in sorted(sizes.items(), key=lambda item: item[1])[:5]:
    print(f"{name:14} {size:5} bytes, {size / len(order):.0%}")

# %%
packed = convert(order, "xml", "uper", schema=orders)
again = convert(packed, "uper", "xml", schema=orders)
# A default that was written out is left out in UPER.
assert orders.decode(again, defaults=True) == orders.decode(order, defaults=True)
