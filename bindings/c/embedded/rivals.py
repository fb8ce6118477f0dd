"""Other libraries, as far as available here. None is copied into the project; missing ones are reported."""

import os

# Known, but not available as packages from Debian or the registries.
ELSEWHERE = ["NanoCBOR"]


def rows(library, processor):
    """Name, format of the messages, sources, flags."""
    if os.path.exists("/usr/include/jsmn.h"):
        yield "jsmn (JSON, base64)", "json", ["rivals/jsmn.c"], ["-idirafter", "/usr/include"]
    else:
        print("jsmn: not here (apt-get install libjsmn-dev)")
    zcbor = os.path.join(library, "rivals", "zcbor")
    if processor.startswith("riscv"):
        print("zcbor: not measured on RISC-V, for whose compiler Debian has no library of C beside it")
    elif os.path.exists(zcbor):
        sources = [os.path.join(zcbor, "src", "zcbor_" + part + ".c") for part in ("common", "decode", "encode")]
        flags = ["-I", os.path.join(zcbor, "include"), "-DZCBOR_CANONICAL", "-DLIBC", "-Wno-error"]
        yield "zcbor (CBOR, text)", "cbor", ["rivals/zcbor.c", *sources], flags
    else:
        print("zcbor: not here (bindings/c/embedded/rivals/setup.sh)")
    in_c = {
        "tinycbor (CBOR, text)": ("tinycbor", "cbor", "cbor{}.c", ("parser", "encoder"), ["-DNDEBUG"]),
        "nanopb (Protocol Buffers)": (
            "nanopb", "protobuf", "pb_{}.c", ("common", "decode", "encode"),
            ["-DPB_BUFFER_ONLY", "-DPB_NO_ERRMSG", "-DPB_WITHOUT_64BIT"],
        ),
    }  # fmt: skip
    for name, (rival, form, source, parts, flags) in in_c.items():
        folder = os.path.join(library, "rivals", rival)
        if processor.startswith("riscv"):
            print(f"{rival}: not measured on RISC-V, as zcbor")
        elif os.path.exists(folder):
            sources = [os.path.join(folder, source.format(part)) for part in parts]
            yield name, form, [f"rivals/{rival}.c", *sources], ["-I", folder, *flags, "-DLIBC", "-Wno-error"]
        else:
            print(f"{rival}: not here (bindings/c/embedded/rivals/setup.sh)")
    # What they call that is in the library of C is there, as it is on every device that uses Rust.
    for name, form, rival in (("minicbor (CBOR, text)", "cbor", "minicbor"), ("postcard (positional)", "postcard", "postcard")):
        archive = os.path.join(library, "rivals", processor, rival + ".a")
        if os.path.exists(archive):
            yield name, form, ["rivals/scratch.c", archive], ["-DREADS_ONLY"] if rival == "minicbor" else []
        else:
            print(f"{rival}: not here (bindings/c/embedded/rivals/setup.sh)")
    print("not measured here: " + ", ".join(ELSEWHERE))
