"""Values of ASN.1 and XML Schema. Expected bytes are those of X.691 and asn1tools 0.169."""

import json
import math
import pickle
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Error, Schema, convert, pon, tsf

RULES = ("uper", "aper", "ber", "der", "cer", "oer", "coer", "json", "pon", "asn1")

MODULE = """Test DEFINITIONS AUTOMATIC TAGS ::= BEGIN
    Record ::= SEQUENCE {
        id      INTEGER (0..4294967295),
        any     INTEGER,
        kind    ENUMERATED { voice, sms, data },
        name    UTF8String,
        octets  OCTET STRING OPTIONAL,
        bits    BIT STRING,
        ok      BOOLEAN,
        real    REAL,
        nothing NULL,
        oid     OBJECT IDENTIFIER,
        choice  Choice,
        list    SEQUENCE OF SEQUENCE { a INTEGER (0..255), b Choice OPTIONAL },
        default INTEGER DEFAULT 7
    }
    Choice ::= CHOICE { number INTEGER, text UTF8String, deeper CHOICE { flag BOOLEAN, more SEQUENCE OF INTEGER } }
    Tree ::= SEQUENCE { value INTEGER (0..255), children SEQUENCE OF Tree }
END"""

schema = Schema.parse(MODULE, root="Record")

integers = st.integers(-(2**70), 2**70)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)


@st.composite
def bit_strings(draw: st.DrawFn) -> tuple[bytes, int]:
    octets = draw(st.binary(max_size=5))
    spare = draw(st.integers(0, 7)) if octets else 0
    number = int.from_bytes(octets, "big") >> spare << spare
    return number.to_bytes(len(octets), "big"), len(octets) * 8 - spare


choices: st.SearchStrategy[tuple[str, Any]] = (
    st.tuples(st.just("number"), integers)
    | st.tuples(st.just("text"), texts)
    | st.tuples(
        st.just("deeper"),
        st.tuples(st.just("flag"), st.booleans()) | st.tuples(st.just("more"), st.lists(integers, max_size=3)),
    )
)
records = st.fixed_dictionaries(
    {
        "id": st.integers(0, 2**32 - 1),
        "any": integers,
        "kind": st.sampled_from(["voice", "sms", "data"]),
        "name": texts,
        "bits": bit_strings(),
        "ok": st.booleans(),
        "real": st.floats(allow_nan=False),
        "nothing": st.none(),
        "oid": st.sampled_from(["1.2.840.113549", "2.999.3"]),
        "choice": choices,
        "list": st.lists(st.fixed_dictionaries({"a": st.integers(0, 255)}, optional={"b": choices}), max_size=4),
    },
    optional={"octets": st.binary(max_size=20)},
)


@given(records, st.sampled_from(RULES))
def test_what_is_encoded_is_decoded(record: dict[str, Any], rules: str) -> None:
    message = schema.encode(record, rules=rules)
    assert schema.decode(message, rules=rules) == record
    assert schema.encode(schema.decode(message, rules=rules), rules=rules) == message


@given(records)
def test_rules_agree_with_conversion(record: dict[str, Any]) -> None:
    message = schema.encode(record)
    assert convert(message, "uper", "ber", schema=schema) == schema.encode(record, rules="ber")
    text = convert(message, "uper", "json", schema=schema)
    assert schema.decode(text, rules="json") == record
    # What json makes of it is taken as well.
    assert schema.encode(json.loads(text)) == message


@given(st.binary(max_size=60), st.sampled_from(RULES))
def test_bytes_are_a_value_or_an_error(message: bytes, rules: str) -> None:
    try:
        schema.decode(message, rules=rules, limits="untrusted")
    except Error as error:
        assert error.kind and error.offset >= 0


def test_x691_has_this_record() -> None:
    # X.691, A.1.2 and A.1.3: the personnel record in both variants of PER, without subtype constraints.
    personnel = Schema.parse(
        """P DEFINITIONS ::= BEGIN
        PersonnelRecord ::= [APPLICATION 0] IMPLICIT SET {
            name Name, title [0] VisibleString, number EmployeeNumber, dateOfHire [1] Date,
            nameOfSpouse [2] Name, children [3] IMPLICIT SEQUENCE OF ChildInformation DEFAULT {} }
        ChildInformation ::= SET { name Name, dateOfBirth [0] Date }
        Name ::= [APPLICATION 1] IMPLICIT SEQUENCE {
            givenName VisibleString, initial VisibleString, familyName VisibleString }
        EmployeeNumber ::= [APPLICATION 2] IMPLICIT INTEGER
        Date ::= [APPLICATION 3] IMPLICIT VisibleString
        END""",
        root="PersonnelRecord",
    )

    def name(given: str, initial: str, family: str = "Smith") -> dict[str, str]:
        return {"givenName": given, "initial": initial, "familyName": family}

    record = {
        "name": name("John", "P"),
        "title": "Director",
        "number": 51,
        "dateOfHire": "19710917",
        "nameOfSpouse": name("Mary", "T"),
        "children": [
            {"name": name("Ralph", "T"), "dateOfBirth": "19571111"},
            {"name": name("Susan", "B", "Jones"), "dateOfBirth": "19590717"},
        ],
    }
    aligned = bytes.fromhex(
        "80044A6F686E015005536D6974680133084469726563746F7208313937313039313704 4D617279015405536D69746802"
        "0552616C7068015405536D69746808313935373131313105537573616E0142054A6F6E6573083139353930373137"
    )
    unaligned = bytes.fromhex(
        "824ADFA3700D005A7B74F4D0026611134F2CB8FA6FE410C5CB762C1CB16E09370F2F20350169EDD3D340102D2C3B38"
        "6801A80B4F6E9E9A0218B96ADD8B162C4169F5E787700C2059 5BF765E610C5CB572C1BB16E"
    )
    for rules, message in (("aper", aligned), ("uper", unaligned)):
        assert personnel.encode(record, rules=rules) == message
        assert personnel.decode(message, rules=rules) == record


def test_defaults_are_added_on_request() -> None:
    record = minimal()
    message = schema.encode(record)
    assert "default" not in schema.decode(message)
    assert schema.decode(message, defaults=True)["default"] == 7
    assert schema.encode(record | {"default": 7}, canonical=True) == message


def minimal() -> dict[str, Any]:
    return {
        "id": 1,
        "any": 2,
        "kind": "sms",
        "name": "x",
        "bits": (b"", 0),
        "ok": True,
        "real": 1.5,
        "nothing": None,
        "oid": "1.2.3",
        "choice": ("number", 3),
        "list": [],
    }


def test_reals_that_are_no_numbers() -> None:
    for real in (math.inf, -math.inf, math.nan, -0.0, 0.0):
        record = schema.decode(schema.encode(minimal() | {"real": real}))
        assert repr(record["real"]) == repr(real)


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        ({"id": -1}, "/id", "-1"),
        ({"kind": "fax"}, "/kind", "fax"),
        ({"list": [{"a": 1}, {"a": 256}]}, "/list/1/a", "256"),
        ({"choice": ("none", 1)}, "/choice", "none"),
        ({"more": 1}, "", "more"),
        ({"bits": (b"\xff", 3)}, "/bits", "bit"),
        ({"oid": "a.b"}, "/oid", "a.b"),
    ],
)
def test_an_object_that_is_no_value_names_the_place(change: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(Error, match=words) as caught:
        schema.encode(minimal() | change)
    assert caught.value.kind == "schema"
    assert caught.value.path.startswith(path)


def test_a_missing_component_is_named() -> None:
    record = minimal()
    del record["name"]
    with pytest.raises(Error, match="missing component name"):
        schema.encode(record)


def test_a_bad_message_names_the_bit_and_the_place() -> None:
    weather = Schema.parse(
        "W DEFINITIONS AUTOMATIC TAGS ::= BEGIN W ::= SEQUENCE OF SEQUENCE { a INTEGER (0..2), b BOOLEAN } END"
    )
    with pytest.raises(Error) as caught:
        weather.decode(b"\x02\x3c\x00")
    error = caught.value
    assert (error.kind, error.format) == ("syntax", "per")
    assert error.path == "/1/a"
    # Bits 3 and 4 of the second octet are the number.
    assert error.offset == 1 and error.bit in (3, 4, 5)
    with pytest.raises(Error) as caught:
        weather.decode(b"\x02")
    assert caught.value.kind == "incomplete"


def test_deep_values_take_no_stack() -> None:
    tree: dict[str, Any] = {"value": 0, "children": []}
    for value in range(200):
        tree = {"value": value % 256, "children": [tree]}
    message = schema.encode(tree, root="Tree")
    assert schema.decode(message, root="Tree") == tree


def test_types_and_roots() -> None:
    assert schema.types == ["Test.Record", "Test.Choice", "Test.Tree"]
    assert schema.root == "Record"
    several = Schema.parse(MODULE)
    assert several.root is None
    with pytest.raises(Error, match="2 types"):
        several.decode(b"")
    with pytest.raises(Error, match="type X not found"):
        schema.decode(b"", root="X")
    assert "Record" in repr(schema)


def test_modules_are_read_from_files_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.asn").write_text("A DEFINITIONS ::= BEGIN IMPORTS T FROM B; M ::= SEQUENCE OF T END")
    (tmp_path / "b.asn1").write_text("B DEFINITIONS ::= BEGIN EXPORTS ALL; T ::= BOOLEAN END")
    (tmp_path / "notes.txt").write_text("no module")
    for loaded in (Schema.from_asn1(tmp_path), Schema.from_asn1(str(tmp_path / "a.asn"), tmp_path / "b.asn1")):
        assert loaded.decode(loaded.encode([True, False])) == [True, False]
    with pytest.raises(Error, match="module B not found") as caught:
        Schema.from_asn1(tmp_path / "a.asn")
    assert caught.value.path.endswith("a.asn") and caught.value.line == 1
    with pytest.raises(Error) as caught:
        Schema.from_asn1(tmp_path / "c.asn")
    assert caught.value.kind == "io"
    with pytest.raises(Error):
        Schema.from_asn1()


def test_a_later_version_is_reported(tmp_path: Path) -> None:
    new = Schema.parse("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN C ::= CHOICE { a NULL, ..., b INTEGER } END")
    old = Schema.parse("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN C ::= CHOICE { a NULL, ... } END")
    with pytest.raises(Error, match="later version") as caught:
        old.decode(new.encode(("b", 7)))
    assert caught.value.kind == "unsupported"


def test_a_schema_is_pickled_with_its_documents(tmp_path: Path, samples: Path) -> None:
    again = pickle.loads(pickle.dumps(schema))
    assert again.decode(schema.encode(minimal())) == minimal()
    (tmp_path / "inner.xsd").write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="t" type="xs:int"/></xs:schema>'
    )
    (tmp_path / "outer.xsd").write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="inner.xsd"/></xs:schema>'
    )
    pickled = pickle.dumps(Schema.from_xsd(tmp_path / "outer.xsd"))
    (tmp_path / "inner.xsd").unlink()
    assert pickle.loads(pickled).decode(b"<t>21</t>") == 21


def test_xml_by_its_schema(samples: Path) -> None:
    orders = Schema.from_xsd(samples / "order.xsd")
    text = (samples / "order.xml").read_bytes()
    order = orders.decode(text)
    assert order == orders.decode(orders.encode(order))
    message = orders.encode(order, rules="uper")
    assert message == convert(text, "xml", "uper", schema=orders)
    # XML has the defaults of its schema, PER leaves them out.
    assert orders.decode(message, rules="uper", defaults=True) == order
    with pytest.raises(Error) as caught:
        orders.decode(b"<o:order xmlns:o='urn:none'/>")
    assert caught.value.kind == "schema" and caught.value.line == 1


def test_decimals_are_exact(tmp_path: Path) -> None:
    (tmp_path / "p.xsd").write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="p" type="xs:decimal"/></xs:schema>'
    )
    prices = Schema.from_xsd(tmp_path / "p.xsd")
    for digits in ("12.10", "0.1", "5", "-123456789012345678901234567890.5"):
        price = prices.decode(f"<p>{digits}</p>".encode())
        assert isinstance(price, Decimal) and price == Decimal(digits)
        assert prices.decode(prices.encode(price)) == price


def test_envelopes_of_a_service(samples: Path) -> None:
    service = Schema.from_wsdl(samples / "search.wsdl")
    text = b"""<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
        <sum xmlns="urn:example:search"><data>1.5</data><data>-2</data></sum></e:Body></e:Envelope>"""
    envelope = service.decode(text)
    # The service has two versions of SOAP.
    soap = "{http://schemas.xmlsoap.org/soap/envelope/}Envelope"
    assert service.decode(service.encode(envelope, root=soap)) == envelope
    assert "[1.5, -2.0]" in repr(envelope)
    with pytest.raises(Error, match="dat") as caught:
        service.decode(text.replace(b"data>", b"dat>"))
    assert caught.value.line == 2


def test_what_a_later_version_says_is_refused_with_its_path() -> None:
    text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN L ::= SEQUENCE OF SEQUENCE {{ c CHOICE {{ r SEQUENCE {{ e ENUMERATED {{ a, ...{} }} }} }} }} END"
    now, later = Schema.parse(text.format("")), Schema.parse(text.format(", b"))

    def of(*names: str) -> bytes:
        return later.encode([{"c": ("r", {"e": name})} for name in names])

    assert now.decode(of("a")) == [{"c": ("r", {"e": "a"})}]
    for type in (None, list[dict[str, Any]]):
        with pytest.raises(Error, match="of a later version") as caught:
            now.decode(of("a", "b"), type=type)
        assert (caught.value.kind, caught.value.path) == ("unsupported", "/1/c/e")


def test_a_tuple_is_an_array_where_the_type_is_one() -> None:
    lists = Schema.parse(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { l SEQUENCE OF INTEGER OPTIONAL, t SEQUENCE OF UTF8String OPTIONAL,"
        " p SEQUENCE OF P OPTIONAL, c C OPTIONAL, s SET OF C OPTIONAL, n INTEGER OPTIONAL }"
        " P ::= SEQUENCE { o SEQUENCE OF OCTET STRING } C ::= CHOICE { l SEQUENCE OF UTF8String, b BIT STRING } END"
    )
    values: list[dict[str, Any]] = [
        {"l": [1, 2, 3]}, {"l": []}, {"l": [7]}, {"t": ["l", "b"]}, {"p": [{"o": [b"a", b"b"]}, {"o": []}]},
        {"c": ("l", ["a", "b"])}, {"s": [("b", (b"\xf0", 4)), ("l", ["b", "c"])]},
    ]
    for value in values:
        tupled = {
            name: tuple({"o": tuple(item["o"])} if isinstance(item, dict) else item for item in items) if name != "c"
            else (items[0], tuple(items[1]))
            for name, items in value.items()
        }
        assert lists.decode(lists.encode(tupled)) == value
    with pytest.raises(Error, match="found a tuple of 3 items, expected a tuple of a name") as refused:
        lists.encode({"n": (1, 2, 3)})
    assert refused.value.path == "/n"


def test_the_path_of_an_object_that_is_refused_leads_to_it() -> None:
    class Other: ...

    values: list[tuple[Any, str]] = [
        ({"a": 1, "when": Other()}, "/when"), ([1, [2, Other()]], "/1/1"), ({"ls": [{"k": "x", "v": Other()}]}, "/ls/0/v"),
        (Other(), ""), ({"a/b": {"~": (1, Other())}}, "/a~1b/~0/1"), ({"a": {1: 2}}, "/a"), ([["\ud800"]], "/0/0"),
    ]
    for value, path in values:
        for dumps in (pon.dumps, tsf.dumps):
            with pytest.raises(Error) as refused:
                dumps(value)
            assert refused.value.path == path
    with pytest.raises(Error, match=r"an object of test_schema\.\S*Other, expected"):
        pon.dumps({"x": Other()})
    nested = Schema.parse(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { ls SEQUENCE OF SEQUENCE { c CHOICE { v INTEGER, w R } } } END"
    )
    for inner, path in ((("v", Other()), "/ls/0/c/v"), (("w", {"ls": [Other()]}), "/ls/0/c/w/ls/0"), (Other(), "/ls/0/c")):
        with pytest.raises(Error) as refused:
            nested.encode({"ls": [{"c": inner}]})
        assert refused.value.path == path


def test_modules_that_are_not_right_have_warnings(tmp_path: Path) -> None:
    (tmp_path / "a.asn1").write_bytes(b"A DEFINITIONS ::= BEGIN -- f\xfcr\nT ::= INTEGER\n")
    schema = Schema.from_asn1(tmp_path / "a.asn1")
    assert [warning.split(": ")[-1] for warning in schema.warnings] == [
        "comments have octets that are not UTF-8 (line 1)",
        "module A ends without END (line 3)",
    ]
    assert Schema.parse("A DEFINITIONS ::= BEGIN T ::= INTEGER END").warnings == []
