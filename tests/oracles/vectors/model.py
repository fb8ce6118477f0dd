"""Modules as they are made up: types, constraints, and where names lead.

The words are those of X.680. A type is a tree of `Type`; nothing in it is followed or reduced:
that is done by `resolved.py` for the reference encoder, and by each oracle from the notation.
"""

from dataclasses import dataclass, field

MARKER = '...'

UNIVERSAL = {
    'BOOLEAN': 1, 'INTEGER': 2, 'BIT STRING': 3, 'OCTET STRING': 4, 'NULL': 5, 'OBJECT IDENTIFIER': 6,
    'ObjectDescriptor': 7, 'REAL': 9, 'ENUMERATED': 10, 'UTF8String': 12, 'RELATIVE-OID': 13,
    'SEQUENCE': 16, 'SEQUENCE OF': 16, 'SET': 17, 'SET OF': 17, 'NumericString': 18,
    'PrintableString': 19, 'TeletexString': 20, 'VideotexString': 21, 'IA5String': 22, 'UTCTime': 23,
    'GeneralizedTime': 24, 'GraphicString': 25, 'VisibleString': 26, 'GeneralString': 27,
    'UniversalString': 28, 'BMPString': 30,
}

CLASSES = ['UNIVERSAL', 'APPLICATION', '', 'PRIVATE']
CONTEXT = 2

KNOWN_MULTIPLIER = ['NumericString', 'PrintableString', 'VisibleString', 'IA5String', 'BMPString',
                    'UniversalString']
OTHER_STRINGS = ['UTF8String', 'GeneralString', 'GraphicString', 'TeletexString', 'VideotexString',
                 'ObjectDescriptor']
TIMES = ['UTCTime', 'GeneralizedTime']


@dataclass
class Constraint:
    """One pair of parentheses: a set, whether it is extensible, and what the extension names."""
    root: object
    extensible: bool = False
    additions: object = None


# A set of values is one of these:
#   ('value', v)  ('range', low, low_excluded, high, high_excluded), None being MIN or MAX
#   ('size', Constraint)  ('from', Constraint)  ('type', Type)
#   ('union', [sets])  ('intersection', [sets])  ('except', set, set)


@dataclass
class Type:
    """A type as written. What else it has depends on `kind`:

    INTEGER and BIT STRING have `named`, ENUMERATED has `root` and `additions` of (name, number or
    None), SEQUENCE, SET and CHOICE have `root`, `additions` and `root_after` of members and groups,
    SEQUENCE OF and SET OF have `element`, and 'REF' has `name`.
    """
    kind: str
    tags: list = field(default_factory=list)  # (class, number, 'IMPLICIT' | 'EXPLICIT' | None), outermost first
    constraints: list = field(default_factory=list)
    named: list = field(default_factory=list)
    root: list = field(default_factory=list)
    additions: list = None
    root_after: list = field(default_factory=list)
    element: 'Type' = None
    name: str = None
    size_style: int = 0  # how a size of a SEQUENCE OF is written

    def with_tag(self, tag):
        """The same type with one more tag in front."""
        copy = Type(**self.__dict__)
        copy.tags = [tag] + self.tags
        return copy

    def with_constraint(self, constraint):
        """The same type with one more constraint at the end."""
        copy = Type(**self.__dict__)
        copy.constraints = self.constraints + [constraint]
        return copy


NOTHING = object()


@dataclass
class Member:
    """A component or an alternative. `components_of` replaces a component."""
    name: str
    type: Type
    optional: bool = False
    default: object = NOTHING
    components_of: bool = False

    @property
    def may_be_absent(self):
        return self.optional or self.default is not NOTHING


@dataclass
class Group:
    """`[[ ... ]]`, with its version number where one is written."""
    members: list
    version: int = None


@dataclass
class Module:
    name: str
    tagging: str = 'AUTOMATIC'
    imports: dict = field(default_factory=dict)  # module name -> names
    types: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)  # name -> integer
    extensibility_implied: bool = False


@dataclass
class Schema:
    """What is compiled together: the modules. The first one is tested."""
    modules: list
    wide: bool = True

    def find(self, module, name):
        """The module and type that a name in a module leads to."""
        if name in module.types:
            return module, module.types[name]
        for other, names in module.imports.items():
            if name in names:
                return self.find(next(m for m in self.modules if m.name == other), name)
        raise KeyError(name)


def flat(items):
    """Members of a list that may contain groups."""
    for item in items or []:
        if isinstance(item, Group):
            yield from item.members
        else:
            yield item
