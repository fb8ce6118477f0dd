"""TSF from Python."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Document, Error, tsf
from test_pon import objects, same


@given(objects)
def test_what_is_written_is_read(value: Any) -> None:
    assert same(tsf.loads(tsf.dumps(value), types="value"), value)


@given(st.binary(max_size=60))
def test_bytes_are_a_message_or_an_error(message: bytes) -> None:
    try:
        tsf.loads(message)
    except Error as error:
        assert error.kind in ("syntax", "incomplete", "limit", "unsupported")


def test_tokens_and_values_are_judged_by_the_message() -> None:
    value = {"room": "attic", "t": 21.5, "ok": True}
    assert tsf.dumps(value) == b"3{5room'attic4t%21.51ok?t".replace(b"5room", b"5room")
    assert tsf.loads(tsf.dumps(value)) == tsf.loads(tsf.dumps(value, types="json")) == value


def test_xml_is_for_documents() -> None:
    message = b"1order<1=2id[17"
    with pytest.raises(Error, match="Document") as caught:
        tsf.loads(message)
    assert caught.value.kind == "unsupported"
    assert Document.read(message)["/order/@id"].text == "17"
    with pytest.raises(Error, match="'xlm' for the option 'types'"):
        tsf.loads(message, types="xlm")


def test_files_are_read_and_written() -> None:
    file = io.BytesIO()
    tsf.dump([1, None], file)
    file.seek(0)
    assert tsf.load(file) == [1, None]


def test_a_name_that_is_not_utf_8_is_refused() -> None:
    message = tsf.dumps({"a": 1}).replace(b"a", b"\xff")
    for type in (None, dict[str, int]):
        with pytest.raises(Error, match="a name of other bytes") as caught:
            tsf.loads(message, type=type)
        assert caught.value.kind == "syntax"


def test_objects_that_are_refused_have_a_path_and_no_place_in_a_message() -> None:
    deep: Any = 1
    for _ in range(1_001):
        deep = {"a": deep}
    cases: list[tuple[Any, str]] = [
        (deep, "limit in " + "/a" * 64 + "/…/a: found one more level, expected at most 1000 (limit depth)"),
        ({"x": [deep]}, "limit in /x/0" + "/a" * 62 + "/…/a: found one more level, expected at most 1000 (limit depth)"),
        ({"a": ["!"]}, "schema in /a/0: found a string that is not base64, expected base64 in member 'a'"),
    ]
    for value, words in cases:
        with pytest.raises(Error) as refused:
            tsf.dumps(value, binary_from_base64=["a"])
        assert (str(refused.value), refused.value.offset) == (words, 0)
