"""Other libraries, as far as they can be had here. None is copied into the project; what is missing is said."""

import os

# Known, and not to be had as packages from Debian or the registries.
ELSEWHERE = ["NanoCBOR", "tinycbor"]


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
    nanopb = os.path.join(library, "rivals", "nanopb")
    if processor.startswith("riscv"):
        print("nanopb: not measured on RISC-V, as zcbor")
    elif os.path.exists(nanopb):
        sources = [os.path.join(nanopb, "pb_" + part + ".c") for part in ("common", "decode", "encode")]
        flags = ["-I", nanopb, "-DPB_BUFFER_ONLY", "-DPB_NO_ERRMSG", "-DPB_WITHOUT_64BIT", "-DLIBC", "-Wno-error"]
        yield "nanopb (Protocol Buffers)", "protobuf", ["rivals/nanopb.c", *sources], flags
    else:
        print("nanopb: not here (bindings/c/embedded/rivals/setup.sh)")
    # What they call that is in the library of C is there, as it is on every device that uses Rust.
    for name, form, rival in (("minicbor (CBOR, text)", "cbor", "minicbor"), ("postcard (positional)", "postcard", "postcard")):
        archive = os.path.join(library, "rivals", processor, rival + ".a")
        if os.path.exists(archive):
            yield name, form, ["rivals/scratch.c", archive], ["-DREADS_ONLY"] if rival == "minicbor" else []
        else:
            print(f"{rival}: not here (bindings/c/embedded/rivals/setup.sh)")
    print("not measured here: " + ", ".join(ELSEWHERE))
