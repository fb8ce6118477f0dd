"""Messages into Arrow columns, held against `decode`."""

import datetime as dt
import pathlib
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lengthwise import Error, Schema
from test_schema import minimal, records, schema

PER_BER_OER = ("uper", "aper", "ber", "der", "cer", "oer", "coer")


def expected(value: Any) -> Any:
    """What a column has for a value of `decode`."""
    if isinstance(value, tuple) and isinstance(value[0], bytes):
        octets, bits = value
        return "".join(f"{octet:08b}" for octet in octets)[:bits]
    if isinstance(value, tuple):
        return {"_tag": value[0], value[0]: expected(value[1])}
    if isinstance(value, dict):
        return {name: True if name == "nothing" else expected(member) for name, member in value.items()}
    if isinstance(value, list):
        return [expected(item) for item in value]
    return value


def present(value: Any) -> Any:
    """A row without what is null."""
    if isinstance(value, dict):
        return {name: present(member) for name, member in value.items() if member is not None}
    if isinstance(value, list):
        return [present(item) for item in value]
    return value


def has_large_numbers(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(has_large_numbers, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(has_large_numbers, value))
    return isinstance(value, int) and not -(2**63) <= value < 2**63


@given(st.lists(records, max_size=5), st.sampled_from(PER_BER_OER))
def test_a_batch_has_what_decode_has(several: list[dict[str, Any]], rules: str) -> None:
    messages = [schema.encode(record, rules=rules) for record in several]
    batch = schema.decode_batch(messages, rules=rules, errors="collect")
    rows = pa.record_batch(batch).to_pylist()
    good = [record for record in several if not has_large_numbers(record)]
    assert [present(row) for row in rows] == [expected(record | {"default": 7}) for record in good]
    large = [place for place, record in enumerate(several) if has_large_numbers(record)]
    assert [place for place, _ in batch.errors] == large


def test_binary_arrays_are_taken() -> None:
    message = schema.encode(minimal())
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(len(message))):
        batch = schema.decode_batch(pa.array([message, None, message], kind), columns=["id"])
        assert pa.record_batch(batch).to_pydict() == {"id": [1, None, 1]}
    with pytest.raises(Error, match="an array of Int64"):
        schema.decode_batch(pa.array([1]))
    with pytest.raises(TypeError):
        schema.decode_batch([1])  # type: ignore[list-item]


def test_refused_messages_are_raised_null_or_collected() -> None:
    message = schema.encode(minimal())
    messages = [message, message[:3], message]
    with pytest.raises(Error) as caught:
        schema.decode_batch(messages)
    assert caught.value.kind == "incomplete" and caught.value.path.startswith("/1")
    batch = schema.decode_batch(messages, errors="null", columns=["id"])
    assert pa.record_batch(batch).to_pydict() == {"id": [1, None, 1]}
    ((place, error),) = batch.errors
    assert place == 1 and isinstance(error, Error) and error.kind == "incomplete"
    batch = schema.decode_batch(messages, errors="collect", columns=["id"])
    assert pa.record_batch(batch).to_pydict() == {"id": [1, 1]} and len(batch) == 2
    with pytest.raises(Error, match="errors='skip'"):
        schema.decode_batch(messages, errors="skip")  # type: ignore[arg-type]


def test_a_projection_builds_its_columns() -> None:
    message = schema.encode(minimal() | {"list": [{"a": 1, "b": ("number", 2)}]})
    batch = schema.decode_batch([message], columns=["list/a", "kind"])
    assert pa.record_batch(batch).to_pylist() == [{"kind": "sms", "list": [{"a": 1}]}]
    assert batch.column_names == ["kind", "list"]
    with pytest.raises(Error, match="no component 'x'") as caught:
        schema.decode_batch([message], columns=["choice/x"])
    assert caught.value.path == "/choice/x"
    with pytest.raises(Error, match="contains itself"):
        schema.decode_batch([], root="Tree")


def test_numpy_sees_numbers_without_a_copy() -> None:
    numbers = Schema.parse("M DEFINITIONS ::= BEGIN N ::= SEQUENCE { n REAL } END")
    messages = [numbers.encode({"n": float(n)}) for n in range(10)]
    batch = numbers.decode_batch(messages)
    column = pa.array(batch["n"])
    buffer = column.buffers()[1]
    assert buffer is not None
    array = column.to_numpy(zero_copy_only=True)
    assert array.tolist() == [float(n) for n in range(10)]
    assert array.__array_interface__["data"][0] == buffer.address
    again = pa.array(batch["n"]).buffers()[1]
    assert again is not None and again.address == buffer.address


def test_formats_without_values_are_refused() -> None:
    for rules in ("infoset-uper", "tdxml", "xml"):
        with pytest.raises(Error, match=f"found {rules}, expected a format of values"):
            schema.decode_batch([b"{}"], rules=rules)
        with pytest.raises(Error, match=f"found {rules}, expected a format of values"):
            schema.encode_batch(pa.table({"id": [1]}), rules=rules)


@given(st.lists(records, max_size=5), st.sampled_from(PER_BER_OER))
def test_rows_become_messages_again(several: list[dict[str, Any]], rules: str) -> None:
    good = [record for record in several if not has_large_numbers(record)]
    batch = schema.decode_batch([schema.encode(record, rules=rules) for record in good], rules=rules)
    messages = schema.encode_batch(batch, rules=rules)
    # A default may be written or left out.
    assert [{"default": 7} | schema.decode(message, rules=rules) for message in messages] == [
        {"default": 7} | schema.decode(schema.encode(record, rules=rules), rules=rules) for record in good
    ]
    # A table of several batches, in layouts that other libraries choose.
    table = pa.Table.from_batches([pa.record_batch(batch)] * 2)
    assert schema.encode_batch(table, rules=rules) == messages * 2


def test_tables_of_others_are_taken() -> None:
    places = Schema.parse(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { id INTEGER (0..255), name UTF8String OPTIONAL,"
        " kind ENUMERATED { land, sea }, octets OCTET STRING } END"
    )
    columns = {"id": [1, 2], "name": ["a", None], "kind": ["sea", "land"], "octets": [b"\x00", b""]}
    expected = [
        places.encode({"id": 1, "name": "a", "kind": "sea", "octets": b"\x00"}),
        places.encode({"id": 2, "kind": "land", "octets": b""}),
    ]
    table = pa.table(columns)
    assert places.encode_batch(table) == expected
    large = pa.schema(
        {"id": pa.uint8(), "name": pa.large_string(), "kind": pa.dictionary(pa.int8(), pa.string()), "octets": pa.large_binary()}
    )
    assert places.encode_batch(pa.table(columns, schema=large)) == expected
    with pytest.raises(Error) as raised:
        places.encode_batch(pa.table(columns | {"id": [1, 256]}))
    assert raised.value.path == "/1/id"
    with pytest.raises(Error, match="the column other, which is no component"):
        places.encode_batch(pa.table(columns | {"other": [1, 2]}))
    with pytest.raises(Error, match="no column octets"):
        places.encode_batch(table.drop_columns(["octets"]))
    with pytest.raises(TypeError):
        places.encode_batch([{"id": 1}])  # type: ignore[arg-type]


def test_slices_of_structs_in_structs_are_read(capfd: pytest.CaptureFixture[str]) -> None:
    nested = Schema.parse(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE { a SEQUENCE { b SEQUENCE { n INTEGER (0..255) } },"
        " l SEQUENCE (SIZE (1)) OF SEQUENCE { c CHOICE { d SEQUENCE { n INTEGER (0..255) } } } } END"
    )
    rows = [{"a": {"b": {"n": n}}, "l": [{"c": {"_tag": "d", "d": {"n": n}}}]} for n in range(9)]
    table = pa.Table.from_batches([pa.RecordBatch.from_pylist(rows[:5]), pa.RecordBatch.from_pylist(rows[5:])])
    messages = nested.encode_batch(table)
    assert len(set(messages)) == 9 and messages[7].count(7) == 2
    for start, length in ((1, 2), (0, 3), (4, 3), (6, 3), (8, 1), (9, 0)):
        assert nested.encode_batch(table.slice(start, length)) == messages[start : start + length]
    assert nested.encode_batch(table.to_batches()[1].slice(1, 2)) == messages[6:8]
    assert capfd.readouterr() == ("", "")


def test_columns_of_nulls_are_absent() -> None:
    optional = Schema.parse(
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN R ::= SEQUENCE { id INTEGER, t UTF8String OPTIONAL,"
        " l SEQUENCE OF INTEGER OPTIONAL, s SEQUENCE { x INTEGER OPTIONAL } OPTIONAL } END"
    )
    columns = {"id": [1, 2], "t": [None, None], "l": [None, None], "s": [{"x": None}, None]}
    expected = [optional.encode({"id": 1, "s": {}}), optional.encode({"id": 2})]
    assert pa.table(columns)["t"].type == pa.null()
    assert optional.encode_batch(pa.table(columns)) == expected
    with pytest.raises(Error, match="in /0: missing component id"):
        optional.encode_batch(pa.table({"id": [None]}))
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    del columns["s"]
    assert optional.encode_batch(pandas.DataFrame(columns)) == [optional.encode({"id": n}) for n in (1, 2)]
    assert optional.encode_batch(polars.DataFrame(columns)) == [optional.encode({"id": n}) for n in (1, 2)]


def test_a_column_of_a_table_is_taken() -> None:
    messages = [schema.encode(minimal()), None, schema.encode(minimal())]
    table = pa.concat_tables([pa.table({"value": messages}), pa.table({"value": messages[:1]})])
    batch = schema.decode_batch(table["value"], columns=["id"])
    assert pa.record_batch(batch).to_pydict() == {"id": [1, None, 1, 1]}
    assert len(schema.decode_batch(table["value"].slice(1, 3))) == 3
    with pytest.raises(Error, match="an array of Int64"):
        schema.decode_batch(pa.chunked_array([[1], [2]]))


TIMES = Schema.parse(
    """M DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= SEQUENCE {
        d DATE, c TIME-OF-DAY, l DATE-TIME, g GeneralizedTime, u UTCTime, r REAL OPTIONAL, i INTEGER OPTIONAL } END"""
)
MOMENT = {"d": "2024-02-29", "c": "23:59:59", "l": "2024-02-29T23:59:59", "g": "20240229235959.25Z", "u": "240229235959Z"}


def test_times_are_texts_unless_asked_for() -> None:
    messages = [TIMES.encode(MOMENT), TIMES.encode(MOMENT | {"g": "20240229235959+0130"})]
    exact = pa.table(TIMES.decode_batch(messages, exclude_columns=["r", "i"]))
    assert exact.to_pylist()[0] == MOMENT | {"d": dt.date(2024, 2, 29)}
    batch = TIMES.decode_batch(messages, times="utc", columns=["d", "c", "l", "g", "u"])
    table = pa.table(batch)
    local, utc = dt.datetime(2024, 2, 29, 23, 59, 59), dt.datetime(2024, 2, 29, 23, 59, 59, tzinfo=dt.UTC)
    first, second = table.to_pylist()
    assert list(first.values()) == [dt.date(2024, 2, 29), dt.time(23, 59, 59), local, utc + dt.timedelta(seconds=0.25), utc]
    assert second["g"] == utc - dt.timedelta(minutes=90)
    assert [str(field.type) for field in table.schema] == [
        "date32[day]", "time64[us]", "timestamp[us]", "timestamp[us, tz=UTC]", "timestamp[us, tz=UTC]"
    ]  # fmt: skip
    # Moments come back in UTC, whatever the unit of the column, and the zone in which it is shown.
    again = [MOMENT, MOMENT | {"g": "20240229222959Z"}]
    assert [TIMES.decode(message) for message in TIMES.encode_batch(batch)] == again
    others = table.cast(
        pa.schema({
            "d": pa.date64(), "c": pa.time32("s"), "l": pa.timestamp("s"), "g": pa.timestamp("ns", "Europe/Oslo"),
            "u": pa.timestamp("ms", "UTC"),
        })  # fmt: skip
    )
    assert [TIMES.decode(message) for message in TIMES.encode_batch(others)] == again
    refused = TIMES.decode_batch(messages, times="local", errors="collect")
    assert [(place, " in /g: " in str(error)) for place, error in refused.errors] == [(0, True), (1, True)]
    with pytest.raises(Error, match="times='UTC', expected exact, utc or local"):
        TIMES.decode_batch(messages, times="UTC")  # type: ignore[arg-type]


@given(st.datetimes(min_value=dt.datetime(1582, 10, 15)), st.sampled_from(["s", "ms", "us", "ns"]))
def test_timestamps_become_texts_and_timestamps_again(moment: dt.datetime, unit: Any) -> None:
    if unit == "ns":
        moment = moment.replace(year=2000 + moment.year % 100 // 4 * 4)
    micros = {"s": 0, "ms": moment.microsecond // 1000 * 1000}.get(unit, moment.microsecond)
    moment = moment.replace(microsecond=micros)
    schema = Schema.parse('M DEFINITIONS ::= BEGIN T ::= TIME (SETTINGS "Basic=Date-Time Date=YMD") END')
    array = pa.array([moment], pa.timestamp(unit))
    messages = schema.encode_batch(pa.table({"value": array}))
    text = moment.isoformat().rstrip("0").rstrip(".") if micros else moment.isoformat()
    assert schema.decode(messages[0]) == text
    assert pa.table(schema.decode_batch(messages, times="local"))["value"].to_pylist() == [moment]


def test_decimals_have_columns_where_the_schema_says_their_digits(tmp_path: pathlib.Path) -> None:
    facets = '<xs:totalDigits value="5"/><xs:fractionDigits value="2"/>'
    (tmp_path / "d.xsd").write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="r"><xs:complexType><xs:sequence>'
        f'<xs:element name="a"><xs:simpleType><xs:restriction base="xs:decimal">{facets}</xs:restriction></xs:simpleType></xs:element>'
        '<xs:element name="b" type="xs:decimal"/><xs:element name="d" type="xs:date"/><xs:element name="t" type="xs:dateTime"/>'
        "</xs:sequence></xs:complexType></xs:element></xs:schema>"
    )
    schema = Schema.from_xsd(tmp_path / "d.xsd")
    xml = b"<r><a>-123.40</a><b>0.1</b><d>2024-02-29</d><t>2024-02-29T12:00:00+01:00</t></r>"
    batch = schema.decode_batch([xml], times="utc")
    table = pa.table(batch)
    noon = dt.datetime(2024, 2, 29, 11, tzinfo=dt.UTC)
    assert table.to_pylist() == [{"a": Decimal("-123.40"), "b": "0.1", "d": dt.date(2024, 2, 29), "t": noon}]
    assert table.schema.field("a").type == pa.decimal128(5, 2)
    assert b"<a>-123.4</a><b>0.1</b><d>2024-02-29</d><t>2024-02-29T11:00:00Z</t>" in schema.encode_batch(batch)[0]
    wide = table.set_column(0, "a", table["a"].cast(pa.decimal256(40, 2))).set_column(1, "b", pa.array([Decimal("0.1")]))
    assert schema.encode_batch(wide) == schema.encode_batch(batch)
    exact = pa.table(schema.decode_batch([xml.replace(b"29<", b"29Z<")])).to_pylist()
    assert (exact[0]["d"], exact[0]["t"]) == ("2024-02-29Z", "2024-02-29T12:00:00+01:00")
    refused = schema.decode_batch([xml.replace(b"29<", b"29Z<")], times="local", errors="collect")
    assert "with a time zone" in str(refused.errors[0][1])


def test_decimals_are_taken_for_numbers() -> None:
    row = {"d": [dt.date(2024, 2, 29)], **{name: [MOMENT[name]] for name in "clgu"}}
    table = pa.table(row | {"r": [Decimal("1.50")], "i": pa.array([Decimal(12)], pa.decimal128(38, 0))})
    assert TIMES.decode(TIMES.encode_batch(table)[0]) == MOMENT | {"r": Decimal("1.5"), "i": 12}
    with pytest.raises(Error, match=r"/0/i: found 1\.5, expected an integer"):
        TIMES.encode_batch(table.set_column(6, "i", pa.array([Decimal("1.5")])))


def test_arguments_of_columns_are_checked(tmp_path: pathlib.Path) -> None:
    message = TIMES.encode(MOMENT)
    with pytest.raises(TypeError, match="columns are a list of paths"):
        TIMES.decode_batch([message], columns="d")  # type: ignore[arg-type]
    (tmp_path / "m").write_bytes(message)
    with pytest.raises(Error, match="batch_size=0"):
        TIMES.read(tmp_path / "m", batch_size=0)


def test_an_error_of_a_file_says_where_the_message_begins(tmp_path: pathlib.Path) -> None:
    (tmp_path / "t.jsonl").write_bytes(b'{"a":1}\n\n{"a":"x"}\n')
    schema = Schema.infer([b'{"a":1}'])
    with pytest.raises(Error) as error:
        list(schema.read(tmp_path / "t.jsonl"))
    assert (error.value.path, error.value.__notes__) == ("/1/a", ["the message begins at byte 9 of the file"])
