"""Infosets as asn1tools has them: `python infosets.py MODULE FOLDER`.

FOLDER holds documents, `NAME.xml`, and messages of them, `NAME.uper`, `NAME.aper` and `NAME.ber`. Each message
is decoded with the module of Appendix A and encoded again, which has to be the same bytes; what it says is put
together as XML here, from the decoded value alone, and held against the document under Canonical XML, with
comments, instructions and references to entities. The DOCTYPE, which Canonical XML leaves out, is held against that of the document.

Prints how many messages were held, and a line for each that is otherwise.
"""

import bz2
import os
import re
import sys
import zlib
from xml.etree.ElementTree import canonicalize
from xml.sax.saxutils import escape, quoteattr

import asn1tools


def unpacked(block):
    """The strings of a block; `None` where nothing here can open it."""
    algorithm = block['compression-algorithm'].split('?')[0]
    octets = block['component-strings-compressed-block']
    if algorithm == 'deflate':
        octets = zlib.decompress(octets)
    elif algorithm == 'bzip2':
        octets = bz2.decompress(octets)
    elif algorithm:
        return None
    assert octets.endswith(b'\0') or not octets
    return octets.decode('utf-8').split('\0')[:-1]


class Document:
    """The XML of a decoded value."""

    def __init__(self, value):
        self.value = value
        self.strings = ['']
        for block in value['component-strings']:
            self.strings += unpacked(block)
        self.names = [None]
        before = {'namespace-name': None, 'prefix': None}
        for name in value['common-names']:
            for part in before:
                if part not in name:
                    before[part] = None
                elif name[part][0] != 'same-as-previous-item':
                    before[part] = self.string(name[part][1])
            self.names.append((before['prefix'], self.string(name['local-name'])))

    def string(self, choice):
        kind, value = choice
        return self.strings[value] if kind == 'component-string-index' else value

    def name(self, choice):
        kind, value = choice
        if kind == 'common-name-index':
            prefix, local = self.names[value]
        else:
            prefix, local = self.string(value.get('prefix', ('', ''))), self.string(value['local-name'])
        return f'{prefix}:{local}' if prefix else local

    def identifier(self, of):
        def literal(field):
            text = self.string(of[field])
            return f"'{text}'" if '"' in text else f'"{text}"'
        public, system = ('public-identifier' in of), ('system-identifier' in of)
        if public:
            return ' PUBLIC ' + literal('public-identifier') + (' ' + literal('system-identifier') if system else '')
        return ' SYSTEM ' + literal('system-identifier') if system else ''

    def instruction(self, of):
        content = self.string(of['content'])
        return '<?' + self.string(of['target']) + (' ' + content if content else '') + '?>'

    def doctype(self):
        """The content of `<!DOCTYPE >`, or nothing."""
        for kind, child in self.value['children']:
            if kind == 'element':
                root = self.name(child['name'])
            if kind == 'document-type-declaration':
                declaration = child
        if not any(kind == 'document-type-declaration' for kind, _ in self.value['children']):
            return None
        instructions = declaration['children']
        if instructions and self.string(instructions[0]['target']) == 'lengthwise-doctype':
            return self.string(instructions[0]['content']).replace('?&gt;', '?>').replace('&amp;', '&')
        inside = ''
        for notation in self.value['notations']:
            inside += f"<!NOTATION {self.string(notation['name'])}{self.identifier(notation)}>"
        for entity in self.value['unparsed-entities']:
            name, notation = self.string(entity['name']), self.string(entity['notation-name'])
            inside += f'<!ENTITY {name}{self.identifier(entity)} NDATA {notation}>'
        inside += ''.join(self.instruction(instruction) for instruction in instructions)
        return root + self.identifier(declaration) + (f' [{inside}]' if inside else '')

    def xml(self):
        return ''.join(self.child(kind, child) for kind, child in self.value['children'])

    def child(self, kind, child):
        if kind == 'element':
            return self.element(child)
        if kind == 'characters':
            assert child['characters'][0] == 'characters'
            return self.text(child['characters'][1])
        if kind == 'comment':
            return '<!--' + self.string(child['content']) + '-->'
        if kind == 'processing-instruction':
            return self.instruction(child)
        if kind == 'unexpanded-entity-reference':
            return self.reference(child)
        assert kind == 'document-type-declaration', kind
        # Python's Canonical XML has the comments and instructions in it.
        return f'<!DOCTYPE {self.doctype()}>'

    def reference(self, reference):
        """A reference, as `with_references` writes it. The DOCTYPE has the declaration, if it is known."""
        name, system = self.string(reference['name']), reference['system-identifier']
        assert reference['declaration-base-URI'] == ('unknown', None)
        if system[0] == 'unknown':
            assert reference['public-identifier'] == ('unknown', None)
            assert f'<!ENTITY {name} ' not in self.doctype()
        else:
            known = {field: reference[field][1] for field in reference if field != 'declaration-base-URI'}
            known.pop('name')
            assert f'<!ENTITY {name}{self.identifier(known)}>' in self.doctype()
        return f'<?entity {name}?>'

    def text(self, choice):
        return escape(self.string(choice), {'\r': '&#13;'})

    def element(self, element):
        name = self.name(element['name'])
        tag = name
        for attribute in element.get('namespace-attributes', []) + element.get('attributes', []):
            value = quoteattr(self.string(attribute['normalized-value']),
                              {'\r': '&#13;', '\n': '&#10;', '\t': '&#9;'})
            tag += ' ' + self.name(attribute['name']) + '=' + value
        kind, children = element['children']
        if kind == 'element-content-characters':
            inside = self.text(children)
        else:
            inside = ''.join(self.child(*child) for child in children)
        return f'<{tag}>{inside}</{name}>'


def with_references(source):
    """A document that Python can read: references to entities in content are instructions."""
    at = source.find(']>') + 2 if '<!DOCTYPE ' in source else 0
    return source[:at] + re.sub('&(ext|pub|none);', r'<?entity \1?>', source[at:])


def canonical(text):
    return canonicalize(text, with_comments=True)


def held(codec, message, source):
    """What is wrong with a message of a document; `None` if nothing is, `False` if it is unknown."""
    value = codec.decode('Document', message)
    if codec.encode('Document', value) != message:
        return 'other bytes'
    if any(unpacked(block) is None for block in value['component-strings']):
        return None
    document = Document(value)
    at = source.find('<!DOCTYPE ')
    doctype = document.doctype()
    if (doctype is None) != (at < 0) or doctype is not None and not source[at + 10:].startswith(doctype + '>'):
        return f'another DOCTYPE: {doctype}'
    try:
        expected = canonical(with_references(source))
    except SyntaxError:
        # Names that no namespaces allow.
        return False
    return None if canonical(document.xml()) == expected else 'another document'


def main(module, folder):
    sys.setrecursionlimit(10_000)
    with open(module, encoding='utf-8') as file:
        # Nothing of ours has references to elements, the one place of a type that asn1tools lacks.
        notation = file.read().replace('RELATIVE-OID', 'OBJECT IDENTIFIER')
    codecs = {rules: asn1tools.compile_string(notation, codec)
              for rules, codec in [('uper', 'uper'), ('aper', 'per'), ('ber', 'ber')]}
    count = untold = 0
    wrong = []
    for file in sorted(os.listdir(folder)):
        name, rules = os.path.splitext(file)
        if rules == '.xml':
            continue
        with open(os.path.join(folder, name + '.xml'), encoding='utf-8', newline='') as document:
            source = document.read()
        with open(os.path.join(folder, file), 'rb') as message:
            found = held(codecs[rules[1:]], message.read(), source)
        count += 1
        if found is False:
            untold += 1
        elif found:
            wrong.append(f'{file}: {found}')
    print(count, untold)
    print('\n'.join(wrong))


if __name__ == '__main__':
    main(*sys.argv[1:])
