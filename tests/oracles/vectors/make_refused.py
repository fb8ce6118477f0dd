"""Messages that are no encoding of any value of their type: codes that nothing has, values and sizes
that a constraint does not let in. A reader has to refuse every one."""

from . import ber
from .bits import Bits
from .effective import has_extensible_from
from .model import KNOWN_MULTIPLIER


def refused(node):
    """(rules, message, why) for what can be said of a type."""
    kind = node.kind
    if kind == 'INTEGER':
        yield from integers(node)
    elif kind == 'ENUMERATED':
        yield from enumerated(node)
    elif kind == 'CHOICE':
        yield from choices(node)
    elif kind in ('OCTET STRING', 'SEQUENCE OF', 'SET OF') or kind in KNOWN_MULTIPLIER:
        yield from sizes(node)
        if kind in KNOWN_MULTIPLIER:
            yield from characters(node)
    elif kind == 'BOOLEAN':
        yield 'ber', wrapped(node, b''), 'a BOOLEAN without contents (X.690 8.2.1)'
        yield 'ber', wrapped(node, b'\0\0'), 'a BOOLEAN of two octets (X.690 8.2.1)'
    elif kind == 'NULL':
        yield 'ber', wrapped(node, b'\0'), 'a NULL with contents (X.690 8.8.2)'


def wrapped(node, contents, constructed=False):
    """Contents with the tags of a type."""
    for index, tag in enumerate(reversed(node.tags)):
        contents = ber.header(tag, constructed or index > 0, len(contents)) + contents
    return contents


def code(number, width):
    bits = Bits()
    bits.number(number, width)
    return bits.octets()


def integers(node):
    bounds = node.integer
    if bounds.extensible:
        return
    for outside, side in ((bounds.low, -1), (bounds.high, 1)):
        if outside is not None:
            message = wrapped(node, ber.two_complement(outside + side))
            yield 'ber', message, f'{outside + side}, beyond the bounds'
    if bounds.low is None or bounds.high is None:
        return
    span = bounds.high - bounds.low + 1
    width = (span - 1).bit_length()
    if span < 1 << width:
        yield 'uper', code(span, width), 'an unused code (X.691 11.5.6)'
        if span <= 255:
            yield 'aper', code((1 << width) - 1, width), 'an unused code (X.691 11.5.7.1)'
        elif 256 < span < 65536:
            yield 'aper', code(span, 16), 'an unused code (X.691 11.5.7.3)'
    for low, high in zip(bounds.ranges, bounds.ranges[1:]):
        # what a union leaves out has a code all the same
        yield 'uper', code(low[1] + 1 - bounds.low, width), f'{low[1] + 1}, between the parts of a union'
        yield 'ber', wrapped(node, ber.two_complement(high[0] - 1)), f'{high[0] - 1}, between the parts of a union'
    if span > 65536:
        octets = (span.bit_length() + 7) // 8
        count = (octets - 1).bit_length()
        if (bounds.high - bounds.low).bit_length() % 8:
            message = code(octets - 1, count) + b'\xff' * octets
            yield 'aper', message, 'an offset beyond the range (X.691 11.5.7.4)'


def enumerated(node):
    root, added = node.numbered
    if added is None:
        unknown = max(number for _, number in root) + 1
        yield 'ber', wrapped(node, ber.two_complement(unknown)), f'no enumeration has {unknown}'
        width = (len(root) - 1).bit_length()
        if len(root) < 1 << width:
            yield 'uper', code(len(root), width), 'an index beyond the last (X.691 14.2)'


def choices(node):
    root = node.root_parts
    if not node.extensible and len(root) < 256:
        width = (len(root) - 1).bit_length()
        if len(root) < 1 << width:
            rest = b'\0' * 4
            yield 'uper', code(len(root), width) + rest, 'an index beyond the last (X.691 23.6)'
            yield 'aper', code((1 << width) - 1, width) + rest, 'an index beyond the last (X.691 23.6)'


def sizes(node):
    size = node.size
    if size.extensible:
        return
    low, high = size.low or 0, size.high
    for count in ([low - 1] if low else []) + ([high + 1] if high is not None and high < 300 else []):
        contents = items(node, count)
        if contents is not None:
            yield 'ber', wrapped(node, contents, node.kind in ('SEQUENCE OF', 'SET OF')), f'{count} items'
    if high is not None and high < 65536 and high > low:
        span = high - low + 1
        width = (span - 1).bit_length()
        if span < 1 << width:
            yield 'uper', code(span, width) + b'\0' * (2 * high + 40), 'a length beyond the bound (X.691 11.9.4.1)'
            if span <= 255:
                yield 'aper', code(span, width) + b'\0' * (2 * high + 40), 'a length beyond the bound (X.691 11.9.3.3)'
    for (_, before), (after, _) in zip(size.ranges, size.ranges[1:]):
        contents = items(node, before + 1)
        if contents is not None:
            yield 'ber', wrapped(node, contents, node.kind in ('SEQUENCE OF', 'SET OF')), f'{before + 1} items'


def items(node, count):
    """Contents of as many items, where they are easily made."""
    if node.kind == 'OCTET STRING':
        return b'x' * count
    if node.kind in KNOWN_MULTIPLIER:
        alphabet = node.alphabet
        letter = 'x' if isinstance(alphabet, range) else alphabet[-1]
        return ber.characters(node.kind, letter * count)
    element = node.element
    contents = {'BOOLEAN': b'\0', 'NULL': b''}.get(element.kind)
    return None if contents is None else wrapped(element, contents) * count


def characters(node):
    alphabet = node.alphabet
    if isinstance(alphabet, range):
        return
    size = node.size
    count = max(1, size.low or 0)
    if not size.holds(count):
        return
    other = next((c for c in map(chr, range(32, 127)) if c not in alphabet), None)
    if other is not None and not node_may_grow(node):
        contents = ber.characters(node.kind, other * count)
        yield 'ber', wrapped(node, contents), f'{other!r}, which is not in the alphabet'
    width = (len(alphabet) - 1).bit_length()
    indexed = ord(alphabet[-1]) > (1 << width) - 1
    if size.low == size.high == count and count < 65536 and not size.extensible and indexed and len(alphabet) < 1 << width:
        bits = Bits()
        for _ in range(count):
            bits.number(len(alphabet), width)
        yield 'uper', bits.octets(), 'an index beyond the alphabet (X.691 30.5.4)'


def node_may_grow(node):
    """Whether an alphabet has a marker."""
    return any(has_extensible_from(constraint) for _, constraint in node.effective.serial)
