"""Values made up by type: the edges of every constraint first, and what lies between."""

import math
import struct

from .effective import ALPHABETS, INF
from .model import KNOWN_MULTIPLIER, NOTHING
from .values import trimmed_bits

EDGES = [0, 1, -1, 2, 63, 64, 127, 128, -127, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536,
         (1 << 24) - 1, 1 << 24, (1 << 31) - 1, 1 << 31, -(1 << 31), (1 << 32) - 1, 1 << 32, (1 << 63) - 1,
         -(1 << 63), 1 << 63, (1 << 64) - 1, 1 << 64]
LARGE = [16383, 16384, 16385, 32767, 32768, 49151, 49152, 65535, 65536, 65537, 70000, 81920, 131072, 147457]
REALS = [0.0, 1.0, -1.0, 0.5, 0.1, -0.1, 2.0, 10.0, 1e10, 1.5e300, 5e-324, 2.2250738585072014e-308,
         1.7976931348623157e308, -3.75, 3.141592653589793, 123456789.0, 1e-7, 255.0, 256.0, 65536.0]
MANY = 300
SPECIAL = [math.inf, -math.inf, math.nan, -0.0]


class ValueMaker:
    """`odd` values are those that not every oracle takes: special REALs, untrimmed bits."""

    def __init__(self, rng, odd=True, large=False):
        self.rng, self.odd, self.large = rng, odd, large

    def make(self, node, budget=40):
        return getattr(self, METHODS[node.kind])(node, budget)

    def boolean(self, node, budget):
        return self.rng.random() < 0.5

    def null(self, node, budget):
        return None

    def integer(self, node, budget):
        bounds = node.integer
        if bounds.extensible and self.rng.random() < 0.3:
            number = self.outside(bounds, -INF)
            if number is not None:
                return number
        while True:
            number = self.within(bounds.ranges)
            if bounds.holds(number):
                return number

    def within(self, ranges):
        low, high = self.rng.choice(ranges)
        choices = [n for n in EDGES if low <= n <= high]
        if low != -INF:
            choices += [low, low, low + 1]
        if high != INF:
            choices += [high, high, high - 1]
        choices = [n for n in choices if low <= n <= high]
        if self.rng.random() < 0.6 and choices:
            return self.rng.choice(choices)
        if low == -INF and high == INF:
            number = self.rng.getrandbits(self.rng.choice([4, 7, 8, 15, 16, 31, 33, 63, 64, 70, 100]))
            return number if self.rng.random() < 0.5 else -number
        if high == INF:
            return low + self.rng.getrandbits(self.rng.choice([3, 8, 16, 32, 40, 62]))
        if low == -INF:
            return high - self.rng.getrandbits(self.rng.choice([3, 8, 16, 32, 40, 62]))
        if self.rng.random() < 0.3:
            return min(high, low + self.rng.getrandbits(self.rng.choice([2, 8, 16, 24, 32])))
        return self.rng.randint(low, high)

    def outside(self, bounds, least):
        """A number that only the extension lets in."""
        added = bounds.added
        if added is not None:
            ranges = [(a, b) for a, b in added if a != -INF and b != INF]
            outside = [n for a, b in ranges for n in (a, b) if not bounds.holds(n)]
            return self.rng.choice(outside) if outside else None
        choices = []
        if bounds.high is not None:
            choices += [bounds.high + 1, bounds.high + 2, bounds.high + self.rng.randint(1, 300)]
        if bounds.low is not None:
            choices += [n for n in (bounds.low - 1, bounds.low - self.rng.randint(1, 300)) if n >= least]
        return self.rng.choice(choices) if choices else None

    def length(self, node, budget):
        size = node.size
        if size.extensible and self.rng.random() < 0.3:
            number = self.outside(size, 0)
            if number is not None and number < 70000:
                return number
        if self.large and self.rng.random() < 0.5:
            choices = [n for n in LARGE if size.holds(n)]
            if choices:
                return self.rng.choice(choices)
        ranges = [(low, high) for low, high in size.ranges if low < 70_000]
        low, high = self.rng.choice(ranges)
        top = min(high, low + max(0, budget))
        choices = [low, low, top, min(low + 1, top)]
        if self.rng.random() < 0.06:
            choices = [n for n in (127, 128, 129, 255, 256, high) if low <= n <= high and n < 300] or choices
        if self.rng.random() < 0.6:
            return self.rng.choice(choices)
        return self.rng.randint(low, top)

    def bit_string(self, node, budget):
        count = self.length(node, budget)
        size = (count + 7) // 8
        octets = bytearray(self.rng.randbytes(size))
        if count % 8:
            octets[-1] &= 0xFF << (8 - count % 8) & 0xFF
        value = bytes(octets), count
        if node.base.named and not (self.odd and self.rng.random() < 0.2):
            value = trimmed_bits(value, node.size)
        return value

    def octet_string(self, node, budget):
        return self.rng.randbytes(self.length(node, budget))

    def enumerated(self, node, budget):
        root, added = node.numbered
        names = root + (added or [])
        if added and self.rng.random() < 0.3:
            names = added
        return self.rng.choice(names)[0]

    def real(self, node, budget):
        if self.odd and self.rng.random() < 0.15:
            return self.rng.choice(SPECIAL)
        if self.rng.random() < 0.5:
            return self.rng.choice(REALS)
        number = struct.unpack('>d', self.rng.randbytes(8))[0]
        return number if math.isfinite(number) else 17.25

    def object_identifier(self, node, budget):
        first = self.rng.choice([0, 1, 2])
        second = self.rng.randint(0, 39) if first < 2 else self.rng.choice([0, 5, 39, 40, 47, 48, 100, 999, 16384])
        arcs = [self.rng.choice([0, 1, 127, 128, 840, 16383, 16384, 113549, (1 << 32) - 1])
                for _ in range(self.rng.randint(0, 6))]
        return (first, second, *arcs)

    def relative_oid(self, node, budget):
        return tuple(self.rng.choice([0, 1, 127, 128, 8571, 16384, (1 << 32) - 1])
                     for _ in range(self.rng.randint(1, 6)))

    def characters(self, node, budget):
        count = self.length(node, budget)
        if node.kind in KNOWN_MULTIPLIER:
            alphabet = node.alphabet
            if isinstance(alphabet, range):
                return ''.join(self.wide_character(len(alphabet) > 65536) for _ in range(count))
        elif node.kind == 'UTF8String':
            return ''.join(self.wide_character(True) for _ in range(count))
        else:
            alphabet = ALPHABETS['VisibleString']
        return ''.join(self.rng.choice(alphabet) for _ in range(count))

    def wide_character(self, all_planes):
        bits = self.rng.random()
        if bits < 0.5:
            return chr(self.rng.randint(32, 126))
        if bits < 0.8 or not all_planes:
            number = self.rng.choice([self.rng.randint(0xA0, 0x7FF), self.rng.randint(0x800, 0xD7FF),
                                      self.rng.randint(0xE000, 0xFFFD)])
            return chr(number)
        return chr(self.rng.randint(0x10000, 0x10FFFF))

    def time(self, node, budget):
        r = self.rng.randint
        rest = f'{r(1, 12):02}{r(1, 28):02}{r(0, 23):02}{r(0, 59):02}{r(0, 59):02}'
        if node.kind == 'UTCTime':
            return f'{r(0, 99):02}{rest}Z'
        fraction = ''
        if r(0, 3) == 0:
            fraction = '.' + f'{r(1, 999):03}'.rstrip('0')
        return f'{r(1950, 2049)}{rest}{fraction}Z'

    def choice(self, node, budget):
        parts = node.root_parts + node.added_parts
        if budget < 4:
            parts = [part for part in parts if cheap(part.node)] or parts
        elif node.added_parts and self.rng.random() < 0.3:
            parts = node.added_parts
        part = self.rng.choice(parts)
        return part.name, self.make(part.node, budget - 2)

    def members(self, node, budget):
        value = {}
        likely = self.rng.choice([0.0, 0.3, 0.7, 1.0])
        share = max(0, (budget - 2) // max(1, min(len(node.parts), 4)))
        stop = None
        if node.additions and self.rng.random() < 0.5:
            stop = self.rng.randint(0, len(node.additions))
        absent = set()
        for index, item in enumerate(node.additions):
            group = item if isinstance(item, list) else [item]
            # a message of an older version has the first additions only
            if stop is not None and index >= stop:
                absent |= {part.name for part in group}
            # and a group is there as a whole or not at all
            elif isinstance(item, list) and all(part.may_be_absent for part in item) and self.rng.random() < 0.3:
                absent |= {part.name for part in group}
        for name, part in node.parts.items():
            if name in absent:
                continue
            if part.may_be_absent and (self.rng.random() >= likely or budget < 4 and not cheap(part.node)):
                continue
            if part.default is not NOTHING and self.rng.random() < 0.25:
                value[name] = part.default
            else:
                value[name] = self.make(part.node, share)
        return value

    def items(self, node, budget):
        if budget < 4 and node.size.holds(0):
            return []
        count = self.length(node, min(budget, 12))
        if count > MANY and not self.large and not cheap(node.element):
            # a length that only an extension lets in may be of any size: of records that is too much
            count = next((n for n in (MANY, *(low for low, _ in node.size.ranges)) if node.size.holds(n)), count)
        share = budget // max(1, count)
        return [self.make(node.element, share) for _ in range(count)]


def cheap(node):
    """Whether a value of the type costs nothing to make."""
    return node.kind not in ('SEQUENCE', 'SET', 'CHOICE', 'SEQUENCE OF', 'SET OF')


METHODS = {
    'BOOLEAN': 'boolean', 'NULL': 'null', 'INTEGER': 'integer', 'ENUMERATED': 'enumerated', 'REAL': 'real',
    'BIT STRING': 'bit_string', 'OCTET STRING': 'octet_string', 'OBJECT IDENTIFIER': 'object_identifier',
    'RELATIVE-OID': 'relative_oid', 'UTCTime': 'time', 'GeneralizedTime': 'time', 'CHOICE': 'choice',
    'SEQUENCE': 'members', 'SET': 'members', 'SEQUENCE OF': 'items', 'SET OF': 'items',
    'UTF8String': 'characters', 'GeneralString': 'characters', 'GraphicString': 'characters',
    'TeletexString': 'characters', 'VideotexString': 'characters', 'ObjectDescriptor': 'characters',
    **{kind: 'characters' for kind in KNOWN_MULTIPLIER},
}
