# %% [markdown]
# # A picture inside a message
# PON has JSON's structure and octets as they are. A `View` finds one member by the lengths in front of the others, and
# gives the octets without a copy.

# %%
import base64
import json

from lengthwise import pon

picture = bytes(range(256)) * 2000
message = pon.dumps({"room": "attic", "taken": "2026-11-28", "picture": picture})
text = json.dumps({"room": "attic", "taken": "2026-11-28", "picture": base64.b64encode(picture).decode()})
print(f"PON: {len(message)} bytes, JSON: {len(text)} bytes")

# %%
view = pon.View(message)
print(view["room"], view["picture"].nbytes)
assert view["picture"] == picture and view["picture"].obj is message
