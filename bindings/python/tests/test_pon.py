"""PON from Python: the paper's examples, round trips, bad input."""

import copy
import io
import json
import math
import pickle
import threading
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Document, Error, pon

# What PON holds: numbers keep their type, and an object its order.
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
)
objects = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=40)


def same(one: Any, other: Any) -> bool:
    """Equal in types and order as well."""
    return repr(one) == repr(other)


@given(objects)
def test_what_is_written_is_read(value: Any) -> None:
    assert same(pon.loads(pon.dumps(value)), value)


@given(objects)
def test_a_view_has_what_loads_has(value: Any) -> None:
    message = pon.dumps({"value": value})
    assert same(pon.View(message).to_python(), {"value": value})


@given(objects)
def test_a_document_has_what_loads_has(value: Any) -> None:
    message = pon.dumps(value)
    document = Document.read(message, "pon")
    assert same(document.to_python(), value)
    assert document.to("pon") == message


@given(st.binary(max_size=60))
def test_bytes_are_a_message_or_an_error(message: bytes) -> None:
    try:
        value = pon.loads(message)
    except Error:
        return
    assert same(pon.loads(pon.dumps(value)), value) or value != value


@given(objects, st.data())
def test_a_cut_or_changed_message_is_an_error_or_another(value: Any, data: st.DataObject) -> None:
    message = bytearray(pon.dumps(value))
    place = data.draw(st.integers(0, len(message) - 1))
    message[place] = data.draw(st.integers(0, 255))
    for other in (bytes(message), bytes(message[:place])):
        try:
            pon.loads(other)
            pon.View(other).to_python()
        except (Error, TypeError):
            pass


def test_the_paper_has_these_messages() -> None:
    # Nordahl and Magnusson 2015, section 2.
    assert pon.loads(b"26{key1:6svalue1key2:6svalue2") == {"key1": "value1", "key2": "value2"}


def test_an_error_has_kind_offset_and_path() -> None:
    with pytest.raises(Error) as caught:
        pon.loads(b"25{key1:6svalue1key2:6svalue")
    error = caught.value
    assert (error.kind, error.format, error.offset, error.path) == ("syntax", "pon", 21, "/key2")
    assert isinstance(error, ValueError)
    assert str(error).startswith("syntax at byte 21 in /key2: found 7 bytes")


def test_an_unfinished_message_is_incomplete() -> None:
    message = pon.dumps({"a": [1, 2, 3]})
    for end in range(len(message)):
        with pytest.raises(Error) as caught:
            pon.loads(message[:end])
        assert caught.value.kind == "incomplete"


def test_limits_are_kept_and_named() -> None:
    deep = b"t"
    for _ in range(40):
        deep = b"%d[%b" % (len(deep), deep)
    assert repr(pon.loads(deep)).count("[") == 40
    assert repr(pon.loads(deep, limits={"depth": 40})).count("[") == 40
    with pytest.raises(Error, match="limit depth") as caught:
        pon.loads(deep, limits={"depth": 39})
    assert caught.value.kind == "limit"
    with pytest.raises(Error, match="limit units"):
        pon.loads(pon.dumps([1] * 10), limits={"units": 10})
    assert pon.loads(pon.dumps([1] * 9), limits={"units": 10}) == [1] * 9
    with pytest.raises(Error, match="limit message_bytes"):
        pon.loads(pon.dumps("x" * 100), limits={"message_bytes": 50})
    with pytest.raises(Error, match="patience"):
        pon.loads(b"t", limits={"patience": 1})
    assert pon.loads(b"t", limits="untrusted") is True


def test_nesting_takes_no_stack() -> None:
    deep = b"t"
    for _ in range(900):
        deep = b"%d[%b" % (len(deep), deep)
    found: list[Any] = []
    threading.stack_size(64 * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(pon.dumps(pon.loads(deep))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert found == [deep]


def test_an_object_that_contains_itself_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(Error) as refused:
        pon.dumps(circle)
    # It is at no place of a message.
    assert str(refused.value) == "limit: found a larger object, expected at most 1000 (limit depth)"
    # All of its levels would take gigabytes.
    wide: dict[str, Any] = {str(n): None for n in range(100_000)}
    wide["wide"] = {"again": wide}
    with pytest.raises(Error, match="limit depth"):
        pon.dumps(wide)


def test_a_key_that_comes_twice_is_refused_and_a_document_has_both() -> None:
    message = b"%d{%b" % (len(b"a:1i1a:1i2"), b"a:1i1a:1i2")
    with pytest.raises(Error, match="twice") as caught:
        pon.loads(message)
    assert caught.value.kind == "unsupported"
    root = Document.read(message, "pon").root
    assert root is not None
    assert [unit.to_python() for unit in root] == [1, 2]


def test_types_that_json_does_not_have() -> None:
    assert pon.loads(pon.dumps([b"\x00\xff", bytearray(b"ab"), memoryview(b"xyz")[1:]])) == [b"\x00\xff", b"ab", b"yz"]
    assert pon.loads(b"cx") == "x"
    assert pon.loads(b"b\xff") == 255
    assert pon.loads(pon.dumps((1, (2,)))) == [1, [2]]
    assert pon.loads(pon.dumps(Decimal("1.50"))) == 1.5
    assert math.isnan(pon.loads(pon.dumps(math.nan)))
    assert pon.loads(pon.dumps([math.inf, -math.inf])) == [math.inf, -math.inf]
    assert str(pon.loads(pon.dumps(-0.0))) == "-0.0"


def test_integers_have_any_size() -> None:
    for number in (0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 10**1000):
        assert pon.loads(pon.dumps(number)) == number
    with pytest.raises(Error) as caught:
        pon.dumps(1 << 20_000)
    assert caught.value.kind == "limit"
    digits = b"9" * 5000
    with pytest.raises(Error) as caught:
        pon.loads(b"5000i" + digits)
    assert caught.value.kind == "limit"


def test_what_pon_cannot_hold_names_its_place() -> None:
    with pytest.raises(Error, match="an object of set") as caught:
        pon.dumps({"a": [1, {2}]})
    assert (caught.value.kind, caught.value.path) == ("unsupported", "/a/1")
    with pytest.raises(Error, match="an object of int, expected a str as the key"):
        pon.dumps({1: 2})
    with pytest.raises(Error, match="surrogate"):
        pon.dumps("\ud800")


def test_default_makes_what_pon_can_hold() -> None:
    assert pon.loads(pon.dumps({"a": {3, 1, 2}}, default=sorted)) == {"a": [1, 2, 3]}
    with pytest.raises(ZeroDivisionError):
        pon.dumps([object()], default=lambda _: 1 / 0)
    with pytest.raises(Error):
        pon.dumps([object()], default=lambda value: value)

    shrinking = [object(), 1, 2]
    assert pon.loads(pon.dumps(shrinking, default=lambda _: shrinking.clear())) == [None, 1, 2]

    # A message of more than a mebibyte is written twice; `default` is asked once.
    asked: list[object] = []
    large = [object(), "x" * 2_000_000, object()]

    def number(value: object) -> int:
        asked.append(value)
        return len(asked)

    assert pon.loads(pon.dumps(large, default=number)) == [2, large[1], 1]
    assert len(asked) == 2


def test_a_view_reads_only_what_is_asked_for() -> None:
    view = pon.View(pon.dumps({"a": {"b/c": [10, {"d": b"octets"}]}, "t": 21.5, "none": None}))
    assert view["t"] == 21.5
    assert view["/a/b~1c/1/d"] == b"octets"
    assert isinstance(view["/a/b~1c/1/d"], memoryview)
    assert view["a"]["b/c"][1].to_python() == {"d": b"octets"}
    assert (view["a"]["b/c"][-2], len(view["a"]["b/c"]), len(view), view.kind) == (10, 2, 3, "object")
    assert view["none"] is None and view.get("other") is None and view.get("other", 7) == 7
    assert view.keys() == ["a", "t", "none"] == list(view)
    assert dict(view.items())["t"] == 21.5
    assert list(view["a"]["b/c"])[0] == 10
    assert "t" in view and "x" not in view and "/a/b~1c/1" in view
    with pytest.raises(KeyError):
        view["x"]
    with pytest.raises(IndexError):
        view["a"]["b/c"][2]
    with pytest.raises(TypeError):
        view[0]
    # The fault is in a value that nobody asks for.
    damaged = pon.View(b"11{a:1i1b:2[zz")
    assert damaged["a"] == 1
    with pytest.raises(Error):
        damaged.to_python()


def test_a_payload_is_part_of_the_message() -> None:
    image = bytes(range(256)) * 100
    message = pon.dumps({"image": image})
    payload = pon.View(message)["image"]
    assert payload.obj is message and payload.readonly
    assert payload == image


def test_a_buffer_that_may_change_is_copied() -> None:
    message = bytearray(pon.dumps({"a": b"octets"}))
    view = pon.View(message)
    message[:] = bytes(len(message))
    assert view["a"] == b"octets"
    with pytest.raises(TypeError):
        pon.loads("t")  # type: ignore[call-overload]


def test_files_are_read_and_written() -> None:
    file = io.BytesIO()
    pon.dump({"a": 1}, file)
    file.seek(0)
    assert pon.load(file) == {"a": 1}


def test_threads_read_at_once() -> None:
    value = json.loads(json.dumps([{"id": n, "name": f"name {n}"} for n in range(2000)]))
    message = pon.dumps(value)
    results: list[bool] = []

    def work() -> None:
        results.append(all(pon.loads(message) == value for _ in range(5)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_a_view_of_an_array_is_a_sequence() -> None:
    view = pon.View(pon.dumps({"a": [1, "x", None, 2.5, [3]], "o": {"k": 1, "l": "x"}}))
    array, members = view["a"], view["o"]
    assert [1 in array, "x" in array, 3 in array, "/4/0" in array, "/5" in array] == [True, True, False, True, False]
    assert ["k" in members, "x" in members, 1 in members, "/l" in members] == [True, False, False, True]
    assert array[1:3] == ["x", None] and array[::-2][1:] == [None, 1] and array[9:] == []
    assert members.values() == [1, "x"] and array.values()[:2] == [1, "x"] and list(reversed(array[:2])) == ["x", 1]
    with pytest.raises(TypeError):
        members[0:1]
    assert [item if isinstance(item, (int, str, float)) else None for item in reversed(array)] == [None, 2.5, None, "x", 1]
    assert list(reversed(members)) == ["l", "k"] and list(reversed(view)) == ["o", "a"]


def test_a_view_is_pickled_and_copied_by_itself() -> None:
    view = pon.View(pon.dumps({"a": [1, {"b": b"octets"}, []], "long": "x" * 10_000}))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(view, protocol)).to_python() == view.to_python()
    part = pickle.dumps(view["a"])
    assert len(part) < 200 and pickle.loads(part).to_python() == [1, {"b": b"octets"}, []]
    for copied in (copy.copy(view["/a/1"]), copy.deepcopy(view["/a/1"])):
        assert copied.keys() == ["b"] and copied["b"] == b"octets"
    assert len(pickle.loads(pickle.dumps(view["/a/2"]))) == 0


def test_limits_are_names_and_numbers() -> None:
    limits: Any
    for limits in ({"depth": -2}, {"depth": "x"}, {1: 2}, 5):
        with pytest.raises(TypeError, match="'untrusted', or a dict of names and numbers"):
            pon.loads(b"1i1", limits=limits)
