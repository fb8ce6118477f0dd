"""Documents without a schema as columns, beside what pyarrow makes of the same JSON lines."""

import gzip
import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.json
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lengthwise import Error, Schema, pon, tsf


def json_dumps(row: Any) -> bytes:
    return json.dumps(row).encode()


DUMPS: list[tuple[str, Callable[[Any], bytes]]] = [("json", json_dumps), ("pon", pon.dumps), ("tsf", tsf.dumps)]

names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=5)
integers = st.integers(-(2**53), 2**53)
finite = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: float(f"{number:.6g}"))


@st.composite
def shapes(draw: st.DrawFn, depth: int = 0, nulls: bool = False) -> Any:
    """What the values at a place are: a strategy, and of objects one for each member. Lists may have `nulls`."""
    kinds = ["integer", "float", "text", "boolean"] + (["list", "object"] if depth < 3 else [])
    kind = draw(st.sampled_from(kinds))
    match kind:
        case "integer":
            return integers
        case "float":
            return finite
        case "text":
            return st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(lambda text: text.strip("0123456789-:.TZ "))
        case "boolean":
            return st.booleans()
        case "list":
            item = draw(shapes(depth + 1, nulls))
            return st.lists(st.none() | item if nulls else item, max_size=3)
        case _:
            return draw(objects(depth + 1, nulls))


@st.composite
def objects(draw: st.DrawFn, depth: int = 0, nulls: bool = False) -> Any:
    members = draw(st.dictionaries(names, shapes(depth, nulls), min_size=1, max_size=4))
    optional = {name: st.none() | shape for name, shape in members.items()}
    return st.fixed_dictionaries({}, optional=optional).filter(bool)


@given(st.data())
def test_columns_are_those_of_pyarrow(data: st.DataObject) -> None:
    rows: list[dict[str, Any]] = data.draw(st.lists(data.draw(objects()), min_size=1, max_size=12))
    lines = [json.dumps(row).encode() for row in rows]
    theirs = pyarrow.json.read_json(io.BytesIO(b"\n".join(lines)))
    for rules, messages in (
        ("json", lines),
        ("pon", [pon.dumps(row) for row in rows]),
        ("tsf", [tsf.dumps(row) for row in rows]),
    ):
        schema = Schema.infer(messages, rules=rules)
        ours = pa.record_batch(schema.decode_batch(messages, rules=rules))
        ours.validate(full=True)
        assert ours.num_rows == len(rows)
        for name in theirs.column_names:
            found, expected = ours[name].to_pylist(), theirs[name].to_pylist()
            assert same(found, expected), (rules, name, found, expected)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_lists_may_have_nulls(data: st.DataObject) -> None:
    """Beside the rows themselves: pyarrow makes `[null, 0]` of JSON `[0, 0]`."""
    rows: list[dict[str, Any]] = data.draw(st.lists(data.draw(objects(0, True)), min_size=1, max_size=9))
    for rules, dumps in DUMPS:
        messages = [dumps(row) for row in rows]
        batch = pa.record_batch(Schema.infer(messages, rules=rules).decode_batch(messages))
        batch.validate(full=True)
        found = batch.to_pylist()
        assert len(found) == len(rows) and all(map(same, found, rows)), (rules, found)


def same(one: Any, other: Any) -> bool:
    """Equal, where what is only null has any type and an integer is a number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one.get(name), other.get(name)) for name in {*one, *other})
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    # A struct of nulls, where pyarrow has a null.
    if isinstance(one, dict) or isinstance(other, dict):
        return not any((one or other).values())
    return bool(one == other)


def test_octets_are_binary_columns() -> None:
    messages = [pon.dumps({"id": n, "octets": bytes([n, 255]), "t": float(n)}) for n in range(3)]
    batch = pa.record_batch(Schema.infer(messages, rules="pon").decode_batch(messages, rules="pon"))
    assert batch.schema.types == [pa.int64(), pa.binary(), pa.float64()]
    assert batch["octets"].to_pylist() == [b"\x00\xff", b"\x01\xff", b"\x02\xff"]


def test_what_the_sample_does_not_have_is_refused() -> None:
    messages = [b'{"a":1}', b'{"a":2.5}', b'{"a":"x"}', b'{"b":1}', b'{"a":', b"[1]", b'{"a":null}']
    schema = Schema.infer(messages[:2])
    batch = schema.decode_batch(messages, rules="json", errors="collect")
    assert pa.record_batch(batch).to_pydict() == {"a": [1.0, 2.5, None]}
    found = [(place, error.kind, error.path) for place, error in batch.errors]  # type: ignore[attr-defined]
    assert found == [(2, "schema", "/a"), (3, "schema", ""), (4, "incomplete", ""), (5, "schema", "")]
    with pytest.raises(Error) as refused:
        schema.decode_batch(messages, rules="json")
    assert refused.value.path == "/2/a"
    with pytest.raises(Error, match="found rules 'xml'"):
        Schema.infer(messages, rules="xml")
    with pytest.raises(Error) as deep:
        Schema.infer([b"[" * 200 + b"]" * 200])
    assert deep.value.kind == "limit"


def test_files_are_read_by_what_they_begin_with(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"".join(json.dumps({"n": n, "tags": ["a"] * (n % 3)}).encode() + b"\n" for n in range(1000)))
    schema = Schema.infer(path, framing="lines", sample=10)
    reader = schema.read(path, rules="json", framing="lines", batch_size=300, columns=["n"])
    assert [len(batch) for batch in reader] == [300, 300, 300, 100]
    table = pa.RecordBatchReader.from_stream(schema.read(path, rules="json", framing="lines")).read_all()
    assert table["n"].to_pylist() == list(range(1000)) and table["tags"][5].as_py() == ["a", "a"]


@given(st.data())
def test_members_that_are_no_columns_may_be_anything(data: st.DataObject) -> None:
    anything = st.recursive(st.none() | st.booleans() | integers | st.text(max_size=3), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=4)
    rows = data.draw(st.lists(st.fixed_dictionaries({"id": integers}, optional={"x": anything, "y": anything}), min_size=1, max_size=9))
    for rules, dumps in DUMPS:
        messages = [dumps(row) for row in rows]
        schema = Schema.infer(messages, rules=rules, sample=1)
        assert pa.record_batch(schema.decode_batch(messages, columns=["id"])).to_pylist() == [{"id": row["id"]} for row in rows]


def test_a_name_that_arrow_has_not_is_refused() -> None:
    messages = [pon.dumps({"value": {"a\0b": 1}})]
    batch = Schema.infer(messages, rules="pon").decode_batch(messages)
    for asked in (pa.schema, pa.record_batch):
        with pytest.raises(Error, match="Null byte at position 1.*the C Data Interface") as refused:
            asked(batch)
        assert refused.value.kind == "unsupported"


# Names in the C Data Interface of Arrow end with U+0000.
keys = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=3)


@given(st.lists(st.recursive(
    st.none() | st.booleans() | integers | finite | st.binary(max_size=2) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
).map(lambda value: {"value": value}), min_size=1, max_size=3))
def test_an_inferred_schema_can_be_pickled(rows: list[dict[str, Any]]) -> None:
    messages = [pon.dumps(row) for row in rows]
    schema = Schema.infer(messages, rules="pon")
    again: Schema = pickle.loads(pickle.dumps(schema))
    found, expected = again.decode_batch(messages, errors="null"), schema.decode_batch(messages, errors="null")
    assert pa.schema(found) == pa.schema(expected)
    assert pa.record_batch(found).equals(pa.record_batch(expected)) and len(found.errors) == len(expected.errors)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.NDJSON", "rows.jsonl.gz"])
def test_files_of_json_lines_need_no_framing(tmp_path: Path, name: str) -> None:
    path, lines = tmp_path / name, b'{"n":1}\n{"n":2}\n'
    path.write_bytes(gzip.compress(lines) if name.endswith(".gz") else lines)
    reader = Schema.infer(path).read(path, columns=["n"])
    assert pa.RecordBatchReader.from_stream(reader).read_all().to_pydict() == {"n": [1, 2]}


def test_what_cannot_be_read_has_no_schema(tmp_path: Path) -> None:
    (tmp_path / "lines.json").write_bytes(b'{"n":1}\n{"n":2}\n')
    (tmp_path / "empty.jsonl").write_bytes(b"")
    cases: list[tuple[Any, str, int]] = [
        ([b'{"a":', b"}"], "incomplete", 5), (tmp_path / "lines.json", "syntax", 8), (tmp_path / "empty.jsonl", "incomplete", 0),
        ([], "incomplete", 0),
    ]
    for messages, kind, offset in cases:
        with pytest.raises(Error) as refused:
            Schema.infer(messages)
        assert (refused.value.kind, refused.value.offset) == (kind, offset)


@pytest.mark.parametrize(("rules", "dumps"), DUMPS)
def test_an_inferred_schema_reads_by_the_rules_it_was_inferred_by(rules: str, dumps: Any) -> None:
    messages = [dumps({"n": 1}), dumps({"n": 2})]
    schema = Schema.infer(messages, rules=rules)
    batch = schema.decode_batch(messages)
    assert pa.record_batch(batch).to_pydict() == {"n": [1, 2]}
    assert schema.decode(messages[0]) == {"n": 1} and schema.encode_batch(batch)[1] == schema.encode({"n": 2})


def test_messages_of_a_module_may_be_json() -> None:
    schema = Schema.parse(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { id INTEGER (0..9), k ENUMERATED { a, b } OPTIONAL } END"
    )
    batch = schema.decode_batch([b'{"id":1,"k":"b"}', b'{"id":2,"k":null}', b'{"id":10}'], rules="json", errors="null")
    assert pa.record_batch(batch).to_pydict() == {"id": [1, 2, None], "k": ["b", None, None]}
    assert schema.encode_batch(schema.decode_batch([b'{"id":1}'], rules="json")) == [schema.encode({"id": 1})]
    assert schema.encode_batch(pa.table({"id": [1]}), rules="json") == [b'{"id":1}']
