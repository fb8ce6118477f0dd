"""PON read and written in the plainest way, from the project's one page on it: an oracle for the
tests.

    node = [length] type data

The length counts the bytes of the data, in decimal, and has no zeros in front. `s` is a string,
`i` an integer, `d` a float, `y` binary data, `[` an array and `{` an object: these have a length.
`c` and one character, `b` and one byte, `t`, `f` and `u` have none. A member of an object is its
key, a colon and its node; in a key a backslash precedes a colon or a backslash. Integers and
floats are written as JSON writes them; a float can also be NaN, Infinity or -Infinity.

Reads lines from standard input and answers each with a line:

    read HEX            `bad`, or what the message says
    write DESCRIPTION   the message in hexadecimal digits

What a message says is the list of its values, each before those in it, with commas between them:
the key (`-` where there is none, else `k` and hexadecimal digits), `=`, a letter for the type and
the data in hexadecimal digits, or the number of values directly in it.
"""

import re
import sys

INTEGER = re.compile(rb"-?(0|[1-9][0-9]*)")
FLOAT = re.compile(rb"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|NaN|-?Infinity")
LENGTH = re.compile(rb"0|[1-9][0-9]*")

# The types that have a length, and their letters in a description.
WITH_LENGTH = {b"s": "s", b"i": "i", b"d": "d", b"y": "y", b"[": "a", b"{": "o"}


class Bad(Exception):
    """The bytes are no message."""


def check_text(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise Bad("no UTF-8")


def node(rest):
    """The node that some bytes begin with, and the bytes after it.

    A node is a pair: its letter, and its data or the list of what is in it, each a pair of a key
    and a node.
    """
    tag = rest[:1]
    if tag == b"t" or tag == b"f" or tag == b"u":
        return ({b"t": "T", b"f": "F", b"u": "n"}[tag], b""), rest[1:]
    if tag == b"b" and len(rest) > 1:
        return ("b", rest[1:2]), rest[2:]
    if tag == b"c":
        for size in (1, 2, 3, 4):
            try:
                if len(rest[1 : 1 + size].decode("utf-8")) == 1:
                    return ("c", rest[1 : 1 + size]), rest[1 + size :]
            except UnicodeDecodeError:
                pass
        raise Bad("no character")
    length = LENGTH.match(rest)
    if not length:
        raise Bad("no node")
    length, rest = int(length.group()), rest[length.end() :]
    tag, data, after = rest[:1], rest[1 : 1 + length], rest[1 + length :]
    if tag not in WITH_LENGTH or len(data) < length:
        raise Bad("no such type, or too short")
    if tag == b"s":
        check_text(data)
    if tag == b"i" and not INTEGER.fullmatch(data):
        raise Bad("no integer")
    if tag == b"d" and not FLOAT.fullmatch(data):
        raise Bad("no float")
    if tag == b"[":
        data = list(items(data))
    if tag == b"{":
        data = list(members(data))
    return (WITH_LENGTH[tag], data), after


def items(rest):
    while rest:
        item, rest = node(rest)
        yield None, item


def members(rest):
    while rest:
        key = b""
        while not rest.startswith(b":"):
            if rest.startswith(b"\\"):
                rest = rest[1:]
                if not rest.startswith((b":", b"\\")):
                    raise Bad("no escape")
            if not rest:
                raise Bad("a key without an end")
            key, rest = key + rest[:1], rest[1:]
        check_text(key)
        member, rest = node(rest[1:])
        yield key, member


def message(data):
    value, after = node(data)
    if after:
        raise Bad("more")
    return value


def described(key, value):
    kind, data = value
    key = "-" if key is None else "k" + key.hex()
    if kind in "ao":
        yield "%s=%s%d" % (key, kind, len(data))
        for inner in data:
            yield from described(*inner)
    else:
        yield "%s=%s%s" % (key, kind, data.hex())


def written(value):
    kind, data = value
    if kind in "TFn":
        return {"T": b"t", "F": b"f", "n": b"u"}[kind]
    if kind in "cb":
        return kind.encode() + data
    if kind in "ao":
        data = b"".join(written_key(key) + written(inner) for key, inner in data)
    tag = {letter: tag for tag, letter in WITH_LENGTH.items()}[kind]
    return str(len(data)).encode() + tag + data


def written_key(key):
    if key is None:
        return b""
    return key.replace(b"\\", b"\\\\").replace(b":", b"\\:") + b":"


def undescribed(words):
    """The next of the words that describe values: a key and a node."""
    key, _, rest = next(words).partition("=")
    key = None if key == "-" else bytes.fromhex(key[1:])
    kind, data = rest[0], rest[1:]
    if kind in "ao":
        return key, (kind, [undescribed(words) for _ in range(int(data))])
    return key, (kind, bytes.fromhex(data))


def answer(line):
    verb, _, what = line.rstrip("\n").partition(" ")
    if verb == "write":
        return written(undescribed(iter(what.split(",")))[1]).hex()
    try:
        return ",".join(described(None, message(bytes.fromhex(what))))
    except Bad:
        return "bad"


if __name__ == "__main__":
    sys.setrecursionlimit(100000)
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    for line in sys.stdin:
        print(answer(line))
