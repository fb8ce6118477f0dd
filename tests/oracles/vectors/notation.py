"""Modules as text (X.680)."""

from .model import CLASSES, Group, NOTHING


def module_text(module):
    """A module definition."""
    lines = [f'{module.name} DEFINITIONS {module.tagging + " TAGS" if module.tagging else ""}'
             f'{" EXTENSIBILITY IMPLIED" if module.extensibility_implied else ""} ::=', 'BEGIN', '']
    if module.imports:
        froms = [f'{", ".join(names)} FROM {other}' for other, names in module.imports.items()]
        lines += ['IMPORTS ' + '\n  '.join(froms) + ';', '']
    for name, number in module.values.items():
        lines.append(f'{name} INTEGER ::= {number}')
    for name, type_ in module.types.items():
        lines += [f'{name} ::= {type_text(type_)}', '']
    lines += ['END', '']
    return '\n'.join(lines)


def type_text(type_, depth=0):
    """A type with its tags and constraints."""
    text = ''.join(tag_text(tag) for tag in type_.tags)
    kind = type_.kind
    constraints = type_.constraints
    if kind == 'REF':
        text += type_.name
    elif kind in ('SEQUENCE', 'SET', 'CHOICE'):
        text += f'{kind} {{{members_text(type_, depth + 1)}}}'
    elif kind in ('SEQUENCE OF', 'SET OF'):
        size = ''
        if constraints:
            first, constraints = constraints[0], constraints[1:]
            inner = constraint_text(first)
            # `SEQUENCE (SIZE (1..2)) OF` and, where there is no marker outside, `SEQUENCE SIZE (1..2) OF`
            bare = type_.size_style and not first.extensible and first.root[0] == 'size'
            size = (inner[1:-1] if bare else inner) + ' '
        text += f'{kind[:3] if kind == "SET OF" else "SEQUENCE"} {size}OF {type_text(type_.element, depth)}'
    elif kind == 'ENUMERATED':
        items = [enumeration_text(*item) for item in type_.root]
        if type_.additions is not None:
            items += ['...'] + [enumeration_text(*item) for item in type_.additions]
        text += f'ENUMERATED {{ {", ".join(items)} }}'
    else:
        text += kind
        if type_.named:
            text += ' { ' + ', '.join(f'{name}({number})' for name, number in type_.named) + ' }'
    if kind not in ('SEQUENCE OF', 'SET OF'):
        text += ''.join(' ' + constraint_text(c) for c in constraints)
    return text


def tag_text(tag):
    class_, number, mode = tag
    word = CLASSES[class_]
    return f'[{word}{" " if word else ""}{number}] {mode + " " if mode else ""}'


def enumeration_text(name, number):
    return name if number is None else f'{name}({number})'


def members_text(type_, depth):
    pad = '\n' + '    ' * depth
    items = [member_text(m, depth) for m in type_.root]
    if type_.additions is not None:
        items.append('...')
        for item in type_.additions:
            if isinstance(item, Group):
                version = f'{item.version}: ' if item.version else ''
                items.append('[[ ' + version + ', '.join(member_text(m, depth) for m in item.members) + ' ]]')
            else:
                items.append(member_text(item, depth))
        if type_.root_after:
            items.append('...')
            items += [member_text(m, depth) for m in type_.root_after]
    if not items:
        return ' '
    return pad + (',' + pad).join(items) + '\n' + '    ' * (depth - 1)


def member_text(member, depth):
    if member.components_of:
        return 'COMPONENTS OF ' + type_text(member.type, depth)
    text = f'{member.name} {type_text(member.type, depth)}'
    if member.optional:
        text += ' OPTIONAL'
    elif member.default is not NOTHING:
        text += ' DEFAULT ' + value_text(member.default)
    return text


def constraint_text(constraint):
    text = set_text(constraint.root)
    if constraint.extensible:
        text += ', ...'
        if constraint.additions is not None:
            text += ', ' + set_text(constraint.additions)
    return f'({text})'


def set_text(s, inside=False):
    what = s[0]
    if what == 'value':
        return value_text(s[1])
    if what == 'range':
        _, low, low_out, high, high_out = s
        return ((value_text(low) if low is not None else 'MIN') + ('<' if low_out else '') + '..'
                + ('<' if high_out else '') + (value_text(high) if high is not None else 'MAX'))
    if what == 'size':
        return 'SIZE ' + constraint_text(s[1])
    if what == 'from':
        return 'FROM ' + constraint_text(s[1])
    if what == 'type':
        return type_text(s[1])
    if what == 'union':
        text = ' | '.join(set_text(x, True) for x in s[1])
    elif what == 'intersection':
        text = ' ^ '.join(set_text(x, True) for x in s[1])
    else:
        text = f'{set_text(s[1], True)} EXCEPT {set_text(s[2], True)}'
    return f'({text})' if inside else text


class Raw(str):
    """A value whose notation is given."""


class Named(int):
    """A number that is written by a name."""

    def __new__(cls, number, name):
        self = super().__new__(cls, number)
        self.name = name
        return self


def value_text(value):
    """A value where notation has one: a bound, a default."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Named):
        return value.name
    if isinstance(value, bool):
        return 'TRUE' if value else 'FALSE'
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, bytes):
        return "'" + value.hex().upper() + "'H"
    if isinstance(value, tuple) and isinstance(value[0], bytes):
        bits = ''.join(f'{b:08b}' for b in value[0])[:value[1]]
        return f"'{bits}'B"
    if isinstance(value, Default):
        return value.text
    raise TypeError(value)


class Default:
    """A default whose notation is not that of its value alone: `red`, `{}`, `{ a 1 }`."""

    def __init__(self, value, text):
        self.value, self.text = value, text


def default_value(default):
    """The value of a default."""
    return default.value if isinstance(default, Default) else default
