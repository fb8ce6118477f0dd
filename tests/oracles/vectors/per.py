"""PER by the clauses of X.691 (02/2021), one after the other, with no thought of speed.

What is met on the way that an oracle is known to do otherwise is noted (`notes`), so that every
disagreement can be held against `faults.py`.
"""

from . import ber
from .bits import Bits
from .effective import ALPHABETS, parts
from .model import KNOWN_MULTIPLIER, NOTHING, TIMES
from .values import default_notes, flush_right, same_value, trimmed_bits

K = 16384


def encode(node, value, aligned, notes, canonical=False):
    """The complete encoding of a value (11.1): BASIC-PER, or CANONICAL-PER, which is the same but for
    the order in a SET OF."""
    writer = Writer(aligned, notes, canonical)
    writer.value(node, value)
    if not writer.bits.count:
        notes.add('empty message')
    return writer.complete()


class Writer:
    def __init__(self, aligned, notes, canonical=False):
        self.aligned, self.notes, self.canonical = aligned, notes, canonical
        self.bits = Bits()

    def complete(self):
        """11.1.3: whole octets, and at least one."""
        return self.bits.octets() or b'\0'

    def align(self):
        if self.aligned:
            self.bits.pad()

    # Clause 11

    def constrained(self, number, low, high):
        """11.5; the indefinite length case is the caller's."""
        span = high - low + 1
        if span == 1:
            return
        if not self.aligned or span <= 255:
            self.bits.number(number - low, (span - 1).bit_length())
        elif span == 256:
            self.align()
            self.bits.number(number - low, 8)
        else:
            self.align()
            self.bits.number(number - low, 16)

    def normally_small(self, number):
        """11.6"""
        self.bits.number(int(number > 63), 1)
        if number <= 63:
            self.bits.number(number, 6)
        else:
            self.notes.add('index over 63')
            octets = number.to_bytes((number.bit_length() + 7) // 8, 'big')
            self.lengthy(octets)

    def lengthy(self, octets):
        """Octets after their unconstrained length (11.9.3.5 to 11.9.3.8)."""
        self.fragments(len(octets), lambda a, b: self.field(octets[a:b]))

    def field(self, octets):
        if octets:
            self.align()
            self.bits.bytes(octets)

    def fragments(self, count, put):
        """An unconstrained length, and what it counts, in fragments from 16K on."""
        done = 0
        if count >= K:
            self.notes.add('fragments')
        while True:
            left = count - done
            self.align()
            if left < 128:
                self.bits.number(left, 8)
            elif left < K:
                self.bits.number(0x8000 | left, 16)
            else:
                multiple = min(left // K, 4)
                self.bits.number(0xC0 | multiple, 8)
                put(done, done + multiple * K)
                done += multiple * K
                continue
            put(done, count)
            return

    def length(self, count, low, high, put):
        """11.9 with bounds: a constrained whole number where there is an upper bound below 64K."""
        if high is not None and high < 65536:
            self.constrained(count, low, high)
            if count:
                put(0, count)
        else:
            self.fragments(count, put)

    def open(self, write):
        """11.2: what `write` writes, as the value of an open type."""
        inner = Writer(self.aligned, self.notes, self.canonical)
        write(inner)
        octets = inner.complete()
        if not inner.bits.count:
            self.notes.add('empty open type')
        if len(octets) >= K:
            self.notes.add('open type in fragments')
        self.lengthy(octets)

    # Types

    def value(self, node, value):
        kind = node.kind
        if kind == 'BOOLEAN':
            self.bits.number(int(value), 1)
        elif kind == 'NULL':
            pass
        elif kind == 'INTEGER':
            self.integer(node, value)
        elif kind == 'ENUMERATED':
            self.enumerated(node, value)
        elif kind == 'REAL':
            self.lengthy(ber.real(value, self.notes))
        elif kind == 'BIT STRING':
            self.bit_string(node, value)
        elif kind == 'OCTET STRING':
            self.octet_string(node, value)
        elif kind == 'OBJECT IDENTIFIER':
            self.lengthy(ber.object_identifier(value))
        elif kind == 'RELATIVE-OID':
            self.lengthy(ber.relative_oid(value))
        elif kind == 'CHOICE':
            self.choice(node, value)
        elif kind == 'SEQUENCE':
            self.sequence(node, value, node.root_parts)
        elif kind == 'SET':
            self.set(node, value)
        elif kind in ('SEQUENCE OF', 'SET OF'):
            self.sequence_of(node, value)
        elif kind in KNOWN_MULTIPLIER or kind in TIMES:
            self.known_multiplier(node, value)
        else:
            self.lengthy(ber.characters(kind, value))

    def integer(self, node, value):
        """Clause 13"""
        bounds = node.integer
        low, high = bounds.low, bounds.high
        if node.constrained_at_reference:
            self.notes.add('constrained at a reference')
        if len(node.effective.serial) > 1:
            self.notes.add('constrained more than once')
        if len(bounds.ranges) > 1:
            self.notes.add('union of values')
        if any(part[0] == 'type' for _, constraint in node.effective.serial for part in parts(constraint.root)):
            self.notes.add('contained subtype')
        if any(constraint.root[0] == 'intersection' for _, constraint in node.effective.serial):
            self.notes.add('intersection of values')
        if bounds.extensible:
            outside = not bounds.spans(value)
            self.bits.number(int(outside), 1)
            if outside:
                self.notes.add('integer outside the root')
                low = high = None
            elif low is None or high is None:
                self.notes.add('extensible half-open integer')
        if low is None:
            if high is not None:
                self.notes.add('integer with an upper bound only')
            self.lengthy(ber.two_complement(value))
        elif high is None:
            self.notes.add('semi-constrained integer')
            self.lengthy(unsigned(value - low))
        elif self.aligned and high - low + 1 > 65536:
            octets = unsigned(value - low)
            self.constrained(len(octets), 1, len(unsigned(high - low)))
            self.align()
            self.bits.bytes(octets)
        else:
            if high - low >= 1 << 64:
                self.notes.add('integer range over 64 bits')
            self.constrained(value, low, high)
        if high is not None and low is not None and high - low >= 1 << 127:
            self.notes.add('integer range over 127 bits')

    def enumerated(self, node, value):
        """Clause 14"""
        root, added = node.numbered
        names = [name for name, _ in sorted(root, key=lambda item: item[1])]
        if added is not None:
            if node.base.additions is None:
                self.notes.add('extensibility implied')
            self.bits.number(int(value not in names), 1)
            if value not in names:
                self.notes.add('enumeration added')
                self.normally_small([name for name, _ in sorted(added, key=lambda i: i[1])].index(value))
                return
        if len(names) > 255:
            self.notes.add('more than 255 enumerations')
        self.constrained(names.index(value), 0, len(names) - 1)

    def outside_root(self, node, count, what):
        """The bit of an extensible size; bounds that then hold."""
        size = node.size
        low, high = size.low or 0, size.high
        if node.constrained_at_reference:
            self.notes.add('constrained at a reference')
        if len(node.effective.serial) > 1:
            self.notes.add('constrained more than once')
        if len(size.ranges) > 1:
            self.notes.add('union of sizes')
        if size.extensible:
            outside = not size.spans(count)
            self.bits.number(int(outside), 1)
            if outside:
                self.notes.add(f'{what} outside the root')
                if count >= K:
                    self.notes.add('fragments outside the root')
                return 0, None
            if high is None:
                self.notes.add('extensible half-open size')
        if high is None and low:
            self.notes.add('half-open size')
        if high is not None and high >= 65536:
            self.notes.add('size bound of 64K or more')
        return low, high

    def bit_string(self, node, value):
        """Clause 16"""
        octets, count = value
        if node.base.named:
            octets, count = trimmed_bits(value, node.size)
            self.notes.add('named bits')
            if (octets, count) != value:
                self.notes.add('named bits trimmed')
            if count and not octets[-1] >> (-count % 8) & 1:
                self.notes.add('named bits filled up')
        low, high = self.outside_root(node, count, 'bit string')
        if high == 0:
            return
        text = ''.join(f'{b:08b}' for b in octets)[:count]
        if low == high and high <= 16:
            self.bits.digits(text)
        elif low == high and high < 65536:
            self.align()
            self.bits.digits(text)
        else:
            if not count:
                self.notes.add('empty string')

            def put(a, b):
                if b > a:
                    self.align()
                    self.bits.digits(text[a:b])
            self.length(count, low, high, put)

    def octet_string(self, node, value):
        """Clause 17"""
        low, high = self.outside_root(node, len(value), 'octet string')
        if high == 0:
            return
        if low == high and high <= 2:
            self.bits.bytes(value)
        elif low == high and high < 65536:
            self.field(value)
        else:
            if not value:
                self.notes.add('empty string')
            self.length(len(value), low, high, lambda a, b: self.field(value[a:b]))

    def known_multiplier(self, node, value):
        """30.4 and 30.5"""
        alphabet = node.alphabet
        count = len(alphabet)
        b = (count - 1).bit_length()
        if self.aligned:
            power = 1
            while power < b:
                power *= 2
            b = power if b else 0
        largest = alphabet[-1] if isinstance(alphabet, range) else ord(alphabet[-1])
        if count == 1:
            self.notes.add('alphabet of one')
        if largest <= (1 << b) - 1:
            if not isinstance(alphabet, range) and alphabet != ALPHABETS[node.kind]:
                self.notes.add('alphabet without indexes')
            codes = ord
        else:
            if node.kind == 'NumericString' and alphabet != ALPHABETS[node.kind]:
                self.notes.add('part of NumericString')
            index = {c: i for i, c in enumerate(alphabet)}
            codes = index.__getitem__
        low, high = self.outside_root(node, len(value), 'character string')
        if node.kind == 'UniversalString' and node.effective.serial:
            self.notes.add('constrained UniversalString')

        def put(a, z):
            if high is None or high >= 65536:
                self.align()
            elif low == high:
                if high * b > 16:
                    self.align()
            elif high * b >= 16:
                if high == 1:
                    self.notes.add('one character of 16 bits')
                self.align()
            elif high > 1:
                self.notes.add('short string not aligned')
            for c in value[a:z]:
                self.bits.number(codes(c), b)

        if low == high and high < 65536:
            if value:
                put(0, len(value))
        else:
            self.length(len(value), low, high, put)

    def sequence_of(self, node, values):
        """Clauses 20 and 22"""
        if self.canonical and node.kind == 'SET OF':
            values = self.in_order(node, values)
        if len(values) >= K:
            self.notes.add('list in fragments')
        if node.kind == 'SET OF' and len(values) > 1:
            self.notes.add('set of')
        low, high = self.outside_root(node, len(values), 'list')

        def put(a, b):
            for value in values[a:b]:
                self.value(node.element, value)

        if low == high and high < 65536:
            put(0, len(values))
        else:
            if high is not None and high >= 65536:
                high = None
            self.length(len(values), low, high, put)

    def in_order(self, node, values):
        """22.1: by their encodings, the shorter ones padded with zero bits."""
        def bits(value):
            inner = Writer(self.aligned, self.notes, True)
            inner.value(node.element, value)
            return ''.join(inner.bits.parts)
        encoded = [(bits(value), value) for value in values]
        longest = max((len(digits) for digits, _ in encoded), default=0)
        return [value for _, value in sorted(encoded, key=lambda item: item[0].ljust(longest, '0'))]

    def sequence(self, node, value, root):
        """Clause 19"""
        if node.extensible and node.base.additions is None:
            self.notes.add('extensibility implied')
        if any(part.default is not NOTHING for part in node.added_parts if not self.present(part, value)):
            self.notes.add('addition that may have its default')
        added = [item for item in node.additions if self.present_addition(item, value)] if node.extensible else []
        if node.extensible:
            self.bits.number(int(bool(added)), 1)
        self.components(root, value)
        if not added:
            return
        if len(node.additions) > 64:
            self.notes.add('more than 64 additions')
        count = len(node.additions)
        bitmap = ''.join('1' if item in added else '0' for item in node.additions)
        if count <= 64:
            self.bits.number(count - 1, 7)
            self.bits.digits(bitmap)
        else:
            self.bits.number(1, 1)
            self.fragments(count, lambda a, b: self.bits.digits(bitmap[a:b]))
        for item in added:
            if isinstance(item, list):
                self.notes.add('addition group')
                self.open(lambda inner: inner.group(item, value))
            else:
                self.open(lambda inner: inner.value(item.node, value[item.name]))

    def group(self, parts, value):
        """A group of additions: as a SEQUENCE (19.9)."""
        self.components(parts, value)
        if ''.join(self.bits.parts) == '0' * sum(part.may_be_absent for part in parts):
            self.notes.add('addition group of no bit')

    def present_addition(self, item, value):
        """Whether an addition is encoded (19.9); what has its default is not (19.5)."""
        if isinstance(item, list):
            present = any(self.present(part, value) for part in item)
            if not present and any(part.name in value for part in item):
                self.notes.add('addition with its default')
            return present
        if item.default is not NOTHING and item.name in value and not self.present(item, value):
            self.notes.add('addition with its default')
        return self.present(item, value)

    def present(self, part, value):
        if part.name not in value:
            return False
        if part.default is NOTHING:
            return True
        if part.node.kind in ('SEQUENCE', 'SET', 'CHOICE', 'SEQUENCE OF', 'SET OF'):
            self.notes.add('default of a constructed type')
        same = same_value(part.node, value[part.name], part.default)
        if same:
            default_notes(part, part.grouped, self.notes)
        elif part.node.kind == 'BIT STRING' and value[part.name] == flush_right(part.default):
            self.notes.add('default of bits or octets')
        return not same

    def components(self, parts, value):
        """19.2 to 19.4"""
        presence = [self.present(part, value) for part in parts if part.may_be_absent]
        if len(presence) > 64:
            self.notes.add('more than 64 optionals')
        for bit in presence:
            self.bits.number(int(bit), 1)
        for part in parts:
            if part.may_be_absent and not self.present(part, value):
                continue
            self.value(part.node, value[part.name])

    def set(self, node, value):
        """Clause 21"""
        root = node.canonical_root
        if any(part.node.kind == 'CHOICE' for part in root):
            self.notes.add('choice in a set')
        if root != node.root_parts:
            self.notes.add('set out of order')
        if node.extensible or any(part.may_be_absent for part in root):
            self.notes.add('set with presence bits')
        self.sequence(node, value, root)

    def choice(self, node, value):
        """Clause 23"""
        name, inner = value
        root = node.canonical_root
        if root != node.root_parts:
            self.notes.add('choice out of order')
        names = [part.name for part in root]
        part = node.parts[name]
        if any(not part.node.tags for part in node.root_parts + node.added_parts):
            self.notes.add('untagged choice in a choice')
        if node.extensible:
            self.bits.number(int(name not in names), 1)
        if name in names:
            if len(names) > 255:
                self.notes.add('more than 255 alternatives')
            self.constrained(names.index(name), 0, len(names) - 1)
            self.value(part.node, inner)
        else:
            self.notes.add('alternative added')
            self.normally_small([p.name for p in node.added_parts].index(name))
            self.open(lambda w: w.value(part.node, inner))


def unsigned(number):
    """11.3.6: the fewest octets."""
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), 'big')
