"""pycrate as an oracle: the same notation, its values, its bytes."""

import contextlib
import io
import logging
import math
import struct
import tempfile

from pycrate_asn1c.asnproc import GLOBAL, PycrateGenerator, compile_text, generate_modules
from pycrate_asn1rt.codecs import ASN1CodecPER

from .notation import module_text

logging.disable(logging.WARNING)

METHODS = {'uper': 'to_uper', 'aper': 'to_aper', 'ber': 'to_ber', 'der': 'to_der', 'oer': 'to_oer',
           'coer': 'to_coer', 'cer': 'to_cer'}


class Pycrate:
    """The modules of a schema, as the Python that pycrate makes of them."""

    name = 'pycrate'

    def __init__(self, schema):
        self.refused = None
        text = '\n'.join(module_text(module) for module in schema.modules)
        namespace = {}
        try:
            with contextlib.redirect_stdout(io.StringIO()), tempfile.NamedTemporaryFile('r', suffix='.py') as made:
                GLOBAL.clear()
                compile_text(text)
                generate_modules(PycrateGenerator, made.name)
                GLOBAL.clear()
                exec(compile(made.read(), made.name, 'exec'), namespace)
            self.types = namespace[python_name(schema.modules[0].name)]
        except Exception as error:  # whatever it is, pycrate does not take the module
            self.refused = f'{type(error).__name__}: {error}'

    def encode(self, rules, name, node, value):
        """Bytes, or an exception that says why there are none."""
        if self.refused:
            raise ValueError(self.refused)
        type_ = getattr(self.types, python_name(name))
        ASN1CodecPER._off.clear()
        with contextlib.redirect_stdout(io.StringIO()):
            type_.set_val(theirs(node, value))
            return bytes(getattr(type_, METHODS[rules])())


def python_name(name):
    return name.replace('-', '_')


def theirs(node, value):
    """A value in the form of pycrate."""
    kind = node.kind
    if kind == 'NULL':
        return 0
    if kind == 'BIT STRING':
        octets, count = value
        return int.from_bytes(octets, 'big') >> (-count % 8), count
    if kind == 'REAL':
        return real(value)
    if kind == 'UTCTime':
        return tuple(value[i:i + 2] for i in range(0, 12, 2)) + ('Z',)
    if kind == 'GeneralizedTime':
        whole, _, fraction = value[:-1].partition('.')
        return (whole[:4], *(whole[i:i + 2] for i in range(4, 14, 2)), fraction or None, 'Z')
    if kind in ('SEQUENCE', 'SET'):
        return {name: theirs(part.node, value[name]) for name, part in node.parts.items() if name in value}
    if kind in ('SEQUENCE OF', 'SET OF'):
        return [theirs(node.element, item) for item in value]
    if kind == 'CHOICE':
        return value[0], theirs(node.parts[value[0]].node, value[1])
    return value


def real(value):
    """Mantissa, base and exponent."""
    if math.isnan(value):
        return 0, None, None
    if math.isinf(value):
        return (1 if value > 0 else -1), None, None
    if value == 0:
        if math.copysign(1, value) < 0:
            raise ValueError('pycrate has no minus zero')
        return 0, 2, 0
    mantissa, power = math.frexp(value)
    number = int(mantissa * 2 ** 53)
    power -= 53
    while number % 2 == 0:
        number //= 2
        power += 1
    return number, 2, power
