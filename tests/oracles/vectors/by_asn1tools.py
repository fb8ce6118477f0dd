"""asn1tools as an oracle: the same notation, its values, its bytes."""

import copy
import datetime
import logging

import asn1tools

from .notation import module_text

logging.disable(logging.WARNING)

CODECS = {'uper': 'uper', 'aper': 'per', 'ber': 'ber', 'der': 'der', 'oer': 'oer'}


class Asn1tools:
    """The modules of a schema, compiled once for each encoding rules."""

    name = 'asn1tools'

    def __init__(self, schema):
        text = '\n'.join(module_text(module) for module in schema.modules)
        self.module = schema.modules[0].name
        self.codecs, self.refused = {}, {}
        try:
            parsed = asn1tools.parse_string(text)
        except Exception as error:
            self.refused = dict.fromkeys(CODECS, f'{type(error).__name__}: {error}')
            return
        for rules, codec in CODECS.items():
            try:
                self.codecs[rules] = asn1tools.compile_dict(copy.deepcopy(parsed), codec).modules[self.module]
            except Exception as error:  # whatever it is, asn1tools does not take the module
                self.refused[rules] = f'{type(error).__name__}: {error}'

    def encode(self, rules, name, node, value):
        """Bytes, or an exception that says why there are none."""
        if rules in self.refused:
            raise ValueError(self.refused[rules])
        if rules not in self.codecs:
            raise ValueError(f'no {rules}')
        compiled = self.codecs[rules][name]
        return bytes(compiled.encode(theirs(node, value)))

    def decode(self, rules, name, octets):
        """What it makes of a message."""
        return self.codecs[rules][name].decode(octets)


def theirs(node, value):
    """A value in the form of asn1tools."""
    kind = node.kind
    if kind == 'UTCTime':
        return datetime.datetime.strptime(value, '%y%m%d%H%M%SZ')
    if kind == 'GeneralizedTime':
        form = '%Y%m%d%H%M%S.%fZ' if '.' in value else '%Y%m%d%H%M%SZ'
        return datetime.datetime.strptime(value, form).replace(tzinfo=datetime.timezone.utc)
    if kind in ('OBJECT IDENTIFIER', 'RELATIVE-OID'):
        return '.'.join(map(str, value))
    if kind in ('SEQUENCE', 'SET'):
        return {name: theirs(part.node, value[name]) for name, part in node.parts.items() if name in value}
    if kind in ('SEQUENCE OF', 'SET OF'):
        return [theirs(node.element, item) for item in value]
    if kind == 'CHOICE':
        return value[0], theirs(node.parts[value[0]].node, value[1])
    return value
