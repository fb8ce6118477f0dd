# %% [markdown]
# # JSON Lines into a table, without a schema
# `Schema.infer` looks at the first documents. What does not fit is listed, and the others are rows.

# %%
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
from lengthwise import Schema

with TemporaryDirectory() as folder:
    path = Path(folder) / "readings.jsonl"
    records = [{"id": n, "room": ["attic", "cellar"][n % 2], "t": 20 + n / 4, "tags": ["a"] * (n % 3)} for n in range(1000)]
    path.write_text("\n".join(map(json.dumps, records[:500])) + '\n{"id": "x"}\n' + "\n".join(map(json.dumps, records[500:])))

    schema = Schema.infer(path, framing="lines")
    reader = schema.read(path, rules="json", framing="lines", errors="collect")
    table = pyarrow.RecordBatchReader.from_stream(reader).read_all()

# %%
print(table.schema)
for place, error in reader.errors:
    print(f"line {place + 1}: {error}")
assert table.num_rows == 1000 and len(reader.errors) == 1
