"""The messages of streams, one by one."""

import bz2
import gzip
import io
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Error, messages, pon, tsf

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(values, max_size=9))
def test_what_was_written_one_after_the_other_is_found(several: list[Any]) -> None:
    stream = b"".join(map(pon.dumps, several))
    assert list(map(pon.loads, messages(stream, framing="pon"))) == several
    assert list(map(pon.loads, messages(io.BytesIO(gzip.compress(stream)), framing="pon"))) == several
    stream = b"".join(map(tsf.dumps, several))
    found = [tsf.loads(message, types="value") for message in messages(stream, framing="tsf", types="value")]
    assert found == several
    lines = "".join(json.dumps(value) + "\n" for value in several).encode()
    assert list(map(json.loads, messages(lines, framing="lines"))) == several


def test_files_are_read_by_their_framing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}\n[2]\n')
    assert list(messages(path)) == list(messages(str(path))) == [b'{"a":1}', b"[2]"]
    with open(path, "rb", buffering=0) as unbuffered, bz2.open(tmp_path / "a.bz2", "wb") as packed:
        assert list(messages(unbuffered, framing="lines")) == [b'{"a":1}', b"[2]"]
        packed.write(path.read_bytes())
    with bz2.open(tmp_path / "a.bz2") as packed:
        assert len(list(messages(packed, framing="json"))) == 2
    assert list(messages(b"\x00\x01a\x00\x00", framing="u16be")) == [b"a", b""]
    assert list(messages(b"whole")) == [b"whole"]
    assert list(messages(b"", framing="pon")) == []


def test_a_message_is_there_before_the_next_one_comes() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as source, open(writing, "wb", buffering=0) as sink:
        found = messages(source, framing="pon")
        for number in range(3):
            threading.Timer(0.05, sink.write, [pon.dumps({"n": number})]).start()
            assert pon.loads(next(found)) == {"n": number}
        sink.close()
        assert list(found) == []


def test_what_is_no_message_is_an_error(tmp_path: Path) -> None:
    found = messages(pon.dumps([1]) + b"5{", framing="pon")
    assert next(found) == pon.dumps([1])
    with pytest.raises(Error) as cut:
        next(found)
    assert cut.value.kind == "incomplete"
    with pytest.raises(Error) as missing:
        messages(tmp_path / "none.pon")
    assert missing.value.kind == "io"
    with pytest.raises(Error, match="found framing='nl', expected ber, u16be"):
        messages(b"", framing="nl")
    with pytest.raises(Error, match="found types='own', expected json, value or xml"):
        messages(b"", types="own")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        messages(5)  # type: ignore[arg-type]
    with pytest.raises(Error, match="bytes"):
        list(messages(io.StringIO("text")))  # type: ignore[arg-type]
