# %% [markdown]
# # XML by its schema into a table, and back
# The schema says what the columns are. The rows are documents again, in XML or in any other format.

# %%
from pathlib import Path

import pyarrow
import pyarrow.compute
from lengthwise import Schema

orders = Schema.from_xsd("samples/order.xsd")
order = Path("samples/order.xml").read_bytes()
batch = orders.decode_batch([order] * 100, columns=["id", "customer/name", "lines/line/sku", "lines/line/quantity"])
table = pyarrow.table(batch)
print(table.slice(0, 1).to_pylist()[0])

# %%
lines = pyarrow.compute.list_flatten(pyarrow.compute.struct_field(table["lines"], "line"))
ordered = pyarrow.compute.sum(pyarrow.compute.struct_field(lines, "quantity")).as_py()
print(f"{ordered} pieces in {table.num_rows} orders")

# %%
whole = orders.decode_batch([order])
packed = orders.encode_batch(whole, rules="uper")[0]
print(f"XML: {len(order)} bytes, UPER: {len(packed)}")
again = orders.decode(packed, rules="uper", defaults=True)
assert again == orders.decode(order, defaults=True) and len(packed) < len(order) / 3
