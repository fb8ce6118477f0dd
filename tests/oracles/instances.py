"""Instances of XML as asn1tools and pycrate encode them: `python instances.py FOLDER TIMES`.

FOLDER holds modules that a mapping of X.694 made, `N.asn1`, and instances of each, `N.tsv`: a line has the
document, its type, its value in JSON (X.697), and our messages in UPER, APER, BER and DER, in hexadecimal.
Both libraries read the JSON by the type, encode the value, and decode our messages.

What they lack is put right here, and nothing else:

* TIME: neither has it. PER encodes a time as a type of X.691 clause 32; TIMES is a module of those, and
  `Mixed` in it, for settings that leave more than one row, replaces TIME. BER of such modules is left out.
* REAL of base 10, which X.694 has for decimals (X.690 8.5.8, 11.3.2: the third form of ISO 6093, no zeros at
  either end). asn1tools writes every REAL in base 2, which is another value; pycrate writes base 10, but an
  exponent of zero as Python shows octets, and has defaults in base 10 whatever the type says.
* REAL of base 2: asn1tools puts a zero octet in front of a mantissa of whole octets (X.690 11.3.1).
* REAL in JSON: asn1tools refuses whole numbers, and pycrate does not come to an end with a fraction.
* Constraints at a reference, which neither sees: see `resolved`.
* Constraints of UTF8String and REAL, which PER does not look at: pycrate does not read them.

Prints a line for each document and library, parted by tabs: `same` for each of the rules, `-` where nothing is
to be held, `as known: ` and why for an entry of FAULTS, or what is otherwise.
"""

import contextlib
import copy
import io
import json
import logging
import os
import re
import sys
import tempfile
from decimal import Decimal

import asn1tools
from asn1tools.codecs import ber, der, jer, per, uper
from pycrate_asn1c.asnproc import GLOBAL, PycrateGenerator, compile_text, generate_modules
from pycrate_asn1rt.asnobj_basic import REAL
from pycrate_asn1rt.asnobj_construct import CHOICE
from pycrate_asn1rt.codecs import ASN1CodecBER, ASN1CodecPER

logging.disable(logging.WARNING)

RULES = ('uper', 'aper', 'ber', 'der')

PYCRATE_RECURSION = 'pycrate has one object for all values of a type that holds itself, and loses lists in lists'
SHARED_TAGS = 'X.680 29: automatic tags go by the place; asn1tools has one tag for all places of a type that holds itself'
FAULTS = {
    ('kml/kmlsamples.kml', 'pycrate', 'uper'): PYCRATE_RECURSION,
    ('kml/kmlsamples.kml', 'pycrate', 'aper'): PYCRATE_RECURSION,
    ('kml/kmlsamples.kml', 'asn1tools', 'der'): SHARED_TAGS,
    ('kml/gnis-ak-first-101.kml', 'asn1tools', 'der'): SHARED_TAGS,
}
# Of times: how many digits a fraction has is an INTEGER (1..MAX).
SEMI_CONSTRAINED = 'X.691 13.2.3: the offset from the lower bound; asn1tools writes the value'
FAULTS_IN_TIMES = {
    (f'ubl21/UBL-{document}-Example.xml', 'asn1tools', rules): SEMI_CONSTRAINED
    for document in ('Invoice-2.0', 'Forecast-2.1') for rules in ('uper', 'aper')
}


def parts(number):
    """Mantissa and exponent of a decimal number, the mantissa no multiple of ten."""
    sign, digits, exponent = number.as_tuple()
    mantissa = int(''.join(map(str, digits)))
    while mantissa and mantissa % 10 == 0:
        mantissa, exponent = mantissa // 10, exponent + 1
    return (-mantissa if sign else mantissa), exponent


def base_10(number):
    """The contents octets of a decimal number."""
    mantissa, exponent = parts(number)
    return b'\x03%d.E%s' % (mantissa, b'%d' % exponent if exponent else b'+0') if mantissa else b''


def decimal(data):
    """A number of base 10 in JSON, whose floats are read as `Decimal`."""
    return Decimal(data['base10Value'] if isinstance(data, dict) else data)


def year(text):
    """A year as a type of clause 32; whether it is one of few bits."""
    number = int(text)
    if text[0] in '+-':
        return number, False
    ranges = (('n', 2005, 2020), ('f', 2021, 2276), ('p', 1749, 2004))
    return {next((name for name, first, last in ranges if first <= number <= last), 'r'): number}, True


def mixed(text):
    """A time as a value of the CHOICE of all rows; `T` parts a date from a time of day."""
    date, separator, clock = text.partition('T') if ':' not in text or 'T' in text else ('', '', text)
    if separator:
        return {'r33': {'d': date_row(date), 't': clock_row(clock, 'n')}}
    return clock_row(clock, None) if clock else date_row(date)


def date_row(text):
    first, *others = re.fullmatch(r'([+-]?\d+)(?:-(\d\d))?(?:-(\d\d))?', text).groups()
    others = [int(part) for part in others if part]
    number, is_small = year(first)
    row = 'r' + str(3 + 2 * len(others) + (not is_small))
    return {row: {'y': number, **dict(zip('md', others))} if others else number}


def clock_row(text, digits):
    """The row of a time of day with seconds; inside a point of time the number of digits is next to it."""
    found = re.fullmatch(r'(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|([+-])(\d\d):(\d\d))?', text)
    *numbers, fraction, zone, sign, hours, minutes = found.groups()
    clock = dict(zip('hms', map(int, numbers)))
    if fraction:
        clock['f'] = int(fraction)
    if sign:
        difference = {'s': {'+': 'positive', '-': 'negative'}[sign], 'h': int(hours), 'm': int(minutes)}
        if not difference['m']:
            del difference['m']
        clock = {'t': clock, 'z': difference}
    row = 'r' + str((30 if fraction else 21) + (2 if sign else 1 if zone else 0))
    if digits:
        return {**({'n': len(fraction)} if fraction else {}), 't': {row: clock}}
    return {row: {'n': len(fraction), 't': clock} if fraction else clock}


def chosen(data, alternatives):
    """A CHOICE in JSON; a text is a time: of the types that X.694 Annex A has for XML Schema's, or of X.691 clause 32."""
    if not isinstance(data, str):
        return data
    if 'asn1supportedvalue' in alternatives:
        is_other = re.search(r'(Z|[+-]\d\d:\d\d)$|^-P', data)
        return {'othervalues' if is_other else 'asn1supportedvalue': data}
    return mixed(data)


class Asn1tools:
    """The types of a module, by all rules."""

    name = 'asn1tools'
    # Its BER of these modules is its DER.
    rules = ('uper', 'aper', 'der')

    def __init__(self, text, rules):
        parsed = asn1tools.parse_string(text)
        codecs = {'json': jer, 'uper': uper, 'aper': per, 'der': der}
        # Without what checks values before they are encoded, which takes two thirds of the time.
        self.types = {one: codec.compile_dict(copy.deepcopy(parsed))['Merged']
                      for one, codec in codecs.items() if one == 'json' or one in rules}

    def value(self, type_, text):
        return self.types['json'][type_].type.decode(json.loads(text, parse_float=Decimal))

    def encode(self, rules, type_, value):
        return bytes(self.types[rules][type_].encode(value))

    def decode(self, rules, type_, message):
        return self.types[rules][type_].decode(message)


class Decimals(jer.Type):
    """A REAL of base 10 in JSON."""

    def decode(self, data):
        return decimal(data)


class Doubles(jer.Type):
    """A REAL of base 2 in JSON."""

    def decode(self, data):
        return float(data)


def teach_asn1tools():
    compile_type, encode_real, decode_choice = jer.Compiler.compile_type, ber.encode_real, jer.Choice.decode

    def with_reals(self, name, descriptor, module):
        if descriptor['type'] == 'REAL':
            return (Decimals if ('base', 10) in descriptor.get('with-components', ()) else Doubles)(name, 'REAL')
        return compile_type(self, name, descriptor, module)

    def encode(data):
        if isinstance(data, Decimal):
            return base_10(data)
        octets = bytes(encode_real(data))
        start = {0x80: 2, 0x81: 3}.get(octets[0] & 0xbf, 0) if octets else 0
        return octets[:start] + octets[start:].lstrip(b'\0') if start else octets

    jer.Compiler.compile_type = with_reals
    jer.Choice.decode = lambda self, data: decode_choice(self, chosen(data, self.name_to_member))
    for module in (ber, der, per):
        module.encode_real = encode
    ber.decode_real_decimal = lambda data: Decimal(data[1:].decode('ascii'))


class Pycrate:
    """The same of pycrate."""

    name = 'pycrate'
    rules = RULES
    decimals = set()

    def __init__(self, text, _rules):
        Pycrate.decimals = aliases(text, re.findall(r'^(\S+) ::= REAL \([^)]*base \(10\)', text, re.MULTILINE))
        namespace = {}
        with contextlib.redirect_stdout(io.StringIO()), tempfile.NamedTemporaryFile('r', suffix='.py') as made:
            GLOBAL.clear()
            compile_text(without_constraints(text, 'UTF8String', 'REAL'))
            generate_modules(PycrateGenerator, made.name)
            GLOBAL.clear()
            exec(compile(made.read(), made.name, 'exec'), namespace)
        self.types = namespace['Merged']
        for record in self.types._all_:
            for component in (getattr(record, '_cont', None) or {}).values() if record.TYPE == 'SEQUENCE' else ():
                if component.TYPE == 'REAL' and component._def and not is_decimal(component):
                    component._def = binary(component._def[0] * 10 ** component._def[2])

    def type(self, name):
        return getattr(self.types, name.replace('-', '_'))

    def value(self, type_, text):
        type_ = self.type(type_)
        type_._from_jval(json.loads(text, parse_float=Decimal))
        return type_.get_val()

    def encode(self, rules, type_, value):
        type_ = self.type(type_)
        ASN1CodecPER._off.clear()
        type_.set_val(value)
        return bytes(getattr(type_, 'to_' + rules)())

    def decode(self, rules, type_, message):
        type_ = self.type(type_)
        ASN1CodecPER._off.clear()
        getattr(type_, 'from_' + rules)(message)
        return type_.get_val()


def is_decimal(real):
    """Whether a REAL of pycrate refers to a type of base 10."""
    return real._typeref is not None and real._typeref.called[-1] in Pycrate.decimals


def binary(number):
    """Mantissa, base and exponent of a double."""
    mantissa, denominator = float(number).as_integer_ratio()
    exponent = 1 - denominator.bit_length()
    while mantissa and mantissa % 2 == 0:
        mantissa, exponent = mantissa // 2, exponent + 1
    return (mantissa, 2, exponent) if mantissa else ASN1CodecBER.DEC_REALNULL


def teach_pycrate():
    encode_cont, choice_from_json = REAL._encode_cont, CHOICE._from_jval

    def real_from_json(self, value):
        if is_decimal(self):
            mantissa, exponent = parts(decimal(value))
            self._val = (mantissa, 10, exponent) if mantissa else ASN1CodecBER.DEC_REALNULL
        else:
            self._val = binary(value)

    def contents(self):
        octets = encode_cont(self)
        return octets.replace(b"b'+0'", b'+0') if octets.endswith(b"b'+0'") else octets

    REAL._from_jval = real_from_json
    REAL._encode_cont = contents
    CHOICE._from_jval = lambda self, value: choice_from_json(self, chosen(value, self._cont))


def aliases(text, types):
    """These types, and those that are another name of them."""
    names = set(types)
    assigned = re.findall(r'^(\S+) ::= (\S+)', text, re.MULTILINE)
    while more := {name for name, type_ in assigned if type_ in names} - names:
        names |= more
    return names


def resolved(text):
    """A module without PER-visible constraints on references.

    `A (B)` becomes `B`, which has the constraints of both, and `A (FROM ...)` of a VisibleString becomes
    `VisibleString (FROM ...)`: its characters are asserted to be characters of `A`.
    """
    assigned = r'^(\S+) ::= VisibleString \(FROM \(("[^()]*)\)\)'
    alphabets = {name: set(characters(alphabet)) for name, alphabet in re.findall(assigned, text, re.MULTILINE)}

    def with_alphabet(found):
        name, alphabet = found.groups()
        assert set(characters(alphabet)) <= alphabets[name], found.group()
        return f'VisibleString (FROM ({alphabet}))'

    text = re.sub(r'(M\d+-[\w-]+) \(FROM \(("[^()]*)\)\)', with_alphabet, text)
    return re.sub(r'M\d+-[\w-]+ \((M\d+-[\w-]+)\)', r'\1', text)


def characters(alphabet):
    """The characters of an alphabet: `"0".."9" | "Z:+-"`."""
    for part in alphabet.split('|'):
        first, *last = re.findall(r'"(.*?)"', part)
        yield from map(chr, range(ord(first), ord(last[0]) + 1)) if last else first


def end_of_parentheses(text, at):
    """Where the parenthesis that opens at a place is closed."""
    depth, is_quoted = 0, False
    while True:
        is_quoted ^= text[at] == '"'
        depth += 0 if is_quoted else {'(': 1, ')': -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


def without_constraints(text, *types, instead=None):
    """A module without the constraints of types that come down to these; `instead` as another type."""
    names = aliases(text, types)
    out, at = [], 0
    for found in re.finditer(r'(\S+) (?=\()', text):
        if found.start() >= at and found.group(1) in names:
            out += text[at:found.start()], instead or found.group(1)
            at = end_of_parentheses(text, found.end())
    return ''.join(out) + text[at:]


def with_times(text, times):
    """A module in which `Mixed` replaces TIME."""
    types = times[times.index('BEGIN') + len('BEGIN'):times.rindex('END')]
    text = without_constraints(text, 'TIME', instead='Mixed')
    return text[:text.rindex('END')] + types + 'END\n'


def held(library, rules, type_, value, message):
    """`same`, or what is otherwise."""
    try:
        written = library.encode(rules, type_, value)
        if written != message:
            at = len(os.path.commonprefix([written, message]))
            return f'{len(written)} octets, not {len(message)}, others from {at} on'
        return 'same' if library.decode(rules, type_, message) == value else 'another value'
    except Exception as error:  # whatever it is, the library does not encode or decode the value
        return f'{type(error).__name__}: {error}'[:500]


def answer(found, known):
    """What is said of one message; a fault that is no longer one is something else as well."""
    if known:
        return f'as known: {known}' if found != 'same' else 'same, though a fault is known'
    return found


def main(folder, times):
    sys.setrecursionlimit(10_000)
    teach_asn1tools()
    teach_pycrate()
    with open(times, encoding='utf-8') as file:
        times = file.read()
    for module in sorted(name[:-5] for name in os.listdir(folder) if name.endswith('.asn1')):
        with open(os.path.join(folder, module + '.asn1'), encoding='utf-8') as file:
            text = resolved(file.read())
        with open(os.path.join(folder, module + '.tsv'), encoding='utf-8') as file:
            instances = [line.split('\t') for line in file.read().splitlines()]
        rules, faults = RULES, FAULTS
        if ' TIME (' in text:
            text, rules, faults = with_times(text, times), RULES[:2], {**FAULTS, **FAULTS_IN_TIMES}
        for library in (Asn1tools(text, rules), Pycrate(text, rules)):
            for document, type_, value, *messages in instances:
                value = library.value(type_, value)
                said = []
                for one, message in zip(RULES, messages):
                    if one in rules and one in library.rules:
                        found = held(library, one, type_, value, bytes.fromhex(message))
                        said.append(answer(found, faults.get((document, library.name, one))))
                    else:
                        said.append('-')
                print(document, library.name, *said, sep='\t')


if __name__ == '__main__':
    main(*sys.argv[1:])
