"""OER by the clauses of X.696 (02/2021), basic and canonical.

Of the choices of BASIC-OER this makes the plain ones: the shortest forms, defaults left out, SET OF in the given
order.
"""

from . import ber, per
from .effective import parts
from .model import KNOWN_MULTIPLIER, NOTHING
from .values import trimmed_bits

WIDTHS = {'NumericString': 1, 'PrintableString': 1, 'VisibleString': 1, 'IA5String': 1, 'BMPString': 2,
          'UniversalString': 4}


def encode(node, value, canonical, notes):
    """The encoding of a value; it may be empty (8.5)."""
    return bytes(Writer(notes, canonical).value(node, value))


def has_one_size(size):
    """Whether all values have one size."""
    return not size.extensible and size.high is not None and (size.low or 0) == size.high


def counted(octets):
    """Octets after a length determinant (8.6)."""
    return length(len(octets)) + octets


def length(count):
    if count < 128:
        return bytes([count])
    octets = per.unsigned(count)
    return bytes([0x80 | len(octets)]) + octets


def tag_octets(tag):
    """8.7"""
    class_, number = tag
    if number < 63:
        return bytes([class_ << 6 | number])
    return bytes([class_ << 6 | 63]) + ber.base128(number)


def bit_octets(digits):
    """Bits in whole octets."""
    width = (len(digits) + 7) // 8
    return int(digits.ljust(width * 8, '0') or '0', 2).to_bytes(width, 'big')


class Writer(per.Writer):
    """What is present goes as in PER; how it is written does not."""

    def __init__(self, notes, canonical):
        super().__init__(False, notes, canonical)
        # How many extension additions are open.
        self.in_addition = 0

    def value(self, node, value):
        kind = node.kind
        if kind == 'BOOLEAN':
            return b'\xff' if value else b'\0'
        if kind == 'NULL':
            return b''
        if kind == 'INTEGER':
            return self.integer(node, value)
        if kind == 'ENUMERATED':
            return self.enumerated(node, value)
        if kind == 'REAL':
            return counted(ber.real(value, self.notes))
        if kind == 'BIT STRING':
            return self.bit_string(node, value)
        if kind == 'OCTET STRING':
            return value if self.fixed(node) else counted(value)
        if kind == 'OBJECT IDENTIFIER':
            return counted(ber.object_identifier(value))
        if kind == 'RELATIVE-OID':
            return counted(ber.relative_oid(value))
        if kind == 'CHOICE':
            return self.choice(node, value)
        if kind == 'SEQUENCE':
            return self.sequence(node, value, node.root_parts)
        if kind == 'SET':
            root = node.canonical_root
            if any(part.node.kind == 'CHOICE' for part in root):
                self.notes.add('choice in a set')
            if root != node.root_parts:
                self.notes.add('set out of order')
            if any(part.node.kind in ('SEQUENCE OF', 'SET OF') for part in root):
                self.notes.add('list in a set')
            if any(part.node.kind in ('SEQUENCE', 'SET') for part in root):
                self.notes.add('record in a set')
            if node.extensible or any(part.may_be_absent for part in root):
                self.notes.add('set with a preamble')
            return self.sequence(node, value, root)
        if kind in ('SEQUENCE OF', 'SET OF'):
            return self.sequence_of(node, value)
        octets = ber.characters(kind, value)
        if kind == 'GeneralizedTime' and value[12:14] == '00' or kind == 'UTCTime' and value[10:12] == '00':
            self.notes.add('time on the minute')
        if kind in ('BMPString', 'UTF8String') and has_one_size(node.size):
            self.notes.add(f'{kind} of one size')
        return octets if kind in KNOWN_MULTIPLIER and self.fixed(node) else counted(octets)

    def note_constraints(self, node, bounds, union):
        if node.constrained_at_reference:
            self.notes.add('constrained at a reference')
        if len(node.effective.serial) > 1:
            self.notes.add('constrained more than once')
        if len(bounds.ranges) > 1:
            self.notes.add(union)
        if any(constraint.root[0] == 'intersection' for _, constraint in node.effective.serial):
            self.notes.add('intersection of values')
        if any(part[0] == 'type' for _, constraint in node.effective.serial for part in parts(constraint.root)):
            self.notes.add('contained subtype')
        if bounds.extensible:
            self.notes.add('extensible constraint')

    def integer(self, node, value):
        """Clause 10; an extensible constraint is not visible (8.2)."""
        bounds = node.integer
        low, high = bounds.low, bounds.high
        self.note_constraints(node, bounds, 'union of values')
        if bounds.extensible:
            low = high = None
        if low is not None and low >= 0:
            if high is not None:
                for octets in (1, 2, 4, 8):
                    if high < 1 << 8 * octets:
                        return value.to_bytes(octets, 'big')
            self.notes.add('integer without a sign')
            return counted(per.unsigned(value))
        if low is not None and high is not None:
            for octets in (1, 2, 4, 8):
                if low >= -1 << 8 * octets - 1 and high < 1 << 8 * octets - 1:
                    return value.to_bytes(octets, 'big', signed=True)
        return counted(ber.two_complement(value))

    def enumerated(self, node, value):
        """Clause 11"""
        root, added = node.numbered
        number = dict(root + (added or []))[value]
        if 0 <= number < 128:
            return bytes([number])
        octets = ber.two_complement(number)
        return bytes([0x80 | len(octets)]) + octets

    def fixed(self, node):
        """Whether no length is needed, as all values have one size."""
        size = node.size
        self.note_constraints(node, size, 'union of sizes')
        if node.kind == 'UniversalString' and node.effective.serial:
            self.notes.add('constrained UniversalString')
        return has_one_size(size)

    def bit_string(self, node, value):
        """Clause 13"""
        octets, count = value
        if node.base.named:
            octets, count = trimmed_bits(value, node.size)
            self.notes.add('named bits')
            if (octets, count) != value:
                self.notes.add('named bits trimmed')
        octets = octets[:(count + 7) // 8]
        return octets if self.fixed(node) else counted(bytes([-count % 8]) + octets)

    def sequence_of(self, node, values):
        """Clauses 17 and 19"""
        items = [bytes(self.value(node.element, value)) for value in values]
        if node.kind == 'SET OF':
            longest = max(map(len, items), default=0)
            order = sorted(items, key=lambda octets: octets.ljust(longest, b'\0'))
            if order != items:
                self.notes.add('set of out of order')
            if self.canonical:
                items = order
        return counted(per.unsigned(len(items))) + b''.join(items)

    def sequence(self, node, value, root):
        """Clause 16"""
        if node.extensible and node.base.additions is None:
            self.notes.add('extensibility implied')
        if any(part.default is not NOTHING for part in node.added_parts if not self.present(part, value)):
            self.notes.add('addition that may have its default')
        added = [item for item in node.additions if self.present_addition(item, value)] if node.extensible else []
        extension = str(int(bool(added))) if node.extensible else ''
        if node.base.root_after:
            self.notes.add('second root list')
        if node.extensible and not root:
            self.notes.add('root without components')
        result = self.components(root, value, extension)
        if not added:
            return result
        if self.in_addition:
            self.notes.add('additions in an addition')
        bitmap = ''.join('1' if item in added else '0' for item in node.additions)
        if '0' in bitmap:
            self.notes.add('additions left out')
        if len(bitmap) % 8 == 0:
            self.notes.add('eight additions')
        result += counted(bytes([-len(bitmap) % 8]) + bit_octets(bitmap))
        self.in_addition += 1
        for item in added:
            if isinstance(item, list):
                self.notes.add('addition group')
                inner = self.components(item, value, '')
                if not any(inner):
                    self.notes.add('addition group of no bit')
            else:
                inner = self.value(item.node, value[item.name])
            result += counted(bytes(inner))
        self.in_addition -= 1
        return result

    def components(self, parts, value, preamble):
        """16.2 and 16.3"""
        preamble += ''.join(str(int(self.present(part, value))) for part in parts if part.may_be_absent)
        result = bit_octets(preamble)
        for part in parts:
            if not part.may_be_absent or self.present(part, value):
                result += self.value(part.node, value[part.name])
        return result

    def choice(self, node, value):
        """Clause 20; an untagged CHOICE in it has its tag twice (20.1, note 3)."""
        name, inner = value
        part = node.parts[name]
        if not part.node.tags:
            self.notes.add('untagged choice in a choice')
        octets = bytes(self.value(part.node, inner))
        if name not in [p.name for p in node.root_parts]:
            self.notes.add('alternative added')
            if self.in_addition:
                self.notes.add('additions in an addition')
            octets = counted(octets)
        tag = ber.leading_tag(part.node, inner)
        if tag[1] >= 63:
            self.notes.add('tag of several octets')
        return tag_octets(tag) + octets
