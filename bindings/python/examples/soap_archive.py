# %% [markdown]
# # What was searched for: an archive of SOAP
# The description of the service is the schema. Of all messages of one kind the columns are the members of its operations.

# %%
from pathlib import Path

import pyarrow
from lengthwise import Schema

search = Schema.from_wsdl("samples/search.wsdl")
messages = [path.read_bytes() for path in sorted(Path("samples/requests").glob("search-*.xml"))]
batch = search.decode_batch(messages, columns=["Body/choice/doGoogleSearch/q", "Body/choice/doGoogleSearch/maxResults"])

# %%
calls = [row["Body"]["choice"]["doGoogleSearch"] for row in pyarrow.table(batch).to_pylist()]
for call in calls[:3]:
    print(call)
assert len(calls) == len(messages) and all(call["maxResults"] > 0 for call in calls)
