"""What each oracle is known to do otherwise than the Recommendation, by the notes of the reference.

Every entry is (rules, note, why). A disagreement that no entry explains makes `make oracles` fail.
"""

PER = ('uper', 'aper')
BER = ('ber', 'der')
OER = ('oer', 'coer')
CER = ('cer',)
ALL = PER + BER + OER + CER

FAULTS = {
    'asn1tools': [
        (OER, 'extensible constraint', 'X.696 8.2: it is not visible; asn1tools sees that a lower bound is not below zero'),
        (OER, 'set out of order', 'X.696 18.1: in the order of tags; asn1tools goes by the text'),
        (OER, 'additions left out', 'X.696 16.4: a bit for every addition; asn1tools shifts the bits where a mandatory one is '
              'missing'),
        (OER, 'eight additions', 'X.696 16.4: no unused bits; asn1tools says eight'),
        (OER, 'constrained UniversalString', 'X.696 27: of a fixed size, without a length; asn1tools does not see its '
              'constraints'),
        (OER, 'BMPString of one size', 'X.696 27: of a fixed size, without a length; asn1tools does not see its constraints'),
        (OER, 'UTF8String of one size', 'X.696 27: always with a length, as characters have one to four octets; asn1tools leaves it '
              'out where their number is fixed'),
        (OER, 'untagged choice in a choice', 'X.696 20.1: its tag comes twice; asn1tools gives it no tag'),
        (OER, 'named bits trimmed', 'X.696 13.1 with X.680 22.7: trailing zero bits are not part of the value; asn1tools leaves '
              'them'),
        (('oer',), 'time on the minute', 'X.680 46.3: seconds may be left out; asn1tools leaves out zero ones'),
        (OER, 'addition group', 'X.696 16.5: a group is one addition; asn1tools writes each of its components by itself'),
        (PER, 'empty message', 'X.691 11.1.3: a message of no bits is one zero octet; asn1tools writes nothing'),
        (PER, 'empty open type', 'X.691 11.2.1 with 11.1.3: an open type has one octet at least; asn1tools writes none'),
        (('aper',), 'empty string', 'X.691 11.9.3.3: nothing, no padding either, follows a length of zero; asn1tools pads'),
        (('aper',), 'short string not aligned', 'X.691 30.5.7: aligned where the upper bound takes 16 bits or more; '
                    'asn1tools goes by the bound alone'),
        (PER, 'semi-constrained integer', 'X.691 13.2.3: the offset from the lower bound; asn1tools writes the value'),
        (PER + OER, 'union of values', 'X.691 10.3.21: bounds of the whole union; asn1tools takes the first part'),
        (PER + OER, 'intersection of values', 'X.691 10.3.21: bounds of what is in all parts; asn1tools takes the first part'),
        (PER + OER, 'union of sizes', 'X.691 10.3.21: bounds of the whole union; asn1tools takes the first part'),
        (PER, 'constrained UniversalString', 'X.691 30.5: a known-multiplier type; asn1tools does not see its constraints'),
        (PER + OER, 'constrained more than once', 'X.680 50.8: the constraints meet; asn1tools takes one of them'),
        (PER, 'alphabet without indexes', 'X.691 30.5.4 a: characters by their codes where these fit; asn1tools numbers them'),
        (PER + OER, 'addition with its default', 'X.691 19.5: a default is not encoded; asn1tools encodes it in an addition'),
        (PER, 'choice out of order', 'X.691 23.2: indexes go by the tags; asn1tools goes by the text'),
        (PER + OER, 'extensibility implied', 'X.680 13.4: in every type; asn1tools only where it looks'),
        (ALL, 'mantissa of whole octets', 'X.690 11.3.1: the mantissa in the fewest octets; asn1tools puts a zero octet first'),
        (BER + OER, 'second root list', 'X.680 25.10 d: automatic tags number the whole root first; asn1tools goes by the text'),
        (('der',), 'set of out of order', 'X.690 11.6: sorted in DER; asn1tools does not sort'),
        (('der',), 'set out of order', 'X.690 10.3: in the order of tags; asn1tools does not sort'),
        (PER + OER, 'constrained at a reference', 'X.680 49.2: the type is constrained further; asn1tools does not see it'),
        (ALL, 'default of a named type', 'X.691 19.5, X.690 11.5: the default is not encoded; asn1tools does not know '
              'the default of a named type by its value'),
        (BER, 'choice tagged again', 'X.680 31.2.7: only an untagged CHOICE is always tagged explicitly; asn1tools tags every one so'),
        (('uper',), 'character string outside the root', 'X.691 30.4: the bit is one, and no bounds hold; asn1tools writes zero'),
        (ALL, 'minus zero', 'X.690 8.5.9: minus zero has an octet of its own; asn1tools writes plus zero'),
        (('der',), 'named bits trimmed', 'X.690 11.2.2: no trailing zero bits in DER; asn1tools leaves them'),
        (ALL, 'default in an addition group', 'X.691 19.5, X.690 11.5: the default is not encoded; asn1tools does not '
              'read the notation of a default in a group'),
        (ALL, 'default of digits', 'X.691 19.5, X.690 11.5: the default is not encoded; asn1tools takes "42" for a number'),
        (('aper',), 'more than 64 additions', 'X.691 11.9.3.4 with 11.9.3.6: the length is aligned; asn1tools does not align it'),
        (('aper',), 'part of NumericString', 'X.691 30.5.4 b: indexes in the permitted alphabet; asn1tools counts in the whole one'),
        (('aper',), 'one character of 16 bits', 'X.691 30.5.7: aligned where the upper bound takes 16 bits; '
                    'asn1tools goes by the bound alone'),
        (('aper',), 'more than 255 enumerations', 'X.691 14.2 with 11.5.7: aligned from 256 on; asn1tools does not align them'),
        (ALL, 'default of bits or octets', 'X.691 19.5, X.690 11.5: the default is not encoded; asn1tools does not read '
              'the notation of these everywhere, and moves trailing zero bits to the front'),
        (PER + OER, 'contained subtype', 'X.691 10.3: its bounds are visible; asn1tools does not see them'),
        (ALL, 'default with blanks', 'X.680 12.14: blanks are part of a string; asn1tools loses those at its ends'),
        (('aper',), 'index over 63', 'X.691 11.6.2 with 11.9.3.6: the length is aligned; asn1tools does not align it'),
        (('ber',), 'time on the minute', 'X.690 8.25: seconds may be left out in BER; asn1tools leaves out zero ones'),
        (PER, 'addition group of no bit', 'X.691 19.9: a group is missing where all of its components are; asn1tools leaves '
              'it out where those that are there take no bits'),
        (PER, 'open type in fragments', 'X.691 11.2.1 with 11.9.3.8: an open type of 16K octets or more is cut up; asn1tools '
              'cuts nothing up'),
        (PER, 'fragments outside the root', 'X.691 16.6, 17.3, 20.4 with 11.9.3.8: cut up as without a bound; asn1tools '
              'cuts nothing up'),
        (('aper',), 'list in fragments', 'X.691 11.9.3.8: every length is aligned; asn1tools aligns the first'),
    ],
    'rasn': [
        (OER, 'set with a preamble', 'X.696 18 with 16.2: the preamble comes right before the components; rasn collects these from '
              'its buffer, with what is in front of the SET, and puts the preamble in front of that'),
        (OER, 'list in a set', 'X.696 17 and 18: a quantity, then every item; rasn takes items for components of the SET, '
              'by their tags, and loses some'),
        (OER, 'choice in a set', 'X.696 18 with 20.1: a CHOICE begins with its tag; rasn writes a choice in a SET without it'),
        (OER, 'root without components', 'X.696 16.2: a preamble, in front; rasn writes an octet in front, and puts the preamble '
              'after the additions'),
        (OER, 'set of out of order', 'X.696 19: in any order, and in CANONICAL-OER by the encodings; rasn sorts neither, and had the '
              'value from DER, in its order'),
        (OER, 'second root list', 'X.696 16.1: all of the root comes before the additions; rasn writes components as in the text'),
        (OER, 'record in a set', 'X.696 18.1: in the order of tags; rasn writes a SEQUENCE in a SET in front of the others'),
        (OER, 'additions in an addition', 'X.696 16.4 and 16.5: an addition is an open type, after the root; where its value has '
              'additions or an added alternative itself, rasn writes these over the octets of the root'),
        (OER, 'tag of several octets', 'X.696 8.7.2.3: the most significant bits of a tag number first; rasn writes its bits in '
              'reverse'),
        (OER, 'named bits trimmed', 'X.696 13.1 with X.680 22.7: trailing zero bits are not part of the value; rasn has no '
              'named bits'),
        (CER, 'named bits trimmed', 'X.690 11.2.2: no trailing zero bits in CER; rasn has no named bits'),
        (CER, 'addition group', 'X.690 8.9.2: each component by itself, brackets do not show; rasn writes a SEQUENCE for them'),
        (ALL, 'addition that may have its default', 'X.691 19.5, X.690 11.5: a default is not encoded; rasn writes it where '
              'it belongs to an extension'),
        (('ber',), 'set of out of order', 'X.690 8.12.3: any order does in BER; rasn sorts, the reference does not'),
        (PER, 'set of', 'X.691 22.1: BASIC-PER keeps the order; rasn had the value from DER, which sorts'),
        (('der',), 'named bits trimmed', 'X.690 11.2.2: no trailing zero bits in DER; rasn has no named bits'),
        (PER, 'named bits trimmed', 'X.691 16.2, 16.3: trailing zero bits are not part of the value; rasn has no named bits'),
        (('ber',), 'named bits', 'X.680 22.7: trailing zero bits are not part of the value; rasn had it from DER, without them'),
        (('aper',), 'set out of order', 'X.691 21.1: components are put in order and then encoded; rasn aligns them in the '
                    'order of the text'),
        (('aper',), 'set with presence bits', 'X.691 21.1: encoded as a SEQUENCE, aligned from the start of the message; rasn puts '
                    'components and the bits in front of them together after aligning'),
        (PER, 'addition group', 'X.691 19.9; where rasn does not read the message in UPER it had the value from DER, and misses '
              'the SEQUENCE it looks for'),
        (PER, 'named bits filled up', 'X.691 16.3: the fewest zero bits that SIZE asks for; rasn had it from DER, without them, and takes it '
              'for a size outside the root'),
        (('aper',), 'more than 255 enumerations', 'X.691 14.2 with 11.5.7: aligned from 256 on; rasn does not align them'),
        (PER, 'choice in a set', 'X.691 21.1: a tagged CHOICE is ordered by its tag; rasn orders it by the alternative'),
        (BER, 'addition group', 'X.690 8.9.2: each component by itself, brackets do not show; rasn writes a SEQUENCE for them'),
    ],
    'pycrate': [
    ],
}


def explained(oracle, rules, notes):
    """The entries that may explain a disagreement."""
    return [(note, why) for where, note, why in FAULTS[oracle] if rules in where and note in notes]
