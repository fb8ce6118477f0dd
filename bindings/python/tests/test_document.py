"""Documents, conversion and comparison."""

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import lengthwise
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Document, Error, Loss, Schema, compare, convert, convert_with_losses, tsf

FORMATS = ("xml", "json", "tsf", "pon", "infoset-uper", "infoset-aper", "infoset-ber", "tdxml")


def test_an_order_keeps_its_meaning_in_every_format(samples: Path) -> None:
    order = (samples / "order.xml").read_bytes()
    assert convert(convert(order, "xml", "tsf"), "tsf", "xml") == convert(order, "xml", "xml")
    # An infoset has no CDATA sections, but their text.
    texts = ElementTree.canonicalize(order)
    for format in ("infoset-uper", "infoset-aper", "infoset-ber"):
        assert ElementTree.canonicalize(convert(convert(order, "xml", format), format, "xml")) == texts


def test_json_comes_back_from_pon(samples: Path) -> None:
    sensors = (samples / "sensors.json").read_bytes()
    message = convert(sensors, "json", "pon")
    assert json.loads(convert(message, "pon", "json")) == json.loads(sensors)
    assert lengthwise.pon.loads(message) == json.loads(sensors)


def test_an_option_that_does_not_apply_is_refused() -> None:
    assert json.loads(convert(b"[1]", "json", "json", pretty=True)) == [1]
    options: tuple[dict[str, Any], ...] = ({"pretty": True}, {"canonical": True}, {"types": "json"})
    for option in options:
        with pytest.raises(Error, match=f"the option '{next(iter(option))}' for json to pon, expected"):
            convert(b"[1]", "json", "pon", **option)
        name: dict[str, Any] = dict.fromkeys(option)
        assert convert(b"[1]", "json", "pon", **name) == b"3[1i1"
    assert convert(b"[1]", "json", "pon", pretty=False) == b"3[1i1"
    wrong: dict[str, Any] = {"prety": True}
    for call in (convert, convert_with_losses):
        with pytest.raises(TypeError, match="no keyword argument 'prety'"):
            call(b"[1]", "json", "xml", **wrong)
    values: tuple[Any, ...] = ({}, b"x", [], ["a,b"], [1], ["true"], ["a", "false"])
    for value in values:
        wrong = {"binary_from_base64": value}
        with pytest.raises((TypeError, ValueError), match="binary_from_base64 is a"):
            convert(b"[1]", "json", "pon", **wrong)
    with pytest.raises(Error, match="expected single or pair"):
        wrong = {"empty_tags": "none"}
        convert(b"<a/>", "xml", "xml", **wrong)
    with pytest.raises(Error, match="format 'jason'"):
        convert(b"[1]", "jason", "pon")


OWN = "structured ( object\nstructured < array\nprimitive : string\nprimitive # number"


def test_options_are_those_of_the_command() -> None:
    assert convert(b"<a>\n<b/></a>", "xml", "xml", empty_tags="pair", line_ends="crlf") == b"<a>\r\n<b></b></a>"
    assert convert(b'{"t":[21.5,22]}', "json", "xml", number_items=True) == (
        b"<e0s1><t><e1s1i1>21.5</e1s1i1><e1s1i2>22</e1s1i2></t></e0s1>"
    )
    assert convert(b'{"t": [21.50, null]}', "json", "tsf", types="value") == b"1{2t[5%21.500~"
    assert convert('["é"]'.encode(), "json", "tsf", types="value", lengths="chars") == "1[1'é".encode()
    message = b'{"a": ["Zm8="], "b": "Zm8="}'
    assert convert(message, "json", "pon", binary_from_base64=["a"]) == b"16{a:4[2yfob:4sZm8="
    likely = b'["Zm9vYmFyMTIzNDU2Nw==", "Zm8="]'
    assert convert(likely, "json", "pon", binary_from_base64=True) == b"22[13yfoobar12345674sZm8="
    order = b"<order>" + b"<line>" * 100 + b"tea and biscuits" * 9 + b"</line>" * 100 + b"</order>"
    assert len(convert(order, "xml", "infoset-uper", strings="zstd")) < len(convert(order, "xml", "infoset-uper"))
    all_strings = convert(order, "xml", "infoset-uper", strings="zstd")
    assert all_strings != convert(order, "xml", "infoset-uper", strings="zstd", strings_from=999)
    for number in (-1, 2**33):
        with pytest.raises(Error, match="for the option 'strings-from', expected a number of bytes"):
            convert(order, "xml", "infoset-uper", strings="zstd", strings_from=number)
    with pytest.raises(UnicodeEncodeError):
        convert(b"[1]", "json", "tsf", types="\ud800")


def test_type_sets_of_ones_own() -> None:
    message = convert(b'{"room": "attic", "t": [21.50]}', "json", "tsf", types=OWN)
    assert message == b"2(5room:attic1t<5#21.50"
    assert convert(message, "tsf", "json", types=OWN) == b'{"room":"attic","t":[21.50]}'
    assert convert(message, "tsf", "tsf", from_types=OWN, types="value") == b"2{5room'attic1t[5%21.50"
    assert tsf.loads(message, types=OWN) == {"room": "attic", "t": [21.5]}
    assert tsf.dumps({"room": "attic"}, types=OWN) == b"1(5room:attic"
    document = Document.read(message, "tsf", types=OWN)
    assert document.vocabulary == "custom" and document["/t/0"].kind == "#"
    assert document.to_python() == {"room": "attic", "t": [21.5]}
    assert document.to_json() == b'{"room":"attic","t":[21.50]}' and document.to("tsf") == message
    with pytest.raises(Error, match="found 'list', expected a meaning"):
        convert(message, "tsf", "json", types="structured ( list")


def test_what_is_lost_is_told() -> None:
    document = b"<a><!-- b --><c>1</c><!-- d --></a>"
    message, losses = convert_with_losses(document, "xml", "tdxml", drop_comments=True)
    assert message == convert(document, "xml", "tdxml", drop_comments=True)
    assert [str(loss) for loss in losses] == ["2 comments dropped (line 1, column 4, in /a)"]
    (loss,) = losses
    assert (loss.kind, loss.count, loss.path, loss.offset, loss.line, loss.column) == ("comment", 2, "/a", 3, 1, 4)
    assert hash(loss) == hash(convert_with_losses(document, "xml", "tdxml", drop_comments=True)[1][0])
    assert repr(loss) == f"<lengthwise.Loss: {loss}>" and isinstance(loss, Loss)
    with pytest.raises(Error, match="found 2 comments dropped .*, expected a conversion that keeps everything"):
        convert(document, "xml", "tdxml", drop_comments=True, lossless=True)
    assert convert(document, "xml", "tsf", lossless=True) == convert(document, "xml", "tsf")
    assert convert_with_losses(b"[1]", "json", "pon") == (b"3[1i1", [])


def test_a_text_error_has_line_and_column() -> None:
    with pytest.raises(Error) as caught:
        convert(b'{"a": 1,\n "b": tru}', "json", "pon")
    error = caught.value
    assert (error.kind, error.line, error.offset) == ("syntax", 2, 15)
    assert error.column == 7


def test_a_document_is_walked_by_paths_and_units(samples: Path) -> None:
    document = Document.read((samples / "order.xml").read_bytes())
    assert (document.format, document.vocabulary) == ("xml", "xml")
    root = document.root
    assert root is not None and root.kind == "="
    assert document["/o:order"].kind == "<"
    title = document["/o:order/o:lines/line[2]/title/text()"]
    assert title.text and title.text in str(title)
    assert document[title.path].text == title.text
    assert "/o:order/x" not in document and document.get("/o:order/x") is None
    with pytest.raises(KeyError, match="x"):
        document["/o:order/x"]
    assert Document.read(document.to("tsf")).to_xml() == document.to_xml()
    with pytest.raises(Error):
        document.to_json()
    with pytest.raises(Error):
        document.to_python()


def test_units_of_values_are_objects() -> None:
    message = lengthwise.pon.dumps({"a": [1, {"b": b"octets"}], "c": None})
    document = Document.read(message, "pon")
    root = document.root
    assert root is not None
    assert [unit.name for unit in root] == ["a", "c"]
    assert root["a"][1].to_python() == {"b": b"octets"}
    assert root["a"][-2].to_python() == 1 and len(root["a"]) == 2
    payload = document["/a/1/b"].payload
    assert bytes(payload) == b"octets" and payload.obj is message
    with pytest.raises(IndexError):
        root["a"][2]
    with pytest.raises(KeyError):
        root["b"]


def test_a_message_that_begins_like_nothing_needs_a_format() -> None:
    with pytest.raises(Error, match="format"):
        Document.read(b"\x7fELF")


def test_sizes_are_those_of_the_conversions(samples: Path) -> None:
    sensors = (samples / "sensors.json").read_bytes()
    sizes = compare(sensors, "json")
    assert sizes["json"] == len(sensors)
    assert sizes["pon"] == len(convert(sensors, "json", "pon"))
    assert "uper" not in sizes
    schema = Schema.from_asn1(samples / "weather.asn1")
    weather = (samples / "weather.json").read_bytes()
    assert compare(weather, "json", schema=schema)["uper"] == len(convert(weather, "json", "uper", schema=schema))
    order = compare((samples / "order.xml").read_bytes(), "xml")
    assert isinstance(order["json"], Error) and order["json"].kind == "unsupported"


@given(st.binary(max_size=80), st.sampled_from(FORMATS), st.sampled_from(FORMATS))
def test_bytes_are_converted_or_an_error(message: bytes, source: str, target: str) -> None:
    try:
        convert(message, source, target, limits="untrusted")
    except Error as error:
        assert error.kind and error.offset >= 0


def test_names_for_binary_data_that_no_string_has_are_warned_of() -> None:
    message, octets = b'{"a": "Zm8=", "b": 7}', tsf.dumps({"a": b"fo", "b": 7})
    document = Document.read(message)
    writers: list[Callable[[list[str]], bytes]] = [
        lambda names: convert(message, "json", "tsf", types="value", binary_from_base64=names),
        lambda names: convert_with_losses(message, "json", "tsf", types="value", binary_from_base64=names)[0],
        lambda names: document.to("tsf", types="value", binary_from_base64=names),
        lambda names: tsf.dumps({"a": "Zm8=", "b": 7}, binary_from_base64=names),
    ]
    for write in writers:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert write(["a"]) == octets
        with pytest.warns(UserWarning) as warned:
            assert write(["a", "b", "photo"]) == octets
        assert [str(warning.message) for warning in warned] == [
            "binary_from_base64: 1 value of these members not converted: not a string; "
            "no string in a member 'b'; no string in a member 'photo'"
        ]
        assert warned[0].filename == __file__


def test_queries_find_all() -> None:
    document = Document.read(b'<o><l n="1">a</l><g><l n="2">b</l></g></o>')
    assert [node.path for node in document.find_all("//l")] == ["/o/l", "/o/g/l"]
    assert [node.path for node in document.find_all("//l[@n='2']")] == ["/o/g/l"]
    assert document.find_all("//none") == []
    for query in ("//l", "/o/l[@n='2']"):
        with pytest.raises(Error, match="find_all takes queries"):
            document.get(query)
        with pytest.raises(Error):
            _ = query in document
    with pytest.raises(Error):
        document.find_all("//l[last()]")
    # Names may look like queries.
    assert Document.read(b'{"":{"a":1},"*":2}', "json").get("/*").to_python() == 2  # type: ignore[union-attr]
    assert document.get("/o/none") is None
