"""Constraints made up at random."""

from .effective import ALPHABETS
from .model import Constraint, KNOWN_MULTIPLIER, OTHER_STRINGS, Type
from .notation import Named

BOUNDS = [(0, 1), (0, 7), (1, 8), (0, 127), (0, 254), (0, 255), (1, 255), (1, 256), (0, 256), (-1, 254), (-128, 127),
          (0, 65534), (0, 65535), (1, 65536), (0, 65536), (-32768, 32767), (0, 16777215), (0, 16777216),
          (256, 1234567), (0, (1 << 32) - 1), (-(1 << 31), (1 << 31) - 1), (-(1 << 63), (1 << 63) - 1),
          (0, (1 << 63) - 1), (0, (1 << 64) - 1), (0, 1 << 64), (-(1 << 64), 1 << 100), (0, 10 ** 40 - 1), (0, (1 << 127) - 1),
          (-(1 << 127), (1 << 127) - 1), (1 << 64, (1 << 64) + 300), (1 << 130, (1 << 130) + 7), (1 << 80, 1 << 200), (5, 5), (-7, -7), (3, 6), (-20, 20), (10, 2500), (0, 999999)]
SIZES = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (8, 8), (16, 16), (17, 17), (20, 20), (0, 1), (0, 2), (0, 3), (1, 2),
         (1, 3), (0, 15), (0, 16), (1, 16), (1, 17), (2, 8), (0, 255), (1, 256), (0, 256), (5, 300), (0, 65535)]
FROMS = {
    'NumericString': ['0123456789', '01', ' 0', '012345678', '5', ' 0123'],
    'PrintableString': ['AB', 'ABCDEFGH', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', ' ?'],
    'VisibleString': ['ab', 'A', 'xyz', 'ABCDEFGHIJKLMNOP', 'ABCDEFGHIJKLMNOPQ', '0123456789ABCDEF', ' ~'],
    'IA5String': ['ab', 'ABC', '0123456789abcdef', 'GATC', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'],
    'BMPString': ['ab', 'ABCDE', '\u0391\u0392\u0393', '01'],
    'UniversalString': ['ab', '\u0391\u0392\u0393xyz'],
}


class ConstraintMaker:
    def __init__(self, rng, module, wide, rare):
        self.rng, self.module, self.wide, self.rare = rng, module, wide, rare

    def make(self, type_):
        """Constraints for a type that has none."""
        kind = type_.kind
        if self.rng.random() < 0.25:
            return []
        if kind == 'INTEGER':
            return self.integer()
        if kind in ('BIT STRING', 'OCTET STRING', 'SEQUENCE OF', 'SET OF'):
            return [self.size(kind)]
        if kind in KNOWN_MULTIPLIER:
            return self.string(kind)
        if kind in OTHER_STRINGS and (self.wide or kind == 'UTF8String'):
            return [self.size(kind)] if self.rng.random() < 0.3 and kind == 'UTF8String' else []
        return []

    def number(self, n):
        """A bound, by the name of a value where one has it."""
        for name, value in self.module.values.items():
            if value == n:
                return Named(n, name)
        return n

    def bounds(self):
        low, high = self.rng.choice(BOUNDS)
        if self.rng.random() < 0.3:
            low = self.rng.randint(-1000, 1000)
            high = low + self.rng.getrandbits(self.rng.choice([1, 3, 8, 12, 17, 20]))
        return low, high

    def range(self, low, high):
        if low == high and self.rng.random() < 0.6:
            return ('value', self.number(low))
        if '<' in self.rare and high - low > 2 and self.rng.random() < 0.2:
            return ('range', low - 1, True, high + 1, True)
        return ('range', self.number(low), False, self.number(high), False)

    def integer(self):
        rng = self.rng
        if self.module.values and rng.random() < 0.15:
            name, limit = rng.choice(list(self.module.values.items()))
            return [Constraint(('range', 0, False, Named(limit, name), False))]
        low, high = self.bounds()
        if not self.wide or rng.random() < 0.5 or high - low > 1 << 62:
            return [Constraint(self.range(low, high), extensible=rng.random() < 0.25)]
        roll = rng.random()
        if roll < 0.25:
            return [Constraint(('range', low, False, None, False), extensible=rng.random() < 0.15)]
        if roll < 0.35:
            return [Constraint(('range', None, False, high, False), extensible=rng.random() < 0.15)]
        if roll < 0.55:
            gap = high + rng.randint(2, 50)
            union = ('union', [self.range(low, high), self.range(gap, gap + rng.randint(0, 40))])
            if rng.random() < 0.3:
                union[1].append(('value', low - rng.randint(2, 9)))
            return [Constraint(union, extensible=rng.random() < 0.2)]
        if roll < 0.65:
            other = ('range', low + 1, False, None, False)
            if high > low:
                return [Constraint(('intersection', [self.range(low, high), other]))]
        if roll < 0.75:
            added = ('range', high + 10, False, high + 10 + rng.randint(0, 50), False)
            return [Constraint(self.range(low, high), True, added)]
        if roll < 0.85 and high - low > 4:
            # further constrained; an extension is lost by that
            return [Constraint(self.range(low, high), rng.random() < 0.4),
                    Constraint(self.range(low + 1, high - 1), rng.random() < 0.2)]
        if roll < 0.92 and high - low > 4:
            return [Constraint(self.range(low, high)), Constraint(('range', None, False, high - 2, False))]
        if high - low > 4 and 'EXCEPT' in self.rare:
            return [Constraint(('except', self.range(low, high), ('value', low + 1)))]
        return [Constraint(self.range(low, high))]

    def size(self, kind):
        rng = self.rng
        low, high = rng.choice(SIZES)
        if rng.random() < 0.3:
            low = rng.randint(0, 12)
            high = low + rng.randint(0, 20)
        if not self.wide and high == 0:
            high = 4
        if kind in ('SEQUENCE OF', 'SET OF') and low > 20:
            low = 3
        if self.wide:
            roll = rng.random()
            if roll < 0.06:
                return Constraint(('size', Constraint(('range', low, False, None, False))))
            if roll < 0.1:
                return Constraint(('size', Constraint(('range', low, False, rng.choice([65536, 70000, 1 << 20]), False))))
            if roll < 0.17:
                union = ('union', [self.range(low, high), self.range(high + 3, high + 3 + rng.randint(0, 4))])
                return Constraint(('size', Constraint(union)))
            if roll < 0.2:
                added = ('range', high + 2, False, high + 6, False)
                return Constraint(('size', Constraint(self.range(low, high), True, added)))
        inner = Constraint(self.range(low, high))
        if rng.random() < 0.2:
            if rng.random() < 0.5 or not self.wide:
                inner.extensible = True
            else:
                return Constraint(('size', inner), extensible=True)
        return Constraint(('size', inner))

    def alphabet(self, kind):
        letters = self.rng.choice(FROMS[kind])
        if len(letters) > 4 and ord(letters[-1]) - ord(letters[0]) == len(letters) - 1:
            s = ('range', letters[0], False, letters[-1], False)
        elif self.wide and self.rng.random() < 0.3 and len(letters) > 1:
            middle = len(letters) // 2
            s = ('union', [('value', letters[:middle]), ('value', letters[middle:])])
        else:
            s = ('value', letters)
        return ('from', Constraint(s, extensible=self.wide and self.rng.random() < 0.1))

    def string(self, kind):
        rng = self.rng
        roll = rng.random()
        if roll < 0.5:
            return [self.size(kind)]
        if not self.wide and kind in ('BMPString', 'UniversalString'):
            return []
        letters = self.alphabet(kind)
        if roll < 0.7:
            return [Constraint(letters)]
        size = self.size(kind)
        if roll < 0.85 or letters[1].extensible or size.extensible or size.root[1].extensible:
            return [Constraint(letters), size] if rng.random() < 0.5 else [size, Constraint(letters)]
        return [Constraint(('intersection', [size.root, letters]))]

    def narrow(self, node, reference):
        """A reference constrained further, within what its type allows."""
        rng = self.rng
        if node.kind == 'INTEGER' and not node.base.named:
            ranges = node.integer.ranges
            low, high = ranges[0]
            if abs(low) < 1 << 62 and abs(high) < 1 << 62 and high - low >= 4:
                a = rng.randint(low, high - 1)
                return reference.with_constraint(Constraint(('range', a, False, rng.randint(a, high), False)))
        if node.kind in ('OCTET STRING', 'BIT STRING', 'IA5String', 'VisibleString', 'PrintableString') and (
                node.kind not in ('IA5String', 'VisibleString', 'PrintableString') or not node.effective.serial):
            low, high = node.size.ranges[0]
            high = min(high, 40)
            if high - low >= 2:
                a = rng.randint(low, high - 1)
                b = rng.randint(a, high)
                return reference.with_constraint(Constraint(('size', Constraint(('range', a, False, b, False)))))
        return reference
