"""Modules as Rust source for rasn: a type for every node, each with its own tags and constraints."""

from .effective import ALPHABETS
from .model import NOTHING, UNIVERSAL

CLASS_WORDS = ['universal', 'application', 'context', 'private']
LEAVES = {
    'BOOLEAN': 'bool', 'NULL': '()', 'INTEGER': 'Integer', 'REAL': 'f64', 'BIT STRING': 'BitString',
    'OCTET STRING': 'OctetString', 'OBJECT IDENTIFIER': 'ObjectIdentifier', 'UTF8String': 'Utf8String',
    'NumericString': 'NumericString', 'PrintableString': 'PrintableString', 'VisibleString': 'VisibleString',
    'IA5String': 'Ia5String', 'BMPString': 'BmpString', 'GeneralString': 'GeneralString',
    'GraphicString': 'GraphicString', 'TeletexString': 'TeletexString', 'UTCTime': 'UtcTime',
    'GeneralizedTime': 'GeneralizedTime',
}
DERIVE = '#[derive(AsnType, Decode, Encode, Debug, Clone, PartialEq{})]'


class Unsupported(Exception):
    """Why rasn has no such type."""


class Source:
    """The Rust module of a schema."""

    def __init__(self, resolver):
        self.resolver = resolver
        self.items, self.names, self.open, self.failed, self.hashable = [], {}, set(), {}, {}

    def add(self, name):
        """The Rust name of a type of the first module, or an `Unsupported`."""
        mark = len(self.items), dict(self.names)
        try:
            return self.node(self.resolver.named(name))
        except Unsupported as why:
            # nothing half written stays
            del self.items[mark[0]:]
            self.names = mark[1]
            self.open.clear()
            raise why

    def text(self):
        return ('#![allow(dead_code, unused_imports, non_local_definitions, clippy::all)]\nuse rasn::prelude::*;\n'
                'use rasn::types::*;\n\n' + '\n'.join(self.items))

    def node(self, node):
        """A type for a node and its tags, made once."""
        key = id(node)
        if key in self.names:
            return self.names[key]
        name = f'T{len(self.names) + 1}'
        self.names[key] = name
        self.open.add(key)
        core_tags = [] if node.kind == 'CHOICE' else node.tags[-1:]
        outer = node.tags[:len(node.tags) - len(core_tags)]
        # the wrapper that is outermost has the name
        core = name if not outer else f'{name}c{len(outer)}'
        tag = ''
        if core_tags and core_tags[0] != (0, UNIVERSAL[node.kind]):
            tag = self.tag(core_tags[0])
        self.core(node, core, tag)
        for index, outer_tag in enumerate(reversed(outer)):
            left = len(outer) - index - 1
            wrapper = name if not left else f'{name}c{left}'
            explicit = f'tag(explicit({CLASS_WORDS[outer_tag[0]]}, {outer_tag[1]}))'
            self.items.append(f'{self.derive(node)}\n#[rasn(delegate, {explicit})]\npub struct {wrapper}(pub {core});')
            core = wrapper
        self.open.discard(key)
        return name

    @staticmethod
    def tag(tag):
        return f'tag({CLASS_WORDS[tag[0]]}, {tag[1]})'

    def derive(self, node, more=''):
        return DERIVE.format((', Eq, Hash' if self.may_hash(node) else '') + more)

    def may_hash(self, node):
        """Whether a type has no REAL in it."""
        key = id(node)
        if key not in self.hashable:
            self.hashable[key] = True  # of a recursive type the rest decides
            if node.kind == 'REAL':
                self.hashable[key] = False
            elif node.kind in ('SEQUENCE OF', 'SET OF'):
                self.hashable[key] = self.may_hash(node.element)
            elif node.kind in ('SEQUENCE', 'SET', 'CHOICE'):
                self.hashable[key] = all([self.may_hash(part.node) for part in node.parts.values()])
        return self.hashable[key]

    def field(self, node):
        """The type of a field: boxed where it leads back to a type not finished."""
        if id(node) in self.open:
            return f'Box<{self.names[id(node)]}>'
        # a reference to a named type that is being made is another node of the same type
        for other in list(self.resolver.nodes.values()):
            if id(other) in self.open and other.base is node.base and node is not other and not other.automatic:
                return f'Box<{self.node(node)}>'
        return self.node(node)

    # Types

    def core(self, node, name, tag):
        kind = node.kind
        if kind == 'CHOICE':
            self.choice(node, name)
        elif kind in ('SEQUENCE', 'SET'):
            self.members(node, name, tag)
        elif kind == 'ENUMERATED':
            self.enumerated(node, name, tag)
        elif kind in ('SEQUENCE OF', 'SET OF'):
            if kind == 'SET OF' and not self.may_hash(node):
                raise Unsupported('SET OF what cannot be hashed')
            inner = self.field(node.element)
            form = 'SequenceOf' if kind == 'SEQUENCE OF' else 'SetOf'
            self.newtype(node, name, tag, f'{form}<{inner}>')
        elif kind in LEAVES:
            self.newtype(node, name, tag, LEAVES[kind])
        else:
            raise Unsupported(f'rasn has no {kind}')

    def newtype(self, node, name, tag, inner):
        words = ['delegate'] + ([tag] if tag else []) + self.constraints(node)
        self.items.append(f'{self.derive(node)}\n#[rasn({", ".join(words)})]\npub struct {name}(pub {inner});')

    def constraints(self, node):
        words = []
        if node.kind == 'INTEGER':
            words += self.bounds('value', node.integer)
        elif node.kind not in ('BOOLEAN', 'NULL', 'REAL', 'OBJECT IDENTIFIER', 'UTCTime', 'GeneralizedTime'):
            # sizes of the other strings are not PER-visible, and rasn takes what it is given
            if node.kind not in ('UTF8String', 'GeneralString', 'GraphicString', 'TeletexString'):
                words += self.bounds('size', node.size, least=0)
        alphabet = node.alphabet
        if alphabet is not None and not isinstance(alphabet, range) and node.kind in LEAVES and (
                alphabet != ALPHABETS[node.kind]):
            words.append('from(' + ', '.join(rust_char(c) for c in alphabet) + ')')
        return words

    @staticmethod
    def bounds(word, bounds, least=None):
        low, high = bounds.low, bounds.high
        if low == least and high is None and not bounds.extensible:
            return []
        for bound in (low, high):
            if bound is not None and not -(1 << 126) < bound < 1 << 126:
                raise Unsupported('bounds beyond 128 bits')
        text = f'{"" if low is None else low}..' + ('' if high is None else f'={high}')
        if low == high:
            text = str(low)
        return [f'{word}("{text}"{", extensible" if bounds.extensible else ""})']

    def enumerated(self, node, name, tag):
        root, added = node.numbered
        words = ['enumerated'] + ([tag] if tag else [])
        lines = [self.derive(node, ', Copy'), f'#[rasn({", ".join(words)})]']
        if added is not None:
            lines.append('#[non_exhaustive]')
        lines.append(f'pub enum {name} {{')
        root = sorted(root, key=lambda item: item[1])
        lines += [f'    {variant(node, item)} = {number},' for item, number in root]
        lines += [f'    #[rasn(extension_addition)] {variant(node, item)} = {number},' for item, number in added or []]
        self.items.append('\n'.join(lines + ['}']))

    def choice(self, node, name):
        lines = [self.derive(node), '#[rasn(choice)]']
        if node.extensible:
            lines.append('#[non_exhaustive]')
        lines.append(f'pub enum {name} {{')
        root = {part.name for part in node.root_parts}
        # rasn takes alternatives and enumerations in the order they are given in
        for index, part in enumerate(node.canonical_root + node.added_parts):
            mark = '' if part.name in root else '#[rasn(extension_addition)] '
            lines.append(f'    {mark}V{index}({self.field(part.node)}),')
        self.items.append('\n'.join(lines + ['}']))

    def members(self, node, name, tag):
        if node.kind == 'SET' and not node.parts:
            raise Unsupported('rasn has no SET without components')
        words = (['set'] if node.kind == 'SET' else []) + ([tag] if tag else [])
        lines = [self.derive(node)]
        if words:
            lines.append(f'#[rasn({", ".join(words)})]')
        if node.extensible:
            lines.append('#[non_exhaustive]')
        lines.append(f'pub struct {name} {{')
        after_additions = len(node.expanded(node.base.root_after))
        before = node.root_parts[:len(node.root_parts) - after_additions]
        number = iter(range(10_000))
        for part in before:
            lines.append(self.member(part, next(number), ''))
        for item in node.additions:
            if isinstance(item, list):
                group = f'{name}g{next(number)}'
                # rasn wants a tag for a group, which has none; in PER it does not show
                inner = [self.derive(node), f'#[rasn(tag(private, {9000 + len(self.items)}))]', f'pub struct {group} {{']
                inner += [self.member(part, i, '') for i, part in enumerate(item)]
                self.items.append('\n'.join(inner + ['}']))
                lines.append(f'    #[rasn(extension_addition_group)] f{next(number)}: Option<{group}>,')
            else:
                lines.append(self.member(item, next(number), 'extension_addition'))
        for part in node.root_parts[len(before):]:
            lines.append(self.member(part, next(number), ''))
        self.items.append('\n'.join(lines + ['}']))

    def member(self, part, number, word):
        inner = self.field(part.node)
        words = [word] if word else []
        if word and (part.node.kind in LEAVES or part.node.kind in ('SEQUENCE OF', 'SET OF')) and len(part.node.tags) == 1:
            # rasn forgets the constraints of a type where an addition may be absent
            words += self.constraints(part.node)
        if part.default is not NOTHING:
            function = f'd{len(self.items)}_{number}'
            self.items.append(f'fn {function}() -> {inner} {{ {self.expression(part.node, part.default)} }}')
            words.append(f'default = "{function}"')
        elif part.optional or word:
            inner = f'Option<{inner}>'
        attribute = f'#[rasn({", ".join(words)})] ' if words else ''
        return f'    {attribute}f{number}: {inner},'

    def expression(self, node, value):
        """A default value."""
        kind = node.kind
        names = [self.names[id(node)]]
        outer = len(node.tags) - (0 if kind == 'CHOICE' else 1)
        names += [f'{names[0]}c{i}' for i in range(1, outer + 1)]
        core = names[-1]
        if kind == 'BOOLEAN':
            text = f'{core}({str(value).lower()})'
        elif kind == 'INTEGER':
            if not -(1 << 126) < value < 1 << 126:
                raise Unsupported('a default beyond 128 bits')
            text = f'{core}(Integer::from({int(value)}i128))'
        elif kind == 'ENUMERATED':
            text = f'{core}::{variant(node, value)}'
        elif kind == 'OCTET STRING':
            text = f'{core}(OctetString::from(Vec::<u8>::from({list(value)})))'
        elif kind == 'BIT STRING':
            digits = ''.join(f'{b:08b}' for b in value[0])[:value[1]]
            bits = ', '.join('true' if d == '1' else 'false' for d in digits)
            text = f'{core}(BitString::from_iter([{bits}] as [bool; {len(digits)}]))'
        elif kind in ('SEQUENCE OF', 'SET OF') and not value:
            text = f'{core}({"Vec::new()" if kind == "SEQUENCE OF" else "SetOf::new()"})'
        elif kind in LEAVES:
            text = f'{core}({LEAVES[kind]}::try_from({rust_text(value)}).unwrap())'
        else:
            raise Unsupported(f'a default of {kind}')
        for name in reversed(names[:-1]):
            text = f'{name}({text})'
        return text


def variant(node, name):
    root, added = node.numbered
    return f'V{[n for n, _ in root + (added or [])].index(name)}'


def rust_char(c):
    if c.isascii():
        return rust_text(c)
    return rust_text(f'{c}..={c}')


def rust_text(text):
    return '"' + ''.join(c if c.isprintable() and c not in '"\\' else f'\\u{{{ord(c):x}}}' for c in text) + '"'
