"""What the messages of tests/support say, read with Python's expat: a second opinion on crate dds.

Reads messages from the file named, each behind its length in four bytes, and prints a line for each:
its value, or E for a message that is refused.
"""

import re
import struct
import sys
from xml.parsers import expat

SOAP = ("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope")
ENC = "http://schemas.xmlsoap.org/soap/encoding/"
XSD = "http://www.w3.org/2001/XMLSchema"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
SPACE = " \t\r\n"


class Refused(Exception):
    pass


class Element:
    def __init__(self, name, attributes, scope):
        self.name, self.attributes, self.scope = name, attributes, scope
        self.children, self.text = [], ""
        # Whether its value is being read.
        self.open = False


def parse(data):
    """The root element; names are (namespace, local)."""
    parser = expat.ParserCreate(namespace_separator="\n")
    parser.buffer_text = True
    parser.ordered_attributes = True
    root, stack, pending = [], [], {}

    def split(name):
        namespace, _, local = name.rpartition("\n")
        return namespace, local

    def declare(prefix, uri):
        pending[prefix or ""] = uri or ""

    def start(name, attributes):
        scope = dict(stack[-1].scope if stack else {"xml": "http://www.w3.org/XML/1998/namespace"})
        scope.update(pending)
        pending.clear()
        pairs = {split(attributes[n]): attributes[n + 1] for n in range(0, len(attributes), 2)}
        element = Element(split(name), pairs, scope)
        (stack[-1].children if stack else root).append(element)
        stack.append(element)

    def text(data):
        stack[-1].text += data

    def refuse(*_):
        raise Refused

    def declaration(version, encoding, _):
        # Versions expat does not look at; of encodings it knows other names as well.
        need(re.fullmatch(r"1\.[0-9]+", version))
        need(encoding is None or encoding.upper() in ("UTF-8", "UTF-16", "ISO-8859-1", "US-ASCII"))

    parser.XmlDeclHandler = declaration
    parser.StartNamespaceDeclHandler = declare
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.ProcessingInstructionHandler = refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise Refused from error
    return root[0]


def need(truth):
    if not truth:
        raise Refused


def qname(element, text):
    prefix, colon, local = text.rpartition(":")
    part = r"[^\W\d][\w.\-]*"
    need(re.fullmatch(part, local) and (not colon or re.fullmatch(part, prefix) and prefix in element.scope))
    return element.scope.get(prefix, ""), local


def number(low, high):
    def read(text):
        text = text.strip(SPACE)
        need(re.fullmatch(r"[+-]?[0-9]+", text) and low <= int(text) <= high)
        return str(int(text))

    return read


def double(text):
    text = text.strip(SPACE)
    if text not in ("INF", "-INF", "NaN"):
        need(re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", text))
    value = float(text)
    return "nan" if value != value else struct.pack(">d", value).hex()


def boolean(text):
    text = text.strip(SPACE)
    need(text in ("true", "false", "1", "0"))
    return "t" if text in ("true", "1") else "f"


def string(text):
    return '"' + text.encode().hex()


def token(text):
    return string(" ".join(part for part in re.split("[ \t\r\n]+", text) if part))


INT = (number(-(2**31), 2**31 - 1), ("int", "short", "byte"))
DOUBLE = (double, ("double",))
BOOLEAN = (boolean, ("boolean",))
STRING = (string, ("string", "normalizedString", "token", "language", "Name", "NCName", "NMTOKEN"))
TOKEN = (token, None)


def union(text):
    for n, read in enumerate((INT[0], boolean, token)):
        try:
            return f"{n}:{read(text)}"
        except Refused:
            pass
    raise Refused


def is_nil(element, allowed):
    nil = element.attributes.get((XSI, "nil"))
    if nil is None:
        return False
    need(nil.strip(SPACE) in ("true", "1", "false", "0"))
    if nil.strip(SPACE) in ("false", "0"):
        return False
    need(allowed and not element.children and not element.text.strip(SPACE))
    return True


# Elements by their id; None where several have it.
IDS = {}


def referred(element, encoded, nillable):
    """The element that holds the value, None for nil."""
    seen = []
    while not is_nil(element, nillable or encoded):
        href = element.attributes.get(("", "href")) if encoded else None
        if href is None:
            need(not element.open)
            return element
        need(not element.children and not element.text.strip(SPACE) and href.startswith("#"))
        seen.append(element)
        element = IDS.get(href[1:])
        need(element is not None and element not in seen)
    return None


def collect(element):
    waiting = [element]
    while waiting:
        element = waiting.pop()
        if ("", "id") in element.attributes:
            name = element.attributes["", "id"]
            IDS[name] = None if name in IDS else element
        waiting.extend(element.children)


def type_of(element):
    text = element.attributes.get((XSI, "type"))
    return None if text is None else qname(element, text.strip(SPACE))


def simple(kind, nillable=True):
    def read(element, encoded):
        element = referred(element, encoded, nillable)
        if element is None:
            return "N"
        ty = type_of(element)
        need(not element.children)
        if kind != "union":
            if ty and ty[0] in (XSD, ENC) and kind[1] is not None:
                need(ty[1] in kind[1])
            return kind[0](element.text)
        return union(element.text)

    return read


def array(item, names):
    """Names: of the types an arrayType may tell, None for arrays of compounds, "array" for arrays of arrays."""

    def read(element, encoded):
        element = referred(element, encoded, True)
        if element is None:
            return "N"
        ty = type_of(element)
        need(not ty or ty[0] not in (XSD, ENC) or ty == (ENC, "Array"))
        need(not element.text.strip(SPACE))
        need(element.attributes.get((ENC, "offset"), "[0]").strip(SPACE) == "[0]")
        told = element.attributes.get((ENC, "arrayType"))
        if told is not None:
            match = re.fullmatch(r"([^\[]+)((?:\[[\[\],]*\])?)\[([0-9, \t\r\n]*)\]", told.strip(SPACE))
            need(match)
            base, ranks, sizes = qname(element, match[1].strip(SPACE)), match[2], match[3]
            builtin = base[0] in (XSD, ENC)
            generic = builtin and base[1] in ("anyType", "ur-type", "anySimpleType") and not ranks
            if names == "array":
                need(generic or ranks or not builtin or base[1] == "Array")
            elif names is None:
                need(generic or (not ranks and not builtin))
            else:
                need(generic or (not ranks and (not builtin or base[1] in names)))
            if sizes:
                count = 1
                for size in sizes.split(","):
                    need(re.fullmatch("[0-9]+", size.strip(SPACE)) and int(size) < 2**32)
                    count *= int(size)
                need(count == len(element.children))
        need(all((ENC, "position") not in child.attributes for child in element.children))
        element.open = True
        value = "[" + ",".join(item(child, encoded) for child in element.children) + "]"
        element.open = False
        return value

    return read


def compound(members, ordered, namespace=""):
    """Members: (name, reader, how often: 1, "?" or "*")."""

    def read(element, encoded):
        element = referred(element, encoded, False)
        if element is None:
            return "N"
        ty = type_of(element)
        need(not ty or ty[0] != XSD and (ty[0] != ENC or ty[1] == "Struct"))
        need(not element.text.strip(SPACE))
        found, last = {}, 0
        for child in element.children:
            names = [n for n, member in enumerate(members) if child.name == (namespace, member[0])]
            need(names)
            n = names[0]
            need(not ordered or n >= last)
            need(n not in found or members[n][2] == "*" and n == last)
            found.setdefault(n, []).append(child)
            last = n
        values = []
        element.open = True
        for n, (_, reader, often) in enumerate(members):
            children = found.get(n, [])
            need(children or often != 1)
            if often == "*":
                values.append("[" + ",".join(reader(child, encoded) for child in children) + "]")
            else:
                values.append(reader(children[0], encoded) if children else "-")
        element.open = False
        return "(" + ",".join(values) + ")"

    return read


def node(element, encoded):
    return compound([("value", simple(INT), 1), ("node", node, "?")], True, "urn:o")(element, encoded)


doubles = array(simple(DOUBLE), DOUBLE[1])
ints = array(simple(INT), INT[1])
point = compound([("x", simple(INT), 1), ("y", simple(INT), 1), ("v", simple(DOUBLE), 1)], False)
line = compound(
    [("sku", simple(TOKEN, False), 1), ("count", simple(INT, False), 1), ("price", simple(DOUBLE, False), 1)],
    True,
    "urn:o",
)
METHODS = {
    ("urn:b", "sendDoubles"): (compound([("data", doubles, 1)], False), True),
    ("urn:b", "sendInts"): (compound([("data", ints, 1)], False), True),
    ("urn:GoogleSearch", "doGoogleSearch"): (
        compound(
            [
                ("key", simple(STRING), 1),
                ("q", simple(STRING), 1),
                ("start", simple(INT), 1),
                ("maxResults", simple(INT), 1),
                ("filter", simple(BOOLEAN), 1),
                ("restrict", simple(STRING), 1),
                ("safeSearch", simple(BOOLEAN), "?"),
            ],
            False,
        ),
        True,
    ),
    ("urn:b", "sendMesh"): (compound([("points", array(point, None), 1), ("title", simple(STRING), "?")], False), True),
    ("urn:b", "sendNested"): (compound([("rows", array(ints, "array"), 1)], False), True),
    ("urn:o", "order"): (
        compound(
            [
                ("id", simple(STRING, False), 1),
                ("choice", simple("union", False), 1),
                ("line", line, "*"),
                ("weight", simple(DOUBLE), "*"),
                ("node", node, "?"),
            ],
            True,
            "urn:o",
        ),
        False,
    ),
    ("urn:b", "sendTexts"): (
        compound([("texts", array(simple(STRING), STRING[1]), 1), ("more", doubles, "?")], False),
        True,
    ),
}


def read(data):
    root = parse(data)
    IDS.clear()
    collect(root)
    soap = root.name[0]
    need(root.name[1] == "Envelope" and soap in SOAP and not root.text.strip(SPACE))
    children = list(root.children)
    if children and children[0].name == (soap, "Header"):
        header = children.pop(0)
        need(not header.text.strip(SPACE) and all(block.name[0] for block in header.children))
    need(children and children[0].name == (soap, "Body"))
    body = children.pop(0)
    need(all(soap == SOAP[0] and after.name[0] not in ("", soap) for after in children))
    need(body.children and not body.text.strip(SPACE))
    first = body.children[0]
    need(first.name in METHODS)
    reader, encoded = METHODS[first.name]
    need(all(encoded and ("", "id") in other.attributes for other in body.children[1:]))
    return reader(first, encoded)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        message = data[at + 4 : at + 4 + length]
        at += 4 + length
        try:
            print(read(message))
        except Refused:
            print("E")


main()
