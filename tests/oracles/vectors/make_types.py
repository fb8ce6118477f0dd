"""Types made up at random."""

from .make_constraints import ConstraintMaker
from .model import CONTEXT, Constraint, Group, Member, NOTHING, OTHER_STRINGS, TIMES, Type, flat
from .notation import Default
from .resolved import Resolver

WORDS = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett', 'kilo',
         'lima', 'mike', 'november', 'oscar', 'papa', 'quebec', 'romeo', 'sierra', 'tango', 'uniform', 'victor',
         'whiskey', 'xray', 'yankee', 'zulu', 'engine-count', 'maxAge', 'is-on', 'a1', 'b-2', 'x']

SIMPLE = (['BOOLEAN'] * 2 + ['INTEGER'] * 8 + ['ENUMERATED'] * 4 + ['BIT STRING'] * 4 + ['OCTET STRING'] * 4
          + ['NULL', 'REAL', 'OBJECT IDENTIFIER', 'IA5String', 'IA5String', 'VisibleString', 'NumericString',
             'NumericString', 'PrintableString', 'UTF8String', 'UTF8String', 'BMPString', 'UTCTime',
             'GeneralizedTime', 'GeneralString', 'UniversalString', 'TeletexString'])
RARE = ['RELATIVE-OID', 'GraphicString', 'ObjectDescriptor', 'VideotexString', 'UniversalString']


class TypeMaker:
    def __init__(self, rng, schema, module, wide, prefix):
        self.rng, self.schema, self.module, self.wide, self.prefix = rng, schema, module, wide, prefix
        # what whole modules are refused for by one oracle or the other, each in some modules only
        rare = ['EXCEPT', '<', 'RELATIVE-OID', 'VideotexString', 'ObjectDescriptor', 'COMPONENTS OF',
                'INCLUDES']
        self.rare = {what for what in rare if wide and rng.random() < 0.2}
        self.constraints = ConstraintMaker(rng, module, wide, self.rare)
        self.count = 0

    def node(self, type_):
        """What a type comes to; asked anew each time, as the module grows."""
        return Resolver(self.schema).node(self.module, type_)

    def assign(self, constructed):
        """One more type assignment."""
        self.count += 1
        name = f'{self.prefix}{self.count}'
        if self.rng.random() < 0.2:
            name += '-' + self.rng.choice(['Info', 'List', 'x', '2', 'Data'])
        type_ = self.constructed(3) if constructed else self.simple()
        if self.rng.random() < 0.12:
            type_ = type_.with_tag(self.safe_mode(type_, self.tag()))
        self.module.types[name] = type_

    def assign_recursive(self):
        """A list, a tree, or two types that need each other."""
        name = f'{self.prefix}Tree'
        link = Type('REF', name=name)
        tags = self.module.tagging != 'AUTOMATIC'

        def member(number, name, type_, **more):
            return Member(name, type_.with_tag((CONTEXT, number, None)) if tags else type_, **more)
        form = self.rng.randint(0, 2)
        if form == 0:
            type_ = Type('SEQUENCE', root=[member(0, 'label', self.simple()),
                                           member(1, 'next', link, optional=True)])
        elif form == 1:
            type_ = Type('CHOICE', root=[member(0, 'leaf', self.simple()),
                                         member(1, 'branch', Type('SEQUENCE OF', element=link))])
        else:
            self.module.types[name + '-Side'] = Type(
                'SEQUENCE', root=[member(0, 'up', link, optional=True), member(1, 'flag', Type('BOOLEAN'))],
                additions=[])
            type_ = Type('SEQUENCE', root=[member(0, 'left', Type('REF', name=name + '-Side'), optional=True),
                                           member(1, 'right', Type('REF', name=name + '-Side'), optional=True),
                                           member(2, 'tip', self.simple())])
        self.module.types[name] = type_

    def tag(self, number=None):
        class_ = self.rng.choice([CONTEXT, CONTEXT, 1, 3])
        if number is None:
            number = self.rng.choice([0, 1, 2, 5, 30, 31, 32, 127, 128, 999, 16384])
        mode = self.rng.choice([None, None, 'EXPLICIT', 'IMPLICIT'])
        # APPLICATION and PRIVATE are written in front of whole types only
        return class_, number, mode

    def safe_mode(self, type_, tag):
        """X.680 31.2.9: IMPLICIT is not written in front of an untagged CHOICE."""
        class_, number, mode = tag
        if mode == 'IMPLICIT' and not self.node(type_).tags:
            mode = None
        return class_, number, mode

    def any(self, depth):
        """A component's type."""
        roll = self.rng.random()
        names = [name for name in self.module.types if name != f'{self.prefix}Tree']
        for imported in self.module.imports.values():
            names += [name for name in imported if name[0].isupper()]
        if names and roll < 0.3:
            return self.reference(self.rng.choice(names))
        if depth > 0 and roll < 0.5:
            return self.constructed(depth - 1)
        return self.simple()

    def reference(self, name):
        """A reference, at times constrained further."""
        type_ = Type('REF', name=name)
        if self.rng.random() < 0.3:
            return self.constraints.narrow(self.node(type_), type_)
        return type_

    def simple(self):
        kind = self.rng.choice(RARE if self.wide and self.rng.random() < 0.08 else SIMPLE)
        if kind in RARE and kind not in SIMPLE and kind not in self.rare:
            kind = 'GraphicString'
        type_ = Type(kind)
        if kind == 'ENUMERATED':
            self.enumerate(type_)
        elif kind == 'INTEGER' and self.rng.random() < 0.15:
            numbers = self.rng.sample(range(-3, 20), self.rng.randint(1, 4))
            type_.named = [(f'num{i}', n) for i, n in enumerate(numbers)]
        elif kind == 'BIT STRING' and self.rng.random() < 0.3:
            numbers = self.rng.sample(range(0, 12), self.rng.randint(1, 5))
            type_.named = [(f'bit{i}', n) for i, n in enumerate(numbers)]
        type_.constraints = self.constraints.make(type_)
        if kind == 'INTEGER' and 'INCLUDES' in self.rare and self.rng.random() < 0.2:
            self.contain(type_)
        return type_

    def contain(self, type_):
        """A contained subtype in place of a constraint: `INTEGER (T3)`, `INTEGER (T3 | 7)`."""
        bounded = [name for name, other in self.module.types.items() if self.bounded(other)]
        if bounded:
            contained = ('type', Type('REF', name=self.rng.choice(bounded)))
            other = ('value', self.rng.randint(-100, 100))
            root = contained if self.rng.random() < 0.5 else ('union', [contained, other])
            type_.constraints = [Constraint(root)]

    def bounded(self, type_):
        node = self.node(type_)
        return node.kind == 'INTEGER' and None not in (node.integer.low, node.integer.high) and (
            node.integer.high - node.integer.low < 1 << 62)

    def enumerate(self, type_):
        rng = self.rng
        count = rng.choice([1, 2, 3, 4, 5, 8, 9, 16, 17]) if rng.random() < 0.97 else rng.choice([64, 130, 256, 300])
        if not self.wide:
            count = min(count, 130)
        names = [f'e{i}' for i in range(count + 80)]
        numbered = rng.random() < 0.5
        numbers = rng.sample(range(-5 if rng.random() < 0.3 else 0, count * 3 + 5), count)
        type_.root = [(names[i], numbers[i] if numbered else None) for i in range(count)]
        if rng.random() < 0.35:
            added = rng.choice([0, 1, 2, 3, 5, 70 if self.wide else 4])
            above = max(numbers) if numbered else count
            type_.additions = [(names[count + i], above + 2 * i + 1 if numbered else None) for i in range(added)]

    # Constructed types

    def constructed(self, depth):
        kind = self.rng.choice(['SEQUENCE'] * 6 + ['CHOICE'] * 3 + ['SEQUENCE OF'] * 3 + ['SET', 'SET OF'])
        if kind in ('SEQUENCE OF', 'SET OF'):
            type_ = Type(kind, element=self.any(depth - 1), size_style=self.rng.randint(0, 1))
            if self.rng.random() < 0.15:
                type_.element = type_.element.with_tag(self.safe_mode(type_.element, self.tag()))
            type_.constraints = self.constraints.make(type_)
            return type_
        if kind == 'CHOICE':
            return self.choice(depth)
        return self.members(kind, depth)

    def names(self):
        names = self.rng.sample(WORDS, len(WORDS))
        return iter(names + [f'{w}{i}' for i in range(1, 20) for w in WORDS])

    def component(self, name, depth):
        member = Member(name, self.any(depth))
        roll = self.rng.random()
        if roll < 0.35:
            member.optional = True
        elif roll < 0.5:
            member.default = self.default(member.type)
        return member

    def default(self, type_):
        """A default for types whose values have a short notation."""
        from .make_values import ValueMaker
        node = self.node(type_)
        kind = node.kind
        if kind in ('INTEGER', 'BOOLEAN', 'ENUMERATED', 'OCTET STRING', 'IA5String', 'PrintableString',
                    'VisibleString', 'NumericString') or kind == 'BIT STRING':
            if kind == 'INTEGER' and node.integer.low is not None and node.integer.low > 1 << 40:
                return NOTHING
            maker = ValueMaker(self.rng, odd=False)
            value = maker.make(node, 8)
            if kind == 'INTEGER' and not node.integer.holds(value):
                return NOTHING
            if kind not in ('INTEGER', 'BOOLEAN', 'ENUMERATED') and not node.size.holds(len(value) if not isinstance(value, tuple) else value[1]):
                return NOTHING
            if isinstance(value, str) and (not value.isprintable() or not self.wide and (value != value.strip() or '"' in value)):
                return NOTHING
            if kind == 'BIT STRING' and node.base.named:
                return NOTHING if not self.wide else value
            return Default(value, value) if kind == 'ENUMERATED' else value
        if kind in ('SEQUENCE OF', 'SET OF') and self.wide and node.size.holds(0):
            return Default([], '{}')
        return NOTHING

    def members(self, kind, depth):
        rng = self.rng
        names = self.names()
        many = self.wide and rng.random() < 0.03
        count = rng.choice([66, 70, 130]) if many else rng.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8])
        type_ = Type(kind, root=[self.component(next(names), 0 if many else depth) for _ in range(count)])
        if rng.random() < 0.4:
            type_.additions = self.additions(names, depth)
            if rng.random() < 0.25 and kind == 'SEQUENCE':
                type_.root_after = [self.component(next(names), depth) for _ in range(rng.randint(1, 2))]
        elif rng.random() < 0.08 and kind == 'SEQUENCE' and self.components_of(type_):
            return type_
        self.tag_members(type_)
        return type_

    def components_of(self, type_):
        """COMPONENTS OF, where automatic tagging makes every tag distinct."""
        if self.module.tagging != 'AUTOMATIC' or 'COMPONENTS OF' not in self.rare:
            return False
        for name, other in self.module.types.items():
            if other.kind == 'SEQUENCE' and not other.tags and other.root and not any(
                    m.components_of for m in other.root):
                used = {m.name for m in flat(other.root)} | {m.name for m in other.root_after}
                if not used & {m.name for m in type_.root} and not any(
                        m.type.tags for m in flat(other.root + (other.additions or []) + other.root_after)):
                    type_.root.insert(self.rng.randint(0, len(type_.root)),
                                      Member('', Type('REF', name=name), components_of=True))
                    return True
        return False

    def additions(self, names, depth):
        rng = self.rng
        result = []
        count = rng.choice([0, 1, 1, 2, 3, 4]) if not (self.wide and rng.random() < 0.05) else rng.choice([64, 65, 70])
        version = 2 if rng.random() < 0.3 else None
        for _ in range(count):
            if rng.random() < 0.35:
                members = [self.component(next(names), depth) for _ in range(rng.randint(1, 3))]
                result.append(Group(members, version))
                version = version + 1 if version else None
            else:
                result.append(self.component(next(names), depth if count < 10 else 0))
        if version and any(isinstance(item, Group) for item in result):
            # X.680 25.1: with a version number on one group all have one
            pass
        return result

    def choice(self, depth):
        rng = self.rng
        names = self.names()
        count = rng.choice([1, 2, 2, 3, 3, 4, 5, 8, 9])
        if self.wide and rng.random() < 0.02:
            count = rng.choice([256, 257, 300])
        type_ = Type('CHOICE', root=[Member(next(names), self.any(depth if count < 10 else 0)) for _ in range(count)])
        if rng.random() < 0.4:
            added = rng.choice([0, 1, 2, 3, 70 if self.wide else 4])
            type_.additions = []
            while added > 0:
                if rng.random() < 0.2:
                    size = min(added, rng.randint(1, 3))
                    type_.additions.append(Group([Member(next(names), self.any(min(depth, 1))) for _ in range(size)]))
                    added -= size
                else:
                    type_.additions.append(Member(next(names), self.any(min(depth, 1) if added < 10 else 0)))
                    added -= 1
        self.tag_members(type_)
        return type_

    def tag_members(self, type_):
        """Tags that keep the components apart, where they are not automatic."""
        members = type_.root + list(flat(type_.additions)) + type_.root_after
        if self.module.tagging == 'AUTOMATIC' and self.rng.random() < 0.9:
            return
        if type_.additions is None and self.rng.random() < 0.5:
            # as they are, if their own tags distinguish them
            seen, clash = set(), False
            for member in members:
                first = self.node(member.type).first_tags
                clash |= bool(seen & first) or not first
                clash |= self.open_choice(member.type)
                seen |= first
            if not clash and (self.wide or type_.kind == 'SEQUENCE'):
                return
        numbers = list(range(len(members)))
        if self.wide or type_.kind == 'SEQUENCE':
            roots = len(type_.root)
            # X.680 29.7: the additions of a CHOICE have growing tags; so let them, in all
            head = self.rng.sample(numbers[:roots], roots)
            numbers = head + numbers[roots:]
        spread = self.rng.choice([1, 1, 1, 7])
        for member, number in zip(members, numbers):
            mode = self.rng.choice([None, None, None, 'EXPLICIT', 'IMPLICIT'])
            member.type = member.type.with_tag(self.safe_mode(member.type, (CONTEXT, number * spread, mode)))

    def open_choice(self, type_):
        """Whether a type is an untagged CHOICE that may be extended, or holds one."""
        node = self.node(type_)
        return not node.tags and (node.extensible or any(self.open_choice_node(p.node) for p in node.root_parts))

    def open_choice_node(self, node):
        return not node.tags and (node.extensible or any(self.open_choice_node(p.node) for p in node.root_parts))
