"""Constraints reduced to what PER sees (X.691 clause 10.3).

Sets of numbers are sorted lists of ranges with infinite ends. Extensions are kept at the outermost
level only, and lost when the type is constrained again (X.680 clause 50.8).
"""

import math

from .model import TIMES

INF = math.inf
INTEGERS = 'integers'
LENGTHS = 'lengths'
ALPHABET = 'alphabet'

WHOLE = {INTEGERS: [(-INF, INF)], LENGTHS: [(0, INF)]}

PRINTABLE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 '()+,-./:=?"
ALPHABETS = {
    'NumericString': ' 0123456789',
    'PrintableString': ''.join(sorted(PRINTABLE)),
    'VisibleString': ''.join(map(chr, range(32, 127))),
    'IA5String': ''.join(map(chr, range(128))),
    'BMPString': range(0x10000),
    'UniversalString': range(1 << 32),
}
for time in TIMES:
    ALPHABETS[time] = ALPHABETS['VisibleString']


def joined(ranges):
    """Ranges sorted, with those that touch made one."""
    result = []
    for low, high in sorted(r for r in ranges if r[0] <= r[1]):
        if result and low <= result[-1][1] + 1:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result


def met(a, b):
    """What is in both."""
    return joined([(max(p[0], q[0]), min(p[1], q[1])) for p in a for q in b])


def parts(s):
    """A set, or what it is a union or intersection of."""
    if s[0] in ('union', 'intersection'):
        for part in s[1]:
            yield from parts(part)
    else:
        yield s


class Visible:
    """Effective bounds: `low` or `None`, `high` or `None`, whether extensible, the root itself, what
    the extension names (`None` where it names nothing), and what EXCEPT takes away again."""

    def __init__(self, ranges, extensible, added=None, excluded=()):
        self.ranges, self.extensible, self.added, self.excluded = ranges, extensible, added, excluded
        self.low = None if not ranges or ranges[0][0] == -INF else ranges[0][0]
        self.high = None if not ranges or ranges[-1][1] == INF else ranges[-1][1]

    def spans(self, number):
        """Whether a number is within the bounds of the root."""
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    def holds(self, number):
        """Whether a number is in the root."""
        return (any(low <= number <= high for low, high in self.ranges)
                and not any(low <= number <= high for low, high in self.excluded))


class Effective:
    """The constraints of a node, innermost first."""

    def __init__(self, resolver, node):
        self.resolver, self.node = resolver, node
        self.serial = [(module, constraint) for module, type_ in reversed(node.chain)
                       for constraint in type_.constraints]

    def numbers(self, domain):
        """Bounds of the values or of the lengths."""
        current, extensible, added = WHOLE[domain], False, None
        excluded = []
        for module, constraint in self.serial:
            found = self.constraint(module, constraint, domain, current)
            # X.680 50.8: whatever follows, the extension of what precedes it is gone
            ranges, extensible, more = (None, False, None) if found is None else found
            if ranges is not None:
                added = None if more is None else met(current, more)
                excluded += self.taken(module, constraint.root, domain, current)
                current = met(current, ranges)
        return Visible(current, extensible, added if extensible else None, excluded)

    def taken(self, module, s, domain, parent):
        """What EXCEPT takes away; PER does not see it (X.691 10.3.21), but no value is there."""
        if s[0] == 'except':
            return self.set(module, s[2], domain, parent) or []
        return []

    def constraint(self, module, constraint, domain, parent):
        """Root, extensibility and additions of one pair of parentheses; `None` where nothing of it is
        visible. `SIZE (1..2, ...)` marks the constraint that contains it."""
        ranges = self.set(module, constraint.root, domain, parent)
        if ranges is None:
            return None
        added = None
        if constraint.additions is not None:
            added = self.set(module, constraint.additions, domain, parent)
        sizes = [s[1] for s in parts(constraint.root) if s[0] == 'size' and s[1].extensible and domain == LENGTHS]
        for size in sizes:
            if size.additions is not None:
                added = self.inner_set(module, size.additions, parent)
        return ranges, constraint.extensible or bool(sizes), added

    def set(self, module, s, domain, parent):
        """A set of numbers or characters; `None` where it is not visible."""
        what = s[0]
        if what in ('union', 'intersection'):
            found = [self.set(module, x, domain, parent) for x in s[1]]
            if what == 'union':
                # X.691 10.3.21: a union with an invisible part is invisible
                return None if None in found else joined(sum(found, []))
            found = [x for x in found if x is not None]
            if not found:
                return None
            result = found[0]
            for other in found[1:]:
                result = met(result, other)
            return result
        if what == 'except':
            return self.set(module, s[1], domain, parent)
        if what == 'size':
            return self.inner(module, s[1], parent) if domain == LENGTHS else None
        if what == 'from':
            return self.inner(module, s[1], parent) if domain == ALPHABET else None
        if what == 'type':
            other = self.resolver.node(module, s[1])
            return {INTEGERS: lambda: other.integer.ranges, LENGTHS: lambda: other.size.ranges,
                    ALPHABET: lambda: joined([(ord(c), ord(c)) for c in other.alphabet])}[domain]()
        return self.elements(s, parent) if domain == INTEGERS and self.node.kind == 'INTEGER' else None

    def inner(self, module, constraint, parent):
        """What follows SIZE or FROM."""
        return self.inner_set(module, constraint.root, parent)

    def inner_set(self, module, s, parent):
        what = s[0]
        if what == 'union':
            return joined(sum((self.inner_set(module, x, parent) for x in s[1]), []))
        if what == 'intersection':
            result = self.inner_set(module, s[1][0], parent)
            for x in s[1][1:]:
                result = met(result, self.inner_set(module, x, parent))
            return result
        if what == 'except':
            return self.inner_set(module, s[1], parent)
        if what == 'type':
            return self.resolver.node(module, s[1]).integer.ranges
        return self.elements(s, parent)

    @staticmethod
    def elements(s, parent):
        """A single value or a range; MIN and MAX are those of the parent type (X.680 51.4.3)."""
        def number(x):
            return ord(x) if isinstance(x, str) else int(x)
        if s[0] == 'value':
            if isinstance(s[1], str):
                return joined([(ord(c), ord(c)) for c in s[1]])
            return [(int(s[1]), int(s[1]))]
        _, low, low_out, high, high_out = s
        low = (parent[0][0] if low is None else number(low)) + (1 if low_out else 0)
        high = (parent[-1][1] if high is None else number(high)) - (1 if high_out else 0)
        return [(low, high)]


def alphabet_of(node):
    """The effective permitted alphabet (X.691 10.3.12); extensible ones are not visible (10.3.11)."""
    everything = ALPHABETS[node.kind]
    numbers = everything if isinstance(everything, range) else [ord(c) for c in everything]
    parent = [(numbers[0], numbers[-1])] if isinstance(numbers, range) else joined([(n, n) for n in numbers])
    whole = parent
    effective = Effective(node.resolver, node)
    for module, constraint in effective.serial:
        if has_extensible_from(constraint):
            continue
        found = effective.set(module, constraint.root, ALPHABET, parent)
        if found is not None:
            parent = met(parent, found)
    if parent == whole and isinstance(everything, range):
        return everything
    return ''.join(chr(n) for low, high in parent for n in range(low, high + 1))


def has_extensible_from(constraint):
    """Whether a permitted alphabet constraint of this pair of parentheses is extensible."""
    def inside(s):
        if s[0] == 'from':
            return s[1].extensible
        return s[0] in ('union', 'intersection') and any(inside(x) for x in s[1])
    return inside(constraint.root) or (constraint.extensible and mentions_from(constraint.root))


def mentions_from(s):
    return s[0] == 'from' or s[0] in ('union', 'intersection') and any(mentions_from(x) for x in s[1])
