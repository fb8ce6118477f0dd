"""Values: their form here, when two are the same, and what a reader makes of them.

BOOLEAN is `bool`, INTEGER `int`, NULL `None`, ENUMERATED and strings `str`, REAL `float`, BIT STRING
(octets, count), OCTET STRING `bytes`, OBJECT IDENTIFIER and RELATIVE-OID tuples, SEQUENCE and SET
`dict`, SEQUENCE OF and SET OF `list`, CHOICE (name, value).
"""

import json
import math

from .model import NOTHING


def trimmed_bits(value, size=None):
    """A named BIT STRING without the trailing zero bits (X.680 22.7), except for those that the smallest
    size that fits wants (X.691 16.3)."""
    octets, count = value
    digits = ''.join(f'{b:08b}' for b in octets)[:count].rstrip('0')
    if size is not None:
        fits = [max(low, len(digits)) for low, high in size.ranges if len(digits) <= high]
        digits = digits.ljust(min(fits, default=0), '0')
    width = (len(digits) + 7) // 8
    return int(digits.ljust(width * 8, '0') or '0', 2).to_bytes(width, 'big'), len(digits)


def same_value(node, a, b):
    """Whether two values of a type are the same."""
    if node.kind == 'BIT STRING' and node.base.named:
        return trimmed_bits(a) == trimmed_bits(b)
    if node.kind == 'REAL':
        return a == b and math.copysign(1, a) == math.copysign(1, b) or a != a and b != b
    if node.kind in ('SEQUENCE', 'SET'):
        def whole(value):
            return {p.name: value.get(p.name, p.default) for p in node.parts.values()}
        a, b = whole(a), whole(b)
        return all((a[n] is NOTHING) == (b[n] is NOTHING) and (a[n] is NOTHING or same_value(p.node, a[n], b[n]))
                   for n, p in node.parts.items())
    if node.kind in ('SEQUENCE OF', 'SET OF'):
        return len(a) == len(b) and all(same_value(node.element, x, y) for x, y in zip(a, b))
    if node.kind == 'CHOICE':
        return a[0] == b[0] and same_value(node.parts[a[0]].node, a[1], b[1])
    return a == b


def default_notes(part, grouped, notes):
    """What is particular about a default that a value has in so many words."""
    notes.add('default written out')
    if part.node.written.kind == 'REF':
        notes.add('default of a named type')
    if grouped:
        notes.add('default in an addition group')
    if part.node.kind in ('BIT STRING', 'OCTET STRING'):
        notes.add('default of bits or octets')
    if isinstance(part.default, str) and part.default.isdigit():
        notes.add('default of digits')
    if isinstance(part.default, str) and part.default != part.default.strip():
        notes.add('default with blanks')


def flush_right(value):
    """Bits with their trailing zero bits moved to the front."""
    octets, count = value
    digits = ''.join(f'{octet:08b}' for octet in octets)[:count].rstrip('0').rjust(count, '0')
    return int(digits.ljust(len(octets) * 8, '0') or '0', 2).to_bytes(len(octets), 'big'), count


def as_told(node, value):
    """The value of a BER message. Zero bits after named ones mean nothing (X.680 22.7): where they are too few
    for the root of SIZE they are filled up."""
    if node.kind == 'BIT STRING' and node.base.named and value[1] < (node.size.low or 0):
        return trimmed_bits(value, node.size)
    if node.kind in ('SEQUENCE', 'SET'):
        return {name: as_told(node.parts[name].node, inner) for name, inner in value.items()}
    if node.kind in ('SEQUENCE OF', 'SET OF'):
        return [as_told(node.element, item) for item in value]
    if node.kind == 'CHOICE':
        return value[0], as_told(node.parts[value[0]].node, value[1])
    return value


def as_read(node, value, rules, filled):
    """The value that a message gives: defaults filled in, or left out; what was not kept not kept."""
    kind = node.kind
    if kind == 'BIT STRING' and node.base.named:
        return as_told(node, value) if rules == 'ber' else trimmed_bits(value, node.size)
    if kind in ('SEQUENCE', 'SET'):
        result = {}
        for name, part in node.parts.items():
            has_default = part.default is not NOTHING
            if name in value and not (has_default and same_value(part.node, value[name], part.default)):
                result[name] = as_read(part.node, value[name], rules, filled)
            elif has_default and filled:
                result[name] = as_read(part.node, part.default, rules, filled)
        return result
    if kind == 'SEQUENCE OF':
        return [as_read(node.element, item, rules, filled) for item in value]
    if kind == 'SET OF':
        items = list(value)
        if rules in ('der', 'coer', 'cer'):
            from . import ber, oer
            encode = oer.encode if rules == 'coer' else ber.encode
            form = ber.CER if rules == 'cer' else True
            encoded = [encode(node.element, item, form, set()) for item in items]
            longest = max(map(len, encoded), default=0)
            items = [item for _, item in sorted(zip(encoded, items), key=lambda p: p[0].ljust(longest, b'\0'))]
        return [as_read(node.element, item, rules, filled) for item in items]
    if kind == 'CHOICE':
        return value[0], as_read(node.parts[value[0]].node, value[1], rules, filled)
    return value


def jer(node, value):
    """The value as JSON (X.697, in the form of `asn1::jer`), ready for `json.dumps`."""
    kind = node.kind
    if kind == 'REAL':
        if math.isnan(value):
            return 'NaN'
        if math.isinf(value):
            return 'INF' if value > 0 else '-INF'
        if value == 0 and math.copysign(1, value) < 0:
            return '-0'
        return value
    if kind == 'BIT STRING':
        return {'value': value[0].hex().upper(), 'length': value[1]}
    if kind == 'OCTET STRING':
        return value.hex().upper()
    if kind in ('OBJECT IDENTIFIER', 'RELATIVE-OID'):
        return '.'.join(map(str, value))
    if kind in ('SEQUENCE', 'SET'):
        return {name: jer(part.node, value[name]) for name, part in node.parts.items() if name in value}
    if kind in ('SEQUENCE OF', 'SET OF'):
        return [jer(node.element, item) for item in value]
    if kind == 'CHOICE':
        return {value[0]: jer(node.parts[value[0]].node, value[1])}
    return value


def jer_text(node, value):
    return json.dumps(jer(node, value), ensure_ascii=False, separators=(',', ':'))
