"""Reads texts from standard input, each after its length, and writes an answer for each."""

import struct
import sys


def answer_all(answer):
    data = sys.stdin.buffer.read()
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        said = answer(data[at + 4 : at + 4 + size]).encode("utf-8", "surrogatepass")
        sys.stdout.buffer.write(struct.pack("<I", len(said)) + said)
        at += 4 + size
