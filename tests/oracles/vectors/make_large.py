"""Modules of what made-up ones seldom reach: fragments of 16K, and more parts than a bitmap's short form holds."""

from .model import Constraint, CONTEXT, Group, Member, Module, Schema, Type


def sized(low, high, extensible=False):
    return Constraint(('size', Constraint(('range', low, False, high, False), extensible)))


def letters(text):
    return Constraint(('from', Constraint(('value', text))))


def strings(kind, **more):
    """A string type without and with bounds, all of them allowing 16K."""
    return [
        Type(kind, **more),
        Type(kind, constraints=[sized(0, 70000)], **more),
        Type(kind, constraints=[sized(1, None)], **more),
        Type(kind, constraints=[sized(0, 3, True)], **more),
        Type(kind, constraints=[sized(0, 65535)], **more),
        Type(kind, constraints=[sized(32768, 32768)], **more),
        Type(kind, constraints=[sized(65536, 65536)], **more),
    ]


def large_schema(number):
    """Types whose values take fragments."""
    module = Module(f'Large-{number}', ['AUTOMATIC', 'EXPLICIT', 'IMPLICIT'][number % 3])
    types = []
    if number % 3 == 0:
        types += strings('OCTET STRING') + strings('BIT STRING')
    elif number % 3 == 1:
        types += strings('IA5String')[:5] + [Type('IA5String', constraints=[letters('ab')]),
                                             Type('NumericString'), Type('UTF8String'), Type('BMPString'),
                                             Type('VisibleString', constraints=[letters('ABCDE'), sized(0, 80000)]),
                                             Type('UniversalString'), Type('GeneralString')]
    else:
        for element in (Type('BOOLEAN'), Type('INTEGER', constraints=[Constraint(('range', 0, False, 6, False))]),
                        Type('NULL'), Type('OCTET STRING', constraints=[sized(0, 1)])):
            types += [Type('SEQUENCE OF', element=element),
                      Type('SEQUENCE OF', element=element, constraints=[sized(1, 4, True)]),
                      Type('SET OF', element=element, constraints=[sized(0, 65536)])]
    for index, type_ in enumerate(types):
        module.types[f'L{index}'] = type_
    octets, tag = Type('OCTET STRING'), lambda n: (CONTEXT, n, None)
    root = [Member('id', Type('INTEGER').with_tag(tag(0)))]
    module.types['Added'] = Type('SEQUENCE', root=root, additions=[
        Member('flag', Type('BOOLEAN').with_tag(tag(1))),
        Member('data', octets.with_tag(tag(2))),
        Group([Member('more', octets.with_tag(tag(3))), Member('last', Type('NULL').with_tag(tag(4)))]),
    ])
    module.types['Chosen'] = Type('CHOICE', root=[Member('id', Type('INTEGER').with_tag(tag(0)))], additions=[
        Member('data', octets.with_tag(tag(1)))])
    module.types['Pair'] = Type('SEQUENCE', root=[
        Member('one', Type('INTEGER', constraints=[Constraint(('range', 0, False, 7, False))]).with_tag(tag(0))),
        Member('text', Type('IA5String').with_tag(tag(1))),
        Member('two', Type('INTEGER', constraints=[Constraint(('range', 0, False, 7, False))]).with_tag(tag(2)))])
    return Schema([module])


def many_schema(number):
    """Types of very many parts."""
    module = Module(f'Many-{number}', 'AUTOMATIC')
    number = Type('INTEGER', constraints=[Constraint(('range', 0, False, 9, False))])
    for count in (63, 64, 65, 66, 127, 128, 129, 130, 200):
        module.types[f'Optionals{count}'] = Type('SEQUENCE', root=[
            Member(f'a{i}', number, optional=True) for i in range(count)])
        module.types[f'Additions{count}'] = Type('SEQUENCE', root=[Member('a', number)], additions=[
            Member(f'b{i}', number, optional=True) for i in range(count)])
    for count in (2, 63, 64, 65, 66, 127, 128, 129, 130, 255, 256, 257, 300):
        module.types[f'Alternatives{count}'] = Type('CHOICE', root=[Member(f'a{i}', number) for i in range(count)])
        module.types[f'AddedAlternatives{count}'] = Type('CHOICE', root=[Member('a', number)], additions=[
            Member(f'b{i}', number) for i in range(count)])
        module.types[f'Enumerations{count}'] = Type('ENUMERATED', root=[(f'e{i}', None) for i in range(count)])
        module.types[f'AddedEnumerations{count}'] = Type('ENUMERATED', root=[('z', None)], additions=[
            (f'e{i}', None) for i in range(count)])
    return Schema([module])
