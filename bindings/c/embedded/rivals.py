"""Other libraries, as far as they can be had here. None is copied into the project; what is missing is said."""

import os

# name, format, sources, flags, the file that must be there, how to get it
RIVALS = [
    ("jsmn (JSON, base64)", "json", ["rivals/jsmn.c"], ["-idirafter", "/usr/include"], "/usr/include/jsmn.h", "apt-get install libjsmn-dev"),
]
# Known, and not to be had as sources from Debian's binary packages or the registries.
ELSEWHERE = ["nanopb (Debian has its headers alone)", "NanoCBOR", "tinycbor", "postcard", "minicbor"]


def rows():
    for name, form, sources, flags, needed, how in RIVALS:
        if os.path.exists(needed):
            yield name, form, sources, flags
        else:
            print(f"{name}: not here ({how})")
    print("not measured here: " + ", ".join(ELSEWHERE))
