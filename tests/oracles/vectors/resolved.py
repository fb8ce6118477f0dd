"""Types with their names followed: what the reference encoder goes by.

Tags are those of X.680 clauses 31 and 25 to 29 (automatic tagging); constraints are reduced to what
X.691 clause 10.3 makes visible.
"""

from functools import cached_property

from .model import CONTEXT, Group, KNOWN_MULTIPLIER, NOTHING, TIMES, UNIVERSAL, flat
from .notation import default_value
from .effective import INTEGERS, LENGTHS, Effective, alphabet_of


class Part:
    """A component or an alternative, with what its type is."""

    def __init__(self, name, node, optional, default, grouped=False):
        self.name, self.node, self.optional, self.default = name, node, optional, default
        self.grouped = grouped

    @property
    def may_be_absent(self):
        return self.optional or self.default is not NOTHING


class Node:
    """A type in its module. What costs is done when it is asked for, so that types may be recursive."""

    def __init__(self, resolver, module, type_, automatic=None):
        self.resolver, self.module, self.automatic = resolver, module, automatic
        self.written = type_
        chain = [(module, type_)]
        while chain[-1][1].kind == 'REF':
            module, named = chain[-1]
            chain.append(resolver.schema.find(module, named.name))
        self.chain = chain
        self.base_module, self.base = chain[-1]
        self.kind = self.base.kind

    @cached_property
    def tags(self):
        """Tags from the outermost to the innermost; none for an untagged CHOICE."""
        tags = [] if self.kind == 'CHOICE' else [(0, UNIVERSAL[self.kind])]
        for module, type_ in reversed(self.chain):
            default = 'EXPLICIT' if module.tagging in ('', 'EXPLICIT') else 'IMPLICIT'
            for class_, number, mode in reversed(type_.tags):
                mode = mode or default
                # X.680 31.2.7: an untagged CHOICE cannot be tagged implicitly
                if mode == 'IMPLICIT' and tags:
                    tags = [(class_, number)] + tags[1:]
                else:
                    tags = [(class_, number)] + tags
        if self.automatic is not None:
            tags = [(CONTEXT, self.automatic)] + tags[1:]
        return tags

    @property
    def choice_tagged_again(self):
        """Whether a CHOICE has a tag and is then tagged by another."""
        applied = sum(len(type_.tags) for _, type_ in self.chain) + (self.automatic is not None)
        return self.kind == 'CHOICE' and applied > 1

    @property
    def constrained_at_reference(self):
        """Whether constraints follow a name."""
        return any(type_.constraints for _, type_ in self.chain[:-1])

    @cached_property
    def first_tags(self):
        """The tags that an encoding may begin with."""
        if self.tags:
            return {self.tags[0]}
        return set().union(*(part.node.first_tags for part in self.root_parts + self.added_parts))

    @cached_property
    def smallest_tag(self):
        """X.691 21.1 and 23.3: of an untagged CHOICE, the smallest in its extension root."""
        if self.tags:
            return self.tags[0]
        return min(part.node.smallest_tag for part in self.root_parts)

    @cached_property
    def effective(self):
        """The PER-visible constraints, in the order they are applied."""
        return Effective(self.resolver, self)

    @cached_property
    def integer(self):
        return self.effective.numbers(INTEGERS)

    @cached_property
    def size(self):
        return self.effective.numbers(LENGTHS)

    @cached_property
    def alphabet(self):
        """Characters in canonical order; `None` for types whose alphabets PER does not see."""
        if self.kind in KNOWN_MULTIPLIER or self.kind in TIMES:
            return alphabet_of(self)
        return None

    @cached_property
    def element(self):
        return self.resolver.node(self.base_module, self.base.element)

    @cached_property
    def extensible(self):
        """Whether a SEQUENCE, SET or CHOICE has a marker."""
        return self.base.additions is not None or self.base_module.extensibility_implied

    @cached_property
    def _members(self):
        base, module = self.base, self.base_module
        root, added, after = self.expanded(base.root), base.additions or [], self.expanded(base.root_after)
        written = list(base.root) + list(flat(added)) + list(base.root_after)
        numbers = None
        # X.680 25.3, 25.10 and 29.2: automatic tagging where no component is tagged in the notation
        if module.tagging == 'AUTOMATIC' and not any(m.type.tags for m in written if not m.components_of):
            numbers = iter(range(100_000))

        def part(module, member, grouped=False):
            number = next(numbers) if numbers is not None else None
            default = NOTHING if member.default is NOTHING else default_value(member.default)
            return Part(member.name, self.resolver.node(module, member.type, number), member.optional, default, grouped)

        before = [part(m, member) for m, member in root]
        after_parts = [part(m, member) for m, member in after]
        additions = []
        for item in added:
            if isinstance(item, Group):
                additions.append([part(module, m, True) for m in item.members])
            else:
                additions.append(part(module, item))
        return before + after_parts, additions

    def expanded(self, members):
        """X.680 25.5: COMPONENTS OF replaced by the root components of its type."""
        result = []
        for member in members:
            if member.components_of:
                inner = self.resolver.node(self.base_module, member.type)
                result += [(m, x) for m, x in inner.expanded(inner.base.root + inner.base.root_after)]
            else:
                result.append((self.base_module, member))
        return result

    @property
    def root_parts(self):
        """Components of the root in the order they are written."""
        return self._members[0]

    @property
    def additions(self):
        """Additions: a part, or a list of parts for a group."""
        return self._members[1]

    @cached_property
    def added_parts(self):
        parts = []
        for item in self.additions:
            parts += item if isinstance(item, list) else [item]
        return parts

    @cached_property
    def parts(self):
        return {part.name: part for part in self.root_parts + self.added_parts}

    @cached_property
    def canonical_root(self):
        """The root in canonical order of tags (X.680 8.6), as PER wants of SET and CHOICE."""
        return sorted(self.root_parts, key=lambda part: part.node.smallest_tag)

    @cached_property
    def numbered(self):
        """Enumerations with their numbers (X.680 20.5, 20.6): the root, and the additions or `None`."""
        base = self.base
        used = {number for _, number in base.root if number is not None}
        root, free = [], 0
        for name, number in base.root:
            if number is None:
                while free in used:
                    free += 1
                number = free
                used.add(free)
            root.append((name, number))
        if base.additions is None and not self.base_module.extensibility_implied:
            return root, None
        added, last = [], -1
        for name, number in base.additions or []:
            if number is None:
                # the smallest number that is not in the root and greater than those of the additions before
                number = last + 1
                while number in used:
                    number += 1
            last = number
            added.append((name, number))
        return root, added


class Resolver:
    """Nodes of a schema, each made once."""

    def __init__(self, schema):
        self.schema = schema
        self.nodes = {}

    def node(self, module, type_, automatic=None):
        key = (module.name, id(type_), automatic)
        if key not in self.nodes:
            self.nodes[key] = Node(self, module, type_, automatic)
        return self.nodes[key]

    def named(self, name):
        """The node of a type of the first module."""
        module = self.schema.modules[0]
        return self.node(module, module.types[name])
