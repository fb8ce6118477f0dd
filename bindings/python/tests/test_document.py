"""Documents, conversion and comparison."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import lengthwise
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Document, Error, Schema, compare, convert

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
        with pytest.raises(Error, match="no such option for pon"):
            convert(b"[1]", "json", "pon", **option)
    with pytest.raises(Error, match="format 'jason'"):
        convert(b"[1]", "jason", "pon")


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
