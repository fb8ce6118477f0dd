# %% [markdown]
# # A stream of messages that are like each other
# A `Template` reads what differs from the message before: four hundred numbers, of which a tenth changes.

# %%
from pathlib import Path

from lengthwise import Schema, Template

numbers = Template(Schema.from_wsdl("samples/search.wsdl"))
for path in sorted(Path("samples/requests").glob("doubles-*.xml")):
    first = numbers.read(path.read_bytes(), at="Body/choice/sendDoubles/data/item/0/content")
    print(path.name, first)

# %%
stats = numbers.stats
print(f"{stats['bytes_skipped'] / stats['bytes']:.0%} of the bytes were not read again")
assert stats["messages"] == 4 and stats["bytes_skipped"] > stats["bytes"] / 3
