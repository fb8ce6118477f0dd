"""The two messages of the proof in every format, as C. Written from the formats' descriptions; the
libraries under test make none of them."""

import base64
import json
import struct
import sys

IMAGE = bytes((i * i // 7 + 3 * i) & 255 for i in range(1024))
M1 = {
    "dev": "eui-70b3d57ed0051c2e",
    "ts": 1712345678,
    "r": {"t": 2157, "h": 4812, "p": 101325, "lux": 412, "co2": 733, "acc": -982},
    "status": {"ok": True, "batt": 87, "rssi": -67, "up": 864000, "fw": "2.4.1"},
    "note": "door open since 07:15",
}
M2 = {"dev": "eui-70b3d57ed0051c2e", "ts": 1712345678, "seq": 17, "img": IMAGE, "crc": 305419896}


def tsf(value, name=b""):
    if isinstance(value, dict):
        return b"%d%s{" % (len(value), name) + b"".join(tsf(v, k.encode()) for k, v in value.items())
    if isinstance(value, bool):
        kind, data = b"?", b"t" if value else b"f"
    elif isinstance(value, int):
        kind, data = b"#", b"%d" % value
    elif isinstance(value, str):
        kind, data = b"'", value.encode()
    else:
        kind, data = b"*", value
    return b"%d%s%s%s" % (len(data), name, kind, data)


def pon(value):
    if isinstance(value, bool):
        return b"t" if value else b"f"
    if isinstance(value, dict):
        kind, data = b"{", b"".join(k.encode() + b":" + pon(v) for k, v in value.items())
    elif isinstance(value, int):
        kind, data = b"i", b"%d" % value
    elif isinstance(value, str):
        kind, data = b"s", value.encode()
    else:
        kind, data = b"y", value
    return b"%d%s%s" % (len(data), kind, data)


def as_json(value):
    plain = {k: base64.b64encode(v).decode() if isinstance(v, bytes) else v for k, v in value.items()}
    return json.dumps(plain, separators=(",", ":")).encode()


def cbor_head(major, n):
    if n < 24:
        return bytes([major << 5 | n])
    for more, size in ((24, "B"), (25, "H"), (26, "I")):
        if n < 1 << 8 * struct.calcsize(size):
            return bytes([major << 5 | more]) + struct.pack(">" + size, n)
    raise ValueError(n)


def cbor(value):
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return cbor_head(0, value) if value >= 0 else cbor_head(1, -1 - value)
    if isinstance(value, str):
        return cbor_head(3, len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return cbor_head(2, len(value)) + value
    return cbor_head(5, len(value)) + b"".join(cbor(k) + cbor(v) for k, v in value.items())


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def zigzag(n):
    return varint(n << 1 if n >= 0 else (-n << 1) - 1)


def protobuf(value, signed):
    """Fields numbered from 1 in their order; those named are of the type sint32."""
    out = b""
    for number, (key, v) in enumerate(value.items(), 1):
        if isinstance(v, (str, bytes, dict)):
            data = v.encode() if isinstance(v, str) else v if isinstance(v, bytes) else protobuf(v, signed)
            out += varint(number << 3 | 2) + varint(len(data)) + data
        else:
            out += varint(number << 3) + (zigzag(v) if key in signed else varint(int(v)))
    return out


def postcard(value, signed):
    out = b""
    for key, v in value.items():
        if isinstance(v, dict):
            out += postcard(v, signed)
        elif isinstance(v, bool):
            out += bytes([v])
        elif isinstance(v, int):
            out += zigzag(v) if key in signed else varint(v)
        else:
            data = v.encode() if isinstance(v, str) else v
            out += varint(len(data)) + data
    return out


SIGNED = {"t", "h", "p", "lux", "co2", "acc", "batt", "rssi"}
FORMATS = {
    "tsf": tsf,
    "pon": pon,
    "json": as_json,
    "cbor": cbor,
    "protobuf": lambda m: protobuf(m, SIGNED),
    "postcard": lambda m: postcard(m, SIGNED),
}


def in_c(name, data):
    return '__attribute__((section(".messages"), aligned(4))) const uint8_t %s[] = {%s};\nconst uint32_t %s_len = %d;\n' % (
        name,
        ",".join(map(str, data)),
        name,
        len(data),
    )


def struct_in_c(value, image):
    def text(v):
        return "{%s, %d}" % (json.dumps(v), len(v))

    out = []
    for v in value.values():
        if isinstance(v, bool):
            out.append("true" if v else "false")
        elif isinstance(v, int):
            out.append(str(v))
        elif isinstance(v, str):
            out.append(text(v))
        elif isinstance(v, bytes):
            out.append("{(const char *)%s, %d}" % (image, len(v)))
        else:
            out.append(struct_in_c(v, image))
    return "{" + ", ".join(out) + "}"


def source(form):
    make = FORMATS[form]
    section = '__attribute__((section(".messages")))'
    return (
        '#include "proof.h"\n'
        + in_c("message1", make(M1))
        + in_c("message2", make(M2))
        + in_c("image", IMAGE)
        + f"{section} const struct m1 sent1 = {struct_in_c(M1, 'image')};\n"
        + f"{section} const struct m2 sent2 = {struct_in_c(M2, 'image')};\n"
    )


if __name__ == "__main__":
    sys.stdout.write(source(sys.argv[1]))
