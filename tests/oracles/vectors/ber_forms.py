"""Other forms that BER lets a sender choose: what a reader must take as well (X.690 clause 8).

Lengths in long or indefinite form, strings in pieces, any octet but zero for TRUE, components of a
SET in any order, defaults written out.
"""

from . import ber
from .model import KNOWN_MULTIPLIER, NOTHING, OTHER_STRINGS, UNIVERSAL
from .values import as_told

PIECES = ['OCTET STRING', 'BIT STRING', *KNOWN_MULTIPLIER, *OTHER_STRINGS]


class Forms:
    def __init__(self, rng):
        self.rng = rng

    def message(self, node, value):
        """A message, and the value in it, with the defaults that were written."""
        value = self.with_defaults(node, value)
        return self.encode(node, value), as_told(node, value)

    def with_defaults(self, node, value):
        if node.kind in ('SEQUENCE', 'SET'):
            result = {}
            # a default of a group would want the rest of the group
            root = {part.name for part in node.root_parts}
            for name, part in node.parts.items():
                if name in value:
                    result[name] = self.with_defaults(part.node, value[name])
                elif name in root and part.default is not NOTHING and self.rng.random() < 0.3:
                    result[name] = part.default
            return result
        if node.kind in ('SEQUENCE OF', 'SET OF'):
            return [self.with_defaults(node.element, item) for item in value]
        if node.kind == 'CHOICE':
            return value[0], self.with_defaults(node.parts[value[0]].node, value[1])
        return value

    def encode(self, node, value):
        contents, constructed = self.contents(node, value)
        for index, tag in enumerate(reversed(node.tags)):
            contents = self.wrapped(tag, constructed or index > 0, contents)
        return contents

    def wrapped(self, tag, constructed, contents):
        """Identifier and length, and what ends the contents."""
        roll = self.rng.random()
        if constructed and roll < 0.3:
            octets = ber.header(tag, True, 0)[:-1]
            return octets + b'\x80' + contents + b'\0\0'
        if roll < 0.5:
            # the long form, with zero octets in front
            octets = ber.header(tag, constructed, 0)[:-1]
            size = len(contents).to_bytes((len(contents).bit_length() + 7) // 8 + self.rng.randint(0, 2), 'big') or b'\0'
            return octets + bytes([0x80 | len(size)]) + size + contents
        return ber.header(tag, constructed, len(contents)) + contents

    def contents(self, node, value):
        kind = node.kind
        if kind == 'BOOLEAN':
            return bytes([self.rng.randint(1, 255) if value else 0]), False
        if kind in PIECES and self.rng.random() < 0.3:
            return self.pieces(kind, ber.contents_of(node, value, False, set())[0]), True
        if kind == 'CHOICE':
            name, inner = value
            return self.encode(node.parts[name].node, inner), True
        if kind in ('SEQUENCE', 'SET'):
            return self.members(node, value), True
        if kind in ('SEQUENCE OF', 'SET OF'):
            return b''.join(self.encode(node.element, item) for item in value), True
        return ber.contents_of(node, value, False, set())

    def pieces(self, kind, octets, depth=2):
        """Segments of a string (8.6.4, 8.7.3, 8.23.6), some in segments themselves. A segment of
        characters has the tag of an OCTET STRING."""
        unused = 0
        if kind == 'BIT STRING':
            unused, octets = octets[0], octets[1:]
        result = b''
        while octets or not result and self.rng.random() < 0.5:
            size = self.rng.randint(0, max(1, len(octets)))
            piece, octets = octets[:size], octets[size:]
            if kind == 'BIT STRING':
                piece = bytes([unused if not octets and piece else 0]) + piece
            tag = (0, UNIVERSAL['BIT STRING' if kind == 'BIT STRING' else 'OCTET STRING'])
            if depth and self.rng.random() < 0.2:
                result += self.wrapped(tag, True, self.pieces(kind, piece, depth - 1))
            else:
                result += self.wrapped(tag, False, piece)
        return result

    def members(self, node, value):
        after_additions = len(node.expanded(node.base.root_after))
        root = node.root_parts
        order = root[:len(root) - after_additions] + node.added_parts + root[len(root) - after_additions:]
        encoded = [self.encode(part.node, value[part.name]) for part in order if part.name in value]
        if node.kind == 'SET':
            self.rng.shuffle(encoded)
        return b''.join(encoded)
