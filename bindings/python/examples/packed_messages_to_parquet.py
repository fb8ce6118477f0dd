# %% [markdown]
# # An archive of ASN.1 into Parquet
# A file of messages in UPER, each after its length. Only the columns that are named are decoded; messages that cannot be
# read are listed with file offset, bit and path.

# %%
import json
import struct
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pyarrow.parquet
from lengthwise import Schema

weather = Schema.from_asn1("samples/weather.asn1")
value = json.loads(Path("samples/weather.json").read_bytes())
message = weather.encode(weather.decode(json.dumps(value).encode(), rules="json"))
print(f"{len(message)} bytes in UPER, {len(json.dumps(value))} in JSON")

# %%
with TemporaryDirectory() as folder:
    archive, out = Path(folder) / "weather.bin", Path(folder) / "weather.parquet"
    messages = [message] * 2000
    messages[77] = message[:40]
    archive.write_bytes(b"".join(struct.pack(">H", len(one)) + one for one in messages))

    columns = ["station/id", "station/name", "since", "readings/celsius"]
    reader = weather.read(archive, framing="u16be", columns=columns, errors="collect", batch_size=500)
    batches = pyarrow.RecordBatchReader.from_stream(reader)
    with pyarrow.parquet.ParquetWriter(out, batches.schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    table = pyarrow.parquet.read_table(out)

# %%
print(table.num_rows, table["station"][0], [f"message {place + 1}: {error}" for place, error in reader.errors])
assert table.num_rows == 1999 and [place for place, _ in reader.errors] == [77]
