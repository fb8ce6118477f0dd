"""Compares messages of whole protocols with pycrate: made by `lengthwise example`, decoded and encoded by pycrate.

    python protocols.py LENGTHWISE SETS COUNT [PROTOCOL...]

SETS is the directory of pycrate's collection of modules. For each protocol COUNT messages are made, with open types and the
content of strings as values down to the leaves. pycrate has to decode each, to encode it to the same octets, and to have
the same values: those of its JSON and of `lengthwise convert -t json`, without the forms in which the two differ. A
difference without an entry in EXPLAINED fails the run.
"""

import collections
import importlib
import json
import pathlib
import subprocess
import sys

# Rules, set of modules, our type, and pycrate's module and type.
PROTOCOLS = {
    'ngap': ('aper', '3GPP_NR_NGAP_38413', 'NGAP-PDU', 'NGAP', 'NGAP_PDU_Descriptions.NGAP_PDU'),
    's1ap': ('aper', '3GPP_EUTRAN_S1AP_36413', 'S1AP-PDU', 'S1AP', 'S1AP_PDU_Descriptions.S1AP_PDU'),
    'ranap': ('aper', '3GPP_UTRAN_RANAP_25413', 'RANAP-PDU', 'RANAP', 'RANAP_PDU_Descriptions.RANAP_PDU'),
    'rrc-dl': ('uper', '3GPP_NR_RRC_38331', 'DL-DCCH-Message', 'RRCNR', 'NR_RRC_Definitions.DL_DCCH_Message'),
    'rrc-ul': ('uper', '3GPP_NR_RRC_38331', 'UL-DCCH-Message', 'RRCNR', 'NR_RRC_Definitions.UL_DCCH_Message'),
    'dsrc': ('uper', 'ETSI_ITS_IS_TS103301', 'MAPEM', 'ITS_IS', 'MAPEM_PDU_Descriptions.MAPEM'),
    # By the modules of 1988, whose open types select nothing, and by those of 2009.
    'certificate-88': ('ber', 'IETF_PKI_RFC5280', 'Certificate', 'PKIX1', 'PKIX1Explicit88.Certificate'),
    'certificate': ('ber', 'IETF_PKI_RFC5912', 'PKIX1Explicit-2009.Certificate', 'RFC5912', 'PKIX1Explicit_2009.Certificate'),
    'crl': ('ber', 'IETF_PKI_RFC5912', 'PKIX1Explicit-2009.CertificateList', 'RFC5912', 'PKIX1Explicit_2009.CertificateList'),
    'cms': ('ber', 'IETF_PKI_RFC5912', 'CryptographicMessageSyntax-2009.ContentInfo', 'RFC5912',
            'CryptographicMessageSyntax_2009.ContentInfo'),
    'map': ('ber', '3GPP_MAP_29002', 'InsertSubscriberDataArg', 'MAP', 'MAP_MS_DataTypes.InsertSubscriberDataArg'),
}

# Why the two may differ, by words of what is said of it.
EXPLAINED = {
    'around an otherName': 'pycrate cannot read a GeneralName that is an INSTANCE OF, and takes what holds it for unknown',
    'cannot write what it has read': 'pycrate has one object for all values of an open type, and writes one by the type of another',
    'a value that contains itself': 'pycrate has one object for all values of a recursive type, and writes the innermost',
}


def lengthwise(program, sets, arguments, text=None):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f'{" ".join(arguments)}: {done.stderr[:1000]}')
    return done.stdout.split('\n')[:-1]


def by_pycrate(pdu, rules, message):
    """What pycrate makes of a message: its octets, or what it has against it."""
    read, write = {'aper': (pdu.from_aper, pdu.to_aper), 'uper': (pdu.from_uper, pdu.to_uper),
                   'ber': (pdu.from_ber, pdu.to_der)}[rules]
    try:
        read(message)
    except Exception as error:  # pylint: disable=broad-except
        return None, f'pycrate refuses: {type(error).__name__}: {str(error)[:100]}'
    try:
        return write(), None
    except Exception as error:  # pylint: disable=broad-except
        return None, f'pycrate cannot write what it has read: {type(error).__name__}: {str(error)[:60]}'


def unknown(value):
    """Whether an open type has stayed octets in a value of pycrate."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str):
            if one[0].startswith('_unk'):
                return True
            waiting.append(one[1])
        elif isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return False


class Encoding(str):
    """A value of no known type in hexadecimal digits. pycrate writes its contents, in a string the whole."""

    def contents(self):
        length = int(self[2:4], 16)
        return self[4 + (2 * (length & 0x7F) if length & 0x80 else 0):]


def plain(value):
    """A value of JSON without the forms that the two write differently: the case of hexadecimal digits; bits of a fixed
    size that is extensible, which are no string by X.697 24.2; the member of a value in a string, which is `containing` by
    X.697 and the name of the type in pycrate."""
    if isinstance(value, dict):
        if set(value) == {'value', 'length'}:
            return plain(value['value'])
        if is_octets(value):
            rules, digits = next(iter(value.items()))
            return Encoding(digits.lower()) if rules == 'ber' else digits.lower()
        if set(value) == {'containing'} and is_octets(value['containing']):
            return plain(value['containing'])
        if len(value) == 1 and (next(iter(value)) == 'containing' or next(iter(value))[0].isupper()):
            return {'containing': plain(next(iter(value.values())))}
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value.lower() if isinstance(value, str) else value


def difference(one, other, path=''):
    """Where two values differ first; None if they do not."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            if name not in one or name not in other:
                return f'{path}/{name}'
            found = difference(one[name], other[name], f'{path}/{name}')
            if found:
                return found
        return None
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        found = (difference(*both, f'{path}/{place}') for place, both in enumerate(zip(one, other)))
        return next((found for found in found if found), None)
    if isinstance(one, Encoding) and one.contents() == other:
        return None
    return None if one == other else f'{path}: {str(one)[:60]} and {str(other)[:60]}'


def recurs(value, outer=frozenset()):
    """Whether the value in a string has a component that is also around the string."""
    if isinstance(value, list):
        return any(recurs(inner, outer) for inner in value)
    if not isinstance(value, dict):
        return False
    inside = value.get('containing')
    if isinstance(inside, dict) and names(inside) & outer:
        return True
    return any(recurs(inner, outer | {name}) for name, inner in value.items())


def names(value):
    """The names of all components of a value."""
    if isinstance(value, list):
        return frozenset().union(*map(names, value))
    return frozenset(value).union(*map(names, value.values())) if isinstance(value, dict) else frozenset()


def is_octets(value):
    """Whether a value of our JSON is an open type that has stayed octets."""
    return isinstance(value, dict) and len(value) == 1 and next(iter(value)) in ('ber', 'per')


def keeps(value):
    """Whether an open type has stayed octets in our JSON."""
    if isinstance(value, list):
        return any(map(keeps, value))
    return isinstance(value, dict) and (is_octets(value) or any(map(keeps, value.values())))


def compared(pdu, value):
    """Compares the values of a message that both read and write alike."""
    other = difference(plain(value), plain(json.loads(pdu.to_jer())))
    if unknown(pdu.get_val()) and (other or not keeps(value)):
        of = ' around an otherName' if 'otherName' in str(value) else ''
        return f'pycrate keeps octets of an open type{of}'
    return f'pycrate has another value: {other}' if other else 'same'


def compare(program, sets, count, name):
    rules, folder, root, module, path = PROTOCOLS[name]
    schema = ['-s', str(sets / folder), '--root', root]
    made = ['example', *schema, '-t', 'der' if rules == 'ber' else rules, '--to-framing', 'hex-lines', '-q']
    pdu = importlib.import_module(f'pycrate_asn1dir.{module}')
    for part in path.split('.'):
        pdu = getattr(pdu, part)
    tally, shown = collections.Counter(), {}
    part = 5000
    for first in range(0, count, part):
        lines = lengthwise(program, sets, [*made, '--count', str(min(part, count - first)), '--seed', str(first)])
        read = ['convert', '-', '--framing', 'hex-lines', '-f', rules, '-t', 'json', *schema, '-q', '--no-verify']
        values = lengthwise(program, sets, read, '\n'.join(lines) + '\n')
        for number, (line, value) in enumerate(zip(lines, values, strict=True)):
            message = bytes.fromhex(line)
            again, fault = by_pycrate(pdu, rules, message)
            if fault:
                said = fault
            elif again != message:
                same = not difference(plain(json.loads(value)), plain(json.loads(pdu.to_jer())))
                of = ' of a value that contains itself' if same and recurs(json.loads(value)) else ''
                said = f'pycrate writes other octets{of}'
            else:
                said = compared(pdu, json.loads(value))
            tally[said] += 1
            if said not in shown or len(line) < len(shown[said][1]):
                shown[said] = (first + number, line)
    failed = 0
    for said, number in tally.most_common():
        why = next((why for words, why in EXPLAINED.items() if words in said), None)
        print(f'{name}: {number} {said}' + (f' ({why})' if why else ''))
        if said != 'same' and not why:
            failed += number
            print(f'    the shortest, of seed {shown[said][0]}: {shown[said][1][:400]}')
    return failed


def main():
    # Of TeletexString, pycrate writes JSON as of octets, which fails.
    strings = importlib.import_module('pycrate_asn1rt.asnobj_str')
    strings.STR_TELE._to_jval = strings.STR_UTF8._to_jval  # pylint: disable=protected-access
    program, sets, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    names = sys.argv[4:] or PROTOCOLS
    failed = sum(compare(program, sets, count, name) for name in names)
    sys.exit(1 if failed else 0)


main()
