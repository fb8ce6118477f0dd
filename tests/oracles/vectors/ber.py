"""BER, DER and CER by the clauses of X.690 (02/2021).

Of BER's choices this makes the plain ones: definite lengths in the fewest octets, primitive strings,
components in the order of the definition, defaults left out.
"""

import math
import struct

from .model import NOTHING, TIMES
from .values import default_notes, flush_right, same_value, trimmed_bits


CER = 'cer'


def encode(node, value, der, notes):
    """One value with its tags, in BER, in DER (`der` is `True`), or in CER."""
    contents, constructed = contents_of(node, value, der, notes)
    if node.choice_tagged_again:
        notes.add('choice tagged again')
    if der == CER and len(contents) > 1000 and not constructed and node.kind not in NOT_STRINGS:
        contents, constructed = segments(node.kind, contents), True
        notes.add('segments')
    for index, tag in enumerate(reversed(node.tags)):
        if der == CER and (constructed or index > 0):
            # 9.1: an indefinite length
            contents = header(tag, True, 0)[:-1] + b'\x80' + contents + b'\0\0'
        else:
            contents = header(tag, constructed or index > 0, len(contents)) + contents
    return contents


NOT_STRINGS = ('INTEGER', 'ENUMERATED', 'REAL', 'OBJECT IDENTIFIER', 'RELATIVE-OID')


def segments(kind, contents):
    """9.2: of 1000 contents octets but for the last one."""
    if kind != 'BIT STRING':
        parts, number = [contents[i:i + 1000] for i in range(0, len(contents), 1000)], 4
    else:
        unused, bits, number = contents[:1], contents[1:], 3
        parts = [b'\0' + bits[i:i + 999] for i in range(0, len(bits), 999)]
        parts[-1] = unused + parts[-1][1:]
    return b''.join(header((0, number), False, len(part)) + part for part in parts)


def header(tag, constructed, length):
    """Identifier and length octets (8.1.2, 8.1.3, 10.1)."""
    class_, number = tag
    first = class_ << 6 | (0x20 if constructed else 0)
    if number < 31:
        octets = bytes([first | number])
    else:
        octets = bytes([first | 31]) + base128(number)
    if length < 128:
        return octets + bytes([length])
    size = length.to_bytes((length.bit_length() + 7) // 8, 'big')
    return octets + bytes([0x80 | len(size)]) + size


def base128(number):
    octets = [number & 0x7F]
    number >>= 7
    while number:
        octets.insert(0, 0x80 | number & 0x7F)
        number >>= 7
    return bytes(octets)


def two_complement(number):
    """The fewest octets of two's complement (8.3.2)."""
    return number.to_bytes(((number + (number < 0)).bit_length() + 8) // 8, 'big', signed=True)


def real(value, notes):
    """Contents octets in the canonical form of 8.5 and 11.3."""
    notes.add('real')
    if math.isnan(value):
        return b'\x42'
    if math.isinf(value):
        return b'\x40' if value > 0 else b'\x41'
    if value == 0:
        if math.copysign(1, value) < 0:
            notes.add('minus zero')
        return b'\x43' if math.copysign(1, value) < 0 else b''
    bits = struct.unpack('>Q', struct.pack('>d', value))[0]
    exponent, mantissa = bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    if exponent:
        mantissa |= 1 << 52
    else:
        exponent = 1
    exponent -= 1075
    while not mantissa & 1:
        mantissa >>= 1
        exponent += 1
    power = two_complement(exponent)
    if mantissa.bit_length() % 8 == 0:
        notes.add('mantissa of whole octets')
    return (bytes([0x80 | (0x40 if value < 0 else 0) | len(power) - 1]) + power
            + mantissa.to_bytes((mantissa.bit_length() + 7) // 8, 'big'))


def object_identifier(arcs):
    """8.19"""
    return b''.join(base128(n) for n in [arcs[0] * 40 + arcs[1], *arcs[2:]])


def relative_oid(arcs):
    """8.20"""
    return b''.join(map(base128, arcs))


def characters(kind, text):
    """8.23"""
    if kind == 'UTF8String':
        return text.encode('utf-8')
    if kind == 'BMPString':
        return text.encode('utf-16-be')
    if kind == 'UniversalString':
        return text.encode('utf-32-be')
    return text.encode('latin-1')


def contents_of(node, value, der, notes):
    """Contents octets, and whether they are constructed."""
    kind = node.kind
    if kind == 'BOOLEAN':
        return (b'\xff' if value else b'\0'), False
    if kind == 'NULL':
        return b'', False
    if kind == 'INTEGER':
        return two_complement(value), False
    if kind == 'ENUMERATED':
        root, added = node.numbered
        return two_complement(dict(root + (added or []))[value]), False
    if kind == 'REAL':
        return real(value, notes), False
    if kind == 'BIT STRING':
        octets, count = value
        if node.base.named:
            notes.add('named bits')
        if der and node.base.named:
            # 11.2.2: all of them, whatever the size
            octets, count = trimmed_bits(value)
            if (octets, count) != value:
                notes.add('named bits trimmed')
        return bytes([-count % 8]) + octets[:(count + 7) // 8], False
    if kind == 'OCTET STRING':
        return value, False
    if kind == 'OBJECT IDENTIFIER':
        return object_identifier(value), False
    if kind == 'RELATIVE-OID':
        return relative_oid(value), False
    if kind == 'CHOICE':
        name, inner = value
        return encode(node.parts[name].node, inner, der, notes), True
    if kind in ('SEQUENCE', 'SET'):
        return members(node, value, der, notes), True
    if kind in ('SEQUENCE OF', 'SET OF'):
        items = [encode(node.element, item, der, notes) for item in value]
        if kind == 'SET OF':
            # 11.6: shorter ones padded with zero octets for the comparison
            longest = max(map(len, items), default=0)
            order = sorted(items, key=lambda octets: octets.ljust(longest, b'\0'))
            if order != items:
                notes.add('set of out of order')
            if der:
                items = order
        return b''.join(items), True
    if kind in TIMES and value[12 if kind == 'GeneralizedTime' else 10:][:2] == '00':
        notes.add('time on the minute')
    return characters(kind, value), False


def members(node, value, der, notes):
    """Components of a SEQUENCE or SET (8.9, 8.11, 10.3, 11.5)."""
    after_additions = len(node.base.root_after)
    if after_additions:
        notes.add('second root list')
    if any(isinstance(item, list) for item in node.additions):
        notes.add('addition group')
    root = node.root_parts
    if any(part.default is not NOTHING and (
            part.name not in value or same_value(part.node, value[part.name], part.default)) for part in node.added_parts):
        notes.add('addition that may have its default')
    # the second list of the root comes after the additions in the order of the definition
    split = len(root) - (len(node.expanded(node.base.root_after)) if after_additions else 0)
    order = root[:split] + node.added_parts + root[split:]
    encoded = []
    for part in order:
        if part.name not in value:
            continue
        if part.default is not NOTHING and same_value(part.node, value[part.name], part.default):
            default_notes(part, part.grouped, notes)
            continue
        if part.default is not NOTHING and part.node.kind == 'BIT STRING' and value[part.name] == flush_right(part.default):
            notes.add('default of bits or octets')
        encoded.append((part, encode(part.node, value[part.name], der, notes)))
    if node.kind == 'SET':
        # 10.3 for DER; in BER, where any order does (8.11.2), it is as good as another
        def tag(item):
            part, octets = item
            if der == CER:
                # 9.3: an untagged CHOICE goes by its smallest tag
                return min(part.node.first_tags)
            return part.node.tags[0] if part.node.tags else leading_tag(part.node, value[part.name])
        ordered = sorted(encoded, key=tag)
        if ordered != encoded:
            notes.add('set out of order')
        encoded = ordered
    return b''.join(octets for _, octets in encoded)


def leading_tag(node, value):
    """10.3: an untagged CHOICE goes by the tag of the chosen alternative."""
    while not node.tags:
        name, value = value
        node = node.parts[name].node
    return node.tags[0]
