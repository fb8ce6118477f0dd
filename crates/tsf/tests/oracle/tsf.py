"""TSF read and written in the plainest way, from the grammar alone: an oracle for the tests.

    unit = 1*DIGIT [name] type content

A primitive unit's number is the length of its data, a structured unit's the count of the units
that follow as its content. A name holds no type and does not start with a digit, or it starts
with a quote, and then a backslash makes the next character a plain one.

Reads lines of four fields from standard input: the structured and the primitive types, `bytes` or
`chars`, and the message, all but the third in hexadecimal digits. Answers each with a line: `bad`,
or the units and the message written anew under lengths in bytes and in characters.
"""

import sys


class Bad(Exception):
    """The message is none."""


class Unit:
    """A lexical unit: what it holds is bytes, or a list of units."""

    def __init__(self, kind, name, content):
        self.kind = kind
        self.name = name
        self.content = content


class Reader:
    """Takes units off the front of a message."""

    def __init__(self, message, structured, primitive, in_chars):
        self.message = message
        self.at = 0
        self.structured = structured
        self.types = structured + primitive
        self.in_chars = in_chars

    def take(self):
        if self.at == len(self.message):
            raise Bad("the end")
        self.at += 1
        return self.message[self.at - 1]

    def digits(self):
        digits = b""
        while self.message[self.at : self.at + 1] in [b"%d" % n for n in range(10)]:
            digits += bytes([self.take()])
        if not digits:
            raise Bad("no number")
        return int(digits)

    def name_and_kind(self):
        name = None
        extended = self.message[self.at : self.at + 1] == b'"'
        if extended:
            self.take()
            name = b""
        while True:
            c = self.take()
            if c in self.types:
                return name, c
            if extended and c == ord("\\"):
                c = self.take()
            name = (name or b"") + bytes([c])

    def data(self, length):
        if not self.in_chars:
            data = self.message[self.at : self.at + length]
            if len(data) < length:
                raise Bad("too short")
            self.at += length
            return data
        data = b""
        for _ in range(length):
            # The shortest run of bytes that is a character.
            for size in (1, 2, 3, 4):
                try:
                    character = self.message[self.at : self.at + size]
                    if len(character) == size and len(character.decode("utf-8")) == 1:
                        break
                except UnicodeDecodeError:
                    pass
            else:
                raise Bad("no character")
            data += character
            self.at += size
        return data

    def message_of_units(self):
        """All outermost units, to the last byte."""
        roots = []
        # What is open: a list to be filled, and how many units it lacks.
        open_units = []
        while open_units or not roots or self.at < len(self.message):
            number = self.digits()
            name, kind = self.name_and_kind()
            if kind in self.structured:
                unit = Unit(kind, name, [])
            else:
                unit = Unit(kind, name, self.data(number))
            (open_units[-1][0] if open_units else roots).append(unit)
            if open_units:
                open_units[-1][1] -= 1
            if kind in self.structured:
                open_units.append([unit.content, number])
            while open_units and open_units[-1][1] == 0:
                open_units.pop()
        return roots


def in_order(roots):
    """All units, each before those in it."""
    waiting = list(reversed(roots))
    while waiting:
        unit = waiting.pop()
        yield unit
        if isinstance(unit.content, list):
            waiting.extend(reversed(unit.content))


def written_name(name, types):
    """A name in a message: the form with a quote only where it is needed."""
    if name is None:
        return b""
    if name and not name[:1].isdigit() and name[:1] != b'"' and not any(c in types for c in name):
        return name
    escaped = b""
    for c in name:
        if c in types or c in b'"\\':
            escaped += b"\\"
        escaped += bytes([c])
    return b'"' + escaped


def written(roots, types, in_chars):
    """The message of some units; None where data has no length in characters."""
    out = []
    for unit in in_order(roots):
        length = len(unit.content)
        if in_chars and isinstance(unit.content, bytes):
            try:
                length = len(unit.content.decode("utf-8"))
            except UnicodeDecodeError:
                return None
        out.append(b"%d" % length + written_name(unit.name, types) + bytes([unit.kind]))
        if isinstance(unit.content, bytes):
            out.append(unit.content)
    return b"".join(out)


def shown(unit):
    name = "-" if unit.name is None else "n" + unit.name.hex()
    content = "u%d" % len(unit.content) if isinstance(unit.content, list) else "d" + unit.content.hex()
    return "%02x:%s:%s" % (unit.kind, name, content)


def answer(line):
    structured, primitive, lengths, message = line.rstrip("\n").split(" ")
    structured, primitive = bytes.fromhex(structured), bytes.fromhex(primitive)
    try:
        roots = Reader(bytes.fromhex(message), structured, primitive, lengths == "chars").message_of_units()
    except Bad:
        return "bad"
    again = [written(roots, structured + primitive, in_chars) for in_chars in (False, True)]
    again = ["-" if message is None else message.hex() for message in again]
    return " ".join([",".join(map(shown, in_order(roots)))] + again)


if __name__ == "__main__":
    sys.set_int_max_str_digits(0) if hasattr(sys, "set_int_max_str_digits") else None
    for line in sys.stdin:
        print(answer(line))
